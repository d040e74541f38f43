//! The formats of a list of solutions.
//!
//! In every format, the text of a row, apart from a label, depends only on the column of its queen.
//! The strings for all columns are prepared once, and a solution is written by copying N of them.

use crate::Solution;
use unicode_width::UnicodeWidthStr;

use crate::cli::error::{Error, Result};
use crate::cli::flags::commands::{ListArguments, ListFormat};
use crate::cli::flags::values::check_glyphs;
use crate::cli::numbers::columns;

enum Piece {
    Text(String),
    /// The position of the solution in the full list, which includes the skipped solutions.
    Number,
    Columns,
    Rows,
    OrbitSize,
}

pub(super) struct Script {
    pub head: String,
    pieces: Vec<Piece>,
    has_orbits: bool,
    /// The number given to the first column.
    first: usize,
    /// The label at the start of each row, for formats that label rows.
    labels: Vec<String>,
    /// The text of a row for each possible column of its queen, and the separator between rows.
    rows: Vec<String>,
    separator: &'static str,
    pub between: &'static str,
    pub tail: &'static str,
}

impl Script {
    /// Prepares the format selected by the arguments.
    ///
    /// # Errors
    /// Fails if the arguments include options that the format does not support.
    pub(super) fn new(args: &ListArguments) -> Result<Self> {
        use Piece::{Columns, Number, Rows};

        check(args)?;
        let n = args.n.get() as usize;
        let first = usize::from(!args.drawn.zero_based);
        let numbers: Vec<String> = (first..first + n).map(|n| n.to_string()).collect();
        let mut script = Self {
            head: String::new(),
            pieces: Vec::new(),
            has_orbits: args.unique,
            first,
            labels: Vec::new(),
            rows: numbers.clone(),
            separator: " ",
            between: "",
            tail: "",
        };
        match args.format {
            ListFormat::Text => script.add(Rows).orbit_after("\t").text("\n"),
            ListFormat::Csv => {
                let names: Vec<String> = numbers.iter().map(|n| format!("row{n}")).collect();
                let orbit = if args.unique { ",orbit" } else { "" };
                script.head = format!("{}{orbit}\n", names.join(","));
                script.separator = ",";
                script.add(Rows).orbit_after(",").text("\n")
            }
            ListFormat::Json => {
                script.separator = ",";
                script.text("{\"columns\":[").add(Rows).text("]");
                script.orbit_after(",\"orbit\":").text("}\n")
            }
            ListFormat::JsonBoards => {
                script.head = "[".to_owned();
                script.rows =
                    Squares::new(args, "Q", ".")?.rows(n, |row| format!("\"{}\"", row.concat()));
                script.separator = ",";
                script.between = ",";
                script.tail = "]\n";
                script.text("[").add(Rows).text("]")
            }
            ListFormat::Table => {
                script.between = "\n";
                script.text(&format!("ROW {}\nCOLUMN ", numbers.join(" ")));
                script.add(Rows).orbit_after("\nORBIT ").text("\n")
            }
            ListFormat::Board => {
                let squares = Squares::new(args, "Q", ".")?;
                script.rows = squares.rows(n, |row| row.join(" ").trim_end().to_owned());
                script.separator = "\n";
                script.between = "\n";
                script.add(Number).text(": ").add(Columns);
                script
                    .orbit_after(", orbit of ")
                    .text("\n")
                    .add(Rows)
                    .text("\n")
            }
            ListFormat::Listing => {
                let squares = Squares::new(args, "√", "×")?;
                script.head = format!("{n}皇后问题,方案如下:\n\n");
                script.rows = squares.rows(n, |row| format!(" {} ", row.join("  ")));
                script.separator = "\n";
                script
                    .text("第")
                    .add(Number)
                    .text("种放置方案, 皇后被放于 \n")
                    .add(Columns);
                script
                    .text(" 列\n\n棋盘布局如下↓\n\n")
                    .add(Rows)
                    .text("\n\n")
            }
            ListFormat::Ruled => script.ruled(&Squares::new(args, "O", " ")?, &numbers),
        };
        for row in &mut script.rows {
            row.push_str(script.separator);
        }
        Ok(script)
    }

    fn add(&mut self, piece: Piece) -> &mut Self {
        self.pieces.push(piece);
        self
    }

