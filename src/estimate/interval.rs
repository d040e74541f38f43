//! Confidence intervals for the mean of a sample, estimated from the differences between its draws.
//!
//! Draws are compared only within their stratum, because strata differ. Times are also compared
//! between blocks of consecutive draws, because the speed of the machine may change. For times,
//! this gives two intervals, and the wider one is used.

use std::ops::Div;

/// An estimated number and its 95% confidence interval, from `mean - margin` to `mean + margin`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The estimate.
    pub mean: f64,
    /// The distance from the estimate to either end of the interval.
    pub margin: f64,
}

impl Interval {
    pub(super) fn exact(number: f64) -> Self {
        Self {
            mean: number,
            margin: 0.0,
        }
    }

    /// Returns the mean of some values, with an interval estimated from their differences.
    pub(crate) fn from_values(values: impl Iterator<Item = f64>) -> Self {
        let mut moments = Moments::default();
        values.for_each(|value| moments.add(value));
        stratified([&moments].into_iter())
    }

    /// Returns the lower end of the interval, or 0 if that is negative.
    pub fn low(self) -> f64 {
        (self.mean - self.margin).max(0.0)
    }

    /// Returns the upper end of the interval.
    pub fn high(self) -> f64 {
        self.mean + self.margin
    }

    /// Returns whether a value is in the interval, ends included.
    pub fn contains(self, value: f64) -> bool {
        (self.mean - value).abs() <= self.margin
    }
}

impl Div<f64> for Interval {
    type Output = Self;

    fn div(self, divisor: f64) -> Self {
        Self {
            mean: self.mean / divisor,
            margin: self.margin / divisor,
        }
    }
}

const BLOCKS: usize = 16;

/// The total count and time of all units, as estimated from one draw.
#[derive(Clone, Copy)]
pub(super) struct Draw {
    pub(super) total: f64,
    pub(super) seconds: f64,
}

pub(super) struct Sample {
    /// The totals of each stratum.
    totals: Vec<Moments>,
    /// The times of each stratum.
    seconds: Vec<Moments>,
    /// The times of each block of draws.
    blocks: [Moments; BLOCKS],
}

impl Sample {
    pub(super) fn new(strata: u64) -> Self {
        Self {
            totals: vec![Moments::default(); strata as usize],
            seconds: vec![Moments::default(); strata as usize],
            blocks: [Moments::default(); BLOCKS],
        }
    }

    pub(super) fn strata(&self) -> u64 {
        self.totals.len() as u64
    }

    /// Adds draw `number`, which began when `fraction` of the sample was complete.
    pub(super) fn add(&mut self, number: u64, fraction: f64, draw: Draw) {
        let stratum = (number % self.strata()) as usize;
        self.totals[stratum].add(draw.total);
        self.seconds[stratum].add(draw.seconds);
        self.blocks[(fraction * BLOCKS as f64) as usize].add(draw.seconds);
    }

    pub(super) fn draws(&self) -> u64 {
        self.totals.iter().map(Moments::draws).sum()
    }

    pub(super) fn total(&self) -> Interval {
        stratified(self.totals.iter())
    }

    pub(super) fn seconds(&self) -> Interval {
        let within = stratified(self.seconds.iter());
        // The means of blocks with few draws differ even if the speed of the machine is constant.
        if self
            .blocks
            .iter()
            .any(|block| block.draws() < 2 * self.strata())
        {
            return within;
        }
        let between = Interval::from_values(self.blocks.iter().map(|block| block.mean));
        Interval {
            mean: within.mean,
            margin: within.margin.max(between.margin),
        }
    }
}

/// The mean and the spread of some draws, updated with each draw (Welford's recurrence).
#[derive(Clone, Copy, Debug, Default)]
struct Moments {
    draws: f64,
    mean: f64,
    squares: f64,
}

impl Moments {
    fn add(&mut self, value: f64) {
        self.draws += 1.0;
        let step = value - self.mean;
        self.mean += step / self.draws;
        self.squares += step * (value - self.mean);
    }

    fn draws(&self) -> u64 {
        self.draws as u64
    }
}

/// Returns the mean over strata of equal weight, with an interval estimated from the spread within
/// strata.
fn stratified<'a>(strata: impl ExactSizeIterator<Item = &'a Moments>) -> Interval {
    let count = strata.len() as f64;
    let mut mean = 0.0;
    let mut variance = 0.0;
    let mut spread = 0.0;
    for stratum in strata {
        mean += stratum.mean / count;
        if stratum.draws > 1.0 {
            let share = stratum.squares / (stratum.draws - 1.0) / stratum.draws / (count * count);
            variance += share;
            spread += share * share / (stratum.draws - 1.0);
        }
    }
    // The degrees of freedom of the variance (Welch and Satterthwaite).
    let freedom = if spread > 0.0 {
        variance * variance / spread
    } else {
        f64::INFINITY
    };
    Interval {
        mean,
        margin: student_975(freedom) * variance.sqrt(),
    }
}

