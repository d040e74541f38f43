//! The commands, one file each. Without a command, the program runs [`contest`].

pub mod audit;
pub mod checker;
pub mod classes;
pub mod completions;
pub mod contest;
pub mod count;
pub mod devices;
pub mod draw;
pub mod estimate;
pub mod help;
pub mod list;
pub mod man;
pub mod merge;
pub mod plan;
pub mod publish;
pub mod run;
pub mod self_test;
pub mod status;
pub mod verify;
