//! Compares the engine's counts on large boards, up to N = 32, with recounts, and checks that the
//! counts do not depend on the kernel, the memory limit or the number of middle rows.

use std::collections::BTreeMap;
use std::time::Instant;

use super::core_lists::CoreLists;
use super::*;
use crate::count::Counter;
use crate::engine::rows::recount::units::tests::boards;

fn plan(n: u32, kernel: Kernel, memory: u64) -> Rows {
    let options = EngineOptions::new()
        .kernel(kernel)
        .memory_per_thread(memory);
    Rows::new(BoardSize::new(n).unwrap(), options)
}

/// Returns a random unit, with a probability proportional to the unit's expected time.
fn heavy_unit(engine: &Rows, random: &mut SplitMix64) -> u64 {
    let work = random.unit_interval();
    let mut from = 0;
    let mut to = engine.units();
    while to - from > 1 {
        let middle = from + (to - from) / 2;
        if engine.cumulative_work(middle) <= work {
            from = middle
        } else {
            to = middle
        }
    }
    from
}

#[test]
fn parts_with_long_lists_match_with_every_kernel() {
    let long = std::env::var_os("QUEENCOUNT_LONG").is_some();
    let stop = CancelToken::new();
    for n in (18..=28).chain([30, 32]) {
        let engines: Vec<Rows> = Kernel::available()
            .into_iter()
            .map(|kernel| plan(n, kernel, Rows::DEFAULT_MEMORY_PER_THREAD))
            .collect();
        let mut random = SplitMix64::new(n.into());
        for _ in 0..if long { 20 } else { 1 } {
            // Draw several random parts, and take the one with the most solutions. For N = 26,
            // which has only two middle rows, a part takes ten times as long as on other boards.
            let draws = if n == 26 && !long { 2 } else { 8 };
            let drawn = (0..draws).map(|_| {
                let unit = heavy_unit(&engines[0], &mut random);
                let part = random.below(engines[0].parts(unit));
                let count = engines[0].count_part(unit, part, &stop).unwrap();
                (count, unit, part)
            });
            let (count, unit, part) = drawn.max().unwrap();
            assert_eq!(
                engines[0].recount_part(unit, part, &stop),
                Ok(count),
                "N = {n}, unit {unit}, part {part}"
            );
            for engine in &engines {
                let kernel = engine.kernel;
                assert_eq!(
                    engine.count_part(unit, part, &stop),
                    Ok(count),
                    "N = {n}, unit {unit}, part {part}, {kernel:?}"
                );
            }
        }
    }
}

/// Chooses a random core such that neither this core nor the next one is dropped. Returns its first
/// unit.
fn two_cores(engine: &Rows) -> u64 {
    let mut random = SplitMix64::new(engine.size.get().into());
    loop {
        let unit = heavy_unit(engine, &mut random);
        let number = engine.numbering.unit(unit).core;
        let [Some(core), Some(_)] =
            [number, number + 1].map(|number| engine.numbering.core(number))
        else {
            continue;
        };
        let tiles = engine.numbering.tiling(core.symmetry.images).tiles().len() as u64;
        let first = (0..=unit)
            .rev()
            .take_while(|&unit| engine.numbering.unit(unit).core == number)
            .last()
            .unwrap();
        if first + tiles < engine.units() {
            return first;
        }
    }
}

/// Returns the number of tiles per core, which must be the same for all cores.
fn tiles(engine: &Rows) -> u64 {
    engine.units() / engine.numbering.cores()
}

/// Counts consecutive units with a single worker, and compares each count with the sum of the
/// unit's parts, counted by a new worker.
fn check_units(engine: &Rows, units: Range<u64>) {
    let stop = CancelToken::new();
    let counts: Vec<u128> = units
        .clone()
        .map(|unit| engine.count(unit, &stop).unwrap())
        .collect();
    let sums = units.clone().map(|number| {
        engine.idle.lock().unwrap().clear();
        let unit = engine.numbering.unit(number);
        let counts = engine.listing().parts(number).into_iter().map(|part| {
            let [a, d] = part.sets;
            let images = part.images[1];
            let set = ColumnSet { a, d, images };
            engine
                .with_worker(unit, |worker| {
                    worker.count_part(engine.context(&stop), unit, set)
                })
                .unwrap()
        });
        counts.sum()
    });
    let sums: Vec<u128> = sums.collect();
    assert_eq!(counts, sums, "N = {}, units {units:?}", engine.size);
}

