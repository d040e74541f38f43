//! Records from pipes are refused early, and a published record is summed without the program.

use std::io::Write;
use std::process::Stdio;

use crate::program::{Running, queencount, shell, text};

/// Only the first bytes of a pipe without a record are read.
#[test]
fn stdin_without_record_is_rejected_early() {
    let mut child = Running::piped(queencount(&["merge", "-"]).stdin(Stdio::piped()));
    // The pipe stays open, and its content has no newline.
    let mut pipe = child.stdin.take().unwrap();
    pipe.write_all(b"dear diary").unwrap();
    let output = child.finish();
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stderr).contains("not a readable record: it begins with"));
    drop(pipe);
}

/// Runs the shell commands of docs/record.md that sum a published record.
#[test]
fn published_record_is_summed_without_program() {
    let folder = tempfile::tempdir().unwrap();
    let tools = "command -v jq && command -v python3 && command -v zcat";
    if shell(folder.path(), tools).0 != 0 {
        assert!(
            !crate::common::long(),
            "expected jq, python3 and zcat, found not all of them"
        );
        return eprintln!("skipped: jq, python3 and zcat are not all here");
    }
    let (_, commands) = include_str!("../../docs/record.md")
        .split_once("zcat q22.jsonl.gz | jq")
        .expect("the commands");
    let (commands, _) = commands.split_once("```").expect("the end of the block");
    let published = "queencount run 12 -q --record r >&2; queencount publish r";
    // The commands support numbers of any length.
    let long = r#"echo '{"n":27} {"count":"234907967154122520"} {"count":"8"}'"#;
    for (record, total) in [(published, "14200\n"), (long, "234907967154122528\n")] {
        let (code, out, error) = shell(folder.path(), &format!("({record}) | jq{commands}"));
        assert_eq!((code, out.as_str()), (0, total), "{error}");
    }
}
