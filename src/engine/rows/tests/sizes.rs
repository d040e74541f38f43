//! Tests that the integer types are wide enough for the longest lists. The tested lengths go up to
//! the first power of two above the greatest length that occurs, because that is where a narrower
//! type would overflow.
//!
//! The longest known lists occur for N = 26: 526,010 quarter-boards (unit 20425) and 2.26 million
//! half-boards. The tests use lists of 2^20 and 2^22, respectively. `lists::large` tests
//! quarter-boards, `tests::large` tests tiles of 1024 column sets, and `join::large` tests long
//! lists and keys of 16 diagonals.

use super::lists::half::{Combine, HalfBoards};
use super::lists::quarter::QuarterBoards;
use super::lists::word::Word;
use super::*;

fn combine<W: Word>(kernel: Kernel, quarters: [&QuarterBoards<W>; 2]) -> HalfBoards<W> {
    let mut half_boards = HalfBoards::default();
    let combine = Combine {
        half_boards: &mut half_boards,
        quarters,
        row_sets: 0..quarters[0].row_sets,
    };
    kernel.run(combine).unwrap();
    half_boards
}

/// Combines two lists of quarter-boards, whose words are consecutive numbers, into half-boards.
fn make_half_boards<W: Word>() {
    const LEFT: u64 = 2100;
    const RIGHT: u64 = 2001;
    let [left, right] = [(LEFT, 0), (RIGHT, 12)].map(|(length, shift)| {
        let words = (0..length).map(|number| W::from_u64(number << shift));
        QuarterBoards::from_words(&[words.collect(), vec![]])
    });
    for kernel in Kernel::available() {
        let half_boards = combine(kernel, [&left, &right]);
        let what = format!("{kernel:?}, {} bits", W::BITS);
        assert!(half_boards.len() > 1 << 22);
        assert_eq!(half_boards.len() as u64, LEFT * RIGHT, "{what}");
        let mut seen = vec![false; 1 << 24];
        for word in half_boards.with_marks(0) {
            seen[word.to_u64() as usize] = true;
        }
        let seen = seen.into_iter().filter(|seen| *seen).count();
        assert_eq!(seen as u64, LEFT * RIGHT, "{what}");
    }
}

#[test]
fn lists_longer_than_in_practice_are_generated() {
    make_half_boards::<u32>();
    make_half_boards::<u64>();
}
