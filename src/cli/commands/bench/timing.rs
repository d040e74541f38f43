//! Times: how much there is, how long a board takes, and how that is known.

use std::time::{Duration, Instant};

/// About how many times as long as the board before a board takes at most. The average is 8 times; with `rows`
/// it was between 2 and 10 times, and some boards may do worse.
pub const GROWTH: f64 = 14.0;

/// How much time there is.
pub struct Budget {
    pub start: Instant,
    pub time: Duration,
}

impl Budget {
    /// What is left of this share of it, in seconds.
    pub fn left_of(&self, share: f64) -> f64 {
        (share * self.time.as_secs_f64() - self.start.elapsed().as_secs_f64()).max(0.0)
    }
}

/// How the time of a board is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum How {
    /// It has been counted.
    Counted,
    /// Some of its units have been counted.
    Sampled,
    /// Smaller boards have been.
    Extrapolated,
}

impl How {
    pub fn name(self) -> &'static str {
        match self {
            Self::Counted => "counted",
            Self::Sampled => "sampled",
            Self::Extrapolated => "extrapolated",
        }
    }
}

/// The time of one board.
pub struct Timing {
    pub how: How,
    /// The time on all threads, in seconds.
    pub seconds: f64,
    /// The ends of its interval of 95 % confidence, where it is sampled.
    pub interval: Option<[f64; 2]>,
    /// Solutions found in a second.
    pub rate: Option<f64>,
}

/// The middle one, or the upper of two.
pub fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