/// Returns the 97.5% quantile of Student's t-distribution, by formula 26.7.5 of Abramowitz and
/// Stegun, which is accurate to 1% for 3 or more degrees of freedom. Below 3, returns the exact
/// quantile for 2 degrees; below 2, for 1.
fn student_975(freedom: f64) -> f64 {
    if freedom < 3.0 {
        return if freedom < 2.0 { 12.706 } else { 4.303 };
    }
    let z: f64 = 1.959_963_985;
    [
        (z.powi(3) + z) / 4.0,
        (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0,
        (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0,
        (79.0 * z.powi(9) + 776.0 * z.powi(7) + 1482.0 * z.powi(5)
            - 1920.0 * z.powi(3)
            - 945.0 * z)
            / 92160.0,
    ]
    .iter()
    .rev()
    .fold(0.0, |sum, term| (sum + term) / freedom)
        + z
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moments(values: &[f64]) -> Moments {
        let mut moments = Moments::default();
        values.iter().for_each(|&value| moments.add(value));
        moments
    }

    #[test]
    fn student_quantile_matches_tables() {
        for (freedom, expected, tolerance) in [
            (0.5, 12.706, 0.0),
            (1.0, 12.706, 0.0),
            (2.0, 4.303, 0.0),
            (3.0, 3.182, 0.004),
            (5.0, 2.571, 0.001),
            (16.0, 2.120, 0.001),
            (f64::INFINITY, 1.959_963_985, 0.0),
            // These are the values that the formula gives.
            (3.0, 3.178_617, 2e-6),
            (4.0, 2.775_582, 2e-6),
            (10.0, 2.228_131, 2e-6),
        ] {
            let found = student_975(freedom);
            assert!(
                (found - expected).abs() <= tolerance,
                "{freedom}: {found} instead of {expected}"
            );
        }
    }

    #[test]
    fn stratified_interval_matches_formula() {
        let draws = moments(&[3.0, 5.0, 10.0, 2.0]);
        assert_eq!((draws.draws(), draws.mean, draws.squares), (4, 5.0, 38.0));
        // The mean of the three means 2, 6 and 7 is 5. The variances of the first two means are 2 /
        // 2 = 1 and 12 / 3 = 4; the variance of the third is unknown. There are (1 + 4)^2 / (1^2 /
        // 1 + 4^2 / 2) = 2.8 degrees of freedom, so the quantile is 4.303.
        let found = stratified(
            [
                moments(&[1.0, 3.0]),
                moments(&[4.0, 4.0, 10.0]),
                moments(&[7.0]),
            ]
            .iter(),
        );
        assert!((found.mean - 5.0).abs() < 1e-12, "{found:?}");
        assert!(
            (found.margin - 4.303 * 5.0_f64.sqrt() / 3.0).abs() < 1e-12,
            "{found:?}"
        );
        // Four strata of two draws each, with the same spread, have four degrees of freedom.
        let found = stratified([moments(&[0.0, 1.0]); 4].iter());
        assert!(
            (found.margin - student_975(4.0) / 4.0).abs() < 1e-12,
            "{found:?}"
        );
        assert_eq!(
            stratified([moments(&[4.0, 4.0]), moments(&[6.0, 6.0])].iter()),
            Interval::exact(5.0)
        );
        assert_eq!(stratified([].iter()), Interval::exact(0.0));
    }

    #[test]
    fn machine_slowdown_widens_time_interval() {
        fn sample(draws: u64) -> Sample {
            let mut sample = Sample::new(4);
            for number in 0..draws {
                // Each draw is exact, but the machine slows down to half its speed.
                let share = number as f64 / draws as f64;
                let draw = Draw {
                    total: 1.0,
                    seconds: 100.0 * (1.0 + share),
                };
                sample.add(number, share, draw);
            }
            sample
        }
        // Up to a constant, the block means are 100 * (1 + k / 16). The sum of their squared
        // deviations is 340 * (100 / 16)^2.
        let margin = sample(4000).seconds().margin;
        assert!(
            (margin / (2.131 * (340.0 / 15.0 / 16.0_f64).sqrt() * 100.0 / 16.0) - 1.0).abs() < 0.01,
            "{margin}"
        );
        assert_eq!(sample(4000).total(), Interval::exact(1.0));
        // Blocks with fewer than two draws per stratum are not used.
        assert!(
            sample(16 * 8 - 1).seconds().margin < 10.0 && sample(16 * 8).seconds().margin > 10.0
        );
    }
}
