//! Counts, lists and classifies the solutions of the N-queens problem: all ways to place N queens
//! on an N x N board so that no two attack each other (OEIS A000170).
//!
//! Counts are exact, for N from 1 to 32.
//!
//! ```
//! assert_eq!(queencount::count(8)?, 92);
//!
//! // Solutions are found on demand, in lexicographic order.
//! for solution in queencount::solutions(8)?.skip(90) {
//!     println!("{solution}"); // 8 3 1 6 2 5 7 4 and 8 4 1 3 6 2 7 5
//! }
//!
//! // Fundamental solutions: rotations and reflections of a solution count as the same.
//! assert_eq!(queencount::classes(8)?.fundamental(), 12);
//! # Ok::<(), queencount::CountError>(())
//! ```
//!
//! # Where to start
//!
//! [`count()`] and [`classes()`] use all CPUs, and [`solutions()`] searches on the calling thread.
//! Beyond these:
//!
//! | For | Use |
//! |---|---|
//! | a choice of engine and its options | [`EngineChoice`], [`EngineOptions`] |
//! | a choice of threads, progress reports, cancellation | [`Counter`], [`CancelToken`] |
//! | fundamental solutions, solutions far ahead, or from a given one on | [`Solutions`] |
//! | images of a solution, its orbit, conversion from and to text | [`Solution`], [`Symmetry`] |
//! | the numbers of orbits of each size | [`Classes`] |
//! | an estimate of a count that would take days | [`estimate`] |
//! | a resumable count, on many machines (`records` feature) | the module `record` |
//! | your own engine | [`Engine`] |
//! | minimal versions of both algorithms, to read and to test against | [`plain`] |
//!
//! No engine looks up a count. There are two engines, which share no counting code:
//! [backtracking](engine::backtrack), and meeting in the middle, with pairs of half-boards around
//! fixed [middle rows](engine::rows). The tests compare them with each other, with [minimal
//! versions](plain) and with published values. Calls share no state, except that counts on a
//! [`Device`] share its memory and its failures.
//!
//! # Limits
//!
//! N is at most 32, because the attacks of 32 rows on 32 columns fill 64 bits. A count is a `u128`,
//! which suffices for these boards. Time is the real limit: it grows about eightfold from N to N +
//! 1. One thread takes one second for N = 18, and half an hour for N = 22.
//!
//! If you call an engine on your own thread, give it a 256 KiB stack. (In optimized builds some
//! counts overflowed 24 KiB, none 32 KiB.) The threads started by this library have Rust's default
//! of 2 MiB, or `RUST_MIN_STACK`.
//!
//! # Features
//!
//! `cli`, the default, adds the command line, and includes `records`. `records` adds saved,
//! resumable counts. With neither, the library has three small dependencies. `gpu` adds counting on
//! GPUs ([`Device`]); it is built without an SDK.

mod board;
mod cancel;
mod choice;
#[cfg(feature = "cli")]
pub mod cli;
mod count;
mod devices;
pub mod engine;
pub mod estimate;
mod known;
mod options;
pub mod plain;
#[cfg(feature = "records")]
pub mod record;
mod solutions;
mod splitmix;
pub mod symmetry;

/// The version of this build: that of the package, and the commit if it is built from a checkout
/// that is not a release.
pub const VERSION: &str = env!("QUEENCOUNT_VERSION");

pub use board::{BoardSize, BoardSizeError, Solution, SolutionError};
pub use cancel::{CancelToken, EngineError};
pub use choice::{EngineChoice, EngineChoiceError, UnsupportedOption};
pub use count::{CountError, Counter, Task, classes, count};
pub use devices::{DeviceError, DeviceSet, DeviceSpec, Feeders};
pub use engine::rows::gpu::{Device, DeviceDescription};
pub use engine::rows::kernel::{Kernel, KernelError};
pub use engine::{Backend, Engine, Probe};
pub use known::oeis_a000170;
pub use options::EngineOptions;
pub use solutions::{Solutions, solutions};
pub use splitmix::SplitMix64;
pub use symmetry::{Classes, ClassesError, Rotation, RotationSymmetric, Symmetry};

/// The README's examples, run as doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The guide's examples, run as doctests.
#[cfg(doctest)]
#[doc = include_str!("../docs/guide.md")]
struct Guide;