#[test]
fn tiles_of_large_boards_count_what_their_parts_do() {
    for n in [24, 26, 27, 28, 32] {
        let engine = plan(n, Kernel::default(), Rows::DEFAULT_MEMORY_PER_THREAD);
        let first = two_cores(&engine);
        let tiles = tiles(&engine);
        // Check the tiles of column sets with at most one column, the last tile of a core, tiles
        // that are clipped in one or both directions, and whole tiles.
        let Numbering {
            half, tile_side, ..
        } = engine.numbering;
        let across = u64::from((half * (half - 1) / 2).div_ceil(tile_side));
        let clipped = [1 + across, 1 + across * across];
        let whole = if n == 24 { vec![7, 8] } else { vec![] };
        for tile in clipped.into_iter().chain(whole) {
            check_units(&engine, first + tile..first + tile + 1);
        }
        // These units belong to two cores. For N = 28, one of them is a whole tile.
        check_units(
            &engine,
            first + tiles - 2..first + tiles + if n == 28 { 3 } else { 2 },
        );
        let [sides, both] = clipped.map(|tile| engine.parts(first + tile));
        let side = u64::from(tile_side);
        assert!(
            both < sides && sides < side * side,
            "N = {n}: {sides} and {both} parts are not clipped"
        );
    }
}

#[test]
fn tasks_across_cores_count_what_parts_do() {
    // A tile has up to 36 column sets on the first board, and up to 1024 on the second.
    for (n, middle_rows, side, first, tasks) in [(12, 4, 16, 3000, 30), (16, 2, 32, 72, 2)] {
        let rows = Rows::with_middle_rows(
            BoardSize::new(n).unwrap(),
            middle_rows,
            EngineOptions::new(),
        );
        let engine = Rows {
            numbering: Numbering::new(n, middle_rows, side),
            ..rows
        };
        (0..tasks)
            .map(|task| first + 16 * task)
            .for_each(|start| check_units(&engine, start..start + 16));
    }
}

#[test]
fn parts_of_a_tile_of_1024_sets_have_own_numbers() {
    let size = BoardSize::new(16).unwrap();
    let rows = Rows::with_middle_rows(size, 2, EngineOptions::new());
    let engine = Rows {
        numbering: Numbering::new(16, 2, 32),
        ..rows
    };
    let first = two_cores(&engine);
    let stop = CancelToken::new();
    let unit = (first..first + tiles(&engine))
        .max_by_key(|&unit| engine.parts(unit))
        .unwrap();
    let parts = engine.parts(unit);
    assert!(parts > 512, "unit {unit} has {parts} parts");
    let counts: Vec<u128> = (0..parts)
        .map(|part| engine.count_part(unit, part, &stop).unwrap())
        .collect();
    let recounts: Vec<u128> = (0..parts)
        .map(|part| engine.recount_part(unit, part, &stop).unwrap())
        .collect();
    assert_eq!(counts, recounts);
    assert_eq!(Ok(counts.iter().sum()), engine.count(unit, &stop));
    assert_ne!(
        counts[..512].iter().sum::<u128>(),
        counts[512..].iter().sum()
    );
}

type UnitPart = (u64, u64);

/// Returns one part per core, all with the same tile and column set, such that the counts of
/// consecutive cores differ.
fn part_of_each(engine: &Rows, cores: &[u64], random: &mut SplitMix64) -> Vec<UnitPart> {
    let tiles = tiles(engine);
    loop {
        // Avoid the tiles with the longest lists.
        let tile = tiles / 3 + random.below(tiles / 20);
        let part = random.below(engine.parts(cores[0] * tiles + tile));
        let parts: Vec<UnitPart> = cores
            .iter()
            .map(|core| (core * tiles + tile, part))
            .collect();
        let counts: Vec<u128> = parts.iter().map(|&part| alone(engine, part)).collect();
        if counts.windows(2).all(|pair| pair[0] != pair[1]) {
            return parts;
        }
    }
}

