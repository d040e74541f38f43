# Tests scripts/cluster/slurm.sh on a cluster of three nodes: it is interrupted, then a node is
# killed. For .ci/cluster.

slurm_cluster() {
    local dir=$1 host port node
    host=$(hostname -s)
    port=$((20000 + RANDOM % 10000))
    mkdir -p "$dir/state" "$dir"/spool/w{1,2,3}
    head -c 1024 /dev/urandom >"$dir/munge.key"
    chmod 0700 "$dir"
    chmod 0600 "$dir/munge.key"
    munged --foreground --force --key-file="$dir/munge.key" --socket="$dir/munge.socket" \
        --pid-file="$dir/munge.pid" --log-file="$dir/munged.log" --seed-file="$dir/munge.seed" >"$dir/daemons.log" 2>&1 &
    started+=($!)
    cat >"$dir/slurm.conf" <<CONF
ClusterName=toy
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$dir/munge.socket
CredType=cred/munge
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool/%n
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd-%n.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SchedulerType=sched/backfill
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobRequeue=1
ReturnToService=2
SlurmdTimeout=10
MessageTimeout=5
KillWait=2
NodeName=w[1-3] NodeAddr=127.0.0.1 NodeHostname=$host Port=[$((port + 1))-$((port + 3))] CPUs=1 State=UNKNOWN
PartitionName=p Nodes=w[1-3] Default=YES MaxTime=INFINITE State=UP
CONF
    export SLURM_CONF=$dir/slurm.conf
    patiently 10 test -S "$dir/munge.socket"
    slurmctld -D -f "$SLURM_CONF" >>"$dir/daemons.log" 2>&1 &
    started+=($!)
    for node in w1 w2 w3; do
        slurmd -D -f "$SLURM_CONF" -N "$node" >>"$dir/daemons.log" 2>&1 &
        started+=($!)
        declare -g "$node=$!"
    done
    patiently 60 eval '[[ $(sinfo --noheader --states=idle --format=%D 2>/dev/null) == 3 ]]'
}

# Prints the jobs that wait for a restart.
requeued() { squeue --noheader --array --states=PENDING --format='%i %r' | sed -n 's/ BeginTime$//p' | grep .; }

# Sets 'victim' to a process on node w2, and stops it, so that it does not end meanwhile.
stop_on_w2() { victim=$(job SLURMD_NODENAME=w2) && kill -STOP "$victim"; }

parent() { sed -n 's/^PPid:[[:space:]]*//p' "/proc/$1/status"; }

slurm() {
    { need slurmctld slurm-wlm && need munged munge; } || { lack Slurm 'needs slurm-wlm and munge'; return; }
    [[ $EUID == 0 ]] || { lack Slurm 'needs root, to play three nodes'; return; }
    local dir=$work/slurm victim script step daemons
    # Slurm does not accept a backslash in the name of a log.
    local odd=${odd//\\/}
    slurm_cluster "$dir"
    recipe "$dir" slurm.sh 18 12 "$odd" -- "${engine[@]}"
    patiently 300 more_than 6 "$dir/$odd"
    ctrl_c slurm "$dir" SLURM_JOB_ID=
    refusals slurm "$dir" slurm.sh
    recipe "$dir" slurm.sh 18 12 "$odd" -- "${engine[@]}"
    # Node w2 dies: its daemon, the step, the script and its program.
    patiently 60 stop_on_w2
    script=$(parent "$victim")
    step=$(parent "$script")
    daemons=("$w2" "$step" "$script")
    kill -9 "${daemons[@]}" "$victim"
    wait "$w2" 2>/dev/null || true
    say "slurm: killed the daemon, the step and the job of node w2, with $(entries "$dir/$odd") entries on record"
    patiently 120 eval "requeued >$dir/requeued"
    # Slurm restarts a job after two minutes, an administrator immediately.
    xargs -I{} scontrol update JobId={} StartTime=now <"$dir/requeued"
    check "slurm, three nodes, one killed, job $(cat "$dir/requeued") started again" "$dir" 18
    [[ -z $(twice "$dir/$odd") ]] || fail 'slurm: units were counted twice'
    # The default of MaxArraySize is 1001, and the nodes have one CPU.
    refuses 'slurm, too many shards' 1 'sbatch refused the jobs; see docs/long-counts.md about MaxArraySize' \
        env QUEENCOUNT="$work/bin/queencount-itself" scripts/cluster/slurm.sh 24 1001 "$dir/refused"
    refuses 'slurm, too many CPUs' 1 'sbatch refused the jobs' \
        scripts/cluster/slurm.sh 16 12 "$dir/refused2" --cpus-per-task=2
}
