//! Loading all records of one plan, and choosing the engine for a record.

#![deny(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "counts are exact"
)]

use std::collections::HashSet;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use super::files::RecordFiles;
use super::plan::Plan;
use super::{Findings, Reader, RecordError, RecordSet, Tally};
use crate::board::BoardSize;
use crate::cancel::CancelToken;
use crate::choice::EngineChoice;
use crate::count::CountError;
use crate::engine::Engine;
use crate::options::EngineOptions;

/// Loads all records of one plan, which can be restricted.
///
/// ```no_run
/// use queencount::record::Loader;
///
/// let loaded = Loader::default().load(["q22/lyon", "q22/kyoto"])?;
/// for flaw in &loaded.flaws {
///     eprintln!("{flaw}");
/// }
/// println!("{:?}", loaded.tally.into_checked()?.total());
/// # Ok::<(), queencount::record::RecordError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Loader<'a> {
    n: Option<BoardSize>,
    engine: EngineChoice,
    plan_hash: Option<String>,
    salvages: bool,
    exclude: Option<PathBuf>,
    options: EngineOptions,
    stop: Option<&'a CancelToken>,
}

/// The records of one plan, added up.
#[non_exhaustive]
pub struct Loaded {
    /// The number of records.
    pub records: usize,
    /// The sum of the valid entries.
    pub tally: Tally,
    /// The engine of the plan.
    pub engine: Box<dyn Engine>,
    /// Files that cannot be read or are not records of the plan, damaged lines, and contradictions.
    pub flaws: Vec<RecordError>,
    /// Notes about ignored lines, which are not flaws.
    pub warnings: Vec<RecordError>,
    /// The number of entries that were excluded.
    pub excluded: u64,
    /// The files in directories whose names are not record names.
    pub others: Vec<PathBuf>,
}

impl fmt::Debug for Loaded {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = formatter.debug_struct("Loaded");
        fields
            .field("tally", &self.tally)
            .field("flaws", &self.flaws)
            .finish_non_exhaustive()
    }
}

/// A record to be loaded: a path, or a reader.
#[derive(Debug)]
pub struct Input {
    path: PathBuf,
    given: PathBuf,
    /// Already opened, because it can be read only once.
    reader: Option<Reader<'static>>,
}

impl<P: AsRef<Path>> From<P> for Input {
    fn from(path: P) -> Self {
        let path = path.as_ref().to_owned();
        Self {
            given: path.clone(),
            path,
            reader: None,
        }
    }
}

impl Input {
    /// Creates an input from a reader.
    pub fn from_reader(reader: Reader<'static>) -> Self {
        Self {
            path: reader.path.clone(),
            given: reader.given.clone(),
            reader: Some(reader),
        }
    }

    fn open(&mut self) -> Result<Reader<'static>, RecordError> {
        match self.reader.take() {
            Some(reader) => Ok(reader),
            None => Ok(Reader::open(&self.path)?.given_as(&self.given)),
        }
    }
}

impl<'a> Loader<'a> {
    /// Expects records of this board.
    #[must_use]
    pub fn n(self, n: Option<BoardSize>) -> Self {
        Self { n, ..self }
    }

    /// Expects records of this engine; [`EngineChoice::Auto`] accepts any.
    #[must_use]
    pub fn engine(self, engine: EngineChoice) -> Self {
        Self { engine, ..self }
    }

    /// Expects records of the plan with this [hash](Plan::hash).
    #[must_use]
    pub fn plan_hash(self, plan_hash: Option<String>) -> Self {
        Self { plan_hash, ..self }
    }

    /// Also reads records without their first line, using the plan of the other records or of the
    /// expected board.
    #[must_use]
    pub fn salvage(self, salvages: bool) -> Self {
        Self { salvages, ..self }
    }

    /// Leaves out the counts that are listed in this [findings](Findings) file.
    #[must_use]
    pub fn exclude(self, findings: Option<PathBuf>) -> Self {
        Self {
            exclude: findings,
            ..self
        }
    }

    /// Sets the options of the engine.
    #[must_use]
    pub fn options(self, options: EngineOptions) -> Self {
        Self { options, ..self }
    }

    /// Ends loading early when `stop` is cancelled.
    #[must_use]
    pub fn stop(self, stop: &'a CancelToken) -> Self {
        Self {
            stop: Some(stop),
            ..self
        }
    }

