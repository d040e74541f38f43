//! The choice of an engine: by name, or the one that is fastest for a board; and what it may use of the machine.

use super::Engine;
use super::backtrack::Backtrack;
use super::meet::Meet;
use super::rows::Rows;
use super::rows::kernel::Kernel;
use crate::board::BoardSize;

/// Which engine is to count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum EngineChoice {
    /// The one that is fastest for the board.
    #[default]
    Auto,
    /// The backtracking engine: the reference.
    Backtrack,
    /// The meet-in-the-middle engine. Boards outside of [`Meet::SIZES`] are left to backtracking.
    Meet,
    /// The engine of middle rows. Boards outside of [`Rows::SIZES`] are left to backtracking.
    Rows,
}

impl EngineChoice {
    /// The engine that [`Engine::name`] names.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "backtrack" => Some(Self::Backtrack),
            "meet" => Some(Self::Meet),
            "rows" => Some(Self::Rows),
            _ => None,
        }
    }

    /// The plan of the chosen engine for a board.
    pub fn plan(self, size: BoardSize) -> Box<dyn Engine> {
        self.plan_with(size, Resources::default())
    }

    /// The plan of the chosen engine for a board, to be counted with the given resources.
    pub fn plan_with(self, size: BoardSize, resources: Resources) -> Box<dyn Engine> {
        let n = size.get();
        let engine = match self {
            Self::Auto if n < MEETS_FASTER => Self::Backtrack,
            Self::Auto if n < ROWS_FASTER => Self::Meet,
            Self::Auto => Self::Rows,
            chosen => chosen,
        };
        match engine {
            Self::Meet if Meet::SIZES.contains(&n) => Box::new(Meet::new(size, resources.kernel, resources.memory)),
            Self::Rows if Rows::SIZES.contains(&n) => Box::new(Rows::new(size, resources.kernel, resources.memory)),
            _ => Box::new(Backtrack::new(size)),
        }
    }
}

/// From this N on the meet-in-the-middle engine is the faster one: with AVX-512 it takes 0.9 ms for N = 12, 6.9 for 13
/// and 3.1 for 14, backtracking 1.7, 7.6 and 42 (`queencount -t 1 --format json count 12 13 14`, with `--engine`). With
/// the portable kernel N = 13 alone is 2 ms slower. That is not worth a choice by kernel: machines that share a run
/// would not agree on its plan.
const MEETS_FASTER: u32 = 12;

/// From this N on the engine of middle rows is the faster one. With AVX-512 it takes 1.05 to 1.6 times as long as
/// meeting in the middle for N = 20, but 0.65, 0.63 to 0.76 and 0.39 of the time for N = 21, 22 and 23 (`queencount
/// estimate N -t 1 --seconds 20`, with `--engine`, in turn).
const ROWS_FASTER: u32 = 21;

/// What an engine may use of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Resources {
    /// The kernel of the engines that join half-boards.
    pub kernel: Kernel,
    /// About how many bytes a thread may take.
    pub memory: u64,
}

impl Resources {
    /// With this kernel.
    pub fn kernel(self, kernel: Kernel) -> Self {
        Self { kernel, ..self }
    }

    /// With about this number of bytes for each thread.
    pub fn memory(self, memory: u64) -> Self {
        Self { memory, ..self }
    }
}

impl Default for Resources {
    /// The fastest kernel, and [`Rows::MEMORY`] for each thread.
    fn default() -> Self {
        Self { kernel: Kernel::default(), memory: Rows::MEMORY }
    }
}
