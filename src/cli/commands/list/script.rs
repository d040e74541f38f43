//! The formats of a list of solutions.
//!
//! In every format, the text of a row depends only on the column of its queen, apart from a label.
//! Therefore these texts are prepared once, and writing a solution means copying N of them.

use crate::Solution;
use unicode_width::UnicodeWidthStr;

use crate::cli::error::{Error, Result};
use crate::cli::flags::commands::{ListArguments, ListFormat};
use crate::cli::flags::values::check_glyphs;
use crate::cli::numbers::columns;

/// A part of the text of a solution.
enum Piece {
    Text(String),
    /// The index of the solution in the list.
    Number,
    Columns,
    Rows,
    OrbitSize,
}

pub struct Script {
    pub head: String,
    pieces: Vec<Piece>,
    /// The number of the first column.
    first: usize,
    /// The text at the beginning of each row, if it depends on the row.
    labels: Vec<String>,
    /// The text of a row for each column of its queen, and the separator between rows.
    rows: Vec<String>,
    separator: &'static str,
    pub between: &'static str,
    pub tail: &'static str,
}

impl Script {
    /// Prepares the format selected by the arguments.
    ///
    /// # Errors
    /// Fails if the arguments select something that the format does not show.
    pub fn new(args: &ListArguments) -> Result<Self> {
        use Piece::{Columns, Number, OrbitSize, Rows, Text};

        check(args)?;
        let n = args.n.get() as usize;
        let first = usize::from(!args.drawn.zero_based);
        let numbers: Vec<String> = (first..first + n)
            .map(|number| number.to_string())
            .collect();
        let orbit_after = |label: &str| match args.unique {
            true => vec![Text(label.to_owned()), OrbitSize],
            false => Vec::new(),
        };
        let script = Self {
            head: String::new(),
            pieces: vec![Rows],
            first,
            labels: Vec::new(),
            rows: numbers.clone(),
            separator: " ",
            between: "",
            tail: "",
        };
        let script = match args.format {
            ListFormat::Text => script.then(orbit_after("\t")).then_text("\n"),
            ListFormat::Csv => {
                let mut names: Vec<String> = numbers
                    .iter()
                    .map(|number| format!("row{number}"))
                    .collect();
                if args.unique {
                    names.push("orbit".to_owned());
                }
                let script = Self {
                    head: names.join(",") + "\n",
                    separator: ",",
                    ..script
                };
                script.then(orbit_after(",")).then_text("\n")
            }
            ListFormat::Json => {
                let script = Self {
                    pieces: vec![
                        Text("{\"columns\":[".to_owned()),
                        Rows,
                        Text("]".to_owned()),
                    ],
                    separator: ",",
                    ..script
                };
                script.then(orbit_after(",\"orbit\":")).then_text("}\n")
            }
            ListFormat::JsonBoards => Self {
                head: "[".to_owned(),
                pieces: vec![Text("[".to_owned()), Rows, Text("]".to_owned())],
                rows: (0..n)
                    .map(|column| {
                        format!("\"{}Q{}\"", ".".repeat(column), ".".repeat(n - 1 - column))
                    })
                    .collect(),
                separator: ",",
                between: ",",
                tail: "]\n",
                ..script
            },
            ListFormat::Table => {
                let script = Self {
                    pieces: vec![Text(format!("ROW {}\nCOLUMN ", numbers.join(" "))), Rows],
                    between: "\n",
                    ..script
                };
                script.then(orbit_after("\nORBIT ")).then_text("\n")
            }
            ListFormat::Board => {
                let squares = Squares::new(args, "Q", ".")?;
                let script = Self {
                    pieces: vec![Number, Text(": ".to_owned()), Columns],
                    rows: squares.rows(n, |row| row.join(" ").trim_end().to_owned()),
                    separator: "\n",
                    between: "\n",
                    ..script
                };
                let script = script.then(orbit_after(", orbit of ")).then_text("\n");
                script.then(vec![Rows]).then_text("\n")
            }
            ListFormat::Listing => {
                let squares = Squares::new(args, "√", "×")?;
                Self {
                    head: format!("{n}皇后问题,方案如下:\n\n"),
                    pieces: vec![
                        Text("第".to_owned()),
                        Number,
                        Text("种放置方案, 皇后被放于 \n".to_owned()),
                        Columns,
                        Text(" 列\n\n棋盘布局如下↓\n\n".to_owned()),
                        Rows,
                        Text("\n\n".to_owned()),
                    ],
                    rows: squares.rows(n, |row| format!(" {} ", row.join("  "))),
                    separator: "\n",
                    ..script
                }
            }
            ListFormat::Ruled => script.ruled(&Squares::new(args, "O", " ")?, &numbers),
        };
        Ok(script.with_separators())
    }

    fn then(mut self, pieces: Vec<Piece>) -> Self {
        self.pieces.extend(pieces);
        self
    }

    fn then_text(self, text: &str) -> Self {
        self.then(vec![Piece::Text(text.to_owned())])
    }

    fn with_separators(mut self) -> Self {
        for row in &mut self.rows {
            row.push_str(self.separator);
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
    fn ruled(self, squares: &Squares, numbers: &[String]) -> Self {
        let n = numbers.len();
        let label = numbers.iter().map(String::len).max().unwrap_or(0);
        // A square has a space on both sides.
        let square = squares.width + 2;
        let rule = format!("{:label$} {}", "", "-".repeat((square + 1) * n + 1));
        let above: String = numbers
            .iter()
            .map(|number| format!("{number:>square$} "))
            .collect();
        let heading = label + ((square + 1) * n).saturating_sub("Column".len()) / 2;
        let above = format!(
            "{:heading$}Column\n{:label$} {}\n{rule}\n",
            "",
            "",
            above.trim_end()
        );
        let script = Self {
            pieces: vec![Piece::Text(above), Piece::Rows],
            labels: numbers
                .iter()
                .map(|number| format!("{number:>label$} "))
                .collect(),
            rows: squares.rows(n, |row| format!("| {} |\n{rule}", row.join(" | "))),
            separator: "\n",
            between: "\n",
            ..self
        };
        script.then_text("\n")
    }

    pub fn write(&self, buffer: &mut Vec<u8>, number: u128, solution: &Solution) {
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

/// Refuses options that the format does not support.
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
    /// Takes the symbols from the arguments, or uses the given defaults.
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

    /// Formats the row of `n` squares for each possible column of its queen.
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
