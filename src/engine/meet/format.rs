//! Formats: where the diagonals of a half-board lie in the words that the engine works with.
//!
//! Of the diagonals that cross the cut, those matter that both a top and a bottom can occupy, and those that both
//! quarters of a half-board can. Some of them the near quarter-board alone decides, some the far one, and some both:
//!
//! ```text
//!                 near . . . . | . . . . far
//!                      . . . . | . . . .          field x, "\":  n n n n f f f    n  the near quarter alone
//!                      . . . . | . . . .          field y, "/":  b b b F F F F    F  the far quarter alone
//!                      . . . . | . . . .                                          b, f  both
//!       ---------------------------------- cut
//! ```
//!
//! A half-board is kept as four or five **chunks** of diagonals, to be looked up in a table each: 32 bits. What does not
//! fit, and what is worth deciding for many half-boards at once, is their **class**: diagonals that one quarter alone
//! decides, and central ones, for they are occupied most. Half-boards of the same class lie side by side, so a class
//! costs nothing, neither to make (quarter-boards are kept sorted by theirs) nor to keep. Large boards would have too
//! many classes; their half-boards are **wide**: they have five to eight chunks, and 32 bits more.

use super::core::Tuning;
use super::quarter::Squares;
use super::signature::{Geometry, Signature};
use crate::board::bits;

/// How the chunks of half-boards lie in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Four chunks of up to eight diagonals, in 32 bits: fewer lookups, for long lists.
    Four,
    /// Five of seven or six, in 32 bits. They have 448 table entries instead of 1024, so the tables of a block take 0.4
    /// of the time; a lookup takes 1.04 to 1.08 times as long.
    Five,
    /// So many, five to eight, of up to eight diagonals, in 64 bits.
    Wide(u32),
}

impl Layout {
    /// Where each chunk begins, and the last one ends.
    fn bounds(self) -> &'static [u32] {
        match self {
            Self::Four => &[0, 8, 16, 24, 32],
            Self::Five => &[0, 7, 14, 20, 26, 32],
            Self::Wide(chunks) => &[0, 8, 16, 24, 32, 40, 48, 56, 64][..=chunks as usize],
        }
    }
}

/// The diagonals of a half-board that are in its class or in its chunks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Format {
    /// The class bits that the near quarter decides: diagonal i is bit i. A main diagonal comes last.
    pub near: Vec<u32>,
    /// The class bits that the far quarter decides, likewise.
    pub far: Vec<u32>,
    /// The diagonals of the chunks.
    pub chunks: Vec<Vec<u32>>,
    /// How these lie in words.
    pub layout: Layout,
}

impl Format {
    /// The format for half-boards of the quarters `these`, which are to be joined with turned half-boards of the
    /// quarters `those`. The diagonals `marks` come last in the class.
    pub fn new(geometry: Geometry, these: [Squares; 2], those: [Squares; 2], marks: Signature, tuning: Tuning) -> Self {
        let width = geometry.width;
        let lines = |mask: Signature| bits(mask).map(|bit| bit.trailing_zeros());
        let [near, far] = these.map(|squares| squares.diagonals(geometry));
        let [near_against, far_against] = those.map(|squares| geometry.turned_signature(squares.diagonals(geometry)));
        let against = near_against | far_against;
        // What the other half can occupy, too, and what the two quarters can share: that is what keeps them apart.
        let relevant = ((near | far) & against | near & far) & !marks;

        // What the near quarter alone decides, central ones first, if it is in the chunks of the other half, which
        // are what that is sorted by.
        let mut near_class: Vec<u32> = lines(relevant & near & !far & near_against & far_against).collect();
        near_class.sort_by_key(|line| (2 * (line % width) + 1).abs_diff(width));
        let mut far_class: Vec<u32> = lines(relevant & far & !near).collect();
        far_class.sort_by_key(|line| (2 * (line % width) + 1).abs_diff(width));
        let [near_wish, far_wish] = tuning.classes;
        let number = tuning.layout.bounds().len() - 1;
        let surplus = relevant.count_ones().saturating_sub(tuning.layout.bounds()[number]);
        far_class.truncate(far_wish.max(surplus.saturating_sub(near_class.len() as u32)) as usize);
        near_class.truncate(near_wish.max(surplus.saturating_sub(far_class.len() as u32)) as usize);

        // Chunks 3 and 1 end with what conflicts with the near and the far class of the other half, central diagonals
        // last: by these they are sorted.
        let rest = lines(relevant).filter(|line| !near_class.contains(line) && !far_class.contains(line));
        let (mut against_near, mut against_far, mut others) = (Vec::new(), Vec::new(), Vec::new());
        for line in rest {
            match line {
                _ if line < width && line > width / 2 => against_near.insert(0, line),
                _ if line >= width && line < width + width / 2 => against_far.push(line),
                _ => others.push(line),
            }
        }
        let count = against_near.len() + against_far.len() + others.len();
        let widths: Vec<usize> = (0..number).map(|chunk| (count + number - 1 - chunk) / number).collect();
        let last = |lines: &mut Vec<u32>, width: usize| lines.split_off(lines.len().saturating_sub(width));
        let mut chunks = vec![Vec::new(); number];
        (chunks[1], chunks[3]) = (last(&mut against_far, widths[1]), last(&mut against_near, widths[3]));
        let mut left = others.into_iter().chain(against_near).chain(against_far);
        for (chunk, width) in chunks.iter_mut().zip(widths) {
            let missing = width - chunk.len();
            chunk.splice(0..0, left.by_ref().take(missing));
        }
        near_class.extend(lines(marks & near));
        far_class.extend(lines(marks & far));
        Self { near: near_class, far: far_class, chunks, layout: tuning.layout }
    }

