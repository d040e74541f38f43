//! What is wrong with records is reported, and whoever follows the messages gets the right total.

#![cfg(unix)]

use std::fs;
use std::io::Write;

use crate::program::{
    Running, arguments, backtracking, ends, feed, forged, queencount, recorded, shell, text,
};

fn compressed(text: &str) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn damage_is_reported_and_its_units_are_missing() {
    let (folder, record) = recorded();
    let folder = folder.path();
    let mut lines: Vec<String> = record.split_inclusive('\n').map(str::to_owned).collect();
    for damaged in [3, 9] {
        lines[damaged - 1] = lines[damaged - 1].replace("seconds", "SECONDS");
    }
    fs::write(folder.join("lyon/r.jsonl"), lines.concat()).unwrap();
    fs::write(folder.join("lyon/notes.jsonl"), "dear diary\n").unwrap();
    let archive = compressed(&record);
    fs::write(folder.join("lyon/cut.jsonl.gz"), &archive[..20]).unwrap();
    let (code, out, error) = ends(folder, &["merge", "lyon"]);
    assert_eq!((code, out.as_str()), (4, ""));
    for problem in [
        "lyon/r.jsonl line 3: damaged: expected the checksum ",
        "lyon/r.jsonl line 9: damaged: ",
        "lyon/notes.jsonl: not a readable record: it begins with \"dear diary\", not with a plan",
        "lyon/cut.jsonl.gz: damaged: its gzip data is cut off or wrong from line 1 on",
        "incomplete: 2 of 36 units are missing: ",
    ] {
        let line = format!("queencount: {problem}");
        assert_eq!(error.matches(&line).count(), 1, "{problem}: {error}");
    }
    let (_, missing, _) = ends(folder, &["merge", "lyon", "--missing"]);
    let rest = [
        "run",
        "10",
        "-q",
        "--record",
        "lyon/rest.jsonl",
        "--units",
        missing.trim(),
    ];
    assert_eq!(ends(folder, &rest).0, 0);
    // The damage is still reported, and changes nothing.
    for command in ["merge", "status", "publish"] {
        let (code, out, error) = ends(folder, &[command, "lyon"]);
        assert_eq!(code, 0, "{command}: {error}");
        let output = out + &error;
        assert!(
            output.contains("lyon/r.jsonl line 3: damaged"),
            "{command}: {output}"
        );
    }
    // A run leaves a damaged record alone, until somebody deletes the line.
    let resume = ["run", "10", "--record", "lyon/r.jsonl"];
    for line in [3, 8] {
        let (code, _, error) = ends(folder, &resume);
        assert_eq!(code, 3, "{error}");
        let (_, command) = error.split_once("to delete the line: ").expect(&error);
        assert_eq!(command, format!("sed -i.bak {line}d lyon/r.jsonl\n"));
        assert_eq!(shell(folder, command).0, 0);
    }
    assert_eq!(ends(folder, &resume).1, "724\n");
}

#[test]
fn run_says_what_to_do_with_another_file() {
    let (folder, record) = recorded();
    let folder = folder.path();
    fs::write(folder.join("notes"), "dear diary\n").unwrap();
    let line = record.lines().next().unwrap();
    fs::write(folder.join("beginning"), &line[..line.len() - 30]).unwrap();
    fs::write(
        folder.join("new"),
        line.replace("\"version\":1", "\"version\":2"),
    )
    .unwrap();
    for (file, reason) in [
        ("lyon/r.jsonl", " line 1: another plan: N is 10, not 12"),
        (
            "notes",
            ": not a readable record: it begins with \"dear diary\", not with a plan",
        ),
        (
            "beginning",
            ": not a readable record: it is the beginning of another record",
        ),
        (
            "new",
            " line 1: not a readable record: expected version 1 of the format, found version 2",
        ),
    ] {
        let before = fs::read(folder.join(file)).unwrap();
        let error = format!("queencount: {file}{reason}; choose another file with --record\n");
        let run = ["run", "12", "--record", file];
        assert_eq!(ends(folder, &run), (3, String::new(), error));
        assert_eq!(fs::read(folder.join(file)).unwrap(), before);
    }
    for name in ["/dev/null", "lyon", "new.jsonl.gz", "nowhere/r"] {
        assert_eq!(
            ends(folder, &["run", "10", "--record", name]).0,
            2,
            "{name}"
        );
    }
}

