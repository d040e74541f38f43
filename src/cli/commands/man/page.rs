//! A page in the language of man(7): lines that begin with a point are orders, all others are text.

use std::fmt::Write;

/// The longest line of the source, where words can be parted.
const WIDTH: usize = 78;

/// A page.
pub struct Page(String);

/// Text in one font.
pub struct Text {
    /// How the language names the font.
    font: char,
    text: String,
}

/// Text as it is.
pub fn roman(text: impl Into<String>) -> Text {
    Text { font: 'R', text: text.into() }
}

/// Text to be typed as it is.
pub fn bold(text: impl Into<String>) -> Text {
    Text { font: 'B', text: text.into() }
}

/// Text that stands for another.
pub fn italic(text: impl Into<String>) -> Text {
    Text { font: 'I', text: text.into() }
}

impl Page {
    /// A page with this title, which belongs to this `source`.
    pub fn new(title: &str, date: &str, source: &str) -> Self {
        Self(format!(".TH {} 1 {date} \"{source}\"\n", escaped(&title.to_uppercase())))
    }

    /// Begins a section.
    pub fn section(&mut self, name: &str) {
        let name = if name.contains(' ') { format!("\"{name}\"") } else { name.to_owned() };
        self.order(&format!("SH {name}"));
    }

    /// A line of text.
    pub fn line(&mut self, parts: &[Text]) {
        for Text { font, text } in parts {
            let text = escaped(text);
            self.0 += &if *font == 'R' { text } else { format!("\\f{font}{text}\\fR") };
        }
        self.0.push('\n');
    }

    /// Begins a new line.
    pub fn line_break(&mut self) {
        self.order("br");
    }

    /// Begins the entry of a term; what it means comes next.
    pub fn term(&mut self, parts: &[Text]) {
        self.order("TP");
        self.line(parts);
    }

    /// Paragraphs, between which there is an empty line.
    pub fn paragraphs(&mut self, text: &str) {
        for (place, paragraph) in text.split("\n\n").enumerate() {
            if place > 0 {
                self.next_paragraph();
            }
            self.fill(paragraph);
        }
    }

    /// Begins a paragraph, in an entry as far to the right as the one before.
    pub fn next_paragraph(&mut self) {
        let in_entry = self.0.rfind("\n.TP").is_some_and(|entry| self.0.rfind("\n.SH").is_none_or(|head| head < entry));
        self.order(if in_entry { "IP" } else { "PP" });
    }

    /// Text in lines that are not too long.
    pub fn fill(&mut self, text: &str) {
        let mut width = 0;
        for word in text.split_whitespace().map(escaped) {
            if width > 0 {
                let fits = width + 1 + word.len() <= WIDTH;
                self.0.push(if fits { ' ' } else { '\n' });
                width = if fits { width + 1 } else { 0 };
            }
            width += word.len();
            self.0 += &word;
        }
        self.0.push('\n');
    }

    /// A line to be typed, and what it does below it.
    pub fn example(&mut self, line: &str, does: &str) {
        // A section begins a paragraph by itself.
        if self.0.lines().last().is_some_and(|line| !line.starts_with(".SH ")) {
            self.order("PP");
        }
        self.0 += "\\fB";
        self.fill(line);
        // The font ends with the line, not on a line of its own.
        self.0.truncate(self.0.len() - 1);
        self.0 += "\\fR\n";
        if !does.is_empty() {
            self.order("RS 4");
            self.fill(does);
            self.order("RE");
        }
    }

    /// Moves what follows to the right.
    pub fn indent(&mut self) {
        self.order("RS");
    }

    /// Moves what follows back to the left.
    pub fn outdent(&mut self) {
        self.order("RE");
    }

    /// The source of the page.
    pub fn finish(self) -> String {
        self.0
    }

    fn order(&mut self, order: &str) {
        self.0 += &format!(".{order}\n");
    }
}

/// Text that is no order, and looks the same to every reader.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    if text.starts_with('.') {
        escaped += "\\&";
    }
    for character in text.chars() {
        match character {
            '\\' => escaped += "\\e",
            '-' => escaped += "\\-",
            '\'' => escaped += "\\(aq",
            '~' => escaped += "\\(ti",
            '^' => escaped += "\\(ha",
            '`' => escaped += "\\(ga",
            '\0'..='\x7f' => escaped.push(character),
            _ => write!(escaped, "\\[u{:04X}]", u32::from(character)).expect("a string takes all"),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_what_man_reads() {
        let mut page = Page::new("queencount-run", "2026-01-02", "queencount 1");
        page.section("SEE ALSO");
        page.line(&[bold("a-b"), roman("(1), "), italic("N")]);
        page.line_break();
        page.paragraphs("One\n  and two.\n\nThree.");
        page.section("OPTIONS");
        page.term(&[bold("-q")]);
        page.paragraphs("Less.\n\nLess of it.");
        page.indent();
        page.outdent();
        page.section("EXAMPLES");
        page.example("queencount 8", "counts");
        page.example("queencount 9", "");
        let source = "\
.TH QUEENCOUNT\\-RUN 1 2026-01-02 \"queencount 1\"
.SH \"SEE ALSO\"
\\fBa\\-b\\fR(1), \\fIN\\fR
.br
One and two.
.PP
Three.
.SH OPTIONS
.TP
\\fB\\-q\\fR
Less.
.IP
Less of it.
.RS
.RE
.SH EXAMPLES
\\fBqueencount 8\\fR
.RS 4
counts
.RE
.PP
\\fBqueencount 9\\fR
";
        assert_eq!(page.finish(), source);
    }

    #[test]
    fn a_paragraph_of_a_later_section_belongs_to_no_entry() {
        let mut page = Page::new("q", "2026-01-02", "q");
        page.term(&[roman("t")]);
        page.section("NOTES");
        page.next_paragraph();
        assert!(page.finish().ends_with(".SH NOTES\n.PP\n"));
    }

    #[test]
    fn lines_are_as_long_as_they_may_be() {
        let mut page = Page(String::new());
        let words = [70, 7, 70, 8, 69, 3, 80].map(|length| "x".repeat(length));
        page.fill(&words.join(" "));
        let lines: Vec<usize> = page.finish().lines().map(str::len).collect();
        assert_eq!(lines, [78, 70, 78, 3, 80]);
    }

    #[test]
    fn text_is_no_order_and_looks_the_same_to_every_reader() {
        assert_eq!(escaped(".br \\ - ' ~ ^ `"), "\\&.br \\e \\- \\(aq \\(ti \\(ha \\(ga");
        assert_eq!(escaped("a.b \u{2655} \u{e9}"), "a.b \\[u2655] \\[u00E9]");
    }
}