    /// Whether half-boards have a second word.
    pub fn is_wide(&self) -> bool {
        matches!(self.layout, Layout::Wide(_))
    }

    /// The first bit of a chunk: diagonal i is that of number i from there.
    pub fn first_bit(&self, chunk: usize) -> u32 {
        self.layout.bounds()[chunk]
    }

    /// The diagonals of all chunks, each with its bit.
    pub fn places(&self) -> impl Iterator<Item = (usize, u32)> {
        let chunks = self.chunks.iter().zip(self.layout.bounds());
        chunks.flat_map(|(chunk, &first)| (first as usize..).zip(chunk.iter().copied()))
    }

    /// The chunks of a signature.
    pub fn chunks(&self, signature: Signature) -> u64 {
        let chunks = self.chunks.iter().zip(self.layout.bounds());
        chunks.fold(0, |word, (chunk, first)| word | u64::from(class(chunk, signature)) << first)
    }
}

/// The bits of a signature at the given diagonals.
pub fn class(lines: &[u32], signature: Signature) -> u32 {
    lines.iter().enumerate().fold(0, |class, (i, line)| class | ((signature >> line & 1) as u32) << i)
}

#[cfg(test)]
mod tests {
    use super::super::core::Core;
    use super::*;

    #[test]
    fn every_diagonal_that_matters_has_one_place() {
        for n in 4..=32 {
            let geometry = Geometry::new(n);
            for core in Core::all(n, Tuning::of(n)) {
                let sides = [core.top, core.bottom];
                let marks = if geometry.is_odd() { 0 } else { geometry.lines(geometry.half - 1, geometry.half - 1) };
                for (side, format) in core.formats.iter().enumerate() {
                    let [near, far] = sides[side].map(|squares| squares.diagonals(geometry));
                    let [those_near, those_far] = sides[1 - side].map(|squares| squares.diagonals(geometry));
                    let against = geometry.turned_signature(those_near | those_far);
                    let mut relevant = (near | far) & against | near & far;
                    for &line in format.near.iter().chain(&format.far).chain(format.chunks.iter().flatten()) {
                        assert_eq!(relevant >> line & 1, 1, "N = {n}: {line} has two places or does not matter");
                        relevant ^= 1 << line;
                    }
                    assert_eq!(relevant, 0, "N = {n}: diagonals without a place");
                    let room = format.layout.bounds().windows(2).map(|bounds| (bounds[1] - bounds[0]) as usize);
                    assert!(format.chunks.iter().zip(room).all(|(chunk, room)| chunk.len() <= room), "N = {n}");
                    // A class is decided by one quarter alone, and the main diagonals come last.
                    assert!(format.near.iter().all(|line| far >> line & 1 == 0), "N = {n}");
                    assert!(format.far.iter().all(|line| near >> line & 1 == 0), "N = {n}");
                    for class in [&format.near, &format.far] {
                        let places: Vec<bool> = class.iter().map(|line| marks >> line & 1 == 1).collect();
                        assert_eq!(places.iter().filter(|&&mark| mark).count(), usize::from(marks != 0), "N = {n}");
                        assert!(places.is_sorted(), "N = {n}");
                    }
                }
                // What a top can occupy, the bottom has a place for.
                let lines = |format: &Format| {
                    let lines = format.near.iter().chain(&format.far).chain(format.chunks.iter().flatten());
                    lines.fold(0, |mask: Signature, line| mask | 1 << line)
                };
                let [tops, bottoms] =
                    sides.map(|side| side.iter().fold(0, |all, quarter| all | quarter.diagonals(geometry)));
                assert_eq!(
                    lines(&core.formats[0]) & geometry.turned_signature(bottoms),
                    geometry.turned_signature(lines(&core.formats[1])) & tops,
                    "N = {n}"
                );
            }
        }
    }
}
