//! Measures the same count on 1, 2, 4, ... threads, up to one per core.
//!
//!     cargo bench -p benches --bench scaling

mod common;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use queencount::{BoardSize, Counter, EngineChoice};

fn threads(criterion: &mut Criterion) {
    let cores = num_cpus::get();
    let powers = std::iter::successors(Some(1), |threads| Some(2 * threads))
        .take_while(|&threads| threads < cores);
    for (name, engine, n) in [
        ("backtrack", EngineChoice::Backtrack, 14),
        ("backtrack", EngineChoice::Backtrack, 15),
        ("rows", EngineChoice::Rows, 16),
        ("rows", EngineChoice::Rows, 17),
    ] {
        let mut group = criterion.benchmark_group(format!("{name} {n} on threads"));
        for threads in powers.clone().chain([cores]) {
            group.bench_function(BenchmarkId::from_parameter(threads), |bencher| {
                let (size, counter) = (BoardSize::new(n).unwrap(), Counter::new().threads(threads));
                bencher.iter(|| counter.count(engine.engine(size).as_ref()).unwrap());
            });
        }
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = common::config();
    targets = threads
}
criterion_main!(benches);
