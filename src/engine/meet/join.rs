//! The join: in how many pairs of a top and a bottom half-board do the two share no diagonal?
//!
//! Bottoms are taken 512 at a time, and a table for each chunk of diagonals says which of them occupy some of it
//! (`block`). A top is a handful of chunks: the OR of one table entry for each says which of the 512 bottoms it
//! conflicts with, and the zeros are counted. So each pair costs a fraction of a bit operation, and its price is that
//! of loading the entries.
//!
//! Most pairs need not even be looked up. Tops lie in classes by the most occupied diagonals, and bottoms are sorted by
//! the same diagonals:
//!
//! - The OR of the rows of a class is found once for the class; and as a block of sorted bottoms is alike in many of
//!   these diagonals, it often conflicts with the whole class, which is then passed over: a quarter of the pairs for
//!   every diagonal in which blocks are alike.
//! - Long lists are joined **group** by group: the tops that occupy the same of the first class diagonals meet blocks
//!   made of those bottoms alone that occupy none of them. That again saves a quarter of the pairs for a diagonal, and
//!   leaves the sorting to the other diagonals, but puts a bottom into three blocks for two groups.

use super::block::{BLOCK, Block, EMPTY, NO_CONFLICT, Row, Rows, tabulate};
use super::core::Tuning;
use super::format::{Format, Layout};
use super::half::Half;
use super::kernel::Vector;
use super::order::{Order, Orders, Sorted, Sorter};
use super::signature::Geometry;
use crate::engine::Stop;

/// The lookup tables of the chunks of a block.
type ChunkTables = [[Row; 256]; 8];

/// The lookup tables of a block.
#[derive(Clone, Debug)]
struct Tables {
    chunks: Box<ChunkTables>,
    classes: [Vec<Row>; 2],
}

