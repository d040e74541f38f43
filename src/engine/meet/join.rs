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
use super::format::Format;
use super::half::Half;
use super::kernel::Vector;
use super::signature::Geometry;
use crate::engine::Stop;

/// The lookup tables of the chunks of a block.
type ChunkTables = [[Row; 256]; 8];

/// The memory of a join, kept for the next one.
#[derive(Clone, Debug)]
pub struct Tables {
    chunks: Box<ChunkTables>,
    classes: [Vec<Row>; 2],
    block: Box<Block>,
    sorted: Sorted,
}

impl Default for Tables {
    fn default() -> Self {
        Self {
            // By way of the heap: an array of this size would have its place on the stack first.
            chunks: vec![[EMPTY; 256]; 8].try_into().expect("8 tables"),
            classes: Default::default(),
            block: Box::default(),
            sorted: Sorted::default(),
        }
    }
}

/// The bottoms of a join in the order of their ranks.
#[derive(Clone, Debug, Default)]
struct Sorted {
    /// Their chunks, with what fits of their class; and the rest of their class.
    words: [Vec<u32>; 2],
    /// Where the bottoms of each rank end.
    ends: Vec<u32>,
}

/// How tops and bottoms are joined.
#[derive(Clone, Debug)]
pub struct Join {
    /// Which bit of a bottom conflicts with each bit of the chunks of a top. Bits from 32 up are in the second word.
    chunks: Vec<Vec<usize>>,
    /// Which bit of a bottom conflicts with each class bit that the near and far quarters of a top decide.
    classes: [Vec<usize>; 2],
    /// Whether the class has the main diagonals, too: even N.
    marks: bool,
    /// Where the bits of a bottom's class are, near ones first.
    bottom_class: [Vec<usize>; 2],
    /// Whether bottoms have a second word.
    wide: bool,
    /// The bits that bottoms are sorted by, in two runs: the lowest and how many.
    key: [(u32, u32); 2],
    /// The orders for short and for long lists.
    orders: [Order; 2],
}

/// The order of bottoms: the rank of each value of the two runs of bits, the first one below.
#[derive(Clone, Debug)]
struct Order {
    ranks: [u8; 256],
    /// How many of the highest bits of each run tell the groups apart. They are the lowest bits of a rank, and
    /// conflict with the lowest bits of the class of tops.
    grouped: [u32; 2],
}

impl Join {
    /// Joins tops of one format with bottoms of another.
    pub fn new(geometry: Geometry, top: &Format, bottom: &Format, marks: bool, tuning: Tuning) -> Self {
        let plain = |class: &Vec<u32>| class[..class.len() - usize::from(marks)].to_vec();
        // The class of a bottom goes where its chunks leave room.
        let room = |bit: usize| bottom.chunks.get(bit / 8).map_or(0, Vec::len) <= bit % 8;
        let mut spare = (0..64).filter(|&bit| room(bit));
        let bottom_class: [Vec<usize>; 2] = [&bottom.near, &bottom.far]
            .map(|class| plain(class).iter().map(|_| spare.next().expect("64 bits")).collect());
        let bit = |line: &u32| {
            let line = geometry.turned(*line);
            let in_chunk = bottom
                .chunks
                .iter()
                .enumerate()
                .find_map(|(i, chunk)| Some(8 * i + chunk.iter().position(|&l| l == line)?));
            let in_near = || Some(bottom_class[0][bottom.near.iter().position(|&l| l == line)?]);
            let in_far = || Some(bottom_class[1][bottom.far.iter().position(|&l| l == line)?]);
            in_chunk.or_else(in_near).or_else(in_far).unwrap_or(NO_CONFLICT)
        };
        let run = |chunk: usize, wish: u32| {
            let width = bottom.chunks[chunk].len() as u32;
            let bits = wish.min(width);
            // No bits are looked for at 0: behind the last bit a shift would pass the end of the word.
            if bits == 0 { (0, 0) } else { (8 * chunk as u32 + width - bits, bits) }
        };
        let key = [run(3, tuning.sorted[0]), run(1, tuning.sorted[1])];
        let classes = [&top.near, &top.far].map(|class| plain(class).iter().map(bit).collect::<Vec<usize>>());
        // Groups are told apart by class bits that conflict with the highest bits of the runs, one by one.
        let grouped = [0, 1].map(|side| {
            let (lowest, bits) = key[side];
            let highest_first = (lowest..lowest + bits).rev().map(|bit| bit as usize);
            let pairs = classes[side].iter().copied().zip(highest_first).take(tuning.grouped[side] as usize);
            pairs.take_while(|(conflict, bit)| conflict == bit).count() as u32
        });
        Self {
            chunks: top.chunks.iter().map(|chunk| chunk.iter().map(bit).collect()).collect(),
            classes,
            marks,
            wide: bottom.is_wide() || bottom_class.iter().flatten().any(|&bit| bit >= 32),
            bottom_class,
            orders: [[0, 0], grouped].map(|grouped| Order::new(key.map(|(_, bits)| bits), grouped)),
            key,
        }
    }