fn alone(engine: &Rows, (unit, part): UnitPart) -> u128 {
    engine.idle.lock().unwrap().clear();
    engine.count_part(unit, part, &CancelToken::new()).unwrap()
}

/// Counts all parts forwards, backwards and in random order with a single worker, and checks that
/// it agrees with new workers that each count only one part.
fn check_one_worker(engine: &Rows, parts: &[UnitPart]) {
    let alone: Vec<u128> = parts.iter().map(|&part| alone(engine, part)).collect();
    assert!(
        alone.iter().any(|count| *count > 0),
        "N = {}, {parts:?}",
        engine.size
    );
    engine.idle.lock().unwrap().clear();
    let mut random = SplitMix64::new(engine.size.get().into());
    let drawn = (0..parts.len()).map(|_| random.below(parts.len() as u64) as usize);
    for at in (0..parts.len()).chain((0..parts.len()).rev()).chain(drawn) {
        let (unit, part) = parts[at];
        let count = engine.count_part(unit, part, &CancelToken::new());
        assert_eq!(
            count,
            Ok(alone[at]),
            "N = {}, unit {unit}, part {part} of {parts:?}",
            engine.size
        );
    }
}

#[test]
fn worker_tells_cores_of_the_same_diagonals_apart() {
    // Test narrow words, wide words, and both in turn.
    for (n, middle_rows) in [(20, 4), (25, 3)] {
        let size = BoardSize::new(n).unwrap();
        let engine = Rows::with_middle_rows(size, middle_rows, EngineOptions::new());
        let mut by_diagonals: BTreeMap<_, Vec<u64>> = BTreeMap::new();
        for number in 0..engine.numbering.cores().min(20_000) {
            if let Some(core) = engine.numbering.core(number) {
                by_diagonals
                    .entry(core.relevant())
                    .or_default()
                    .push(number);
            }
        }
        let wide = by_diagonals
            .iter()
            .filter(|(diagonals, _)| diagonals.count_ones() > u32::BITS);
        let wide: Vec<u64> = wide.map(|(_, numbers)| numbers[0]).collect();
        let alike = by_diagonals.values().filter(|numbers| numbers.len() > 1);
        let mut random = SplitMix64::new(n.into());
        for alike in alike.take(3) {
            let other = wide[random.below(wide.len() as u64) as usize];
            let parts = part_of_each(&engine, &[alike[0], alike[1], other, alike[0]], &mut random);
            check_one_worker(&engine, &parts);
        }
    }
}

#[test]
fn worker_tells_cores_of_similar_numbers_apart() {
    let engine = plan(32, Kernel::default(), Rows::DEFAULT_MEMORY_PER_THREAD);
    let mut random = SplitMix64::new(1);
    let cores = engine.numbering.cores();
    // Two core indices differ either by the distance between two leads or in a single bit.
    let orders: u64 = (25..=30).product();
    for apart in [orders, 1, 1 << 8, 1 << 12, 1 << 16, 1 << 24, 1 << 32] {
        let pair = loop {
            // The first cores have middle-row queens far from the centre, so the part has
            // solutions.
            let number = random.below(cores / 4);
            if [number, number + apart]
                .iter()
                .all(|&number| engine.numbering.core(number).is_some())
            {
                break [number, number + apart];
            }
        };
        check_one_worker(&engine, &part_of_each(&engine, &pair, &mut random));
    }
}

