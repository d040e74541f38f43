//! How a list of solutions is written.
//!
//! In every form a solution is its rows one after another, and what is written of a row depends on the column of its
//! queen alone, but for a label. So the pieces of text are made once, and writing a solution is copying N of them.

use std::io::Write;

use queencount::{BoardSize, Solution};
use unicode_width::UnicodeWidthStr;

use crate::cli::arguments::commands::ListArguments;
use crate::cli::arguments::values::glyphs;
use crate::cli::exit::Exit;
use crate::cli::output::Form;

/// How a list is written.
#[derive(Default)]
pub struct Script {
    /// What the list begins with.
    pub head: String,
    /// The line with a number and columns above a solution, in the lists that have one.
    caption: Option<Caption>,
    /// What a solution begins with, below its caption.
    before: String,
    /// What a row begins with, in the lists where that depends on the row.
    labels: Vec<String>,
    /// A row, by the column of its queen, and what separates it from the next one.
    rows: Vec<String>,
    /// The length of what separates rows.
    separator: usize,
    /// What precedes the size of the orbit in the lists that have it.
    orbit: Option<&'static str>,
    /// What a solution ends with.
    after: &'static str,
    /// What stands between two solutions.
    pub between: &'static str,
    /// What the list ends with.
    pub tail: &'static str,
}

/// The line above a solution.
struct Caption {
    /// What stands before the number, and between the number and the columns.
    around: [&'static str; 2],
    /// What stands behind the columns and the size of the orbit.
    after: &'static str,
    /// What the first column is called.
    first: usize,
}

impl Script {
    /// As the arguments say.
    ///
    /// # Errors
    /// When they ask for what the form does not show.
    pub fn new(arguments: &ListArguments, format: Form, size: BoardSize) -> Result<Self, Exit> {
        use Form::{Board, Csv, Fen, Json, JsonBoards, JsonColumns, Listing, Ruled, Table, Text};
        let drawn = matches!(format, Board | Listing | Ruled);
        if !drawn && (arguments.queen.is_some() || arguments.empty.is_some()) {
            let expected = "expected --queen and --empty with '--format board', 'listing' or 'ruled'";
            return Err(Exit::Usage(format!("{expected}, found another form")));
        }
        if arguments.zero_based && matches!(format, Fen | JsonBoards) {
            let expected = "expected --zero-based with a form that has numbers of columns";
            return Err(Exit::Usage(format!("{expected}, found one that has none")));
        }
        let n = size.get() as usize;
        let first = usize::from(!arguments.zero_based);
        let orbit = |text| Some(text).filter(|_| arguments.unique);
        let column = |column: usize| (column + first).to_string();
        let numbers = |name: &str| (0..n).map(|row| format!("{name}{}", column(row))).collect::<Vec<String>>();
        Ok(match format {
            Text => Self { orbit: orbit("\t"), after: "\n", ..Self::default() }.rows(n, " ", column),
            Csv => {
                let mut head = numbers("row");
                head.extend(orbit("orbit").map(str::to_owned));
                let head = head.join(",") + "\n";
                Self { head, orbit: orbit(","), after: "\n", ..Self::default() }.rows(n, ",", column)
            }
            Json => {
                let after = if arguments.unique { "}\n" } else { "]}\n" };
                let before = "{\"columns\":[".to_owned();
                Self { before, orbit: orbit("],\"orbit\":"), after, ..Self::default() }.rows(n, ",", column)
            }
            JsonColumns => Self::array().rows(n, ",", column),
            JsonBoards => Self::array()
                .rows(n, ",", |column| format!("\"{}Q{}\"", ".".repeat(column), ".".repeat(n - 1 - column))),
            Fen => {
                let empty = |squares: usize| if squares == 0 { String::new() } else { squares.to_string() };
                let row = |column: usize| format!("{}Q{}", empty(column), empty(n - 1 - column));
                Self { orbit: orbit("\t"), after: "\n", ..Self::default() }.rows(n, "/", row)
            }
            Table => {
                let before = format!("ROW {}\nCOLUMN ", numbers("").join(" "));
                Self { before, orbit: orbit("\nORBIT "), after: "\n", between: "\n", ..Self::default() }
                    .rows(n, " ", column)
            }
            Board => {
                let squares = Squares::new(arguments, ["Q", "."])?;
                let caption = Some(Caption { around: ["", ": "], after: "\n", first });
                let row = |column| squares.row(n, column).join(" ").trim_end().to_owned();
                Self { caption, orbit: orbit(", orbit of "), after: "\n", between: "\n", ..Self::default() }
                    .rows(n, "\n", row)
            }
            Listing => {
                let squares = Squares::new(arguments, ["√", "×"])?;
                let around = ["第", "种放置方案, 皇后被放于 \n"];
                let caption = Some(Caption { around, after: " 列\n\n棋盘布局如下↓\n\n", first });
                let row = |column| format!(" {} ", squares.row(n, column).join("  "));
                let head = format!("{n}皇后问题,方案如下:\n\n");
                Self { head, caption, after: "\n\n", ..Self::default() }.rows(n, "\n", row)
            }
            Ruled => Self { after: "\n", between: "\n", ..Self::default() }
                .ruled(&Squares::new(arguments, ["O", " "])?, &numbers("")),
        })
    }

