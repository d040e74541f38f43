//! Records: counts that are saved in files and can be resumed, merged and audited.
//!
//! `docs/record.md` is the reference. A record is a text file with one JSON object per line. The
//! first line is the [`Plan`], which defines the units. Each of the other lines is an [`Entry`]:
//! the count of a task, which is one unit or several neighbouring units.
//!
//! A [`Journal`] appends entries as tasks finish. A [`Loader`] reads records and adds them up in a
//! [`Tally`]. An [`Auditor`] recounts some of the tasks by a different method. The `record` example
//! of this package does all of this in less than a second.

#![deny(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "counts are exact"
)]

mod audit;
mod entry;
mod error;
mod gzip;
mod journal;
mod line;
mod load;
mod pipe;
mod plan;
mod reader;
mod status;
mod tally;
mod units;

pub use audit::{Audit, Auditor, Finding, WrongPart};
pub use entry::Entry;
pub use error::{Place, Problems, Purpose, RecordError, RecordErrorKind, RecordedTask};
pub use journal::Journal;
#[cfg(feature = "cli")]
pub(crate) use journal::{behind_links, is_named_gz};
pub use load::{Loaded, Loader};
pub use plan::Plan;
pub use reader::Reader;
#[cfg(feature = "cli")]
pub(crate) use reader::is_record;
pub use status::{PathStatus, Status};
pub use tally::Tally;
pub use units::{Shard, UnitSet};
