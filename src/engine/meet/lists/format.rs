//! Formats: where the diagonals of a half-board lie in the words that the engine works with. They are there for speed
//! alone.
//!
//! A half-board is made of a near and a far quarter-board. Some of the diagonals that cross the cut only the near one
//! can occupy, some only the far one, and some both:
//!
//! ```text
//!                 near . . . . | . . . . far
//!                      . . . . | . . . .          field x, "\":  n n n n f f f    n  the near quarter alone
//!                      . . . . | . . . .          field y, "/":  b b b F F F F    F  the far quarter alone
//!                      . . . . | . . . .                                          b, f  both
//!       ---------------------------------- cut
//! ```
//!
//! Diagonals **matter** where both a top and a bottom can occupy them, or both quarters of a half-board. Only those are
//! kept, in two places:
//!
//! - **Chunks.** A half-board has four or five chunks of diagonals, 32 bits together, each to be looked up in a table.
//!   Two of them are the **sorted chunks**, by which bottoms are sorted.
//! - **Buckets.** Half-boards alike in certain diagonals lie side by side, in a bucket, so these diagonals take no
//!   bits. They are central diagonals, which are occupied most, and what does not fit into the chunks. Each is decided
//!   by one quarter alone, because quarter-boards are kept sorted by bucket, too: that makes buckets for nothing.
//!
//! Large boards would have too many buckets. Their half-boards are **wide**: they have five to eight chunks, and 32
//! bits more.

use crate::board::bits;
use crate::engine::meet::theory::{Geometry, Signature, Squares};
use crate::engine::meet::tuning::{Layout, Tuning};

/// The sorted chunks of a bottom: the one that conflicts with the near bucket bits of tops, and the one that conflicts
/// with the far ones.
pub const SORTED_CHUNKS: [usize; 2] = [3, 1];

/// The diagonals of a half-board that are in its bucket or in its chunks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Format {
    /// The bucket bits that the near quarter decides: diagonal i is bit i. On even boards a main diagonal comes last.
    pub near: Vec<u32>,
    /// The bucket bits that the far quarter decides, likewise.
    pub far: Vec<u32>,
    /// The diagonals of the chunks.
    pub chunks: Vec<Vec<u32>>,
    /// How these lie in words.
    pub layout: Layout,
}

impl Format {
    /// The format for half-boards of the quarters `these`, near and far, which are to be joined with turned half-boards
    /// of the quarters `those`.
    pub fn new(geometry: Geometry, these: [Squares; 2], those: [Squares; 2], tuning: Tuning) -> Self {
        let main = geometry.main_diagonals();
        let [near, far] = these.map(|squares| squares.diagonals(geometry));
        let [near_against, far_against] = those.map(|squares| geometry.turned_signature(squares.diagonals(geometry)));
        let matter = ((near | far) & (near_against | far_against) | near & far) & !main;
        // A near bucket bit has to conflict with a chunk of the other half, not with its bucket, because bottoms are
        // sorted by chunks: so both quarters of the other half can occupy it.
        let candidates = [matter & near & !far & near_against & far_against, matter & far & !near];
        let [mut near_bits, mut far_bits] = bucket_bits(geometry, candidates, matter.count_ones(), tuning);
        let rest = lines(matter).filter(|line| !near_bits.contains(line) && !far_bits.contains(line)).collect();
        let chunks = chunks(geometry.width, rest, tuning.layout.bounds().len() - 1);
        near_bits.extend(lines(main & near));
        far_bits.extend(lines(main & far));
        Self { near: near_bits, far: far_bits, chunks, layout: tuning.layout }
    }

    /// Whether half-boards have a second word.
    pub fn is_wide(&self) -> bool {
        matches!(self.layout, Layout::Wide(_))
    }

    /// The number of buckets.
    #[cfg(test)]
    pub fn buckets(&self) -> u32 {
        1 << (self.near.len() + self.far.len())
    }

    /// The first bit of a chunk in the words: its diagonal i is bit i from there.
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
        chunks.fold(0, |word, (chunk, first)| word | u64::from(gather(chunk, signature)) << first)
    }
}

/// The diagonals of a signature.
fn lines(signature: Signature) -> impl Iterator<Item = u32> {
    bits(signature).map(u64::trailing_zeros)
}

