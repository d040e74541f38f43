// Half-boards made, sorted and joined on a GPU: one source for OpenCL C 1.2 and for CUDA C++.
//
// SIZE work-items form a group. 32 of them form a warp, on every device: work is dealt to warps, and where warps are not
// run in step, that costs time only.
//
//     permute       the words of quarter-boards, so that the diagonals of the key and of the chunks lie where they are read
//     tally         how many half-boards a list will have in each bin: a bin is a number of marks and a key
//     scan          where each bin begins
//     file          makes the half-boards again, and puts each into its bin
//     join_L_C      counts the disjoint pairs of a block of bottoms and all tops, with L chunks and entries of C columns
//
// A list is described by five numbers: where the words of its left quarter begin, where their starts begin, the same of
// its right quarter, and the number of row sets. It is made in slices, by a group each.

#ifdef __CUDACC__
typedef unsigned char uchar;
typedef unsigned int uint;
typedef unsigned long long ulong;
#define KERNEL extern "C" __global__ void __launch_bounds__(SIZE)
#define INLINE static __device__ __forceinline__
#define GLOBAL
#define LOCAL
#define BARRIER __syncthreads()
#define ME threadIdx.x
#define GROUP blockIdx.x
#define ONES(x) __popc(x)
#define COLUMN(a, b, c, d) make_uint4(a, b, c, d)
#define INCREMENT(p) atomicAdd(p, 1u)
#define INCLUDE(p, bits) atomicOr(p, bits)
#define TURN(x, by) __funnelshift_r(x, x, by)
#define UNROLL _Pragma("unroll")
#define TWICE _Pragma("unroll 2")
#define ONCE _Pragma("unroll 1")
#define LOCAL_ARGUMENT
#define LOCAL_MEMORY extern __shared__ uint4 local_memory[];
#else
#define KERNEL __kernel __attribute__((reqd_work_group_size(SIZE, 1, 1))) void
#define INLINE static inline __attribute__((always_inline))
#define GLOBAL __global
#define LOCAL __local
#define BARRIER barrier(CLK_LOCAL_MEM_FENCE)
#define ME ((uint)get_local_id(0))
#define GROUP ((uint)get_group_id(0))
#define ONES(x) popcount(x)
#define COLUMN(a, b, c, d) (uint4)(a, b, c, d)
#define INCREMENT(p) atomic_inc(p)
#define INCLUDE(p, bits) atomic_or(p, bits)
#define TURN(x, by) rotate(x, 32u - (by))
#define UNROLL
#define TWICE
#define ONCE
#define LOCAL_ARGUMENT , __local uint4* local_memory
#define LOCAL_MEMORY
#endif

#define WARPS (SIZE / 32u)
#define LIST 5u
// An entry of so many columns of 16 bytes takes 2 to this power.
#define ENTRY_BITS(columns) ((columns) == 8u ? 7u : 6u)
#define OR(a, b) COLUMN((a).x | (b).x, (a).y | (b).y, (a).z | (b).z, (a).w | (b).w)

// `to[256 * i + byte]` is where the diagonals of byte i of a word go.
KERNEL permute(uint count, GLOBAL const ulong* to, GLOBAL ulong* words) {
    uint i = GROUP * SIZE + ME;
    if (i < count) {
        ulong word = words[i], moved = 0;
        for (uint byte = 0; byte < 8u; byte++) moved |= to[256u * byte + ((uint)(word >> (8u * byte)) & 255u)];
        words[i] = moved;
    }
}

