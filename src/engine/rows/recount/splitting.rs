//! Pairs by splitting: how many pairs of a top and a bottom share no diagonal?
//!
//! Take a diagonal. A top and a bottom that both occupy it share it. The other pairs are of two kinds:
//!
//! ```text
//!                            bottoms with it      bottoms without it
//!     tops with it                none              pairs of these
//!     tops without it                  pairs of these
//! ```
//!
//! Of both kinds the pairs are counted in the same way, by the next diagonal, until a list is short. Then a double loop
//! looks at each pair. If half of the tops occupy the diagonal, and half of the bottoms, a quarter of the pairs is gone at
//! each step. So the diagonals come first that many tops and many bottoms occupy. Lists of a hundred thousand are joined
//! in a tenth of a second.

use std::cmp::Reverse;

use crate::stop::{Stop, Stopped};

/// The length of a list that a double loop goes through.
const SHORT: usize = 16;

/// The number of pairs of a top and a bottom whose words have no common bit.
///
/// # Errors
/// [`Stopped`], soon after `stop` has been requested.
pub fn disjoint_pairs(tops: &[u64], bottoms: &[u64], stop: &Stop) -> Result<u64, Stopped> {
    let both = |line: &u64| {
        let [tops, bottoms] = [tops, bottoms].map(|words| number(words, |word| word & line != 0));
        tops * bottoms
    };
    let mut lines: Vec<u64> = (0..u64::BITS).map(|place| 1 << place).collect();
    lines.sort_by_cached_key(|line| Reverse(both(line)));
    split(tops, bottoms, &lines, stop)
}

/// The same. The lists are told apart by these diagonals, in this order.
fn split(tops: &[u64], bottoms: &[u64], lines: &[u64], stop: &Stop) -> Result<u64, Stopped> {
    let [line, lines @ ..] = lines else { return Ok(double_loop(tops, bottoms)) };
    if tops.len() <= SHORT || bottoms.len() <= SHORT {
        return Ok(double_loop(tops, bottoms));
    }
    stop.check()?;
    let with = |word: u64| word & line != 0;
    let without = |word: u64| word & line == 0;
    let of_tops_with = split(&those(tops, with), &those(bottoms, without), lines, stop)?;
    Ok(of_tops_with + split(&those(tops, without), bottoms, lines, stop)?)
}

/// Those of some words that are wanted. Each is written in any case, and the next one over it if it is not wanted,
/// because a branch would be guessed wrong too often.
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
    let (few, many) = if tops.len() < bottoms.len() { (tops, bottoms) } else { (bottoms, tops) };
    few.iter().map(|one| number(many, |other| one & other == 0)).sum()
}

/// How many words are wanted. No list has 2^64 words, and a sum that is checked at each word takes three times as long.
fn number(words: &[u64], wanted: impl Fn(u64) -> bool) -> u64 {
    words.iter().fold(0, |number: u64, &word| number.wrapping_add(wanted(word).into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn splitting_counts_what_a_double_loop_counts() {
        let mut random = Random::new(1);
        for (tops, bottoms) in [(0, 7), (1, 1), (33, 33), (100, 2000), (2000, 100), (1500, 1600)] {
            // Each diagonal is occupied by a quarter or an eighth of the words, or by all tops.
            for density in [2, 3] {
                let mut word = |_| (0..density).fold(u64::MAX, |word, _| word & random.below(1 << 48));
                let [tops, bottoms]: [Vec<u64>; 2] = [tops, bottoms].map(|length| (0..length).map(&mut word).collect());
                let tops: Vec<u64> = tops.iter().map(|word| word | 1 << 50).collect();
                let expected = double_loop(&tops, &bottoms);
                let found = disjoint_pairs(&tops, &bottoms, &Stop::new());
                assert_eq!(found, Ok(expected), "{} tops, {} bottoms", tops.len(), bottoms.len());
                assert!(expected > 0 || tops.len() < 2);
            }
        }
    }
}