    /// One JSON array for all solutions, and in it one for each.
    fn array() -> Self {
        let before = "[".to_owned();
        Self { head: "[".to_owned(), before, after: "]", between: ",", tail: "]\n", ..Self::default() }
    }

    /// A board with lines between its squares, and numbers at its rows and columns.
    ///
    /// ```text
    ///       Column
    ///     1   2   3   4
    ///   -----------------
    /// 1 |   | O |   |   |
    ///   -----------------
    /// ```
    fn ruled(self, squares: &Squares, numbers: &[String]) -> Self {
        let n = numbers.len();
        let label = numbers.iter().map(String::len).max().unwrap_or(0);
        // A square and a space on both sides of it.
        let square = squares.width + 2;
        let rule = format!("{:label$} {}", "", "-".repeat((square + 1) * n + 1));
        let above: String = numbers.iter().map(|number| format!("{number:>square$} ")).collect();
        let heading = label + ((square + 1) * n).saturating_sub("Column".len()) / 2;
        let before = format!("{:heading$}Column\n{:label$} {}\n{rule}\n", "", "", above.trim_end());
        let labels = numbers.iter().map(|number| format!("{number:>label$} ")).collect();
        let row = |column| format!("| {} |\n{rule}", squares.row(n, column).join(" | "));
        Self { before, labels, ..self }.rows(n, "\n", row)
    }

    fn rows(self, n: usize, separator: &str, row: impl Fn(usize) -> String) -> Self {
        Self { rows: (0..n).map(|column| row(column) + separator).collect(), separator: separator.len(), ..self }
    }

    /// Writes a solution.
    pub fn write(&self, buffer: &mut Vec<u8>, number: u128, solution: &Solution, orbit: Option<u32>) {
        let orbit = orbit.zip(self.orbit).map(|(orbit, before)| format!("{before}{orbit}")).unwrap_or_default();
        if let Some(Caption { around: [before, between], after, first }) = self.caption {
            let columns = solution.columns().iter().map(|&column| (usize::from(column) + first).to_string());
            let columns = columns.collect::<Vec<String>>().join(" ");
            write!(buffer, "{before}{number}{between}{columns}{orbit}{after}").expect("a vector takes all");
        }
        buffer.extend_from_slice(self.before.as_bytes());
        for (row, &column) in solution.columns().iter().enumerate() {
            buffer.extend_from_slice(self.labels.get(row).map_or(&[], |label| label.as_bytes()));
            buffer.extend_from_slice(self.rows[usize::from(column)].as_bytes());
        }
        buffer.truncate(buffer.len() - self.separator);
        if self.caption.is_none() {
            buffer.extend_from_slice(orbit.as_bytes());
        }
        buffer.extend_from_slice(self.after.as_bytes());
    }
}

/// What the squares of a drawn board show, all of the same width.
struct Squares {
    queen: String,
    empty: String,
    width: usize,
}

impl Squares {
    /// As the arguments say, or as the form has them.
    fn new(arguments: &ListArguments, of_form: [&str; 2]) -> Result<Self, Exit> {
        let [queen, empty] = glyphs([&arguments.queen, &arguments.empty], of_form)?;
        let width = queen.width().max(empty.width());
        let [queen, empty] = [queen, empty].map(|glyph| format!("{glyph}{}", " ".repeat(width - glyph.width())));
        Ok(Self { queen, empty, width })
    }

    /// The squares of a row with a queen in this column.
    fn row(&self, n: usize, queen: usize) -> Vec<&str> {
        (0..n).map(|column| if column == queen { self.queen.as_str() } else { &self.empty }).collect()
    }
}
