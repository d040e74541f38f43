//! More threads than CPUs do no harm.

use crate::program::{run, text};

#[test]
fn thousands_of_threads_are_capped_with_note() {
    let output = run(
        &[
            "count",
            "14",
            "-t",
            "4096",
            "--engine",
            "backtrack",
            "--format",
            "json",
        ],
        "",
    );
    assert_eq!(output.status.code(), Some(0));
    let counted: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let threads = counted["threads"].as_u64().unwrap();
    assert!((256..=4096).contains(&threads), "{counted}");
    assert_eq!(counted["total"], "365596");
    if threads < 4096 {
        let message =
            format!("queencount: using {threads} threads, because 4096 would be slower\n");
        assert_eq!(text(&output.stderr), message);
        assert_eq!(
            text(&run(&["count", "4", "-t", "4096", "-q"], "").stderr),
            ""
        );
    }
    let fewer = run(&["count", "12", "-t", "200", "--format", "csv"], "");
    assert!(
        text(&fewer.stdout).contains(",200,") && fewer.stderr.is_empty(),
        "{fewer:?}"
    );
}
