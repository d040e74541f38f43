//! The join: in how many pairs of a top and a bottom half-board do the two share no diagonal?
//!
//! Bottoms are taken 512 at a time. For every diagonal there is then one **row** of 512 bits that says which of them
//! occupy it, and for every chunk of diagonals a **table** with the OR of the rows of each subset:
//!
//! ```text
//!                      bottom 0 1 2 3 ... 511
//!     diagonal 0              1 . . 1     .         table[0b000] = . . . .     .
//!     diagonal 1              . 1 . .     1         table[0b001] = 1 . . 1     .     row 0
//!     diagonal 2              . . . .     1         table[0b011] = 1 1 . 1     1     row 0 | row 1
//! ```
//!
//! A top is a handful of chunks: the OR of one table entry for each says which of the 512 bottoms it conflicts with,
//! and the zeros are counted. So each pair costs a fraction of a bit operation, and its price is that of loading the
//! entries.
//!
//! The tops are sorted into groups by the most occupied diagonals, and the bottoms in the same way. For a group, the
//! OR of those diagonals is found once; and as a block of 512 sorted bottoms is alike in many of them, it often
//! conflicts with the whole group, which is then passed over: a quarter of the pairs for every diagonal in which blocks
//! are alike.

use super::core::Tuning;
use super::format::Format;
use super::half::Half;
use super::kernel::Vector;
use super::signature::Geometry;
use crate::engine::Stop;

/// A set of bottoms of a block: bit b of word w stands for bottom 8 b + w.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Row(pub [u64; 8]);

/// The lookup tables of the chunks of a block.
pub type ChunkTables = [[Row; 256]; 4];

/// The bottoms of a block.
pub const BLOCK: usize = 512;

const EMPTY: Row = Row([0; 8]);

/// The bit of a bottom, always clear, that stands for a diagonal that no bottom can occupy.
const NO_CONFLICT: usize = 64;

/// The memory of a join, kept for the next one.
#[derive(Clone, Debug)]
pub struct Tables {
    chunks: Box<ChunkTables>,
    classes: [Vec<Row>; 2],
    /// The bottoms of a join: their chunks, with what fits of their class; and the rest of their class.
    bottoms: [Vec<u32>; 2],
}

impl Default for Tables {
    fn default() -> Self {
        Self { chunks: Box::new([[EMPTY; 256]; 4]), classes: Default::default(), bottoms: Default::default() }
    }
}

/// How tops and bottoms are joined.
#[derive(Clone, Debug)]
pub struct Join {
    /// Which bit of a bottom conflicts with each bit of the chunks of a top. Bits from 32 up are in the second word.
    chunks: [Vec<usize>; 4],
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
    /// The place in the order of each value of the two runs, the first one below.
    order: Vec<u32>,
}

