"""Solutions: all of them, each once, in order, and the first without the rest."""

from concurrent.futures import ThreadPoolExecutor
from itertools import islice

import pytest
import queencount


def test_solutions_are_lazy() -> None:
    # The remaining solutions would take years.
    for columns in islice(queencount.solutions(24), 3):
        assert sorted(columns) == list(range(24))


def test_iterator_is_fused() -> None:
    solutions = queencount.solutions(4)
    assert iter(solutions) is solutions
    assert [next(solutions), next(solutions), next(solutions, None), next(solutions, None)] == [
        (1, 3, 0, 2), (2, 0, 3, 1), None, None,
    ]


def test_skip_leaves_the_rest() -> None:
    for unique in (False, True):
        everything = list(queencount.solutions(8, unique=unique))
        for skip in (1, len(everything), 2**64 - 1):
            assert list(queencount.solutions(8, skip=skip, unique=unique, threads=1)) == everything[skip:]


@pytest.mark.parametrize("skip", [-1, 2**64])
def test_skip_must_be_number_of_solutions(skip: int) -> None:
    with pytest.raises(ValueError) as raised:
        queencount.solutions(8, skip=skip)
    assert str(raised.value) == f'expected a number of solutions to skip from 0 to {2**64 - 1}, found "{skip}"'


def test_threads_can_share_iterator() -> None:
    solutions = queencount.solutions(11)
    with ThreadPoolExecutor(4) as pool:
        shares = list(pool.map(lambda _: list(solutions), range(4)))
    assert sorted(sum(shares, [])) == list(queencount.solutions(11))


@pytest.mark.parametrize(
    ("columns", "error"),
    [
        ([], "expected 1 to 32 columns, found 0"),
        ([1, 3, 0, 4], "expected a column from 0 to 3 for the queen in row 3, found \"4\""),
        ([2**70], f'expected a column from 0 to 255, found "{2**70}"'),
    ],
)
def test_invalid_solution_is_value_error(columns: list[int], error: str) -> None:
    for function in (queencount.rows, queencount.images):
        with pytest.raises(ValueError) as raised:
            function(columns)
        assert str(raised.value) == error


def test_columns_are_integers() -> None:
    with pytest.raises(TypeError, match="'str'"):
        queencount.rows("2413")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="'int'"):
        queencount.images(8)  # type: ignore[arg-type]