    /// The number of disjoint pairs, each weighted by the main diagonals that its top occupies (none, near, far, both);
    /// bottoms that occupy one are left out. Of no meaning once `stop` has been requested.
    #[inline(always)]
    pub fn disjoint_pairs<V: Vector>(
        &self,
        tops: &Half,
        bottoms: &Half,
        weights: [u64; 4],
        tables: &mut Tables,
        stop: &Stop,
    ) -> u128 {
        let order = &self.orders[usize::from(bottoms.len() > LONG)];
        let mut sorted = std::mem::take(&mut tables.sorted);
        let mut block = std::mem::take(&mut tables.block);
        self.sort(bottoms, order, &mut sorted);
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
                        total += self.join_block::<V>(tops, &mut block, group, order, weights, tables);
                    }
                }
            }
            if !block.is_empty() {
                total += self.join_block::<V>(tops, &mut block, group, order, weights, tables);
            }
        }
        (tables.sorted, tables.block) = (sorted, block);
        total
    }

    /// Sorts the bottoms that occupy no main diagonal.
    #[inline(always)]
    fn sort(&self, bottoms: &Half, order: &Order, sorted: &mut Sorted) {
        let [near, far] = [&self.bottom_class[0], &self.bottom_class[1]];
        let marked = usize::from(self.marks);
        let classes = || (0..1usize << far.len()).flat_map(move |f| (0..1usize << near.len()).map(move |n| (n, f)));
        let members = |(n, f): (usize, usize)| bottoms.class(f << (near.len() + marked) | n);
        let placed = |bits: &[usize], class: usize| {
            bits.iter().enumerate().fold(0u64, |word, (i, bit)| word | (class as u64 >> i & 1) << bit)
        };
        let word = |(n, f): (usize, usize)| placed(near, n) | placed(far, f);
        let [low, high] = &mut sorted.words;
        low.clear();
        high.clear();
        sorted.ends.clear();
        let total: usize = classes().map(|class| members(class)[0].len()).sum();
        let [(first, bits), (second, more)] = self.key;
        if total <= BLOCK || bits + more == 0 {
            // One block needs no order, and there may be none.
            for class in classes() {
                let (word, [chunks, more]) = (word(class), members(class));
                low.extend(chunks.iter().map(|&chunks| chunks | word as u32));
                if self.wide {
                    high.extend(more.iter().map(|&more| more | (word >> 32) as u32));
                    high.resize(low.len(), (word >> 32) as u32);
                }
            }
            sorted.ends.push(total as u32);
            return;
        }
        let (mask, other_mask) = ((1 << bits) - 1, (1 << more) - 1);
        // A byte that indexes tables of 256: no bounds are checked.
        let rank = |chunks: u32| {
            let value = (chunks >> second & other_mask) << bits | chunks >> first & mask;
            usize::from(order.ranks[usize::from(value as u8)])
        };
        let mut places = [0u32; 256];
        for class in classes() {
            for &chunks in members(class)[0] {
                places[rank(chunks)] += 1;
            }
        }
        let mut end = 0;
        for place in &mut places[..1 << (bits + more)] {
            end += *place;
            *place = end - *place;
        }
        low.resize(total, 0);
        high.resize(if self.wide { total } else { 0 }, 0);
        for class in classes() {
            let (word, [chunks, more]) = (word(class), members(class));
            for (i, &chunks) in chunks.iter().enumerate() {
                let place = &mut places[rank(chunks)];
                low[*place as usize] = chunks | word as u32;
                if self.wide {
                    high[*place as usize] = more.get(i).unwrap_or(&0) | (word >> 32) as u32;
                }
                *place += 1;
            }
        }
        sorted.ends.extend_from_slice(&places[..1 << (bits + more)]);
    }

    /// Joins the tops of a group with a block, and empties the block.
    #[inline(always)]
    fn join_block<V: Vector>(
        &self,
        tops: &Half,
        block: &mut Block,
        group: usize,
        order: &Order,
        weights: [u64; 4],
        tables: &mut Tables,
    ) -> u128 {
        let mut rows = [EMPTY; NO_CONFLICT + 1];
        let absent = block.take::<V>(self.wide, &mut rows);
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
                        ones = match self.chunks.len() {
                            4 => look_up(&tables.chunks, conflicts, tops[0], ones),
                            5 => look_up_wide::<V, 5>(&tables.chunks, conflicts, tops, ones),
                            6 => look_up_wide::<V, 6>(&tables.chunks, conflicts, tops, ones),
                            7 => look_up_wide::<V, 7>(&tables.chunks, conflicts, tops, ones),
                            _ => look_up_wide::<V, 8>(&tables.chunks, conflicts, tops, ones),
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

/// From more bottoms on, tops are joined group by group: some blocks, or the parts do not fill theirs.
const LONG: usize = 4 * BLOCK;

impl Order {
    /// The order by the highest bit of the first run, of the second, the next of the first and so on, and by those that
    /// tell groups apart last.
    fn new(bits: [u32; 2], grouped: [u32; 2]) -> Self {
        let rank = |value: u32| {
            let fields = [value & ((1 << bits[0]) - 1), value >> bits[0]];
            let bit = |field: usize, step: u32| fields[field] >> (bits[field] - step) & 1;
            let steps = (1..=bits[0].max(bits[1])).flat_map(|step| [0, 1].map(|field| (field, step)));
            let sorted = steps.filter(|&(field, step)| grouped[field] < step && step <= bits[field]);
            let rank = sorted.fold(0, |rank, (field, step)| rank << 1 | bit(field, step));
            let groups = [1, 0].into_iter().flat_map(|field| (1..=grouped[field]).rev().map(move |step| (field, step)));
            groups.fold(rank, |rank, (field, step)| rank << 1 | bit(field, step))
        };
        assert!(bits[0] + bits[1] <= u8::BITS, "sorted by {bits:?} bits");
        let last = ((1u32 << (bits[0] + bits[1])) - 1) as u8;
        Self { ranks: std::array::from_fn(|value| rank(u32::from(value as u8 & last)) as u8), grouped }
    }

    fn groups(&self) -> usize {
        1 << (self.grouped[0] + self.grouped[1])
    }
}

/// Adds the conflicts of each of `tops` to the words of `ones`; bottoms in `conflicts` are in conflict with each.
#[inline(always)]
fn look_up<V: Vector>(tables: &ChunkTables, conflicts: V, tops: &[u32], mut ones: V) -> V {
    let [a, b, c, d, ..] = tables;
    for &top in tops {
        // Bytes, so no bounds are checked. Written so that an entry's address is had with a shift and a mask each: 0.9
        // of the time of bytes that are shifted afterwards.
        let entry = |shifted: u32| ((shifted & 0xff << 6) >> 6) as usize;
        let row = conflicts
            .or(V::load(&a[entry(top << 6)]))
            .or(V::load(&b[entry(top >> 2)]))
            .or(V::load(&c[entry(top >> 10)]))
            .or(V::load(&d[entry(top >> 18)]));
        ones = row.add_ones_to(ones);
    }
    ones
}

/// [`look_up`] for wide tops, of so many chunks.
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
            let places = format.chunks.iter().enumerate().flat_map(|(i, chunk)| 8 * i..8 * i + chunk.len());
            (class, places.fold(0, |chunks, place| chunks | bit(place)))
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
        let in_class = format.near.iter().chain(&format.far).enumerate().filter(|(i, _)| class >> i & 1 == 1);
        let places = format.chunks.iter().enumerate();
        let in_chunks = places.flat_map(|(i, chunk)| chunk.iter().enumerate().map(move |(j, line)| (8 * i + j, line)));
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
        // Every other time with wide half-boards.
        let chunks = if seed.is_multiple_of(2) { Tuning::of(n).chunks } else { 5 + (seed / 2 % 4) as u32 };
        let cores = Core::all(n, Tuning { chunks, ..Tuning::of(n) });
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
            let mut tables = Tables::default();
            for kernel in Kernel::available() {
                // Twice, for the tables keep what they held.
                for _ in 0..2 {
                    let pairs = kernel.disjoint_pairs(join, &tops, &bottoms, weights, &mut tables, &Stop::new());
                    assert_eq!(pairs, expected, "N = {n}, {kernel:?}, {lengths:?}, {kinds:?}");
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
