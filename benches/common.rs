//! The measurement that the benchmarks share.

use std::time::Duration;

use criterion::Criterion;

pub(crate) fn config() -> Criterion {
    Criterion::default()
        .sample_size(10)
        .measurement_time(Duration::from_secs(3))
        .warm_up_time(Duration::from_millis(500))
}
