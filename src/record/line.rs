//! The lines of a record: what they say, and how damage to them is noticed.
//!
//! A line is a JSON object whose last member is the checksum of the bytes before it:
//!
//! ```text
//! {"format":"queencount-record","version":1,"program":"0.1.0","n":8,...,"plan":"0123456789abcdef","crc":"89abcdef"}
//! {"first":0,"last":3,"count":"24","seconds":0.000012,"kernel":null,"crc":"01234567"}
//! ```
//!
//! The checksum is compared as text, byte for byte, and everything before it enters into it, so every single flipped
//! bit of a line is noticed. The checksum of an entry begins with the hash of the plan: an entry that strays into the
//! record of another plan is noticed like damage.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::count::Task;
use crate::engine::{Engine, EngineChoice, Resources};

/// The first member of every record.
const FORMAT: &str = "queencount-record";
/// The version of the format that is written and read here.
const VERSION: u32 = 1;
/// How a plan line begins, to the byte; no entry begins like this.
pub(super) const PLAN_BEGINS: &str = "{\"format\":\"queencount-record\",";

/// What is counted: the first line of a record. Two records can be merged, and a record resumed, when their plans agree
/// in all but the program's version.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Plan {
    /// The version of the program that wrote the record.
    pub program: String,
    /// The number of rows of the board.
    pub n: u32,
    /// The name of the engine whose units are counted.
    pub engine: String,
    /// What its units depend on beside the board.
    pub parameters: String,
    /// The number of its units.
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

    /// The engine of this plan, with what it may use of this machine.
    ///
    /// # Errors
    /// In words, when this program has no such engine, or its units are others.
    pub fn engine(&self, resources: Resources) -> Result<Box<dyn Engine>, String> {
        let size = self.n.to_string().parse().map_err(|error| format!("{error}"))?;
        let choice =
            EngineChoice::named(&self.engine).ok_or_else(|| format!("this program has no engine {:?}", self.engine))?;
        let engine = choice.plan_with(size, resources);
        match self.difference(&Self::new(engine.as_ref())) {
            None => Ok(engine),
            Some(difference) => Err(format!("this program plans otherwise: {difference}")),
        }
    }

    /// How this plan differs from another one, whose units its own do not mix with; `None` if they do.
    pub fn difference(&self, other: &Self) -> Option<String> {
        let differ = |what: &str, this: &str, other: &str| {
            (this != other).then(|| format!("{what} is {}, not {}", or_none(this), or_none(other)))
        };
        differ("N", &self.n.to_string(), &other.n.to_string())
            .or_else(|| differ("the engine", &self.engine, &other.engine))
            .or_else(|| differ("the engine's parameters", &self.parameters, &other.parameters))
            .or_else(|| differ("the number of units", &self.units.to_string(), &other.units.to_string()))
    }

    /// 16 hexadecimal digits that stand for the plan, the program's version left out: FNV-1a of the members that units
    /// depend on.
    pub fn hash(&self) -> String {
        let text = format!("{FORMAT}/{VERSION}/{}/{}/{}/{}", self.n, self.engine, self.parameters, self.units);
        let fold = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        format!("{:016x}", text.bytes().fold(0xcbf2_9ce4_8422_2325, fold))
    }

    /// The line of a record, newline included.
    pub fn to_line(&self) -> String {
        let Self { program, n, engine, parameters, units } = self.clone();
        seal(
            "",
            &PlanLine {
                format: FORMAT.into(),
                version: VERSION,
                program,
                n,
                engine,
                parameters,
                units,
                plan: self.hash(),
            },
        )
    }

    /// The plan of a line, given without its newline.
    ///
    /// # Errors
    /// In words, when the line is not the line of a plan, or not as it was written.
    pub fn from_line(line: &[u8]) -> Result<Self, String> {
        // A later version may checksum otherwise, so it is named before damage is looked for.
        if let Ok(PlanVersion { version }) = serde_json::from_slice(line)
            && version != VERSION
        {
            return Err(format!("this program reads records of version {VERSION}, not of version {version}"));
        }
        let line: PlanLine = open("", line)?;
        let PlanLine { program, n, engine, parameters, units, plan: hash, .. } = line;
        let plan = Self { program, n, engine, parameters, units };
        if hash != plan.hash() {
            return Err("the plan's hash is not that of the plan".into());
        }
        Ok(plan)
    }
}

