"""Has the kernels of a PTX file make half-boards and join them, and compares what they count with a double loop.

    check.py FILE
"""

import sys
from pathlib import Path

import numpy as np
from machine import Group, Numbers, kernels

SIZE = 1024
SLICES = 2

KERNELS = kernels(Path(sys.argv[1]).read_text())
RANDOM = np.random.default_rng(1)

# Of each shape of tables: its number of chunks, and of columns; and layouts: the diagonals of key and chunks, the numbers
# of marks, and the lengths of both lists.
SHAPES = {
    "join_3_8": [(12, 9, 1, 300, 1000), (6, 4, 3, 100, 1024)],
    "join_4_8": [(13, 7, 3, 200, 77), (14, 8, 1, 20, 1)],
    "join_5_8": [(12, 6, 1, 200, 1023)],
    "join_4_4": [(11, 7, 3, 300, 512)],
    "join_5_4": [(7, 6, 1, 300, 511), (5, 4, 3, 100, 300)],
}


class Memory:
    """The memory of a device, with numbers in it."""

    def __init__(self, **numbers: Numbers) -> None:
        self.at, end = {}, 4096
        for name, values in numbers.items():
            self.at[name] = end
            end += (values.nbytes + 4095) // 4096 * 4096
        self.bytes = np.zeros(end, np.uint8)
        for name, values in numbers.items():
            self.of(name, values.dtype, len(values))[:] = values

    def of(self, name: str, kind: type, length: int) -> Numbers:
        """The numbers that stand there."""
        return self.bytes[self.at[name] :].view(kind)[:length]

    def run(self, kernel: str, groups: int, local: int, *arguments: int | str) -> dict[int, dict[str, int]]:
        """Has all groups of a kernel run. What the last one has started."""
        values = [self.at[argument] if isinstance(argument, str) else argument for argument in arguments]
        for number in range(groups):
            group = Group(KERNELS[kernel], SIZE, number, values, local, self.bytes)
            group.run()
        return group.started


def diagonals(count: int, bits: list[int]) -> Numbers:
    """So many words with some of these bits, each with a fifth of them."""
    word = sum((RANDOM.random(count) < 0.2).astype(np.uint64) << np.uint64(bit) for bit in bits)
    return np.asarray(word, np.uint64)


