//! In how many ways can N queens stand on an N x N board so that none attacks another? (OEIS A000170.)

pub mod board;
mod count;
pub mod engine;
pub mod estimate;
mod known;
mod random;
#[cfg(feature = "records")]
pub mod record;
mod solutions;
pub mod symmetry;

pub use board::{BoardSize, BoardSizeError, Solution, SolutionError};
pub use count::{Count, CountError, Counter, FanOut, Observer, Task, classes, count};
pub use engine::meet::kernel::{Kernel, KernelError};
pub use engine::{Engine, EngineChoice, Probe, Resources, Stop, Stopped};
pub use known::published;
pub use random::Random;
pub use solutions::Solutions;
pub use symmetry::{Classes, ClassesError, Symmetry, Turn, Turned};

/// The examples of the README, run with the documentation's.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
