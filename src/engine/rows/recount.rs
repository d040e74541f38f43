//! Units counted a second time, by a program that shares nothing with the engine but the rules of
//! the game.
//!
//! It follows [the proof](super) word by word:
//!
//! - `units` lists what the units are.
//! - The half-boards of a column set are found by backtracking over their rows. There are no
//!   quarter-boards, no square is closed and no half-board is marked: the squares of its queens
//!   determine what a half-board weighs.
//! - Pairs of half-boards are counted by splitting their lists in two, again and again. There are
//!   no keys, no blocks, no tables and no kernels.
//!
//! A mistake of the engine, or of the machine that ran it, would have to be made again in other
//! terms to go unseen. The recount takes 20 to 50 times as long as the engine: a tenth of a second
//! for a column set of N = 28.

pub mod units;

use std::cmp::{Ordering, Reverse};
use std::ops::Range;

use rayon::prelude::*;

use self::units::{Listing, Part, attack};
use crate::cancel::{CancelToken, EngineError};

/// The number of solutions that a unit stands for. It spreads over the rayon thread pool that it is
/// called in.
pub fn recount(listing: &Listing, unit: u64, stop: &CancelToken) -> Result<u128, EngineError> {
    stop.check()?;
    listing
        .parts(unit)
        .into_par_iter()
        .map(|part| part.count(stop))
        .sum()
}

/// The half-boards of one side, as words of the diagonals that cross to the other side: those that
/// weigh most, those of the second class, and the others.
type ByClass = [Vec<u64>; 3];

impl Part {
    /// The number of solutions that a column set stands for.
    pub fn count(&self, stop: &CancelToken) -> Result<u128, EngineError> {
        stop.check()?;
        let [tops, bottoms] = [
            self.half_boards(false, stop)?,
            self.half_boards(true, stop)?,
        ];
        let mut count = 0;
        for (top, tops) in tops.iter().enumerate() {
            for (bottom, bottoms) in bottoms.iter().enumerate() {
                let weight = self.weight(top, bottom);
                if weight > 0 {
                    count += u128::from(weight) * u128::from(disjoint_pairs(tops, bottoms, stop)?);
                }
            }
        }
        let [of_core, of_columns] = self.images;
        Ok(u128::from(of_core * of_columns) * count)
    }

    /// The number of rows of the top, and of the bottom.
    fn half(&self) -> u32 {
        (self.n - self.core.len() as u32) / 2
    }

    fn rows(&self, bottom: bool) -> Range<u32> {
        if bottom {
            self.n - self.half()..self.n
        } else {
            0..self.half()
        }
    }

    /// The half-boards of the top or of the bottom, by class.
    pub fn half_boards(&self, bottom: bool, stop: &CancelToken) -> Result<ByClass, EngineError> {
        let free = |row: u32| {
            (0..self.n).filter(move |&column| self.core.iter().all(|&q| !attack(q, (row, column))))
        };
        let open = self
            .rows(bottom)
            .map(|row| free(row).fold(0, |open, column| open | 1 << column))
            .collect();
        let first = self.rows(bottom).start;
        let mut search = Backtracking {
            part: self,
            first,
            open,
            queens: vec![],
            found: ByClass::default(),
            stop,
        };
        search.fill(self.columns[usize::from(bottom)], [0, 0], 0)?;
        Ok(search.found)
    }

    /// The class of a half-board with these queens, and so what it weighs.
    ///
    /// With middle rows: 0, 1 or 2 if the farthest queen of a middle column is less far from the
    /// centre than R, as far, or farther. Without: how many queens stand on main diagonals.
    pub fn class(&self, queens: &[(u32, u32)]) -> usize {
        if self.core.is_empty() {
            return queens
                .iter()
                .filter(|&&(row, column)| row == column || row + column == self.n - 1)
                .count();
        }
        match self.along(queens).cmp(&self.across()) {
            Ordering::Less => 0,
            Ordering::Equal => 1,
            Ordering::Greater => 2,
        }
    }

    /// Twice the distance from the centre of a row or a column.
    fn distance(&self, line: u32) -> u32 {
        (2 * line).abs_diff(self.n - 1)
    }

    /// R, doubled: how far from the centre the queens of the middle rows stand.
    fn across(&self) -> Option<u32> {
        let middle = self.core.iter().filter(|queen| self.distance(queen.0) <= 1);
        middle.map(|queen| self.distance(queen.1)).max()
    }

    /// S, doubled, as far as these queens go: how far from the centre those of the middle columns
    /// stand.
    fn along(&self, queens: &[(u32, u32)]) -> Option<u32> {
        let middle = queens.iter().filter(|queen| self.distance(queen.1) <= 1);
        middle.map(|queen| self.distance(queen.0)).max()
    }

