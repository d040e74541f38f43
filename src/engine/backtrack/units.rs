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
    /// The units by their first two queens, followed by an entry for the end.
    pairs: Vec<Pair>,
}

#[derive(Debug)]
struct Pair {
    /// The queens in the first two rows, each as a single bit.
    queens: [u64; 2],
    /// The first unit.
    start: u64,
    /// The fraction of the total work that precedes the units.
    work: f64,
}

impl Units {
    /// Plans units that fill the first `rows` rows; `rows` is 0 for N = 1, and at least 2 on other
    /// boards.
    pub(super) fn new(size: BoardSize, rows: u32) -> Self {
        let first_two = first_two(size);
        let mut pairs = Vec::with_capacity(first_two.len() + 1);
        let mut start = 0;
        let mut work = 0.0;
        for queens in first_two {
            pairs.push(Pair {
                queens,
                start,
                work,
            });
            start += placements(row_below(size, &queens), rows.saturating_sub(2));
            work += cost(size, queens);
        }
        for pair in &mut pairs {
            pair.work /= work;
        }
        pairs.push(Pair {
            queens: [0, 0],
            start,
            work: 1.0,
        });
        Self { size, rows, pairs }
    }

    pub(super) fn number(&self) -> u64 {
        self.pairs[self.pairs.len() - 1].start
    }

    /// Returns the queens of a unit, each as a single bit at its column.
    pub(super) fn queens(&self, unit: u64) -> Vec<u64> {
        assert!(unit < self.number(), "no such unit: {unit}");
        let pair = &self.pairs[self.pair(unit)];
        let mut to_skip = unit - pair.start;
        let mut queens = pair.queens[..self.rows.min(2) as usize].to_vec();
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
        let Some([pair, next]) = self.pairs[self.pair(unit)..].first_chunk() else {
            return 1.0;
        };
        let share = (unit - pair.start) as f64 / (next.start - pair.start) as f64;
        pair.work + (next.work - pair.work) * share
    }

    pub(super) fn memory(&self) -> usize {
        self.pairs.capacity() * size_of::<Pair>()
    }

    /// Returns the index of the unit's pair, or of the end if the unit does not exist.
    fn pair(&self, unit: u64) -> usize {
        self.pairs.partition_point(|pair| pair.start <= unit) - 1
    }
}

/// Returns the queens in the first two rows of all units, each as a single bit.
fn first_two(size: BoardSize) -> Vec<[u64; 2]> {
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