/// The near and far diagonals, of these candidates, that go to the bucket: central ones first, and as many as are
/// wished for, or as many more as the chunks have no room for among all that `matter`.
fn bucket_bits(geometry: Geometry, candidates: [Signature; 2], matter: u32, tuning: Tuning) -> [Vec<u32>; 2] {
    let width = geometry.width;
    let central_first = |candidates| {
        let mut sorted: Vec<u32> = lines(candidates).collect();
        sorted.sort_by_key(|line| (2 * (line % width) + 1).abs_diff(width));
        sorted
    };
    let [mut near, mut far] = candidates.map(central_first);
    let [near_wish, far_wish] = tuning.buckets;
    let room = tuning.layout.bounds().last().expect("the end of the last chunk");
    let surplus = matter.saturating_sub(*room);
    far.truncate(far_wish.max(surplus.saturating_sub(near.len() as u32)) as usize);
    near.truncate(near_wish.max(surplus.saturating_sub(far.len() as u32)) as usize);
    [near, far]
}

/// Divides diagonals among `number` chunks. The sorted chunks end with what conflicts with the bucket bits of the other
/// half, central diagonals last. All others fill the chunks up from below.
fn chunks(width: u32, lines: Vec<u32>, number: usize) -> Vec<Vec<u32>> {
    let widths: Vec<usize> = (0..number).map(|chunk| (lines.len() + number - 1 - chunk) / number).collect();
    let (mut against_near, mut against_far, mut others) = (Vec::new(), Vec::new(), Vec::new());
    for line in lines {
        match line {
            _ if line < width && line > width / 2 => against_near.insert(0, line),
            _ if line >= width && line < width + width / 2 => against_far.push(line),
            _ => others.push(line),
        }
    }
    let last = |lines: &mut Vec<u32>, width: usize| lines.split_off(lines.len().saturating_sub(width));
    let mut chunks = vec![Vec::new(); number];
    for (chunk, lines) in SORTED_CHUNKS.into_iter().zip([&mut against_near, &mut against_far]) {
        chunks[chunk] = last(lines, widths[chunk]);
    }
    let mut left = others.into_iter().chain(against_near).chain(against_far);
    for (chunk, width) in chunks.iter_mut().zip(widths) {
        let missing = width - chunk.len();
        chunk.splice(0..0, left.by_ref().take(missing));
    }
    chunks
}

/// The bits of a signature at the given diagonals: of the bucket, or of a chunk.
pub fn gather(lines: &[u32], signature: Signature) -> u32 {
    lines.iter().enumerate().fold(0, |bits, (i, line)| bits | ((signature >> line & 1) as u32) << i)
}

#[cfg(test)]
mod tests {
    use super::super::filing::Filing;
    use super::*;

    #[test]
    fn every_diagonal_that_matters_has_one_place() {
        for n in 4..=32 {
            let geometry = Geometry::new(n);
            for filing in Filing::all(n, Tuning::of(n)) {
                let sides = [filing.core.top, filing.core.bottom];
                let main = geometry.main_diagonals();
                for (side, format) in filing.formats.iter().enumerate() {
                    let [near, far] = sides[side].map(|squares| squares.diagonals(geometry));
                    let [those_near, those_far] = sides[1 - side].map(|squares| squares.diagonals(geometry));
                    let against = geometry.turned_signature(those_near | those_far);
                    let mut matter = (near | far) & against | near & far;
                    for &line in format.near.iter().chain(&format.far).chain(format.chunks.iter().flatten()) {
                        assert_eq!(matter >> line & 1, 1, "N = {n}: {line} has two places or does not matter");
                        matter ^= 1 << line;
                    }
                    assert_eq!(matter, 0, "N = {n}: diagonals without a place");
                    let room = format.layout.bounds().windows(2).map(|bounds| (bounds[1] - bounds[0]) as usize);
                    assert!(format.chunks.iter().zip(room).all(|(chunk, room)| chunk.len() <= room), "N = {n}");
                    // A bucket is decided by one quarter alone, and the main diagonals come last.
                    assert!(format.near.iter().all(|line| far >> line & 1 == 0), "N = {n}");
                    assert!(format.far.iter().all(|line| near >> line & 1 == 0), "N = {n}");
                    for lines in [&format.near, &format.far] {
                        let places: Vec<bool> = lines.iter().map(|line| main >> line & 1 == 1).collect();
                        assert_eq!(places.iter().filter(|&&last| last).count(), usize::from(main != 0), "N = {n}");
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
                    lines(&filing.formats[0]) & geometry.turned_signature(bottoms),
                    geometry.turned_signature(lines(&filing.formats[1])) & tops,
                    "N = {n}"
                );
            }
        }
    }
}