#[test]
fn stray_file_of_another_plan_is_a_usage_error() {
    let (folder, _) = recorded();
    let folder = folder.path();
    let stray = [
        "run",
        "12",
        "-q",
        "--units",
        "3",
        "--record",
        "lyon/a.jsonl",
    ];
    assert_eq!(ends(folder, &stray).0, 0);
    for command in ["merge", "status", "audit", "publish"] {
        let (code, out, error) = ends(folder, &[command, "lyon"]);
        assert_eq!((code, out.as_str()), (2, ""), "{command}");
        for (n, name) in [(12, "a"), (10, "r")] {
            let found = format!("1 file (lyon/{name}.jsonl) of N = {n}, backtrack (plan ");
            assert!(error.contains(&found), "{error}");
        }
        assert!(
            error.contains("choose one with --n and --engine"),
            "{error}"
        );
        let (code, _, error) = ends(folder, &[command, "lyon", "--n", "10"]);
        let note = "queencount: ignored: 1 file of another plan, such as lyon/a.jsonl\n";
        assert!(code == 0 && error.contains(note), "{command}: {error}");
    }
    assert_eq!(ends(folder, &["merge", "lyon", "--n", "13"]).0, 2);
}

#[test]
fn names_and_order_of_records_change_nothing() {
    let (folder, record) = recorded();
    let folder = folder.path();
    let half: String = record.split_inclusive('\n').take(15).collect();
    fs::write(folder.join("lyon/r.jsonl"), half).unwrap();
    fs::create_dir(folder.join("kyoto")).unwrap();
    fs::write(folder.join("kyoto/1.jsonl"), forged(&record, 20, 2)).unwrap();
    fs::write(folder.join("kyoto/2.jsonl"), &record).unwrap();
    std::os::unix::fs::symlink("lyon", folder.join("link")).unwrap();
    std::os::unix::fs::symlink("../lyon/r.jsonl", folder.join("kyoto/0.jsonl")).unwrap();
    // Notes may name other files.
    let mut expected = None;
    for paths in [
        "lyon kyoto",
        "kyoto lyon",
        "./kyoto/ ./lyon/ kyoto",
        "kyoto/* lyon/*",
        "link kyoto lyon",
        ".",
    ] {
        let script = format!(
            "queencount merge -q {paths}; queencount publish -q {paths}
            queencount audit -q {paths} --sample 1 --seed 7
            queencount status -q {paths} --format json | grep -o 'units_counted.*missing'"
        );
        let (code, out, error) = shell(folder, &script);
        // The messages end with the given paths.
        let (problem, _) = error.split_once("; to find wrong lines").expect(&error);
        let (first, _) = out.split_once('\n').expect("several lines");
        assert!(first.starts_with("kyoto/1.jsonl line 21: unit "), "{out}");
        assert!(out.ends_with("\nunits_counted\":35,\"missing\n"), "{out}");
        let found = (code, out.clone(), problem.to_owned());
        assert_eq!(expected.get_or_insert(found.clone()), &found, "{paths}");
    }
}

/// One site alone cannot make a second count, and no line of another site changes its record.
#[test]
fn two_counts_are_compared_by_their_hashes() {
    let last = if crate::common::long() { 18 } else { 16 };
    for n in 14..=last {
        let folder = tempfile::tempdir().unwrap();
        let script = format!(
            "set -e
            mkdir lyon kyoto
            for i in 1 2; do queencount run {n} -q --shard $i/2 --record lyon/$i.jsonl -t 2; done
            queencount run {n} -q --record kyoto/all.jsonl -t 1 >&2
            queencount publish lyon | cksum
            queencount publish kyoto | cksum
            cp -r lyon kyoto/copy
            queencount publish kyoto | cksum
            queencount merge kyoto lyon
            queencount status lyon kyoto"
        );
        let (code, out, error) = shell(folder.path(), &script);
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!(code, 0, "N = {n}: {error}");
        assert!(
            lines[0] == lines[1] && lines[1] == lines[2],
            "N = {n}: {out}"
        );
        assert_eq!(lines[3], crate::common::published(n).to_string());
        // A copy changes only the note.
        assert!(
            out.contains(" are also in ") && out.contains(": a copy is no second count"),
            "{out}"
        );
    }
}

