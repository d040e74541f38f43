//! The choice of an engine: by name, or the one that is fastest for a board; and what it may use of the machine.

pub mod gpus;

use self::gpus::DeviceChoice;
use crate::board::BoardSize;
use crate::engine::Engine;
use crate::engine::backtrack::Backtrack;
use crate::engine::rows::Rows;
use crate::engine::rows::kernel::Kernel;

/// Which engine is to count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum EngineChoice {
    /// The one that is fastest for the board.
    #[default]
    Auto,
    /// The backtracking engine: the reference.
    Backtrack,
    /// The engine of middle rows. Boards outside of [`Rows::SIZES`] are left to backtracking.
    Rows,
}

impl EngineChoice {
    /// The engine that [`Engine::name`] names.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "backtrack" => Some(Self::Backtrack),
            "rows" => Some(Self::Rows),
            _ => None,
        }
    }

    /// The chosen engine for a board.
    pub fn engine(self, size: BoardSize) -> Box<dyn Engine> {
        self.engine_with(size, Resources::default())
    }

    /// The chosen engine for a board, with the given resources.
    pub fn engine_with(self, size: BoardSize, resources: Resources) -> Box<dyn Engine> {
        let n = size.get();
        let is_rows = self == Self::Rows || self == Self::Auto && n >= ROWS_FASTER;
        if is_rows && Rows::SIZES.contains(&n) {
            let Resources { kernel, memory, devices } = resources;
            let engine = Rows::with_middle_rows(size, Rows::middle_rows(n), kernel, memory);
            Box::new(engine.on_devices(devices.devices(), devices.feeders()))
        } else {
            Box::new(Backtrack::new(size))
        }
    }
}

/// From this N on the engine of middle rows is the faster one: for N = 12 it takes 1.4 ms with AVX-512, 1.8 with the
/// portable kernel, and backtracking 2.4. Below N = 12 both take a millisecond. There is no choice by kernel: machines
/// that share a run would not agree on its plan.
const ROWS_FASTER: u32 = 12;

/// What an engine may use of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resources {
    /// The kernel of the engine of middle rows.
    pub kernel: Kernel,
    /// About how many bytes a thread may take.
    pub memory: u64,
    /// The devices that count units of the engine of middle rows.
    pub devices: DeviceChoice,
}

impl Default for Resources {
    /// The fastest kernel, and [`Rows::MEMORY`] for each thread; no GPU.
    fn default() -> Self {
        Self { kernel: Kernel::default(), memory: Rows::MEMORY, devices: DeviceChoice::Cpu }
    }
}
