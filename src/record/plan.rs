//! The plan: the first line of a record, which defines what is counted.
//!
//! A unit is only a number. Its meaning depends on the board, the engine and the engine's
//! parameters. The plan names all of them, so that counts of different units are never added up.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::entry::{LONGEST_READ, check_name};
use super::line::{LineError, VERSION, check_and_parse, seal};
use crate::board::{BoardSize, BoardSizeError};
use crate::choice::{EngineChoice, EngineOptions};
use crate::engine::{Engine, units_per_task};

/// The first member of every record.
const FORMAT: &str = "queencount-record";
/// How a plan line begins, to the byte; no entry begins like this.
pub(super) const PLAN_BEGINS: &str = "{\"format\":\"queencount-record\",";

/// Defines what is counted: the first line of a record.
///
/// Two records can be merged, and a record resumed, when their plans agree in all but the program's
/// version.
///
/// ```
/// use queencount::record::Plan;
/// use queencount::{BoardSize, EngineChoice, EngineOptions};
///
/// let plan = |n| -> Result<Plan, Box<dyn std::error::Error>> {
///     Ok(Plan::new(EngineChoice::Backtrack.engine(BoardSize::new(n)?).as_ref()))
/// };
/// assert_eq!(plan(10)?.difference(&plan(11)?).unwrap().to_string(), "N is 10, not 11");
///
/// // From a plan one comes back to its engine, on any machine.
/// let engine = plan(10)?.engine(EngineOptions::default())?;
/// assert_eq!((engine.name(), engine.units()), ("backtrack", plan(10)?.units));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Plan {
    /// The version of the program that wrote the record.
    pub program: String,
    /// The number of rows of the board.
    pub n: u32,
    /// The name of the engine whose units are counted: [`Engine::name`].
    pub engine: String,
    /// What its units depend on beside the board: [`Engine::parameters`].
    pub parameters: String,
    /// The number of its units, which are numbered from 0.
    pub units: u64,
}

impl Plan {
    /// Returns the plan of an engine.
    pub fn new(engine: &dyn Engine) -> Self {
        Self {
            program: crate::VERSION.to_owned(),
            n: engine.size().get(),
            engine: engine.name().to_owned(),
            parameters: engine.parameters(),
            units: engine.units(),
        }
    }

    /// Returns the engine of this plan. An engine of one's own is compared with a plan by
    /// [`Plan::difference`].
    ///
    /// # Errors
    /// When this program has no such board or engine, or the units of its engine are other ones.
    pub fn engine(&self, resources: EngineOptions) -> Result<Box<dyn Engine>, PlanError> {
        let size = BoardSize::new(self.n)?;
        let choice: EngineChoice = self
            .engine
            .parse()
            .map_err(|_| PlanError::Engine(self.engine.clone()))?;
        let engine = choice.build(size, resources);
        match self.difference(&Self::new(engine.as_ref())) {
            None => Ok(engine),
            Some(difference) => Err(PlanError::Difference(difference)),
        }
    }

    /// Returns the first difference that keeps the records of two plans apart; `None` when they can
    /// be merged.
    pub fn difference(&self, other: &Self) -> Option<PlanDifference> {
        let members = [
            ("N", self.n.to_string(), other.n.to_string()),
            (ENGINES, self.engine.clone(), other.engine.clone()),
            (
                "the engine's parameters",
                self.parameters.clone(),
                other.parameters.clone(),
            ),
            (
                "the number of units",
                self.units.to_string(),
                other.units.to_string(),
            ),
        ];
        let (what, this, other) = members.into_iter().find(|(_, this, other)| this != other)?;
        let [this, other] = [this, other].map(|text| {
            if text.is_empty() {
                "none".to_owned()
            } else {
                text
            }
        });
        Some(PlanDifference { what, this, other })
    }

    /// Returns 16 hexadecimal digits: the 64-bit FNV-1a hash of everything that its units depend
    /// on.
    pub fn hash(&self) -> String {
        let text = format!(
            "{FORMAT}/{VERSION}/{}/{}/{}/{}",
            self.n, self.engine, self.parameters, self.units
        );
        let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        format!("{hash:016x}")
    }

