"""Classes of symmetry: counts of any size reach Python, and impossible ones are refused."""

import copy
import pickle

import pytest
import queencount


def test_images_are_turned_then_reflected() -> None:
    assert queencount.images((1, 4, 2, 0, 3)) == [(1, 4, 2, 0, 3)] * 4 + [(3, 0, 2, 4, 1)] * 4


def test_known_total_beyond_64_bits_is_not_recounted() -> None:
    # Counting the total would take an hour.
    total = 2_691_008_701_644 + 8 * 2**66
    classes = queencount.classes(22, total=total)
    assert (classes.total, classes.fundamental) == (total, 336_376_244_042 + 2**66)
    assert classes != queencount.classes(22, total=total + 8)
    for twin in (copy.deepcopy(classes), pickle.loads(pickle.dumps(classes))):
        assert (twin, hash(twin)) == (classes, hash(classes))


@pytest.mark.parametrize("total", [91, 0, -92, 2**128])
def test_impossible_total_is_value_error(total: int) -> None:
    with pytest.raises(ValueError, match="^expected .*, found .?" + str(total)):
        queencount.classes(8, total=total)


def test_progress_tracks_longest_count() -> None:
    calls: list[tuple[float, int]] = []
    queencount.classes(8, progress=lambda *call: calls.append(call))
    assert calls[-1] == (1.0, 92)
    queencount.classes(8, total=92, progress=lambda *call: calls.append(call))
    assert calls[-1] == (1.0, 4)