/// Whoever follows the messages deletes the wrong lines, whatever the names of the files.
#[test]
fn following_messages_leads_to_right_total() {
    let (folder, record) = recorded();
    let folder = folder.path();
    let names = ["it's \"two\".jsonl", "-a b;c.jsonl.gz"];
    fs::create_dir(folder.join("kyoto x")).unwrap();
    let first = forged(&record, 7, 2);
    fs::write(folder.join("kyoto x").join(names[0]), forged(&first, 9, 2)).unwrap();
    fs::write(folder.join("kyoto x").join(names[1]), compressed(&first)).unwrap();
    let (code, out, error) = ends(folder, &["merge", "lyon", "kyoto x"]);
    assert_eq!((code, out.as_str()), (3, ""));
    assert_eq!(
        error.matches("lines disagree on unit ").count(),
        2,
        "{error}"
    );
    let (_, audit) = error.split_once("to find wrong lines: ").expect(&error);
    let (code, out, error) = shell(folder, audit);
    assert_eq!(code, 3, "{error}");
    assert!(
        error.ends_with("queencount: the audit found 3 wrong lines\n"),
        "{error}"
    );
    let places = format!(
        "kyoto x/{} line 8, kyoto x/{} line 8: unit ",
        names[1], names[0]
    );
    assert_eq!(out.matches(&places).count(), 1, "{out}");
    let (_, commands) = out.split_once("To delete the wrong lines:\n").expect(&out);
    let commands: Vec<&str> = commands.lines().take(2).collect();
    assert_eq!(shell(folder, &commands.join("\n")).0, 0, "{commands:?}");
    assert_eq!(
        fs::read_to_string(folder.join("lyon/r.jsonl")).unwrap(),
        record
    );
    // 'sed' has kept the old file under a name that is not read.
    let note = format!(
        "queencount: ignored: 1 file not named *.jsonl or *.jsonl.gz, such as kyoto x/{}.bak\n",
        names[0]
    );
    let merge = ["merge", "lyon", "kyoto x"];
    assert_eq!(ends(folder, &merge), (0, "724\n".to_owned(), note));
    let (_, _, error) = ends(folder, &["merge", "kyoto x"]);
    assert!(
        error.contains("incomplete: 1 of 36 units is missing: "),
        "{error}"
    );
}

#[test]
fn devices_are_rejected_and_pipes_are_read() {
    let (folder, _) = recorded();
    let folder = folder.path();
    let error = "queencount: /dev/zero: not a readable record: it is neither a file nor a pipe\n";
    assert_eq!(
        ends(folder, &["merge", "/dev/zero"]),
        (3, String::new(), error.to_owned())
    );
    let script = "cat lyon/r.jsonl | queencount merge -
        queencount merge <(head -n 20 lyon/r.jsonl) <(gzip -c lyon/r.jsonl)
        mkfifo pipe; cat lyon/r.jsonl >pipe & queencount merge pipe";
    assert_eq!(shell(folder, script), (0, "724\n".repeat(3), String::new()));
    // An unreadable stdin is not damage, and a missing file is a mistake.
    for command in ["merge", "audit", "publish", "status"] {
        let (code, _, error) = shell(folder, &format!("queencount {command} - </"));
        let directory = "queencount: stdin: expected a file, found a directory\n";
        assert_eq!((code, error.as_str()), (2, directory));
        let error = "queencount: nowhere: no such file or directory\n";
        assert_eq!(
            ends(folder, &[command, "nowhere"]),
            (2, String::new(), error.to_owned())
        );
    }
}

/// Only the first bytes of a pipe without a record are read.
#[test]
fn stdin_without_record_is_rejected_early() {
    use std::process::Stdio;
    let mut child = Running::piped(queencount(&["merge", "-"]).stdin(Stdio::piped()));
    // The pipe stays open, and its content has no newline.
    let mut pipe = child.stdin.take().unwrap();
    pipe.write_all(b"dear diary").unwrap();
    let output = child.finish();
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stderr).contains("not a readable record: it begins with"));
    drop(pipe);
}

