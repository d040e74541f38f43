//! Loading all records of one count.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use walkdir::WalkDir;

use super::plan::Rules;
use super::reader::Meter;
use super::{Journal, Plan, Problems, Reader, RecordError, RecordErrorKind, Tally};
use crate::board::BoardSize;
use crate::cancel::{CancelToken, Function, NEVER};
use crate::choice::EngineChoice;
use crate::count::CountError;
use crate::engine::Engine;
use crate::options::EngineOptions;

/// Loads all records of one count, or opens one for counting.
///
/// ```no_run
/// # use queencount::record::{Loader, Purpose};
/// let loaded = Loader::new().load(["lyon", "kyoto"])?;
/// match loaded.problems.forbidding(Purpose::Total) {
///     Some(problem) => eprintln!("there is no total: {problem}"),
///     None => println!("{:?}", loaded.tally.total()),
/// }
/// # Ok::<(), queencount::record::RecordError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Loader<'a> {
    n: Option<BoardSize>,
    engine: EngineChoice,
    own_engine: Option<Arc<dyn Engine>>,
    options: EngineOptions,
    stop: &'a CancelToken,
    on_progress: Function<&'a dyn Fn(f64)>,
}

impl Default for Loader<'_> {
    fn default() -> Self {
        Self::new()
    }
}

/// The records of one count, added up.
#[derive(Debug)]
#[non_exhaustive]
pub struct Loaded {
    /// The valid entries, added up.
    pub tally: Tally,
    /// What is wrong with the records. Before a total or an audit, call [`Problems::forbidding`].
    pub problems: Problems,
    /// The other plans, which were not expected, and the files that have them.
    pub other_plans: Vec<(Plan, Vec<PathBuf>)>,
    /// The files that were read, or could not be read.
    pub files: Vec<PathBuf>,
    /// The files in the given directories that are not named like records.
    pub other_files: Vec<PathBuf>,
}

impl<'a> Loader<'a> {
    /// Creates a loader of records for any board.
    pub fn new() -> Self {
        Self {
            n: None,
            engine: EngineChoice::Auto,
            own_engine: None,
            options: EngineOptions::default(),
            stop: &NEVER,
            on_progress: Function(&|_| ()),
        }
    }

    /// Ignores records of other boards; `None` expects any board.
    #[must_use]
    pub fn n(self, n: impl Into<Option<BoardSize>>) -> Self {
        Self {
            n: n.into(),
            ..self
        }
    }

    /// Ignores records of other engines; [`EngineChoice::Auto`] expects any engine.
    #[must_use]
    pub fn engine(self, engine: EngineChoice) -> Self {
        Self { engine, ..self }
    }

    /// Ignores records that do not have the plan of this engine, which may be your own.
    #[must_use]
    pub fn own_engine(self, engine: Arc<dyn Engine>) -> Self {
        Self {
            own_engine: Some(engine),
            ..self
        }
    }

    /// Sets the options of the engine.
    #[must_use]
    pub fn options(self, options: EngineOptions) -> Self {
        Self { options, ..self }
    }

    /// Stops loading when `stop` is cancelled.
    #[must_use]
    pub fn stop(self, stop: &'a CancelToken) -> Self {
        Self { stop, ..self }
    }

    /// Calls `on_progress` with the fraction of the bytes that has been read.
    #[must_use]
    pub fn on_progress(self, on_progress: &'a dyn Fn(f64)) -> Self {
        Self {
            on_progress: Function(on_progress),
            ..self
        }
    }