    /// Returns the first line of a record, newline included.
    pub fn to_line(&self) -> String {
        let line = PlanLine {
            format: FORMAT.into(),
            version: VERSION,
            program: self.program.clone(),
            n: self.n,
            engine: self.engine.clone(),
            parameters: self.parameters.clone(),
            units: self.units,
            plan: self.hash(),
        };
        seal("", &line)
    }

    /// Parses the plan of a line, given without its newline.
    ///
    /// # Errors
    /// When the line is not the line of a plan, or not as it was written.
    pub fn from_line(line: &[u8]) -> Result<Self, LineError> {
        // A later version may have another checksum, so the version is looked at before damage is
        // looked for.
        let members: serde_json::Value = serde_json::from_slice(line).unwrap_or_default();
        if let Some(version) = members["version"]
            .as_u64()
            .filter(|version| *version != VERSION)
        {
            return Err(LineError::Version(version));
        }
        let line: PlanLine = check_and_parse("", line)?;
        check_name(&line.program, LONGEST_READ)?;
        let plan = Self {
            program: line.program,
            n: line.n,
            engine: line.engine,
            parameters: line.parameters,
            units: line.units,
        };
        if line.plan == plan.hash() {
            Ok(plan)
        } else {
            Err(LineError::Hash)
        }
    }
}

/// What keeps two plans apart: the first difference between them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} is {this}, not {other}")]
pub struct PlanDifference {
    what: &'static str,
    this: String,
    other: String,
}

/// What a difference calls the engines of two plans.
const ENGINES: &str = "the engine";

impl PlanDifference {
    /// Returns the name of this plan's engine, if the engines differ.
    pub fn engine(&self) -> Option<&str> {
        (self.what == ENGINES).then_some(&self.this)
    }
}

/// Why this program cannot count the units of a plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// There is no such board.
    #[error(transparent)]
    Size(#[from] BoardSizeError),
    /// There is no engine of this name.
    #[error("this program has no engine {0:?}")]
    Engine(String),
    /// The units of the engine are other ones here.
    #[error("this program has another plan: {0}")]
    Difference(PlanDifference),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlanLine {
    format: String,
    version: u64,
    program: String,
    n: u32,
    engine: String,
    parameters: String,
    units: u64,
    plan: String,
}

/// What the lines of a plan may say.
pub(super) struct Rules {
    pub plan: Plan,
    pub plan_hash: String,
    /// The most solutions that a board can have: N!.
    pub most: u128,
    /// The engine of the plan, if this program has it.
    engine: Option<Box<dyn Engine>>,
}

impl Rules {
    pub fn new(plan: &Plan) -> Self {
        // The queens of all rows stand in different columns. (No board of more rows has a count
        // that could pass.)
        let most = (1..=u128::from(plan.n))
            .try_fold(1, u128::checked_mul)
            .unwrap_or(u128::MAX);
        let engine = plan.engine(EngineOptions::default()).ok();
        Self {
            plan: plan.clone(),
            plan_hash: plan.hash(),
            most,
            engine,
        }
    }

    /// Returns whether this program has the engine of the plan.
    pub fn has_engine(&self) -> bool {
        self.engine.is_some()
    }

    /// Checks that the units from the first to the last are a task and may have this number of
    /// solutions.
    pub fn check(&self, first: u64, last: u64, count: u128) -> Result<(), LineError> {
        let units = self.plan.units;
        let engine = self.engine.as_deref();
        // The tasks of an engine of one's own are not known here.
        let grain = engine.map(units_per_task);
        let is_task = match grain {
            _ if first > last || last >= units => false,
            Some(grain) => {
                first.is_multiple_of(grain) && last - first == (grain - 1).min(units - 1 - first)
            }
            None => last - first < u64::from(u32::MAX),
        };
        if !is_task {
            return Err(LineError::NoTask {
                first,
                last,
                units,
                grain,
            });
        }
        if count > self.most {
            return Err(LineError::TooMany {
                count,
                n: self.plan.n,
            });
        }
        let divisor = engine.map_or(1, |engine| engine.divisor(first..last + 1));
        if count.is_multiple_of(divisor.into()) {
            Ok(())
        } else {
            Err(LineError::NoMultiple { count, divisor })
        }
    }
}

impl fmt::Debug for Rules {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Rules")
            .field("plan", &self.plan)
            .finish_non_exhaustive()
    }
}
