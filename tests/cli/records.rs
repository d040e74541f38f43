//! What is wrong with records is reported, and whoever follows the messages gets the right total.

use std::fs;
use std::io::Write;
use std::path::Path;

use tempfile::TempDir;

use crate::common::child;
use crate::long_runs::{ends, forged, program};
use crate::program::{queencount, run, text};

/// Creates a folder with a complete record `lyon/r.jsonl` of N = 10. Returns its text as well.
pub(crate) fn recorded() -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("lyon")).unwrap();
    let run = ["run", "10", "-q", "--record", "lyon/r.jsonl"];
    assert_eq!(ends(folder.path(), &run).0, 0);
    let record = fs::read_to_string(folder.path().join("lyon/r.jsonl")).unwrap();
    (folder, record)
}

pub(crate) fn compressed(text: &str) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

/// Runs shell commands with the program on the path.
#[cfg(unix)]
pub(crate) fn shell(folder: &Path, script: &str) -> (i32, String, String) {
    let mut shell = child::command("bash");
    shell.args(["-c", script]).current_dir(folder);
    shell.env("PATH", crate::program::search_path());
    let output = child::finish(&mut shell).unwrap();
    let code = output.status.code().expect("no signal ends it");
    (code, text(&output.stdout), text(&output.stderr))
}

fn unit(record: &str, line: usize) -> String {
    let entry: serde_json::Value =
        serde_json::from_str(record.lines().nth(line - 1).unwrap()).unwrap();
    entry["first"].to_string()
}

#[test]
fn damaged_lines_are_reported_and_their_units_missing() {
    let (folder, record) = recorded();
    let folder = folder.path();
    let mut lines: Vec<String> = record.lines().map(|line| line.to_owned() + "\n").collect();
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
        "lyon/r.jsonl line 3: damaged: the checksum of its contents is ",
        "lyon/r.jsonl line 9: damaged: ",
        "lyon/notes.jsonl: not a record: its first line does not contain a plan",
        "lyon/cut.jsonl.gz: not a record: the gzip data after line 0 is damaged",
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
        "--units",
        missing.trim(),
        "--record",
        "lyon/rest.jsonl",
    ];
    assert_eq!(ends(folder, &rest).0, 0);
    // The damage is still reported, and changes nothing.
    for words in [
        &["merge", "lyon"][..],
        &["status", "lyon"],
        &["publish", "lyon"],
    ] {
        let (code, out, error) = ends(folder, words);
        assert_eq!(code, 0, "{words:?}: {error}");
        assert!(
            (out + &error).contains("lyon/r.jsonl line 3: damaged"),
            "{words:?}: {error}"
        );
    }
    assert_eq!(ends(folder, &["merge", "lyon"]).1, "724\n");
    // A run leaves a damaged record alone, until somebody deletes the line.
    #[cfg(unix)]
    {
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
}

#[test]
fn run_says_what_to_do_with_another_file() {
    let (folder, record) = recorded();
    let folder = folder.path();
    fs::write(folder.join("notes"), "dear diary\n").unwrap();
    let line = record.lines().next().unwrap();
    fs::write(folder.join("beginning"), &line[..line.len() - 30]).unwrap();
    for (n, file, reason) in [
        (
            "12",
            "lyon/r.jsonl",
            " line 1: another plan: N is 10, not 12",
        ),
        (
            "12",
            "notes",
            ": not a record: its first line does not contain a plan",
        ),
        (
            "12",
            "beginning",
            ": not a record: it is the beginning of another record",
        ),
    ] {
        let before = fs::read(folder.join(file)).unwrap();
        let (code, out, error) = ends(folder, &["run", n, "--record", file]);
        assert_eq!((code, out.as_str()), (3, ""));
        let advice = "delete it, or choose another name";
        assert_eq!(error, format!("queencount: {file}{reason}; {advice}\n"));
        assert_eq!(fs::read(folder.join(file)).unwrap(), before);
    }
}

