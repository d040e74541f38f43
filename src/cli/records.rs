//! Loads records, and reports what is wrong with them.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::record::{Loaded, Loader, Place, Purpose, RecordError, RecordErrorKind, Tally, UnitSet};

use super::app::App;
use super::error::{Error, Result};
use super::flags::commands::RecordArguments;
use super::flags::quoted;
use super::numbers::quantity;
use super::ui::progress::Progress;

/// Loads records for a purpose, and notes which files are ignored. Unless the purpose is a status,
/// which lists the problems itself, reports all of them, and fails if one forbids it.
pub(super) fn load(app: &App, arguments: &RecordArguments, purpose: Purpose) -> Result<Loaded> {
    let progress = Progress::new("reading the records");
    let loaded = app.supervise(&progress, |_, cancel| {
        Loader::new()
            .n(arguments.n)
            .engine(arguments.engine)
            .options(app.options)
            .stop(cancel)
            .on_progress(&|done| progress.reach(done))
            .load(&arguments.paths)
            .map_err(|error| match error.kind() {
                RecordErrorKind::Empty => no_counts(&arguments.paths),
                _ => error.into(),
            })
    })?;
    let other_plans = loaded.other_plans.iter().map(|(_, files)| files);
    for (why, files) in std::iter::once(("not named *.jsonl or *.jsonl.gz", &loaded.other_files))
        .chain(other_plans.map(|files| ("of another plan", files)))
    {
        if let Some(file) = files.first() {
            app.ui.note(format_args!(
                "ignored: {} {why}, such as {}",
                quantity(files.len() as u64, "file"),
                file.display()
            ));
        }
    }
    if purpose == Purpose::Status {
        return Ok(loaded);
    }
    let forbidding = loaded.problems.forbidding(purpose);
    for line in problems(&loaded, forbidding) {
        app.ui.error(line);
    }
    match forbidding {
        Some(problem) => Err(forbidden(problem, &arguments.paths)),
        None => Ok(loaded),
    }
}

/// Returns a line for each problem but one, which becomes an error.
pub(super) fn problems(loaded: &Loaded, error: Option<&RecordError>) -> Vec<String> {
    let mut lines: Vec<_> = loaded
        .problems
        .list()
        .iter()
        .filter(|problem| error.is_none_or(|error| !std::ptr::eq(*problem, error)))
        .map(|problem| {
            let ignored = match problem.kind() {
                RecordErrorKind::OtherPlan(_) => "; the rest of the file is ignored",
                _ => "",
            };
            format!("{}{ignored}", Error::from(problem))
        })
        .collect();
    let more = loaded.problems.more();
    if more > 0 {
        lines.push(format!("and {}", quantity(more, "more problem")));
    }
    lines
}

/// Returns the error for a problem that forbids what was asked for.
pub(super) fn forbidden(problem: &RecordError, paths: &[PathBuf]) -> Error {
    match Error::from(problem) {
        Error::Wrong(line) => Error::Wrong(format!(
            "{line}; to find wrong lines: queencount audit {}",
            again(paths)
        )),
        error => error,
    }
}

/// Returns paths as arguments of a suggested command, unless there are too many to read.
pub(super) fn again(paths: &[PathBuf]) -> String {
    const MOST: usize = 10;
    if paths.len() > MOST {
        return "PATH...".to_owned();
    }
    quoted(paths.iter().map(|path| no_option(path)))
}

/// Returns a path that does not look like an option.
fn no_option(path: &Path) -> PathBuf {
    match path.as_os_str().as_encoded_bytes() {
        [b'-', _, ..] => Path::new(".").join(path),
        _ => path.to_owned(),
    }
}

/// Returns the commands that delete lines, one for each file, which must not change in between.
/// There is none for a pipe.
pub(super) fn deletions<'a>(lines: impl IntoIterator<Item = &'a Place>) -> Vec<String> {
    let mut files = BTreeMap::<PathBuf, UnitSet>::new();
    for place in lines {
        if let Some(line) = place.line
            && place.path.is_file()
        {
            files
                .entry(place.path.clone())
                .or_default()
                .insert(line..line + 1);
        }
    }
    files
        .into_iter()
        .map(|(path, lines)| {
            let ranges = lines.ranges().map(|range| match range.end - range.start {
                1 => format!("{}d", range.start),
                _ => format!("{},{}d", range.start, range.end - 1),
            });
            let script = quoted([ranges.collect::<Vec<_>>().join(";")]);
            // 'sed -i' would replace a link by a file.
            let path = match path.is_symlink() {
                true => path.canonicalize().unwrap_or(path),
                false => path,
            };
            let path = no_option(&path);
            let file = quoted([&path]);
            if is_compressed(&path) {
                let mut new = path.into_os_string();
                new.push(".new");
                let new = quoted([new]);
                format!("gzip -dc {file} | sed {script} | gzip > {new} && mv {new} {file}")
            } else {
                format!("sed -i.bak {script} {file}")
            }
        })
        .collect()
}

fn is_compressed(path: &Path) -> bool {
    let mut begin = [0; 2];
    File::open(path).is_ok_and(|mut file| file.read_exact(&mut begin).is_ok())
        && begin == [0x1f, 0x8b]
}

/// Returns the error for records without a count.
pub(super) fn no_counts(paths: &[PathBuf]) -> Error {
    let hint = match paths.iter().any(|path| path.is_dir()) {
        true => "; in a directory, records are named *.jsonl or *.jsonl.gz",
        false => "",
    };
    let paths = match paths {
        [path] if path == Path::new("-") => "stdin".to_owned(),
        _ => again(paths),
    };
    Error::Incomplete(format!(
        "incomplete: expected at least one count in {paths}, found none{hint}"
    ))
}

pub(super) fn incomplete(tally: &Tally) -> Error {
    const SHOWN: usize = 10;
    let missing = tally.missing();
    let first: UnitSet = missing.ranges().take(SHOWN).collect();
    let number = missing.len();
    let more = if first.len() < number {
        ",... ('queencount merge --missing' prints all)"
    } else {
        ""
    };
    let plan = tally.plan();
    let units = quantity(plan.units, "unit");
    let [are, them] = if number == 1 {
        ["is", "it"]
    } else {
        ["are", "them"]
    };
    Error::Incomplete(format!(
        "incomplete: {number} of {units} {are} missing: {first}{more}; count {them} with \
         'queencount run {} --engine {} --units SET --record FILE'",
        plan.n, plan.engine
    ))
}
