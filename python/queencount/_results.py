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

    Examples:
        >>> interval = queencount.Interval(mean=100.0, margin=3.0)
        >>> interval.low, interval.high
        (97.0, 103.0)
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
class Estimate:
    """What a sample tells of a count.

    Attributes:
        n: The number of rows of the board.
        total: The number of solutions.
        seconds: The time that one thread would take to count them, in seconds.
        memory: About how many bytes the count would take on as many threads as the sample.
        threads: The number of threads that made the sample.
        engine: The name of the engine that would count.

    Examples:
        >>> estimate = queencount.estimate(14, sample=64)
        >>> estimate.total.low <= 365_596 <= estimate.total.high
        True
    """

    n: int
    total: Interval
    seconds: Interval
    memory: int
    threads: int
    engine: str
