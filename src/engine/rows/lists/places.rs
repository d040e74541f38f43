//! Where the diagonals of a core lie in words.

use super::word::Word;
use crate::engine::rows::theory::core::Diagonals;

/// The place of each relevant diagonal.
#[derive(Clone, Debug, Default)]
pub struct Places {
    relevant: Diagonals,
    places: Vec<u32>,
}

/// The chunks of a narrow word begin at these bits; `join::direct` looks them up there.
pub const CHUNKS: [u32; 5] = [0, 7, 14, 20, 26];

/// The numbers of diagonals in the chunks of a narrow word: as equal as can be.
pub fn widths(diagonals: u32) -> [u32; 5] {
    std::array::from_fn(|chunk| (diagonals + 4 - chunk as u32) / 5)
}

impl Places {
    /// Gives a place to each diagonal.
    ///
    /// # Panics
    /// When the word has not so many.
    pub fn new<W: Word>(relevant: Diagonals) -> Self {
        let count = relevant.count_ones();
        assert!(count <= W::BITS, "{count} diagonals in words of {} bits", W::BITS);
        let places = match W::BITS {
            32 => CHUNKS.into_iter().zip(widths(count)).flat_map(|(first, width)| first..first + width).collect(),
            _ => (0..count).collect(),
        };
        Self { relevant, places }
    }

    /// The number of diagonals that have a place.
    pub fn count(&self) -> u32 {
        self.places.len() as u32
    }

    /// The relevant ones of some diagonals, each at its place.
    pub fn word<W: Word>(&self, diagonals: Diagonals) -> W {
        let mut left = diagonals & self.relevant;
        let mut word = 0;
        while left != 0 {
            let diagonal = left & left.wrapping_neg();
            left ^= diagonal;
            word |= 1 << self.places[(self.relevant & (diagonal - 1)).count_ones() as usize];
        }
        W::from_bits(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_relevant_diagonal_has_a_place_of_its_own_and_the_others_have_none() {
        for count in 0..=64u32 {
            let relevant: Diagonals = (0..count).fold(0, |all, i| all | 1 << (2 * i - i % 2));
            let check = |word: &dyn Fn(Diagonals) -> u64| {
                let each: Vec<u64> =
                    (0..128).filter(|bit| relevant >> bit & 1 == 1).map(|bit| word(1 << bit)).collect();
                assert!(each.iter().all(|word| word.count_ones() == 1));
                assert_eq!(each.iter().fold(0, |all, word| all | word), word(relevant));
                assert_eq!((word(relevant).count_ones(), word(!relevant)), (count, 0));
            };
            let wide = Places::new::<u64>(relevant);
            check(&|diagonals| wide.word::<u64>(diagonals));
            if count <= 32 {
                let narrow = Places::new::<u32>(relevant);
                check(&|diagonals| narrow.word::<u32>(diagonals).into());
                let (last, width) = (CHUNKS[4], widths(count)[4]);
                assert!(last + width <= 32 && widths(count).iter().sum::<u32>() == count);
                assert!((0..4).all(|chunk| CHUNKS[chunk] + widths(count)[chunk] <= CHUNKS[chunk + 1]));
            }
        }
    }
}
