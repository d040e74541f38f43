//! What kernels and hosts agree on.

#![cfg_attr(not(feature = "gpu"), expect(dead_code, reason = "without a driver nobody reads it"))]

use std::fmt;

/// The work-items of a group.
pub const SIZE: usize = 256;

/// The source of the kernels.
pub const SOURCE: &str = include_str!("kernels.c");

/// A kernel.
#[derive(Clone, Copy, Debug)]
pub enum Kernel {
    /// Moves diagonals to their places.
    Permute,
    /// Counts half-boards by bin.
    Tally,
    /// Says where bins begin.
    Scan,
    /// Makes half-boards.
    File,
    /// Joins them, by these of [`Tables::ALL`](super::layout::Tables::ALL).
    Join(usize),
}

impl Kernel {
    /// The names of all kernels, by number.
    pub const NAMES: [&str; 9] =
        ["permute", "tally", "scan", "file", "join_3_8", "join_4_8", "join_5_8", "join_4_4", "join_5_4"];

    /// Its number.
    pub fn number(self) -> usize {
        match self {
            Self::Permute => 0,
            Self::Tally => 1,
            Self::Scan => 2,
            Self::File => 3,
            Self::Join(tables) => 4 + tables,
        }
    }
}

/// The pieces of a device's memory.
#[derive(Clone, Copy, Debug)]
pub enum Memory {
    /// The words of quarter-boards.
    Words,
    /// Where each bin of a quarter-board begins.
    Starts,
    /// Where diagonals go.
    Permutation,
    /// The lists of half-boards.
    Lists,
    /// Half-boards by list, bin and slice.
    Counts,
    /// Half-boards by list and marks.
    Totals,
    /// Where each list begins among the half-boards.
    Offsets,
    /// The half-boards.
    Boards,
    /// The keys of half-boards.
    Keys,
    /// Blocks to be joined.
    Items,
    /// What pairs count.
    Weights,
    /// What each block adds.
    Sums,
}

impl Memory {
    /// How many there are.
    pub const COUNT: usize = Self::Sums as usize + 1;
}

/// An argument of a kernel.
#[derive(Clone, Copy, Debug)]
pub enum Argument {
    /// A number.
    Number(u32),
    /// A piece of memory.
    Memory(Memory),
}

/// What devices read and write: numbers of which any bits are a value.
pub trait Item: Copy + Default {}

impl Item for u32 {}
impl Item for u64 {}
impl Item for [u32; 4] {}
impl Item for [u32; 5] {}

/// What a driver says that went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure(pub String);

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}
