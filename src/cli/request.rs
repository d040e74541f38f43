//! The request: what the arguments ask for, once everything has been refused that does not make sense together.
//!
//! Every single word has been checked by [`arguments`](super::arguments). What is checked here is a matter of several:
//! a board *and* a command, or a form that the command does not have.

use std::ffi::{OsStr, OsString};

use queencount::engine::rows::Rows;
use queencount::{BoardSize, EngineChoice};

use super::arguments::commands::Command;
use super::arguments::{Arguments, CommonOptions};
use super::counting::Counting;
use super::exit::Exit;
use super::form::{Form, FormatChoice};

/// What to do, and how.
pub struct Request {
    /// What to do.
    pub goal: Goal,
    /// How to count.
    pub counting: Counting,
    /// The form of the result; a list has its own.
    pub form: Form,
    /// The form of a list.
    pub list_format: FormatChoice,
}

/// What to do.
pub enum Goal {
    /// The first three solutions and the total, as the contest wants them.
    Contest {
        /// The board, unless standard input names it.
        board: Option<BoardSize>,
    },
    /// A command.
    Command(Command),
}

impl Request {
    /// The request that these arguments make.
    ///
    /// # Errors
    /// When they do not make sense together.
    pub fn new(arguments: Arguments) -> Result<Self, Exit> {
        let Arguments { n, more, command, mut common } = arguments;
        common.engine = engine(command.as_ref(), &common)?;
        let list_format = common.format;
        let form = form(command.as_ref(), list_format)?;
        let goal = goal(n.into_iter().chain(more).collect(), command)?;
        let counting = Counting::new(&common);
        let counting = match &goal {
            // Their only result is what standard output takes, so without a reader there is no need for it.
            Goal::Contest { .. } | Goal::Command(Command::Count(_) | Command::Classes(_)) => counting.while_read(),
            _ => counting,
        };
        Ok(Self { goal, counting, form, list_format })
    }
}

fn goal(boards: Vec<OsString>, named: Option<Command>) -> Result<Goal, Exit> {
    // Two boards are no board, and the error about them has to show both.
    let board = (!boards.is_empty()).then(|| boards.join(OsStr::new(" ")));
    match (named, board) {
        (Some(_), Some(board)) => {
            let found = format!("found both, {board:?} first");
            Err(Exit::Usage(format!("expected a board size or a command, {found}; see 'queencount --help'")))
        }
        (Some(command), None) => Ok(Goal::Command(command)),
        (None, board) => {
            let parse = |board: OsString| board.to_string_lossy().parse::<BoardSize>();
            let board = board.map(parse).transpose();
            let unknown = |error| Exit::Usage(format!("{error}; 'queencount --help' shows the commands"));
            Ok(Goal::Contest { board: board.map_err(unknown)? })
        }
    }
}

/// The engine that is asked for. A kernel that is named is one of the engine `rows`, so that engine has to count.
fn engine(command: Option<&Command>, options: &CommonOptions) -> Result<EngineChoice, Exit> {
    let comparison = match command {
        Some(Command::Bench(arguments)) => Some(arguments),
        _ => None,
    };
    let against_kernel = comparison.and_then(|arguments| arguments.against_kernel);
    let against_device = comparison.and_then(|arguments| arguments.against_device);
    let against_engine = comparison.and_then(|arguments| arguments.against_engine).unwrap_or(options.engine);
    for (option, kernel, engine) in [
        ("--kernel", options.kernel.is_some(), options.engine),
        ("--against-kernel", against_kernel.is_some(), against_engine),
        ("--against-device", against_device.is_some(), against_engine),
    ] {
        if kernel && engine == EngineChoice::Backtrack {
            let found = "found the engine backtrack, which has no kernels";
            return Err(Exit::Usage(format!("expected the engine rows with {option}, {found}")));
        }
    }
    let against = [(against_kernel.is_some(), "--against-kernel"), (against_device.is_some(), "--against-device")];
    if let Some(size) = comparison.and_then(|arguments| arguments.n)
        && let Some((_, option)) = against.into_iter().find(|(given, _)| *given)
        && !Rows::SIZES.contains(&size.get())
    {
        let expected = format!("expected a board of at least {} rows with {option}", Rows::SIZES.start());
        return Err(Exit::Usage(format!("{expected}, found N = {size}, which no kernel counts")));
    }
    match options.engine {
        EngineChoice::Auto if options.kernel.is_some() || against_kernel.is_some() || against_device.is_some() => {
            Ok(EngineChoice::Rows)
        }
        engine => Ok(engine),
    }
}

/// The form of the result of a command, if the command has the one that is chosen.
fn form(command: Option<&Command>, choice: FormatChoice) -> Result<Form, Exit> {
    let without = |command: &str, hint: &str| {
        let expected = format!("expected no --format with '{command}', which {hint}");
        if choice == FormatChoice::Text { Ok(Form::Text) } else { Err(Exit::Usage(expected)) }
    };
    match command {
        // A list writes its forms itself.
        Some(Command::List(_)) => Ok(Form::Text),
        Some(Command::Checker(_)) => {
            without("checker", "writes the contest's form; 'queencount --format' prints the same as fields")
        }
        Some(Command::Draw(_)) => {
            without("draw", "makes pictures; 'queencount list --format' prints solutions in other forms")
        }
        Some(Command::Completions(_)) => without("completions", "prints a script"),
        Some(Command::Man(_)) => without("man", "writes pages of the manual"),
        Some(Command::Help(_)) => without("help", "explains in words"),
        _ => choice.form(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::arguments::help::{EXAMPLES, examples, names};
    use crate::cli::arguments::{Parsed, command, parse};

    /// The request that a line of the help makes with some more words.
    fn request(line: &str, more: &[&str]) -> Result<Request, Exit> {
        // What follows is for the shell.
        let words = line.split(' ').take_while(|word| !["<", ">", ">>", "|"].contains(word));
        match parse(words.chain(more.iter().copied()).map(OsString::from))? {
            Parsed::Arguments(arguments) => Request::new(*arguments),
            Parsed::Text(_) => panic!("{line}: expected a request, found a wish for a text"),
        }
    }

    #[test]
    fn every_example_of_the_help_is_a_request() {
        let lines = EXAMPLES.iter().flat_map(|(_, examples)| *examples).map(|(line, _)| line);
        for line in lines.filter(|line| line.starts_with("queencount ")) {
            let request = request(line, &[]);
            assert!(request.is_ok(), "{line}: {:?}", request.err());
        }
    }

    #[test]
    fn a_command_shows_an_option_for_the_form_if_it_has_several() {
        let program = command();
        for name in names() {
            let shown =
                program.find_subcommand(name).expect("a command").get_arguments().all(|option| !option.is_hide_set());
            let (line, _) = examples(name).iter().find(|(line, _)| line.contains(name)).expect("an example");
            assert_eq!(request(line, &["--format", "json"]).is_ok(), shown, "{name}");
        }
    }
}
