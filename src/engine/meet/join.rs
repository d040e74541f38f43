//! The join: in how many pairs of a top and a bottom half-board do the two share no diagonal?
//!
//! For [the proof](super) this is a double loop over two lists. All that is here is there for speed alone.
//!
//! Bottoms are taken 512 at a time, in a block (`block`). For each chunk of diagonals a table says which bottoms of the
//! block occupy some of them. A top is a handful of chunks. One table entry is looked up for each; their OR says which
//! of the 512 bottoms the top conflicts with, and the zeros are counted. So each pair takes a fraction of a bit
//! operation, and the time goes into loading the entries.
//!
//! Most pairs need not even be looked up. Tops lie in buckets by the most occupied diagonals, and bottoms are sorted by
//! the same diagonals (`order`):
//!
//! - The bitsets of a bucket's diagonals are put together once for the bucket. A block of sorted bottoms is alike in
//!   many of these diagonals. So all of it often conflicts with all of the bucket, which is then passed over: a quarter
//!   of the pairs for every diagonal in which blocks are alike.
//! - Long lists are joined **group** by group. A group is the tops that occupy the same of the first bucket diagonals.
//!   It meets blocks that are made for it, out of the bottoms that occupy none of these. That again saves a quarter of
//!   the pairs for a diagonal, and leaves the sorting to the other diagonals. But with two groups for a diagonal, three
//!   blocks are made where two were.

mod block;
mod order;

pub use self::order::Orders;

use self::block::{Bitsets, Block, NO_CONFLICT};
use self::order::{Order, Sorted, Sorter};
use super::lists::{Format, Half};
use super::theory::Geometry;
use super::tuning::{Layout, Tuning};
use crate::engine::Stop;
use crate::engine::rows::join::bitset::{BLOCK, Bitset, EMPTY};
use crate::engine::rows::join::table::tabulate;
use crate::engine::rows::join::vector::Vector;

/// The lookup tables of the chunks of a block.
type ChunkTables = [[Bitset; 256]; 8];

/// The lookup tables of a block.
#[derive(Clone, Debug)]
struct Tables {
    chunks: Box<ChunkTables>,
    buckets: [Vec<Bitset>; 2],
}

impl Default for Tables {
    fn default() -> Self {
        Self {
            // From a vector: an array of this size would have its place on the stack first.
            chunks: vec![[EMPTY; 256]; 8].try_into().expect("8 tables"),
            buckets: Default::default(),
        }
    }
}

/// The memory of a join, kept for the next one.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    sorted: Sorted,
    block: Box<Block>,
    tables: Tables,
}

/// How tops and bottoms are joined.
#[derive(Clone, Debug)]
pub struct Join {
    /// Which bit of a bottom conflicts with each bit of the chunks of a top. Bits from 32 up are in the second word.
    chunks: Vec<Vec<usize>>,
    /// Which bit of a bottom conflicts with each near and each far bucket bit of a top. Main diagonals are not among
    /// them.
    buckets: [Vec<usize>; 2],
    /// How the chunks of tops lie in words.
    layout: Layout,
    /// Whether the buckets have the main diagonals, too: even N.
    main_diagonals: bool,
    /// How bottoms are sorted.
    sorter: Sorter,
}

/// What is joined.
#[derive(Clone, Copy)]
pub struct Sides<'a> {
    /// The tops, which are looked up.
    pub tops: &'a Half,
    /// The bottoms, in blocks. Those that occupy a main diagonal are left out.
    pub bottoms: &'a Half,
    /// How much a pair counts, by the main diagonals that its top occupies: none, the near one, the far one, both.
    pub weights: [u64; 4],
}

