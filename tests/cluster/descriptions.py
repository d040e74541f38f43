"""Plays Kubernetes and HTCondor with the job descriptions of scripts/cluster, for .ci/cluster.

Runs each job as described, with a small board and few shards: descriptions.py PODS MACHINES, two
directories.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import htcondor2
import yaml

HERE = Path("scripts/cluster").resolve()
PROGRAM = os.environ["QUEENCOUNT"]
BOARD, SOLUTIONS = "16", "14772512"
SHARDS = 4


def total(folder):
    merge = [PROGRAM, "merge", "--n", BOARD, folder]
    return subprocess.run(merge, stdout=subprocess.PIPE, text=True).stdout.strip()


def kubernetes(folder):
    folder.mkdir(parents=True)
    job = yaml.safe_load((HERE / "kubernetes.yaml").read_text())["spec"]
    container = job["template"]["spec"]["containers"][0]
    script, n, shards, store, *options = container["command"]
    assert job["completionMode"] == "Indexed", job
    assert job["completions"] == int(shards), "one pod per shard"
    assert int(n) == 24 and store.startswith("s3://"), (n, store)
    threads = container["resources"]["requests"]["cpu"]
    assert options[:2] == ["--threads", threads], "one thread per CPU"
    # These exit codes should not be retried.
    assert job["podFailurePolicy"]["rules"][0]["onExitCodes"] == {"operator": "In", "values": [2, 3]}
    for index in range(SHARDS):
        command = [HERE / script, BOARD, str(SHARDS), str(folder), *options, "--quiet"]
        subprocess.run(command, check=True, env={**os.environ, "JOB_COMPLETION_INDEX": str(index)})
    assert total(folder) == SOLUTIONS


def machine(submit, home, folder, taken_away):
    """Runs a job on a machine: copies its input there, runs it, copies its output back."""
    folder.mkdir()
    shutil.copy(home / submit.expand("transfer_input_files"), folder)
    command = [PROGRAM, *submit.expand("arguments").split()]
    process = subprocess.Popen(command, cwd=folder, stderr=subprocess.DEVNULL)
    if taken_away:
        time.sleep(0.2)
        process.send_signal(signal.Signals[submit["kill_sig"]])
    code = process.wait()
    # The process may exit before the signal, or receive it before it handles signals.
    assert code == 0 or taken_away and code in (143, -signal.SIGTERM), code
    shutil.copy(folder / submit.expand("transfer_output_files"), home)


def htcondor(folder):
    home = folder / "q24"
    home.mkdir(parents=True)
    (home / "todo").write_text("".join(f"{shard}\n" for shard in range(1, SHARDS + 1)))
    os.chdir(folder)
    submit = htcondor2.Submit((HERE / "htcondor.sub").read_text())
    assert (submit["n"], submit["shards"], submit["initialdir"]) == ("24", "2000", "q24")
    submit["n"], submit["shards"], submit["request_cpus"] = BOARD, str(SHARDS), "1"
    shards = [item["shard"] for item in submit.itemdata()]
    assert len(shards) == SHARDS, shards
    for shard in shards:
        (home / f"{shard}.jsonl").touch()
        submit["shard"] = shard
        for attempt in "taken-away", "kept":
            machine(submit, home, folder / f"{shard}-{attempt}", attempt == "taken-away")
    assert total(home) == SOLUTIONS


kubernetes(Path(sys.argv[1]).resolve())
htcondor(Path(sys.argv[2]).resolve())