#[test]
fn units_are_read_from_option_file_or_stdin() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // Lists of units may have a byte order mark, several lines, surrounding spaces and CRLF line
    // endings.
    fs::write(folder.join("some"), "\u{feff}3,17\r\n 20-22 \n\n").unwrap();
    let long = "17, 3\n".repeat(200_000) + &"3,".repeat(100_000) + "20-22";
    fs::write(folder.join("long"), &long).unwrap();
    for (index, (units, input)) in [
        ("3,17,20-22", ""),
        ("@some", ""),
        ("@long", ""),
        ("-", &long),
    ]
    .into_iter()
    .enumerate()
    {
        let mut run = backtracking(&[
            "run",
            "10",
            "--format",
            "json",
            "--units",
            units,
            "--record",
            &index.to_string(),
        ]);
        let output = feed(run.current_dir(folder), input);
        let json = text(&output.stdout);
        assert!(
            json.contains("\"missing\":\"0-2,4-16,18-19,23-35\","),
            "{units}: {output:?}"
        );
    }
    for (units, code, expected) in [
        ("", 0, "no units in this part of the count: nothing to do\n"),
        (
            "0-36",
            2,
            "--units: expected units below 36, the number of units of N = 10, found 36\n",
        ),
        (
            "@wrong",
            2,
            "--units: wrong line 1: expected units or increasing ranges, such as 3,17,40-44, found \"seven\"\n",
        ),
        (
            "@nowhere",
            2,
            "nowhere: no such file; choose another file with --units\n",
        ),
    ] {
        fs::write(folder.join("wrong"), "3,seven\n").unwrap();
        let (found, out, error) = ends(folder, &["run", "10", "--record", "r", "--units", units]);
        assert_eq!((found, out.as_str()), (code, ""), "{units}");
        assert!(
            error.starts_with(&format!("queencount: {expected}")),
            "{units}: {error}"
        );
        assert_eq!(folder.join("r").exists(), code == 0, "{units}");
        let _ = fs::remove_file(folder.join("r"));
    }
}

/// Neither a record nor an input is overwritten, even through a link or if it is compressed.
#[test]
fn outputs_never_replace_records_or_inputs() {
    use std::os::unix::fs::symlink;
    let (folder, record) = recorded();
    let folder = folder.path();
    fs::write(folder.join("a.jsonl"), &record).unwrap();
    fs::write(folder.join("board.txt"), "8\n").unwrap();
    symlink("a.jsonl", folder.join("link")).unwrap();
    symlink("board.txt", folder.join("board-link")).unwrap();
    fs::write(folder.join("lyon/empty.jsonl"), "").unwrap();
    fs::write(folder.join("empty"), "").unwrap();
    fs::write(folder.join("compressed"), compressed(&record)).unwrap();
    fs::create_dir(folder.join("man")).unwrap();
    symlink("../a.jsonl", folder.join("man/queencount.1")).unwrap();
    let files = [
        "a.jsonl",
        "board.txt",
        "compressed",
        "lyon/empty.jsonl",
        "empty",
    ];
    let before = files.map(|file| fs::read(folder.join(file)).unwrap());
    for (words, stdin) in [
        ("status --html a.jsonl lyon", "/dev/null"),
        ("status --html lyon/empty.jsonl lyon", "/dev/null"),
        ("status --html compressed lyon", "/dev/null"),
        ("draw 8 --svg link", "/dev/null"),
        ("draw 8 --svg compressed", "/dev/null"),
        ("checker --input board.txt --output board-link", "/dev/null"),
        ("man --to man", "/dev/null"),
        ("checker --input - --output board.txt", "board.txt"),
        ("run 8 --units - --record empty", "empty"),
        ("status lyon - --html empty", "empty"),
    ] {
        let mut command = queencount(&arguments(words));
        let stdin = fs::File::open(folder.join(stdin)).unwrap();
        let output = command.current_dir(folder).stdin(stdin).output().unwrap();
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words}: {error}");
        assert!(
            error.contains(": expected a different file, found "),
            "{words}: {error}"
        );
        let after = files.map(|file| fs::read(folder.join(file)).unwrap());
        assert!(after == before, "{words}");
    }
}