#[test]
fn stray_file_of_another_plan_is_a_usage_error() {
    let (folder, _) = recorded();
    let folder = folder.path();
    let stray = ["run", "12", "-q", "--record", "lyon/a.jsonl"];
    assert_eq!(ends(folder, &stray).0, 0);
    for command in ["merge", "status", "audit", "publish"] {
        let (code, out, error) = ends(folder, &[command, "lyon"]);
        assert_eq!((code, out.as_str()), (2, ""), "{command}");
        for plan in [
            "1 file of N = 12, backtrack (plan ",
            "1 file of N = 10, backtrack (plan ",
        ] {
            assert!(error.contains(plan), "{command}: {error}");
        }
        assert!(
            error.contains("choose one with --n and --engine"),
            "{error}"
        );
        let (code, _, error) = ends(folder, &[command, "lyon", "--n", "10"]);
        assert_eq!(code, 0, "{command}: {error}");
        assert!(
            error.contains("queencount: ignored: 1 file of another plan\n"),
            "{error}"
        );
    }
    let (code, _, error) = ends(folder, &["merge", "lyon", "--n", "13"]);
    assert!(
        code == 2 && error.contains("expected records of N = 13, found 1 file of "),
        "{error}"
    );
}

#[cfg(unix)]
#[test]
fn names_and_order_of_records_change_nothing() {
    let (folder, record) = recorded();
    let folder = folder.path();
    let half = record.split_inclusive('\n').take(15).collect::<String>();
    fs::write(folder.join("lyon/r.jsonl"), half).unwrap();
    fs::create_dir(folder.join("kyoto")).unwrap();
    fs::write(folder.join("kyoto/1.jsonl"), forged(&record, 20, 2)).unwrap();
    fs::write(folder.join("kyoto/2.jsonl"), &record).unwrap();
    std::os::unix::fs::symlink("lyon", folder.join("link")).unwrap();
    std::os::unix::fs::symlink("../lyon/r.jsonl", folder.join("kyoto/0.jsonl")).unwrap();
    let expected = "units_counted\":35,\"lines\":86,";
    for paths in [
        "lyon kyoto",
        "kyoto lyon",
        "./kyoto/ ./lyon/ kyoto",
        "kyoto/* lyon/*",
        "link kyoto lyon",
        ".",
    ] {
        let script =
            format!("queencount merge {paths}; queencount audit {paths} --sample 1 --seed 7");
        let (code, out, error) = shell(folder, &script);
        assert_eq!(code, 3, "{paths}: {error}");
        let wrong = format!("kyoto/1.jsonl line 21: units {}: ", unit(&record, 21));
        assert!(out.starts_with(&wrong), "{paths}: {out}");
        assert!(
            error.contains("kyoto/1.jsonl line 21 has "),
            "{paths}: {error}"
        );
        let status = format!("queencount status {paths} --format json");
        let (_, out, _) = shell(folder, &status);
        assert!(
            out.contains("\"units_counted\":35,"),
            "{paths}: {out}, {expected}"
        );
    }
}

/// One site alone cannot make a second count, and no line of another site changes its record.
#[cfg(unix)]
#[test]
fn two_counts_are_compared_by_their_hashes() {
    for n in 14..=18 {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let script = format!(
            "set -e
            mkdir lyon kyoto
            for i in 1 2; do queencount run {n} -q --shard $i/2 --record lyon/$i.jsonl -t 2; done
            queencount run {n} -q --record kyoto/all.jsonl -t 1 >&2
            queencount publish lyon | cksum
            queencount publish kyoto | cksum
            cp -r lyon kyoto/copy
            queencount publish kyoto | cksum
            queencount merge kyoto lyon"
        );
        let (code, out, error) = shell(folder, &script);
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!((code, lines.len()), (0, 4), "N = {n}: {error}");
        assert!(
            lines[0] == lines[1] && lines[1] == lines[2],
            "N = {n}: {out}"
        );
        assert_eq!(lines[3], crate::common::published(n).to_string());
        // A copy changes only the note.
        let (code, out, _) = shell(folder, "queencount status lyon kyoto");
        assert_eq!(code, 0);
        assert!(
            out.contains(" are also in ") && out.contains(": a copy is no second count"),
            "{out}"
        );
        if n > 15 && !crate::common::long() {
            break;
        }
    }
}

