"""Carries PTX out: the instructions of one group of work-items, as far as the kernels of this program use them.

All work-items at the lowest address go on together, as those of a warp do where they come together again. So the number
of steps is the number of instructions that warps start, as far as PTX tells. A barrier waits for all. An access to
memory that is not there, or not aligned, is an error.
"""

import re
from collections import Counter, defaultdict

import numpy as np

Numbers = np.ndarray


OPERATIONS = {
    "mov": lambda a: a,
    "cvta": lambda a: a,
    "not": np.invert,
    "neg": np.negative,
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "mad": lambda a, b, c: a * b + c,
    "div": lambda a, b: a // np.maximum(b, 1),
    "rem": lambda a, b: a % np.maximum(b, 1),
    "min": np.minimum,
    "max": np.maximum,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
}


class Kernel:
    """The instructions of a kernel, with the addresses of its labels and the names of its parameters."""

    def __init__(self, parameters: str, body: str) -> None:
        self.parameters = re.findall(r"\.param \.u\d+ (\w+)", parameters)
        self.code: list[tuple[str | None, bool, list[str], list[str]]] = []
        self.labels: dict[str, int] = {}
        for line in (line.split("//")[0].strip() for line in body.splitlines()):
            if label := re.fullmatch(r"(\$\w+):", line):
                self.labels[label[1]] = len(self.code)
            elif line and not line.startswith("."):
                parts = re.fullmatch(r"(?:@(!?)(%p\d+)\s+)?([\w.]+)\s*(.*);", line)
                assert parts, f"expected an instruction, found {line!r}"
                arguments = re.split(r",(?![^{]*})", parts[4]) if parts[4] else []
                self.code.append((parts[2], parts[1] == "!", parts[3].split("."), [text.strip() for text in arguments]))


def kernels(ptx: str) -> dict[str, Kernel]:
    """The kernels of a text, by name."""
    entries = re.finditer(r"\.entry (\w+)\((.*?)\)(.*?)\n\{(.*?)\n\}", ptx, re.DOTALL)
    return {entry[1]: Kernel(entry[2], entry[4]) for entry in entries}


