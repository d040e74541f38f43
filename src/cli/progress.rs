//! The former names of [`ui::progress`](super::ui::progress).

pub use super::ui::progress::ProgressState as Gauge;
