//! The commands, one per file. Without a command, the program runs [`contest`].

#![deny(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "counts are exact"
)]

pub(super) mod audit;
pub(super) mod checker;
pub(super) mod classes;
pub(super) mod completions;
pub(super) mod contest;
pub(super) mod count;
pub(super) mod devices;
pub(super) mod draw;
pub(super) mod estimate;
pub(super) mod help;
pub(super) mod list;
pub(super) mod man;
pub(super) mod merge;
pub(super) mod plan;
pub(super) mod publish;
pub(super) mod run;
pub(super) mod self_test;
pub(super) mod status;
pub(super) mod verify;
