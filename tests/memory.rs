//! Engines use no more memory than they announce, and report an error if an allocation fails.

use std::alloc::{GlobalAlloc, Layout};
use std::fs::File;
use std::io::Write;
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::Compression;
use flate2::write::GzEncoder;
use peak_alloc::PeakAlloc;
use queencount::record::{Entry, Loader, Plan};
use queencount::{
    BoardSize, CancelToken, CountError, Counter, EngineChoice, EngineError, EngineOptions,
};

static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Grants a number of allocations of at least [`LIST`] bytes, then none. Smaller ones are always
/// granted.
struct Granting(AtomicU64);

#[global_allocator]
static GRANTING: Granting = Granting(AtomicU64::new(u64::MAX));

/// More than the tables of a worker, which are always granted.
const LIST: usize = (3 << 15) + 1;

// SAFETY: each function passes its arguments to the same function of `PeakAlloc`, and `alloc` may
// always return a null pointer.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Granting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let relaxed = Ordering::Relaxed;
        if layout.size() >= LIST
            && self
                .0
                .fetch_update(relaxed, relaxed, |left| left.checked_sub(1))
                .is_err()
        {
            return ptr::null_mut();
        }
        // SAFETY: the caller of this function keeps the same contract.
        unsafe { ALLOCATOR.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: likewise.
        unsafe { ALLOCATOR.dealloc(memory, layout) }
    }
}

/// Memory is measured per process, so there is one test. The threads of a pool may end late, so what
/// uses a pool comes last.
#[test]
fn memory_stays_within_announced_size() {
    check_backtrack();
    check_rows();
    check_threads();
    check_readers();
    check_failed_allocations();
}

/// Returns the peak number of bytes that a task allocates, and its result.
fn peak<T>(task: impl FnOnce() -> T) -> (u64, T) {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let result = task();
    // The peak may be below `before` if a thread of an earlier task ends only now.
    (ALLOCATOR.peak_usage().saturating_sub(before) as u64, result)
}

/// Plans a board and counts at most `units` evenly spaced units, starting with the last, because
/// the lists of later units are longer. Returns the bytes used and announced.
#[track_caller]
fn check_board(choice: EngineChoice, n: u32, limit: u64, units: usize) -> [u64; 2] {
    let size = BoardSize::new(n).unwrap();
    let (taken, announced) = peak(|| {
        let options = EngineOptions {
            memory_per_thread: Some(limit),
            ..EngineOptions::default()
        };
        let engine = choice.build(size, options);
        let step = (engine.units() as usize).div_ceil(units.max(1));
        for unit in (0..engine.units()).rev().step_by(step.max(1)).take(units) {
            engine.count(unit, &CancelToken::new()).unwrap();
        }
        engine.memory(1)
    });
    // Meanwhile, the main thread of the tests may also allocate.
    assert!(
        taken <= announced + 1024,
        "N = {n}, {limit} bytes for a thread: {taken} bytes taken, {announced} expected"
    );
    [taken, announced]
}

/// Reads many lines, each with a long name of its own, in at most 100 bytes per line.
fn check_readers() {
    const LINES: u64 = 500_000;
    let engine = EngineChoice::Backtrack.engine(BoardSize::new(8).unwrap());
    let plan = Plan::new(engine.as_ref());
    let folder = tempfile::tempdir().unwrap();
    let line = br#"{"first":0,"last":0,"count":"0","seconds":0.0,"kernel":null,"crc":"eb550754"}"#;
    let mut entry = Entry::from_line(line, &plan).unwrap();
    let long = folder.path().join("long");
    let mut file = GzEncoder::new(File::create(&long).unwrap(), Compression::fast());
    file.write_all(plan.to_line().as_bytes()).unwrap();
    for number in 0..LINES {
        entry.host = Some(format!("{number:x>60}"));
        file.write_all(entry.to_line(&plan).as_bytes()).unwrap();
    }
    file.finish().unwrap();
    let (taken, loaded) = peak(|| Loader::new().load([&long]).unwrap());
    assert_eq!(loaded.tally.entry_count(), LINES);
    assert!(taken < 100 * LINES + (1 << 20), "{taken} bytes");
}

/// Denies the first large allocation, then the second, and so on, until a count gets all it needs.
fn check_failed_allocations() {
    // This unit of N = 18 has 32-bit words.
    for (n, unit, lists) in [(18, 38, 1), (20, 110, 29), (21, 1906, 8)] {
        let [engine, other] =
            [(); 2].map(|()| EngineChoice::Rows.engine(BoardSize::new(n).unwrap()));
        let expected = other.count(unit, &CancelToken::new()).unwrap();
        let mut granted = 0;
        loop {
            GRANTING.0.store(granted, Ordering::Relaxed);
            let result = Counter::new()
                .threads(1)
                .count_units(engine.as_ref(), std::slice::from_ref(&(unit..unit + 1)));
            GRANTING.0.store(u64::MAX, Ordering::Relaxed);
            match result {
                Err(CountError::Engine(EngineError::OutOfMemory)) => granted += 1,
                result => break assert_eq!(result.unwrap(), expected, "N = {n}"),
            }
        }
        assert!(granted >= lists, "N = {n}: {granted} lists");
    }
}

fn check_backtrack() {
    for n in 1..=15 {
        let [taken, announced] = check_board(EngineChoice::Backtrack, n, 0, 2);
        // The announced memory includes a batch or two that small boards do not need.
        assert!(
            announced <= taken + 8_192,
            "N = {n}: {taken} bytes taken, {announced} expected"
        );
    }
    for n in 16..=BoardSize::MAX {
        check_board(EngineChoice::Backtrack, n, 0, 0);
    }
}

fn check_rows() {
    for n in 4..=BoardSize::MAX {
        let units = match n {
            ..=19 => 8,
            20..=21 => 2,
            _ => 0,
        };
        let [little, much] = [1, 256].map(|limit| {
            let limit = limit << 20;
            let [_, announced] = check_board(EngineChoice::Rows, n, limit, units);
            // The announced memory is the limit per thread plus the minimum: four lists of
            // quarter-boards, and short lists.
            assert!(
                announced <= limit + (256 << 20),
                "N = {n}, {limit} bytes for a thread: {announced} expected"
            );
            announced
        });
        assert!(
            little <= much && (n < 18 || little < much),
            "N = {n}: {little} and {much} bytes"
        );
    }
}

fn check_threads() {
    // The memory that an idle pool takes per thread.
    const POOL: u64 = 1 << 16;
    for (choice, n) in [
        (EngineChoice::Backtrack, 14),
        (EngineChoice::Rows, 15),
        (EngineChoice::Rows, 17),
    ] {
        for threads in [2, 8] {
            let engine = choice.engine(BoardSize::new(n).unwrap());
            let middle = engine.units() / 2;
            let some = middle..engine.units().min(middle + 100);
            let counter = Counter::new().threads(threads);
            let some = std::slice::from_ref(&some);
            let (taken, count) = peak(|| counter.count_units(&*engine, some));
            assert!(count.is_ok(), "{count:?}");
            let announced = engine.memory(threads) + threads as u64 * POOL;
            assert!(
                taken <= announced,
                "N = {n}, {threads} threads: {taken} bytes taken, {announced} expected"
            );
        }
    }
}