def check_join(kernel: str, key: int, chunk: int, marks: int, tops: int, bottoms: int) -> None:
    """A block of bottoms, in which the tops of the second of two lists are looked up."""
    chunks, columns = map(int, kernel.split("_")[1:])
    bins = marks << key
    of_all = diagonals(tops + bottoms, [*range(chunks * chunk), *range(32, 32 + key)])
    marked = np.sort(RANDOM.integers(0, marks, tops))
    of_all[:tops] = of_all[np.lexsort([of_all[:tops] >> np.uint64(32), marked])]
    boards, keys = (of_all & np.uint64(0xFFFF_FFFF)).astype(np.uint32), (of_all >> np.uint64(32)).astype(np.uint32)
    bin_of = marked << key | keys[:tops]
    tallied = np.zeros(bins * SLICES, np.int64)
    tallied[::SLICES] = np.bincount(bin_of, minlength=bins)
    filled = np.packbits(tallied[::SLICES] > 0, bitorder="little").view(np.uint32)
    counts = np.concatenate([np.zeros(bins * SLICES + 1 + bins // 32), [0], np.cumsum(tallied), filled]).astype(np.uint32)
    weights = np.arange(18, dtype=np.uint64)
    memory = Memory(
        items=np.array([9, 9, 9, 9, 1, tops, bottoms, 1], np.uint32),
        weights=weights,
        offsets=np.zeros(2, np.uint32),
        counts=counts,
        boards=boards,
        keys=keys,
        sums=np.zeros(4, np.uint64),
    )
    # As much as layout.rs reserves.
    key_tables = (key + 3) // 4
    tables = 16 * columns * max(64, (chunks << chunk) + 16 * key_tables)
    singles = 16 * (columns + 1) * (chunks * chunk + 4 * key_tables)
    local = max(16 * SIZE, tables + singles + 16 * columns + (4 << key - 5) + 132 + bins // 4)
    numbers, memories = [key, chunk, bins, SLICES, 1], ["items", "weights", "offsets", "counts", "boards", "keys", "sums"]
    started = memory.run(kernel, 1, local, *numbers, *memories)
    disjoint = (of_all[:tops, None] & of_all[None, tops:]) == 0
    # What a top counts, and whether some bottom leaves its key open.
    weight = weights[3:6][marked]
    looked_up = ((keys[:tops, None] & keys[None, tops:]) == 0).any(1) & (weight > 0)
    visited = len(np.unique(bin_of[looked_up]))
    count, took = (int(number) for number in memory.of("sums", np.uint64, 4)[2:])
    expected = int((disjoint.sum(1) * weight).sum())
    found = (count, took >> 40, took & (1 << 40) - 1)
    assert found == (expected, visited, looked_up.sum()), f"expected {expected}, {visited}, {looked_up.sum()}, found {found}"
    by_barrier = [sum(counter.values()) for counter in started.values()]
    lookups = max(by_barrier)
    print(f"   {kernel}: {key} + {chunks} x {chunk} diagonals, {tops} tops, {bottoms} bottoms: {count}; the block takes")
    print(f"      {sum(by_barrier) - lookups} instructions of warps, {visited} keys and {looked_up.sum()} tops {lookups}")


def check_file(key: int, sets: int) -> None:
    """A list, made of the quarter-boards on some row sets."""
    lengths = RANDOM.integers(0, 40, (2, 2, sets))
    quarters = [diagonals(int(lengths[side].sum()), [*range(20), *range(32, 48)]) for side in range(2)]
    starts = [np.concatenate([[0], np.cumsum(lengths[side].flatten())]) for side in range(2)]
    made = []
    for left_mark, right_mark, row_set in np.ndindex(2, 2, sets):
        first, other = left_mark * sets + row_set, right_mark * sets + sets - 1 - row_set
        left = quarters[0][starts[0][first] : starts[0][first + 1]]
        right = quarters[1][starts[1][other] : starts[1][other + 1]]
        board = (left[:, None] | right[None, :])[(left[:, None] & right[None, :]) == 0]
        made.append(board & np.uint64((1 << 32 + key) - 1) | np.uint64((left_mark + right_mark) << 60))
    expected, bins = np.sort(np.concatenate(made)), 3 << key
    half_boards = len(expected)
    memory = Memory(
        lists=np.array([0, 0, len(quarters[0]), len(starts[0]), sets], np.uint32),
        starts=np.concatenate(starts).astype(np.uint32),
        words=np.concatenate(quarters),
        counts=np.zeros(bins * SLICES + 1 + bins // 32, np.uint32),
        totals=np.zeros(4, np.uint32),
        offsets=np.zeros(1, np.uint32),
        boards=np.zeros(half_boards, np.uint32),
        keys=np.zeros(half_boards, np.uint32),
    )
    numbers, made_of = [key, bins, SLICES], ["lists", "starts", "words", "counts"]
    memory.run("tally", SLICES, 4 * bins, *numbers, *made_of)
    memory.run("scan", 1, 4 * (SIZE + bins // 32), *numbers, "counts", "totals")
    memory.run("file", SLICES, 4 * bins, *numbers, *made_of, "offsets", "boards", "keys")
    counts = memory.of("counts", np.uint32, bins * SLICES + 1 + bins // 32)
    begins, filled = counts[: bins * SLICES : SLICES], counts[bins * SLICES + 1 :]
    assert memory.of("totals", np.uint32, 4).tolist() == [*begins[:: 1 << key], half_boards]
    bin_of = np.searchsorted(begins, np.arange(half_boards), side="right") - 1
    assert (np.unpackbits(filled.view(np.uint8), bitorder="little") == np.isin(np.arange(bins), bin_of)).all()
    boards, keys = (memory.of(name, np.uint32, half_boards).astype(np.uint64) for name in ("boards", "keys"))
    assert (keys == bin_of & (1 << key) - 1).all(), "expected each half-board in the bin of its key, found another"
    found = boards | keys << np.uint64(32) | (bin_of >> key).astype(np.uint64) << np.uint64(60)
    assert (np.sort(found) == expected).all(), "expected the half-boards of a double loop, found others"
    print(f"   tally, scan, file: {half_boards} half-boards")


def check_permute() -> None:
    """Words whose bits change places."""
    places, words = RANDOM.permutation(64).astype(np.uint64), RANDOM.integers(0, 1 << 63, 1500, np.uint64)
    move = lambda word, bits: sum((word >> np.uint64(bit) & np.uint64(1)) << places[bit] for bit in bits)  # noqa: E731
    to = [move(np.arange(256, dtype=np.uint64) << np.uint64(8 * byte), range(8 * byte, 8 * byte + 8)) for byte in range(8)]
    memory = Memory(to=np.concatenate(to), words=words)
    memory.run("permute", 2, 0, len(words), "to", "words")
    assert (memory.of("words", np.uint64, len(words)) == move(words, range(64))).all()
    print(f"   permute: {len(words)} words")


np.seterr(over="ignore")
check_permute()
check_file(key=6, sets=70)
check_file(key=12, sets=5)
for name, layouts in SHAPES.items():
    for layout in layouts:
        check_join(name, *layout)
