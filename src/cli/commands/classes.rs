//! `queencount classes N`: how the solutions fall into classes of symmetry.
//!
//! Only the number of all solutions takes long to count. With `--total` it is taken as given. A number that leaves no
//! whole orbits is refused, and so are seven in eight wrong numbers.

use crate::cli::arguments::commands::ClassesArguments;
use crate::cli::counting::Counting;
use crate::cli::exit::Exit;
use crate::cli::output::{Form, Output, Value};

pub fn run(arguments: &ClassesArguments, counting: &Counting, output: &mut Output) -> Result<(), Exit> {
    let size = arguments.n;
    let (classes, counted) = counting.classes(size, arguments.total)?;
    let counts = [
        ("total", "solutions", classes.total()),
        ("half_turn", "  left as they are by a half turn", classes.half_turn()),
        ("quarter_turn", "  left as they are by a quarter turn", classes.quarter_turn()),
        ("fundamental", "fundamental solutions", classes.fundamental()),
        ("orbits_of_8", "  orbits of 8", classes.orbits(8)),
        ("orbits_of_4", "  orbits of 4", classes.orbits(4)),
        ("orbits_of_2", "  orbits of 2", classes.orbits(2)),
        ("orbits_of_1", "  orbits of 1", classes.orbits(1)),
    ];
    if output.form() == Form::Text {
        // Only the board of one row has an orbit of one solution.
        let counts = counts.iter().filter(|(name, ..)| *name != "orbits_of_1" || size.get() == 1);
        let width = classes.total().to_string().len();
        let text: String = counts.map(|(_, what, count)| format!("{what:<36}  {count:>width$}\n")).collect();
        return output.text(text);
    }
    let mut fields = vec![("n", Value::Number(size.get().into()))];
    fields.extend(counts.map(|(name, _, count)| (name, Value::Count(count))));
    fields.extend([
        ("seconds", Value::Seconds(counted.elapsed)),
        ("threads", Value::Number(counted.threads as u64)),
        ("version", env!("CARGO_PKG_VERSION").into()),
    ]);
    output.fields(&fields)
}
