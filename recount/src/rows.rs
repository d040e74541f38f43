//! The recount of the units of the `rows` engine.
//!
//! - [`Listing`] lists the units, as defined in the proof (`src/engine/rows/README.md`).
//! - The half-boards of a column set are found by backtracking over their rows. There are no
//!   quarter-boards, closed squares or marks: the queens of a half-board determine its weight.
//! - Pairs of half-boards are counted by repeatedly splitting their lists in two. There are no
//!   keys, blocks, tables or SIMD kernels.

#![expect(
    clippy::cast_possible_truncation,
    reason = "numbers of queens, and indices of lists"
)]

mod units;

use std::cmp::{Ordering, Reverse};

use rayon::prelude::*;

pub use self::units::{Listing, Part};
use crate::{Square, Stop, attack, proceed};

impl Listing {
    /// Counts the solutions of a unit on the threads of the current rayon thread pool. Returns
    /// `None` if `stop` returns `true`.
    ///
    /// # Panics
    /// Panics if `unit` is not below [`Listing::units`].
    pub fn count(&self, unit: u64, stop: Stop) -> Option<u128> {
        proceed(stop)?;
        self.parts(unit)
            .into_par_iter()
            .map(|part| part.count(stop))
            .sum()
    }
}

/// The half-boards on one side, indexed by class. Each is stored as a bitmask of the diagonals that
/// it occupies and that cross to the other side.
type ByClass = [Vec<u64>; 3];

impl Part {
    /// Counts the solutions of the part. Returns `None` if `stop` returns `true`.
    pub fn count(&self, stop: Stop) -> Option<u128> {
        proceed(stop)?;
        let tops = self.half_boards(false, stop)?;
        let bottoms = self.half_boards(true, stop)?;
        let mut count = 0;
        for (top, tops) in tops.iter().enumerate() {
            for (bottom, bottoms) in bottoms.iter().enumerate() {
                let weight = self.weight(top, bottom);
                if weight > 0 {
                    count += u128::from(weight) * u128::from(disjoint_pairs(tops, bottoms, stop)?);
                }
            }
        }
        Some(count)
    }

    fn half(&self) -> u32 {
        (self.n - self.core.len() as u32) / 2
    }

    /// Lists the tops or the bottoms.
    fn half_boards(&self, bottom: bool, stop: Stop) -> Option<ByClass> {
        let half = self.half();
        let first = if bottom { self.n - half } else { 0 };
        let open = (first..first + half)
            .map(|row| {
                (0..self.n)
                    .filter(|&column| self.core.iter().all(|&q| !attack(q, (row, column))))
                    .fold(0, |open, column| open | 1 << column)
            })
            .collect();
        let mut search = Backtracking {
            part: self,
            first,
            open,
            queens: vec![],
            found: ByClass::default(),
            stop,
        };
        search.fill(self.columns[usize::from(bottom)], [0, 0], 0)?;
        Some(search.found)
    }

    /// Returns the class of a half-board with these queens. The class determines its weight.
    ///
    /// Without middle rows, the class is the number of queens on main diagonals. Otherwise, it is 0
    /// if S for these queens is less than R, 1 if S equals R, and 2 if S is greater.
    pub fn class(&self, queens: &[Square]) -> usize {
        if self.core.is_empty() {
            return queens
                .iter()
                .filter(|&&(row, column)| row == column || row + column == self.n - 1)
                .count();
        }
        let transposed = queens.iter().map(|&(row, column)| (column, row));
        match self
            .reach(transposed)
            .cmp(&self.reach(self.core.iter().copied()))
        {
            Ordering::Less => 0,
            Ordering::Equal => 1,
            Ordering::Greater => 2,
        }
    }

    /// Returns 2 R for these queens, or 2 S if they are transposed, or `None` if there are none in
    /// the middle rows.
    fn reach(&self, queens: impl Iterator<Item = Square>) -> Option<u32> {
        // Twice the distance of a row or a column from the centre.
        let distance = |line: u32| (2 * line).abs_diff(self.n - 1);
        queens
            .filter(|queen| distance(queen.0) <= 1)
            .map(|queen| distance(queen.1))
            .max()
    }

    /// Returns the weight of a pair of half-boards in these classes: the number of solutions that
    /// it stands for.
    pub fn weight(&self, top: usize, bottom: usize) -> u64 {
        self.images.iter().product::<u64>() * self.for_transposition(top, bottom)
    }

    /// Returns the factor that the transposition contributes to the weight.
    fn for_transposition(&self, top: usize, bottom: usize) -> u64 {
        if self.core.is_empty() {
            return match (top, bottom) {
                _ if self.n <= 16 => 1,
                (2, 0) | (0, 2) => 2,
                (0, _) | (_, 0) => 1,
                _ => 0,
            };
        }
        match top.max(bottom).max(self.class(&self.core)) {
            0 => 2,
            1 => 1,
            _ => 0,
        }
    }

