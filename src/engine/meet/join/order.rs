//! The order of the bottoms of a join, which is there for speed alone.
//!
//! Bottoms are sorted by the diagonals that conflict with the bucket of a top, so that the bottoms of a block are alike
//! in many of them. These diagonals are the highest bits of the two sorted chunks; together they are the **key** of a
//! bottom:
//!
//! ```text
//!     near part: highest bits of one sorted chunk        n1 n2 n3 ...    conflict with the near bucket bits of tops
//!     far part: highest bits of the other                f1 f2 f3 ...    conflict with the far bucket bits of tops
//!
//!     rank, highest bit first: n1 f1 n2 f2 n3 f3 ...     or n2 f2 n3 f3 ... f1 n1 where n1 and f1 tell groups apart
//! ```
//!
//! The rank of a key is its place in the order. A table says it for each key.

use std::collections::HashMap;
use std::sync::Arc;

use crate::engine::meet::lists::{Format, Half, SORTED_CHUNKS};
use crate::engine::meet::tuning::Tuning;
use crate::engine::rows::join::bitset::BLOCK;

/// How bottoms are sorted.
#[derive(Clone, Debug)]
pub struct Sorter {
    /// Where the bucket bits of a bottom go in its words, near ones first.
    bucket: [Vec<usize>; 2],
    /// Whether the buckets have the main diagonals, too: even N.
    main_diagonals: bool,
    /// Whether bottoms have a second word.
    pub wide: bool,
    /// The near and the far part of the key, as bits of the first word: the lowest, and how many.
    key: [(u32, u32); 2],
    /// The orders for short and for long lists.
    orders: [Order; 2],
}

/// The bottoms of a join in the order of their ranks.
#[derive(Clone, Debug)]
pub struct Sorted {
    /// Their chunks, with what fits of their bucket bits; and the rest of these.
    pub words: [Vec<u32>; 2],
    /// Where the bottoms of each rank end.
    pub ends: Vec<u32>,
    /// Where the next bottom of each rank goes.
    places: Box<[u32; RANKS]>,
}

impl Default for Sorted {
    fn default() -> Self {
        let places = vec![0; RANKS].try_into().expect("as many");
        Self { words: Default::default(), ends: Vec::new(), places }
    }
}

/// The most ranks: bottoms are sorted by up to 13 bits.
const RANKS: usize = 1 << 13;

/// The rank of each key, whose near part is its lower one.
#[derive(Clone, Debug)]
pub struct Order {
    ranks: Arc<Ranks>,
    /// How many of the highest bits of each part tell the groups apart. They are the lowest bits of a rank, and
    /// conflict with the first near and far bucket bits of tops.
    pub grouped: [u32; 2],
}

type Ranks = [u16; RANKS];

/// The ranks that the cores of a board have in common: by the numbers of bits of both parts of the key, and of those
/// that tell groups apart.
#[derive(Default)]
pub struct Orders(HashMap<[[u32; 2]; 2], Arc<Ranks>>);

/// From more bottoms on, tops are joined group by group. Fewer would not fill the blocks of each group.
pub const LONG: usize = 4 * BLOCK;

impl Sorter {
    /// For bottoms of a format whose bucket bits go to the bits `bucket` of their words, and for tops whose near and
    /// far bucket bits conflict with the bits `conflicts` of these words.
    pub fn new(
        bottom: &Format,
        bucket: [Vec<usize>; 2],
        main_diagonals: bool,
        conflicts: &[Vec<usize>; 2],
        tuning: Tuning,
        orders: &mut Orders,
    ) -> Self {
        let key = [0, 1].map(|part| {
            let chunk = SORTED_CHUNKS[part];
            let width = bottom.chunks[chunk].len() as u32;
            let bits = tuning.buckets[part].min(width);
            // An empty part is at bit 0, because behind the last bit a shift would pass the end of the word.
            if bits == 0 { (0, 0) } else { (bottom.first_bit(chunk) + width - bits, bits) }
        });
        // Groups are told apart by bucket bits that conflict with the highest bits of the parts, one by one.
        let grouped = [0, 1].map(|side| {
            let (lowest, bits) = key[side];
            let highest_first = (lowest..lowest + bits).rev().map(|bit| bit as usize);
            let pairs = conflicts[side].iter().copied().zip(highest_first).take(tuning.grouped[side] as usize);
            pairs.take_while(|(conflict, bit)| conflict == bit).count() as u32
        });
        Self {
            wide: bottom.is_wide() || bucket.iter().flatten().any(|&bit| bit >= 32),
            bucket,
            main_diagonals,
            orders: [[0, 0], grouped].map(|grouped| orders.order(key.map(|(_, bits)| bits), grouped)),
            key,
        }
    }

