//! Complete tests of the inner loops: together, the cases of a test decide all cases, for the
//! reason that its doc comment gives. Every kernel that the CPU supports is tested.

use flate2::read::GzDecoder;

use super::block::{Cursor, Fill};
use super::shape::JoinShape;
use super::sort::{Binning, Sort, Sorted};
use super::table::{Block, absent, tabulate, tabulate_used, transpose};
use crate::engine::rows::kernel::Kernel;
use crate::engine::rows::lists::word::Word;
use crate::engine::rows::vector::{
    Address, BLOCK, Bitset, Counter, EMPTY, InnerLoop, Mask, Simd, Table, Vector,
};

/// Runs the body of a test as an inner loop of every kernel.
macro_rules! with_every_kernel {
    ($(#[$doc:meta])* fn $name:ident($simd:ident) $body:block) => {
        $(#[$doc])*
        #[test]
        fn $name() {
            struct Case;
            impl InnerLoop for Case {
                type Output = ();
                fn run<S: Simd>(self, $simd: S) $body
            }
            for kernel in Kernel::available() {
                kernel.run(Case);
            }
        }
    };
}

/// Returns the bitset of the half-boards for which this returns true.
fn bitset(has: impl Fn(usize) -> bool) -> Bitset {
    let mut bitset = EMPTY;
    for word in 0..8 {
        for bit in 0..64 {
            let half_board = 16 * (bit % 32) + 2 * word + bit / 32;
            bitset.0[word] |= u64::from(has(half_board)) << bit;
        }
    }
    bitset
}

with_every_kernel! {
    /// Transposing is linear: the XOR of two blocks is transposed to the XOR of their bitsets. So
    /// the blocks with a single 1 decide all full blocks. A shorter block is padded with words that
    /// are 0: of every length, the block of 1s shows that no other word is read or left over.
    fn transpose_of_each_bit_sets_one_bit(simd) {
        let mut words = [0; BLOCK];
        let mut bitsets = [EMPTY; 32];
        for half_board in 0..BLOCK {
            let expected = bitset(|other| other == half_board);
            for bit in 0..32 {
                words[half_board] = 1 << bit;
                transpose(simd, &words, &mut bitsets);
                for (of, bitset) in bitsets.iter().enumerate() {
                    assert_eq!(*bitset, if of == bit { expected } else { EMPTY });
                }
            }
            words[half_board] = 0;
        }
        for length in 0..=BLOCK {
            transpose(simd, &[u32::MAX; BLOCK][..length], &mut bitsets);
            assert_eq!(bitsets, [bitset(|half_board| half_board < length); 32]);
            assert_eq!(absent(length), bitset(|half_board| half_board >= length));
        }
    }
}

with_every_kernel! {
    /// An entry is the OR of the base and of the bitsets of its diagonals, so it is enough that each
    /// of these has a half-board of its own. All sets of diagonals and all addresses are tried.
    fn entry_is_or_of_base_and_its_diagonals(simd) {
        let bitsets = [0, 1, 2, 3, 4, 5, 6, 7]
            .map(|diagonal| bitset(|half_board| half_board % 9 == diagonal));
        let base = bitset(|half_board| half_board % 9 == 8);
        let check = |table: &Table, used: u8| {
            for subset in (0..=used).filter(|subset| subset & !used == 0) {
                let expected = bitset(|half_board| {
                    let diagonal = half_board % 9;
                    diagonal == 8 || subset >> diagonal & 1 == 1
                });
                for address in Address::of_bytes(0x0101_0101 * u32::from(subset)) {
                    let mut loaded = EMPTY;
                    simd.load_at(table, address).store(&mut loaded);
                    assert_eq!(loaded, expected, "{used:b} {subset:b}");
                }
            }
        };
        for used in 0..=u8::MAX {
            let mut table: Table = [bitset(|_| true); 256];
            tabulate_used(simd, &mut table, &bitsets, used, &base);
            check(&table, used);
            let width = used.trailing_ones();
            tabulate(simd, &mut table, &bitsets[..width as usize], &base);
            check(&table, below(width) as u8);
        }
    }
}

with_every_kernel! {
    /// OR acts on each bit alone. A vector is full unless one of its bits is 0.
    fn or_and_fullness_heed_every_bit(simd) {
        let [none, full] = [0, u64::MAX].map(|word| simd.splat(word));
        assert!(full.is_full());
        for half_board in 0..BLOCK {
            let bit = bitset(|other| other == half_board);
            let one = simd.load(&bit);
            let others = simd.load(&bitset(|other| other != half_board));
            let or3 = [one.or3(none, none), none.or3(one, none), none.or3(none, one)];
            for or in or3.into_iter().chain([one.or(none), none.or(one)]) {
                let mut stored = EMPTY;
                or.store(&mut stored);
                assert_eq!(stored, bit);
            }
            assert!(!others.is_full() && others.or(one).is_full());
        }
    }
}

with_every_kernel! {
    /// Each bit of four vectors has a number of its own in the count. A counter adds up to eight bits
    /// at once, at the same position in both halves of four vectors, to three bits that are left over.
    /// All of these are tried, at all positions at once.
    fn counters_add_every_bit(simd) {
        let none = simd.splat(0);
        let full = simd.splat(u64::MAX);
        for half_board in 0..BLOCK {
            let one = simd.load(&bitset(|other| other == half_board));
            assert_eq!(simd.counter().add(one).sum(), 1);
            for position in 0..4 {
                let mut four = [none; 4];
                four[position] = one;
                assert_eq!(simd.counter().add_four(four).sum(), 1);
                four = [full; 4];
                four[position] = one;
                assert_eq!(simd.counter().add_four(four).add_four(four).sum(), 2 * 1537);
            }
        }
        let four = |pattern: u64| {
            [0, 2, 4, 6].map(|shift| {
                let [low, high] = [0, 1].map(|half| 0u64.wrapping_sub(pattern >> shift >> half & 1));
                simd.load(&Bitset([low, low, low, low, high, high, high, high]))
            })
        };
        for left_over in 0..8 {
            for pattern in 0..1 << 8 {
                let found = simd
                    .counter()
                    .add_four(four((1 << left_over) - 1))
                    .add(full)
                    .add_four(four(pattern))
                    .sum();
                let ones = left_over + 2 + u64::from(pattern.count_ones());
                assert_eq!(found, 256 * ones, "{left_over} {pattern:b}");
            }
        }
    }
}

/// Returns the bits below this one.
fn below(end: u32) -> u64 {
    u64::MAX.checked_shr(64 - end).unwrap_or(0)
}

with_every_kernel! {
    /// A mask moves each bit of a word alone, so words with a single 1 decide all words. Of the 2^64
    /// masks, these are those of at most three runs, and those with any pattern in a quarter of the
    /// word, between 0s or 1s. In other masks, a bit moves as far as in one of these, by the number
    /// of 0s below it.
    fn masks_move_each_bit_to_its_rank(simd) {
        let mut masks = Vec::new();
        for a in 0..=64 {
            for b in a..=64 {
                masks.extend((b..=64).map(|c| below(a) | below(c) & !below(b)));
            }
        }
        for at in [0, 16, 32, 48] {
            masks.extend((0..1 << 16).map(|pattern| pattern << at));
        }
        for bits in masks.into_iter().flat_map(|bits| [bits, !bits]) {
            let mask = simd.mask(bits);
            let mut rank = 0;
            for bit in 0..64 {
                let selected = bits >> bit & 1;
                assert_eq!(mask.extract(1 << bit), selected << rank, "{bits:x} {bit}");
                if selected == 1 {
                    assert_eq!(mask.deposit(1 << rank), 1 << bit, "{bits:x} {bit}");
                    rank += 1;
                }
            }
            for unused in rank..64 {
                assert_eq!(mask.deposit(1 << unused), 0, "{bits:x}");
            }
        }
    }
}

fn words<W: Word>(list: &[u64]) -> Vec<W> {
    list.iter().copied().map(W::from_u64).collect()
}

/// Appends lists of these lengths, and compares the result with a double loop. The highest bit is
/// set in all of the first list, and in the conflicting words of the second.
fn check_append<W: Word>(simd: impl Simd, few: u64, many: u64, conflicts: impl Fn(u64) -> bool) {
    let highest = W::BITS - 1;
    let few: Vec<u64> = (0..few).map(|one| one | 1 << highest).collect();
    let many: Vec<u64> = (0..many)
        .map(|other| (other + 1) << 8 | u64::from(conflicts(other)) << highest)
        .collect();
    let mut found = words::<W>(&[0; 3]);
    W::append(simd, &words(&few), &words(&many), &mut found).unwrap();
    let mut found: Vec<u64> = found.into_iter().map(W::to_u64).collect();
    let mut expected = vec![0; 3];
    for one in &few {
        let others = many.iter().filter(|other| *other & one == 0);
        expected.extend(others.map(|other| other | one));
    }
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected, "{few:?} {many:?}");
}

with_every_kernel! {
    /// Words are appended register by register, so it is enough to choose all subsets of a register
    /// of 16 words, and each single word of the lists whose lengths are below and above the numbers
    /// of lanes, 2 to 16.
    fn append_keeps_exactly_the_disjoint_pairs(simd) {
        for subset in 0u32..1 << 16 {
            check_append::<u32>(simd, 1, 16, |other| subset >> other & 1 == 1);
            check_append::<u64>(simd, 1, 8, |other| subset >> other & 1 == 1);
        }
        for few in (0..=17).chain([66]) {
            for many in 0..=34 {
                for single in 0..=many {
                    for all_others in [false, true] {
                        check_append::<u32>(simd, few, many, |other| {
                            (other == single) != all_others
                        });
                        check_append::<u64>(simd, few, many, |other| {
                            (other == single) != all_others
                        });
                    }
                }
            }
        }
    }
}

/// Sorts a list by the diagonals at `positions`. Keeps the bits of `kept`.
fn sorted(
    simd: impl Simd,
    list: &[u64],
    positions: impl Iterator<Item = u32>,
    kept: u64,
) -> Sorted<u32> {
    let mut by = Binning::default();
    by.set(positions, kept, 0);
    let mut sorted = Sorted::default();
    Sort {
        sorted: &mut sorted,
        list,
        by: &by,
    }
    .run(simd)
    .unwrap();
    sorted
}

with_every_kernel! {
    /// Neighbours in a list go to two streams, so all lists of up to six half-boards in four bins
    /// contain each way in which bins follow each other.
    fn sort_puts_each_half_board_into_its_bin(simd) {
        for length in 0..=6 {
            for code in 0..1u64 << (2 * length) {
                let bins: Vec<u64> = (0..length).map(|at| code >> (2 * at) & 3).collect();
                let list: Vec<u64> = (0..)
                    .zip(&bins)
                    .map(|(at, bin)| at << 8 | (bin & 1) << 5 | (bin & 2) << 1)
                    .collect();
                let sorted = sorted(simd, &list, [5, 2].into_iter(), 0x700);
                assert_eq!(sorted.is_empty(), length == 0);
                for bin in 0..4 * u64::from(length > 0) {
                    let [start, end] = [bin, bin + 1].map(|bin| sorted.start(bin as usize) as u32);
                    let mut found = sorted.between(start, end).to_vec();
                    found.sort_unstable();
                    let expected = (0..length as u32).filter(|at| bins[*at as usize] == bin);
                    assert_eq!(found, expected.collect::<Vec<_>>(), "{bins:?}");
                }
            }
        }
    }
}

/// The order in which the blocks for a group take bins, by the number of the group's diagonals and
/// by the group: computed by Coq, which has proved that these are the bins without a diagonal of
/// the group (`cursor_blocks_valid`).
fn bins_listed_by_coq() -> Vec<Vec<usize>> {
    let written = include_bytes!("../../../../tests/data/units.txt.gz");
    let text = std::io::read_to_string(GzDecoder::new(&written[..])).unwrap();
    text.lines()
        .filter_map(|line| line.strip_prefix("bins "))
        .map(|line| line.split(' ').map(|word| word.parse().unwrap()).collect())
        .collect()
}

with_every_kernel! {
    /// A cursor depends on the group, on `alike`, and on which bins are empty. All of these are
    /// tried, for up to 8 bins, and for 16 bins without `alike`. With 300 half-boards in each bin,
    /// blocks end within bins and between them.
    fn blocks_take_the_bins_in_the_proven_order(simd) {
        let listed = bins_listed_by_coq();
        assert_eq!(listed.len(), 1 + 2 + 4 + 8 + 16);
        let shapes = (0..=4).flat_map(|group| (0..=3).map(move |alike| (group, alike)));
        for (group, alike) in shapes.filter(|(group, alike)| group + alike <= 3 || *alike == 0) {
            let shape = JoinShape {
                key: group + alike,
                group,
                alike,
                chunked: 8,
                chunks: 3,
            };
            // The tables are those of `alike`, then of the bits that are kept: the bin of a word.
            let bitset_of: Vec<u32> = (32..32 + alike).chain(0..8).collect();
            let few_bins = shape.key <= 2;
            let times = if few_bins { 300 } else { 1 };
            let mut block = Block::default();
            for occupied in 1u64..1 << (1 << shape.key) {
                let bins = (0..1 << shape.key).filter(|bin| occupied >> bin & 1 == 1);
                let list: Vec<u64> = bins.flat_map(|bin| vec![bin << 8 | bin; times]).collect();
                let shorter = sorted(simd, &list, 0..shape.key, 0xff00);
                for listed in listed.iter().filter(|listed| listed[0] == group as usize) {
                    let mut found = Vec::new();
                    let mut cursor = Cursor::new(listed[1], shape);
                    loop {
                        let fill = Fill {
                            block: &mut block,
                            shorter: &shorter,
                            cursor: &mut cursor,
                            bitset_of: &bitset_of,
                            shape,
                        };
                        if !fill.run(simd) {
                            break;
                        }
                        let empty = block.tables[1][0].0.iter().map(|word| word.count_ones());
                        let words = &block.words[..BLOCK - empty.sum::<u32>() as usize];
                        if few_bins {
                            check_tables(&block, words, shape);
                        }
                        found.extend_from_slice(words);
                    }
                    let mut expected = Vec::new();
                    for alike in 0..1 << alike {
                        for bin in listed[2..].iter().map(|bin| shape.shorter_bin(alike, *bin)) {
                            if occupied >> bin & 1 == 1 {
                                expected.resize(expected.len() + times, bin as u32);
                            }
                        }
                    }
                    assert_eq!(found, expected, "{shape:?}, group {}, bins {occupied:b}", listed[1]);
                }
            }
        }
    }
}

/// Checks that the tables have the diagonals of these words: those of `alike`, then the first eight.
fn check_tables(block: &Block, words: &[u32], shape: JoinShape) {
    let mut diagonals = (shape.group..shape.key).chain(0..8);
    for (number, (table, width)) in block.tables.iter().zip(shape.widths()).enumerate() {
        assert_eq!(table[0], bitset(|at| number == 1 && at >= words.len()));
        for (index, diagonal) in diagonals.by_ref().take(width as usize).enumerate() {
            let expected = bitset(|at| match words.get(at) {
                Some(word) => word >> diagonal & 1 == 1,
                None => number == 1,
            });
            assert_eq!(table[1 << index], expected, "{shape:?}, {diagonal}");
        }
    }
}
