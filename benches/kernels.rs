//! Measures how long one thread takes to count a board with `rows`, for each kernel.
//!
//!     cargo bench -p benches --bench kernels

mod common;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use queencount::{BoardSize, Counter, EngineChoice, EngineOptions, Kernel};

fn kernels(criterion: &mut Criterion) {
    for n in [14, 16, 17] {
        let mut group = criterion.benchmark_group(format!("rows {n} on one thread"));
        let size = BoardSize::new(n).unwrap();
        for kernel in Kernel::available() {
            group.bench_function(BenchmarkId::from_parameter(kernel.name()), |bencher| {
                bencher.iter(|| {
                    // An engine caches quarter-boards, so each count uses a new one.
                    let options = EngineOptions::new().kernel(kernel);
                    let engine = EngineChoice::Rows.build(size, options);
                    Counter::new().threads(1).count(&*engine).unwrap()
                });
            });
        }
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = common::config();
    targets = kernels
}
criterion_main!(benches);