    /// Returns a bitmask of the diagonals that go through a square and cross from the top to the
    /// bottom: column - row or column + row - (N - 1) is between 1 - h and h - 1.
    fn crossing(&self, (row, column): Square) -> u64 {
        let row = row as i32;
        let column = column as i32;
        let last = self.n as i32 - 1;
        let most = self.half() as i32 - 1;
        let bit = |line: i32| {
            if line.abs() <= most {
                1 << (line + most)
            } else {
                0u64
            }
        };
        bit(column - row) | bit(column + row - last) << (2 * most + 1)
    }
}

struct Backtracking<'a> {
    part: &'a Part,
    first: u32,
    /// For each row, a bitmask of the squares that no queen of the core attacks.
    open: Vec<u64>,
    queens: Vec<Square>,
    found: ByClass,
    stop: Stop<'a>,
}

impl Backtracking<'_> {
    /// Places queens in the remaining rows and the free `columns`. For each diagonal direction,
    /// `attacked` holds the squares of the next row that are already attacked.
    fn fill(&mut self, columns: u64, attacked: [u64; 2], word: u64) -> Option<()> {
        if self.queens.len() < 4 {
            proceed(self.stop)?;
        }
        let Some(open) = self.open.get(self.queens.len()) else {
            self.found[self.part.class(&self.queens)].push(word);
            return Some(());
        };
        let [left, right] = attacked;
        let mut free = columns & open & !(left | right);
        while free != 0 {
            let queen = free & free.wrapping_neg();
            free ^= queen;
            let square = (
                self.first + self.queens.len() as u32,
                queen.trailing_zeros(),
            );
            self.queens.push(square);
            let attacked = [(left | queen) << 1, (right | queen) >> 1];
            self.fill(columns ^ queen, attacked, word | self.part.crossing(square))?;
            self.queens.pop();
        }
        Some(())
    }
}

/// A double loop tests all pairs if either list has at most this length.
const SHORT: usize = 16;

/// Counts the pairs of a top and a bottom that share no diagonal. Of the diagonals that both lists
/// occupy, those with many tops and many bottoms come first, because they eliminate the most pairs.
fn disjoint_pairs(tops: &[u64], bottoms: &[u64], stop: Stop) -> Option<u64> {
    let [top, bottom] = [tops, bottoms].map(|words| words.iter().fold(0, |all, word| all | word));
    let mut lines: Vec<u64> = (0..u64::BITS).map(|bit| 1 << bit).collect();
    lines.retain(|line| top & bottom & line != 0);
    lines.sort_by_cached_key(|line| {
        let tops_with = count_where(tops, |word| word & line != 0);
        let bottoms_with = count_where(bottoms, |word| word & line != 0);
        Reverse(tops_with * bottoms_with)
    });
    split(tops, bottoms, &lines, stop)
}

/// Counts the pairs that share no diagonal of `lines`. Tops that occupy the first diagonal are
/// paired with the bottoms that do not, and the other tops with all bottoms.
fn split(tops: &[u64], bottoms: &[u64], lines: &[u64], stop: Stop) -> Option<u64> {
    match lines {
        [line, lines @ ..] if tops.len().min(bottoms.len()) > SHORT => {
            proceed(stop)?;
            let tops_with = filter(tops, |word| word & line != 0);
            let tops_without = filter(tops, |word| word & line == 0);
            let bottoms_without = filter(bottoms, |word| word & line == 0);
            let pairs = split(&tops_with, &bottoms_without, lines, stop)?;
            Some(pairs + split(&tops_without, bottoms, lines, stop)?)
        }
        _ => Some(double_loop(tops, bottoms)),
    }
}

/// Returns the words that satisfy a predicate. Writes every word, and overwrites the unwanted ones,
/// because a branch would be mispredicted too often.
fn filter(words: &[u64], wanted: impl Fn(u64) -> bool) -> Vec<u64> {
    let mut found = vec![0; words.len()];
    let mut length = 0;
    for &word in words {
        found[length] = word;
        length += usize::from(wanted(word));
    }
    found.truncate(length);
    found
}

/// Counts the pairs that have no bits in common, with the longer list in the inner loop.
fn double_loop(tops: &[u64], bottoms: &[u64]) -> u64 {
    let (few, many) = if tops.len() < bottoms.len() {
        (tops, bottoms)
    } else {
        (bottoms, tops)
    };
    few.iter()
        .map(|one| count_where(many, |other| one & other == 0))
        .sum()
}

/// Counts the words that satisfy a predicate. No list has 2^64 words, and checking the additions
/// for overflow would triple the time.
fn count_where(words: &[u64], wanted: impl Fn(u64) -> bool) -> u64 {
    words.iter().fold(0, |count: u64, &word| {
        count.wrapping_add(wanted(word).into())
    })
}
