//! The request: what the arguments ask for, once everything has been refused that does not make sense together.
//!
//! Every single word has been checked by [`arguments`](super::arguments). What is checked here is a matter of several:
//! a board *and* a command, or an option that the command would ignore.

use std::ffi::{OsStr, OsString};

use queencount::engine::rows::Rows;
use queencount::{BoardSize, BoardSizeError, DeviceChoice, EngineChoice};

use super::arguments::commands::{AgainstArguments, ClassesArguments, Command, DrawArguments, ListArguments};
use super::arguments::{Arguments, SharedOptions, command, no_command, shared};
use super::counting::Counting;
use super::exit::Exit;
use super::output::Form;

/// What to do, and how.
pub struct Request {
    /// The command. Without one it is the first three solutions and the total, as the contest wants them.
    pub command: Option<Command>,
    /// The board of the contest, unless standard input names it.
    pub board: Option<BoardSize>,
    /// How to count.
    pub counting: Counting,
    /// The form of the result.
    pub form: Form,
}

impl Request {
    /// The request that these arguments make.
    ///
    /// # Errors
    /// When they do not make sense together.
    pub fn new(arguments: Arguments) -> Result<Self, Exit> {
        let Arguments { n, more, command, mut shared, name, given } = arguments;
        heeds_all(&given, &name, command.as_ref())?;
        shared.engine = engine(command.as_ref(), &shared)?;
        if shared.require_device && shared.device.devices().is_empty() {
            let found = format!("found none with --device {}", shared.device);
            return Err(Exit::Usage(format!("expected a device for --require-device, {found}")));
        }
        let form = if let Some(Command::List(_)) = command { shared.format } else { shared.format.of_fields()? };
        let board = board(n.into_iter().chain(more).collect(), command.is_some())?;
        let mut counting = Counting::new(&shared);
        // Their only result is what standard output takes, so without a reader there is no need for it.
        counting.while_read = matches!(command, None | Some(Command::Count(_) | Command::Classes(_)));
        Ok(Self { command, board, counting, form })
    }
}

/// The board that is named, unless a command is.
fn board(words: Vec<OsString>, beside_command: bool) -> Result<Option<BoardSize>, Exit> {
    if words.is_empty() {
        return Ok(None);
    }
    // Two boards are no board, and the error about them has to show both.
    let words = words.join(OsStr::new(" "));
    if beside_command {
        let found = format!("found both, {words:?} first");
        return Err(Exit::Usage(format!("expected a board size or a command, {found}; see 'queencount --help'")));
    }
    let word = words.to_string_lossy();
    let unknown = |error: BoardSizeError| Exit::Usage(no_command(&word, &error.to_string(), &command()));
    word.parse().map(Some).map_err(unknown)
}

/// The engine that is asked for. A kernel that is named is one of the engine `rows`, so that engine has to count; and so
/// are the units that devices count.
fn engine(command: Option<&Command>, options: &SharedOptions) -> Result<EngineChoice, Exit> {
    let (size, against) = match command {
        Some(Command::Bench(arguments)) => (arguments.n, arguments.against.clone()),
        _ => (None, AgainstArguments::default()),
    };
    let against_engine = against.engine.unwrap_or(options.engine);
    let [kernels, units] = ["which has no kernels", "whose units no device counts"];
    for (option, given, engine, which) in [
        ("--kernel", options.kernel.is_some(), options.engine, kernels),
        ("--against-kernel", against.kernel.is_some(), against_engine, kernels),
        ("--device", options.device != DeviceChoice::Cpu, options.engine, units),
        ("--against-device", against.device.is_some(), against_engine, units),
    ] {
        if given && engine == EngineChoice::Backtrack {
            let found = format!("found the engine backtrack, {which}");
            return Err(Exit::Usage(format!("expected the engine rows with {option}, {found}")));
        }
    }
    let rows = [(against.kernel.is_some(), "--against-kernel"), (against.device.is_some(), "--against-device")];
    let rows = rows.into_iter().find(|(given, _)| *given);
    if let Some(size) = size
        && let Some((_, option)) = rows
        && !Rows::SIZES.contains(&size.get())
    {
        let expected = format!("expected a board of at least {} rows with {option}", Rows::SIZES.start());
        return Err(Exit::Usage(format!("{expected}, found N = {size}, which no kernel counts")));
    }
    match options.engine {
        EngineChoice::Auto if options.kernel.is_some() || rows.is_some() => Ok(EngineChoice::Rows),
        engine => Ok(engine),
    }
}

