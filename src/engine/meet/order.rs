//! The order of the bottoms of a join: by diagonals that conflict with the class of tops, so that blocks are alike in
//! them; and by groups, if lists are long.

use std::collections::HashMap;
use std::sync::Arc;

use super::block::BLOCK;
use super::core::Tuning;
use super::format::Format;
use super::half::Half;

/// How bottoms are sorted.
#[derive(Clone, Debug)]
pub struct Sorter {
    /// Where the bits of a bottom's class go in its words, near ones first.
    class: [Vec<usize>; 2],
    /// Whether the class has the main diagonals, too: even N.
    marks: bool,
    /// Whether bottoms have a second word.
    pub wide: bool,
    /// The bits that bottoms are sorted by, in two runs: the lowest and how many.
    key: [(u32, u32); 2],
    /// The orders for short and for long lists.
    orders: [Order; 2],
}

/// The bottoms of a join in the order of their ranks.
#[derive(Clone, Debug)]
pub struct Sorted {
    /// Their chunks, with what fits of their class; and the rest of their class.
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

/// The rank of each value of the two runs of bits, the first one below.
#[derive(Clone, Debug)]
pub struct Order {
    ranks: Arc<Ranks>,
    /// How many of the highest bits of each run tell the groups apart. They are the lowest bits of a rank, and
    /// conflict with the lowest bits of the class of tops.
    pub grouped: [u32; 2],
}

type Ranks = [u16; RANKS];

/// The ranks that cores of a board have in common: by the numbers of bits of both runs, and how many of them tell groups
/// apart.
#[derive(Default)]
pub struct Orders(HashMap<[[u32; 2]; 2], Arc<Ranks>>);

/// From more bottoms on, tops are joined group by group: some blocks, or the parts do not fill theirs.
pub const LONG: usize = 4 * BLOCK;

impl Sorter {
    /// For bottoms of a format, with their class where `class` says, and for tops whose class conflicts with the bits
    /// `conflicts` of bottoms.
    pub fn new(
        bottom: &Format,
        class: [Vec<usize>; 2],
        marks: bool,
        conflicts: &[Vec<usize>; 2],
        tuning: Tuning,
        orders: &mut Orders,
    ) -> Self {
        let run = |chunk: usize, wish: u32| {
            let width = bottom.chunks[chunk].len() as u32;
            let bits = wish.min(width);
            // No bits are looked for at 0: behind the last bit a shift would pass the end of the word.
            if bits == 0 { (0, 0) } else { (bottom.first_bit(chunk) + width - bits, bits) }
        };
        let key = [run(3, tuning.classes[0]), run(1, tuning.classes[1])];
        // Groups are told apart by class bits that conflict with the highest bits of the runs, one by one.
        let grouped = [0, 1].map(|side| {
            let (lowest, bits) = key[side];
            let highest_first = (lowest..lowest + bits).rev().map(|bit| bit as usize);
            let pairs = conflicts[side].iter().copied().zip(highest_first).take(tuning.grouped[side] as usize);
            pairs.take_while(|(conflict, bit)| conflict == bit).count() as u32
        });
        Self {
            wide: bottom.is_wide() || class.iter().flatten().any(|&bit| bit >= 32),
            class,
            marks,
            orders: [[0, 0], grouped].map(|grouped| orders.order(key.map(|(_, bits)| bits), grouped)),
            key,
        }
    }

    /// Sorts the bottoms that occupy no main diagonal, and says in which order.
    #[inline(always)]
    pub fn sort(&self, bottoms: &Half, sorted: &mut Sorted) -> &Order {
        let order = &self.orders[usize::from(bottoms.len() > LONG)];
        let [near, far] = &self.class;
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
            return order;
        }
        let (mask, other_mask) = ((1 << bits) - 1, (1 << more) - 1);
        let places = &mut *sorted.places;
        places[..1 << (bits + more)].fill(0);
        // Remainders, so no bounds are checked.
        let rank = |chunks: u32| {
            let value = (chunks >> second & other_mask) << bits | chunks >> first & mask;
            usize::from(order.ranks[value as usize % RANKS]) % RANKS
        };
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
        let (low, high) = (&mut low[..], &mut high[..]);
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
        order
    }
}

impl Orders {
    /// The order by so many bits of each run, so many of which tell groups apart.
    fn order(&mut self, bits: [u32; 2], grouped: [u32; 2]) -> Order {
        let ranks = self.0.entry([bits, grouped]).or_insert_with(|| ranks(bits, grouped)).clone();
        Order { ranks, grouped }
    }
}

/// Sorts by the highest bit of the first run, of the second, the next of the first and so on, and by those that tell
/// groups apart last.
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
