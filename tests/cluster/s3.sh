# Tests scripts/cluster/array-task.sh with Amazon's client and rclone on a simulated S3 server
# (moto), and with a replacement of Google's client. For .ci/cluster.

s3() {
    need rclone rclone || { lack S3 'needs the package rclone'; return; }
    python s3 awscli 'moto[server]' || { lack S3 'needs Python with venv, and awscli and moto from PyPI'; return; }
    local dir=$work/s3 bin port down missing
    mkdir -p "$work/stores"
    bin=$(dirname "$python")
    port=$((20000 + RANDOM % 10000))
    "$bin/moto_server" --port "$port" >"$dir/server.log" 2>&1 &
    started+=($!)
    printf '[bucket]\ntype = s3\nprovider = Other\nenv_auth = true\nendpoint = http://127.0.0.1:%s\n' "$port" >"$dir/rclone.conf"
    export PATH=$bin:$PATH RCLONE_CONFIG=$dir/rclone.conf AWS_ENDPOINT_URL=http://127.0.0.1:$port
    export AWS_ACCESS_KEY_ID=nobody AWS_SECRET_ACCESS_KEY=nothing AWS_DEFAULT_REGION=us-east-1
    # rclone refuses a list of authorities, which is not needed here.
    unset AWS_CA_BUNDLE
    patiently 60 aws s3 mb s3://queens >"$dir/bucket.log" 2>&1

    # These retry for 31 seconds: a server that does not answer, and a missing bucket.
    task s3://queens/q17 1 AWS_ENDPOINT_URL=http://127.0.0.1:1
    down=$task
    task s3://no-queens/q17 1
    missing=$task
    kept 'S3' 's3://queens/boards of 17'
    kept 'S3 by rclone' bucket:queens/q17
    task=$down
    ended 'S3 that does not answer' 1
    task=$missing
    ended 'a missing bucket' 1

    export BUCKETS=$dir/buckets PATH=$root/tests/cluster:$PATH
    mkdir -p "$BUCKETS/queens"
    kept "Google's store" gs://queens/q17
    task gs://no-queens/q17 1
    ended "a missing bucket of Google's" 1
}
