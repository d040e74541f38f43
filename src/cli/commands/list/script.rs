//! The formats of a list of solutions.
//!
//! Apart from any label, the text of a row depends only on the column of its queen. The strings for
//! all columns are prepared once, and a solution is written by copying N of them.

use unicode_width::UnicodeWidthStr;

use crate::Solution;

use crate::cli::error::{Error, Result};
use crate::cli::flags::commands::{DrawnOptions, ListArguments, ListFormat};
use crate::cli::numbers::columns;

pub(super) struct Script {
    format: ListFormat,
    has_orbits: bool,
    /// The number of the first column.
    first: usize,
    pub head: String,
    /// What precedes the rows of every solution.
    start: String,
    labels: Vec<String>,
    /// The text of a row, for each possible column of its queen.
    rows: Vec<String>,
    separator: &'static str,
    pub between: &'static str,
    pub tail: &'static str,
}

impl Script {
    pub(super) fn new(args: &ListArguments) -> Result<Self> {
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
                "--zero-based cannot be used with --format json-boards".to_owned(),
            ));
        }
        let n = args.n.get() as usize;
        let first = usize::from(!args.drawn.zero_based);
        let numbers: Vec<String> = (first..first + n).map(|n| n.to_string()).collect();
        let mut script = Self {
            format: args.format,
            has_orbits: args.unique,
            first,
            head: String::new(),
            start: String::new(),
            labels: Vec::new(),
            rows: Vec::new(),
            separator: "\n",
            between: "",
            tail: "",
        };
        let [queen, empty] = match args.format {
            ListFormat::Listing => ["√", "×"],
            ListFormat::Ruled => ["O", " "],
            _ => ["Q", "."],
        };
        let squares = Squares::new(&args.drawn, queen, empty)?;
        match args.format {
            ListFormat::Text => script.separator = " ",
            ListFormat::Csv => {
                let names: Vec<String> = numbers.iter().map(|n| format!("row{n}")).collect();
                let orbit = if args.unique { ",orbit" } else { "" };
                script.head = format!("{}{orbit}\n", names.join(","));
                script.separator = ",";
            }
            ListFormat::Json => {
                script.start = "{\"columns\":[".to_owned();
                script.separator = ",";
            }
            ListFormat::Table => {
                script.start = format!("ROW {}\nCOLUMN ", numbers.join(" "));
                script.separator = " ";
                script.between = "\n";
            }
            ListFormat::JsonBoards => {
                script.head = "[".to_owned();
                script.start = "[".to_owned();
                script.rows = squares.rows(n, |row| format!("\"{}\"", row.concat()));
                script.separator = ",";
                script.between = ",";
                script.tail = "]\n";
            }
            ListFormat::Board => {
                script.rows = squares.rows(n, |row| row.join(" ").trim_end().to_owned());
                script.between = "\n";
            }
            ListFormat::Listing => {
                script.head = format!("{n}皇后问题,方案如下:\n\n");
                script.rows = squares.rows(n, |row| format!(" {} ", row.join("  ")));
            }
            ListFormat::Ruled => script.rule(&squares, &numbers),
        }
        if script.rows.is_empty() {
            script.rows = numbers;
        }
        for row in &mut script.rows {
            row.push_str(script.separator);
        }
        Ok(script)
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
        self.between = "\n";
    }

    pub(super) fn write(&self, text: &mut String, number: u128, solution: &Solution) {
        let columns = || columns(solution, self.first);
        match self.format {
            ListFormat::Board => {
                *text += &format!("{number}: {}", columns());
                self.write_orbit(text, ", orbit of ", solution);
                *text += "\n";
            }
            ListFormat::Listing => {
                let columns = columns();
                *text += &format!(
                    "第{number}种放置方案, 皇后被放于 \n{columns} 列\n\n棋盘布局如下↓\n\n"
                );
            }
            _ => *text += &self.start,
        }
        for (row, &column) in solution.columns().iter().enumerate() {
            if let Some(label) = self.labels.get(row) {
                *text += label;
            }
            *text += &self.rows[usize::from(column)];
        }
        text.truncate(text.len() - self.separator.len());
        match self.format {
            ListFormat::Text => self.write_orbit(text, "\t", solution),
            ListFormat::Csv => self.write_orbit(text, ",", solution),
            ListFormat::Table => self.write_orbit(text, "\nORBIT ", solution),
            ListFormat::Json => {
                *text += "]";
                self.write_orbit(text, ",\"orbit\":", solution);
                *text += "}";
            }
            ListFormat::JsonBoards => return *text += "]",
            ListFormat::Listing => *text += "\n",
            ListFormat::Board | ListFormat::Ruled => {}
        }
        *text += "\n";
    }

    /// With `--unique`, writes the size of the orbit.
    fn write_orbit(&self, text: &mut String, label: &str, solution: &Solution) {
        if self.has_orbits {
            *text += &format!("{label}{}", solution.orbit_size());
        }
    }
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
        if queen == empty {
            return Err(Error::Usage(format!(
                "--queen and --empty: expected different symbols, found {queen:?} for both"
            )));
        }
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
