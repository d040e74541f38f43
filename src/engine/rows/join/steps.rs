//! The steps of a join that each kernel compiles for its instruction set.

use super::bitset::EMPTY;
use super::block::{Block, Bottom, Cursor, Keys};
use super::direct::Tables;
use super::shape::Shape;
use super::sides::Sides;
use super::sort::{Rest, Runs, Sorted, Split, Top};
use super::table::transpose;
use super::vector::Vector;
use crate::engine::Stop;
use crate::engine::rows::lists::word::Word;

/// The steps of a join, compiled for an instruction set.
///
/// Each is a function of its own, because the loops in it need most of the registers.
pub trait Steps: Copy {
    /// For each bit, how many of up to 512 words have it.
    fn count_bits(self, words: &[u32]) -> [u32; 32];
    /// [`Sorted::sort`].
    fn sort<W: Word, R: Rest>(self, sorted: &mut Sorted<R>, lists: [&[W]; 3], split: &Split);
    /// [`Block::take_next`].
    fn take_next<B: Bottom>(
        self,
        block: &mut Block,
        bottoms: Runs<B>,
        cursor: &mut Cursor,
        bits: &[u8],
        shape: Shape,
    ) -> bool;
    /// [`Block::look_up`].
    fn look_up<const CHUNKS: usize>(self, block: &Block, tops: Runs<Top>, keys: &Keys, shape: Shape) -> [u64; 2];
    /// [`direct::disjoint_pairs`](super::direct::disjoint_pairs).
    fn join_directly<W: Word>(self, sides: Sides<W>, tables: &mut Tables, stop: &Stop) -> u128;
}

/// What [`Steps::count_bits`] counts.
#[inline(always)]
pub fn count_bits<V: Vector>(words: &[u32]) -> [u32; 32] {
    let mut bits = [EMPTY; 32];
    transpose::<V>(words, &mut bits);
    bits.map(|bitset| V::load(&bitset).add_ones_to(V::splat(0)).sum() as u32)
}