/// Refuses shared options that would change nothing.
fn heeds_all(given: &[&str], name: &str, command: Option<&Command>) -> Result<(), Exit> {
    let (idle, reason) = command.map_or((&[][..], ""), idle);
    for option in given {
        let idle = || idle.contains(option).then_some(reason);
        match shared::refusal(name, option).or_else(idle) {
            // Whatever is done can be done in silence.
            Some(reason) if *option != "quiet" => {
                let expected = format!("expected no --{option} with '{name}', which {reason}");
                return Err(Exit::Usage(format!("{expected}; see 'queencount {name} --help'")));
            }
            _ => {}
        }
    }
    Ok(())
}

/// The shared options that a command ignores for what its own options say, and why.
fn idle(command: &Command) -> (&'static [&'static str], &'static str) {
    const WAYS: &[&str] = &["engine", "kernel", "device", "require-device", "memory"];
    const WORK: &[&str] = &["threads", "kernel", "device", "require-device", "memory"];
    const ALL_WORK: &[&str] = &["threads", "kernel", "device", "require-device", "memory", "progress"];
    match command {
        Command::List(ListArguments { skip: None, .. }) => (ALL_WORK, "counts nothing without --skip"),
        Command::List(ListArguments { unique: true, .. }) => (WORK, "searches on one thread with --unique"),
        Command::Draw(DrawArguments { index: None, .. }) => (ALL_WORK, "counts nothing without --index"),
        Command::Devices { measure: false } => (ALL_WORK, "counts nothing without --measure"),
        Command::Classes(ClassesArguments { total: Some(_), .. }) => (WAYS, "believes --total instead of counting"),
        _ => (&[], ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::arguments::help::{examples, headings, names};
    use crate::cli::arguments::{Parsed, parse};

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
        let lines = headings().flat_map(examples).map(|(line, _)| line);
        for line in lines.filter(|line| line.starts_with("queencount ")) {
            let request = request(line, &[]);
            assert!(request.is_ok(), "{line}: {:?}", request.err());
        }
    }

    #[test]
    fn a_command_shows_the_shared_options_that_it_heeds_and_refuses_the_others() {
        let program = command();
        for name in names() {
            let command = program.find_subcommand(name).expect("a command");
            for (option, value) in [
                ("threads", "1"),
                ("engine", "auto"),
                ("kernel", "auto"),
                ("device", "cpu"),
                ("require-device", ""),
                ("memory", "1G"),
                ("progress", "never"),
                ("format", "json"),
                ("verbose", ""),
            ] {
                let argument =
                    command.get_arguments().find(|argument| argument.get_id() == option).expect("a global one");
                let shown = !argument.is_hide_set();
                assert_eq!(shown, shared::refusal(name, option).is_none(), "{name} --{option}");
                let option = format!("--{option}");
                let words: Vec<&str> = [&option, value].into_iter().filter(|word| !word.is_empty()).collect();
                // One of the examples asks for what heeds the option. That no device is there is another matter.
                let heeds = |line: &str| match request(line, &words) {
                    Err(Exit::Usage(said)) => said.starts_with("expected a device for --require-device"),
                    request => request.is_ok(),
                };
                let mut lines = examples(name).into_iter().map(|(line, _)| line).filter(|line| line.contains(name));
                assert_eq!(lines.any(heeds), shown, "{name} {option}");
            }
        }
    }

    #[test]
    fn an_option_that_would_change_nothing_is_refused_with_the_reason() {
        for (line, reason) in [
            (
                "queencount audit r --engine rows",
                "--engine with 'audit', which counts with the engine that the records name",
            ),
            ("queencount list 8 -t 2", "--threads with 'list', which counts nothing without --skip"),
            (
                "queencount list 8 --unique --skip 2 -j 2",
                "--threads with 'list', which searches on one thread with --unique",
            ),
            ("queencount -t 2 man", "--threads with 'man', which counts nothing; see 'queencount man --help'"),
            ("queencount draw 8 --progress never", "--progress with 'draw', which counts nothing without --index"),
            ("queencount self-test --kernel portable", "--kernel with 'self-test', which checks all of them"),
            ("queencount classes 8 --total 92 --engine rows", "--engine with 'classes', which believes --total"),
            ("queencount help -v", "--verbose with 'help', which counts nothing"),
        ] {
            match request(line, &[]) {
                Err(Exit::Usage(said)) => assert!(said.starts_with(&format!("expected no {reason}")), "{line}: {said}"),
                other => panic!("{line}: {:?}", other.map(|_| ())),
            }
        }
        for line in ["queencount -q man", "queencount list 8 --skip 0 -t 2", "queencount draw 8 --index 3 -v"] {
            assert!(request(line, &[]).is_ok(), "{line}");
        }
    }
}
