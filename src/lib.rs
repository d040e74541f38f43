//! In how many ways can N queens stand on an N x N board so that none attacks another? (OEIS
//! A000170.)
//!
//! This library counts them exactly for N from 1 to 32, finds them one after another, and sorts
//! them by symmetry.
//!
//! ```
//! // How many?
//! assert_eq!(queencount::count(8)?, 92);
//!
//! // Which? They come in lexicographic order, found as they are asked for.
//! for solution in queencount::solutions(8)?.skip(90) {
//!     println!("{solution}"); // 8 3 1 6 2 5 7 4 and 8 4 1 3 6 2 7 5
//! }
//!
//! // How many remain when rotations and reflections of a solution count as the same?
//! assert_eq!(queencount::classes(8)?.fundamental(), 12);
//! # Ok::<(), queencount::CountError>(())
//! ```
//!
//! # Which door to take
//!
//! [`count()`] and [`classes()`] count on every CPU, and [`solutions()`] searches on the thread
//! that asks. For more:
//!
//! | for | take |
//! |---|---|
//! | a count by a chosen engine, on fewer threads, with progress, that can be stopped | [`EngineChoice`], [`Counter`], [`CancelToken`] |
//! | solutions far ahead in the list, or from a given one on | [`Solutions::skip_ahead`], [`Solutions::starting_at`] |
//! | images of a solution, its orbit, its rows as text, a solution from text | [`Solution`], [`Symmetry`] |
//! | the numbers of orbits of each size | [`Classes`] |
//! | what to expect of a count that would take days | [`estimate`] |
//! | a count in parts, on many machines, over interruptions (feature `records`) | the module `record` |
//! | an engine of one's own | [`Engine`] |
//! | both ideas in their shortest form, to read or to compare with | [`plain`] |
//!
//! Calls share nothing with each other, and no engine looks up a count: every number is counted.
//! Two engines count the same boards: by [backtracking](engine::backtrack), and by pairs of
//! half-boards beside some [middle rows](engine::rows). They share no counting code. The tests
//! compare them with each other, with [plain forms](plain) and with published values.
//!
//! # Limits
//!
//! N is at most 32, because the attacks of 32 rows on 32 columns fill a word of 64 bits. A count is
//! a `u128`, which has room for all solutions of these boards. Time is the real limit: it grows
//! about eightfold from N to N + 1. One thread takes a second for N = 18, and half an hour for N =
//! 22.
//!
//! A thread that calls an engine itself should have a stack of 256 KiB. (Optimized, counts
//! overflowed 24 KiB and none 32 KiB.) The threads that this library starts have what Rust gives, 2
//! MiB unless `RUST_MIN_STACK` says otherwise.
//!
//! # Features
//!
//! `cli`, the default, is the command line, and needs `records`. `records` are the records of long
//! counts. Without both the library has three small dependencies. `gpu` lets GPUs count
//! ([`Device`]); it is built without any SDK.

#[cfg(feature = "cli")]
extern crate self as queencount;

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
pub mod plain;
#[cfg(feature = "records")]
pub mod record;
mod solutions;
mod splitmix;
pub mod symmetry;

pub use board::{BoardSize, BoardSizeError, Solution, SolutionError};
pub use cancel::{CancelToken, EngineError};
pub use choice::{EngineChoice, EngineChoiceError, EngineOptions, UnsupportedOption};
pub use count::{CountError, Counter, Task, classes, count};
pub use devices::{DeviceError, DeviceSet, DeviceSpec, Feeders};
pub use engine::rows::gpu::{Device, DeviceDescription};
pub use engine::rows::kernel::{Kernel, KernelError};
pub use engine::{Backend, Engine, Probe};
pub use known::oeis_a000170;
pub use solutions::{Solutions, solutions};
pub use splitmix::SplitMix64;
pub use symmetry::{Classes, ClassesError, Rotation, RotationSymmetric, Symmetry};

/// The examples of the README, run with the documentation's.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Those of the guide.
#[cfg(doctest)]
#[doc = include_str!("../docs/guide.md")]
struct Guide;
