//! `queencount classes N`: how the solutions fall into classes of symmetry.
//!
//! Only the number of all solutions takes long to count. With `--total` it is taken as given. A number that leaves no
//! whole orbits is refused, and so are seven in eight wrong numbers.

use crate::cli::arguments::commands::ClassesArguments;
use crate::cli::counting::Counting;
use crate::cli::exit::Exit;
use crate::cli::form::Form;
use crate::cli::output::{Output, Value};

/// Runs it.
pub fn run(arguments: &ClassesArguments, counting: &Counting, output: &mut Output) -> Result<(), Exit> {
    let size = arguments.n;
    let (classes, counted) = counting.classes(size, arguments.total)?;
    if output.form() == Form::Text {
        let mut lines = vec![
            ("solutions", classes.total()),
            ("  left as they are by a half turn", classes.half_turn()),
            ("  left as they are by a quarter turn", classes.quarter_turn()),
            ("fundamental solutions", classes.fundamental()),
            ("  orbits of 8", classes.orbits(8)),
            ("  orbits of 4", classes.orbits(4)),
            ("  orbits of 2", classes.orbits(2)),
        ];
        if size.get() == 1 {
            lines.push(("  orbits of 1", classes.orbits(1)));
        }
        let width = classes.total().to_string().len();
        let text: String = lines.into_iter().map(|(what, count)| format!("{what:<36}  {count:>width$}\n")).collect();
        return output.text(text);
    }
    output.fields(&[
        ("n", Value::Number(size.get().into())),
        ("total", Value::Count(classes.total())),
        ("half_turn", Value::Count(classes.half_turn())),
        ("quarter_turn", Value::Count(classes.quarter_turn())),
        ("fundamental", Value::Count(classes.fundamental())),
        ("orbits_of_8", Value::Count(classes.orbits(8))),
        ("orbits_of_4", Value::Count(classes.orbits(4))),
        ("orbits_of_2", Value::Count(classes.orbits(2))),
        ("orbits_of_1", Value::Count(classes.orbits(1))),
        ("seconds", Value::Seconds(counted.elapsed)),
        ("threads", Value::Number(counted.threads as u64)),
        ("version", Value::Word(env!("CARGO_PKG_VERSION"))),
    ])
}
