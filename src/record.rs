//! Records: a count that outlasts a terminal, a machine, a cluster.
//!
//! A record is a text file with one JSON object per line (`docs/record.md` is its reference). The
//! first line is the [`Plan`], which defines the units. Every other line is an [`Entry`]: the
//! number of solutions that belong to a task, which is a unit or some neighbouring ones. A count is
//! the sum of its units, in any order and from any machine. So one file is checkpoint, result and
//! cluster output at once:
//!
//! - a [`Journal`] appends entries as they are finished; opened again, it has what is left to do;
//! - a [`Shard`] is a part of a plan, one of several of equal work;
//! - a [`Loader`] reads any number of records into a [`RecordSet`], whose sum is a [`Tally`];
//! - a [`CampaignStatus`] shows how far a count has come, who counted, and when the rest will be
//!   done;
//! - an [`Audit`] recounts some entries with another method, as far as time allows.
//!
//! The example `record` of this package does all of it in a second.
//!
//! A scheduler on a cluster runs some jobs twice when machines fail. So nothing here relies on a
//! unit being counted once: the tally takes each task once, and two entries that disagree are an
//! error that names both.

mod audit;
mod entry;
mod error;
mod files;
mod finding;
mod journal;
mod line;
mod load;
mod plan;
mod raw_line;
mod reader;
mod set;
mod status;
mod tally;
mod units;

pub use audit::{Audit, AuditDepth};
pub use entry::{Entry, SiteName, SiteNameError};
pub use error::{Dispute, LineRef, RecordError};
pub use files::RecordFiles;
pub use finding::{Finding, Findings, WrongPart};
pub use journal::Journal;
pub use line::LineError;
pub use load::{Input, Loaded, Loader, engine_for};
pub use plan::{Plan, PlanDifference, PlanError};
pub use reader::{Line, Reader, is_record};
pub use set::{GroupBy, RecordSet};
pub use status::{CampaignStatus, Group};
pub use tally::{Tally, merge};
pub use units::{Selection, SelectionError, Shard, ShardError, UnitSet, UnitSetError};
