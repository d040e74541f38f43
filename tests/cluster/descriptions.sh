# Tests scripts/cluster/kubernetes.yaml, htcondor.sub and Containerfile, as far as possible without
# a cluster and without images. For .ci/cluster.

# container_files STAGE DIR: copies the files that a stage takes from the repository to DIR.
container_files() {
    local words
    sed -n "/^FROM .* AS $1$/,/^FROM /s/^COPY //p" scripts/cluster/Containerfile |
        while read -ra words; do cp -r "${words[@]:0:${#words[@]}-1}" "$2"; done
}

descriptions() {
    local dir=$work/descriptions program packages
    python descriptions kubernetes-validate htcondor || {
        lack 'Kubernetes and HTCondor' 'needs kubernetes-validate and htcondor from PyPI'
        return
    }
    "$(dirname "$python")/kubernetes-validate" --strict scripts/cluster/kubernetes.yaml
    "$python" -B tests/cluster/descriptions.py "$dir/pods" "$dir/machines"
    say 'descriptions: pods, and machines that are lost, count N = 16'

    # Run the first stage by hand.
    mkdir "$dir/build"
    container_files build "$dir/build"
    sed -n '/^RUN target=/,/[^\\]$/p' scripts/cluster/Containerfile |
        sed "1s/^RUN //; s|/usr/local/bin/|$dir|" >"$dir/run"
    (cd "$dir/build" && CARGO_TARGET_DIR=target sh -e "$dir/run") >"$dir/build.log" 2>&1 ||
        fail 'descriptions: the first stage of Containerfile fails'
    program=$dir/queencount
    [[ $(ldd "$program" 2>&1) == *static* && $("$program" count 12) == 14200 ]] ||
        fail 'descriptions: expected a static program that counts'
    # COPY --from copies one file that its stage has made.
    ! grep -E '^COPY --from=[^ ]+( [^ ]+){3}' scripts/cluster/Containerfile ||
        fail 'descriptions: COPY takes a file that its stage does not have'
    packages=$(sed -n 's/.*--no-install-recommends \(.*\) && .*/\1/p' scripts/cluster/Containerfile)
    # shellcheck disable=SC2086 # a word for each package
    apt-cache show $packages >"$dir/packages.log"
    say "descriptions: the program of the image is static, and Debian has $packages"
}
