//! The formats of a list of solutions.
//!
//! Apart from any label, the text of a row depends only on the column of its queen. The strings for
//! all columns are prepared once, and a solution is written by copying N of them.

use unicode_width::UnicodeWidthStr;

use crate::Solution;

use crate::cli::error::{Error, Result};
use crate::cli::flags::commands::{DrawnOptions, ListArguments, ListFormat};
use crate::cli::flags::values::check_glyphs;
use crate::cli::numbers::columns;

enum Piece {
    Text(&'static str),
    /// The position of the solution in the full list.
    Number,
    Columns,
    Rows,
    /// With `--unique`, this label and the size of the orbit.
    Orbit(&'static str),
}

pub(super) struct Script {
    pub head: String,
    start: String,
    pieces: &'static [Piece],
    has_orbits: bool,
    /// The number of the first column.
    first: usize,
    labels: Vec<String>,
    /// The text of a row, for each possible column of its queen.
    rows: Vec<String>,
    separator: &'static str,
    pub between: &'static str,
    pub tail: &'static str,
}

impl Script {
    pub(super) fn new(args: &ListArguments) -> Result<Self> {
        use Piece::{Orbit, Rows, Text};

        check(args)?;
        let n = args.n.get() as usize;
        let first = usize::from(!args.drawn.zero_based);
        let numbers: Vec<String> = (first..first + n).map(|n| n.to_string()).collect();
        let mut script = Self {
            head: String::new(),
            start: String::new(),
            pieces: &[Rows, Text("\n")],
            has_orbits: args.unique,
            first,
            labels: Vec::new(),
            rows: numbers.clone(),
            separator: " ",
            between: "",
            tail: "",
        };
        match args.format {
            ListFormat::Text => script.pieces = &[Rows, Orbit("\t"), Text("\n")],
            ListFormat::Csv => {
                let names: Vec<String> = numbers.iter().map(|n| format!("row{n}")).collect();
                let orbit = if args.unique { ",orbit" } else { "" };
                script.head = format!("{}{orbit}\n", names.join(","));
                script.separator = ",";
                script.pieces = &[Rows, Orbit(","), Text("\n")];
            }
            ListFormat::Json => {
                script.start = "{\"columns\":[".to_owned();
                script.separator = ",";
                script.pieces = &[Rows, Text("]"), Orbit(",\"orbit\":"), Text("}\n")];
            }
            ListFormat::Table => {
                script.start = format!("ROW {}\nCOLUMN ", numbers.join(" "));
                script.between = "\n";
                script.pieces = &[Rows, Orbit("\nORBIT "), Text("\n")];
            }
            ListFormat::JsonBoards
            | ListFormat::Board
            | ListFormat::Listing
            | ListFormat::Ruled => {
                script.draw(args, &numbers)?;
            }
        }
        for row in &mut script.rows {
            row.push_str(script.separator);
        }
        Ok(script)
    }

    /// Sets the script of a format that shows squares.
    fn draw(&mut self, args: &ListArguments, numbers: &[String]) -> Result<()> {
        use Piece::{Columns, Number, Orbit, Rows, Text};

        let n = numbers.len();
        match args.format {
            ListFormat::JsonBoards => {
                let squares = Squares::new(&args.drawn, "Q", ".")?;
                self.head = "[".to_owned();
                self.start = "[".to_owned();
                self.rows = squares.rows(n, |row| format!("\"{}\"", row.concat()));
                self.separator = ",";
                self.between = ",";
                self.tail = "]\n";
                self.pieces = &[Rows, Text("]")];
            }
            ListFormat::Board => {
                let squares = Squares::new(&args.drawn, "Q", ".")?;
                self.rows = squares.rows(n, |row| row.join(" ").trim_end().to_owned());
                self.separator = "\n";
                self.between = "\n";
                self.pieces = &[
                    Number,
                    Text(": "),
                    Columns,
                    Orbit(", orbit of "),
                    Text("\n"),
                    Rows,
                    Text("\n"),
                ];
            }
            ListFormat::Listing => {
                let squares = Squares::new(&args.drawn, "√", "×")?;
                self.head = format!("{n}皇后问题,方案如下:\n\n");
                self.start = "第".to_owned();
                self.rows = squares.rows(n, |row| format!(" {} ", row.join("  ")));
                self.separator = "\n";
                self.pieces = &[
                    Number,
                    Text("种放置方案, 皇后被放于 \n"),
                    Columns,
                    Text(" 列\n\n棋盘布局如下↓\n\n"),
                    Rows,
                    Text("\n\n"),
                ];
            }
            _ => self.rule(&Squares::new(&args.drawn, "O", " ")?, numbers),
        }
        Ok(())
    }

    /// Draws lines between the squares, and adds row and column numbers.
    ///
    /// ```text
    ///       Column
    ///     1   2   3   4
    ///   -----------------
    /// 1 |   | O |   |   |
    ///   -----------------
    /// ```
    fn rule(&mut self, squares: &Squares, numbers: &[String]) {
        let n = numbers.len();
        let label = numbers.iter().map(String::len).max().unwrap_or(0);
        // Each square is drawn with a space on either side.
        let square = squares.width + 2;
        let rule = format!("{:label$} {}", "", "-".repeat((square + 1) * n + 1));
        let above: String = numbers.iter().map(|n| format!("{n:>square$} ")).collect();
        let above = above.trim_end();
        let heading = label + ((square + 1) * n).saturating_sub("Column".len()) / 2;
        self.start = format!("{:heading$}Column\n{:label$} {above}\n{rule}\n", "", "");
        self.labels = numbers.iter().map(|n| format!("{n:>label$} ")).collect();
        self.rows = squares.rows(n, |row| format!("| {} |\n{rule}", row.join(" | ")));
        self.separator = "\n";
        self.between = "\n";
    }

    pub(super) fn write(&self, buffer: &mut Vec<u8>, number: u128, solution: &Solution) {
        fn add(buffer: &mut Vec<u8>, text: &str) {
            buffer.extend_from_slice(text.as_bytes());
        }
        add(buffer, &self.start);
        for piece in self.pieces {
            match piece {
                Piece::Text(text) => add(buffer, text),
                Piece::Number => add(buffer, &number.to_string()),
                Piece::Columns => add(buffer, &columns(solution, self.first)),
                Piece::Orbit(label) if self.has_orbits => {
                    add(buffer, &format!("{label}{}", solution.orbit_size()));
                }
                Piece::Orbit(_) => {}
                Piece::Rows => {
                    for (row, &column) in solution.columns().iter().enumerate() {
                        if let Some(label) = self.labels.get(row) {
                            add(buffer, label);
                        }
                        add(buffer, &self.rows[usize::from(column)]);
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
    let error = if !is_drawn && (args.drawn.queen.is_some() || args.drawn.empty.is_some()) {
        "--queen and --empty require --format board, listing or ruled"
    } else if args.drawn.zero_based && args.format == ListFormat::JsonBoards {
        "--zero-based cannot be used with --format json-boards"
    } else {
        return Ok(());
    };
    Err(Error::Usage(error.to_owned()))
}

/// The symbols for the squares, and the width of a square.
pub(crate) struct Squares<'a> {
    pub queen: &'a str,
    pub empty: &'a str,
    pub width: usize,
}

impl<'a> Squares<'a> {
    /// Takes the symbols from the options; `queen` and `empty` are the defaults.
    pub(crate) fn new(drawn: &'a DrawnOptions, queen: &'a str, empty: &'a str) -> Result<Self> {
        let queen = drawn.queen.as_deref().unwrap_or(queen);
        let empty = drawn.empty.as_deref().unwrap_or(empty);
        check_glyphs(queen, empty)?;
        Ok(Self {
            queen,
            empty,
            width: queen.width().max(empty.width()),
        })
    }

    fn rows(&self, n: usize, format: impl Fn(Vec<&str>) -> String) -> Vec<String> {
        let [queen, empty] = [self.queen, self.empty]
            .map(|symbol| symbol.to_owned() + &" ".repeat(self.width - symbol.width()));
        let rows = (0..n).map(|column| {
            let mut row = vec![empty.as_str(); n];
            row[column] = &queen;
            format(row)
        });
        rows.collect()
    }
}
