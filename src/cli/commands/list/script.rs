//! How a list of solutions is written.
//!
//! In every form a solution is its rows one after another, and what is written of a row depends on
//! the column of its queen alone, but for a label. So the pieces of text are made once, and writing
//! a solution is copying N of them.

use queencount::Solution;
use unicode_width::UnicodeWidthStr;

use crate::cli::arguments::commands::{ListArguments, ListForm};
use crate::cli::arguments::values::glyphs;
use crate::cli::exit::{Exit, OrExit};
use crate::cli::numbers::columns;

/// What stands in the text of a solution for its number in the list, its columns, its rows and the
/// size of its orbit. What a user may put into the text has no such characters.
const NUMBER: char = '\u{1}';
const COLUMNS: char = '\u{2}';
const ROWS: char = '\u{3}';
const ORBIT: char = '\u{4}';

#[derive(Default)]
pub struct Script {
    pub head: String,
    /// The text of a solution, cut behind each of these characters.
    parts: Vec<String>,
    /// What the first column is called.
    first: usize,
    /// What a row begins with, in the lists where that depends on the row.
    labels: Vec<String>,
    /// A row, by the column of its queen, and what separates it from the next one.
    rows: Vec<String>,
    separator: usize,
    pub between: &'static str,
    pub tail: &'static str,
}

