//! Loading all records of one plan.

use std::collections::HashSet;
use std::fs;
use std::io::{self, ErrorKind, stdin};
use std::path::{Path, PathBuf};

use super::set::real_path;
use super::{Findings, LineRef, Plan, PlanDifference, Reader, RecordError, RecordSet, Tally};
use crate::board::BoardSize;
use crate::cancel::{CancelToken, NEVER};
use crate::choice::EngineChoice;
use crate::count::CountError;
use crate::engine::Engine;
use crate::options::EngineOptions;

/// Loads all records of one plan.
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Loader<'a> {
    n: Option<BoardSize>,
    plan_hash: Option<String>,
    salvages: bool,
    exclude: Option<PathBuf>,
    options: EngineOptions,
    stop: Option<&'a CancelToken>,
}

/// The records of one plan, added up.
#[derive(Debug)]
#[non_exhaustive]
pub struct Loaded {
    /// The records, including those found in directories.
    pub records: Vec<PathBuf>,
    /// The valid entries, added up.
    pub tally: Tally,
    /// The engine of the plan.
    pub engine: Box<dyn Engine>,
    /// The unusable files, the damaged lines, and the contradictions.
    pub flaws: Vec<RecordError>,
    /// The number of excluded entries.
    pub excluded: u64,
    /// The files in the given directories that are not named like records.
    pub others: Vec<PathBuf>,
}

struct Input<'a> {
    path: PathBuf,
    /// The path given by the user, which may be a directory.
    given: PathBuf,
    /// The open reader, if the record can be read only once.
    reader: Option<Reader<'a>>,
    stop: &'a CancelToken,
}

impl<'a> Input<'a> {
    fn open(&mut self) -> Result<Reader<'a>, RecordError> {
        match self.reader.take() {
            Some(reader) => Ok(reader),
            None if self.path == Path::new("-") => Ok(Reader::new(stdin().lock(), "stdin")),
            None => Ok(Reader::open_until(&self.path, self.stop)?.given_as(&self.given)),
        }
    }
}

impl<'a> Loader<'a> {
    /// Requires records of this board; `None` allows any board.
    pub fn n(self, n: Option<BoardSize>) -> Self {
        Self { n, ..self }
    }

    /// Requires records of the plan with this [hash](Plan::hash); `None` allows any plan.
    pub fn plan_hash(self, plan_hash: Option<String>) -> Self {
        Self { plan_hash, ..self }
    }

    /// Also reads records whose first line was lost, using the plan of the other records or of the
    /// expected board.
    pub fn salvage(self, salvages: bool) -> Self {
        Self { salvages, ..self }
    }

    /// Excludes the counts in this [findings](Findings) file.
    pub fn exclude(self, exclude: Option<PathBuf>) -> Self {
        Self { exclude, ..self }
    }

    /// Sets the options of the engine.
    pub fn options(self, options: EngineOptions) -> Self {
        Self { options, ..self }
    }

    /// Stops loading when `stop` is cancelled.
    pub fn stop(self, stop: &'a CancelToken) -> Self {
        Self {
            stop: Some(stop),
            ..self
        }
    }

    /// Loads records. A path is a file, a pipe, a directory with records, or `-` for stdin. The
    /// source of a record is the given path or, if the record is in a subdirectory of that path,
    /// the topmost subdirectory.
    ///
    /// # Errors
    /// Fails if a directory or the findings file cannot be read, if no record has the expected
    /// plan, or if loading is cancelled. Other problems are reported in [`Loaded::flaws`].
    pub fn load(
        &self,
        paths: impl IntoIterator<Item = impl AsRef<Path>>,
    ) -> Result<Loaded, RecordError> {
        let mut others = Vec::new();
        let mut inputs = Vec::new();
        let mut seen = HashSet::new();
        for given in paths {
            let given = given.as_ref();
            for path in find(given, &mut others)? {
                // A file that is given twice is loaded only once.
                if seen.insert(real_path(&path)) {
                    inputs.push(Input {
                        path,
                        given: given.to_owned(),
                        reader: None,
                        stop: self.stop.unwrap_or(&NEVER),
                    });
                }
            }
        }
        let engine = self.find_engine(&mut inputs)?;
        let plan = Plan::new(engine.as_ref());
        let mut set = RecordSet::new(plan.clone());
        let mut flaws = Vec::new();
        let mut damaged = Vec::new();
        for input in &mut inputs {
            self.check_stop()?;
            let reader = input.open();
            match reader.and_then(|reader| set.read(&mut reader.salvage(self.salvages))) {
                Ok(errors) => damaged.extend(errors),
                Err(error) => flaws.push(error),
            }
        }
        self.check_stop()?;
        let excluded = match &self.exclude {
            Some(path) => set.exclude(&Findings::read(path, &plan)?),
            None => 0,
        };
        let tally = set.tally();
        flaws.extend(damaged);
        flaws.extend(tally.contradictions());
        Ok(Loaded {
            records: inputs.into_iter().map(|input| input.path).collect(),
            tally,
            engine,
            flaws,
            excluded,
            others,
        })
    }