impl Join {
    /// Joins tops of one format with bottoms of another.
    pub fn new(geometry: Geometry, top: &Format, bottom: &Format, marks: bool, tuning: Tuning) -> Self {
        let plain = |class: &Vec<u32>| class[..class.len() - usize::from(marks)].to_vec();
        // The class of a bottom goes where its chunks leave room.
        let spare = (0..32).filter(|bit| bit % 8 >= bottom.chunks[bit / 8].len());
        let mut spare = spare.chain(32..64);
        let bottom_class: [Vec<usize>; 2] = [&bottom.near, &bottom.far]
            .map(|class| plain(class).iter().map(|_| spare.next().expect("32 bits")).collect());
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
        Self {
            chunks: std::array::from_fn(|i| top.chunks[i].iter().map(bit).collect()),
            classes: [&top.near, &top.far].map(|class| plain(class).iter().map(bit).collect()),
            marks,
            wide: bottom_class.iter().flatten().any(|&bit| bit >= 32),
            bottom_class,
            order: interleaved(key.map(|(_, bits)| bits)),
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
        let [mut low, mut high] = std::mem::take(&mut tables.bottoms);
        self.sort(bottoms, &mut low, &mut high);
        let mut total = 0;
        for (i, low) in low.chunks(BLOCK).enumerate() {
            if stop.requested() {
                break;
            }
            let high = if self.wide { &high[i * BLOCK..][..low.len()] } else { &[] };
            total += self.join_block::<V>(tops, low, high, weights, tables);
        }
        tables.bottoms = [low, high];
        total
    }

    /// The bottoms that occupy no main diagonal, sorted by the diagonals that conflict with the near class of tops.
    #[inline(always)]
    fn sort(&self, bottoms: &Half, low: &mut Vec<u32>, high: &mut Vec<u32>) {
        let [near, far] = [&self.bottom_class[0], &self.bottom_class[1]];
        let marked = usize::from(self.marks);
        let classes = || (0..1usize << far.len()).flat_map(move |f| (0..1usize << near.len()).map(move |n| (n, f)));
        let members = |(n, f): (usize, usize)| bottoms.class(f << (near.len() + marked) | n);
        let placed = |bits: &[usize], class: usize| {
            bits.iter().enumerate().fold(0u64, |word, (i, bit)| word | (class as u64 >> i & 1) << bit)
        };
        let word = |(n, f): (usize, usize)| placed(near, n) | placed(far, f);
        low.clear();
        high.clear();
        let total: usize = classes().map(|class| members(class).len()).sum();
        if total <= BLOCK {
            // One block needs no order.
            for class in classes() {
                let word = word(class);
                low.extend(members(class).iter().map(|&bottom| bottom | word as u32));
                if self.wide {
                    high.resize(low.len(), (word >> 32) as u32);
                }
            }
            return;
        }
        let [(first, bits), (second, more)] = self.key;
        let key = |chunks: u32| {
            let first = chunks >> first & ((1 << bits) - 1);
            let second = chunks >> second & ((1 << more) - 1);
            self.order[(second << bits | first) as usize] as usize
        };
        let mut places = [0u32; 256];
        for class in classes() {
            for &bottom in members(class) {
                places[key(bottom)] += 1;
            }
        }
        let mut end = 0;
        for place in &mut places[..self.order.len()] {
            end += *place;
            *place = end - *place;
        }
        low.resize(total, 0);
        if self.wide {
            high.resize(total, 0);
        }
        for class in classes() {
            let word = word(class);
            for &bottom in members(class) {
                let place = &mut places[key(bottom)];
                low[*place as usize] = bottom | word as u32;
                if self.wide {
                    high[*place as usize] = (word >> 32) as u32;
                }
                *place += 1;
            }
        }
    }

    #[inline(always)]
    fn join_block<V: Vector>(
        &self,
        tops: &Half,
        low: &[u32],
        high: &[u32],
        weights: [u64; 4],
        tables: &mut Tables,
    ) -> u128 {
        let mut rows = [EMPTY; NO_CONFLICT + 1];
        let (low_rows, high_rows) = rows.split_at_mut(32);
        transpose::<V>(low, low_rows);
        if self.wide {
            transpose::<V>(high, &mut high_rows[..32]);
        }
        for (table, bits) in tables.chunks.iter_mut().zip(&self.chunks) {
            tabulate::<V>(table, &rows, bits, &EMPTY);
        }
        // Places of the block that hold no bottom conflict with every top.
        let absent = Row(std::array::from_fn(|word| {
            let lane = |lane: usize| match low.len().saturating_sub(lane).div_ceil(16) {
                32 => 0,
                held => u64::from(u32::MAX << held),
            };
            lane(2 * word) | lane(2 * word + 1) << 32
        }));
        for ((table, bits), base) in tables.classes.iter_mut().zip(&self.classes).zip([&absent, &EMPTY]) {
            table.resize(1 << bits.len(), EMPTY);
            tabulate::<V>(table, &rows, bits, base);
        }
        let mut total = 0;
        let mut class = 0;
        let marks: &[usize] = if self.marks { &[0, 1] } else { &[0] };
        let near_classes = tables.classes[0].len();
        for far_mark in marks {
            for far in &tables.classes[1] {
                let far = V::load(far);
                if far.is_full() {
                    class += near_classes * marks.len();
                    continue;
                }
                for near_mark in marks {
                    let weight = weights[far_mark << 1 | near_mark];
                    if weight == 0 {
                        class += near_classes;
                        continue;
                    }
                    for near in &tables.classes[0] {
                        let tops = tops.class(class);
                        class += 1;
                        let conflicts = V::load(near).or(far);
                        if !tops.is_empty() && !conflicts.is_full() {
                            total += u128::from(weight * zeros(&tables.chunks, conflicts, tops));
                        }
                    }
                }
            }
        }
        total
    }
}

/// The order of the values of two runs of bits, by the highest bit of the first, of the second, the next of the first
/// and so on.
fn interleaved(bits: [u32; 2]) -> Vec<u32> {
    let significance = |value: u32| {
        let fields = [value & ((1 << bits[0]) - 1), value >> bits[0]];
        let steps = (1..=bits[0].max(bits[1])).flat_map(|step| [0, 1].map(|field| (field, step)));
        let steps = steps.filter(|&(field, step)| step <= bits[field]);
        steps.fold(0, |order, (field, step)| order << 1 | (fields[field] >> (bits[field] - step) & 1))
    };
    (0..1 << (bits[0] + bits[1])).map(significance).collect()
}

/// The number of pairs of one of `tops` and a bottom that are not in conflict; bottoms in `conflicts` are with each.
#[inline(always)]
fn zeros<V: Vector>(tables: &ChunkTables, conflicts: V, tops: &[u32]) -> u64 {
    let [a, b, c, d] = tables;
    let mut ones = V::splat(0);
    for top in tops {
        // Bytes index tables of 256 rows: no bounds are checked.
        let [ta, tb, tc, td] = top.to_le_bytes().map(usize::from);
        let row = conflicts.or(V::load(&a[ta])).or(V::load(&b[tb])).or(V::load(&c[tc])).or(V::load(&d[td]));
        ones = row.add_ones_to(ones);
    }
    (BLOCK * tops.len()) as u64 - ones.sum()
}

/// The OR of `base` and each subset of the given rows.
#[inline(always)]
fn tabulate<V: Vector>(table: &mut [Row], rows: &[Row; NO_CONFLICT + 1], bits: &[usize], base: &Row) {
    table[0] = *base;
    for (i, &bit) in bits.iter().enumerate() {
        let row = V::load(&rows[bit]);
        let (done, next) = table.split_at_mut(1 << i);
        for (next, done) in next.iter_mut().zip(done) {
            V::load(done).or(row).store(next);
        }
    }
}

/// The rows of a block: row d has the bits of the words with bit d. (Hacker's Delight, 7-3: the transposition of a
/// 32 x 32 bit matrix, here of sixteen at once, two in each word of a row.)
#[inline(always)]
fn transpose<V: Vector>(block: &[u32], rows: &mut [Row]) {
    let rows: &mut [Row; 32] = rows.try_into().expect("32 rows");
    let mut whole = block.chunks_exact(16);
    let mut last = [0; 16];
    for (row, words) in rows.iter_mut().zip(&mut whole) {
        *row = packed(words.try_into().expect("16 words"));
    }
    let rest = whole.remainder();
    if !rest.is_empty() {
        last[..rest.len()].copy_from_slice(rest);
        rows[block.len() / 16] = packed(&last);
    }
    exchange::<V, 16>(rows, 0x0000_ffff_0000_ffff);
    exchange::<V, 8>(rows, 0x00ff_00ff_00ff_00ff);
    exchange::<V, 4>(rows, 0x0f0f_0f0f_0f0f_0f0f);
    exchange::<V, 2>(rows, 0x3333_3333_3333_3333);
    exchange::<V, 1>(rows, 0x5555_5555_5555_5555);
}

#[inline(always)]
fn packed(words: &[u32; 16]) -> Row {
    Row(std::array::from_fn(|i| u64::from(words[2 * i]) | u64::from(words[2 * i + 1]) << 32))
}

/// One step of a transposition: of rows that lie `D` apart, the upper bits of one and the lower bits of the other.
#[inline(always)]
fn exchange<V: Vector, const D: u32>(rows: &mut [Row; 32], lower: u64) {
    let distance = D as usize;
    let lower = V::splat(lower);
    for first in (0..32).step_by(2 * distance) {
        for low in first..first + distance {
            let (a, b) = (V::load(&rows[low]), V::load(&rows[low + distance]));
            let swap = a.shift_right::<D>().xor(b).and(lower);
            a.xor(swap.shift_left::<D>()).store(&mut rows[low]);
            b.xor(swap).store(&mut rows[low + distance]);
        }
    }
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
    type Board = (u32, u32);

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
            let mut bit = |bit: usize| u32::from(random.unit_interval() < share) << bit;
            let class = (0..format.near.len() + format.far.len()).fold(0, |class, i| class | bit(i));
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
        let cores = Core::all(n, Tuning::of(n));
        let core = &cores[core % cores.len()];
        let marks = !geometry.is_odd();
        let weights = if marks { weights } else { [weights[0]; 4] };
        let mut random = Random::new(seed);
        for (join, formats) in core.joins.iter().zip([[0, 1], [1, 0]]) {
            let formats = formats.map(|side| &core.formats[side]);
            let [tops, bottoms] = [0, 1].map(|side| boards(&mut random, formats[side], kinds[side], lengths[side]));
            let expected = brute(geometry, formats, marks, [&tops, &bottoms], weights);
            let [tops, bottoms] = [(0, tops), (1, bottoms)].map(|(side, list)| Half::of(classes(formats[side]), &list));
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
        fn disjoint_pairs_are_what_pair_by_pair_counts(
            n in 4u32..=24,
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
