"""Counts are exact, at any size, with every engine and kernel, on any number of threads."""

import subprocess
import sys
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
import queencount

PUBLISHED = [1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200]


@pytest.mark.parametrize("n", [1, 4, 11])
def test_engines_kernels_and_threads_agree(n: int) -> None:
    published = PUBLISHED[n - 1]
    assert queencount.count(n, engine="backtrack", threads=3) == published
    assert queencount.count(n, engine="rows", threads=1) == published
    assert queencount.count(n, engine="rows", kernel="portable", threads=2) == published
    assert queencount.count(n, engine="rows", memory=2**20) == published


def test_published_values_are_exact() -> None:
    assert [queencount.published(n) for n in range(1, 13)] == PUBLISHED
    assert queencount.published(27) == 234_907_967_154_122_528
    assert [queencount.published(n) for n in (-1, 28, 2**32 + 8, 2**128 + 8)] == [None] * 4


class Integer:
    """An object that converts to an integer, like the integers of NumPy."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


def test_integer_like_arguments_are_accepted() -> None:
    assert queencount.count(Integer(8), threads=Integer(2)) == 92
    with pytest.raises(ValueError, match=f'found "{2**128}"'):
        queencount.count(Integer(2**128))


@pytest.mark.parametrize("n", [0, 33, -1, 2**32 + 8, 10**30, -(2**127) - 1, 2**128 + 8])
def test_other_sizes_are_value_errors(n: int) -> None:
    for function in (queencount.count, queencount.solutions):
        with pytest.raises(ValueError) as error:
            function(n)
        assert str(error.value) == f'expected a board size from 1 to 32, found "{n}"'


def test_other_values_are_value_errors() -> None:
    with pytest.raises(ValueError) as threads:
        queencount.count(8, threads=-1)
    assert str(threads.value) == 'expected a number of threads from 0 to 4096, found "-1"'
    with pytest.raises(ValueError) as engine:
        queencount.count(8, engine="steam")  # type: ignore[arg-type]
    assert str(engine.value) == 'expected an engine, one of auto, backtrack, rows, found "steam"'
    with pytest.raises(ValueError) as memory:
        queencount.count(8, memory=2**20 - 1)
    assert str(memory.value) == f'expected a number of bytes from 1048576 to {2**64 - 1}, found "1048575"'
    with pytest.raises(ValueError, match='expected a kernel that this CPU supports, one of .*portable, found "steam"'):
        queencount.count(8, kernel="steam")


def test_other_types_are_type_errors() -> None:
    with pytest.raises(TypeError, match="'float'"):
        queencount.count(8.0)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="'str'"):
        queencount.solutions("8")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        queencount.count(8, 2)  # type: ignore[call-arg]


def test_parallel_counts_are_independent() -> None:
    sizes = range(1, 13)
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(queencount.count, sizes)) == PUBLISHED
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        assert list(pool.map(queencount.count, sizes)) == PUBLISHED


def test_progress_grows_to_one() -> None:
    calls: list[tuple[float, int]] = []
    threads = set()

    def progress(work: float, found: int) -> None:
        calls.append((work, found))
        threads.add(threading.current_thread())

    total = queencount.count(18, threads=1, progress=progress)
    assert calls[-1] == (1.0, total)
    assert calls == sorted(calls)
    assert len(calls) > 3, "about ten times a second"
    assert 0 < calls[-2][0] <= 1
    assert threads == {threading.current_thread()}


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system does not count memory")
def test_count_without_memory_raises() -> None:
    program = """
import resource
import queencount

[line] = [line for line in open("/proc/self/status") if line.startswith("VmSize:")]
most = (int(line.split()[1]) + 40_000) * 1024
resource.setrlimit(resource.RLIMIT_AS, (most, most))
try:
    queencount.count(28, threads=1)
except MemoryError as error:
    print(error)
"""
    output = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert output == "out of memory; try less memory per thread, or fewer threads\n"