fn or_none(text: &str) -> &str {
    if text.is_empty() { "none" } else { text }
}

/// Some neighbouring units and how many solutions belong to them: a line of a record.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Entry {
    /// The units.
    pub units: Range<u64>,
    /// The number of solutions that belong to them.
    pub count: u128,
    /// How long they kept a thread.
    pub seconds: f64,
    /// The kernel that counted, for an engine that has several.
    pub kernel: Option<String>,
}

impl Entry {
    /// What there is to record of a finished task.
    pub fn new(task: &Task, kernel: Option<&str>) -> Self {
        // Microseconds: more digits are noise.
        let seconds = (task.elapsed.as_secs_f64() * 1e6).round() / 1e6;
        Self { units: task.units.clone(), count: task.count, seconds, kernel: kernel.map(str::to_owned) }
    }

    /// The line of a record of this plan, newline included.
    pub fn to_line(&self, plan: &Plan) -> String {
        let Self { units, count, seconds, kernel } = self.clone();
        seal(
            &plan.hash(),
            &EntryLine { first: units.start, last: units.end - 1, count: count.to_string(), seconds, kernel },
        )
    }

    /// The entry of a line of a record of this plan, given without its newline.
    ///
    /// # Errors
    /// In words, when the line is not as it was written, or names units that the plan has not.
    pub fn from_line(line: &[u8], plan: &Plan) -> Result<Self, String> {
        let EntryLine { first, last, count: text, seconds, kernel } = open(&plan.hash(), line)?;
        if first > last || last >= plan.units {
            return Err(format!("units {first} to {last} are not among the {} of the plan", plan.units));
        }
        let count: u128 = text.parse().map_err(|_| format!("{text:?} is not a count"))?;
        if count.to_string() != text {
            return Err(format!("{text:?} is not how a count is written"));
        }
        if !(seconds.is_finite() && seconds >= 0.0) {
            return Err(format!("{seconds} is no time"));
        }
        Ok(Self { units: first..last + 1, count, seconds, kernel })
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlanLine {
    format: String,
    version: u32,
    program: String,
    n: u32,
    engine: String,
    parameters: String,
    units: u64,
    plan: String,
}

/// What all versions of a plan line have in common.
#[derive(Deserialize)]
struct PlanVersion {
    version: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryLine {
    first: u64,
    last: u64,
    /// A string, for the readers that know numbers only up to 2^53.
    count: String,
    seconds: f64,
    kernel: Option<String>,
}

/// What stands between the last member of a line and its checksum, and after it.
const BEFORE_CRC: &str = ",\"crc\":\"";
const AFTER_CRC: &str = "\"}";

/// The checksum of the bytes of a line before it; what comes before them ties the line to its plan.
fn checksum(tie: &str, bytes: &[u8]) -> String {
    let mut crc = crc32fast::Hasher::new();
    crc.update(tie.as_bytes());
    crc.update(bytes);
    format!("{:08x}", crc.finalize())
}

/// The line of an object: its JSON with the checksum as one more member, and a newline.
fn seal(tie: &str, object: &impl Serialize) -> String {
    let mut line = serde_json::to_string(object).expect("the members of a line are plain values");
    line.pop();
    let crc = checksum(tie, line.as_bytes());
    line + BEFORE_CRC + &crc + AFTER_CRC + "\n"
}

/// The object of a line, if the checksum is that of the line.
fn open<T: for<'de> Deserialize<'de>>(tie: &str, line: &[u8]) -> Result<T, String> {
    let at = line.len().saturating_sub(BEFORE_CRC.len() + 8 + AFTER_CRC.len());
    let (object, end) = line.split_at(at);
    let crc = checksum(tie, object);
    if end != (BEFORE_CRC.to_owned() + &crc + AFTER_CRC).as_bytes() {
        return Err(format!("the checksum of what it says is {crc}, which is not what it ends with"));
    }
    let object = [object, b"}"].concat();
    serde_json::from_slice(&object).map_err(|error| format!("it does not say what such a line says: {error}"))
}
