//! How many quarter-boards there are: what memory is reckoned with.

/// The number of quarter-boards of `half` rows and columns, on any columns: counted up to 11 rows. Above, there are about
/// 9 times as many for each row.
pub fn quarter_boards(half: u32) -> u64 {
    QUARTERS[half.min(11) as usize] * 9u64.pow(half.saturating_sub(11))
}

/// The number of those on the set of columns that has most: at most 4 times the mean of all sets.
pub fn longest_list(half: u32) -> u64 {
    (quarter_boards(half) >> half) * 4
}

/// The numbers of ways to place 0 to h non-attacking queens on an h x h board, for h up to 11.
const QUARTERS: [u64; 12] = [1, 2, 5, 18, 87, 462, 2_635, 16_870, 118_969, 915_442, 7_535_369, 66_807_234];

#[cfg(test)]
mod tests {
    use super::super::places::Places;
    use super::super::quarter::{Finder, row_set_numbers};
    use super::*;
    use crate::engine::rows::theory::numbering::Numbering;
    use crate::stop::Stop;

    #[test]
    fn quarters_have_so_many_boards_and_no_columns_more_than_four_times_the_mean() {
        for half in 2..=9 {
            let core = Numbering::new(2 * half, 0, 16).core(0).unwrap();
            let (places, numbers) = (Places::new::<u64>(core.relevant()), row_set_numbers(half));
            let mut finder = Finder::<u64>::default();
            let mut length =
                |columns| finder.find(&core, &places, &numbers, 0, columns, &Stop::new()).unwrap().len() as u64;
            let lengths: Vec<u64> = (0..1 << half).map(&mut length).collect();
            assert_eq!(lengths.iter().sum::<u64>(), quarter_boards(half), "{half} rows");
            assert!(lengths.into_iter().max() <= Some(longest_list(half)), "{half} rows");
        }
    }
}
