//! The plan: what a record is a record of, in its first line.
//!
//! A unit is only a number. What it stands for depends on the board, the engine and the engine's
//! parameters. The plan names all of them, so that counts of different units are never added up.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::line::{LineError, VERSION, open, seal};
use crate::board::{BoardSize, BoardSizeError};
use crate::choice::{EngineChoice, EngineOptions};
use crate::engine::{Engine, units_per_task};

/// The first member of every record.
const FORMAT: &str = "queencount-record";
/// How a plan line begins, to the byte; no entry begins like this.
pub(super) const PLAN_BEGINS: &str = "{\"format\":\"queencount-record\",";

/// What is counted: the first line of a record.
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
    /// The plan of an engine.
    pub fn new(engine: &dyn Engine) -> Self {
        Self {
            program: env!("CARGO_PKG_VERSION").to_owned(),
            n: engine.size().get(),
            engine: engine.name().to_owned(),
            parameters: engine.parameters(),
            units: engine.units(),
        }
    }

    /// The engine of this plan, which may use these resources of the machine. An engine of one's
    /// own is held against a plan by [`Plan::difference`].
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

    /// The first difference between this plan and another one whose units must not be mixed with
    /// its own; `None` when they may.
    pub fn difference(&self, other: &Self) -> Option<PlanDifference> {
        let differ = |what, this: &str, other: &str| {
            let [this, other] =
                [this, other].map(|text| if text.is_empty() { "none" } else { text });
            (this != other).then(|| PlanDifference {
                what,
                this: this.to_owned(),
                other: other.to_owned(),
            })
        };
        differ("N", &self.n.to_string(), &other.n.to_string())
            .or_else(|| differ(ENGINES, &self.engine, &other.engine))
            .or_else(|| {
                differ(
                    "the engine's parameters",
                    &self.parameters,
                    &other.parameters,
                )
            })
            .or_else(|| {
                differ(
                    "the number of units",
                    &self.units.to_string(),
                    &other.units.to_string(),
                )
            })
    }

    /// 16 hexadecimal digits that stand for the plan, apart from the program's version: the 64-bit
    /// FNV-1a hash (Fowler, Noll and Vo) of everything that its units depend on.
    pub fn hash(&self) -> String {
        let text = format!(
            "{FORMAT}/{VERSION}/{}/{}/{}/{}",
            self.n, self.engine, self.parameters, self.units
        );
        let fold = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        format!("{:016x}", text.bytes().fold(0xcbf2_9ce4_8422_2325, fold))
    }

    /// The first line of a record, newline included.
    pub fn to_line(&self) -> String {
        let Self {
            program,
            n,
            engine,
            parameters,
            units,
        } = self.clone();
        let (format, version, plan) = (FORMAT.into(), VERSION, self.hash());
        seal(
            "",
            &PlanLine {
                format,
                version,
                program,
                n,
                engine,
                parameters,
                units,
                plan,
            },
        )
    }

    /// The plan of a line, given without its newline.
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
        let PlanLine {
            program,
            n,
            engine,
            parameters,
            units,
            plan: hash,
            ..
        } = open("", line)?;
        let plan = Self {
            program,
            n,
            engine,
            parameters,
            units,
        };
        if hash == plan.hash() {
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
    /// The name of this plan's engine, if it is the engines that differ: whoever chooses this
    /// engine can use the plan.
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
    /// There is no engine of this name, or no longer.
    #[error(
        "this program has no engine {0:?}; begin a new record, or go on with the program that wrote this one"
    )]
    Engine(String),
    /// The units of the engine are other ones here.
    #[error("this program plans otherwise: {0}")]
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

/// What the lines of a plan have to say.
pub(super) struct Rules {
    pub plan: Plan,
    /// The hash of the plan, which ties lines to it.
    pub tie: String,
    /// The most solutions that a board can have.
    most: u128,
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
            tie: plan.hash(),
            most,
            engine,
        }
    }

    /// Whether the units from the first to the last are a task, and may have this number of
    /// solutions.
    pub fn allow(&self, first: u64, last: u64, count: u128) -> Result<(), LineError> {
        let (units, engine) = (self.plan.units, self.engine.as_deref());
        // Of an engine of one's own this program does not know the tasks.
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
