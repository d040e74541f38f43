//! The plan: the first line of a record, which defines the units.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::RecordErrorKind;
use super::line::{VERSION, check_and_parse, seal};
use crate::board::BoardSize;
use crate::choice::EngineChoice;
use crate::engine::{Engine, units_per_task};
use crate::known::oeis_a000170;
use crate::options::EngineOptions;

const FORMAT: &str = "queencount-record";
pub(super) const PLAN_BEGINS: &[u8] = b"{\"format\":\"queencount-record\",";

/// The definition of the units: the first line of a record.
///
/// A unit is just an index, so counts may be added up only if their plans are identical, apart from
/// the program version.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Plan {
    /// The version of the program that wrote the record.
    pub program: String,
    /// The number of rows of the board.
    pub n: u32,
    /// The name of the engine whose units are counted: [`Engine::name`].
    pub engine: String,
    /// The parameters that determine the units, apart from the board: [`Engine::parameters`].
    pub parameters: String,
    /// The number of units, which are indexed from 0.
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

    /// Returns the engine that this plan names. To compare your own engine with a plan, use
    /// [`Plan::difference`].
    ///
    /// # Errors
    /// Fails if this program does not support the board or the engine, or if the program's engine
    /// of that name has different units.
    pub fn engine(&self, resources: EngineOptions) -> Result<Box<dyn Engine>, RecordErrorKind> {
        let size = BoardSize::new(self.n)
            .map_err(|error| RecordErrorKind::Unsupported(error.to_string()))?;
        let choice: EngineChoice = self.engine.parse().map_err(|_| {
            RecordErrorKind::Unsupported(format!("this program has no engine {:?}", self.engine))
        })?;
        let engine = choice.build(size, resources);
        match self.difference(&Self::new(engine.as_ref())) {
            Some(difference) => Err(RecordErrorKind::Unsupported(format!(
                "{difference} as in this program"
            ))),
            None => Ok(engine),
        }
    }

    /// Returns the first difference, if any, that prevents records of the two plans from being
    /// merged, such as `N is 8, not 9`.
    pub fn difference(&self, other: &Self) -> Option<String> {
        let ((what, this), (_, other)) = self
            .fields()
            .into_iter()
            .zip(other.fields())
            .find(|(this, other)| this != other)?;
        Some(format!("{what} is {this}, not {other}"))
    }

    fn fields(&self) -> [(&'static str, String); 4] {
        let parameters = match self.parameters.as_str() {
            "" => "none",
            parameters => parameters,
        };
        [
            ("N", self.n.to_string()),
            ("the engine", self.engine.clone()),
            ("the parameter list", parameters.to_owned()),
            ("the number of units", self.units.to_string()),
        ]
    }

    /// Returns the 64-bit FNV-1a hash of all fields but the version, as 16 hexadecimal digits.
    pub fn hash(&self) -> String {
        let hash = format!(
            "{FORMAT}/{VERSION}/{}/{}/{}/{}",
            self.n, self.engine, self.parameters, self.units
        )
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        format!("{hash:016x}")
    }

    /// Returns the plan as a line of a record, including the newline.
    pub fn to_line(&self) -> String {
        let line = PlanLine {
            format: FORMAT.to_owned(),
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

    /// Parses a plan line. The newline must be removed first.
    ///
    /// # Errors
    /// Fails if the line is not a plan or is damaged.
    pub fn from_line(line: &[u8]) -> Result<Self, RecordErrorKind> {
        Self::parse(line).map_err(RecordErrorKind::Damaged)
    }

    pub(super) fn parse(line: &[u8]) -> Result<Self, String> {
        // A later version may use a different checksum, so the version is checked first.
        let members: serde_json::Value = serde_json::from_slice(line).unwrap_or_default();
        if let Some(version) = members["version"].as_u64()
            && version != VERSION
        {
            return Err(format!(
                "expected version {VERSION} of the format, found version {version}"
            ));
        }
        let line: PlanLine = check_and_parse("", line)?;
        let plan = Self {
            program: line.program,
            n: line.n,
            engine: line.engine,
            parameters: line.parameters,
            units: line.units,
        };
        let hash = plan.hash();
        if line.plan == hash {
            Ok(plan)
        } else {
            Err(format!(
                "expected the plan hash {hash}, found {:?}",
                line.plan
            ))
        }
    }
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

/// What the lines of a record must satisfy.
#[derive(Debug)]
pub(super) struct Rules {
    pub plan: Plan,
    pub plan_hash: String,
    /// N!, which no count can exceed, because the queens are in different columns.
    pub bound: u128,
    /// The engine of the plan, if it is known.
    pub engine: Option<Arc<dyn Engine>>,
}

impl Rules {
    /// Creates the rules for a plan that this program may not support.
    pub(super) fn from_plan(plan: Plan) -> Self {
        let engine = plan.engine(EngineOptions::default()).ok();
        Self::new(plan, engine.map(Arc::from))
    }

    pub(super) fn new(plan: Plan, engine: Option<Arc<dyn Engine>>) -> Self {
        // From N = 35 on, N! does not fit into 128 bits. The bound is then one less than the
        // largest 128-bit number, so that a saturated sum exceeds it.
        let bound = (1..=u128::from(plan.n))
            .try_fold(1, u128::checked_mul)
            .unwrap_or(u128::MAX - 1);
        Self {
            plan_hash: plan.hash(),
            bound,
            engine,
            plan,
        }
    }

    /// Returns the engine of a plan that was accepted.
    pub(super) fn engine(&self) -> &Arc<dyn Engine> {
        self.engine
            .as_ref()
            .expect("records of unknown engines are refused")
    }

    /// Checks that these units form a task and that the count is possible.
    pub(super) fn check(&self, first: u64, last: u64, count: u128) -> Result<(), String> {
        let units = self.plan.units;
        let engine = self.engine.as_deref();
        let is_task = match engine.map(units_per_task) {
            _ if first > last || last >= units => false,
            Some(grain) => {
                first.is_multiple_of(grain) && last - first == (grain - 1).min(units - 1 - first)
            }
            None => true,
        };
        if !is_task {
            let units = match first == last {
                true => format!("unit {first}"),
                false => format!("units {first}-{last}"),
            };
            Err(format!("expected a task of this count, found {units}"))
        } else if count > self.bound {
            let n = self.plan.n;
            Err(format!("expected a count of at most {n}!, found {count}"))
        } else if self.is_ours() && self.plan.n > 1 && !count.is_multiple_of(2) {
            // Every unit of this program contains the mirror image of each of its solutions.
            Err(format!("expected an even count, found {count}"))
        } else {
            Ok(())
        }
    }

    /// Returns whether this program counted, rather than a user's own engine.
    fn is_ours(&self) -> bool {
        self.plan.engine.parse::<EngineChoice>().is_ok()
    }

    /// Compares a total with the published value, unless a user's own engine, which may count
    /// something else, found it.
    pub(super) fn check_total(&self, total: u128) -> Result<(), RecordErrorKind> {
        let n = self.plan.n;
        match oeis_a000170(n) {
            Some(published) if self.is_ours() && published != total => {
                Err(RecordErrorKind::WrongTotal {
                    n,
                    total,
                    published,
                })
            }
            _ => Ok(()),
        }
    }
}