/// A total without its evidence: whoever follows the messages deletes the wrong line, and counts
/// again.
#[cfg(unix)]
#[test]
fn following_messages_leads_to_right_total() {
    let (folder, record) = recorded();
    let folder = folder.path();
    // A second folder has two wrong lines, in a plain and in a compressed file.
    let names = ["it's \"two\".jsonl", "-a b;c.jsonl.gz"];
    fs::create_dir(folder.join("kyoto x")).unwrap();
    let first = forged(&record, 7, 2);
    fs::write(folder.join("kyoto x").join(names[0]), forged(&first, 9, 2)).unwrap();
    fs::write(folder.join("kyoto x").join(names[1]), compressed(&first)).unwrap();
    let before = fs::read(folder.join("lyon/r.jsonl")).unwrap();
    let (code, out, error) = ends(folder, &["merge", "lyon", "kyoto x"]);
    assert_eq!((code, out.as_str()), (3, ""));
    assert_eq!(
        error.matches("lines disagree on units ").count(),
        2,
        "{error}"
    );
    let (_, audit) = error
        .trim_end()
        .rsplit_once("to find wrong lines: ")
        .expect(&error);
    let (code, out, error) = shell(folder, audit);
    assert_eq!(code, 3, "{error}");
    assert!(
        error.ends_with("queencount: the audit found 3 wrong lines\n"),
        "{error}"
    );
    let places = format!(
        "kyoto x/{} line 8, kyoto x/{} line 8: units ",
        names[1], names[0]
    );
    assert_eq!(out.matches(&places).count(), 1, "{out}");
    let (_, commands) = out.split_once("To delete the wrong lines:\n").expect(&out);
    let commands: Vec<&str> = commands.lines().take(2).collect();
    assert_eq!(shell(folder, &commands.join("\n")).0, 0, "{commands:?}");
    assert_eq!(fs::read(folder.join("lyon/r.jsonl")).unwrap(), before);
    let merge = ["merge", "lyon", "kyoto x"];
    // 'sed' has kept the old file under a name that is not read.
    let note = format!(
        "queencount: ignored: 1 file not named *.jsonl or *.jsonl.gz, such as kyoto x/{}.bak\n",
        names[0]
    );
    assert_eq!(ends(folder, &merge), (0, "724\n".to_owned(), note));
    let (code, _, error) = ends(folder, &["merge", "kyoto x"]);
    let units = [8, 10].map(|line| unit(&record, line));
    assert!(
        code == 4 && error.contains("incomplete: 1 of 36 units is missing: "),
        "{units:?} {error}"
    );
    assert_eq!(
        ends(folder, &["merge", "kyoto x", "--shards", "36"])
            .1
            .lines()
            .count(),
        1
    );
}

#[test]
fn lie_of_single_count_is_found_by_total() {
    let (folder, record) = recorded();
    let folder = folder.path();
    fs::write(folder.join("lyon/r.jsonl"), forged(&record, 7, 2)).unwrap();
    for command in ["merge", "publish", "status"] {
        let (code, out, error) = ends(folder, &[command, "lyon"]);
        assert_eq!(code, 3, "{command}");
        assert!(
            !out.contains("726\n") || command == "status",
            "{command}: {out}"
        );
        let reason = "the counts sum to 726, but the published value for N = 10 is 724";
        assert!(error.contains(reason), "{command}: {error}");
        assert!(
            error.contains("to find wrong lines: queencount audit lyon\n"),
            "{error}"
        );
    }
}