    /// Sorts the bottoms that occupy no main diagonal, and says in which order.
    #[inline(always)]
    pub fn sort(&self, bottoms: &Half, sorted: &mut Sorted) -> &Order {
        let order = &self.orders[usize::from(bottoms.len() > LONG)];
        let total: usize = self.buckets().map(|bucket| self.members(bottoms, bucket)[0].len()).sum();
        let [(_, near_bits), (_, far_bits)] = self.key;
        sorted.words.iter_mut().for_each(Vec::clear);
        sorted.ends.clear();
        // One block needs no order, and there may be none.
        if total <= BLOCK || near_bits + far_bits == 0 {
            self.append(bottoms, sorted);
            sorted.ends.push(total as u32);
        } else {
            self.distribute(bottoms, total, order, sorted);
        }
        order
    }

    /// The buckets without main diagonals: the near and the far bits of each.
    #[inline(always)]
    fn buckets(&self) -> impl Iterator<Item = [usize; 2]> {
        let [near, far] = [&self.bucket[0], &self.bucket[1]].map(|bits| 1usize << bits.len());
        (0..far).flat_map(move |far| (0..near).map(move |near| [near, far]))
    }

    /// The bottoms of such a bucket.
    #[inline(always)]
    fn members<'a>(&self, bottoms: &'a Half, [near, far]: [usize; 2]) -> [&'a [u32]; 2] {
        bottoms.bucket(far << (self.bucket[0].len() + usize::from(self.main_diagonals)) | near)
    }

    /// The bits of a bucket in the words of its bottoms.
    #[inline(always)]
    fn word(&self, bucket: [usize; 2]) -> u64 {
        let placed = |(bits, value): (&Vec<usize>, usize)| {
            bits.iter().enumerate().fold(0u64, |word, (i, bit)| word | (value as u64 >> i & 1) << bit)
        };
        self.bucket.iter().zip(bucket).map(placed).fold(0, |word, bits| word | bits)
    }

    /// Appends the bottoms bucket by bucket.
    #[inline(always)]
    fn append(&self, bottoms: &Half, sorted: &mut Sorted) {
        let [low, high] = &mut sorted.words;
        for bucket in self.buckets() {
            let (word, [chunks, more]) = (self.word(bucket), self.members(bottoms, bucket));
            low.extend(chunks.iter().map(|&chunks| chunks | word as u32));
            if self.wide {
                high.extend(more.iter().map(|&more| more | (word >> 32) as u32));
                high.resize(low.len(), (word >> 32) as u32);
            }
        }
    }

    /// Distributes the bottoms, `total` in number, to their ranks: a counting sort.
    #[inline(always)]
    fn distribute(&self, bottoms: &Half, total: usize, order: &Order, sorted: &mut Sorted) {
        let [(near, near_bits), (far, far_bits)] = self.key;
        let (near_mask, far_mask) = ((1 << near_bits) - 1, (1 << far_bits) - 1);
        // The remainders spare the checks of bounds.
        let rank = |chunks: u32| {
            let key = (chunks >> far & far_mask) << near_bits | chunks >> near & near_mask;
            usize::from(order.ranks[key as usize % RANKS]) % RANKS
        };
        let ranks = 1 << (near_bits + far_bits);
        let places = &mut *sorted.places;
        places[..ranks].fill(0);
        for bucket in self.buckets() {
            for &chunks in self.members(bottoms, bucket)[0] {
                places[rank(chunks)] += 1;
            }
        }
        let mut end = 0;
        for place in &mut places[..ranks] {
            end += *place;
            *place = end - *place;
        }
        let [low, high] = &mut sorted.words;
        low.resize(total, 0);
        high.resize(if self.wide { total } else { 0 }, 0);
        let (low, high) = (&mut low[..], &mut high[..]);
        for bucket in self.buckets() {
            let (word, [chunks, more]) = (self.word(bucket), self.members(bottoms, bucket));
            for (i, &chunks) in chunks.iter().enumerate() {
                let place = &mut places[rank(chunks)];
                low[*place as usize] = chunks | word as u32;
                if self.wide {
                    high[*place as usize] = more.get(i).unwrap_or(&0) | (word >> 32) as u32;
                }
                *place += 1;
            }
        }
        sorted.ends.extend_from_slice(&places[..ranks]);
    }
}

