"""Plays Kubernetes and HTCondor with the job descriptions of scripts/cluster, for .ci/cluster.

Each job is run as its description says, with a small board and few shards: descriptions.py PODS MACHINES, two folders.
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
    records = sorted(Path(folder).glob("*.jsonl"))
    return subprocess.run([PROGRAM, "merge", "--n", BOARD, *records], stdout=subprocess.PIPE, text=True).stdout.strip()


def kubernetes(folder):
    folder.mkdir(parents=True)
    job = yaml.safe_load((HERE / "kubernetes.yaml").read_text())["spec"]
    container = job["template"]["spec"]["containers"][0]
    script, n, shards, store, *options = container["command"]
    assert job["completionMode"] == "Indexed" and job["completions"] == int(shards), "a pod for each shard"
    assert int(n) == 24 and store.startswith("s3://"), (n, store)
    assert options == ["--threads", container["resources"]["requests"]["cpu"]], "a thread for each CPU"
    # Those that help says nobody should try again.
    assert job["podFailurePolicy"]["rules"][0]["onExitCodes"] == {"operator": "In", "values": [2, 3]}
    for index in range(SHARDS):
        command = [HERE / script, BOARD, str(SHARDS), str(folder), *options, "--quiet"]
        subprocess.run(command, check=True, env={**os.environ, "JOB_COMPLETION_INDEX": str(index)})
    assert total(folder) == SOLUTIONS


def machine(submit, home, folder, taken_away):
    """One machine that runs a job: what goes there, what runs, what comes back."""
    folder.mkdir()
    shutil.copy(home / submit.expand("transfer_input_files"), folder)
    process = subprocess.Popen([PROGRAM, *submit.expand("arguments").split()], cwd=folder, stderr=subprocess.DEVNULL)
    if taken_away:
        time.sleep(0.2)
        process.send_signal(signal.Signals[submit["kill_sig"]])
    code = process.wait()
    # It may have been faster than the signal, or the signal faster than the program.
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