#[test]
fn little_memory_changes_no_part() {
    for (n, parts) in [(24, 6), (28, 2)] {
        let engine = plan(n, Kernel::default(), Rows::DEFAULT_MEMORY_PER_THREAD);
        let first = two_cores(&engine);
        let tiles = tiles(&engine);
        // Take tiles from the middle of two neighbouring tiers, where lists are longest, then a
        // tile of a different core, and then the first tile again.
        let units = [tiles / 2, tiles / 3, tiles + tiles / 2, tiles / 2].map(|tile| first + tile);
        let drawn: Vec<UnitPart> = units
            .into_iter()
            .flat_map(|unit| (0..parts).map(move |part| (unit, 17 * part)))
            .collect();
        let expected: Vec<u128> = drawn.iter().map(|&part| alone(&engine, part)).collect();
        assert!(
            expected.iter().filter(|count| **count > 0).count() > parts as usize,
            "N = {n}: {expected:?}"
        );
        // The engine has memory for all lists, for some of them, or not even for the four lists of
        // one column set.
        for memory in [Rows::DEFAULT_MEMORY_PER_THREAD, 16 << 20, 0] {
            let engine = plan(n, Kernel::default(), memory);
            let counts: Vec<u128> = drawn
                .iter()
                .map(|&(unit, part)| engine.count_part(unit, part, &CancelToken::new()).unwrap())
                .collect();
            assert_eq!(counts, expected, "N = {n}, {drawn:?}, {memory} bytes");
        }
    }
}

#[test]
fn a_list_that_was_half_made_at_a_stop_is_made_anew() {
    let engine = plan(24, Kernel::default(), Rows::DEFAULT_MEMORY_PER_THREAD);
    let first = two_cores(&engine);
    let mut random = SplitMix64::new(1);
    let parts = part_of_each(&engine, &[engine.numbering.unit(first).core], &mut random);
    let (unit, part) = parts[0];
    let start = Instant::now();
    let count = alone(&engine, parts[0]);
    let lasts = start.elapsed();
    for after in 0..24 {
        engine.idle.lock().unwrap().clear();
        let stop = CancelToken::new();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(lasts * after / 24);
                stop.cancel();
            });
            let stopped = engine.count_part(unit, part, &stop);
            assert!(
                [Ok(count), Err(EngineError::Cancelled)].contains(&stopped),
                "{stopped:?}"
            );
        });
        assert_eq!(
            engine.count_part(unit, part, &CancelToken::new()),
            Ok(count),
            "after a stop at {after}/24"
        );
    }
    let stopped = CancelToken::new();
    let stop = CancelToken::new();
    stopped.cancel();
    let core = engine
        .numbering
        .core(engine.numbering.unit(unit).core)
        .unwrap();
    let mut lists = CoreLists::<u64>::new(core.half, usize::MAX);
    lists.prepare(&core);
    for quarter in 0..4 {
        let columns = 0b11_1011_0110;
        assert_eq!(
            lists.find(engine.context(&stopped), &core, quarter, columns),
            Err(EngineError::Cancelled)
        );
        assert_eq!(
            lists.find(engine.context(&stop), &core, quarter, columns),
            Ok(())
        );
        assert_eq!(lists.lists_found, quarter as u64 + 1);
    }
}

#[test]
fn no_sum_of_a_unit_is_cut_off() {
    // With these weights, a unit's count exceeds 2^52, and for N = 15 the total exceeds 2^64.
    const TIMES: u64 = 1 << 44;
    for (n, middle_rows) in [(15, 1), (14, 0), (14, 2), (13, 3)] {
        for kernel in Kernel::available() {
            let [engine, mut heavy] = [0; 2].map(|_| {
                Rows::with_middle_rows(
                    BoardSize::new(n).unwrap(),
                    middle_rows,
                    EngineOptions::new().kernel(kernel),
                )
            });
            heavy.numbering = heavy.numbering.heavier(TIMES);
            let stop = CancelToken::new();
            let unit = (0..40)
                .map(|i| engine.units() * i / 40)
                .max_by_key(|&unit| engine.count(unit, &stop).unwrap())
                .unwrap();
            let count = engine.count(unit, &stop).unwrap() * u128::from(TIMES);
            assert!(
                count > 1 << 52 && heavy.count(unit, &stop) == Ok(count),
                "N = {n}, unit {unit}"
            );
            let expected = crate::known::oeis_a000170(n).map(|total| total * u128::from(TIMES));
            assert!(expected > Some(1 << if n == 15 { 64 } else { 59 }));
            assert_eq!(
                Counter::default().threads(1).count(&heavy).ok(),
                expected,
                "N = {n}"
            );
        }
    }
}

