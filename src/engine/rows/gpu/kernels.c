// Kernels in OpenCL C 1.2 that generate, sort and join half-boards.
//
// On every device, SIZE work-items form a group, and 32 of them form a warp. A warp need not run in
// lockstep, but kernels are slower if it does not.
//
//     permute     moves the diagonals of quarter-boards to their bits in the key and the chunks
//     tally       counts the half-boards of a list by bin: a number of marks and a key
//     scan        computes the start of each bin
//     file        generates the half-boards again, and puts each into its bin
//     join_L      counts the disjoint pairs of the longer list and a block of the shorter list,
//                 with L chunks
//
// A list is described by five numbers: the starts of the words and of the bins of its left quarter,
// the same for its right quarter, and the number of row sets. Each group generates a slice of it.

#define KERNEL __kernel __attribute__((reqd_work_group_size(SIZE, 1, 1))) void
#define INLINE static inline __attribute__((always_inline))
#define BARRIER barrier(CLK_LOCAL_MEM_FENCE)
#define ME ((uint)get_local_id(0))
#define GROUP ((uint)get_group_id(0))

#define WARPS (SIZE / 32u)
#define LIST 5u
// The number of half-boards in a block. A table entry has one bit for each: COLUMNS times 16 bytes,
// or two to the power of ENTRY_BITS bytes. A block and its keys take the memory of STAGED entries.
#define BLOCK 1024u
#define COLUMNS 8u
#define ENTRY_BITS 7u
#define STAGED 64u
// A loop that is distributed over the work-items of a group.
#define EACH(i, end) for (uint i = ME; i < (end); i += SIZE)

// `to[256 * i + byte]` is the result for byte i.
KERNEL permute(uint count, __global const ulong* to, __global ulong* words) {
    uint i = GROUP * SIZE + ME;
    if (i < count) {
        ulong word = words[i], moved = 0;
        for (uint byte = 0; byte < 8u; byte++) moved |= to[256u * byte + ((uint)(word >> (8u * byte)) & 255u)];
        words[i] = moved;
    }
}

#define LISTS \
    uint key_bits, uint bins, uint slices, __global const uint *lists, __global const uint *starts, \
        __global const ulong *words

// Iterates over the pairs of quarter-boards in a slice that are on complementary row sets and share
// no diagonal. Each warp handles one row set, and divides the right quarter-boards.
#define PAIRS(ACTION) \
    __global const uint* list = lists + LIST * (GROUP / slices); \
    __global const ulong *lefts = words + list[0], *rights = words + list[2]; \
    __global const uint *left_starts = starts + list[1], *right_starts = starts + list[3]; \
    uint row_sets = list[4]; \
    for (uint marks = 0; marks < 4u; marks++) { \
        uint of_left = marks & 1u, of_right = marks >> 1, first = (of_left + of_right) << key_bits; \
        __global const uint *left_bins = left_starts + of_left * row_sets; \
        __global const uint *right_bins = right_starts + of_right * row_sets; \
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

// The number of words for the counts of a list: for each bin and slice, the number of half-boards or
// where they start; the total; and one bit per bin, which is set if the bin is not empty.
#define NUMBERS (bins * slices + 1u + bins / 32u)

KERNEL tally(LISTS, __global uint* counts, __local uint4* local_memory) {
    __local uint* tallies = (__local uint*)local_memory;
    EACH(bin, bins) tallies[bin] = 0;
    BARRIER;
    PAIRS(atomic_inc(&tallies[bin]);)
    BARRIER;
    counts += (GROUP / slices) * NUMBERS + GROUP % slices;
    EACH(bin, bins) counts[bin * slices] = tallies[bin];
}

// Turns the counts of a list into starts, and sets the bits of bins that are not empty. Writes the
// starts of the half-boards with 0, 1 and 2 marks, and the length of the list, to `spans`.
KERNEL scan(uint key_bits, uint bins, uint slices, __global uint* counts, __global uint* spans,
            __local uint4* local_memory) {
    __local uint *sums = (__local uint*)local_memory, *filled = sums + SIZE;
    uint length = bins * slices, each = (length + SIZE - 1u) / SIZE;
    counts += GROUP * NUMBERS;
    EACH(i, bins / 32u) filled[i] = 0;
    uint first = min(ME * each, length), end = min(first + each, length), sum = 0;
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
        spans[4u * GROUP + 3u] = sum;
    }
    BARRIER;
    sum = sums[ME];
    for (uint i = first; i < end; i++) {
        uint next = counts[i];
        uint bin = i / slices;
        if (i % slices == 0 && (bin & ((1u << key_bits) - 1u)) == 0) spans[4u * GROUP + (bin >> key_bits)] = sum;
        if (next != 0) atomic_or(&filled[bin / 32u], 1u << (bin % 32u));
        counts[i] = sum;
        sum += next;
    }
    BARRIER;
    EACH(i, bins / 32u) counts[length + 1u + i] = filled[i];
}

