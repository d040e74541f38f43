//! Complete tests of the inner loops: together, the cases of a test decide all cases, for the
//! reason that its doc comment gives. Every kernel that the CPU supports is tested.

use flate2::read::GzDecoder;

use super::block::Cursor;
use super::shape::JoinShape;
use super::sort::{Binning, Sort, Sorted};
use super::table::{Block, absent, tabulate, transpose};
use crate::engine::rows::kernel::Kernel;
use crate::engine::rows::vector::{BLOCK, Bitset, EMPTY, InnerLoop, Mask, Simd, Table, Vector};

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
    /// An entry is the OR of bitsets, and each half-board has a bit of its own in them. So it is
    /// enough that in one block, for each diagonal, a half-board occupies that diagonal alone, at
    /// every place; and that there are half-boards that only the base contains.
    fn entry_is_or_of_base_and_its_diagonals(simd) {
        for width in 0..=8 {
            for shift in 0..=width {
                let diagonal = |half_board: usize| (half_board + shift) % (width + 1);
                let of = |wanted: usize| bitset(|half_board| diagonal(half_board) == wanted);
                let bitsets: Vec<Bitset> = (0..width).map(of).collect();
                let mut table: Table = [EMPTY; 256];
                tabulate(simd, &mut table, &bitsets, &of(width));
                for (subset, entry) in table[..1 << width].iter().enumerate() {
                    let expected = bitset(|half_board| {
                        let diagonal = diagonal(half_board);
                        diagonal == width || subset >> diagonal & 1 == 1
                    });
                    assert_eq!(*entry, expected, "width {width}, entry {subset}");
                }
            }
        }
    }
}

with_every_kernel! {
    /// Counting adds a number for each bit. OR acts on each bit alone. A vector is full unless one
    /// of its bits is 0.
    fn or_count_and_fullness_heed_every_bit(simd) {
        let full = simd.splat(u64::MAX);
        assert!(full.is_full());
        let mut counts = simd.splat(0);
        for half_board in 0..BLOCK {
            let [one, others] = [
                bitset(|other| other == half_board),
                bitset(|other| other != half_board),
            ];
            let [one_bit, all_but_one] = [simd.load(&one), simd.load(&others)];
            let none = simd.splat(0);
            for or in [
                one_bit.or(none),
                none.or(one_bit),
                one_bit.or3(none, none),
                none.or3(one_bit, none),
                none.or3(none, one_bit),
            ] {
                let mut stored = EMPTY;
                or.store(&mut stored);
                assert_eq!(stored, one);
            }
            assert_eq!(one_bit.add_ones_to(none).sum(), 1);
            assert!(!all_but_one.is_full() && all_but_one.or(one_bit).is_full());
            counts = full.add_ones_to(all_but_one.add_ones_to(counts));
            assert_eq!(counts.sum(), 1023 * (half_board as u64 + 1));
        }
    }
}