    /// Loads records. A path is a file, a pipe, a directory with records, or `-` for stdin. In a
    /// directory, the records are the files named `*.jsonl` or `*.jsonl.gz`, also those in
    /// directories below it, but links to directories are not followed. A file that is reached
    /// twice is read once. The result does not depend on the order of the paths.
    ///
    /// # Errors
    /// Fails if the records have several plans, if none has the expected plan, if this program does
    /// not support the plan, or if loading is cancelled. Everything else that is wrong is listed in
    /// [`Loaded::problems`].
    pub fn load(
        &self,
        paths: impl IntoIterator<Item = impl AsRef<Path>>,
    ) -> Result<Loaded, RecordError> {
        let mut given: Vec<PathBuf> = paths.into_iter().map(|path| plain(path.as_ref())).collect();
        given.sort();
        given.dedup();
        let mut problems = Problems::default();
        let mut other_files = Vec::new();
        let inputs = find(&given, &mut problems, &mut other_files);
        let files: Vec<PathBuf> = inputs.iter().map(|(path, _)| path.clone()).collect();
        let meter = Meter::new(self.stop, self.on_progress.0);
        for file in files.iter().filter_map(|path| fs::metadata(path).ok()) {
            meter.expect(file.len());
        }
        let readers = inputs
            .into_iter()
            .map(|(path, given)| (Reader::open(&path, &meter), given));
        let loaded = self.add_up(readers, given, problems)?;
        Ok(Loaded {
            files,
            other_files,
            ..loaded
        })
    }

    /// Opens a record for counting this board, as [`Journal::open`] does, which accepts an engine of
    /// your own. For [`EngineChoice::Auto`], the engine is that of the record.
    ///
    /// # Errors
    /// Fails as [`Journal::open`] does, or if this program does not support the plan of the record.
    pub fn resume(&self, path: impl AsRef<Path>, size: BoardSize) -> Result<Journal, RecordError> {
        let path = path.as_ref();
        let loader = Self {
            n: Some(size),
            own_engine: None,
            ..self.clone()
        };
        // Reading a pipe would block. Any error recurs when the journal is opened.
        let engine = if path.is_file()
            && let Ok(file) = File::open(path)
            && let Ok(reader) = Reader::new(file, path)
            && let Some(plan) = reader.plan().filter(|plan| loader.expects(plan))
        {
            loader.engine_of(plan, path)?
        } else {
            self.engine.build(size, self.options).into()
        };
        Journal::open_with(path, engine, &Meter::new(self.stop, self.on_progress.0))
    }

    /// Loads records from any inputs, as [`Loader::load`] does.
    ///
    /// # Errors
    /// Fails as [`Loader::load`] does.
    pub fn read<'r>(
        &self,
        readers: impl IntoIterator<Item = Reader<'r>>,
    ) -> Result<Loaded, RecordError> {
        let readers = readers.into_iter().map(|reader| (Ok(reader), Vec::new()));
        self.add_up(readers, Vec::new(), Problems::default())
    }

    /// Adds up records, each of which belongs to the given paths with some indices.
    fn add_up<'r>(
        &self,
        readers: impl Iterator<Item = (Result<Reader<'r>, RecordError>, Vec<usize>)>,
        given: Vec<PathBuf>,
        mut problems: Problems,
    ) -> Result<Loaded, RecordError> {
        let mut plans = Vec::new();
        let mut tally: Option<Result<Tally, RecordError>> = None;
        for (opened, indices) in readers {
            self.stop.check().map_err(CountError::from)?;
            // Each file is opened only once, because a pipe cannot be read twice.
            let mut reader = match opened {
                Ok(reader) => reader,
                Err(problem) => {
                    problems.push(problem);
                    continue;
                }
            };
            let Some(plan) = reader.plan() else {
                continue;
            };
            note(plan, &reader.path, &mut plans);
            if !self.expects(plan) {
                continue;
            }
            let tally = tally.get_or_insert_with(|| {
                let engine = self.engine_of(plan, &reader.path)?;
                let rules = Rules::new(plan.clone(), Some(engine));
                Ok(Tally::new(Arc::new(rules), given.clone()))
            });
            if let Ok(tally) = tally
                && tally.plan().difference(plan).is_none()
            {
                tally.read(&mut reader, indices, &mut problems);
            }
        }
        self.stop.check().map_err(CountError::from)?;
        let (plans, other_plans): (Vec<_>, Vec<_>) =
            plans.into_iter().partition(|(plan, _)| self.expects(plan));
        let (expected, found) = match tally {
            Some(_) if plans.len() > 1 => ("one plan".to_owned(), plans),
            Some(tally) => {
                let mut tally = tally?;
                tally.add_up(&mut problems);
                return Ok(Loaded {
                    tally,
                    problems,
                    other_plans,
                    files: Vec::new(),
                    other_files: Vec::new(),
                });
            }
            None if other_plans.is_empty() => {
                let worst = problems.into_worst();
                return Err(worst.unwrap_or(RecordErrorKind::Empty.into()));
            }
            None => (self.expected_plan(), other_plans),
        };
        Err(RecordErrorKind::Plans { expected, found }.into())
    }

    fn expects(&self, plan: &Plan) -> bool {
        match &self.own_engine {
            Some(engine) => plan.difference(&Plan::new(engine.as_ref())).is_none(),
            None => {
                self.n.is_none_or(|n| plan.n == n.get())
                    && (self.engine == EngineChoice::Auto || plan.engine.parse() == Ok(self.engine))
            }
        }
    }

    /// Returns the engine of an expected plan, which was found in this file.
    fn engine_of(&self, plan: &Plan, path: &Path) -> Result<Arc<dyn Engine>, RecordError> {
        match &self.own_engine {
            Some(engine) => Ok(Arc::clone(engine)),
            None => match plan.engine(self.options) {
                Ok(engine) => Ok(engine.into()),
                Err(kind) => Err(RecordError::new(path, kind)),
            },
        }
    }

    /// Describes the plan that was chosen.
    fn expected_plan(&self) -> String {
        if let Some(engine) = &self.own_engine {
            return format!("plan {}", Plan::new(engine.as_ref()).hash());
        }
        let board = self.n.map(|n| format!("N = {n}"));
        let engine =
            (self.engine != EngineChoice::Auto).then(|| format!("the {} engine", self.engine));
        Vec::from_iter(board.into_iter().chain(engine)).join(" and ")
    }
}

