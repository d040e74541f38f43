//! Users can check the program on their own machine or in their CI.

use crate::program::{arguments, stdout};

/// The checks that run on every machine, in order. The checks of kernels are added to them.
const CHECKS: [&str; 4] = ["backtrack", "parts", "sums", "fingerprint"];

#[test]
fn self_test_reports_every_check_as_json() {
    // GPUs have their own checks.
    let line = "self-test --seed 1 --format json -q --device cpu";
    let lines: Vec<serde_json::Value> = stdout(&arguments(line), "")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let mut made = Vec::new();
    for line in &lines {
        let (check, verdict) = (
            line["check"].as_str().unwrap(),
            line["verdict"].as_str().unwrap(),
        );
        match check.strip_prefix("rows, ") {
            // A kernel is skipped only if this CPU does not support it.
            Some(kernel) => {
                let available = queencount::Kernel::available()
                    .iter()
                    .any(|one| one.name() == kernel);
                assert_eq!(verdict, if available { "ok" } else { "skipped" }, "{line}");
            }
            None => {
                assert_eq!(verdict, "ok", "{line}");
                made.push(check);
            }
        }
        assert_eq!(
            (line["seed"].as_u64(), line["seconds"].is_f64()),
            (Some(1), true),
            "{line}"
        );
    }
    assert_eq!(made, CHECKS);
    assert_eq!(
        lines.len() - made.len(),
        queencount::Kernel::names().count()
    );
}