// The pairs of quarter-boards on complementary row sets that share no diagonal, of a slice of a list. A warp takes a row
// set; its work-items have different quarter-boards of the right, and share those of the left.
#define PAIRS(ACTION) \
    GLOBAL const uint* list = lists + LIST * (GROUP / slices); \
    GLOBAL const ulong *lefts = words + list[0], *rights = words + list[2]; \
    GLOBAL const uint *left_starts = starts + list[1], *right_starts = starts + list[3]; \
    uint row_sets = list[4]; \
    for (uint marks = 0; marks < 4u; marks++) { \
        uint of_left = marks & 1u, of_right = marks >> 1, first = (of_left + of_right) << key_bits; \
        GLOBAL const uint *left_bins = left_starts + of_left * row_sets, *right_bins = right_starts + of_right * row_sets; \
        for (uint set = (GROUP % slices) * WARPS + (ME >> 5); set < row_sets; set += slices * WARPS) { \
            uint left_first = left_bins[set], left_end = left_bins[set + 1u]; \
            uint right_end = right_bins[row_sets - set]; \
            for (uint r = right_bins[row_sets - 1u - set] + (ME & 31u); r < right_end; r += 32u) { \
                ulong right = rights[r]; \
                for (uint l = left_first; l < left_end; l++) { \
                    ulong left = lefts[l]; \
                    if ((left & right) == 0) { \
                        ulong board = left | right; \
                        uint key = (uint)(board >> 32) & ((1u << key_bits) - 1u), bin = first + key; \
                        ACTION \
                    } \
                } \
            } \
        } \
    }

// The half-boards of each bin and slice. The bins of a list take `bins * slices` numbers, and one more has their sum.
KERNEL tally(uint key_bits, uint bins, uint slices, GLOBAL const uint* lists, GLOBAL const uint* starts,
             GLOBAL const ulong* words, GLOBAL uint* counts LOCAL_ARGUMENT) {
    LOCAL_MEMORY
    LOCAL uint* tallies = (LOCAL uint*)local_memory;
    for (uint bin = ME; bin < bins; bin += SIZE) tallies[bin] = 0;
    BARRIER;
    PAIRS(INCREMENT(&tallies[bin]);)
    BARRIER;
    counts += (GROUP / slices) * (bins * slices + 1u) + GROUP % slices;
    for (uint bin = ME; bin < bins; bin += SIZE) counts[bin * slices] = tallies[bin];
}

// Turns the counts of a list into starts. `totals` gets where those with 0, 1 and 2 marks begin, and where the last end.
KERNEL scan(uint key_bits, uint bins, uint slices, GLOBAL uint* counts, GLOBAL uint* totals LOCAL_ARGUMENT) {
    LOCAL_MEMORY
    LOCAL uint* sums = (LOCAL uint*)local_memory;
    uint length = bins * slices, each = (length + SIZE - 1u) / SIZE;
    counts += GROUP * (length + 1u);
    uint first = ME * each < length ? ME * each : length, end = first + each < length ? first + each : length, sum = 0;
    for (uint i = first; i < end; i++) sum += counts[i];
    sums[ME] = sum;
    BARRIER;
    if (ME == 0) {
        sum = 0;
        for (uint i = 0; i < SIZE; i++) {
            uint next = sums[i];
            sums[i] = sum;
            sum += next;
        }
        counts[length] = sum;
        totals[4u * GROUP + 3u] = sum;
    }
    BARRIER;
    sum = sums[ME];
    for (uint i = first; i < end; i++) {
        uint next = counts[i];
        uint bin = i / slices;
        if (i % slices == 0 && (bin & ((1u << key_bits) - 1u)) == 0) totals[4u * GROUP + (bin >> key_bits)] = sum;
        counts[i] = sum;
        sum += next;
    }
}

// Makes the half-boards and puts them where `counts` says, from `offsets` of their list on. The low half of a word is a
// board, the diagonals of the key are kept beside it.
KERNEL file(uint key_bits, uint bins, uint slices, GLOBAL const uint* lists, GLOBAL const uint* starts,
            GLOBAL const ulong* words, GLOBAL const uint* counts, GLOBAL const uint* offsets, GLOBAL uint* boards,
            GLOBAL uint* keys LOCAL_ARGUMENT) {
    LOCAL_MEMORY
    LOCAL uint* places = (LOCAL uint*)local_memory;
    uint offset = offsets[GROUP / slices];
    counts += (GROUP / slices) * (bins * slices + 1u) + GROUP % slices;
    for (uint bin = ME; bin < bins; bin += SIZE) places[bin] = offset + counts[bin * slices];
    BARRIER;
    PAIRS(uint place = INCREMENT(&places[bin]); boards[place] = (uint)board; keys[place] = key;)
}