impl Script {
    /// As the arguments say, unless they ask for what the form does not show.
    pub fn new(arguments: &ListArguments) -> OrExit<Self> {
        let (size, format) = (arguments.n, arguments.format);
        let drawn = matches!(
            format,
            ListForm::Board | ListForm::Listing | ListForm::Ruled
        );
        if !drawn && (arguments.drawn.queen.is_some() || arguments.drawn.empty.is_some()) {
            let expected =
                "expected --queen and --empty with '--format board', 'listing' or 'ruled'";
            return Err(Exit::Usage(format!("{expected}, found another form")));
        }
        if arguments.drawn.zero_based && matches!(format, ListForm::Fen | ListForm::JsonBoards) {
            let expected = "expected --zero-based with a form that has numbers of columns";
            return Err(Exit::Usage(format!("{expected}, found one that has none")));
        }
        let n = size.get() as usize;
        let first = usize::from(!arguments.drawn.zero_based);
        let orbit = |before: &str| {
            if arguments.unique {
                format!("{before}{ORBIT}")
            } else {
                String::new()
            }
        };
        let column = |column: usize| (column + first).to_string();
        let numbers = |name: &str| {
            (0..n)
                .map(|row| format!("{name}{}", column(row)))
                .collect::<Vec<String>>()
        };
        let of = |text: String, separator: &str, row: &dyn Fn(usize) -> String| Self {
            parts: text
                .split_inclusive([NUMBER, COLUMNS, ROWS, ORBIT])
                .map(str::to_owned)
                .collect(),
            first,
            rows: (0..n).map(|column| row(column) + separator).collect(),
            separator: separator.len(),
            ..Self::default()
        };
        let array = |row| Self {
            head: "[".to_owned(),
            between: ",",
            tail: "]\n",
            ..of(format!("[{ROWS}]"), ",", row)
        };
        Ok(match format {
            ListForm::Text => of(format!("{ROWS}{}\n", orbit("\t")), " ", &column),
            ListForm::Csv => {
                let mut head = numbers("row");
                head.extend(arguments.unique.then(|| "orbit".to_owned()));
                Self {
                    head: head.join(",") + "\n",
                    ..of(format!("{ROWS}{}\n", orbit(",")), ",", &column)
                }
            }
            ListForm::Json => of(
                format!("{{\"columns\":[{ROWS}]{}}}\n", orbit(",\"orbit\":")),
                ",",
                &column,
            ),
            ListForm::JsonColumns => array(&column),
            ListForm::JsonBoards => array(&|column| {
                format!("\"{}Q{}\"", ".".repeat(column), ".".repeat(n - 1 - column))
            }),
            ListForm::Fen => {
                let empty = |squares: usize| {
                    if squares == 0 {
                        String::new()
                    } else {
                        squares.to_string()
                    }
                };
                let row = |column: usize| format!("{}Q{}", empty(column), empty(n - 1 - column));
                of(format!("{ROWS}{}\n", orbit("\t")), "/", &row)
            }
            ListForm::Table => {
                let text = format!(
                    "ROW {}\nCOLUMN {ROWS}{}\n",
                    numbers("").join(" "),
                    orbit("\nORBIT ")
                );
                Self {
                    between: "\n",
                    ..of(text, " ", &column)
                }
            }
            ListForm::Board => {
                let squares = Squares::new(arguments, ["Q", "."])?;
                let row = |column| squares.row(n, column).join(" ").trim_end().to_owned();
                let text = format!("{NUMBER}: {COLUMNS}{}\n{ROWS}\n", orbit(", orbit of "));
                Self {
                    between: "\n",
                    ..of(text, "\n", &row)
                }
            }
            ListForm::Listing => {
                let squares = Squares::new(arguments, ["√", "×"])?;
                let row = |column| format!(" {} ", squares.row(n, column).join("  "));
                let text = format!(
                    "第{NUMBER}种放置方案, 皇后被放于 \n{COLUMNS} 列\n\n棋盘布局如下↓\n\n{ROWS}\n\n"
                );
                Self {
                    head: format!("{n}皇后问题,方案如下:\n\n"),
                    ..of(text, "\n", &row)
                }
            }
            ListForm::Ruled => Self::ruled(of, &Squares::new(arguments, ["O", " "])?, &numbers("")),
        })
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
    fn ruled(
        of: impl Fn(String, &str, &dyn Fn(usize) -> String) -> Self,
        squares: &Squares,
        numbers: &[String],
    ) -> Self {
        let n = numbers.len();
        let label = numbers.iter().map(String::len).max().unwrap_or(0);
        // A square and a space on both sides of it.
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
        let labels = numbers
            .iter()
            .map(|number| format!("{number:>label$} "))
            .collect();
        let row = |column| format!("| {} |\n{rule}", squares.row(n, column).join(" | "));
        Self {
            labels,
            between: "\n",
            ..of(format!("{above}{ROWS}\n"), "\n", &row)
        }
    }

    pub fn write(&self, buffer: &mut Vec<u8>, number: u128, solution: &Solution) {
        for part in &self.parts {
            let text = part.trim_end_matches([NUMBER, COLUMNS, ROWS, ORBIT]);
            buffer.extend_from_slice(text.as_bytes());
            match part[text.len()..].chars().next() {
                Some(NUMBER) => buffer.extend_from_slice(number.to_string().as_bytes()),
                Some(COLUMNS) => buffer.extend_from_slice(columns(solution, self.first).as_bytes()),
                Some(ORBIT) => {
                    buffer.extend_from_slice(solution.orbit_size().to_string().as_bytes())
                }
                Some(_) => {
                    for (row, &column) in solution.columns().iter().enumerate() {
                        buffer.extend_from_slice(
                            self.labels.get(row).map_or(&[], |label| label.as_bytes()),
                        );
                        buffer.extend_from_slice(self.rows[usize::from(column)].as_bytes());
                    }
                    buffer.truncate(buffer.len() - self.separator);
                }
                None => {}
            }
        }
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
    fn new(arguments: &ListArguments, of_form: [&str; 2]) -> OrExit<Self> {
        let [queen, empty] = glyphs([&arguments.drawn.queen, &arguments.drawn.empty], of_form)?;
        let width = queen.width().max(empty.width());
        let [queen, empty] =
            [queen, empty].map(|glyph| format!("{glyph}{}", " ".repeat(width - glyph.width())));
        Ok(Self {
            queen,
            empty,
            width,
        })
    }

    /// The squares of a row with a queen in this column.
    fn row(&self, n: usize, queen: usize) -> Vec<&str> {
        (0..n)
            .map(|column| {
                if column == queen {
                    self.queen.as_str()
                } else {
                    &self.empty
                }
            })
            .collect()
    }
}
