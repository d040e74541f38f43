//! Confidence intervals for the mean of a sample.

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

/// The mean and the spread of some draws, updated with each draw (Welford's recurrence).
#[derive(Clone, Copy, Default)]
pub(super) struct Moments {
    pub(super) draws: u64,
    mean: f64,
    squares: f64,
}

impl Moments {
    pub(super) fn add(&mut self, value: f64) {
        self.draws += 1;
        let step = value - self.mean;
        self.mean += step / self.draws as f64;
        self.squares += step * (value - self.mean);
    }

    /// Returns the mean of at least eight draws.
    pub(super) fn interval(&self) -> Interval {
        let draws = self.draws as f64;
        let variance = self.squares / (draws - 1.0);
        // Draws are skewed: their kurtosis is about 5. Therefore their variance has half as many
        // degrees of freedom as that of normally distributed numbers, whose kurtosis is 3.
        let margin = student_975((draws - 1.0) / 2.0) * (variance / draws).sqrt();
        Interval {
            mean: self.mean,
            margin,
        }
    }
}

/// Returns the 97.5% quantile of Student's t-distribution, by the first terms of formula 26.7.5 of
/// Abramowitz and Stegun, which are accurate to 1% for 3 or more degrees of freedom.
fn student_975(freedom: f64) -> f64 {
    let z: f64 = 1.959_963_985;
    z + (z.powi(3) + z) / 4.0 / freedom
        + (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0 / freedom.powi(2)
        + (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z)
            / 384.0
            / freedom.powi(3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interval_has_quantile_of_student() {
        for (freedom, quantile) in [(4, 2.776), (8, 2.306), (16, 2.120), (50_000, 1.960)] {
            let mut moments = Moments::default();
            for draw in 0..=2 * freedom {
                moments.add(f64::from(draw));
            }
            // The variance of 1, 2, ..., k is k (k + 1) / 12.
            let error = f64::from(2 * freedom + 2).sqrt() / 12.0_f64.sqrt();
            let Interval { mean, margin } = moments.interval();
            assert!((mean / f64::from(freedom) - 1.0).abs() < 1e-9, "{mean}");
            let expected = quantile * error;
            assert!(
                (margin / expected - 1.0).abs() < 0.01,
                "{margin} instead of {expected}"
            );
        }
    }
}
