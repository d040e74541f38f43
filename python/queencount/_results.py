"""The classes of results."""

from dataclasses import dataclass, field

__all__ = ["Audit", "Classes", "Device", "Estimate", "Interval", "Tally", "WrongCount", "WrongPart"]


@dataclass(frozen=True)
class Classes:
    """The solutions of a board, classified by symmetry.

    Attributes:
        n: The number of rows of the board.
        total: The number of all solutions (OEIS A000170).
        fundamental: The number of fundamental solutions or orbits (OEIS A002562).
        half_turn: The number of solutions unchanged by the half turn (OEIS A032522).
        quarter_turn: The number of solutions unchanged by the quarter turn (OEIS A033148).
        orbits: The number of orbits with 1, 2, 4 and 8 solutions each.
    """

    n: int
    total: int
    fundamental: int
    half_turn: int
    quarter_turn: int
    orbits: dict[int, int] = field(hash=False)


@dataclass(frozen=True)
class Interval:
    """An estimated number and its 95% confidence interval.

    Attributes:
        mean: The estimate.
        margin: The distance from the estimate to both ends of the interval.
    """

    mean: float
    margin: float

    @property
    def low(self) -> float:
        """The lower end of the interval, at least 0."""
        return max(self.mean - self.margin, 0.0)

    @property
    def high(self) -> float:
        """The upper end of the interval."""
        return self.mean + self.margin


@dataclass(frozen=True)
class Device:
    """A GPU, or a CPU with an OpenCL driver.

    Attributes:
        index: The number that selects the device, as in `device="gpu:0"`.
        name: The name that the driver reports.
        kind: "gpu" or "cpu".
        memory: The memory in bytes.
        failure: How the device failed, or None. A device that has failed is never used again.
    """

    index: int
    name: str
    kind: str
    memory: int
    failure: str | None


@dataclass(frozen=True)
class Estimate:
    """The estimated number of solutions of a board, and the time to count them.

    Attributes:
        n: The number of rows of the board.
        total: The number of solutions.
        seconds: The time in seconds on one thread, or on one device that all threads feed.
        memory: The approximate memory in bytes for a count with the same number of threads.
        threads: The number of threads used for the sample.
        engine: The name of the engine that would count the board.
        device: The devices to which `seconds` applies, in the format of the `device` argument.
    """

    n: int
    total: Interval
    seconds: Interval
    memory: int
    threads: int
    engine: str
    device: str


@dataclass(frozen=True)
class Tally:
    """The sum of records of the same plan. Each unit is counted only once.

    Attributes:
        n: The number of rows of the board.
        engine: The name of the engine that defines the units.
        plan: The hash of the plan, which identifies the units.
        units: The number of units of the plan.
        total: The number of solutions of the board; None while units are missing, if lines
            disagree, or if the sum is known to be wrong.
        count: The number of solutions in the counted units.
        missing: The missing units as ranges, for the `units` argument of `run`.
        disagreements: The units for which lines give different counts. They are missing, too.
        problems: What is wrong with the records, in words. Of the damaged lines, and of the
            disagreements, only the first ten are listed.
        lines: The number of lines with counts, including repeated ones.
        seconds: The sum of the thread times, without copied lines, in seconds.
    """

    n: int
    engine: str
    plan: str
    units: int
    total: int | None
    count: int
    missing: tuple[range, ...]
    disagreements: tuple[range, ...]
    problems: tuple[str, ...]
    lines: int
    seconds: float

    @property
    def complete(self) -> bool:
        """Whether all units have been counted."""
        return not self.missing


@dataclass(frozen=True)
class WrongCount:
    """A wrong count in a record, and the lines that have it.

    Attributes:
        places: The lines that have it, such as "16.jsonl line 7".
        units: The units.
        count: The number of solutions according to these lines.
        recount: The number of solutions according to the audit.
    """

    places: tuple[str, ...]
    units: range
    count: int
    recount: int


@dataclass(frozen=True)
class WrongPart:
    """A part of a unit for which the engine and the independent recount disagree. Either the engine
    or the machine is wrong.

    Attributes:
        unit: The unit.
        part: The part of the unit.
        count: The number of solutions according to the engine.
        recount: The number of solutions according to the recount.
    """

    unit: int
    part: int
    count: int
    recount: int


@dataclass(frozen=True)
class Audit:
    """The result of an audit of records.

    Attributes:
        n: The number of rows of the board.
        tasks: The number of recounted tasks.
        units: The number of recounted units.
        parts: The number of parts that both the engine and the independent code recounted.
        wrong: The wrong counts.
        wrong_parts: The wrong parts, at most one per unit.
        detected_share: The smallest fraction of wrong counts that an audit of this size detects
            with a probability of at least 95%.
        seed: The random seed of the sample.
    """

    n: int
    tasks: int
    units: int
    parts: int
    wrong: tuple[WrongCount, ...]
    wrong_parts: tuple[WrongPart, ...]
    detected_share: float
    seed: int

    @property
    def passed(self) -> bool:
        """Whether the audit found no errors."""
        return not self.wrong and not self.wrong_parts