// Puts half-boards at the positions in `counts`, relative to the start of their list in `spans`.
// The low half of a word goes to `boards`, and its key to `keys`.
KERNEL file(LISTS, __global const uint* counts, __global const uint* spans, __global uint* boards,
            __global uint* keys, __local uint4* local_memory) {
    __local uint* places = (__local uint*)local_memory;
    uint offset = spans[4u * (GROUP / slices)];
    counts += (GROUP / slices) * NUMBERS + GROUP % slices;
    EACH(bin, bins) places[bin] = offset + counts[bin * slices];
    BARRIER;
    PAIRS(uint place = atomic_inc(&places[bin]); boards[place] = (uint)board; keys[place] = key;)
}

// Counts the disjoint pairs of a longer list and a block of a shorter one. Each group takes an item:
// the index of the longer list, the start and the length of the block, and which of six groups of
// three weights applies to half-boards of the longer list with 0, 1 and 2 marks. Writes the count of
// each item to `sums`.
//
// A table entry is the set of half-boards of the block that conflict with some diagonals: COLUMNS
// columns of 128 bits. There is one table per chunk of `chunk_bits` diagonals, and one per four
// diagonals of the key. All entries are computed from `singles`, the entries of single diagonals.
// `absent` is the set of empty places of the block. A bit of `alive` is set if some half-board of
// the block does not conflict with its key.
#define GIVEN \
    uint key_bits, uint chunk_bits, uint bins, uint slices, uint first_item, __global const uint4 *items, \
        __global const ulong *weights, __global const uint *spans, __global const uint *counts, \
        __global const uint *boards, __global const uint *keys, __global ulong *sums

