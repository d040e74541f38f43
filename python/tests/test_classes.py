"""Classes of symmetry: as published, and as a naive program sorts the solutions into orbits."""

import copy
import pickle
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest
import queencount

# OEIS A002562, A032522 and A033148, for N = 1 to 14.
FUNDAMENTAL = [1, 0, 0, 1, 2, 1, 6, 12, 46, 92, 341, 1787, 9233, 45752]
HALF_TURN = [1, 0, 0, 2, 2, 4, 8, 4, 16, 12, 48, 80, 136, 420]
QUARTER_TURN = [1, 0, 0, 2, 2, 0, 0, 0, 0, 0, 0, 8, 8, 0]


def images(columns: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """The eight images of a solution, equal ones repeated."""
    for _ in range(4):
        # Exchanging rows and columns, then left and right, gives a quarter turn.
        columns = tuple(columns.index(column) for column in range(len(columns)))
        yield columns
        columns = tuple(len(columns) - 1 - column for column in columns)
        yield columns


@pytest.mark.parametrize("n", range(1, 15))
def test_classes_match_published_values(n: int) -> None:
    classes = queencount.classes(n)
    assert (classes.n, classes.total) == (n, queencount.count(n))
    found = (classes.fundamental, classes.half_turn, classes.quarter_turn)
    assert found == (FUNDAMENTAL[n - 1], HALF_TURN[n - 1], QUARTER_TURN[n - 1])


@pytest.mark.parametrize("n", range(1, 10))
def test_orbits_match_naive_program(n: int) -> None:
    orbits = {frozenset(images(columns)) for columns in queencount.solutions(n)}
    sizes = Counter(len(orbit) for orbit in orbits)
    assert queencount.classes(n).orbits == {size: sizes[size] for size in (1, 2, 4, 8)}


@pytest.mark.parametrize("n", range(1, 10))
def test_fundamental_solutions_are_least_of_orbits(n: int) -> None:
    orbits = {frozenset(images(columns)) for columns in queencount.solutions(n)}
    expected = sorted((min(orbit), len(orbit)) for orbit in orbits)
    assert list(queencount.fundamental_solutions(n)) == expected


def test_fundamental_solutions_match_count() -> None:
    orbits = Counter(orbit for _, orbit in queencount.fundamental_solutions(12))
    assert {size: orbits[size] for size in (1, 2, 4, 8)} == queencount.classes(12).orbits


def test_fundamental_solutions_are_lazy_and_fused() -> None:
    # The remaining solutions would take years.
    columns, orbit = next(queencount.fundamental_solutions(24))
    assert (sorted(columns), orbit) == (list(range(24)), 8)
    solutions = queencount.fundamental_solutions(4)
    assert iter(solutions) is solutions
    assert [next(solutions), next(solutions, None), next(solutions, None)] == [((1, 3, 0, 2), 2), None, None]


@pytest.mark.parametrize("n", range(1, 9))
def test_images_match_images_of_squares(n: int) -> None:
    for columns in queencount.solutions(n):
        found = queencount.images(columns)
        assert found[0] == columns
        assert sorted(found) == sorted(images(columns))
        assert found[4] == tuple(n - 1 - column for column in columns)


def test_known_total_is_not_recounted() -> None:
    # Counting the total would take an hour.
    classes = queencount.classes(22, total=2_691_008_701_644)
    assert classes.fundamental == 336_376_244_042
    assert classes == queencount.classes(22, total=2_691_008_701_644, threads=1)
    assert classes != queencount.classes(22, total=2_691_008_701_652)


def test_total_may_be_of_any_size() -> None:
    total = 92 + 8 * 2**120
    classes = queencount.classes(8, total=total)
    assert (classes.total, classes.fundamental) == (total, 12 + 2**120)


@pytest.mark.parametrize("total", [91, 0, -92, 2**128])
def test_impossible_total_is_value_error(total: int) -> None:
    with pytest.raises(ValueError, match="^expected .*, found .?" + str(total)):
        queencount.classes(8, total=total)


def test_repr_shows_counts() -> None:
    expected = "Classes(n=5, total=10, fundamental=2, half_turn=2, quarter_turn=2, orbits={1: 0, 2: 1, 4: 0, 8: 1})"
    assert repr(queencount.classes(5)) == expected


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_classes_can_be_pickled(protocol: int) -> None:
    for classes in (queencount.classes(8), queencount.classes(8, total=92 + 8 * 2**120)):
        assert pickle.loads(pickle.dumps(classes, protocol)) == classes


def test_classes_return_from_processes() -> None:
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        assert list(pool.map(queencount.classes, (5, 8))) == [queencount.classes(5), queencount.classes(8)]


def test_classes_can_be_copied_and_hashed() -> None:
    classes = queencount.classes(8)
    twins = [copy.copy(classes), copy.deepcopy(classes), queencount.classes(8), queencount.Classes(8, 92, 4, 0)]
    assert {classes, *twins} == {classes}
    assert {hash(twin) for twin in twins} == {hash(classes)}
    assert len({queencount.Classes(8, 92 + 8 * more, 4, 0) for more in range(100)}) == 100


@pytest.mark.parametrize("n", range(1, 11))
def test_classes_are_constructed_from_counts(n: int) -> None:
    classes = queencount.classes(n)
    made = queencount.Classes(n=n, total=classes.total, half_turn=classes.half_turn, quarter_turn=classes.quarter_turn)
    assert (made, made.fundamental, made.orbits) == (classes, classes.fundamental, classes.orbits)


@pytest.mark.parametrize(
    ("counts", "error"),
    [
        ((0, 92, 4, 0), 'expected a board size from 1 to 32, found "0"'),
        ((8, 92, 4, 1), "found 92 solutions, of which 4 are unchanged by the half turn and 1 by the quarter turn"),
        ((8, 92, 6, 2), "found 92 solutions"),
        ((8, 93, 4, 0), "found 93 solutions"),
        ((1, 0, 0, 0), "found 0 solutions"),
        ((8, -92, 4, 0), 'found "-92"'),
        ((8, 92, 2**128, 0), f'found "{2**128}"'),
    ],
)
def test_impossible_counts_are_value_errors(counts: tuple[int, int, int, int], error: str) -> None:
    with pytest.raises(ValueError) as raised:
        queencount.Classes(*counts)
    assert str(raised.value).startswith("expected ") and error in str(raised.value)


def test_progress_tracks_longest_count() -> None:
    calls: list[tuple[float, int]] = []
    queencount.classes(8, progress=lambda *call: calls.append(call))
    assert calls[-1] == (1.0, 92)
    queencount.classes(8, total=92, progress=lambda *call: calls.append(call))
    assert calls[-1] == (1.0, 4)
