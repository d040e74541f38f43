#!/usr/bin/env python3
"""Counts on a Dask cluster: a task for each shard that lacks units, again while one does, then the total.

The machines share no folder, and need no store: Dask carries the record of a shard to a worker and back. A worker
counts for some minutes and gives back what it has; then another task goes on. So a lost worker costs these minutes, and
tasks that nobody waits for any more soon end. DIR is a folder of this machine, with a record for each shard. The same
command goes on from there.

  dask-count.py 18 50 q18                                     # on this machine alone
  dask-count.py 24 500 q24 --scheduler tcp://head:8786        # those of 'dask scheduler' and 'dask worker'

QUEENCOUNT names the program, here and on the workers (default: queencount), SITE where they are. A worker runs as many
tasks at a time as it has threads: with --threads 8, start it with a thread for each eight CPUs.

exit codes: 0 total printed; 1 the system failed; 2 usage; 3 records are damaged, contradict each other or are of
another plan; 4 units are still missing; 130 interrupted
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

# A shard is tried so often without any progress.
TRIES = 3
# What 'timeout' says when the time is up.
TIME_IS_UP = 124


def count(words, shard, seconds, record):
    """On a worker: goes on with a record for some seconds; returns it, the exit code and what the program said."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "record.jsonl")
        if record:
            file.write_bytes(record)
        # Not Python's own timeout: this one works even after the death of the worker.
        command = ["timeout", "--foreground", str(seconds), *words, "--shard", shard, "--record", str(file)]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        return file.read_bytes() if file.exists() else b"", done.returncode, done.stderr.strip()


def says(command):
    """What a command prints. It has said itself why it fails."""
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(done.returncode)
    return done.stdout


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("n", metavar="N", type=int)
    parser.add_argument("shards", metavar="SHARDS", type=int)
    parser.add_argument("dir", metavar="DIR", type=Path)
    parser.add_argument("--scheduler", metavar="ADDRESS", help="default: this machine alone")
    parser.add_argument("--threads", metavar="T", type=int, default=1, help="threads of a task (default: 1)")
    parser.add_argument("--minutes", metavar="M", type=float, default=10, help="the longest task (default: 10)")
    return parser.parse_args()


class Records:
    """The folder of records, of which only the client writes."""

    def __init__(self, program, asked):
        self.shards, self.folder = asked.shards, asked.dir
        board = [program, "plan", str(asked.n), "--threads", str(asked.threads)]
        plan = dict(line.split(maxsplit=1) for line in says(board).splitlines())["plan"]
        # So many shards have to exist.
        says([*board, "--shards", str(asked.shards)])
        self.merge = [program, "merge", "--n", str(asked.n), "--plan", plan]
        self.folder.mkdir(parents=True, exist_ok=True)

    def merged(self, *options):
        """The exit code of a merge of all records, and what it prints."""
        files = sorted(self.folder.glob("*.jsonl"))
        done = subprocess.run([*self.merge, *options, *files], stdout=subprocess.PIPE, text=True) if files else None
        return (done.returncode, done.stdout) if done else (4, "")

    def lacking(self):
        """The shards that lack units."""
        code, lacking = self.merged("--shards", str(self.shards))
        if code not in (0, 4):
            sys.exit(code)
        # Empty records tell of no shard.
        lacking = lacking.strip() or f"1-{self.shards}" if code else ""
        ends = [part.split("-") for part in lacking.split(",") if part]
        return [shard for end in ends for shard in range(int(end[0]), int(end[-1]) + 1)]

    def total(self):
        """Prints the total, or what stands in its way; returns the exit code."""
        code, total = self.merged()
        print(end=total)
        return code

    def file(self, shard):
        return self.folder / f"{shard}.jsonl"

    def read(self, shard):
        return self.file(shard).read_bytes() if self.file(shard).exists() else b""

    def write(self, shard, record):
        new = self.file(shard).with_suffix(".new")
        with new.open("wb") as file:
            file.write(record)
            file.flush()
            os.fsync(file.fileno())
        new.rename(self.file(shard))


def main():
    asked = arguments()
    program = os.environ.get("QUEENCOUNT", "queencount")
    say = lambda *words: print("dask-count:", *words, file=sys.stderr, flush=True)
    try:
        from dask.distributed import Client, as_completed
    except ImportError:
        say("expected the package distributed, found none; install it: pip install distributed")
        return 1
    try:
        records = Records(program, asked)
    except FileNotFoundError:
        say(f"expected the program {program}, found none; name it by QUEENCOUNT")
        return 1
    todo = records.lacking()
    if not todo:
        return records.total()
    say(len(todo), "shards lack units")
    words = [program, "run", str(asked.n), "--quiet", "--threads", str(asked.threads)]
    words += ["--site", os.environ["SITE"]] if "SITE" in os.environ else []
    # On this machine alone, programs are all the processes that it takes.
    here = dict(processes=False, n_workers=1, threads_per_worker=max(1, os.cpu_count() // asked.threads))
    with Client(asked.scheduler) if asked.scheduler else Client(**here, dashboard_address=None) as client:

        def submit(shard):
            of = f"{shard}/{asked.shards}"
            task = client.submit(count, words, of, asked.minutes * 60, records.read(shard), pure=False)
            tasks[task] = shard
            return task

        tasks, tries = {}, dict.fromkeys(todo, TRIES)
        running = as_completed([submit(shard) for shard in todo])
        for task in running:
            shard = tasks.pop(task)
            if task.status == "finished":
                record, code, said = task.result()
                if len(record) > len(records.read(shard)):
                    records.write(shard, record)
                    tries[shard] = TRIES
            else:
                code, said = 1, repr(task.exception()) if task.status == "error" else task.status
            if code == 0:
                continue
            if code != TIME_IS_UP:
                say(f"shard {shard}: exit code {code}: {said}")
            tries[shard] = 0 if code in (2, 3) else tries[shard] - 1
            if tries[shard] > 0:
                running.add(submit(shard))
    return records.total()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        print("dask-count: interrupted; the same command goes on", file=sys.stderr)
        sys.exit(130)
