# Tests scripts/rehearse, and its pages in Chromium. For .ci/cluster.

rehearsal() {
    rm -rf "$work/rehearsal"
    QUEENCOUNT=$work/bin/queencount-itself scripts/rehearse "$work/rehearsal" || fail 'the rehearsal failed'
}

# page NAME WIDTH SCHEME: shows a page of the rehearsal in a window of this width, in dark or light
# colours. The page is in a frame of another page, whose script inspects it.
page() {
    local dir=$work/pages settings=() said
    [[ $3 == light ]] || settings=(--blink-settings=preferredColorScheme=0)
    {
        printf '<!DOCTYPE html><iframe width="%s" height="4000" srcdoc="' "$2"
        sed 's/&/\&amp;/g; s/"/\&quot;/g' "$work/rehearsal/$1.html"
        printf '"></iframe><pre id="said"></pre><script>const expected = "%s";\n' "$3"
        cat tests/cluster/page.js
        printf '</script>'
    } >"$dir/shown.html"
    timeout 120 chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync \
        --disable-background-networking --disable-component-update --user-data-dir="$dir/profile" "${settings[@]}" \
        --dump-dom "file://$dir/shown.html" >"$dir/dom" 2>"$dir/chromium.log" || fail "pages: Chromium ended with $?"
    said=$(sed -n 's/.*<pre id="said">\(.*\)<\/pre>.*/\1/p' "$dir/dom")
    [[ $said == 'as expected' ]] || fail "pages: $1, $2 points, $3: ${said:-Chromium has not looked at it}"
}

pages() {
    need chromium chromium || { lack 'pages in Chromium' 'needs the package chromium'; return; }
    local name scheme width
    mkdir -p "$work/pages"
    [[ -e $work/rehearsal/status.html ]] || rehearsal
    for name in status status-flawed; do
        for scheme in light dark; do
            for width in 360 1000; do page $name $width $scheme; done
        done
    done
    say 'pages: Chromium shows the status of the rehearsal, wide and narrow, light and dark'
}