    /// Returns the engine of the first record with the expected plan. If no plan is found when
    /// salvaging, returns the engine for the expected board.
    fn find_engine(&self, inputs: &mut [Input<'a>]) -> Result<Box<dyn Engine>, RecordError> {
        let mut unexpected = None;
        let mut flaws = Vec::new();
        for input in inputs {
            self.check_stop()?;
            let plan = input.open().and_then(|mut reader| {
                let plan = reader.plan();
                if !input.path.is_file() {
                    input.reader = Some(reader);
                }
                plan
            });
            match plan {
                Ok(Some(plan)) => match self.engine_of(&plan, &input.path) {
                    Ok(engine) => return Ok(engine),
                    Err(error) => _ = unexpected.get_or_insert(error),
                },
                Ok(None) => {}
                Err(error) => flaws.push(error),
            }
        }
        self.check_stop()?;
        if let Some(error) = unexpected {
            return Err(error);
        }
        if self.salvages
            && let Some(n) = self.n
        {
            return Ok(EngineChoice::Auto.build(n, self.options));
        }
        let flaw = flaws.into_iter().min_by_key(|flaw| !flaw.is_transient());
        Err(flaw.unwrap_or(RecordError::Empty))
    }

    /// Returns the engine of a plan; fails if the plan is not the expected one.
    fn engine_of(&self, plan: &Plan, path: &Path) -> Result<Box<dyn Engine>, RecordError> {
        let engine = plan
            .engine(self.options)
            .map_err(|error| RecordError::Plan(path.to_owned(), error))?;
        let expectations = [
            ("N", self.n.map(|n| n.to_string()), plan.n.to_string()),
            ("the plan", self.plan_hash.clone(), plan.hash()),
        ];
        for (what, expected, this) in expectations {
            if let Some(other) = expected
                && other != this
            {
                let difference = PlanDifference { what, this, other };
                return Err(RecordError::OtherPlan(LineRef::new(path, 1), difference));
            }
        }
        Ok(engine)
    }

    fn check_stop(&self) -> Result<(), RecordError> {
        if let Some(stop) = self.stop {
            stop.check().map_err(CountError::from)?;
        }
        Ok(())
    }
}

/// Returns the files named `*.jsonl` or `*.jsonl.gz` below a directory, sorted by path. Any other
/// path is returned unchanged.
fn find(path: &Path, others: &mut Vec<PathBuf>) -> Result<Vec<PathBuf>, RecordError> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut records = Vec::new();
    let mut directories = vec![path.to_owned()];
    while let Some(directory) = directories.pop() {
        let entries =
            fs::read_dir(&directory).and_then(|entries| entries.collect::<Result<Vec<_>, _>>());
        for entry in entries.map_err(|error| RecordError::io(&directory, error))? {
            let path = entry.path();
            let name = path.as_os_str().as_encoded_bytes();
            let is_named = name.ends_with(b".jsonl") || name.ends_with(b".jsonl.gz");
            // Do not follow links to directories, because they may form loops.
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                directories.push(path);
            } else if is_named && path.is_file() {
                records.push(path);
            } else {
                others.push(path);
            }
        }
    }
    if records.is_empty() {
        let error = "expected records, found no files named *.jsonl or *.jsonl.gz";
        let error = io::Error::new(ErrorKind::NotFound, error);
        return Err(RecordError::io(path, error));
    }
    records.sort();
    Ok(records)
}

/// Returns the chosen engine. For [`EngineChoice::Auto`], this is the engine of the record, if the
/// file is a record of this board.
///
/// # Errors
/// Fails if the file cannot be read or is not a record, or if this program does not support its
/// plan.
pub fn engine_for(
    record: impl AsRef<Path>,
    size: BoardSize,
    choice: EngineChoice,
    options: EngineOptions,
) -> Result<Box<dyn Engine>, RecordError> {
    let record = record.as_ref();
    if record.is_file()
        && let Some(plan) = Reader::open(record)?.plan()?
        && plan.n == size.get()
        && (choice == EngineChoice::Auto || plan.engine.parse() == Ok(choice))
    {
        return plan
            .engine(options)
            .map_err(|error| RecordError::Plan(record.to_owned(), error));
    }
    Ok(choice.build(size, options))
}
