//! Selects an engine by name, or the fastest engine for a board.

use std::fmt;
use std::str::FromStr;

use crate::board::BoardSize;
use crate::devices::DeviceSet;
use crate::engine::Engine;
use crate::engine::backtrack::Backtrack;
use crate::engine::rows::Rows;
use crate::options::EngineOptions;
use crate::parse::ParseError;

/// A choice of engine.
///
/// ```
/// use queencount::{BoardSize, Counter, EngineChoice};
///
/// let choice: EngineChoice = "backtrack".parse()?;
/// let engine = choice.engine(BoardSize::new(10)?);
/// assert_eq!(Counter::new().count(&engine)?, 724);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[non_exhaustive]
pub enum EngineChoice {
    /// The faster engine for the board.
    #[default]
    Auto,
    /// Row-by-row backtracking; the reference engine.
    ///
    /// This is [`Backtrack`].
    Backtrack,
    /// Meet-in-the-middle search, which counts the pairs of half-boards that fit together; for N =
    /// 1 to 3, backtrack is used instead.
    ///
    /// This is [`Rows`].
    Rows,
}

impl EngineChoice {
    /// Returns the engine for a board, with the default options.
    #[must_use]
    pub fn engine(self, size: BoardSize) -> Box<dyn Engine> {
        self.build(size, EngineOptions::default())
    }

    /// Returns the engine for a board. Backtracking ignores the options.
    #[must_use]
    pub fn build(self, size: BoardSize, options: EngineOptions) -> Box<dyn Engine> {
        let n = size.get();
        let is_rows = self == Self::Rows || self == Self::Auto && n >= ROWS_FASTER;
        if is_rows && Rows::SIZES.contains(&n) {
            Box::new(Rows::new(size, options))
        } else {
            Box::new(Backtrack::new(size))
        }
    }

    /// Returns the choice to use with these options. If they include a kernel, `Auto` becomes
    /// `Rows`; any other choice stays the same.
    ///
    /// # Errors
    /// Fails if the chosen engine does not support an option.
    pub fn with_options(self, options: &EngineOptions) -> Result<Self, UnsupportedOption> {
        let option = if options.kernel.is_some() {
            "kernel"
        } else if options.devices != DeviceSet::default() {
            "device"
        } else if options.memory_per_thread.is_some() {
            "memory"
        } else {
            return Ok(self);
        };
        match self {
            Self::Backtrack => Err(UnsupportedOption(option)),
            Self::Auto if options.kernel.is_some() => Ok(Self::Rows),
            _ => Ok(self),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Backtrack => "backtrack",
            Self::Rows => "rows",
        }
    }
}

impl FromStr for EngineChoice {
    type Err = ParseError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        [Self::Auto, Self::Backtrack, Self::Rows]
            .into_iter()
            .find(|choice| choice.name() == name)
            .ok_or_else(|| ParseError::new("an engine, one of auto, backtrack, rows", name))
    }
}

impl fmt::Display for EngineChoice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

/// The error for an option that the chosen engine does not support.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} requires the rows engine, not backtrack; choose rows, or leave this option out")]
pub struct UnsupportedOption(&'static str);

impl UnsupportedOption {
    /// Returns the name of the option: `kernel`, `memory` or `device`.
    pub fn name(self) -> &'static str {
        self.0
    }
}

/// From this N on, `rows` is faster than backtracking. For N = 12, `rows` takes 1.4 ms with AVX-512
/// and 1.8 ms with the portable kernel; backtracking takes 2.4 ms. The choice does not depend on
/// the kernel, because machines that share a count must agree on its plan.
const ROWS_FASTER: u32 = 12;
