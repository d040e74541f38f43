"""Solutions: all of them, each once, in order, and the first without the rest."""

from concurrent.futures import ThreadPoolExecutor
from itertools import islice, permutations

import pytest
import queencount


def naive(n: int) -> list[tuple[int, ...]]:
    """The permutations without two queens on a diagonal."""
    rows = range(n)
    return [
        columns
        for columns in permutations(rows)
        if len({row + columns[row] for row in rows}) == len({row - columns[row] for row in rows}) == n
    ]


@pytest.mark.parametrize("n", range(1, 9))
def test_solutions_are_those_that_a_naive_program_finds(n: int) -> None:
    assert list(queencount.solutions(n)) == naive(n)


def test_solutions_are_as_many_as_counted() -> None:
    assert sum(1 for _ in queencount.solutions(12)) == queencount.count(12)


def test_the_first_solutions_come_without_the_rest() -> None:
    # The rest would take years.
    for columns in islice(queencount.solutions(24), 3):
        assert sorted(columns) == list(range(24))


def test_an_iterator_ends_once_and_for_all() -> None:
    solutions = queencount.solutions(4)
    assert iter(solutions) is solutions
    assert [next(solutions), next(solutions), next(solutions, None), next(solutions, None)] == [*naive(4), None, None]


def test_threads_may_share_an_iterator() -> None:
    solutions = queencount.solutions(11)
    with ThreadPoolExecutor(4) as pool:
        shares = list(pool.map(lambda _: list(solutions), range(4)))
    assert sorted(sum(shares, [])) == list(queencount.solutions(11))