impl Join {
    /// Joins tops of one format with bottoms of another.
    pub fn new(geometry: Geometry, top: &Format, bottom: &Format, tuning: Tuning, orders: &mut Orders) -> Self {
        let main_diagonals = geometry.main_diagonals() != 0;
        let without_main = |lines: &Vec<u32>| lines[..lines.len() - usize::from(main_diagonals)].to_vec();
        // The bucket bits of a bottom go where its chunks leave room.
        let mut spare = (0..64).filter(|&bit| bottom.places().all(|(taken, _)| taken != bit));
        let bottom_bucket: [Vec<usize>; 2] = [&bottom.near, &bottom.far]
            .map(|lines| without_main(lines).iter().map(|_| spare.next().expect("64 bits")).collect());
        let bit = |line: &u32| {
            let line = geometry.turned(*line);
            let in_chunk = bottom.places().find_map(|(bit, of)| (of == line).then_some(bit));
            let in_near = || Some(bottom_bucket[0][bottom.near.iter().position(|&l| l == line)?]);
            let in_far = || Some(bottom_bucket[1][bottom.far.iter().position(|&l| l == line)?]);
            in_chunk.or_else(in_near).or_else(in_far).unwrap_or(NO_CONFLICT)
        };
        let buckets = [&top.near, &top.far].map(|lines| without_main(lines).iter().map(bit).collect::<Vec<usize>>());
        let sorter = Sorter::new(bottom, bottom_bucket.clone(), main_diagonals, &buckets, tuning, orders);
        Self {
            chunks: top.chunks.iter().map(|chunk| chunk.iter().map(bit).collect()).collect(),
            buckets,
            layout: top.layout,
            main_diagonals,
            sorter,
        }
    }

    /// The number of disjoint pairs, weighted. Of no meaning once `stop` has been requested.
    #[inline(always)]
    pub fn disjoint_pairs<V: Vector>(&self, sides: Sides, workspace: &mut Workspace, stop: &Stop) -> u128 {
        let Workspace { sorted, block, tables } = workspace;
        let order = self.sorter.sort(sides.bottoms, sorted);
        // A join that was stopped has left bottoms in it.
        block.clear();
        let mut total = 0;
        for group in 0..order.groups() {
            let mut start = 0;
            for (rank, &end) in sorted.ends.iter().enumerate() {
                let mut members = start..end as usize;
                start = members.end;
                if rank & group != 0 {
                    continue;
                }
                while !members.is_empty() {
                    block.fill(&sorted.words, &mut members);
                    if block.is_full() {
                        if stop.requested() {
                            return 0;
                        }
                        total += self.join_block::<V>(sides, block, group, order, tables);
                    }
                }
            }
            if !block.is_empty() {
                total += self.join_block::<V>(sides, block, group, order, tables);
            }
        }
        total
    }

    /// Joins the tops of a group with a block, and empties the block.
    #[inline(always)]
    fn join_block<V: Vector>(
        &self,
        Sides { tops, weights, .. }: Sides,
        block: &mut Block,
        group: usize,
        order: &Order,
        tables: &mut Tables,
    ) -> u128 {
        let mut bitsets = [EMPTY; NO_CONFLICT + 1];
        let absent = block.take::<V>(self.sorter.wide, &mut bitsets);
        self.tabulate::<V>(&bitsets, &absent, tables);
        let [near_bits, far_bits] = [&self.buckets[0], &self.buckets[1]].map(Vec::len);
        let [near_step, far_step] = order.grouped.map(|bits| 1 << bits);
        let (near_group, far_group) = (group % near_step, group / near_step);
        let main = usize::from(self.main_diagonals);
        let mut total = 0;
        for (occupied, &weight) in weights[..1 << (2 * main)].iter().enumerate().filter(|(_, weight)| **weight > 0) {
            let (near_main, far_main) = (occupied & 1, occupied >> 1);
            let mut pairs = 0;
            let mut ones = V::splat(0);
            for far in (far_group..1 << far_bits).step_by(far_step) {
                let conflicts = V::load(&tables.buckets[1][far]);
                if conflicts.is_full() {
                    continue;
                }
                for near in (near_group..1 << near_bits).step_by(near_step) {
                    let bucket = ((far_main << far_bits | far) << main | near_main) << near_bits | near;
                    let tops = tops.bucket(bucket);
                    let conflicts = conflicts.or(V::load(&tables.buckets[0][near]));
                    if !tops[0].is_empty() && !conflicts.is_full() {
                        pairs += BLOCK * tops[0].len();
                        ones = match self.layout {
                            Layout::Four => look_up_four(&tables.chunks, conflicts, tops[0], ones),
                            Layout::Five => look_up_five(&tables.chunks, conflicts, tops[0], ones),
                            Layout::Wide(5) => look_up_wide::<V, 5>(&tables.chunks, conflicts, tops, ones),
                            Layout::Wide(6) => look_up_wide::<V, 6>(&tables.chunks, conflicts, tops, ones),
                            Layout::Wide(7) => look_up_wide::<V, 7>(&tables.chunks, conflicts, tops, ones),
                            Layout::Wide(_) => look_up_wide::<V, 8>(&tables.chunks, conflicts, tops, ones),
                        };
                    }
                }
            }
            total += u128::from(weight * (pairs as u64 - ones.sum()));
        }
        total
    }

