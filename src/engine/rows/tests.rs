//! Tests the engine as a whole.

mod large;
pub(super) mod stopped;
mod tie;

use super::*;
use crate::count::Counter;
use crate::engine::rows::theory::core::Core;
use crate::known::oeis_a000170;

pub(super) fn rows(n: u32, middle_rows: u32) -> Rows {
    let size = BoardSize::new(n).unwrap();
    Rows::with_middle_rows(size, middle_rows, EngineOptions::default())
}

pub(super) fn default_rows(n: u32) -> Rows {
    rows(n, Rows::middle_rows(n))
}

impl Rows {
    /// Returns the column sets of a unit, or none if its core is dropped.
    pub(super) fn column_sets(&self, unit: u64) -> Vec<ColumnSet> {
        let CoreTile { core, tile } = self.numbering.unit(unit);
        self.numbering.core(core).map_or(vec![], |core| {
            let tiling = self.numbering.tiling(core.symmetry.images);
            tiling.column_sets(tile).collect()
        })
    }

    /// Draws a unit, with a probability proportional to its expected time.
    pub(super) fn random_unit(&self, random: &mut SplitMix64) -> u64 {
        self.unit_at(random.unit_interval())
    }

    pub(super) fn core(&self, unit: u64) -> Option<Core> {
        self.numbering.core(self.numbering.unit(unit).core)
    }

    /// Returns the queens of a unit's core, sorted by row.
    pub(super) fn queens(&self, unit: u64) -> Option<Vec<(u32, u32)>> {
        let mut queens = self.numbering.queens(self.numbering.unit(unit).core)?;
        queens.sort_unstable();
        Some(queens)
    }
}

/// Returns all pairs of an N up to `largest` and a number of middle rows whose queens have at
/// most `placements` choices of columns.
pub(super) fn boards(largest: u32, placements: u64) -> impl Iterator<Item = (u32, u32)> {
    (4..=largest)
        .flat_map(|n| (n % 2..n - 1).step_by(2).map(move |k| (n, k)))
        .filter(move |&(n, middle_rows)| {
            (n - middle_rows + 1..=n).map(u64::from).product::<u64>() <= placements
        })
}

/// Samples some units, and returns the one with the most solutions.
pub(super) fn largest_unit(engine: &dyn Engine) -> u64 {
    (0..engine.units())
        .step_by(engine.units().div_ceil(1000) as usize)
        .max_by_key(|&unit| engine.count(unit, &CancelToken::new()).unwrap())
        .unwrap()
}

pub(super) fn is_long() -> bool {
    std::env::var_os("QUEENCOUNT_LONG").is_some()
}

#[test]
fn every_middle_row_count_gives_published_total() {
    // If almost all rows were middle rows, N = 13 and 14 would have billions of cores, most of
    // them without solutions.
    for (n, middle_rows) in boards(14, if is_long() { 1 << 28 } else { 1 << 20 }) {
        let engine = rows(n, middle_rows);
        let total = Counter::new()
            .threads(if is_long() { 0 } else { 1 })
            .count(&engine);
        assert_eq!(total.ok(), oeis_a000170(n), "{engine:?}");
    }
}

#[test]
fn parts_match_their_recounts_and_sum_to_unit() {
    let stop = CancelToken::new();
    let check = |engine: &Rows, unit: u64| {
        let mut sum = 0;
        for part in 0..engine.parts(unit) {
            let count = engine.count_part(unit, part, &stop);
            assert_eq!(
                count,
                engine.recount_part(unit, part, &stop),
                "{engine:?}, unit {unit}"
            );
            sum += count.unwrap();
        }
        assert_eq!(
            engine.count(unit, &stop),
            Ok(sum),
            "{engine:?}, unit {unit}"
        );
        engine.parts(unit)
    };
    for (n, middle_rows) in boards(10, 1 << 18) {
        let engine = rows(n, middle_rows);
        (0..engine.units()).for_each(|unit| _ = check(&engine, unit));
    }
    // A whole tile of 32 x 32 column sets.
    let numbering = Numbering::new(16, 2, 32);
    let engine = Rows {
        numbering,
        ..rows(16, 2)
    };
    let unit = (engine.unit_at(0.5)..)
        .find(|&unit| engine.column_sets(unit).len() == 1024)
        .unwrap();
    assert_eq!(check(&engine, unit), 1024);
}

#[test]
#[should_panic(expected = "no such part of unit 30: 256")]
fn counting_part_out_of_range_panics() {
    let engine = rows(18, 0);
    assert_eq!(engine.parts(30), 256);
    let _ = engine.count_part(30, 256, &CancelToken::new());
}

/// Returns all ways to place one queen in each of these rows, in some of these columns, so that no
/// two queens attack each other.
pub(super) fn placements(
    rows: impl IntoIterator<Item = u32>,
    columns: u64,
    n: u32,
) -> Vec<Vec<(u32, u32)>> {
    let mut placed = vec![Vec::new()];
    for row in rows {
        let mut longer = Vec::new();
        for queens in &placed {
            for square in (0..n).map(|column| (row, column)) {
                let is_free = columns >> square.1 & 1 == 1;
                if is_free && queens.iter().all(|&queen| !attack(queen, square)) {
                    longer.push([queens.as_slice(), &[square]].concat());
                }
            }
        }
        placed = longer;
    }
    placed
}

fn attack((row, column): (u32, u32), (other_row, other_column): (u32, u32)) -> bool {
    column == other_column || row.abs_diff(other_row) == column.abs_diff(other_column)
}