// Counts what a block of bottoms adds: an item for each group, from the first of the launch on. An item says which list
// has the tops, where the bottoms of the block begin, how many they are, and which of the six groups of three weights
// applies to tops with 0, 1 and 2 marks.
//
// An entry of a table says which bottoms conflict: `columns` columns of 128 bits. A chunk of `chunk_bits` diagonals has a
// table, four diagonals of the key have one, and `absent` is the entry of the bottoms that the block lacks. A bit of
// `alive` says that some bottom does not conflict with a key.
INLINE void join(const uint chunks, const uint columns, uint key_bits, uint chunk_bits, uint bins, uint slices,
                 uint first_item, GLOBAL const uint4* items, GLOBAL const ulong* weights, GLOBAL const uint* offsets,
                 GLOBAL const uint* counts, GLOBAL const uint* boards, GLOBAL const uint* keys, GLOBAL ulong* sums,
                 LOCAL uint4* tables) {
    items += first_item + GROUP;
    uint4 item = *items;
    GLOBAL const uint *bottoms = boards + item.y, *bottom_keys = keys + item.y;
    uint length = item.z;
    uint entries = 1u << chunk_bits, key_tables = (key_bits + 3u) / 4u, all = chunks + key_tables;
    uint key_entries = chunks * entries;
    LOCAL uint4* absent = tables + (key_entries + 16u * key_tables) * columns;
    LOCAL uint* alive = (LOCAL uint*)(absent + columns);
    uint alive_words = key_bits < 5u ? 1u : 1u << (key_bits - 5u);

    // The entries of single diagonals, and of none.
    uint diagonals = chunks * chunk_bits + key_bits;
    ONCE
    for (uint i = ME; i < (diagonals + 1u + all) * columns; i += SIZE) {
        uint line = i / columns, column = i % columns, bits[4];
        UNROLL
        for (uint w = 0; w < 4u; w++) {
            uint from = column * 128u + w * 32u, end = length < from + 32u ? length : from + 32u;
            uint word = 0;
            if (line < diagonals) {
                bool of_key = line >= chunks * chunk_bits;
                GLOBAL const uint* of = of_key ? bottom_keys : bottoms;
                uint shift = of_key ? line - chunks * chunk_bits : line;
                ONCE
                for (uint b = from; b < end; b++) word |= ((of[b] >> shift) & 1u) << (b - from);
            } else if (line == diagonals) {
                word = length <= from ? ~0u : length >= from + 32u ? 0u : ~0u << (length - from);
            }
            bits[w] = word;
        }
        uint entry;
        if (line < chunks * chunk_bits) entry = (line / chunk_bits) * entries + (1u << (line % chunk_bits));
        else if (line < diagonals) {
            uint bit = line - chunks * chunk_bits;
            entry = key_entries + 16u * (bit / 4u) + (1u << (bit % 4u));
        } else if (line == diagonals) entry = key_entries + 16u * key_tables;
        else {
            uint table = line - diagonals - 1u;
            entry = table < chunks ? table * entries : key_entries + 16u * (table - chunks);
        }
        tables[entry * columns + column] = COLUMN(bits[0], bits[1], bits[2], bits[3]);
    }
    ONCE
    for (uint i = ME; i < alive_words; i += SIZE) alive[i] = 0;
    BARRIER;
    ONCE
    for (uint b = ME; b < length; b += SIZE) {
        uint free = ~bottom_keys[b] & ((1u << key_bits) - 1u);
        INCLUDE(&alive[free >> 5], 1u << (free & 31u));
    }
    // The entries of sets whose highest diagonal is `bit`. A key is alive if one with more diagonals is.
    ONCE
    for (uint bit = 0; bit < (chunk_bits > 4u ? chunk_bits : 4u) || bit < key_bits; bit++) {
        uint high = 1u << bit;
        ONCE
        for (uint i = ME; i < all * columns * high && bit < (chunk_bits > 4u ? chunk_bits : 4u); i += SIZE) {
            uint column = i % columns, table = i / columns % all, low = i / columns / all;
            bool of_key = table >= chunks;
            uint entry = of_key ? key_entries + 16u * (table - chunks) : table * entries;
            uint bits = of_key ? (key_bits - 4u * (table - chunks) < 4u ? key_bits - 4u * (table - chunks) : 4u) : chunk_bits;
            if (bit < bits && low > 0) {
                LOCAL uint4* column_of = tables + entry * columns + column;
                column_of[(high + low) * columns] = OR(column_of[high * columns], column_of[low * columns]);
            }
        }
        BARRIER;
        if (bit < key_bits) {
            ONCE
            for (uint i = ME; i < alive_words; i += SIZE) {
                if (bit >= 5u) {
                    if (!(i >> (bit - 5u) & 1u)) alive[i] |= alive[i + (high >> 5)];
                } else {
                    uint without = bit == 0 ? 0x55555555u : bit == 1u ? 0x33333333u : bit == 2u ? 0x0f0f0f0fu
                                 : bit == 3u ? 0x00ff00ffu : 0x0000ffffu;
                    alive[i] |= alive[i] >> high & without;
                }
            }
        }
        BARRIER;
    }

    // A warp takes a key. `columns` of its work-items have a top in common. A turn of the top moves the number of an entry
    // to where a mask makes it a distance in bytes.
    uint column = ME % columns, mine = ME % 32u / columns, step = 32u / columns;
    uint mask = (entries - 1u) * 16u * columns;
    uint list = items->x, bin_starts = list * (bins * slices + 1u);
    uint tops = offsets[list] + mine, of_weights = 3u * items->w;
    ulong sum = 0;
    ONCE
    for (uint i = ME >> 5; i < alive_words; i += WARPS) {
        ONCE
        for (uint left = alive[i]; left != 0; left &= left - 1u) {
            uint key = 32u * i + ONES((left & (0u - left)) - 1u);
            uint4 of_key = absent[column];
            ONCE
            for (uint table = 0; table < key_tables; table++) {
                uint4 entry = tables[(key_entries + 16u * table + (key >> (4u * table) & 15u)) * columns + column];
                of_key = OR(of_key, entry);
            }
            ONCE
            for (uint bin = key, marks = 0; bin < bins; bin += 1u << key_bits, marks++) {
                uint first = counts[bin_starts + bin * slices], end = counts[bin_starts + (bin + 1u) * slices];
                if (first + mine >= end || weights[of_weights + marks] == 0) continue;
                uint lookups = (end - first - mine + step - 1u) / step, ones = 0;
                GLOBAL const uint* top_of = boards + (tops + first);
                // Two at a time, because a top comes late from memory.
                TWICE
                for (uint lookup = 0; lookup < lookups; lookup++) {
                    uint top = *top_of;
                    top_of += step;
                    uint4 conflicts = of_key;
                    UNROLL
                    for (uint chunk = 0; chunk < chunks; chunk++) {
                        LOCAL const uchar* table = (LOCAL const uchar*)(tables + chunk * entries * columns + column);
                        uint distance = TURN(top, (chunk * chunk_bits - ENTRY_BITS(columns)) & 31u) & mask;
                        conflicts = OR(conflicts, *(LOCAL const uint4*)(table + distance));
                    }
                    ones += ONES(conflicts.x) + ONES(conflicts.y) + ONES(conflicts.z) + ONES(conflicts.w);
                }
                sum += weights[of_weights + marks] * (128u * lookups - ones);
            }
        }
    }
    BARRIER;
    LOCAL ulong* partial = (LOCAL ulong*)tables;
    partial[ME] = sum;
    BARRIER;
    for (uint step = SIZE / 2u; step > 0; step /= 2u) {
        if (ME < step) partial[ME] += partial[ME + step];
        BARRIER;
    }
    if (ME == 0) sums[first_item + GROUP] = partial[0];
}

#define JOIN(NAME, CHUNKS, COLUMNS) \
    KERNEL NAME(uint key_bits, uint chunk_bits, uint bins, uint slices, uint first_item, GLOBAL const uint4* items, \
                GLOBAL const ulong* weights, GLOBAL const uint* offsets, GLOBAL const uint* counts, \
                GLOBAL const uint* boards, GLOBAL const uint* keys, GLOBAL ulong* sums LOCAL_ARGUMENT) { \
        LOCAL_MEMORY \
        join(CHUNKS, COLUMNS, key_bits, chunk_bits, bins, slices, first_item, items, weights, offsets, counts, boards, \
             keys, sums, local_memory); \
    }

JOIN(join_3_8, 3u, 8u)
JOIN(join_4_8, 4u, 8u)
JOIN(join_5_8, 5u, 8u)
JOIN(join_4_4, 4u, 4u)
JOIN(join_5_4, 5u, 4u)