impl Orders {
    /// The order by this number of bits of each part of the key. The `grouped` highest of each tell groups apart.
    fn order(&mut self, bits: [u32; 2], grouped: [u32; 2]) -> Order {
        let ranks = self.0.entry([bits, grouped]).or_insert_with(|| ranks(bits, grouped)).clone();
        Order { ranks, grouped }
    }
}

/// The rank of each key. The highest bit of the near part decides first, then the highest bit of the far part, then the
/// next bit of the near part, and so on. The bits that tell groups apart decide last.
fn ranks(bits: [u32; 2], grouped: [u32; 2]) -> Arc<Ranks> {
    let rank = |value: u32| {
        let fields = [value & ((1 << bits[0]) - 1), value >> bits[0]];
        let bit = |field: usize, step: u32| fields[field] >> (bits[field] - step) & 1;
        let steps = (1..=bits[0].max(bits[1])).flat_map(|step| [0, 1].map(|field| (field, step)));
        let sorted = steps.filter(|&(field, step)| grouped[field] < step && step <= bits[field]);
        let rank = sorted.fold(0, |rank, (field, step)| rank << 1 | bit(field, step));
        let groups = [1, 0].into_iter().flat_map(|field| (1..=grouped[field]).rev().map(move |step| (field, step)));
        groups.fold(rank, |rank, (field, step)| rank << 1 | bit(field, step))
    };
    let mut ranks = Arc::new([0; RANKS]);
    for (value, place) in (0..1 << (bits[0] + bits[1])).zip(Arc::make_mut(&mut ranks)) {
        *place = rank(value) as u16;
    }
    ranks
}

