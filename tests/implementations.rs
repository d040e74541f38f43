//! Runs the same table of boards through every implementation: every engine and kernel, any number
//! of threads, and any division of the plan.
//!
//! Totals are compared with the published values, and units with their recount. Tests that this CPU cannot run are shown as ignored.

mod common;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock};

use libtest_mimic::{Arguments, Trial};
use queencount::engine::SplitMix64;
use queencount::record::Shard;
use queencount::{
    Backend, BoardSize, CancelToken, Counter, Engine, EngineChoice, EngineError, EngineOptions,
    Kernel, plain,
};

/// An implementation of counting: a kernel of the `rows` engine, or backtracking.
#[derive(Clone, Copy)]
struct Implementation(Option<Kernel>);

/// Boards, and the number of their units counted with little and with much memory.
const LITTLE_MEMORY: [(u32, u32); 2] = [(17, 2), (18, 1)];

/// Boards, and the number of their units counted with each kernel and with the portable one;
/// followed by the boards for long tests.
const LARGE: [(u32, u32); 2] = [(19, 1), (21, 1)];
const MORE_LARGE: [(u32, u32); 6] = [(19, 10), (20, 2), (21, 4), (23, 1), (24, 1), (26, 2)];

impl Implementation {
    const BACKTRACK: Self = Self(None);

    fn is_backtrack(self) -> bool {
        self.0.is_none()
    }

    /// Returns the smallest board that the implementation counts.
    fn smallest(self) -> u32 {
        if self.is_backtrack() { 1 } else { 4 }
    }

    fn name(self) -> &'static str {
        self.0.map_or("backtrack", Kernel::name)
    }

    fn engine(self, n: u32) -> Box<dyn Engine> {
        self.engine_with(n, EngineOptions::default())
    }

    fn engine_with(self, n: u32, options: EngineOptions) -> Box<dyn Engine> {
        let size = BoardSize::new(n).unwrap();
        let engine = match self.0 {
            Some(kernel) => EngineChoice::Rows.build(size, options.kernel(kernel)),
            None => EngineChoice::Backtrack.build(size, options),
        };
        assert_eq!(
            engine.backend().map_or(engine.name(), Backend::name),
            self.name(),
            "N = {n}: another implementation counts"
        );
        engine
    }
}

/// A property that each implementation of a group must have.
type Property = (Group, &'static str, fn(Implementation));

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    /// Every implementation.
    All,
    /// Every kernel of the `rows` engine.
    Rows,
    /// Every kernel except the portable one, with which they are compared.
    Compared,
}

const PROPERTIES: [Property; 6] = [
    (
        Group::All,
        "totals_are_correct_for_any_threads_and_division",
        totals,
    ),
    (
        Group::All,
        "totals_of_larger_boards_match_published",
        larger_totals,
    ),
    (Group::All, "units_match_their_recounts", units),
    (
        Group::All,
        "random_units_of_larger_boards_match_recounts",
        random_units,
    ),
    (
        Group::Rows,
        "unit_counts_do_not_depend_on_memory_limit",
        little_memory,
    ),
    (
        Group::Compared,
        "units_of_large_boards_match_portable_kernel",
        large_units,
    ),
];

fn main() {
    let mut all = trials("backtrack", Group::All, Some(Implementation::BACKTRACK));
    for name in Kernel::names() {
        let group = if name == "portable" {
            Group::Rows
        } else {
            Group::Compared
        };
        let implementation = name.parse().ok().map(|kernel| Implementation(Some(kernel)));
        all.extend(trials(&format!("rows::{name}"), group, implementation));
    }
    for (name, count) in PLAIN {
        let name = format!("plain::{name}::totals_of_small_boards_match_published");
        all.push(Trial::test(name, move || {
            for n in 1..=11 {
                let total = count(BoardSize::new(n).unwrap());
                assert_eq!(total, common::published(n), "N = {n}");
            }
            Ok(())
        }));
    }
    all.push(Trial::test("oracle::totals_match_published", || {
        for n in 1..=9 {
            let total = common::solutions(n).len() as u128;
            assert_eq!(total, common::published(n), "N = {n}");
        }
        Ok(())
    }));
    libtest_mimic::run(&Arguments::from_args(), all).exit();
}

/// Returns a test for each property that the implementation must have. It is ignored if this CPU
/// cannot run the implementation.
fn trials(name: &str, group: Group, implementation: Option<Implementation>) -> Vec<Trial> {
    let note = match implementation {
        Some(_) => "",
        None => " (this processor cannot run it)",
    };
    PROPERTIES
        .iter()
        .filter(|(of, ..)| *of <= group)
        .map(|(_, property, check)| {
            let trial = Trial::test(format!("{name}::{property}{note}"), move || {
                check(implementation.expect("only available implementations are run"));
                Ok(())
            });
            trial.with_ignored_flag(implementation.is_none())
        })
        .collect()
}

