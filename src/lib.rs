//! In how many ways can N queens stand on an N x N board so that none attacks another? (OEIS A000170.)
//!
//! This library counts them, exactly, for N from 1 to 32; finds them one after another; and sorts them into classes of
//! symmetry.
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
//! // How many are different even if the board may be turned and reflected?
//! assert_eq!(queencount::classes(8)?.fundamental(), 12);
//! # Ok::<(), queencount::CountError>(())
//! ```
//!
//! These three use every core or none, as they see fit. With a say in it:
//!
//! - [`Counter`] counts by a chosen [`EngineChoice`], on so many threads, shows every finished task to an [`Observer`]
//!   and ends when a [`Stop`] is requested, from any thread.
//! - [`Solutions`] is the iterator; far ahead is not far away, because it passes over solutions by counting them. A
//!   [`Solution`] has images, an orbit and a representative, and can be read from text.
//! - [`Classes`] are the numbers of orbits of every size.
//! - [`estimate`] tells what to expect of a count that would take days; with the feature `records`, the module `record`
//!   keeps one that is counted in parts and over interruptions.
//! - [`Engine`] is what a way of counting has to offer, and [`FanOut`] counts with any: another one needs no more.
//!
//! Nothing is shared between calls, and nothing is looked up: every number has been counted. Two engines that share no
//! counting code count the same boards, one by [backtracking](engine::backtrack), one by
//! [meeting in the middle](engine::meet), and the tests hold them against each other and against published values.
//!
//! # Limits
//!
//! N is at most 32, because the attacks of 32 rows on 32 columns fill a word of 64 bits; a count is a `u128`, which is
//! more than any of these boards needs. Time is the real limit: it grows about eightfold from board to board. One core
//! takes a second for N = 18, a minute for N = 20, an hour for N = 22.
//!
//! # Features
//!
//! `records` are the records of long runs, and `cli`, the default, the command line; without both there remain three
//! small dependencies.

mod board;
mod count;
pub mod engine;
pub mod estimate;
mod known;
pub mod plain;
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
pub use solutions::{Solutions, solutions};
pub use symmetry::{Classes, ClassesError, Symmetry, Turn, Turned};

/// The examples of the README, run with the documentation's.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
