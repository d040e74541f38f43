from collections.abc import Callable, Iterable, Iterator
from os import PathLike
from typing import Final, Literal, Protocol, SupportsIndex as Int, TypeAlias

from ._results import Audit, Classes, Device, Estimate, Tally

__all__ = [
    "RecordError", "Stopped", "__version__", "audit", "classes", "count", "devices", "estimate",
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
