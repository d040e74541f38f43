from collections.abc import Callable, Iterable, Iterator
from os import PathLike
from typing import Final, Literal, Protocol, SupportsIndex, TypeAlias, final

from ._results import Audit, Device, Estimate, Tally

__all__ = [
    "Classes",
    "RecordError",
    "Stopped",
    "__version__",
    "audit",
    "classes",
    "count",
    "devices",
    "estimate",
    "fundamental_solutions",
    "images",
    "merge",
    "published",
    "rows",
    "run",
    "solutions",
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
    n: SupportsIndex,
    *,
    threads: SupportsIndex = 0,
    engine: _Engine = "auto",
    kernel: str = "auto",
    memory: SupportsIndex | None = None,
    device: str = "cpu",
    progress: _Progress | None = None,
    stop: _Event | None = None,
) -> int: ...
def classes(
    n: SupportsIndex,
    *,
    total: SupportsIndex | None = None,
    threads: SupportsIndex = 0,
    engine: _Engine = "auto",
    kernel: str = "auto",
    memory: SupportsIndex | None = None,
    device: str = "cpu",
    progress: _Progress | None = None,
    stop: _Event | None = None,
) -> Classes: ...
@final
class Classes:
    def __new__(
        cls, n: SupportsIndex, total: SupportsIndex, half_turn: SupportsIndex, quarter_turn: SupportsIndex
    ) -> Classes: ...
    def __hash__(self) -> int: ...
    @property
    def n(self) -> int: ...
    @property
    def total(self) -> int: ...
    @property
    def fundamental(self) -> int: ...
    @property
    def half_turn(self) -> int: ...
    @property
    def quarter_turn(self) -> int: ...
    @property
    def orbits(self) -> dict[int, int]: ...

def devices() -> tuple[Device, ...]: ...
def published(n: SupportsIndex) -> int | None: ...
def solutions(
    n: SupportsIndex,
    *,
    skip: SupportsIndex = 0,
    unique: bool = False,
    threads: SupportsIndex = 0,
    stop: _Event | None = None,
) -> Iterator[tuple[int, ...]]: ...
def fundamental_solutions(n: SupportsIndex) -> Iterator[tuple[tuple[int, ...], int]]: ...
def rows(columns: Iterable[SupportsIndex]) -> list[str]: ...
def images(columns: Iterable[SupportsIndex]) -> list[tuple[int, ...]]: ...
def estimate(
    n: SupportsIndex,
    *,
    seconds: float | None = None,
    sample: SupportsIndex | None = None,
    seed: SupportsIndex = 1,
    threads: SupportsIndex = 0,
    engine: _Engine = "auto",
    kernel: str = "auto",
    memory: SupportsIndex | None = None,
    device: str = "cpu",
    stop: _Event | None = None,
) -> Estimate: ...
def run(
    n: SupportsIndex,
    record: _Path,
    *,
    shard: tuple[SupportsIndex, SupportsIndex] | None = None,
    units: Iterable[range | SupportsIndex] | None = None,
    threads: SupportsIndex = 0,
    engine: _Engine = "auto",
    kernel: str = "auto",
    memory: SupportsIndex | None = None,
    device: str = "cpu",
    site: str | None = None,
    progress: _Progress | None = None,
    stop: _Event | None = None,
) -> Tally: ...
def merge(*records: _Path, n: SupportsIndex | None = None) -> Tally: ...
def audit(
    *records: _Path,
    sample: SupportsIndex | None = 30,
    seed: SupportsIndex | None = None,
    whole: bool = False,
    threads: SupportsIndex = 0,
    kernel: str = "auto",
    memory: SupportsIndex | None = None,
    progress: _Progress | None = None,
    stop: _Event | None = None,
) -> Audit: ...
