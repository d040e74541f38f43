//! Forecasts of the time that the rest of a count takes.

use std::time::Duration;

use super::Estimate;

/// Forecasts the time that units take, from a [brief estimate](super::SampleSize::Brief) and from
/// the tasks that are finished.
///
/// All work is expressed as a fraction of the total work, as in
/// [`Engine::work`](crate::Engine::work). All times are times of a single thread.
///
/// ```
/// use std::time::Duration;
///
/// use queencount::estimate::Forecast;
///
/// let mut forecast = Forecast::default();
/// assert_eq!(forecast.seconds(1.0), None);
/// forecast.add(0.02, Duration::from_secs(30));
/// assert_eq!(forecast.seconds(0.98), Some(1470.0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Forecast {
    sample: Option<Sampled>,
    /// The work and the time of the finished tasks.
    work: f64,
    seconds: f64,
    /// The number of finished tasks with work.
    tasks: u64,
}

/// The result of a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Sampled {
    /// The work of the units from which the sample was drawn.
    work: f64,
    /// Their time.
    seconds: f64,
    /// The relative error of this time.
    error: f64,
}

/// However large a sample is, a probe does not take exactly the time that a count takes.
const LEAST_ERROR: f64 = 0.1;

/// The relative error of the time that the first tasks predict for the rest. They are neighbours,
/// so even if there are many of them, the plan may misjudge all of them alike.
const ERROR_OF_NEIGHBOURS: f64 = 0.5;

/// Without a sample, the first tasks say too little until there are this many of them, or until
/// they have this fraction of the work.
const ENOUGH_TASKS: u64 = 100;
const ENOUGH_WORK: f64 = 0.01;

impl Forecast {
    /// Creates a forecast from an estimate for units with this work.
    pub fn from_estimate(estimate: &Estimate, work: f64) -> Self {
        let seconds = estimate.seconds;
        let sample = Sampled {
            work,
            seconds: seconds.mean,
            error: (seconds.margin / seconds.mean).max(LEAST_ERROR),
        };
        Self {
            sample: (seconds.mean > 0.0).then_some(sample),
            ..Self::default()
        }
    }

    /// Adds a finished task.
    pub fn add(&mut self, work: f64, time: Duration) {
        self.work += work;
        self.seconds += time.as_secs_f64();
        self.tasks += u64::from(work > 0.0);
    }

    /// Returns the expected time for the rest of the count, which has this work, in seconds.
    /// Returns `None` if too little is known.
    pub fn seconds(&self, work: f64) -> Option<f64> {
        let by_tasks = work * self.seconds / self.work;
        let Some(sample) = self.sample else {
            let is_known = self.work >= ENOUGH_WORK || self.tasks >= ENOUGH_TASKS;
            return is_known.then_some(by_tasks);
        };
        let rest = 1.0 - self.work / sample.work;
        if self.tasks == 0 || rest <= 0.0 {
            return Some(work * sample.seconds / sample.work);
        }
        // The time of the finished tasks is known, whatever their work was.
        let by_sample = work * (sample.seconds - self.seconds).max(0.0) / (rest * sample.work);
        // What the sample expected for the finished tasks may reveal that its error is larger.
        let expected = sample.seconds * (1.0 - rest);
        let error = sample
            .error
            .max((self.seconds - expected).abs() / sample.seconds);
        // Weigh both by the inverse of their variance.
        let sample_variance = (error / rest).powi(2);
        let tasks_variance = (ERROR_OF_NEIGHBOURS * rest).powi(2) + 1.0 / self.tasks as f64;
        let weight = sample_variance / (sample_variance + tasks_variance);
        Some(weight * by_tasks + (1.0 - weight) * by_sample)
    }

    /// Returns the work of the finished tasks.
    pub fn finished_work(&self) -> f64 {
        self.work
    }

    /// Returns the time of the finished tasks, in seconds.
    pub fn finished_seconds(&self) -> f64 {
        self.seconds
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::Interval;

    fn estimate(seconds: f64, margin: f64) -> Estimate {
        Estimate {
            total: Interval::exact(0.0),
            seconds: Interval {
                mean: seconds,
                margin,
            },
            total_draws: 8,
            draws: 8,
            counted: None,
            threads: 2,
            devices: 0,
        }
    }

    /// Returns the forecast for the rest of half of the work after some tasks, each with 0.001 of
    /// the work, and each 3 s long.
    fn after_tasks(mut forecast: Forecast, tasks: u32) -> f64 {
        for _ in 0..tasks {
            forecast.add(0.001, Duration::from_secs(3));
        }
        forecast.seconds(0.5 - 0.001 * f64::from(tasks)).unwrap()
    }

    #[test]
    fn forecast_moves_from_sample_to_finished_tasks() {
        // Half of the work takes 500 s according to the sample.
        let good = Forecast::from_estimate(&estimate(500.0, 50.0), 0.5);
        let poor = Forecast::from_estimate(&estimate(500.0, 500.0), 0.5);
        assert!((good.seconds(0.5).unwrap() - 500.0).abs() < 1e-9);
        assert!((poor.seconds(0.1).unwrap() - 100.0).abs() < 1e-9);
        // According to the finished tasks, it takes 1500 s.
        for (forecast, tasks, range) in [
            (good, 1, 490.0..510.0),
            (good, 10, 450.0..550.0),
            (good, 250, 700.0..751.0),
            (good, 495, 14.0..15.1),
            (poor, 10, 1100.0..1300.0),
            (poor, 100, 1100.0..1201.0),
            (Forecast::default(), 10, 1469.0..1471.0),
        ] {
            let found = after_tasks(forecast, tasks);
            assert!(
                range.contains(&found),
                "{found} after {tasks}: {forecast:?}"
            );
        }
        // An estimate of nothing, or one that failed to measure a time, is no sample.
        assert_eq!(
            Forecast::from_estimate(&estimate(0.0, 0.0), 0.5),
            Forecast::default()
        );
    }

    #[test]
    fn first_tasks_alone_are_no_forecast() {
        let mut forecast = Forecast::default();
        for _ in 0..1000 {
            forecast.add(0.0, Duration::from_micros(1));
        }
        for _ in 1..ENOUGH_TASKS {
            forecast.add(1e-9, Duration::from_secs(1));
            assert_eq!(forecast.seconds(1.0), None);
        }
        forecast.add(1e-9, Duration::from_secs(1));
        let seconds = forecast.seconds(1.0).unwrap();
        assert!((seconds / 1e9 - 1.0).abs() < 1e-3, "{seconds}");
    }
}
