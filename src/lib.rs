//! Counts, lists and classifies the solutions of the N-queens problem: the ways to place N queens
//! on an N x N board so that no two attack each other (OEIS A000170). Counts are exact for N from
//! 1 to 32.
//!
//! ```
//! assert_eq!(queencount::count(8)?, 92);
//! // Solutions are found on demand, in lexicographic order.
//! assert_eq!(queencount::solutions(8)?.nth(1).unwrap().to_string(), "1 6 8 3 7 4 2 5");
//! // Fundamental solutions are distinct up to rotation and reflection.
//! assert_eq!(queencount::classes(8)?.fundamental(), 12);
//! # Ok::<(), queencount::CountError>(())
//! ```
//!
//! # Where to start
//!
//! [`count()`] and [`classes()`] use all CPU cores. [`solutions()`] searches on the calling thread.
//! For other tasks, use these items:
//!
//! | Task | Items |
//! |---|---|
//! | select an engine and set its options | [`EngineChoice`], [`EngineOptions`] |
//! | set the number of threads, report progress, or cancel a count | [`Counter`], [`CancelToken`] |
//! | list fundamental solutions, or skip solutions | [`Solutions`] |
//! | rotate or reflect a solution, or convert it to or from text | [`Solution`] |
//! | get the number of orbits of each size | [`Classes`] |
//! | estimate the result and the time of a count that would take days | [`estimate`] |
//! | save, resume and merge counts (requires the `records` feature) | the `record` module |
//! | write your own engine | [`Engine`] |
//!
//! The [`backtrack`](engine::backtrack) engine places queens row by row. The [`rows`](engine::rows)
//! engine counts pairs of half-boards. They share no counting code, so comparing them, as the tests
//! do, is a meaningful check. Neither engine uses the published values.
//!
//! All functions can be called from several threads at once. Counts on the same [`Device`] share
//! its memory.
//!
//! # Limits
//!
//! N is at most 32, because the diagonals of a larger board do not fit into 64 bits. In practice, N
//! is limited by the running time, which grows about eightfold with each additional row.
//!
//! A thread that calls an engine needs a stack of at least 256 KiB.
//!
//! # Features
//!
//! - `cli` (enabled by default) adds the command-line interface and enables `records`.
//! - `records` adds support for saving counts to files and resuming them.
//! - `gpu` adds support for counting on GPUs ([`Device`]). It does not require an SDK.
//!
//! Without these features, the library depends only on `rayon` and a few small crates.

mod board;
mod cancel;
mod choice;
#[cfg(feature = "cli")]
pub mod cli;
mod clock;
mod count;
mod devices;
pub mod engine;
pub mod estimate;
mod known;
mod options;
mod parse;
#[cfg(feature = "records")]
pub mod record;
mod solutions;
mod splitmix;
pub mod symmetry;

/// The version of the package.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

pub use board::{BoardSize, Solution, SolutionError};
pub use cancel::{CancelToken, EngineError};
pub use choice::{EngineChoice, UnsupportedOption};
pub use count::{CountError, Counter, Task, classes, count};
pub use devices::{DeviceError, DeviceSet};
pub use engine::rows::gpu::Device;
pub use engine::rows::kernel::Kernel;
pub use engine::{Backend, Engine};
pub use known::oeis_a000170;
pub use options::EngineOptions;
pub use parse::ParseError;
pub use solutions::{Solutions, solutions};
pub use symmetry::Classes;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(doctest)]
#[doc = include_str!("../docs/reference.md")]
struct Reference;
