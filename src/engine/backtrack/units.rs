//! The units of the backtracking engine: placements in the first rows, numbered in lexicographic
//! order.
//!
//! Of a solution and its left-right mirror image, the engine finds only the one whose first queen
//! (or second, if the first is in the middle column) is in the left half:
//!
//! ```text
//!   N = 8, first row   Q Q Q Q . . . .        N = 7   Q Q Q . . . .   or   . . . Q . . .
//!   second row         anywhere                       anywhere             Q Q . . . . .
//! ```

use crate::board::{BoardSize, Row, bits};

/// The units of a board, which are not stored individually. A unit's queens are found by counting
/// the units before it, row by row.
#[derive(Debug)]
pub(super) struct Units {
    size: BoardSize,
    /// The number of rows that each unit fills; 0 for N = 1.
    pub rows: u32,
    /// The pairs of queens in the first two rows, with each queen as a single bit.
    pairs: Vec<[u64; 2]>,
    /// For each pair, its first unit.
    starts: Vec<u64>,
    /// For each pair, the fraction of the total work that precedes its units.
    work: Vec<f64>,
}

impl Units {
    /// Plans units that fill the first `rows` rows; `rows` is 0 for N = 1, and at least 2 on other
    /// boards.
    pub(super) fn new(size: BoardSize, rows: u32) -> Self {
        let pairs = pairs(size);
        let mut starts = Vec::with_capacity(pairs.len() + 1);
        let mut work = Vec::with_capacity(pairs.len() + 1);
        let mut start = 0;
        let mut before = 0.0;
        for &pair in &pairs {
            starts.push(start);
            work.push(before);
            start += placements(row_below(size, &pair), rows.saturating_sub(2));
            before += cost(size, pair);
        }
        starts.push(start);
        work.push(before);
        work.iter_mut().for_each(|work| *work /= before);
        Self {
            size,
            rows,
            pairs,
            starts,
            work,
        }
    }

    pub(super) fn number(&self) -> u64 {
        self.starts[self.pairs.len()]
    }

    /// Returns the queens of a unit, each as a single bit at its column.
    pub(super) fn queens(&self, unit: u64) -> Vec<u64> {
        assert!(unit < self.number(), "no such unit: {unit}");
        let pair = self.pair(unit);
        let mut to_skip = unit - self.starts[pair];
        let mut queens = self.pairs[pair][..self.rows.min(2) as usize].to_vec();
        let mut row = row_below(self.size, &queens);
        for rows in (0..self.rows.saturating_sub(2)).rev() {
            let mut open = bits(row.open());
            row = loop {
                let queen = open.next().expect("the unit is one of its pair");
                let below = row.place(queen);
                let units = placements(below, rows);
                if to_skip < units {
                    queens.push(queen);
                    break below;
                }
                to_skip -= units;
            };
        }
        queens
    }

    pub(super) fn row_below(&self, unit: u64) -> Row {
        row_below(self.size, &self.queens(unit))
    }

    /// Returns the expected fraction of the total work before this unit. Units with the same first
    /// two queens are assumed to take the same time.
    #[expect(clippy::cast_precision_loss, reason = "a share of the work")]
    pub(super) fn cumulative_work(&self, unit: u64) -> f64 {
        let pair = self.pair(unit);
        if pair == self.pairs.len() {
            return 1.0;
        }
        let start = self.starts[pair];
        let end = self.starts[pair + 1];
        let before = self.work[pair];
        let after = self.work[pair + 1];
        before + (after - before) * ((unit - start) as f64 / (end - start) as f64)
    }

    pub(super) fn memory(&self) -> usize {
        self.pairs.capacity() * size_of::<[u64; 2]>()
            + self.starts.capacity() * size_of::<u64>()
            + self.work.capacity() * size_of::<f64>()
    }

    /// Returns the index of the unit's pair, or the number of pairs if the unit does not exist.
    fn pair(&self, unit: u64) -> usize {
        self.starts.partition_point(|&start| start <= unit) - 1
    }
}

fn pairs(size: BoardSize) -> Vec<[u64; 2]> {
    let n = size.get();
    if n == 1 {
        // The only unit has no queens; this pair is a placeholder.
        return vec![[1, 1]];
    }
    let left_half = size.columns() >> n.div_ceil(2);
    let middle = if n % 2 == 1 { 1 << (n / 2) } else { 0 };
    bits(left_half | middle)
        .flat_map(|upper| {
            let columns = if upper == middle {
                left_half
            } else {
                size.columns()
            };
            let below = Row::first(size).place(upper).open() & columns;
            bits(below).map(move |lower| [upper, lower])
        })
        .collect()
}

fn row_below(size: BoardSize, queens: &[u64]) -> Row {
    queens
        .iter()
        .fold(Row::first(size), |row, &queen| row.place(queen))
}

/// Returns the number of ways to place queens in `rows` rows, starting with `row`.
fn placements(row: Row, rows: u32) -> u64 {
    match rows {
        0 => 1,
        1 => row.open().count_ones().into(),
        2 => {
            let upper = row.open();
            let lower = row.open_below(1);
            // A queen attacks three neighbouring squares in the next row.
            let attacked =
                [lower, lower << 1, lower >> 1].map(|lower| (upper & lower).count_ones());
            (upper.count_ones() * lower.count_ones() - attacked.iter().sum::<u32>()).into()
        }
        _ => bits(row.open())
            .map(|queen| placements(row.place(queen), rows - 1))
            .sum(),
    }
}

/// Returns the expected cost of a pair's units, relative to other pairs. Queens in the middle cost
/// the most, especially on large boards. The formula was fitted to placement counts for N = 12 to
/// 27. With it, the progress shown during a count is accurate to 1%.
fn cost(size: BoardSize, pair: [u64; 2]) -> f64 {
    let n = size.get();
    // The distance from the centre: 0 in the middle, almost 1 at the border.
    let [first, second] =
        pair.map(|queen| f64::from((2 * queen.trailing_zeros() + 1).abs_diff(n)) / f64::from(n));
    let slope = 0.55 * (f64::from(n) / 7.0).ln();
    (-(slope * first * first + (slope - 0.2) * second * second)).exp()
}
