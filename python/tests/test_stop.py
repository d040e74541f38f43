"""Ways to end a count of several hours: Ctrl-C, an exception in a signal handler or callback, an event."""

import os
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import queencount

LONG = 23


@pytest.fixture(autouse=True)
def ctrl_c_is_heard() -> Iterator[None]:
    """Restores Ctrl-C, which background jobs of a shell ignore."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


# Each of these calls would take hours.
CALLS: dict[str, Callable[[threading.Event | None], object]] = {
    "rows": lambda stop: queencount.count(LONG, engine="rows", threads=2, stop=stop),
    "backtrack": lambda stop: queencount.count(LONG, engine="backtrack", threads=1, stop=stop),
    "classes": lambda stop: queencount.classes(LONG, stop=stop),
    "classes of a total": lambda stop: queencount.classes(32, total=0, stop=stop),
    "skip": lambda stop: queencount.solutions(LONG, skip=10**15, stop=stop),
    "skip unique": lambda stop: queencount.solutions(LONG, skip=10**15, unique=True, stop=stop),
    "estimate": lambda stop: queencount.estimate(LONG, seconds=3600, stop=stop),
    "run": lambda stop: queencount.run(LONG, "record", stop=stop),
    "pipe": lambda stop: queencount.merge("pipe", stop=stop),
    "pipe for an audit": lambda stop: queencount.audit("pipe", stop=stop),
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")


@contextmanager
def interrupted() -> Iterator[None]:
    """Presses Ctrl-C after a short delay, and expects an exception."""
    threading.Timer(0.3, os.kill, [os.getpid(), signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt):
        yield


@pytest.mark.parametrize("name", CALLS)
def test_ctrl_c_ends_call(name: str) -> None:
    with interrupted():
        CALLS[name](None)
    assert queencount.count(8) == 92


@pytest.mark.parametrize("unique", [False, True])
def test_ctrl_c_ends_list_of_solutions(unique: bool) -> None:
    with interrupted():
        deque(queencount.solutions(LONG, unique=unique), maxlen=0)


@pytest.mark.parametrize("name", CALLS)
def test_event_ends_call(name: str) -> None:
    stop = threading.Event()
    threading.Timer(0.3, stop.set).start()
    with pytest.raises(queencount.Stopped, match="^stopped before finishing$"):
        CALLS[name](stop)
    # The event is still set, so no count starts.
    with pytest.raises(queencount.Stopped):
        queencount.count(1, stop=stop)
    assert queencount.count(8, stop=threading.Event()) == 92


@pytest.mark.parametrize("stop", ["x", 8, False])
def test_stop_must_be_an_event(stop: object) -> None:
    with pytest.raises(TypeError, match=f"method is_set for 'stop', found {type(stop).__name__}$"):
        queencount.count(8, stop=stop)  # type: ignore[arg-type]


def test_signal_without_exception_is_harmless() -> None:
    seen = set()
    before = signal.signal(signal.SIGALRM, lambda *_: seen.add(threading.current_thread()))
    try:
        alarm = lambda *_: signal.raise_signal(signal.SIGALRM)
        assert queencount.count(17, threads=1, progress=alarm) == 95_815_104
    finally:
        signal.signal(signal.SIGALRM, before)
    assert seen == {threading.main_thread()}


def test_exception_in_callback_ends_count() -> None:
    calls = []

    def enough(work: float, found: int) -> None:
        calls.append((work, found))
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        queencount.count(LONG, progress=enough)
    with pytest.raises(LookupError, match="enough"):
        queencount.count(1, progress=enough)
    assert len(calls) == 2


def test_no_callback_runs_at_exit() -> None:
    """The callback yields to the main thread, which ends, and Python would end the callback's thread."""
    program = """
import atexit, threading, time

def after_hook_of_package():
    before = len(calls)
    time.sleep(0.3)
    print(len(calls) - before, queencount.count(8, progress=lambda *_: None))

atexit.register(after_hook_of_package)
import queencount

calls = []
begun = threading.Event()

def progress(work, found):
    calls.append(work)
    begun.set()
    for _ in range(100):
        time.sleep(0.001)

for _ in range(3):
    threading.Thread(target=queencount.count, args=[23], kwargs={"progress": progress}, daemon=True).start()
begun.wait()
"""
    assert ends(program) == ("0 92\n", "", 0)


def test_blocked_callback_does_not_prevent_exit() -> None:
    program = """
import queencount, threading
begun = threading.Event()

def progress(work, found):
    begun.set()
    threading.Event().wait()

threading.Thread(target=queencount.count, args=[23], kwargs={"progress": progress}, daemon=True).start()
begun.wait()
"""
    assert ends(program) == ("", "", 0)


def ends(program: str) -> tuple[str, str, int]:
    """Runs a program, and returns its output, its errors and its exit code."""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    return ended.stdout, ended.stderr, ended.returncode
