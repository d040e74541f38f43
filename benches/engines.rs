//! How long one thread takes to count a board, engine by engine.
//!
//!     cargo bench --bench engines

use std::time::Duration;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use queencount::{Counter, EngineChoice};

fn count(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("count on one thread");
    group.sample_size(10).measurement_time(Duration::from_secs(3)).warm_up_time(Duration::from_millis(500));
    for (name, engine, sizes) in [
        ("backtrack", EngineChoice::Backtrack, &[8, 10, 11, 12, 13, 14][..]),
        ("rows", EngineChoice::Rows, &[8, 10, 11, 12, 13, 14, 15, 16]),
    ] {
        for &n in sizes {
            group.bench_function(BenchmarkId::new(name, n), |bencher| {
                let counter = Counter::new(n).unwrap().engine(engine).threads(1);
                bencher.iter(|| counter.count().unwrap().total);
            });
        }
    }
    group.finish();
}

criterion_group!(benches, count);
criterion_main!(benches);
