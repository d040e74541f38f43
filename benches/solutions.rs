//! Measures how long the iterator takes to find the third solution on boards where it comes late,
//! and all solutions of small boards.
//!
//!     cargo bench -p benches --bench solutions

mod common;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use queencount::{BoardSize, Solutions};

fn solutions(n: u32) -> Solutions {
    Solutions::new(BoardSize::new(n).unwrap())
}

fn first_three(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("first three solutions");
    for n in [20, 28, 32] {
        group.bench_function(BenchmarkId::from_parameter(n), |bencher| {
            bencher.iter(|| solutions(n).take(3).last());
        });
    }
    group.finish();
}

fn all(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("all solutions");
    for n in [10, 12] {
        group.throughput(Throughput::Elements(solutions(n).count() as u64));
        group.bench_function(BenchmarkId::from_parameter(n), |bencher| {
            bencher.iter(|| solutions(n).count())
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = common::config();
    targets = first_three, all
}
criterion_main!(benches);
