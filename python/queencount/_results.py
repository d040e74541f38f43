"""What calls return that have more to say than a number. It can be compared, hashed, copied and pickled.

The module that is written in Rust makes it.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimated number and its 95 % confidence interval.

    Attributes:
        mean: The estimate.
        margin: How far the interval reaches below and above it.
    """

    mean: float
    margin: float

    @property
    def low(self) -> float:
        """The lower end. It is at least 0, because nothing that is counted is negative."""
        return max(self.mean - self.margin, 0.0)

    @property
    def high(self) -> float:
        """The upper end."""
        return self.mean + self.margin


@dataclass(frozen=True, slots=True)
class Device:
    """What can count beside the CPU.

    Attributes:
        index: Its number, by which a GPU is named, as in `device="gpu:0"`.
        name: The name that its driver gives to it.
        kind: "gpu", or "cpu" for a CPU that has a driver like a GPU's.
        interface: The interface that it is used by, with the version of the driver.
        memory: Its memory, in bytes.
        group_memory: The memory that a group of its work-items shares, in bytes.
        failure: What its driver said when it failed; then it is not used any more. None while it works.
    """

    index: int
    name: str
    kind: str
    interface: str
    memory: int
    group_memory: int
    failure: str | None


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a sample tells of a count.

    Attributes:
        n: The number of rows of the board.
        total: The number of solutions.
        seconds: The time that one thread would take to count them, in seconds; with devices that are named, the time
            that one device would take, fed by all threads.
        memory: About how many bytes the count would take on as many threads as the sample.
        threads: The number of threads that made the sample.
        engine: The name of the engine that would count.
        device: What the time is of: "cpu", or the devices as `count` takes them.
    """

    n: int
    total: Interval
    seconds: Interval
    memory: int
    threads: int
    engine: str
    device: str


@dataclass(frozen=True, slots=True)
class Tally:
    """What records sum to, each unit once.

    Attributes:
        n: The number of rows of the board.
        engine: The name of the engine whose units are counted.
        plan: The hash of the plan, which says what the units are.
        units: The number of units of the plan.
        missing: The units that the records lack, as ranges, in the form that `run` takes.
        count: The number of solutions that belong to the units that are done.
        entries: The number of entries of the records.
        repeated: The number of entries, beside these, that said again what another one had said.
        seconds: The time that the units done have kept threads, in seconds.
    """

    n: int
    engine: str
    plan: str
    units: int
    missing: tuple[range, ...]
    count: int
    entries: int
    repeated: int
    seconds: float

    @property
    def complete(self) -> bool:
        """Whether no unit is missing."""
        return not self.missing

    @property
    def total(self) -> int | None:
        """The number of all solutions of the board; None while a unit is missing."""
        return self.count if self.complete else None


@dataclass(frozen=True, slots=True)
class WrongEntry:
    """An entry that does not have the number of solutions that belong to its units.

    Attributes:
        place: Where it stands, such as "16.jsonl line 7".
        units: Its units.
        count: The number of solutions that the record has.
        recount: The number of solutions that the audit has counted.
    """

    place: str
    units: range
    count: int
    recount: int


@dataclass(frozen=True, slots=True)
class WrongPart:
    """A part of a unit on which the engine and the recount disagree: the engine is wrong, or the machine.

    Attributes:
        place: Where the entry of the unit stands, such as "20.jsonl line 7".
        unit: The unit.
        part: The part of it.
        count: The number of solutions that the engine counts.
        recount: The number of solutions by the recount.
    """

    place: str
    unit: int
    part: int
    count: int
    recount: int


@dataclass(frozen=True, slots=True)
class Audit:
    """What a recount of some entries has found.

    Attributes:
        n: The number of rows of the board.
        entries: The number of entries that were counted again.
        units: The number of units that were counted again.
        parts: The number of parts that were counted by the engine and by the recount: those of a random unit of each
            entry that was not recounted as a whole.
        wrong: The entries that are wrong.
        wrong_parts: The parts that the engine counts wrong, the first of each unit.
        detected_share: A record with at least this share of wrong entries, from 0 to 1, fails an audit of this size
            with a chance of at least 95 %.
        seed: The seed of the draws.
    """

    n: int
    entries: int
    units: int
    parts: int
    wrong: tuple[WrongEntry, ...]
    wrong_parts: tuple[WrongPart, ...]
    detected_share: float
    seed: int

    @property
    def passed(self) -> bool:
        """Whether nothing wrong has been found."""
        return not self.wrong and not self.wrong_parts
