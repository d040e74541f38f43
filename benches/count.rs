//! Measures how long a board takes to count, for each engine, kernel and number of threads.
//!
//!     cargo bench -p benches -- GROUP
//!
//! GROUP is the beginning of a name: engine, kernel or threads.

use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use queencount::{BoardSize, Counter, EngineChoice, EngineOptions, Kernel};

fn count(criterion: &mut Criterion, group: &str, engine: EngineChoice, n: u32, threads: usize) {
    let (size, counter) = (BoardSize::new(n).unwrap(), Counter::new().threads(threads));
    criterion.bench_function(
        &format!("{group}: {engine} {n}, {threads} threads"),
        |bencher| {
            bencher.iter(|| counter.count(engine.engine(size).as_ref()).unwrap());
        },
    );
}

fn engines(criterion: &mut Criterion) {
    for (engine, sizes) in [
        (EngineChoice::Backtrack, &[8, 10, 11, 12, 13, 14][..]),
        (EngineChoice::Rows, &[8, 10, 11, 12, 13, 14, 15, 16]),
    ] {
        for &n in sizes {
            count(criterion, "engine", engine, n, 1);
        }
    }
}

fn threads(criterion: &mut Criterion) {
    let cores = num_cpus::get();
    let powers = std::iter::successors(Some(1), |threads| Some(2 * threads))
        .take_while(|&threads| threads < cores);
    for (engine, sizes) in [
        (EngineChoice::Backtrack, [14, 15]),
        (EngineChoice::Rows, [16, 17]),
    ] {
        for n in sizes {
            for threads in powers.clone().chain([cores]) {
                count(criterion, "threads", engine, n, threads);
            }
        }
    }
}

fn kernels(criterion: &mut Criterion) {
    for n in [14, 16, 17] {
        let size = BoardSize::new(n).unwrap();
        for kernel in Kernel::available() {
            criterion.bench_function(&format!("kernel: {} {n}", kernel.name()), |bencher| {
                bencher.iter(|| {
                    // An engine caches quarter-boards, so each count uses a new one.
                    let options = EngineOptions {
                        kernel: Some(kernel),
                        ..EngineOptions::default()
                    };
                    let engine = EngineChoice::Rows.build(size, options);
                    Counter::new().threads(1).count(&*engine).unwrap()
                });
            });
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .measurement_time(Duration::from_secs(3))
        .warm_up_time(Duration::from_millis(500));
    targets = engines, kernels, threads
}
criterion_main!(benches);