with_every_kernel! {
    /// A mask moves each bit of a word alone, so words with a single 1 decide all words. Of the
    /// 2^64 masks, these are those of two runs of 1s that reach an end of the word, and of one run.
    fn masks_move_each_bit_to_its_rank(simd) {
        for a in 0..=64 {
            for b in a..=64 {
                for c in b..=64 {
                    let below = |end: u32| u64::MAX.checked_shr(64 - end).unwrap_or(0);
                    let bits = below(a) | below(c) & !below(b);
                    for bits in [bits, !bits] {
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
        }
    }
}

/// Appends lists of these lengths, and compares the result with a double loop. The highest bit is
/// set in all of the first list, and in the conflicting words of the second.
macro_rules! check_append {
    ($append:expr, $word:ty, $few:expr, $many:expr, $conflicting:expr) => {{
        let conflict = |conflicts: bool| <$word>::from(conflicts).rotate_right(1);
        let few: Vec<$word> = (0..$few).map(|one| one | conflict(true)).collect();
        let many: Vec<$word> = (0..$many)
            .map(|other| (other + 1) << 8 | conflict($conflicting(other as u32)))
            .collect();
        let mut found = vec![0; 3];
        $append(&few, &many, &mut found).unwrap();
        let mut expected = vec![0; 3];
        for one in &few {
            let others = many.iter().filter(|other| *other & one == 0);
            expected.extend(others.map(|other| other | one));
        }
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "{} {}", $few, $many);
    }};
}

with_every_kernel! {
    /// Words are appended register by register, so it is enough to choose all subsets of a register
    /// of 16 words, and each single word of the lists whose lengths are below and above the numbers
    /// of lanes, 2 to 16.
    fn append_keeps_exactly_the_disjoint_pairs(simd) {
        let narrow = |few: &[u32], many: &[u32], out: &mut _| simd.append_narrow(few, many, out);
        let wide = |few: &[u64], many: &[u64], out: &mut _| simd.append_wide(few, many, out);
        for subset in 0u32..1 << 16 {
            let conflicts = |other: u32| subset >> other & 1 == 1;
            check_append!(narrow, u32, 1, 16, conflicts);
            check_append!(wide, u64, 1, 8, conflicts);
        }
        for few in 0..=5 {
            for many in 0..=34 {
                for single in 0..=many {
                    for all_others in [false, true] {
                        let conflicts = |other: u32| (other == single) != all_others;
                        check_append!(narrow, u32, few, many, conflicts);
                        check_append!(wide, u64, u64::from(few), u64::from(many), conflicts);
                    }
                }
            }
        }
    }
}

with_every_kernel! {
    /// Neighbours in a list go to two streams, so all lists of up to six half-boards in four bins
    /// contain each way in which bins follow each other.
    fn sort_puts_each_half_board_into_its_bin(simd) {
        let mut by = Binning::default();
        by.set([5, 2].into_iter(), 0x700, 0);
        for length in 0..=6 {
            for code in 0..1u64 << (2 * length) {
                let bins: Vec<u64> = (0..length).map(|at| code >> (2 * at) & 3).collect();
                let list: Vec<u64> = (0..)
                    .zip(&bins)
                    .map(|(at, bin)| at << 8 | (bin & 1) << 5 | (bin & 2) << 1)
                    .collect();
                let mut sorted = Sorted::<u32>::default();
                let sort = Sort {
                    sorted: &mut sorted,
                    list: &list,
                    by: &by,
                };
                sort.run(simd).unwrap();
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
fn bins_listed_by_coq() -> Vec<(u32, usize, Vec<usize>)> {
    let written = include_bytes!("../../../../tests/data/units.txt.gz");
    let text = std::io::read_to_string(GzDecoder::new(&written[..])).unwrap();
    let lines = text.lines().filter_map(|line| line.strip_prefix("bins "));
    let listed: Vec<_> = lines
        .map(|line| {
            let numbers: Vec<usize> = line.split(' ').map(|word| word.parse().unwrap()).collect();
            (numbers[0] as u32, numbers[1], numbers[2..].to_vec())
        })
        .collect();
    assert_eq!(listed.len(), 1 + 2 + 4 + 8 + 16);
    listed
}

/// Sorts a list with `times` half-boards in each bin that `occupied` selects. Each half-board keeps
/// the number of its bin.
fn sorted(occupied: u64, times: usize, shape: JoinShape) -> Sorted<u32> {
    let mut by = Binning::default();
    by.set(0..shape.key, 0xff00, 0);
    let list: Vec<u64> = (0..1 << shape.key)
        .filter(|bin| occupied >> bin & 1 == 1)
        .flat_map(|bin| vec![bin << 8 | bin; times])
        .collect();
    let mut sorted = Sorted::default();
    let sort = Sort {
        sorted: &mut sorted,
        list: &list,
        by: &by,
    };
    Kernel::default().run(sort).unwrap();
    sorted
}

/// A cursor depends on the group, on `alike`, and on which bins are empty. All of these are tried,
/// for up to 8 bins, and for 16 bins without `alike`. With 300 half-boards in each bin, blocks end
/// within bins and between them.
#[test]
fn blocks_take_the_bins_in_the_proven_order() {
    let listed = bins_listed_by_coq();
    let mut block = Block::default();
    for (group, alike) in [
        (0, 0),
        (0, 1),
        (0, 2),
        (0, 3),
        (1, 0),
        (1, 1),
        (1, 2),
        (2, 0),
        (2, 1),
        (3, 0),
        (4, 0),
    ] {
        let shape = JoinShape {
            key: group + alike,
            group,
            alike,
            chunked: 8,
            chunks: 3,
        };
        let times = if shape.key <= 2 { 300 } else { 1 };
        for occupied in 1u64..1 << (1 << shape.key) {
            let shorter = sorted(occupied, times, shape);
            for (_, of_group, order) in listed.iter().filter(|(bits, ..)| *bits == group) {
                let mut cursor = Cursor::new(*of_group, shape);
                let mut found = Vec::new();
                loop {
                    let length = cursor.copy(&shorter, &mut block, shape);
                    let words = &block.words[..length];
                    if words.is_empty() {
                        break;
                    }
                    let common = words
                        .iter()
                        .fold(usize::MAX, |common, bin| common & *bin as usize);
                    assert_eq!(block.common, common >> group & ((1 << alike) - 1));
                    for bit in 0..alike {
                        let alike = bitset(|at| at < length && words[at] >> (group + bit) & 1 == 1);
                        let found = block.bitsets[1][bit as usize];
                        let empty = absent(length);
                        for word in 0..8 {
                            assert_eq!(found.0[word] & !empty.0[word], alike.0[word]);
                        }
                    }
                    found.extend_from_slice(words);
                }
                let mut expected = Vec::new();
                for alike in 0..1 << alike {
                    for bin in order.iter().map(|bin| shape.shorter_bin(alike, *bin)) {
                        if occupied >> bin & 1 == 1 {
                            expected.resize(expected.len() + times, bin as u32);
                        }
                    }
                }
                assert_eq!(
                    found, expected,
                    "{shape:?}, group {of_group}, bins {occupied:b}"
                );
            }
        }
    }
}