INLINE void join(const uint chunks, GIVEN, __local uint4* tables) {
    items += first_item + GROUP;
    uint4 item = *items;
    uint length = item.z;
    uint entries = 1u << chunk_bits, key_tables = (key_bits + 3u) / 4u;
    uint of_chunks = chunks * chunk_bits, key_entries = chunks * entries, room = key_entries + 16u * key_tables;
    // Each entry is followed by a gap, so that eight writes do not go to the same bank of memory.
    const uint words = 4u * COLUMNS, pitch = words + 4u;
    __local uint* singles = (__local uint*)(tables + max(room, STAGED) * COLUMNS);
    __local uint4* absent = (__local uint4*)(singles + (of_chunks + 4u * key_tables) * pitch);
    __local uint* alive = (__local uint*)(absent + COLUMNS);
    uint alive_words = 1u << (key_bits - 5u);
    __local uint *next = alive + alive_words, *bundles = next + 33u;

    // Load the block and its keys into the memory of the tables.
    __local uint* staged = (__local uint*)tables;
    EACH(b, BLOCK) {
        staged[b] = b < length ? boards[item.y + b] : 0u;
        staged[BLOCK + b] = b < length ? keys[item.y + b] : 0u;
    }
    EACH(i, alive_words + 33u) alive[i] = 0;
    EACH(w, words) {
        uint from = 32u * w;
        ((__local uint*)absent)[w] = length <= from ? ~0u : length >= from + 32u ? 0u : ~0u << (length - from);
    }
    BARRIER;
    EACH(b, length) {
        uint open = ~staged[BLOCK + b] & ((1u << key_bits) - 1u);
        atomic_or(&alive[open >> 5], 1u << (open & 31u));
    }
    // Transpose: each work-item takes four diagonals, eight bits apart, of 32 half-boards. A byte of
    // `found` holds one diagonal of eight half-boards.
#define BITS(word, place) (word >> first & 0x01010101u) << place
    EACH(i, 16u * words) {
        uint w = i >> 4, of_key = i >> 3 & 1u, first = i & 7u, found[4];
        __local const uint4* of = (__local const uint4*)(staged + of_key * BLOCK + 32u * w);
        for (uint q = 0; q < 4u; q++) {
            uint4 one = of[2u * q], other = of[2u * q + 1u];
            found[q] = BITS(one.x, 0) | BITS(one.y, 1);
            found[q] |= BITS(one.z, 2) | BITS(one.w, 3);
            found[q] |= BITS(other.x, 4) | BITS(other.y, 5);
            found[q] |= BITS(other.z, 6) | BITS(other.w, 7);
        }
        __local uint* to = singles + (of_key * of_chunks + first) * pitch + w;
        uint diagonals = of_key ? key_bits : of_chunks;
        for (uint k = 0; k < 4u; k++) {
            uint word = 0;
            for (uint q = 0; q < 4u; q++) word |= (found[q] >> (8u * k) & 255u) << (8u * q);
            if (first + 8u * k < diagonals) to[8u * k * pitch] = word;
        }
    }
    BARRIER;
    // Each work-item computes a column of 16 entries that differ only in the first four diagonals.
    uint high_bits = chunk_bits - 4u, of_tables = chunks << high_bits;
#define SINGLE(line) (*(__local const uint4*)(singles + (line) * pitch + 4u * column))
    EACH(i, (of_tables + key_tables) * COLUMNS) {
        uint column = i % COLUMNS, task = i / COLUMNS, key_table = task - of_tables;
        bool of_chunk = task < of_tables;
        uint table = task >> high_bits, high = of_chunk ? task & ((1u << high_bits) - 1u) : 0u;
        uint first = of_chunk ? table * chunk_bits : of_chunks + 4u * key_table;
        uint entry = of_chunk ? table * entries + 16u * high : key_entries + 16u * key_table;
        __local uint4* to = tables + entry * COLUMNS + column;
        uint4 shared = 0;
        for (uint line = first + 4u; high != 0; high >>= 1, line++)
            if (high & 1u) shared |= SINGLE(line);
        // Entries for diagonals beyond the key are undefined and never read.
        uint4 s0 = SINGLE(first), s1 = SINGLE(first + 1u), s2 = SINGLE(first + 2u), s3 = SINGLE(first + 3u);
        for (uint h = 0; h < 4u; h++) {
            uint4 two = h == 0 ? shared : h == 1u ? shared | s2 : h == 2u ? shared | s3 : shared | s2 | s3;
            to[4u * h * COLUMNS] = two;
            to[(4u * h + 1u) * COLUMNS] = two | s0;
            to[(4u * h + 2u) * COLUMNS] = two | s1;
            to[(4u * h + 3u) * COLUMNS] = two | s0 | s1;
        }
    }
    // A key is alive if a key with more diagonals is alive.
    EACH(i, alive_words) {
        uint word = alive[i];
        word |= word >> 1 & 0x55555555u;
        word |= word >> 2 & 0x33333333u;
        word |= word >> 4 & 0x0f0f0f0fu;
        word |= word >> 8 & 0x00ff00ffu;
        alive[i] = word | word >> 16;
    }
    BARRIER;
    for (uint step = 1; step < alive_words; step *= 2u) {
        EACH(i, alive_words)
            if (!(i & step)) alive[i] |= alive[i + step];
        BARRIER;
    }

    // A bundle consists of 16 keys that differ only in the first four diagonals. List the bundles
    // with half-boards to look up, each with the set of keys of these half-boards.
    uint bundle_bits = key_bits - 4u, list = items->x;
    __global const uint *bin_starts = counts + list * NUMBERS, *filled = bin_starts + (bins * slices + 1u);
    weights += 3u * items->w;
    EACH(bundle, bins / 16u) {
        uint high = bundle & ((1u << bundle_bits) - 1u);
        uint some = (alive[high >> 1] & filled[bundle >> 1]) >> (16u * (high & 1u)) & 65535u;
        if (some != 0 && weights[bundle >> bundle_bits] != 0) bundles[atomic_inc(&next[32])] = bundle | some << 16;
    }
    BARRIER;
    // Look up. The sizes of bundles differ too much to distribute them in advance, so a warp takes
    // the next bundle whenever it has finished one. COLUMNS work-items share a half-board. Each lane
    // has its own counter, so that its work-items take every bundle once, even without lockstep.
    // Rotated and masked, a half-board is the offset of an entry in bytes.
    uint lane = ME % 32u, column = lane % COLUMNS, mine = lane / COLUMNS, step = 32u / COLUMNS;
    uint mask = (entries - 1u) * 16u * COLUMNS;
    __global const uint* longer = boards + (spans[4u * list] + mine);
    ulong sum = 0;
    for (uint i; (i = atomic_inc(&next[lane])) < next[32];) {
        uint bundle = bundles[i] & 65535u, left = bundles[i] >> 16, ones = 0, lookups = 0;
        uint high = bundle & ((1u << bundle_bits) - 1u);
        uint4 of_bundle = absent[column];
        __local const uint4* entry = tables + key_entries * COLUMNS + column;
        __local const uint4* of_key = entry;
        for (uint table = 1; table < key_tables; table++, high >>= 4) {
            entry += 16u * COLUMNS;
            of_bundle |= entry[(high & 15u) * COLUMNS];
        }
        for (; left != 0; left &= left - 1u) {
            uint key = popcount((left & (0u - left)) - 1u), bin = (16u * bundle + key) * slices;
            uint first = bin_starts[bin] + mine, end = bin_starts[bin + slices];
            if (first >= end) continue;
            uint4 of_both = of_bundle | of_key[key * COLUMNS];
            uint rounds = (end - first + step - 1u) / step;
            __global const uint* looked_up = longer + (first - mine);
            lookups += rounds;
            for (uint round = 0; round < rounds; round++) {
                uint board = *looked_up;
                looked_up += step;
                uint4 conflicts = of_both;
                for (uint chunk = 0; chunk < chunks; chunk++) {
                    __local const uchar* table = (__local const uchar*)(tables + chunk * entries * COLUMNS + column);
                    uint distance = rotate(board, (ENTRY_BITS - chunk * chunk_bits) & 31u) & mask;
                    conflicts |= *(__local const uint4*)(table + distance);
                }
                ones += popcount(conflicts.x) + popcount(conflicts.y) + popcount(conflicts.z) + popcount(conflicts.w);
            }
        }
        sum += weights[bundle >> bundle_bits] * (128u * lookups - ones);
    }
    BARRIER;
    __local ulong* partial = (__local ulong*)tables;
    partial[ME] = sum;
    BARRIER;
    for (uint left = SIZE / 4u; left != 0; left /= 4u) {
        if (ME < left) partial[ME] += partial[ME + left] + partial[ME + 2u * left] + partial[ME + 3u * left];
        BARRIER;
    }
    if (ME == 0) sums[first_item + GROUP] = partial[0];
}

#define JOIN(NAME, CHUNKS) \
    KERNEL NAME(GIVEN, __local uint4* local_memory) { \
        join(CHUNKS, key_bits, chunk_bits, bins, slices, first_item, items, weights, spans, counts, boards, keys, \
             sums, local_memory); \
    }

JOIN(join_3, 3u)
JOIN(join_4, 4u)
JOIN(join_5, 5u)
JOIN(join_6, 6u)
JOIN(join_8, 8u)
