from collections.abc import Callable, Iterable, Iterator
from os import PathLike
from typing import Final, Literal, Protocol, SupportsIndex as Int, TypeAlias, final

__all__ = [
    "Audit", "Classes", "Device", "Estimate", "Interval", "RecordError", "Stopped", "Tally",
    "WrongCount", "WrongPart", "__version__", "audit", "classes", "count", "devices", "estimate",
    "images", "merge", "published", "rows", "run", "solutions",
]

__version__: Final[str]

_Engine: TypeAlias = Literal["auto", "backtrack", "rows"]
_Path: TypeAlias = str | PathLike[str]
_Progress: TypeAlias = Callable[[float, int], object]

class _Event(Protocol):
    def is_set(self) -> bool: ...

class RecordError(Exception):
    path: str | None
    line: int | None
class Stopped(Exception): ...

def count(
    n: Int, *, threads: Int = 0, engine: _Engine = "auto", kernel: str = "auto",
    memory: Int | None = None, device: str = "cpu", progress: _Progress | None = None,
    stop: _Event | None = None,
) -> int: ...
def classes(
    n: Int, *, total: Int | None = None, threads: Int = 0, engine: _Engine = "auto",
    kernel: str = "auto", memory: Int | None = None, device: str = "cpu",
    progress: _Progress | None = None, stop: _Event | None = None,
) -> Classes: ...
def devices() -> list[Device]: ...
def published(n: Int) -> int | None: ...
def solutions(
    n: Int, *, skip: Int = 0, unique: bool = False, threads: Int = 0, stop: _Event | None = None,
) -> Iterator[tuple[int, ...]]: ...
def rows(columns: Iterable[Int]) -> list[str]: ...
def images(columns: Iterable[Int]) -> list[tuple[int, ...]]: ...
def estimate(
    n: Int, *, seconds: float | None = None, sample: Int | None = None, seed: Int = 1,
    threads: Int = 0, engine: _Engine = "auto", kernel: str = "auto", memory: Int | None = None,
    device: str = "cpu", stop: _Event | None = None,
) -> Estimate: ...
def run(
    n: Int, record: _Path, *, shard: tuple[Int, Int] | None = None,
    units: Iterable[range | Int] | None = None, threads: Int = 0, engine: _Engine = "auto",
    kernel: str = "auto", memory: Int | None = None, device: str = "cpu",
    progress: _Progress | None = None, stop: _Event | None = None,
) -> Tally: ...
def merge(
    *records: _Path, n: Int | None = None, engine: _Engine = "auto", stop: _Event | None = None,
) -> Tally: ...
def audit(
    *records: _Path, sample: Int | None = 30, seed: Int | None = None,
    threads: Int = 0, kernel: str = "auto", memory: Int | None = None,
    progress: _Progress | None = None, stop: _Event | None = None,
) -> Audit: ...

@final
class Classes:
    def __new__(
        cls, n: int, total: int, fundamental: int, half_turn: int, quarter_turn: int, orbits: dict[int, int],
    ) -> Classes: ...
    n: Final[int]
    total: Final[int]
    fundamental: Final[int]
    half_turn: Final[int]
    quarter_turn: Final[int]
    orbits: Final[dict[int, int]]
@final
class Interval:
    def __new__(cls, mean: float, margin: float) -> Interval: ...
    mean: Final[float]
    margin: Final[float]
    low: Final[float]
    high: Final[float]
@final
class Device:
    def __new__(
        cls, index: int, name: str, kind: str, memory: int, failure: str | None,
    ) -> Device: ...
    index: Final[int]
    name: Final[str]
    kind: Final[str]
    memory: Final[int]
    failure: Final[str | None]
@final
class Estimate:
    def __new__(
        cls, n: int, total: Interval, seconds: Interval, memory: int, threads: int, engine: str,
        device: str,
    ) -> Estimate: ...
    n: Final[int]
    total: Final[Interval]
    seconds: Final[Interval]
    memory: Final[int]
    threads: Final[int]
    engine: Final[str]
    device: Final[str]
@final
class Tally:
    def __new__(
        cls, n: int, engine: str, plan: str, units: int, total: int | None, count: int,
        missing: tuple[range, ...], disagreements: tuple[range, ...], problems: tuple[str, ...],
        lines: int, seconds: float,
    ) -> Tally: ...
    n: Final[int]
    engine: Final[str]
    plan: Final[str]
    units: Final[int]
    total: Final[int | None]
    count: Final[int]
    missing: Final[tuple[range, ...]]
    disagreements: Final[tuple[range, ...]]
    problems: Final[tuple[str, ...]]
    lines: Final[int]
    seconds: Final[float]
    complete: Final[bool]
@final
class WrongCount:
    def __new__(cls, places: tuple[str, ...], units: range, count: int, recount: int) -> WrongCount: ...
    places: Final[tuple[str, ...]]
    units: Final[range]
    count: Final[int]
    recount: Final[int]
@final
class WrongPart:
    def __new__(cls, unit: int, part: int, count: int, recount: int) -> WrongPart: ...
    unit: Final[int]
    part: Final[int]
    count: Final[int]
    recount: Final[int]
@final
class Audit:
    def __new__(
        cls, n: int, tasks: int, units: int, parts: int, wrong: tuple[WrongCount, ...],
        wrong_parts: tuple[WrongPart, ...], detected_share: float, seed: int,
    ) -> Audit: ...
    n: Final[int]
    tasks: Final[int]
    units: Final[int]
    parts: Final[int]
    wrong: Final[tuple[WrongCount, ...]]
    wrong_parts: Final[tuple[WrongPart, ...]]
    detected_share: Final[float]
    seed: Final[int]
    passed: Final[bool]