/// Notes a file of this plan, which is added if it is new.
fn note(plan: &Plan, path: &Path, plans: &mut Vec<(Plan, Vec<PathBuf>)>) {
    let known = plans
        .iter_mut()
        .find(|(known, _)| known.difference(plan).is_none());
    match known {
        Some((_, files)) => files.push(path.to_owned()),
        None => plans.push((plan.clone(), vec![path.to_owned()])),
    }
}

/// Returns a path without unnecessary parts, so that `./lyon/` and `lyon` are the same.
fn plain(path: &Path) -> PathBuf {
    let plain: PathBuf = path
        .components()
        .skip_while(|part| *part == Component::CurDir)
        .collect();
    // A dash alone would be stdin. What does not exist is reported as it was given.
    if plain.as_os_str().is_empty() || plain == Path::new("-") || !path.exists() {
        path.to_owned()
    } else {
        plain
    }
}

/// Returns the files to read, sorted by path, each with the indices of the given paths that contain
/// it.
fn find(
    given: &[PathBuf],
    problems: &mut Problems,
    others: &mut Vec<PathBuf>,
) -> Vec<(PathBuf, Vec<usize>)> {
    let mut found = Vec::new();
    for (index, path) in given.iter().enumerate() {
        if !path.is_dir() {
            found.push((path.clone(), index));
            continue;
        }
        for entry in WalkDir::new(path).min_depth(1) {
            let entry = match entry {
                Ok(entry) if entry.file_type().is_dir() => continue,
                Ok(entry) => entry,
                Err(error) => {
                    let at = error.path().unwrap_or(path).to_owned();
                    // Only links can lead back, and they are not followed.
                    let cause = error
                        .into_io_error()
                        .unwrap_or_else(|| io::ErrorKind::InvalidData.into());
                    problems.push(RecordError::io(&at, cause));
                    continue;
                }
            };
            let name = entry.file_name().as_encoded_bytes();
            let is_named = name.ends_with(b".jsonl") || name.ends_with(b".jsonl.gz");
            if is_named && entry.path().is_file() {
                found.push((plain(entry.path()), index));
            } else {
                others.push(plain(entry.path()));
            }
        }
    }
    found.sort();
    // Of several names of one file, the first is used, whatever the order of the paths.
    let mut files: Vec<(PathBuf, Vec<usize>)> = Vec::new();
    let mut known = HashMap::new();
    for (path, index) in found {
        let real = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
        let file = *known.entry(real).or_insert(files.len());
        if file == files.len() {
            files.push((path, Vec::new()));
        }
        if !files[file].1.contains(&index) {
            files[file].1.push(index);
        }
    }
    files
}
