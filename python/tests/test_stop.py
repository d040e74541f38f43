"""Ways to end a count of several hours: Ctrl-C, an exception in a signal handler or callback, an event."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import pytest
import queencount

LONG = 23


@pytest.fixture(autouse=True)
def ctrl_c_is_heard() -> Iterator[None]:
    """Restores Ctrl-C, which background jobs of a shell ignore."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@contextmanager
def signalled(number: signal.Signals) -> Iterator[None]:
    """Sends this process a signal after a short delay. A count that ignores it runs for hours."""
    threading.Timer(0.3, os.kill, [os.getpid(), number]).start()
    yield


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("engine", ["rows", "backtrack"])
def test_ctrl_c_ends_count(engine: Literal["rows", "backtrack"], threads: int) -> None:
    with pytest.raises(KeyboardInterrupt), signalled(signal.SIGINT):
        queencount.count(LONG, engine=engine, threads=threads)
    assert queencount.count(8) == 92


def test_ctrl_c_ends_count_by_symmetry() -> None:
    with pytest.raises(KeyboardInterrupt), signalled(signal.SIGINT):
        queencount.classes(LONG)
    with pytest.raises(KeyboardInterrupt), signalled(signal.SIGINT):
        queencount.classes(32, total=0)


def test_ctrl_c_ends_list_of_solutions() -> None:
    with pytest.raises(KeyboardInterrupt), signalled(signal.SIGINT):
        deque(queencount.solutions(LONG), maxlen=0)
    with pytest.raises(KeyboardInterrupt), signalled(signal.SIGINT):
        deque(queencount.solutions(LONG, unique=True), maxlen=0)


def test_ctrl_c_ends_skip() -> None:
    with pytest.raises(KeyboardInterrupt), signalled(signal.SIGINT):
        queencount.solutions(LONG, skip=10**15)
    with pytest.raises(KeyboardInterrupt), signalled(signal.SIGINT):
        queencount.solutions(LONG, skip=10**15, unique=True)


def test_ctrl_c_ends_estimate() -> None:
    with pytest.raises(KeyboardInterrupt), signalled(signal.SIGINT):
        queencount.estimate(LONG, seconds=3600)


def test_ctrl_c_ends_run(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), signalled(signal.SIGINT):
        queencount.run(LONG, tmp_path / "r")


@pytest.mark.parametrize(
    "call",
    [
        lambda stop: queencount.count(LONG, stop=stop),
        lambda stop: queencount.classes(LONG, stop=stop),
        lambda stop: queencount.solutions(LONG, skip=10**15, stop=stop),
        lambda stop: queencount.solutions(LONG, skip=10**15, unique=True, stop=stop),
    ],
)
def test_event_ends_count(call: Callable[[threading.Event], object]) -> None:
    stop = threading.Event()
    timer = threading.Timer(0.3, stop.set)
    timer.start()
    with pytest.raises(queencount.Stopped, match="^stopped before finishing$"):
        call(stop)
    assert stop.is_set()
    # The event is still set, so no count starts.
    with pytest.raises(queencount.Stopped):
        queencount.count(1, stop=stop)
    assert queencount.count(8, stop=threading.Event()) == 92


@pytest.mark.parametrize("stop", ["x", 8, False])
def test_stop_must_be_an_event(stop: object) -> None:
    with pytest.raises(TypeError, match=f"method is_set for 'stop', found {type(stop).__name__}$"):
        queencount.count(8, stop=stop)  # type: ignore[arg-type]


def test_pipe_without_writer_can_be_left(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(KeyboardInterrupt), signalled(signal.SIGINT):
        queencount.merge(pipe)
    for call in (queencount.merge, queencount.audit):
        stop = threading.Event()
        threading.Timer(0.3, stop.set).start()
        with pytest.raises(queencount.Stopped):
            call(pipe, stop=stop)


def test_exception_in_signal_handler_ends_count() -> None:
    def give_up(*_: object) -> None:
        raise TimeoutError("long enough")

    before = signal.signal(signal.SIGALRM, give_up)
    try:
        with pytest.raises(TimeoutError, match="long enough"), signalled(signal.SIGALRM):
            queencount.count(LONG)
    finally:
        signal.signal(signal.SIGALRM, before)


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


def test_ctrl_c_ends_program_during_count() -> None:
    program = "import queencount; print('counting', flush=True); queencount.count(23)"
    with subprocess.Popen([sys.executable, "-c", program], stdout=-1, stderr=-1, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "counting\n"
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
    assert errors.endswith("KeyboardInterrupt\n")
    assert process.returncode == -signal.SIGINT


def test_daemon_thread_without_callback_does_not_delay_exit() -> None:
    program = (
        "import queencount, threading, time\n"
        "threading.Thread(target=queencount.count, args=[23], daemon=True).start()\n"
        "time.sleep(0.2)\n"
    )
    assert ends(program) == ("", "", 0)


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