class Group:
    """A group of work-items that carries a kernel out, with the bytes of its own memory and of the device's."""

    def __init__(self, kernel: Kernel, size: int, number: int, arguments: list[int], local: int, memory: Numbers) -> None:
        self.kernel, self.size, self.number = kernel, size, number
        self.arguments = dict(zip(kernel.parameters, arguments, strict=True))
        self.memory = {"global": memory, "shared": np.zeros((local + 7) // 8 * 8, np.uint8)}
        self.registers: dict[str, Numbers] = {}
        # The instructions that warps have started, by the barriers that they had passed.
        self.started: dict[int, Counter[str]] = defaultdict(Counter)

    def run(self) -> None:
        """Carries the kernel out."""
        at, ended, waiting = np.zeros(self.size, int), np.zeros(self.size, bool), np.zeros(self.size, bool)
        barriers = 0
        while not ended.all():
            ready = ~ended & ~waiting
            if not ready.any():
                waiting[:] = False
                barriers += 1
                continue
            address = at[ready].min()
            mask = ready & (at == address)
            predicate, negated, operation, arguments = self.kernel.code[address]
            at[mask] += 1
            self.started[barriers][operation[0]] += int(mask.reshape(-1, 32).any(1).sum())
            if predicate:
                mask = mask & (self.registers[predicate] ^ negated)
            if operation[0] == "bra":
                at[mask] = self.kernel.labels[arguments[0]]
            elif operation[0] == "ret":
                ended[mask] = True
            elif operation[0] == "bar":
                waiting[mask] = True
            elif operation[0] in ("ld", "st", "atom"):
                self.access(operation, arguments, mask)
            else:
                self.put(arguments[0], self.compute(operation, arguments), mask)

    def value(self, text: str, bits: int) -> Numbers:
        """A register, a number, or an address, in so many bits."""
        kind = np.uint64 if bits == 64 else np.uint32
        if text in ("%tid.x", "%ctaid.x"):
            return np.arange(self.size, dtype=kind) if text == "%tid.x" else np.full(self.size, self.number, kind)
        if text.startswith("%"):
            return self.registers.get(text, np.zeros(self.size, kind))
        return np.full(self.size, 0 if text == "local_memory" else int(text, 0) & (1 << bits) - 1, kind)

    def put(self, register: str, value: Numbers, mask: Numbers) -> None:
        """Sets a register of some work-items."""
        self.registers[register] = np.where(mask, value, self.registers.get(register, np.zeros_like(value)))

    def access(self, operation: list[str], arguments: list[str], mask: Numbers) -> None:
        """Reads memory, writes it, or both."""
        place = arguments[0] if operation[0] == "st" else arguments[1]
        base, _, offset = place.strip("[]").partition("+")
        bits = int(operation[-1][1:])
        if operation[1] == "param":
            kind = np.uint64 if bits == 64 else np.uint32
            return self.put(arguments[0], np.full(self.size, self.arguments[base], kind), mask)
        of = arguments[0] if operation[0] != "st" else arguments[1]
        registers = [register.strip() for register in of.strip("{}").split(",")]
        memory = self.memory[operation[1]].view({8: np.uint8, 32: np.uint32, 64: np.uint64}[bits])
        index, odd = np.divmod(self.value(base, 64).astype(np.int64) + int(offset or 0), bits // 8 * len(registers))
        index, lanes = index * len(registers), np.nonzero(mask)[0]
        assert not odd[lanes].any(), f"expected an aligned address, found another: {operation} {arguments}"
        within = (index[lanes] >= 0) & (index[lanes] + len(registers) <= len(memory))
        assert within.all(), f"expected an address of the memory, found another: {operation} {arguments}"
        if operation[0] == "atom":
            old, new = np.zeros(self.size, np.uint32), self.value(arguments[2], 32)
            for lane in lanes:
                old[lane] = memory[index[lane]]
                sum_or_union = int(old[lane]) + int(new[lane]) if operation[2] == "add" else old[lane] | new[lane]
                memory[index[lane]] = sum_or_union & 0xFFFF_FFFF
            return self.put(arguments[0], old, mask)
        for i, register in enumerate(registers):
            if operation[0] == "st":
                memory[index[lanes] + i] = self.value(register, bits)[lanes].astype(memory.dtype)
            else:
                value = np.zeros(self.size, memory.dtype)
                value[lanes] = memory[index[lanes] + i]
                self.put(register, value, mask)
        return None

    def compute(self, operation: list[str], arguments: list[str]) -> Numbers:
        """The result of an operation on registers."""
        name, kind = operation[0], operation[-1]
        if kind == "pred":
            truth = [self.registers[text] if text[0] == "%" else np.full(self.size, text != "0") for text in arguments[1:]]
            return OPERATIONS[name](*truth)
        bits = int(kind[1:])
        word = np.uint64 if bits == 64 else np.uint32
        signed = np.int64 if bits == 64 else np.int32
        if operation[1] == "wide":
            wide = [self.value(text, 32).astype(np.uint64) for text in arguments[1:3]]
            return wide[0] * wide[1] + (self.value(arguments[3], 64) if name == "mad" else np.uint64(0))
        if name == "cvt":
            return self.value(arguments[1], int(kind[1:])).astype(np.uint64 if operation[1][1:] == "64" else np.uint32)
        if name == "selp":
            return np.where(self.registers[arguments[3]], self.value(arguments[1], bits), self.value(arguments[2], bits))
        x = [self.value(text, bits) for text in arguments[1:]]
        if name == "setp":
            a, b = (value.astype(signed) for value in x) if kind[0] == "s" else x
            return {"lt": a < b, "gt": a > b, "ge": a >= b, "le": a <= b, "eq": a == b, "ne": a != b}[operation[1]]
        if name in ("shl", "shr"):
            by = self.value(arguments[2], 32).astype(np.uint64)
            moved = x[0].astype(np.uint64) << (by & np.uint64(63)) if name == "shl" else x[0].astype(np.uint64) >> (by & np.uint64(63))
            assert kind[0] != "s", "expected no arithmetic shift, found one"
            return np.where(by >= bits, 0, moved).astype(word)
        if name == "shf":
            both = x[1].astype(np.uint64) << np.uint64(32) | x[0]
            assert operation[1:3] == ["r", "wrap"], f"expected a turn to the right, found {operation}"
            return (both >> (x[2] & np.uint32(31)).astype(np.uint64)).astype(np.uint32)
        if name == "popc":
            return np.bitwise_count(x[0]).astype(np.uint32)
        if name == "prmt":
            both = x[1].astype(np.uint64) << np.uint64(32) | x[0]
            byte = [both >> ((x[2] >> np.uint32(4 * i) & np.uint32(7)) * np.uint32(8)).astype(np.uint64) & np.uint64(255) for i in range(4)]
            return sum(byte[i] << np.uint64(8 * i) for i in range(4)).astype(np.uint32)
        if name == "bfi":
            field = ((np.uint64(1) << self.value(arguments[4], 64)) - np.uint64(1)) << self.value(arguments[3], 64)
            return (x[0].astype(np.uint64) << self.value(arguments[3], 64) & field | x[1] & ~field).astype(word)
        return OPERATIONS[name](*x)