impl Default for Tables {
    fn default() -> Self {
        Self {
            // By way of the heap: an array of this size would have its place on the stack first.
            chunks: vec![[EMPTY; 256]; 8].try_into().expect("8 tables"),
            classes: Default::default(),
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
    /// Which bit of a bottom conflicts with each class bit that the near and far quarters of a top decide.
    classes: [Vec<usize>; 2],
    /// How the chunks of tops lie in words.
    layout: Layout,
    /// Whether the class has the main diagonals, too: even N.
    marks: bool,
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
    /// What a pair counts, by the main diagonals that its top occupies: none, near, far, both.
    pub weights: [u64; 4],
}

impl Join {
    /// Joins tops of one format with bottoms of another.
    pub fn new(
        geometry: Geometry,
        top: &Format,
        bottom: &Format,
        marks: bool,
        tuning: Tuning,
        orders: &mut Orders,
    ) -> Self {
        let plain = |class: &Vec<u32>| class[..class.len() - usize::from(marks)].to_vec();
        // The class of a bottom goes where its chunks leave room.
        let mut spare = (0..64).filter(|&bit| bottom.places().all(|(taken, _)| taken != bit));
        let bottom_class: [Vec<usize>; 2] = [&bottom.near, &bottom.far]
            .map(|class| plain(class).iter().map(|_| spare.next().expect("64 bits")).collect());
        let bit = |line: &u32| {
            let line = geometry.turned(*line);
            let in_chunk = bottom.places().find_map(|(bit, of)| (of == line).then_some(bit));
            let in_near = || Some(bottom_class[0][bottom.near.iter().position(|&l| l == line)?]);
            let in_far = || Some(bottom_class[1][bottom.far.iter().position(|&l| l == line)?]);
            in_chunk.or_else(in_near).or_else(in_far).unwrap_or(NO_CONFLICT)
        };
        let classes = [&top.near, &top.far].map(|class| plain(class).iter().map(bit).collect::<Vec<usize>>());
        let sorter = Sorter::new(bottom, bottom_class.clone(), marks, &classes, tuning, orders);
        Self {
            chunks: top.chunks.iter().map(|chunk| chunk.iter().map(bit).collect()).collect(),
            classes,
            layout: top.layout,
            marks,
            sorter,
        }
    }

    /// The number of disjoint pairs, weighted. Of no meaning once `stop` has been requested.
    #[inline(always)]
    pub fn disjoint_pairs<V: Vector>(&self, sides: Sides, workspace: &mut Workspace, stop: &Stop) -> u128 {
        let Workspace { sorted, block, tables } = workspace;
        let order = self.sorter.sort(sides.bottoms, sorted);
        // A join that was stopped has left some.
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
        let mut rows = [EMPTY; NO_CONFLICT + 1];
        let absent = block.take::<V>(self.sorter.wide, &mut rows);
        self.tabulate::<V>(&rows, &absent, tables);
        let [near_bits, far_bits] = [&self.classes[0], &self.classes[1]].map(Vec::len);
        let [near_step, far_step] = order.grouped.map(|bits| 1 << bits);
        let (near_group, far_group) = (group % near_step, group / near_step);
        let marked = usize::from(self.marks);
        let mut total = 0;
        for (marks, &weight) in weights[..1 << (2 * marked)].iter().enumerate().filter(|(_, weight)| **weight > 0) {
            let (near_mark, far_mark) = (marks & 1, marks >> 1);
            let mut pairs = 0;
            let mut ones = V::splat(0);
            for far in (far_group..1 << far_bits).step_by(far_step) {
                let conflicts = V::load(&tables.classes[1][far]);
                if conflicts.is_full() {
                    continue;
                }
                for near in (near_group..1 << near_bits).step_by(near_step) {
                    let class = ((far_mark << far_bits | far) << marked | near_mark) << near_bits | near;
                    let tops = tops.class(class);
                    let conflicts = conflicts.or(V::load(&tables.classes[0][near]));
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
    fn tabulate<V: Vector>(&self, rows: &Rows, absent: &Row, tables: &mut Tables) {
        for (table, bits) in tables.chunks.iter_mut().zip(&self.chunks) {
            tabulate::<V>(table, rows, bits, &EMPTY);
        }
        for ((table, bits), base) in tables.classes.iter_mut().zip(&self.classes).zip([absent, &EMPTY]) {
            table.resize(1 << bits.len(), EMPTY);
            tabulate::<V>(table, rows, bits, base);
        }
    }
}

/// Adds the conflicts of each of `tops`, of four chunks, to the words of `ones`; bottoms in `conflicts` are in conflict
/// with each.
#[inline(always)]
fn look_up_four<V: Vector>(tables: &ChunkTables, conflicts: V, tops: &[u32], mut ones: V) -> V {
    let [a, b, c, d, ..] = tables;
    for &top in tops {
        let row = conflicts
            .or(V::load(&a[entry::<8>(top << 6)]))
            .or(V::load(&b[entry::<8>(top >> 2)]))
            .or(V::load(&c[entry::<8>(top >> 10)]))
            .or(V::load(&d[entry::<8>(top >> 18)]));
        ones = row.add_ones_to(ones);
    }
    ones
}

/// [`look_up_four`] for tops of five chunks.
#[inline(always)]
fn look_up_five<V: Vector>(tables: &ChunkTables, conflicts: V, tops: &[u32], mut ones: V) -> V {
    let [a, b, c, d, e, ..] = tables;
    for &top in tops {
        let row = conflicts
            .or(V::load(&a[entry::<7>(top << 6)]))
            .or(V::load(&b[entry::<7>(top >> 1)]))
            .or(V::load(&c[entry::<6>(top >> 8)]))
            .or(V::load(&d[entry::<6>(top >> 14)]))
            .or(V::load(&e[entry::<6>(top >> 20)]));
        ones = row.add_ones_to(ones);
    }
    ones
}

/// The chunk of so many bits that begins at bit 6: an entry's address is had with a shift and a mask, which takes 0.9 of
/// the time of a chunk that is shifted afterwards. It is at most a byte, so no bounds are checked.
#[inline(always)]
fn entry<const BITS: u32>(shifted: u32) -> usize {
    ((shifted & ((1 << BITS) - 1) << 6) >> 6) as usize
}

/// [`look_up_four`] for wide tops, of so many chunks.
#[inline(always)]
fn look_up_wide<V: Vector, const CHUNKS: usize>(
    tables: &ChunkTables,
    conflicts: V,
    [chunks, more]: [&[u32]; 2],
    mut ones: V,
) -> V {
    for (&chunks, &more) in chunks.iter().zip(more) {
        let mut row = conflicts;
        for (i, table) in tables[..CHUNKS].iter().enumerate() {
            let chunk = if i < 4 { chunks >> (8 * i) } else { more >> (8 * (i - 4)) };
            row = row.or(V::load(&table[(chunk & 0xff) as usize]));
        }
        ones = row.add_ones_to(ones);
    }
    ones
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::super::core::Core;
    use super::super::kernel::Kernel;
    use super::super::order::LONG;
    use super::super::signature::Signature;
    use super::*;
    use crate::random::Random;

    /// Class and chunks of a half-board.
    type Board = (u32, u64);

    /// How half-boards are made up.
    #[derive(Clone, Copy, Debug)]
    enum Kind {
        Empty,
        Equal,
        Sparse,
        Dense,
        Mixed,
    }

    fn classes(format: &Format) -> u32 {
        1 << (format.near.len() + format.far.len())
    }

    /// Half-boards that need not exist: any class and any diagonals of the chunks.
    fn boards(random: &mut Random, format: &Format, kind: Kind, length: usize) -> Vec<Board> {
        let board = |random: &mut Random, share: f64| {
            let mut bit = |bit: usize| u64::from(random.unit_interval() < share) << bit;
            let class = (0..format.near.len() + format.far.len()).fold(0, |class, i| class | bit(i)) as u32;
            (class, format.places().fold(0, |chunks, (place, _)| chunks | bit(place)))
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

    fn signature(format: &Format, (class, chunks): Board) -> Signature {
        let in_class = format.near.iter().chain(&format.far).copied().enumerate().filter(|(i, _)| class >> i & 1 == 1);
        let in_chunks = format.places();
        let in_chunks = in_chunks.filter(|(place, _)| chunks >> place & 1 == 1);
        in_class.chain(in_chunks).fold(0, |signature, (_, line)| signature | 1 << line)
    }

    /// The weighted number of disjoint pairs, pair by pair.
    fn brute(geometry: Geometry, formats: [&Format; 2], marks: bool, boards: [&[Board]; 2], weights: [u64; 4]) -> u128 {
        let marked = |format: &Format, (class, _): Board| {
            if !marks {
                return 0;
            }
            let near = class >> (format.near.len() - 1) & 1;
            let far = class >> (format.near.len() + format.far.len() - 1) & 1;
            (far << 1 | near) as usize
        };
        let bottoms = boards[1].iter().filter(|&&bottom| !marks || marked(formats[1], bottom) == 0);
        let bottoms: Vec<Signature> =
            bottoms.map(|&bottom| geometry.turned_signature(signature(formats[1], bottom))).collect();
        let pairs = |&top: &Board| {
            let occupied = signature(formats[0], top);
            let disjoint = bottoms.iter().filter(|&bottom| bottom & occupied == 0).count();
            disjoint as u128 * u128::from(weights[marked(formats[0], top)])
        };
        boards[0].iter().map(pairs).sum()
    }

    /// Holds every kernel against brute force on random half-boards.
    fn check(n: u32, core: usize, lengths: [usize; 2], kinds: [Kind; 2], weights: [u64; 4], seed: u64) {
        let geometry = Geometry::new(n);
        let own = Tuning::of(n).layout;
        // What 32 bits do not hold of a large board is too much for a class.
        let narrow = if n <= 24 { [Layout::Four, Layout::Five] } else { [own; 2] };
        let layout = [narrow[0], narrow[1], Layout::Wide(5 + (seed / 4 % 4) as u32), own][seed as usize % 4];
        let cores = Core::all(n, Tuning { layout, ..Tuning::of(n) });
        let core = &cores[core % cores.len()];
        let marks = !geometry.is_odd();
        let weights = if marks { weights } else { [weights[0]; 4] };
        let mut random = Random::new(seed);
        for (join, formats) in core.joins.iter().zip([[0, 1], [1, 0]]) {
            let formats = formats.map(|side| &core.formats[side]);
            let [tops, bottoms] = [0, 1].map(|side| boards(&mut random, formats[side], kinds[side], lengths[side]));
            let expected = brute(geometry, formats, marks, [&tops, &bottoms], weights);
            let [tops, bottoms] = [(0, tops), (1, bottoms)]
                .map(|(side, list)| Half::of(classes(formats[side]), formats[side].is_wide(), &list));
            let sides = Sides { tops: &tops, bottoms: &bottoms, weights };
            let mut workspace = Workspace::default();
            for kernel in Kernel::available() {
                // Twice, for a workspace keeps what it held, and what it held when a join was stopped.
                let stopped = Stop::new();
                stopped.request();
                for _ in 0..2 {
                    let pairs = kernel.disjoint_pairs(join, sides, &mut workspace, &Stop::new());
                    assert_eq!(pairs, expected, "N = {n}, {kernel:?}, {lengths:?}, {kinds:?}");
                    kernel.disjoint_pairs(join, sides, &mut workspace, &stopped);
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