    /// Loads records: files, directories, pipes and readers. The path given for a record determines
    /// its source: that path, or the subdirectory directly below it.
    ///
    /// # Errors
    /// When a directory or the findings cannot be read, no record has the expected plan, or the sum
    /// exceeds N!. All other problems are in [`Loaded::flaws`].
    pub fn load(
        &self,
        inputs: impl IntoIterator<Item = impl Into<Input>>,
    ) -> Result<Loaded, RecordError> {
        let mut others = Vec::new();
        let mut inputs = expand(inputs.into_iter().map(Into::into), &mut others)?;
        let engine = self.find_engine(&mut inputs)?;
        let plan = Plan::new(engine.as_ref());
        let mut set = RecordSet::new(plan.clone());
        let mut flaws = Vec::new();
        let mut damaged = Vec::new();
        for input in &mut inputs {
            self.check_stop()?;
            let read = input.open().and_then(|mut reader| match self.salvages {
                true => set.salvage(&mut reader),
                false => set.read(&mut reader),
            });
            match read {
                Ok(errors) => damaged.extend(errors),
                Err(error) => flaws.push(error),
            }
        }
        let warnings = set.take_warnings();
        let excluded = match &self.exclude {
            Some(path) => set.exclude(&Findings::read(path, &plan)?),
            None => 0,
        };
        let tally = set.tally()?;
        flaws.extend(damaged);
        flaws.extend(tally.contradictions());
        Ok(Loaded {
            records: inputs.len(),
            tally,
            engine,
            flaws,
            warnings,
            excluded,
            others,
        })
    }

    /// Returns the engine of the first record with the expected plan, or of the expected board if
    /// plans may be missing and no record has one.
    fn find_engine(&self, inputs: &mut [Input]) -> Result<Box<dyn Engine>, RecordError> {
        let mut unexpected = None;
        let mut flaws = Vec::new();
        for input in inputs {
            self.check_stop()?;
            let mut reader = match input.open() {
                Ok(reader) => reader,
                Err(error) => {
                    flaws.push(error);
                    continue;
                }
            };
            let plan = reader.plan();
            if !input.path.is_file() {
                input.reader = Some(reader);
            }
            match plan {
                Ok(Some(plan)) => match self.engine_of(&plan, &input.path) {
                    Ok(engine) => return Ok(engine),
                    Err(error) => _ = unexpected.get_or_insert(error),
                },
                Ok(None) => {}
                Err(error) => flaws.push(error),
            }
        }
        if let Some(error) = unexpected {
            return Err(error);
        }
        if let Some(n) = self.n.filter(|_| self.salvages) {
            return Ok(self.engine.build(n, self.options));
        }
        flaws.sort_by_key(|flaw| !flaw.is_transient());
        Err(flaws.into_iter().next().unwrap_or(RecordError::Empty))
    }

    /// Returns the engine of a plan if that is the expected plan.
    fn engine_of(&self, plan: &Plan, path: &Path) -> Result<Box<dyn Engine>, RecordError> {
        // A plan whose units differ from its engine's would give a wrong total.
        let engine = plan
            .engine(self.options)
            .map_err(|error| RecordError::Plan(path.to_owned(), error))?;
        // An engine may delegate the smallest boards to another engine.
        let asked = (self.engine != EngineChoice::Auto)
            .then(|| self.engine.engine(engine.size()).name().to_owned());
        let expectations = [
            ("N =", self.n.map(|n| n.to_string()), plan.n.to_string()),
            ("engine", asked, plan.engine.clone()),
            ("plan", self.plan_hash.clone(), plan.hash()),
        ];
        for (what, expected, found) in expectations {
            if let Some(expected) = expected.filter(|expected| *expected != found) {
                let expected = format!("{what} {expected}");
                return Err(RecordError::Unexpected(path.to_owned(), expected, found));
            }
        }
        Ok(engine)
    }

    fn check_stop(&self) -> Result<(), RecordError> {
        let Some(stop) = self.stop else { return Ok(()) };
        stop.check()
            .map_err(|stopped| CountError::from(stopped).into())
    }
}

/// Replaces directories with the records in them, and removes repeated files.
fn expand(
    given: impl Iterator<Item = Input>,
    others: &mut Vec<PathBuf>,
) -> Result<Vec<Input>, RecordError> {
    let mut inputs = Vec::new();
    let mut seen = HashSet::new();
    for input in given {
        if input.reader.is_some() {
            inputs.push(input);
            continue;
        }
        let files = RecordFiles::find(&input.path)?;
        others.extend(files.others);
        for path in files.records {
            let real = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
            if seen.insert(real) {
                inputs.push(Input {
                    path,
                    given: input.given.clone(),
                    reader: None,
                });
            }
        }
    }
    Ok(inputs)
}

/// Returns the engine for a record: the engine of its plan, if the file is a record of this board
/// and the choice allows it; otherwise the chosen engine.
///
/// # Errors
/// When the file cannot be read or is not a record, or this program does not have its plan.
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
        && [Some(EngineChoice::Auto), plan.engine.parse().ok()].contains(&Some(choice))
    {
        return plan
            .engine(options)
            .map_err(|error| RecordError::Plan(record.to_owned(), error));
    }
    Ok(choice.build(size, options))
}
