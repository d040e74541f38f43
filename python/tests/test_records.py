"""Records: nothing finished is lost, a total is exact or there is none, and what is wrong is found and named."""

import errno
import json
import threading
import time
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
import queencount


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("n", "total"), [(1, 1), (2, 0), (8, 92), (13, 73_712)])
def test_record_is_counted_once(n: int, total: int) -> None:
    first = queencount.run(n, "r")
    assert (first.n, first.total, first.count, first.complete, first.missing) == (n, total, total, True, ())
    assert first.engine == ("rows" if n > 11 else "backtrack")
    written = Path("r").read_bytes()
    calls: list[tuple[float, int]] = []
    assert queencount.run(n, Path("r"), progress=lambda *call: calls.append(call)) == first
    assert calls[-1] == (1.0, 0)
    assert Path("r").read_bytes() == written
    assert queencount.merge("r") == first


def test_units_are_ranges_and_numbers() -> None:
    part = queencount.run(10, "r", units=[3, range(5, 8), range(20, 15, -2)], engine="backtrack")
    assert part.total is None
    assert part.missing == (range(3), range(4, 5), range(8, 16), range(17, 18), range(19, 20), range(21, part.units))
    assert queencount.run(10, "s", units=part.missing, engine="backtrack").count == 724 - part.count
    assert queencount.merge("r", "s").total == 724
    none = queencount.run(10, "t", units=[])
    assert (none.count, none.missing) == (0, (range(none.units),))
    assert queencount.run(10, "t", units=range(5, 5)) == none
    assert queencount.run(10, "t", units=range(none.units)).total == 724


def test_shard_and_resources_are_options() -> None:
    queencount.run(13, "r", shard=(1, 2), engine="rows", kernel="portable", memory=2**20, threads=2)
    queencount.run(13, "s", shard=(2, 2), engine="rows")
    # A record that is given twice is read once.
    merged = queencount.merge("s", "r", "r")
    assert (merged.total, merged.engine, merged.lines) == (73_712, "rows", queencount.run(13, "t", engine="rows").lines)


def test_progress_covers_units_of_the_call() -> None:
    half = queencount.run(17, "r", shard=(1, 2), threads=1)
    calls: list[tuple[float, int]] = []
    whole = queencount.run(17, "r", threads=1, progress=lambda *call: calls.append(call))
    assert whole.total == 95_815_104
    assert calls[-1] == (1.0, whole.count - half.count)
    assert calls == sorted(calls)


def wait_for_lines(path: Path, lines: int) -> None:
    while not path.exists() or path.read_bytes().count(b"\n") < lines:
        time.sleep(0.01)


def test_record_has_one_writer_that_an_event_ends() -> None:
    stop, raised = threading.Event(), []

    def count() -> None:
        try:
            queencount.run(22, "r", threads=1, stop=stop)
        except queencount.Stopped as error:
            raised.append(str(error))

    writer = threading.Thread(target=count)
    writer.start()
    try:
        wait_for_lines(Path("r"), 4)
        with pytest.raises(BlockingIOError, match="^r: another process is writing this record$"):
            queencount.run(22, "r")
    finally:
        stop.set()
        writer.join(60)
    assert raised == ["stopped before finishing"]
    assert queencount.merge("r").lines >= 3


UNIT = f"expected a unit from 0 to {2**64 - 2}"
BYTES = f"expected a number of bytes from 1048576 to {2**64 - 1}"
TASKS = f"expected a number of tasks from 1 to {2**64 - 1}"


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: queencount.run(8, "r", shard=(3, 2)), 'expected a shard K/M with K from 1 to M, found "3/2"'),
        (lambda: queencount.run(8, "r", shard=(1, 2), units=[1]), "expected a shard or units, found both"),
        (lambda: queencount.run(8, "r", units=[-1]), f'{UNIT}, found "-1"'),
        (lambda: queencount.run(8, "r", units=range(10**30)), f'{UNIT}, found "{10**30 - 1}"'),
        (lambda: queencount.run(8, "r", units=[5, 1000]), 'expected units below 21, the number of units of N = 8, found "1000"'),
        (lambda: queencount.run(8, "r", memory=9), f'{BYTES}, found "9"'),
        (lambda: queencount.merge(), "expected records, found none"),
        (lambda: queencount.audit(), "expected records, found none"),
        (lambda: queencount.audit("r", sample=0), f'{TASKS}, found "0"'),
        (lambda: queencount.audit("r", seed=-1), f'expected a seed from 0 to {2**64 - 1}, found "-1"'),
    ],
)
def test_other_values_are_value_errors(call: Callable[[], object], error: str) -> None:
    with pytest.raises(ValueError) as raised:
        call()
    assert str(raised.value) == error
    assert not Path("r").exists()