    /// Makes the tables of a block. Places that hold no bottom, `absent`, conflict with every top.
    #[inline(always)]
    fn tabulate<V: Vector>(&self, bitsets: &Bitsets, absent: &Bitset, tables: &mut Tables) {
        for (table, bits) in tables.chunks.iter_mut().zip(&self.chunks) {
            tabulate::<V>(table, bits.iter().map(|&bit| &bitsets[bit]), &EMPTY);
        }
        for ((table, bits), base) in tables.buckets.iter_mut().zip(&self.buckets).zip([absent, &EMPTY]) {
            table.resize(1 << bits.len(), EMPTY);
            tabulate::<V>(table, bits.iter().map(|&bit| &bitsets[bit]), base);
        }
    }
}

/// Adds the conflicts of each of `tops`, of four chunks, to the words of `ones`. The bottoms in `conflicts` conflict
/// with all of them.
#[inline(always)]
fn look_up_four<V: Vector>(tables: &ChunkTables, conflicts: V, tops: &[u32], mut ones: V) -> V {
    let [a, b, c, d, ..] = tables;
    for &top in tops {
        let found = conflicts
            .or(V::load(&a[chunk_at_6::<8>(top << 6)]))
            .or(V::load(&b[chunk_at_6::<8>(top >> 2)]))
            .or(V::load(&c[chunk_at_6::<8>(top >> 10)]))
            .or(V::load(&d[chunk_at_6::<8>(top >> 18)]));
        ones = found.add_ones_to(ones);
    }
    ones
}

/// [`look_up_four`] for tops of five chunks.
#[inline(always)]
fn look_up_five<V: Vector>(tables: &ChunkTables, conflicts: V, tops: &[u32], mut ones: V) -> V {
    let [a, b, c, d, e, ..] = tables;
    for &top in tops {
        let found = conflicts
            .or(V::load(&a[chunk_at_6::<7>(top << 6)]))
            .or(V::load(&b[chunk_at_6::<7>(top >> 1)]))
            .or(V::load(&c[chunk_at_6::<6>(top >> 8)]))
            .or(V::load(&d[chunk_at_6::<6>(top >> 14)]))
            .or(V::load(&e[chunk_at_6::<6>(top >> 20)]));
        ones = found.add_ones_to(ones);
    }
    ones
}

/// The chunk of `BITS` bits that begins at bit 6 of a word. An entry of a table has 64 bytes, so the chunk stands where
/// the address of its entry needs it: a shift and a mask take 0.9 of the time of a shift, a mask and another shift. A
/// chunk is at most a byte, so no bounds are checked.
#[inline(always)]
fn chunk_at_6<const BITS: u32>(shifted: u32) -> usize {
    ((shifted & ((1 << BITS) - 1) << 6) >> 6) as usize
}