/// A minimal implementation, by name.
type Plain = (&'static str, fn(BoardSize) -> u128);

/// The minimal implementations.
const PLAIN: [Plain; 3] = [
    ("recursion", plain::recursion),
    ("backtrack", plain::backtrack),
    ("meet", plain::meet),
];

/// Divisions of a plan into parts that are counted separately. Each part has one or more ranges of
/// units.
fn cuts(engine: &dyn Engine) -> [Vec<Vec<Range<u64>>>; 3] {
    let units = engine.units();
    let (third, half) = (units / 3, units / 2);
    [
        vec![vec![0..units]],
        (1..=3)
            .map(|part| vec![Shard::new(part, 3).unwrap().units(engine)])
            .collect(),
        vec![vec![half..units, 0..third], vec![], vec![third..half]],
    ]
}

fn total(engine: &dyn Engine, threads: usize, cut: &[Vec<Range<u64>>]) -> u128 {
    cut.iter()
        .map(|part| {
            Counter::new()
                .threads(threads)
                .count_units(engine, part)
                .unwrap()
        })
        .sum()
}

fn totals(implementation: Implementation) {
    for n in implementation.smallest()..=14 {
        let expected = common::published(n);
        let engine = implementation.engine(n);
        for threads in [1, 2, 3, 8] {
            for cut in cuts(&*engine) {
                let found = total(&*engine, threads, &cut);
                assert_eq!(found, expected, "N = {n}, {threads} threads, cut {cut:?}");
            }
        }
    }
}

fn published_total(implementation: Implementation, n: u32, threads: usize) {
    let engine = implementation.engine(n);
    let found = total(&*engine, threads, &cuts(&*engine)[0]);
    assert_eq!(found, common::published(n), "N = {n}, {threads} threads");
}

fn larger_totals(implementation: Implementation) {
    // Backtracking divides the units of N = 16 among the threads.
    published_total(implementation, 16, 3);
    published_total(implementation, 15, 2);
    let most = if implementation.is_backtrack() {
        17
    } else {
        20
    };
    for n in (15..=most).filter(|_| common::long()) {
        for threads in [1, 2, 3, 8] {
            published_total(implementation, n, threads);
        }
    }
}

/// Runs counts that do not depend on the kernel only once, however many kernels are compared with
/// them. The name `way` identifies `count`.
fn once(
    way: &'static str,
    engine: &dyn Engine,
    unit: u64,
    count: fn(&dyn Engine, u64) -> Result<u128, EngineError>,
) -> u128 {
    type Counted = Arc<OnceLock<u128>>;
    type Unit = (&'static str, &'static str, BoardSize, u64);
    static ALL: Mutex<BTreeMap<Unit, Counted>> = Mutex::new(BTreeMap::new());
    let counted = Counted::clone(
        ALL.lock()
            .unwrap()
            .entry((way, engine.name(), engine.size(), unit))
            .or_default(),
    );
    *counted.get_or_init(|| count(engine, unit).expect("nobody stops it"))
}

/// Compares a unit's count with its recount.
fn recounted(engine: &dyn Engine, unit: u64) {
    let again = once("recounted", engine, unit, |engine, unit| {
        engine.recount(unit, &CancelToken::new())
    });
    assert_eq!(
        engine.count(unit, &CancelToken::new()),
        Ok(again),
        "N = {}, unit {unit}",
        engine.size()
    );
}

fn units(implementation: Implementation) {
    for n in implementation.smallest()..=12 {
        let engine = implementation.engine(n);
        (0..engine.units()).for_each(|unit| recounted(&*engine, unit));
    }
}

fn random_units(implementation: Implementation) {
    let times = if common::long() { 10 } else { 1 };
    let units: &[u64] = if implementation.is_backtrack() {
        &[20, 4, 1]
    } else {
        &[40, 40, 20, 10, 2, 2]
    };
    let mut random = SplitMix64::new(9);
    for (n, units) in (13..).zip(units) {
        let engine = implementation.engine(n);
        for _ in 0..units * times {
            recounted(&*engine, random.below(engine.units()));
        }
    }
}

/// Compares random units with the counts of another implementation.
fn same_units(
    engine: &dyn Engine,
    way: &'static str,
    other: &dyn Engine,
    units: u32,
    random: &mut SplitMix64,
) {
    assert_eq!(engine.units(), other.units());
    for _ in 0..units {
        let unit = random.below(engine.units());
        let other = once(way, other, unit, |engine, unit| {
            engine.count(unit, &CancelToken::new())
        });
        assert_eq!(
            engine.count(unit, &CancelToken::new()),
            Ok(other),
            "N = {}, unit {unit}",
            engine.size()
        );
    }
}

fn little_memory(implementation: Implementation) {
    let times = if common::long() { 8 } else { 1 };
    let mut random = SplitMix64::new(20);
    for (n, units) in LITTLE_MEMORY {
        let large = implementation.engine(n);
        let small = implementation.engine_with(n, EngineOptions::new().memory_per_thread(1 << 20));
        assert!(small.memory(1) <= large.memory(1), "N = {n}");
        same_units(
            &*small,
            implementation.name(),
            &*large,
            units * times,
            &mut random,
        );
    }
}

fn large_units(implementation: Implementation) {
    let boards = if common::long() {
        &MORE_LARGE[..]
    } else {
        &LARGE
    };
    let portable = Implementation(Some("portable".parse().unwrap()));
    let mut random = SplitMix64::new(27);
    for &(n, units) in boards {
        same_units(
            &*implementation.engine(n),
            portable.name(),
            &*portable.engine(n),
            units,
            &mut random,
        );
    }
}