impl Order {
    /// The number of groups.
    pub fn groups(&self) -> usize {
        1 << (self.grouped[0] + self.grouped[1])
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::engine::meet::lists::Filing;
    use crate::random::Random;

    /// Half-boards that need not exist: of any bucket, with any chunks.
    fn boards(random: &mut Random, format: &Format, length: usize) -> Vec<(u32, u64)> {
        let chunks = format.places().fold(0, |chunks, (place, _)| chunks | 1 << place);
        (0..length).map(|_| (random.below(format.buckets().into()) as u32, random.below(u64::MAX) & chunks)).collect()
    }

    /// A sorter for a board, with the bits of the bucket, and the bits of both sorted chunks, the highest first.
    fn sorter(n: u32, format: &Format) -> (Sorter, Vec<usize>, [Vec<usize>; 2]) {
        let mut spare = (0..64).filter(|&bit| format.places().all(|(taken, _)| taken != bit));
        let bucket: [Vec<usize>; 2] =
            [&format.near, &format.far].map(|lines| lines.iter().map(|_| spare.next().unwrap()).collect());
        // As if the bucket bits of tops conflicted with the highest bits of both chunks, so that there are groups.
        let bit = |line: &u32| format.places().find(|(_, of)| of == line).unwrap().0;
        let parts = SORTED_CHUNKS.map(|chunk| format.chunks[chunk].iter().rev().map(bit).collect());
        let all = bucket.concat();
        (Sorter::new(format, bucket, false, &parts, Tuning::of(n), &mut Orders::default()), all, parts)
    }

    /// Sorts `length` random bottoms, and holds the ranks against the bits that they are made of.
    fn check(n: u32, format: &Format, length: usize, random: &mut Random) {
        let tuning = Tuning::of(n);
        let (sorter, bucket_bits, parts) = sorter(n, format);
        let bottoms = boards(random, format, length);
        let half = Half::of(1 << bucket_bits.len(), format.is_wide(), &bottoms);
        let mut sorted = Sorted::default();
        let order = sorter.sort(&half, &mut sorted);
        let grouped = if length > LONG { tuning.grouped } else { [0, 0] };
        assert_eq!((order.grouped, order.groups()), (grouped, 1 << (grouped[0] + grouped[1])), "N = {n}");

        let [low, high] = &sorted.words;
        let word = |i: usize| u64::from(low[i]) | u64::from(high.get(i).copied().unwrap_or(0)) << 32;
        let words: Vec<u64> = (0..low.len()).map(word).collect();
        let placed = |&(bucket, chunks): &(u32, u64)| {
            bucket_bits.iter().enumerate().fold(chunks, |word, (i, bit)| word | u64::from(bucket >> i & 1) << bit)
        };
        let mut expected: Vec<u64> = bottoms.iter().map(placed).collect();
        let mut found = words.clone();
        expected.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, expected, "N = {n}, {length} bottoms");

        assert_eq!(sorted.ends.last(), Some(&(length as u32)), "N = {n}");
        if length <= BLOCK {
            assert_eq!(sorted.ends.len(), 1, "one block needs no order");
            return;
        }
        let bits = [0, 1].map(|side| tuning.buckets[side].min(parts[side].len() as u32) as usize);
        assert_eq!(sorted.ends.len(), 1 << (bits[0] + bits[1]), "N = {n}");
        let leading = usize::from(grouped[1] < grouped[0] && bits[1] > grouped[1] as usize);
        // The bits of each part of the key, the highest first.
        let part = |word: u64, side: usize| parts[side][..bits[side]].iter().map(|bit| word >> bit & 1).collect();
        let key = |&word: &u64| -> [Vec<u64>; 2] { [part(word, 0), part(word, 1)] };
        let mut seen = HashSet::new();
        let (mut start, mut last) = (0, 0);
        for (rank, &end) in sorted.ends.iter().enumerate() {
            let keys: HashSet<_> = words[start..end as usize].iter().map(key).collect();
            start = end as usize;
            assert!(keys.len() <= 1, "N = {n}, rank {rank}: {keys:?}");
            let Some(key) = keys.into_iter().next() else { continue };
            let group = [0, 1].map(|side| &key[side][..grouped[side] as usize]).concat();
            let group = group.iter().rev().fold(0, |group, bit| group << 1 | *bit as usize);
            assert_eq!(rank % order.groups(), group, "N = {n}, rank {rank}: {key:?}");
            if group == 0 {
                let highest = *key[leading].get(grouped[leading] as usize).unwrap_or(&0);
                assert!(highest >= last, "N = {n}, rank {rank}: {key:?}");
                last = highest;
            }
            assert!(seen.insert(key), "N = {n}, rank {rank}: its bottoms have another rank, too");
        }
    }

    #[test]
    fn bottoms_of_a_rank_are_alike_and_ranks_follow_the_highest_bits() {
        let mut random = Random::new(1);
        for n in [18, 20, 22, 23, 24, 27, 30] {
            let format = &Filing::all(n, Tuning::of(n))[0].formats[1];
            for length in [0, 1, BLOCK, BLOCK + 1, LONG, LONG + 1, 3 * LONG] {
                check(n, format, length, &mut random);
            }
        }
    }
}
