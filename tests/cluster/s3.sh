# Tests scripts/cluster/array-task.sh with rclone on a simulated S3 server (moto). For .ci/cluster.

s3() {
    need rclone rclone || { lack S3 'needs the package rclone'; return; }
    python s3 'moto[server]' || { lack S3 'needs Python with venv, and moto from PyPI'; return; }
    local dir=$work/s3 port down
    mkdir -p "$work/stores"
    port=$((20000 + RANDOM % 10000))
    "$(dirname "$python")/moto_server" --port "$port" >"$dir/server.log" 2>&1 &
    started+=($!)
    # rclone refuses a list of authorities, which is not needed here.
    unset AWS_CA_BUNDLE
    export RCLONE_CONFIG=$dir/none RCLONE_CONFIG_S3_TYPE=s3 RCLONE_CONFIG_S3_PROVIDER=Other
    export RCLONE_CONFIG_S3_ENDPOINT=http://127.0.0.1:$port RCLONE_CONFIG_S3_ACCESS_KEY_ID=nobody
    export RCLONE_CONFIG_S3_SECRET_ACCESS_KEY=nothing RCLONE_RETRIES=1 RCLONE_LOW_LEVEL_RETRIES=1
    patiently 60 rclone mkdir s3:queens
    # This retries for 31 seconds.
    task s3:queens/q17 1 RCLONE_CONFIG_S3_ENDPOINT=http://127.0.0.1:1
    down=$task
    kept 'S3' 's3:queens/boards of 17'
    task=$down
    ended 'S3 that does not answer' 1
}
