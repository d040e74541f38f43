//! The memory that counting takes: what a thread may have, and how it is shared out.

use super::lists::sizes::{longest_list, quarter_boards};
use super::theory::subsets::binomial;

/// The bytes that a quarter-board takes: its word.
const BYTES_PER_QUARTER_BOARD: u64 = 8;

/// The bytes of the places that four quarters have in a store for each set of columns, in words of both widths.
const BYTES_PER_SLOT: u64 = 2 * 4 * 80;

/// The bytes that a half-board of a list takes: eight as a word, ten sorted, for tops ten more as one of a group, and all
/// that twice, because vectors grow by doubling; the mean of tops and bottoms.
const BYTES_PER_HALF_BOARD: usize = 46;

/// Of the bytes that a thread may take, those that are for quarter-boards.
pub fn for_quarter_boards(memory: u64) -> usize {
    memory as usize / 2
}

/// The most half-boards of a top, and of a bottom, that a thread makes at a time in what is left.
pub fn most_half_boards(memory: u64) -> usize {
    (memory as usize / 2 / 2 / BYTES_PER_HALF_BOARD).max(1 << 16)
}

/// About the bytes that so many threads take together, each of which may have `memory`, with quarters of `half` rows.
pub fn expected(half: u32, memory: u64, threads: usize) -> u64 {
    // All quarter-boards of a core, or as many as are kept, but never less than four lists; and one that is being found.
    let all = 4 * quarter_boards(half) * BYTES_PER_QUARTER_BOARD + 32 * binomial(2 * half, half);
    let four = 4 * (longest_list(half) * BYTES_PER_QUARTER_BOARD + 8 * binomial(half, half / 2));
    let kept = all.min((memory / 2).max(four)) + (1 << half) * BYTES_PER_SLOT;
    let found = longest_list(half) * (16 + BYTES_PER_QUARTER_BOARD);
    // A fraction of the pairs of quarter-boards on complementary row sets are half-boards; at most a part is made
    // at a time.
    let mean = quarter_boards(half) as f64 / f64::from(1 << half);
    let list = (mean * mean / f64::from(1 << half) * 4.0).min(most_half_boards(memory) as f64);
    let lists = 2 * list as u64 * BYTES_PER_HALF_BOARD as u64;
    (4 << half) + threads as u64 * (kept + found + lists + (1 << 20))
}

#[cfg(test)]
mod tests {
    use crate::board::BoardSize;
    use crate::engine::Engine;
    use crate::engine::rows::Rows;
    use crate::engine::rows::kernel::Kernel;
    use crate::random::Random;
    use crate::stop::Stop;

    #[test]
    fn little_memory_changes_no_count() {
        for (n, middle_rows) in [(13, 1), (14, 0), (14, 2), (17, 1)] {
            let with =
                |memory| Rows::with_middle_rows(BoardSize::new(n).unwrap(), middle_rows, Kernel::default(), memory);
            let whole = with(Rows::MEMORY);
            // No list of quarter-boards beyond the four of a column set is kept.
            let none = with(0);
            let mut random = Random::new(n.into());
            for unit in (0..10).map(|_| random.below(whole.units())) {
                let counts = [&whole, &none].map(|engine| engine.count(unit, &Stop::new()));
                assert_eq!(counts[0], counts[1], "N = {n}, {middle_rows} middle rows, unit {unit}");
            }
        }
    }
}
