//! What `rows` does for a solution, and what each step costs: pairs, lookups, half-boards, and the
//! time of each.
//!
//!     cargo bench -p benches --bench rows -- [N]...
//!
//! For each board random column sets are counted on one thread, for some seconds. Quarter-boards
//! are at hand: what they cost depends on how many units share one, which a sample does not show.

use std::time::{Duration, Instant};

use queencount::engine::rows::Rows;
use queencount::engine::rows::profile::{Profile, Step};
use queencount::{BoardSize, CancelToken, Engine, EngineOptions, Kernel, SplitMix64};

/// How long each board is measured.
const TIME: Duration = Duration::from_secs(8);

/// The column sets that are counted of each unit that is drawn.
const SETS: usize = 4;

fn main() {
    let boards: Vec<u32> = std::env::args()
        .filter_map(|argument| argument.parse().ok())
        .collect();
    let boards = if boards.is_empty() {
        vec![18, 20, 22, 24, 26, 28]
    } else {
        boards
    };
    let clock = clock();
    println!(
        "kernel {}, about {:.2} cycles a nanosecond",
        Kernel::default().name(),
        clock
    );
    println!(
        "for a solution: pairs of half-boards, those looked up, half-boards made; and cycles for each step"
    );
    println!(
        " N    pairs  looked up  made    cycles = made + ranked + sorted + blocks + lookups + short lists"
    );
    let measured: Vec<(u32, Profile)> = boards.iter().map(|&n| (n, measure(n, clock))).collect();
    println!(
        "cycles for making and for sorting a half-board, for a block, for a lookup; lookups a block"
    );
    println!(" N   made  sorted   block  lookup  lookups a block");
    for (n, profile) in measured {
        let cycles = |step: Step, things: u64| {
            profile.time(step).as_nanos() as f64 * clock / things.max(1) as f64
        };
        println!(
            "{n:2}  {:5.1}  {:6.1}  {:6.0}  {:6.2}  {:15.0}",
            cycles(Step::Combine, profile.half_boards),
            cycles(Step::Sort, profile.half_boards),
            cycles(Step::Blocks, profile.blocks),
            cycles(Step::LookUp, profile.lookups),
            profile.lookups as f64 / profile.blocks.max(1) as f64,
        );
    }
}

/// Measures random column sets of a board, and prints what they took for a solution.
fn measure(n: u32, clock: f64) -> Profile {
    let engine = Rows::new(BoardSize::new(n).expect("a board"), EngineOptions::new());
    let (mut random, stop) = (SplitMix64::new(n.into()), CancelToken::new());
    let (mut profile, mut solutions, start) = (Profile::default(), 0, Instant::now());
    while start.elapsed() < TIME {
        let unit = random.below(engine.units());
        for _ in 0..SETS {
            let probe = engine
                .measure(unit, &mut random, &mut profile, &stop)
                .expect("nobody stops it");
            solutions += probe.count;
        }
    }
    let solutions = solutions as f64;
    const STEPS: [Step; 6] = [
        Step::Combine,
        Step::Rank,
        Step::Sort,
        Step::Blocks,
        Step::LookUp,
        Step::Direct,
    ];
    let cycles = STEPS.map(|step| profile.time(step).as_nanos() as f64 * clock / solutions);
    let steps = cycles.map(|cycles| format!("{cycles:.2}")).join(" + ");
    println!(
        "{n:2}  {:7.0}  {:9.1}  {:.4}  {:.2} = {steps}",
        profile.pairs as f64 / solutions,
        512.0 * profile.lookups as f64 / solutions,
        profile.half_boards as f64 / solutions,
        cycles.iter().sum::<f64>(),
    );
    profile
}

/// About the cycles of a nanosecond: a multiplication and an addition that wait for each other take
/// four.
fn clock() -> f64 {
    const ROUNDS: u64 = 20_000_000;
    let factor = std::hint::black_box(0x9e37_79b9_7f4a_7c15);
    let fastest = (0..5).map(|_| {
        let start = Instant::now();
        std::hint::black_box((0..ROUNDS).fold(1u64, |value, round| {
            value.wrapping_mul(factor).wrapping_add(round)
        }));
        start.elapsed()
    });
    4.0 * ROUNDS as f64 / fastest.min().expect("five times").as_nanos() as f64
}
