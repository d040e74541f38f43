//! Measures how long one thread takes to count a board, for each engine and minimal version.
//!
//!     cargo bench -p benches --bench engines

mod common;

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use queencount::{BoardSize, Counter, EngineChoice, plain};

fn count(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("count on one thread");
    for (name, engine, sizes) in [
        (
            "backtrack",
            EngineChoice::Backtrack,
            &[8, 10, 11, 12, 13, 14][..],
        ),
        ("rows", EngineChoice::Rows, &[8, 10, 11, 12, 13, 14, 15, 16]),
    ] {
        for &n in sizes {
            group.bench_function(BenchmarkId::new(name, n), |bencher| {
                let (size, counter) = (BoardSize::new(n).unwrap(), Counter::new().threads(1));
                bencher.iter(|| counter.count(engine.engine(size).as_ref()).unwrap());
            });
        }
    }
    group.finish();
}

/// The minimal versions, in an order that shows what each step saves.
fn plain_forms(criterion: &mut Criterion) {
    type Plain = fn(BoardSize) -> u128;
    let mut group = criterion.benchmark_group("count in the plainest way");
    for (name, count) in [
        ("recursion", plain::recursion as Plain),
        ("backtrack", plain::backtrack),
        ("meet", plain::meet),
    ] {
        for n in [8, 10, 12] {
            let size = BoardSize::new(n).unwrap();
            group.bench_function(BenchmarkId::new(name, n), |bencher| {
                bencher.iter(|| count(black_box(size)))
            });
        }
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = common::config();
    targets = count, plain_forms
}
criterion_main!(benches);