/// [`look_up_four`] for wide tops, of `CHUNKS` chunks.
#[inline(always)]
fn look_up_wide<V: Vector, const CHUNKS: usize>(
    tables: &ChunkTables,
    conflicts: V,
    [chunks, more]: [&[u32]; 2],
    mut ones: V,
) -> V {
    for (&chunks, &more) in chunks.iter().zip(more) {
        let mut found = conflicts;
        for (i, table) in tables[..CHUNKS].iter().enumerate() {
            let chunk = if i < 4 { chunks >> (8 * i) } else { more >> (8 * (i - 4)) };
            found = found.or(V::load(&table[(chunk & 0xff) as usize]));
        }
        ones = found.add_ones_to(ones);
    }
    ones
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::super::kernel::loops;
    use super::super::prepared::PreparedCore;
    use super::super::theory::Signature;
    use super::order::LONG;
    use super::*;
    use crate::engine::rows::kernel::Kernel;
    use crate::random::Random;

    /// Bucket and chunks of a half-board.
    type HalfBoard = (u32, u64);

    /// How half-boards are made up.
    #[derive(Clone, Copy, Debug)]
    enum Kind {
        Empty,
        Equal,
        Sparse,
        Dense,
        Mixed,
    }

    /// Half-boards that need not exist: any bucket and any diagonals of the chunks.
    fn boards(random: &mut Random, format: &Format, kind: Kind, length: usize) -> Vec<HalfBoard> {
        let board = |random: &mut Random, share: f64| {
            let mut bit = |bit: usize| u64::from(random.unit_interval() < share) << bit;
            let bucket = (0..format.near.len() + format.far.len()).fold(0, |bucket, i| bucket | bit(i)) as u32;
            (bucket, format.places().fold(0, |chunks, (place, _)| chunks | bit(place)))
        };
        let one = board(random, 0.2);
        let next = |_| match kind {
            Kind::Empty => (0, 0),
            Kind::Equal => one,
            Kind::Sparse => board(random, 0.05),
            Kind::Dense => board(random, 0.5),
            Kind::Mixed => {
                let share = random.unit_interval() / 3.0;
                board(random, share)
            }
        };
        (0..length).map(next).collect()
    }

    fn signature(format: &Format, (bucket, chunks): HalfBoard) -> Signature {
        let in_bucket = format.near.iter().chain(&format.far).copied().enumerate();
        let in_bucket = in_bucket.filter(|(i, _)| bucket >> i & 1 == 1);
        let in_chunks = format.places();
        let in_chunks = in_chunks.filter(|(place, _)| chunks >> place & 1 == 1);
        in_bucket.chain(in_chunks).fold(0, |signature, (_, line)| signature | 1 << line)
    }

    /// The weighted number of disjoint pairs, pair by pair.
    fn brute(geometry: Geometry, formats: [&Format; 2], boards: [&[HalfBoard]; 2], weights: [u64; 4]) -> u128 {
        let main_diagonals = |format: &Format, (bucket, _): HalfBoard| {
            if geometry.is_odd() {
                return 0;
            }
            let near = bucket >> (format.near.len() - 1) & 1;
            let far = bucket >> (format.near.len() + format.far.len() - 1) & 1;
            (far << 1 | near) as usize
        };
        let bottoms = boards[1].iter().filter(|&&bottom| main_diagonals(formats[1], bottom) == 0);
        let bottoms: Vec<Signature> =
            bottoms.map(|&bottom| geometry.turned_signature(signature(formats[1], bottom))).collect();
        let pairs = |&top: &HalfBoard| {
            let occupied = signature(formats[0], top);
            let disjoint = bottoms.iter().filter(|&bottom| bottom & occupied == 0).count();
            disjoint as u128 * u128::from(weights[main_diagonals(formats[0], top)])
        };
        boards[0].iter().map(pairs).sum()
    }

    /// Holds every kernel against brute force on random half-boards.
    fn check(n: u32, core: usize, lengths: [usize; 2], kinds: [Kind; 2], weights: [u64; 4], seed: u64) {
        let geometry = Geometry::new(n);
        let own = Tuning::of(n).layout;
        // What 32 bits do not hold of a large board is too much for a bucket.
        let narrow = if n <= 24 { [Layout::Four, Layout::Five] } else { [own; 2] };
        let layout = [narrow[0], narrow[1], Layout::Wide(5 + (seed / 4 % 4) as u32), own][seed as usize % 4];
        let cores = PreparedCore::all(n, Tuning { layout, ..Tuning::of(n) });
        let core = &cores[core % cores.len()];
        let weights = if geometry.is_odd() { [weights[0]; 4] } else { weights };
        let mut random = Random::new(seed);
        for (join, formats) in core.joins.iter().zip([[0, 1], [1, 0]]) {
            let formats = formats.map(|side| &core.filing.formats[side]);
            let [tops, bottoms] = [0, 1].map(|side| boards(&mut random, formats[side], kinds[side], lengths[side]));
            let expected = brute(geometry, formats, [&tops, &bottoms], weights);
            let [tops, bottoms] = [(0, tops), (1, bottoms)]
                .map(|(side, list)| Half::of(formats[side].buckets(), formats[side].is_wide(), &list));
            let sides = Sides { tops: &tops, bottoms: &bottoms, weights };
            let mut workspace = Workspace::default();
            for kernel in Kernel::available() {
                // Twice, because a workspace keeps what it held, and what it held when a join was stopped.
                let stopped = Stop::new();
                stopped.request();
                for _ in 0..2 {
                    let pairs = loops(kernel).disjoint_pairs(join, sides, &mut workspace, &Stop::new());
                    assert_eq!(pairs, expected, "N = {n}, {kernel:?}, {lengths:?}, {kinds:?}");
                    loops(kernel).disjoint_pairs(join, sides, &mut workspace, &stopped);
                }
            }
        }
    }

    const KINDS: [Kind; 5] = [Kind::Empty, Kind::Equal, Kind::Sparse, Kind::Dense, Kind::Mixed];

    #[test]
    fn lists_of_every_length_around_a_word_and_a_block_are_joined() {
        for lengths in [0, 1, 63, 64, 65, 511, 512, 513, 1000]
            .map(|tops| [0, 1, 63, 64, 65, 511, 512, 513, 1000].map(|bottoms| [tops, bottoms]))
            .concat()
        {
            for n in [12, 17] {
                check(n, lengths[0] % 3, lengths, [Kind::Mixed, Kind::Sparse], [4, 4, 4, 8], 1);
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn long_lists_are_joined_group_by_group(
            n in 20u32..=24,
            core in any::<usize>(),
            bottoms in LONG - 3..2 * LONG,
            kinds in [select(&KINDS[..]), select(&KINDS[..])],
            seed in any::<u64>(),
        ) {
            check(n, core, [300, bottoms], kinds, [4, 4, 4, 8], seed);
        }

        #[test]
        fn disjoint_pairs_are_what_pair_by_pair_counts(
            n in select((4..=24).chain([26, 28, 30, 32]).collect::<Vec<u32>>()),
            core in any::<usize>(),
            lengths in (select(&[0, 1, 63, 64, 65, 511, 512, 513, 1000][..]), 0usize..2000),
            turned in any::<bool>(),
            kinds in [select(&KINDS[..]), select(&KINDS[..])],
            weights in [0u64..9, 0u64..9, 0u64..9, 0u64..9],
            seed in any::<u64>(),
        ) {
            let lengths = if turned { [lengths.1, lengths.0] } else { [lengths.0, lengths.1] };
            check(n, core, lengths, kinds, weights, seed);
        }
    }
}