#[cfg(unix)]
#[test]
fn device_files_are_rejected_and_pipes_are_read() {
    let (folder, record) = recorded();
    let folder = folder.path();
    let (code, out, error) = ends(folder, &["merge", "/dev/zero"]);
    assert_eq!((code, out.as_str()), (3, ""));
    assert_eq!(
        error,
        "queencount: /dev/zero: not a record: it is neither a file nor a pipe\n"
    );
    nix::unistd::mkfifo(&folder.join("fifo"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    let writer = {
        let fifo = folder.join("fifo");
        std::thread::spawn(move || fs::write(fifo, record).unwrap())
    };
    assert_eq!(
        ends(folder, &["merge", "fifo"]),
        (0, "724\n".to_owned(), String::new())
    );
    writer.join().unwrap();
    let script = "cat lyon/r.jsonl | queencount merge -
        queencount merge <(head -n 20 lyon/r.jsonl) <(gzip -c lyon/r.jsonl)";
    assert_eq!(shell(folder, script), (0, "724\n".repeat(2), String::new()));
    // An unreadable stdin is not damage.
    for command in ["merge", "audit", "publish", "status"] {
        let mut command = program(&[command, "-"]);
        let stdin = fs::File::open("/").unwrap();
        let output = command.current_dir(folder).stdin(stdin).output().unwrap();
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(
            error.starts_with("queencount: stdin: cannot be read"),
            "{error}"
        );
    }
}

/// Only the first bytes of a pipe without a record are read.
#[cfg(unix)]
#[test]
fn stdin_without_record_is_rejected_early() {
    use std::process::Stdio;
    let mut command = program(&["merge", "-"]);
    let command = command.stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.stdout(Stdio::null()).spawn().unwrap();
    // The pipe stays open, and its content has no newline.
    let mut pipe = child.stdin.take().unwrap();
    pipe.write_all(b"dear diary").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stderr).contains("not a record: its first line"));
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
    for (units, input) in [
        ("3,17,20-22", ""),
        ("@some", ""),
        ("@long", ""),
        ("-", &long),
        ("-", "3,17\n20-22"),
    ] {
        let record = folder.join("r");
        let mut words = vec!["run", "10", "--engine", "backtrack", "--format", "json"];
        words.extend(["--record", record.to_str().unwrap(), "--units", units]);
        let output = match units.strip_prefix('@') {
            Some(_) => queencount(&words).current_dir(folder).output().unwrap(),
            None => run(&words, input),
        };
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{units}: {error}");
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(json["missing"], "0-2,4-16,18-19,23-35", "{units}");
        fs::remove_file(record).unwrap();
    }
    // An empty list means that there is nothing to do.
    let (code, out, error) = ends(folder, &["run", "10", "--record", "r", "--units", ""]);
    assert_eq!((code, out.as_str()), (0, ""));
    assert!(
        error.starts_with("queencount: no units requested: nothing to do\n"),
        "{error}"
    );
    fs::write(folder.join("some"), "3,seven\n").unwrap();
    let (code, _, error) = ends(folder, &["run", "10", "--record", "r", "--units", "@some"]);
    let expected = "queencount: some: expected units such as 3,17,40-44, found \"seven\"\n";
    assert_eq!((code, error.as_str()), (2, expected));
    assert_eq!(
        ends(
            folder,
            &["run", "10", "--record", "r", "--units", "@nowhere"]
        )
        .0,
        2
    );
}

/// Neither a record nor an input is overwritten, even through a link or if it is compressed.
#[cfg(unix)]
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
    let contents = || files.map(|file| fs::read(folder.join(file)).unwrap());
    let before = contents();
    for (words, stdin) in [
        ("status --html a.jsonl lyon", "/dev/null"),
        ("status --html link a.jsonl", "/dev/null"),
        ("status --html lyon/empty.jsonl lyon", "/dev/null"),
        ("status --html compressed lyon", "/dev/null"),
        ("draw 8 --svg a.jsonl", "/dev/null"),
        ("draw 8 --svg link", "/dev/null"),
        ("draw 8 --svg compressed", "/dev/null"),
        ("checker --input board.txt --output link", "/dev/null"),
        ("checker --input board.txt --output board-link", "/dev/null"),
        ("man --to man", "/dev/null"),
        ("run 8 --units @empty --record empty", "/dev/null"),
        ("checker --input - --output board.txt", "board.txt"),
        ("run 8 --units - --record empty", "empty"),
        ("status lyon - --html empty", "empty"),
    ] {
        let mut command = queencount(&Vec::from_iter(words.split(' ')));
        let stdin = fs::File::open(folder.join(stdin)).unwrap();
        let output = command.current_dir(folder).stdin(stdin).output().unwrap();
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words}: {error}");
        assert!(
            error.contains("expected a different file for '--"),
            "{words}: {error}"
        );
        assert!(contents() == before, "{words}");
    }
    assert_eq!(
        ends(folder, &["run", "10", "--record", "new.jsonl.gz"]).0,
        2
    );
}

#[cfg(unix)]
#[test]
fn run_fails_if_its_record_is_deleted() {
    use crate::program::{Running, wait_until};
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("r");
    let mut command = program(&["run", "16", "-q", "-t", "1", "--record", "r"]);
    let run = Running::piped(command.current_dir(folder.path()));
    wait_until("an entry", || {
        fs::read_to_string(&record).is_ok_and(|text| text.lines().count() > 2)
    });
    fs::remove_file(&record).unwrap();
    let output = run.finish();
    assert_eq!(output.status.code(), Some(1));
    let error = text(&output.stderr);
    let expected = "queencount: r: it was deleted, replaced or changed while this process ";
    assert!(
        error.starts_with(expected) && error.lines().count() == 1,
        "{error}"
    );
}
