//! The status of a count shows its progress, what each path contributes, and all problems.

use std::fs;
use std::path::Path;

use queencount::record::{Entry, Plan};
use serde_json::Value;

use crate::long_runs::{ends, forged};
use crate::records::recorded;

/// Writes some lines of a record, finished this number of hours ago, with ten seconds each.
fn write(folder: &Path, name: &str, lines: &str, hours: u64) {
    let now = std::time::UNIX_EPOCH.elapsed().unwrap().as_secs();
    let plan = Plan::from_line(lines.lines().next().unwrap().as_bytes()).unwrap();
    let mut text = plan.to_line();
    for line in lines.lines().skip(1) {
        let mut entry = Entry::from_line(line.as_bytes(), &plan).unwrap();
        entry.time = Some(now - 3600 * hours);
        entry.seconds = 3600.0;
        text += &entry.to_line(&plan);
    }
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Returns the first lines of a record.
fn first(record: &str, lines: usize) -> String {
    record.split_inclusive('\n').take(lines).collect()
}

#[test]
fn status_has_a_row_per_path_and_a_forecast() {
    let (folder, record) = recorded();
    let folder = folder.path();
    write(folder, "lyon/r.jsonl", &first(&record, 11), 50);
    write(folder, "kyoto/r.jsonl", &first(&record, 21), 5);
    let (code, out, error) = ends(folder, &["status", "lyon", "./kyoto/"]);
    let missing = "queencount: incomplete: 16 of 36 units are missing: ";
    assert!(code == 4 && error.starts_with(missing), "{error}");
    let lines: Vec<&str> = out.lines().collect();
    let plan = Plan::from_line(record.lines().next().unwrap().as_bytes()).unwrap();
    assert_eq!(
        lines[0],
        format!("N = 10, backtrack engine, plan {}", plan.hash())
    );
    let names = [
        "counted",
        "last 24 h",
        "thread-hours",
        "disagree",
        "last line",
    ];
    assert!(names.iter().all(|name| lines[2].contains(name)), "{out}");
    let row = |line: usize| Vec::from_iter(lines[line].split_whitespace());
    let [kyoto, lyon] = [row(3), row(4)];
    assert_eq!(kyoto[0], "kyoto");
    assert!(kyoto[1] == kyoto[2] && kyoto[3] == "20.0", "{out}");
    assert_eq!(
        (lyon[0], &lyon[2..5]),
        ("lyon", &["0.00%", "10.0", "0"][..])
    );
    assert!(
        lines[6].starts_with("counted") && lines[6].ends_with(", 20 of 36 units"),
        "{out}"
    );
    assert!(lines[7].starts_with("thread-hours  30.0"), "{out}");
    assert!(lines[8].starts_with("hours to come "), "{out}");
    assert!(lines[9].starts_with("finish        2"), "{out}");
    assert!(
        lines[9].ends_with(", at the rate of the last 24 hours"),
        "{out}"
    );
    assert_eq!(
        lines.last(),
        Some(&"Next: queencount merge lyon ./kyoto/ --missing")
    );

    let (_, json, _) = ends(folder, &["status", "lyon", "kyoto", "--format", "json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["paths"][0]["path"], "kyoto");
    assert_eq!(json["paths"][1]["lines"], 10);
    assert_eq!(json["thread_seconds"], 30.0 * 3600.0);
    let counted = json["share_counted"].as_f64().unwrap();
    let twice = json["paths"][1]["share_counted"].as_f64().unwrap();
    // Both counts of the tasks that were counted twice took time.
    let to_come = 30.0 * 3600.0 * (1.0 - counted) / (counted + twice);
    assert!((json["thread_seconds_to_come"].as_f64().unwrap() / to_come - 1.0).abs() < 1e-9);
    let (_, csv, _) = ends(folder, &["status", "lyon", "kyoto", "--format", "csv"]);
    assert_eq!(csv.lines().count(), 3);
    assert!(csv.starts_with("path,share_counted,"), "{csv}");
}

#[test]
fn status_of_complete_count_suggests_its_hash() {
    let (folder, _) = recorded();
    let folder = folder.path();
    let (code, out, error) = ends(folder, &["status", "lyon"]);
    assert_eq!((code, error.as_str()), (0, ""));
    assert!(
        out.contains("\ntotal         724\n") && !out.contains("to come"),
        "{out}"
    );
    assert!(
        out.ends_with("\nNext: queencount publish lyon | sha256sum\n"),
        "{out}"
    );
}

#[test]
fn problems_are_listed_and_nothing_is_suggested() {
    let (folder, record) = recorded();
    let folder = folder.path();
    fs::create_dir(folder.join("kyoto")).unwrap();
    let damaged = forged(&first(&record, 9), 3, 2).replacen("seconds", "SECONDS", 1);
    fs::write(folder.join("kyoto/1.jsonl"), damaged).unwrap();
    fs::write(folder.join("kyoto/notes.txt"), "dear diary\n").unwrap();
    let (code, out, error) = ends(folder, &["status", "lyon", "kyoto"]);
    assert_eq!(code, 3);
    for problem in [
        "\nkyoto/1.jsonl line 2: damaged: ",
        "\nlines disagree on units ",
        "\n6 of 7 lines of kyoto are also in lyon: a copy is no second count\n",
    ] {
        assert_eq!(out.matches(problem).count(), 1, "{problem}: {out}");
    }
    assert!(!out.contains("Next: "), "{out}");
    assert!(
        error.contains("to find wrong lines: queencount audit lyon kyoto\n"),
        "{error}"
    );
    assert!(
        error.contains("ignored: 1 file not named *.jsonl or *.jsonl.gz, such as "),
        "{error}"
    );
    // An unreadable file does not hide the others.
    let (code, out, error) = ends(folder, &["status", "lyon", "nowhere"]);
    assert!(code == 1 && out.contains("\nlyon"), "{out}");
    assert!(
        error.starts_with("queencount: nowhere: cannot be read"),
        "{error}"
    );
}

#[cfg(unix)]
#[test]
fn names_are_escaped_in_all_output() {
    let (folder, record) = recorded();
    let folder = folder.path();
    let name = "a\u{1b}[2J<b>\u{202e}";
    write(folder, &format!("{name}/1.jsonl"), &first(&record, 5), 1);
    for options in [&["--html", "page.html"][..], &["--format", "text"]] {
        let (_, out, error) = ends(folder, &[&["status", name, "lyon"], options].concat());
        let page = fs::read_to_string(folder.join("page.html")).unwrap();
        for text in [out, error, page] {
            assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text:?}");
            assert!(!text.contains("<b>\\u{202e}</td>"), "{text}");
        }
    }
}

#[test]
fn page_shows_the_same_table_and_needs_nothing_else() {
    let (folder, record) = recorded();
    let folder = folder.path();
    write(folder, "lyon/r.jsonl", &first(&record, 11), 50);
    write(folder, "kyoto/r.jsonl", &first(&record, 21), 5);
    let words = ["status", "lyon", "kyoto", "--html", "page.html"];
    let (code, out, _) = ends(folder, &words);
    assert_eq!(code, 4);
    let page = fs::read_to_string(folder.join("page.html")).unwrap();
    let cells = out.lines().skip(3).take(2).flat_map(str::split_whitespace);
    for cell in cells {
        assert!(page.contains(&format!("<td>{cell}</td>")), "{cell}: {page}");
    }
    assert_eq!(page.matches("<rect x=\"").count(), 200 + 2);
    assert_eq!(page.matches("<figure>").count(), 2);
    assert!(
        !page.contains("class=\"problems\"") && !page.contains("http://"),
        "{page}"
    );
    assert!(
        page.contains("<pre>queencount merge lyon kyoto --missing</pre>"),
        "{page}"
    );
    assert!(!page.contains("NaN"), "{page}");
    // The page can go to stdout.
    let (_, out, _) = ends(folder, &["status", "lyon", "--html", "-"]);
    assert!(out.starts_with("<!DOCTYPE html>") && out.ends_with("</html>\n"));
}
