//! Counts, lists and classifies the solutions of the N-queens problem: the ways to place N queens
//! on an N x N board so that no two attack each other (OEIS A000170). Counts are exact for N from
//! 1 to 32.
//!
//! ```
//! assert_eq!(queencount::count(8)?, 92);
//!
//! // Solutions are found on demand, in lexicographic order.
//! for solution in queencount::solutions(8)?.skip(90) {
//!     println!("{solution}"); // 8 3 1 6 2 5 7 4 and 8 4 1 3 6 2 7 5
//! }
//!
//! // Fundamental solutions are distinct up to rotation and reflection.
//! assert_eq!(queencount::classes(8)?.fundamental(), 12);
//! # Ok::<(), queencount::CountError>(())
//! ```
//!
//! # Where to start
//!
//! The functions [`count()`] and [`classes()`] use all CPU cores. [`solutions()`] returns an
//! iterator that searches on the calling thread. For other tasks, use these items:
//!
//! | Task | Items |
//! |---|---|
//! | select an engine and set its options | [`EngineChoice`], [`EngineOptions`] |
//! | set the number of threads, report progress, or cancel a count | [`Counter`], [`CancelToken`] |
//! | list fundamental solutions, skip solutions, or start at a given solution | [`Solutions`] |
//! | rotate or reflect a solution, or convert it to or from text | [`Solution`], [`Symmetry`] |
//! | get the number of orbits of each size | [`Classes`] |
//! | estimate a count that would take days | [`estimate`] |
//! | save, resume and merge counts (requires the `records` feature) | the `record` module |
//! | write your own engine | [`Engine`] |
//! | read minimal versions of the algorithms, or test against them | [`plain`] |
//!
//! The two engines share no counting code, and neither of them uses the published values.
//! [`backtrack`](engine::backtrack) places queens row by row. [`rows`](engine::rows) counts the
//! pairs of half-boards that form a solution. If N is odd or larger than 23, it first places queens
//! in one or more rows between the halves. The tests compare the engines with each other, with
//! [minimal versions](plain) and with published values.
//!
//! Calls share no state, so you can make them from several threads. The exception is [`Device`]:
//! counts on the same device share its memory, and if it fails, all of them continue on the CPU.
//!
//! # Limits
//!
//! N is at most 32, because the diagonals of a larger board would not fit into 64 bits. Counts have
//! the type `u128`, which is large enough for these boards. In practice, the running
//! time limits N: it grows about eightfold with each additional row. One thread takes one second
//! for N = 18, and half an hour for N = 22.
//!
//! If you call an engine on your own thread, give that thread a stack of at least 256 KiB. (This is
//! ample: in our measurements of optimized builds, no count used more than 32 KiB.) The threads
//! that this library starts have Rust's default stack size, which is 2 MiB unless you set
//! `RUST_MIN_STACK`.
//!
//! # Features
//!
//! - `cli` (enabled by default) adds the command-line interface and enables `records`.
//! - `records` adds support for saving counts to files and resuming them.
//! - `gpu` adds support for counting on GPUs ([`Device`]). It does not require an SDK.
//!
//! Without these features, the library has only three small dependencies.

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

/// The version of the package, followed by the commit if it was built from an unreleased checkout.
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

/// The examples in the README, run as doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The examples in the guide, run as doctests.
#[cfg(doctest)]
#[doc = include_str!("../docs/guide.md")]
struct Guide;