/// Adds up the counts of all cores with the same queens in the inner `fewer` middle rows, and
/// returns the sums.
fn counts_of_cores(n: u32, middle_rows: u32, fewer: u32) -> BTreeMap<Vec<(u32, u32)>, u128> {
    let engine = Rows::with_middle_rows(
        BoardSize::new(n).unwrap(),
        middle_rows,
        EngineOptions::new(),
    );
    let mut counts = BTreeMap::new();
    for unit in 0..engine.units() {
        let count = engine.count(unit, &CancelToken::new()).unwrap();
        if let Some(core) = engine
            .numbering
            .core(engine.numbering.unit(unit).core)
            .filter(|_| count > 0)
        {
            let mut queens = core.queens;
            queens.sort_unstable();
            let outer = (middle_rows - fewer) as usize / 2;
            *counts
                .entry(queens[outer..queens.len() - outer].to_vec())
                .or_default() += count;
        }
    }
    counts
}

#[test]
fn a_core_counts_what_its_extensions_count() {
    // Even the smaller cores include the rows that the weights depend on: two for even N, and three
    // for odd N.
    for (n, middle_rows) in boards(11, 1 << 18).filter(|(n, middle_rows)| *middle_rows > 2 + n % 2)
    {
        let fewer = middle_rows - 2;
        let [cores, extensions] =
            [fewer, middle_rows].map(|middle_rows| counts_of_cores(n, middle_rows, fewer));
        assert!(!cores.is_empty());
        assert_eq!(
            cores, extensions,
            "N = {n}, {fewer} and {middle_rows} middle rows"
        );
    }
}

/// Compares a random core of a large board with all cores that extend it by two rows. Half-boards,
/// tiles, words and lists differ, but the total count must be the same. The command that runs this
/// test is in `docs/results.md`.
#[test]
#[ignore = "takes minutes per core; N, MIDDLE_ROWS and SEED select it"]
fn random_core_counts_what_its_extensions_count() {
    let set = |name: &str| std::env::var(name).unwrap().parse::<u64>().unwrap();
    let [n, middle_rows] = ["N", "MIDDLE_ROWS"].map(|name| set(name) as u32);
    let mut random = SplitMix64::new(set("SEED"));
    let engine = |middle_rows| {
        Rows::with_middle_rows(
            BoardSize::new(n).unwrap(),
            middle_rows,
            EngineOptions::new(),
        )
    };
    let counted = |middle_rows: u32, cores: &[Vec<(u32, u32)>]| {
        let start = Instant::now();
        let engine = engine(middle_rows);
        let listing = engine.listing();
        let units: Vec<Range<u64>> = cores
            .iter()
            .map(|core| listing.units_of_core(core))
            .collect();
        let count = Counter::default().count_units(&engine, &units).unwrap();
        (count, start.elapsed().as_secs_f64())
    };
    let few = engine(middle_rows);
    let core = loop {
        let unit = heavy_unit(&few, &mut random);
        if let Some(core) = few.numbering.core(few.numbering.unit(unit).core) {
            break core;
        }
    };
    let mut queens = core.queens.clone();
    queens.sort_unstable();
    let first = (n - middle_rows) / 2 - 1;
    let squares = |row: u32| (0..n).map(move |column| (row, column));
    let free = |queens: &[(u32, u32)], square: (u32, u32)| {
        queens
            .iter()
            .all(|&queen| !recount::units::attack(queen, square))
    };
    let mut extensions = Vec::new();
    for upper in squares(first).filter(|&upper| free(&queens, upper)) {
        let above = [&[upper], queens.as_slice()].concat();
        let lower = squares(n - 1 - first).filter(|&lower| free(&above, lower));
        extensions.extend(lower.map(|lower| [above.as_slice(), &[lower]].concat()));
    }
    let (count, seconds) = counted(middle_rows, &[queens.clone()]);
    let (again, more_seconds) = counted(middle_rows + 2, &extensions);
    let columns: Vec<u32> = queens.iter().map(|queen| queen.1).collect();
    println!(
        "| {n} | {columns:?} | {count} | {middle_rows}: {seconds:.0} s | {}: \
         {} cores, {more_seconds:.0} s |",
        middle_rows + 2,
        extensions.len()
    );
    assert_eq!(count, again, "N = {n}, middle rows in columns {columns:?}");
}
