//! Claims about tasks give the same sum in any order and from any file, and if two of them disagree
//! there is no total.

use std::fs;
use std::io::Write;
use std::path::Path;

use queencount::record::Plan;
use queencount::{BoardSize, EngineChoice};

use crate::program::{ends, forged, queencount, text};

/// On such a small board, each count is claimed on its own line.
const N: u32 = 6;

fn plan(n: u32, engine: EngineChoice) -> Plan {
    Plan::new(engine.engine(BoardSize::new(n).unwrap()).as_ref())
}

fn line(plan: &Plan, units: [u64; 2], count: u128, seconds: u32) -> String {
    let [first, last] = units;
    let body = format!(
        r#"{{"first":{first},"last":{last},"count":"{count}","seconds":{seconds}.5,"kernel":null"#
    );
    let crc = crc32fast::hash((plan.hash() + &body).as_bytes());
    format!("{body},\"crc\":\"{crc:08x}\"}}\n")
}

/// Returns the exit code and the total of a merge.
fn merge(folder: &Path, words: &[&str]) -> (Option<i32>, String) {
    let output = queencount(&[&["merge"], words].concat())
        .current_dir(folder)
        .output()
        .unwrap();
    (output.status.code(), text(&output.stdout))
}

/// Returns the lines of a complete record of N = 6 with their units.
fn complete(plan: &Plan) -> Vec<(u64, u128, String)> {
    let engine = EngineChoice::Backtrack.engine(BoardSize::new(N).unwrap());
    (0..engine.units())
        .map(|unit| {
            let count = engine.count(unit, &queencount::CancelToken::new()).unwrap();
            (unit, count, line(plan, [unit, unit], count, 1))
        })
        .collect()
}

#[test]
fn all_members_of_compressed_file_are_read() {
    let plan = plan(N, EngineChoice::Backtrack);
    let folder = tempfile::tempdir().unwrap();
    let lines: Vec<String> = complete(&plan).into_iter().map(|(.., line)| line).collect();
    let all = plan.to_line() + &lines.concat();
    // Gzip members end within lines, at the ends of lines, or are empty. Zeros may follow them.
    for (length, padding) in [
        (1, 0),
        (7, 1),
        (100, 511),
        (all.len(), 0),
        (all.len(), 1 << 18),
    ] {
        let mut bytes = Vec::new();
        for member in all.as_bytes().chunks(length).chain([&[][..]]) {
            let mut encoder = flate2::write::GzEncoder::new(&mut bytes, Default::default());
            encoder.write_all(member).unwrap();
            encoder.finish().unwrap();
            bytes.resize(bytes.len() + padding, 0);
        }
        let file = folder.path().join("r.jsonl.gz");
        fs::write(&file, &bytes).unwrap();
        let merged = merge(folder.path(), &["r.jsonl.gz"]);
        let members = format!("members of {length} bytes, {padding} zeros");
        assert_eq!(merged, (Some(0), "4\n".to_owned()), "{members}");
        // Anything else behind the last member is damage, which is reported.
        bytes.push(1);
        fs::write(&file, &bytes).unwrap();
        let (code, total, error) = ends(folder.path(), &["merge", "r.jsonl.gz"]);
        assert_eq!((code, total.as_str()), (0, "4\n"), "{members}");
        assert!(
            error.contains("r.jsonl.gz: damaged: its gzip data "),
            "{error}"
        );
    }
}

/// Returns a line for each unit, with these counts.
fn lines_of(plan: &Plan, counts: &[u128]) -> Vec<String> {
    (0..)
        .zip(counts)
        .map(|(unit, count)| line(plan, [unit, unit], *count, 1))
        .collect()
}

/// Sums beyond 2^53, which floats cannot represent, are exact for two files. This total differs
/// from the published one, so a contradiction may be reported.
#[test]
fn sums_are_exact_beyond_float_precision() {
    let plan = plan(20, EngineChoice::Rows);
    let folder = tempfile::tempdir().unwrap();
    let counts: Vec<u128> = (0..plan.units)
        .map(|unit| (1 << 50) + 8 * u128::from(unit * unit))
        .collect();
    let lines = lines_of(&plan, &counts);
    for (name, lines) in ["a", "b"].iter().zip([&lines[..9], &lines[9..]]) {
        fs::write(folder.path().join(name), plan.to_line() + &lines.concat()).unwrap();
    }
    let sum = counts.iter().sum::<u128>().to_string();
    for form in ["json", "csv", "text"] {
        let merge = ["merge", "b", "a", "--format", form];
        let (_, out, error) = ends(folder.path(), &merge);
        assert!((out + &error).contains(&sum), "{form}: expected {sum}");
    }
}

/// Two files of made-up counts with the correct sum are published, and the output is longer than a
/// buffer.
#[test]
fn long_published_record_has_all_lines() {
    let plan = plan(19, EngineChoice::Rows);
    let folder = tempfile::tempdir().unwrap();
    let mut counts: Vec<u128> = (0..plan.units).map(|unit| 8 * u128::from(unit)).collect();
    counts[0] = queencount::oeis_a000170(19).unwrap() - counts.iter().sum::<u128>();
    let lines = lines_of(&plan, &counts);
    for (name, lines) in ["a", "b"].iter().zip([&lines[400..], &lines[..400]]) {
        fs::write(folder.path().join(name), plan.to_line() + &lines.concat()).unwrap();
    }
    let output = queencount(&["publish", "a", "b"])
        .current_dir(&folder)
        .output()
        .unwrap();
    assert!(output.stdout.len() > 1 << 16, "{}", text(&output.stderr));
    let found: Vec<u128> = text(&output.stdout)
        .lines()
        .skip(1)
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["count"].clone())
        .map(|count| count.as_str().unwrap().parse().unwrap())
        .collect();
    assert_eq!(found, counts);
}

#[test]
fn wrong_totals_are_rejected_by_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let run = ["run", "10", "-q", "--record", "r"];
    let some = [&run[..], &["--units", "0-30"]].concat();
    assert_eq!(ends(folder, &some).0, 0);
    let record = fs::read_to_string(folder.join("r")).unwrap();
    fs::write(folder.join("r"), forged(&record, 7, 2)).unwrap();
    // The count is complete after the first run, and before the second.
    for words in [
        &run[..],
        &run,
        &["merge", "r"],
        &["publish", "r"],
        &["status", "r"],
    ] {
        let (code, out, error) = ends(folder, words);
        assert_eq!(code, 3, "{words:?}: {out}{error}");
        assert!(out.is_empty() || words[0] == "status", "{words:?}: {out}");
        let both = "sum to 726, but the published value for N = 10 is 724";
        assert!(
            error.contains(both) && error.contains("queencount audit"),
            "{words:?}: {error}"
        );
    }
}

/// A run prints the sum of its record.
#[test]
fn subtotals_are_exact_beyond_float_precision() {
    let plan = plan(28, EngineChoice::Rows);
    let folder = tempfile::tempdir().unwrap();
    let count = (1_u128 << 60) + 8;
    let record = plan.to_line() + &line(&plan, [0, 15], count, 1);
    fs::write(folder.path().join("r"), record).unwrap();
    for format in ["json", "csv"] {
        let run = [
            "run", "28", "--engine", "rows", "--units", "0-15", "--record", "r", "--format",
        ];
        let output = queencount(&[&run[..], &[format]].concat())
            .current_dir(&folder)
            .output()
            .unwrap();
        let printed = text(&output.stdout);
        let is_printed = printed
            .split(|c: char| !c.is_ascii_digit())
            .any(|number| number == count.to_string());
        assert!(is_printed, "{format}: {printed}");
    }
}