    fn text(&mut self, text: &str) -> &mut Self {
        self.add(Piece::Text(text.to_owned()))
    }

    /// If orbit sizes are written, adds the label and the orbit size.
    fn orbit_after(&mut self, label: &str) -> &mut Self {
        if self.has_orbits {
            self.text(label).add(Piece::OrbitSize);
        }
        self
    }

    /// Draws boards with lines between the squares, and with row and column numbers.
    ///
    /// ```text
    ///       Column
    ///     1   2   3   4
    ///   -----------------
    /// 1 |   | O |   |   |
    ///   -----------------
    /// ```
    fn ruled(&mut self, squares: &Squares, numbers: &[String]) -> &mut Self {
        let n = numbers.len();
        let label = numbers.iter().map(String::len).max().unwrap_or(0);
        // Each square is drawn with a space on either side.
        let square = squares.width + 2;
        let rule = format!("{:label$} {}", "", "-".repeat((square + 1) * n + 1));
        let above: String = numbers.iter().map(|n| format!("{n:>square$} ")).collect();
        let heading = label + ((square + 1) * n).saturating_sub("Column".len()) / 2;
        self.labels = numbers.iter().map(|n| format!("{n:>label$} ")).collect();
        self.rows = squares.rows(n, |row| format!("| {} |\n{rule}", row.join(" | ")));
        self.separator = "\n";
        self.between = "\n";
        self.text(&format!(
            "{:heading$}Column\n{:label$} {}\n{rule}\n",
            "",
            "",
            above.trim_end()
        ));
        self.add(Piece::Rows).text("\n")
    }

    pub(super) fn write(&self, buffer: &mut Vec<u8>, number: u128, solution: &Solution) {
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => buffer.extend_from_slice(text.as_bytes()),
                Piece::Number => buffer.extend_from_slice(number.to_string().as_bytes()),
                Piece::Columns => {
                    buffer.extend_from_slice(columns(solution, self.first).as_bytes())
                }
                Piece::OrbitSize => {
                    buffer.extend_from_slice(solution.orbit_size().to_string().as_bytes());
                }
                Piece::Rows => {
                    for (row, &column) in solution.columns().iter().enumerate() {
                        if let Some(label) = self.labels.get(row) {
                            buffer.extend_from_slice(label.as_bytes());
                        }
                        buffer.extend_from_slice(self.rows[usize::from(column)].as_bytes());
                    }
                    buffer.truncate(buffer.len() - self.separator.len());
                }
            }
        }
    }
}

fn check(args: &ListArguments) -> Result<()> {
    let is_drawn = matches!(
        args.format,
        ListFormat::Board | ListFormat::Listing | ListFormat::Ruled
    );
    if !is_drawn && (args.drawn.queen.is_some() || args.drawn.empty.is_some()) {
        return Err(Error::Usage(
            "--queen and --empty require --format board, listing or ruled".to_owned(),
        ));
    }
    if args.drawn.zero_based && args.format == ListFormat::JsonBoards {
        return Err(Error::Usage(
            "--zero-based requires a format with column numbers".to_owned(),
        ));
    }
    Ok(())
}

/// The squares of a drawn board, all of the same width.
struct Squares {
    queen: String,
    empty: String,
    width: usize,
}

impl Squares {
    fn new(args: &ListArguments, queen: &str, empty: &str) -> Result<Self> {
        let queen = args.drawn.queen.as_deref().unwrap_or(queen);
        let empty = args.drawn.empty.as_deref().unwrap_or(empty);
        check_glyphs(queen, empty)?;
        let width = queen.width().max(empty.width());
        let [queen, empty] =
            [queen, empty].map(|glyph| format!("{glyph}{}", " ".repeat(width - glyph.width())));
        Ok(Self {
            queen,
            empty,
            width,
        })
    }

    /// Formats a row of `n` squares for each possible column of its queen.
    fn rows(&self, n: usize, format: impl Fn(Vec<&str>) -> String) -> Vec<String> {
        let mut rows = Vec::new();
        for queen in 0..n {
            let mut row = vec![self.empty.as_str(); n];
            row[queen] = &self.queen;
            rows.push(format(row));
        }
        rows
    }
}