def test_system_errors_are_os_errors() -> None:
    for call in (queencount.merge, queencount.audit):
        with pytest.raises(FileNotFoundError) as raised:
            call("there/is/none")
        error = raised.value
        assert (error.errno, error.strerror, error.filename) == (
            errno.ENOENT, "No such file or directory", "there/is/none",
        )
    with pytest.raises(IsADirectoryError):
        queencount.run(8, ".")


def test_damage_is_absence() -> None:
    whole = queencount.run(8, "r")
    line = Path("r").read_text().splitlines()[2]
    Path("damaged").write_text(Path("r").read_text().replace(line, line.replace("count", "c0unt")))
    Path("other").write_text("a letter to my aunt\n")
    merged = queencount.merge("damaged", "other")
    unit = json.loads(line)["first"]
    assert (merged.total, merged.missing) == (None, (range(unit, unit + 1),))
    assert [problem[:24] for problem in merged.problems] == ["damaged line 3: damaged:", "other: not a readable re"]
    assert queencount.audit("damaged").passed
    assert queencount.merge("damaged", "other", "r").total == whole.total
    # A run leaves such a file alone.
    for name, place in [("damaged", ("damaged", 3)), ("other", ("other", None))]:
        before = Path(name).read_bytes()
        with pytest.raises(queencount.RecordError) as wrong:
            queencount.run(8, name)
        assert (wrong.value.path, wrong.value.line) == place
        assert Path(name).read_bytes() == before
    Path("empty").touch()
    with pytest.raises(queencount.RecordError, match="^expected at least one count in the records, found none"):
        queencount.merge("empty")


def test_records_of_several_plans_are_refused() -> None:
    for n, name in [(8, "r"), (9, "s")]:
        queencount.run(n, name)
    with pytest.raises(queencount.RecordError, match="^expected records of one plan, found 1 file .r. of N = 8, backtrack "):
        queencount.merge("r", "s")
    assert queencount.merge("r", "s", n=9).total == 352
    with pytest.raises(queencount.RecordError, match="^expected records of N = 10 and the rows engine, found "):
        queencount.merge("r", "s", n=10, engine="rows")


def forge(record: Path, line: int, more: int) -> None:
    """Adds to the count of an entry, with a checksum that is right."""
    lines = record.read_text().splitlines()
    plan = json.loads(lines[0])["plan"]
    body = lines[line].split(',"crc":')[0]
    count = json.loads(lines[line])["count"]
    body = body.replace(f'"count":"{count}"', f'"count":"{int(count) + more}"')
    lines[line] = f'{body},"crc":"{zlib.crc32((plan + body).encode()):08x}"}}'
    record.write_text("\n".join(lines) + "\n")


def test_audit_finds_forged_line() -> None:
    queencount.run(12, "r")
    calls: list[tuple[float, int]] = []
    audit = queencount.audit("r", sample=None, seed=7, progress=lambda *call: calls.append(call))
    assert (audit.passed, audit.wrong, audit.wrong_parts, audit.parts, audit.seed) == (True, (), (), 0, 7)
    assert (audit.tasks, calls[-1]) == (queencount.merge("r").lines, (1.0, 0))

    forge(Path("r"), 3, 8)
    merged = queencount.merge("r")
    assert (merged.complete, merged.total) == (True, None)
    assert "14208, but the published value for N = 12 is 14200" in merged.problems[0]
    audit = queencount.audit("r", sample=None)
    assert not audit.passed
    [wrong] = audit.wrong
    assert (wrong.places, wrong.count - wrong.recount) == (("r line 4",), 8)
    assert queencount.run(12, "s", units=wrong.units).count == wrong.recount


def test_records_that_disagree_have_no_total() -> None:
    queencount.run(10, "r")
    Path("s").write_bytes(Path("r").read_bytes())
    assert queencount.merge("r", "s").total == 724
    forge(Path("s"), 1, 8)
    merged = queencount.merge("r", "s")
    assert (merged.total, merged.disagreements) == (None, merged.missing)
    assert merged.problems[0].startswith("lines disagree on unit ")
    [wrong] = queencount.audit("r", "s", sample=1).wrong
    assert (wrong.places, wrong.units) == (("s line 2",), merged.disagreements[0])


def test_event_ends_audit() -> None:
    queencount.run(20, "r", units=range(200, 201))
    with pytest.raises(queencount.Stopped):
        stop = threading.Event()
        threading.Timer(0.3, stop.set).start()
        queencount.audit("r", stop=stop)
