"""Estimates: the interval contains the published number, and a sample has the requested size."""

import time

import pytest
import queencount


def test_interval_covers_published_value() -> None:
    estimate = queencount.estimate(14, sample=200, seed=1)
    total = estimate.total
    assert (total.low, total.high) == (total.mean - total.margin, total.mean + total.margin)
    assert total.low <= 365_596 <= total.high
    assert 0 <= estimate.seconds.low <= estimate.seconds.mean <= estimate.seconds.high
    assert estimate.engine == "rows"
    again = queencount.estimate(14, sample=200, seed=1, threads=3).total.mean
    assert again == pytest.approx(total.mean, rel=1e-9)


def test_sample_ends_at_time_limit() -> None:
    start = time.monotonic()
    estimate = queencount.estimate(16, seconds=0.5, threads=2)
    assert time.monotonic() - start < 30
    assert (estimate.n, estimate.threads) == (16, 2)
    assert estimate.total.low < 15_500_000 and estimate.total.high > 14_000_000


def test_estimate_memory_grows_with_limit() -> None:
    small, large = (queencount.estimate(20, sample=8, memory=size, threads=1).memory for size in (2**24, 2**28))
    assert 2**20 < small < large < 2**30


def test_other_values_are_value_errors() -> None:
    for seconds in (0.0, -1.0, float("nan"), float("inf"), 86_401.0):
        with pytest.raises(ValueError) as raised:
            queencount.estimate(8, seconds=seconds)
        found = str(int(seconds)) if abs(seconds) < 1e9 else {"nan": "NaN"}.get(str(seconds), str(seconds))
        assert str(raised.value) == f"expected a number of seconds above 0 and up to 86400, found {found}"
    with pytest.raises(ValueError) as draws:
        queencount.estimate(8, sample=7)
    assert str(draws.value) == f'expected a number of units from 8 to {2**64 - 1}, found "7"'


def test_unsupported_options_are_value_errors() -> None:
    with pytest.raises(ValueError, match="seconds and sample cannot both be given"):
        queencount.estimate(8, seconds=1, sample=8)
    for option in ({"kernel": "portable"}, {"memory": 2**24}, {"device": "auto"}):
        for function in (queencount.count, queencount.classes, queencount.estimate):
            with pytest.raises(ValueError, match=f"{[*option][0]} requires the rows engine, not backtrack"):
                function(8, engine="backtrack", **option)