    /// What a pair of a top and a bottom of these classes counts, by the order of eight.
    fn weight(&self, top: usize, bottom: usize) -> u64 {
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

    /// The diagonals of a square that cross from the top to the bottom, a bit each. On such a
    /// diagonal column - row, or column + row - (N - 1), is from 1 - h to h - 1.
    fn crossing(&self, (row, column): (u32, u32)) -> u64 {
        let (row, column, last, most) = (
            row as i32,
            column as i32,
            self.n as i32 - 1,
            self.half() as i32 - 1,
        );
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

/// A search for half-boards, row by row.
struct Backtracking<'a> {
    part: &'a Part,
    /// The first row.
    first: u32,
    /// By row from the first: the columns that no queen of the core attacks.
    open: Vec<u64>,
    queens: Vec<(u32, u32)>,
    found: ByClass,
    stop: &'a CancelToken,
}

impl Backtracking<'_> {
    /// Fills the rows that are left with queens on the free `columns`. `attacked` is where
    /// diagonals of the queens so far, to the left and to the right, meet the next row; `word` is
    /// which of them cross.
    fn fill(&mut self, columns: u64, attacked: [u64; 2], word: u64) -> Result<(), EngineError> {
        if self.queens.len() < 4 {
            self.stop.check()?;
        }
        let Some(open) = self.open.get(self.queens.len()) else {
            self.found[self.part.class(&self.queens)].push(word);
            return Ok(());
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
        Ok(())
    }
}

/// The length of a list that a double loop goes through.
const SHORT: usize = 16;

/// The number of pairs of a top and a bottom whose words have no common bit.
///
/// Take a diagonal. A top and a bottom that both occupy it share it. The other pairs are of two
/// kinds:
///
/// ```text
///                            bottoms with it      bottoms without it
///     tops with it                none              pairs of these
///     tops without it                  pairs of these
/// ```
///
/// The pairs of both kinds are counted in the same way, by the next diagonal, until a list is
/// short. Then a double loop looks at each pair. Diagonals that many tops and many bottoms occupy
/// come first: if half of both occupy one, a quarter of the pairs is gone.
pub fn disjoint_pairs(
    tops: &[u64],
    bottoms: &[u64],
    stop: &CancelToken,
) -> Result<u64, EngineError> {
    let both = |line: &u64| {
        let [tops, bottoms] = [tops, bottoms].map(|words| number(words, |word| word & line != 0));
        tops * bottoms
    };
    let mut lines: Vec<u64> = (0..u64::BITS).map(|place| 1 << place).collect();
    lines.sort_by_cached_key(|line| Reverse(both(line)));
    split(tops, bottoms, &lines, stop)
}

/// The same. The lists are split by these diagonals, in this order.
fn split(
    tops: &[u64],
    bottoms: &[u64],
    lines: &[u64],
    stop: &CancelToken,
) -> Result<u64, EngineError> {
    let [line, lines @ ..] = lines else {
        return Ok(double_loop(tops, bottoms));
    };
    if tops.len() <= SHORT || bottoms.len() <= SHORT {
        return Ok(double_loop(tops, bottoms));
    }
    stop.check()?;
    let with = |word: u64| word & line != 0;
    let without = |word: u64| word & line == 0;
    let of_tops_with = split(&those(tops, with), &those(bottoms, without), lines, stop)?;
    Ok(of_tops_with + split(&those(tops, without), bottoms, lines, stop)?)
}

/// Those of some words that are wanted. Each is written in any case, and the next one over it if it
/// is not wanted, because a branch would be guessed wrong too often.
fn those(words: &[u64], wanted: impl Fn(u64) -> bool) -> Vec<u64> {
    let (mut found, mut length) = (vec![0; words.len()], 0);
    for &word in words {
        found[length] = word;
        length += usize::from(wanted(word));
    }
    found.truncate(length);
    found
}

/// Pair by pair, with the longer list in the inner loop.
fn double_loop(tops: &[u64], bottoms: &[u64]) -> u64 {
    let (few, many) = if tops.len() < bottoms.len() {
        (tops, bottoms)
    } else {
        (bottoms, tops)
    };
    few.iter()
        .map(|one| number(many, |other| one & other == 0))
        .sum()
}

/// How many words are wanted. No list has 2^64 words, and a sum that is checked at each word takes
/// three times as long.
fn number(words: &[u64], wanted: impl Fn(u64) -> bool) -> u64 {
    words.iter().fold(0, |number: u64, &word| {
        number.wrapping_add(wanted(word).into())
    })
}
