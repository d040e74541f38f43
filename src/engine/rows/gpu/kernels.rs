//! The kernels in `kernels.c`, and their buffers.

use self::Memory::*;

/// The possible group sizes, best first. The largest is best because a group takes so much local
/// memory that a processor has room for only one or two.
pub(super) const SIZES: [usize; 2] = [1024, 256];

/// The possible numbers of chunks, fastest first.
pub(super) const CHUNKS: [u32; 5] = [3, 4, 5, 6, 8];

#[derive(Clone, Copy, Debug)]
pub(super) struct GpuKernel {
    pub name: &'static str,
    /// The buffers that are passed after the integer arguments.
    pub memories: &'static [Memory],
}

pub(super) const PERMUTE: GpuKernel = kernel("permute", &[Permutation, Words]);
pub(super) const TALLY: GpuKernel = kernel("tally", &[Lists, Starts, Words, Counts]);
pub(super) const SCAN: GpuKernel = kernel("scan", &[Counts, Spans]);
pub(super) const FILE: GpuKernel =
    kernel("file", &[Lists, Starts, Words, Counts, Spans, Boards, Keys]);

/// Returns the join kernel for one of the numbers in [`CHUNKS`].
pub(super) fn join(chunks: u32) -> GpuKernel {
    let name = match chunks {
        3 => "join_3",
        4 => "join_4",
        5 => "join_5",
        6 => "join_6",
        8 => "join_8",
        _ => panic!("there is no kernel for {chunks} chunks"),
    };
    kernel(name, &[Items, Weights, Spans, Counts, Boards, Keys, Sums])
}

const fn kernel(name: &'static str, memories: &'static [Memory]) -> GpuKernel {
    GpuKernel { name, memories }
}

/// A buffer of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Memory {
    /// The quarter-boards.
    Words,
    /// The start of each bin of quarter-boards.
    Starts,
    /// The bit position of each diagonal.
    Permutation,
    /// The lists of half-boards to generate.
    Lists,
    /// The number of half-boards in each bin and slice of each list.
    Counts,
    /// Where the half-boards of each list with 0, 1 and 2 marks start, and where the list ends: first
    /// in the list, then in the array of half-boards.
    Spans,
    Boards,
    Keys,
    /// The blocks to join.
    Items,
    Weights,
    /// The count of each block.
    Sums,
}
