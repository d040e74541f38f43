//! Records: a count that outlasts a terminal, a machine, a cluster.
//!
//! A record is a text file with one JSON object a line (`docs/record.md` is its reference). There
//! are three kinds of lines. The first one is the [`Plan`]: which units there are. An [`Entry`]
//! says the number of solutions that belong to a task, which is a unit or some neighbours. A
//! [`Finding`] says what an audit has found of an entry. A count is the sum of its units, in any
//! order and from any machine. So one file is checkpoint, result and cluster output at once:
//!
//! - a [`Journal`] appends entries as they are finished; opened again, it knows what is left to do;
//! - a [`Shard`] is a part of a plan, one of as many as there are machines, all of equal work;
//! - a [`Collection`] takes the entries of any number of records; its [`Tally`] is their sum, and
//!   says what is missing or contradictory;
//! - a [`Standing`] says how far a count has come, who has counted, and when the rest will be done;
//! - an [`Audit`] recounts some entries by another method, as far as time allows, and says what
//!   that proves.
//!
//! The example `record` of this package does all of it in a second.
//!
//! A scheduler on a cluster runs some jobs twice when machines fail. So nothing here relies on a
//! unit being counted once: the tally takes each task once, and two entries that disagree are an
//! error that names both.

mod audit;
mod collection;
mod entry;
mod error;
mod journal;
mod line;
mod plan;
mod read;
mod standing;
mod tally;
mod units;

pub use audit::{Audit, Extent, WrongEntry, WrongPart};
pub use collection::{Collection, SourceKind};
pub use entry::{Entry, Finding, Verdict};
pub use error::{Copies, Dispute, Place, RecordError, Refutation};
pub use journal::Journal;
pub use line::LineError;
pub use plan::{Plan, PlanDifference, PlanError};
pub use read::{Files, Line, Reader};
pub use standing::{Source, Standing};
pub use tally::{Tally, merge};
pub use units::{Shard, ShardError, UnitSet, UnitSetError};
