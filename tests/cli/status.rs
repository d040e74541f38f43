//! The status of a count shows its progress, what each path contributes, and all problems.

use std::fs;
use std::path::Path;

use queencount::record::{Entry, Plan};
use serde_json::Value;

use crate::program::{ends, forged, recorded};

/// Writes some lines of a record, finished this number of hours ago, with an hour each.
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
    let (code, out, error) = ends(
        folder,
        &["status", "lyon", "./kyoto/", "--html", "page.html"],
    );
    let missing = "queencount: incomplete: 16 of 36 units are missing: ";
    assert!(code == 4 && error.starts_with(missing), "{error}");
    let lines: Vec<Vec<&str>> = out
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(
        lines[0][..7],
        [
            "N",
            "=",
            "10,",
            "backtrack",
            "engine,",
            "plan",
            "2ce1ee7b8bdbf534"
        ]
    );
    let header = "counted last 24 h thread-hours disagree last line";
    assert_eq!(lines[2].join(" "), header);
    let [kyoto, lyon] = [&lines[3], &lines[4]];
    assert_eq!(
        (kyoto[0], kyoto[1], &kyoto[3..5]),
        ("kyoto", kyoto[2], &["20.0", "0"][..])
    );
    assert_eq!((lyon[0], &lyon[2..5]), ("lyon", &["0%", "10.0", "0"][..]));
    for end in [
        "%, 20 of 36 units\n",
        "thread-hours  30.0\n",
        ", at the rate of the last 24 hours\n",
        "\nNext: queencount merge lyon ./kyoto/ --missing\n",
    ] {
        assert!(out.contains(end), "{end}: {out}");
    }
    // The page has the same table, and needs nothing else.
    let page = fs::read_to_string(folder.join("page.html")).unwrap();
    for cell in kyoto.iter().chain(lyon) {
        assert!(page.contains(&format!("<td>{cell}</td>")), "{cell}: {page}");
    }
    assert_eq!(page.matches("<rect x=\"").count(), 200 + 2);
    assert_eq!(page.matches("<figure>").count(), 2);
    assert!(
        page.contains("<pre>queencount merge lyon ./kyoto/ --missing</pre>"),
        "{page}"
    );
    for unwanted in ["class=\"problems\"", "http://", "NaN"] {
        assert!(!page.contains(unwanted), "{page}");
    }
    // The page can go to stdout.
    let (_, out, _) = ends(folder, &["status", "lyon", "--html", "-"]);
    assert!(out.starts_with("<!DOCTYPE html>") && out.ends_with("</html>\n"));
    let (_, json, _) = ends(folder, &["status", "lyon", "kyoto", "--format", "json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["paths"][0]["path"], "kyoto");
    assert_eq!(json["thread_seconds"], 30.0 * 3600.0);
    let (_, csv, _) = ends(folder, &["status", "lyon", "kyoto", "--format", "csv"]);
    assert!(
        csv.starts_with("path,share_counted,") && csv.lines().count() == 3,
        "{csv}"
    );
}

#[test]
fn status_of_complete_count_suggests_its_hash() {
    let (folder, _) = recorded();
    let (code, out, error) = ends(folder.path(), &["status", "lyon"]);
    assert_eq!((code, error.as_str()), (0, ""));
    let end = "\ntotal         724\n\nNext: queencount publish lyon | sha256sum\n";
    assert!(out.ends_with(end), "{out}");
    // Many paths are not repeated.
    let many: Vec<String> = (0..11).map(|copy| format!("lyon/{copy}.jsonl")).collect();
    for copy in &many {
        fs::copy(folder.path().join("lyon/r.jsonl"), folder.path().join(copy)).unwrap();
    }
    let words: Vec<&str> = ["status"]
        .into_iter()
        .chain(many.iter().map(String::as_str))
        .collect();
    let (_, out, _) = ends(folder.path(), &words);
    assert!(
        out.ends_with("\nNext: queencount publish PATH... | sha256sum\n"),
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
    let (code, out, error) = ends(folder, &["status", "lyon", "kyoto"]);
    assert_eq!(code, 3);
    for problem in [
        "\nkyoto/1.jsonl line 2: damaged: ",
        "\nlines disagree on unit ",
        "\n6 of 7 lines of kyoto are also in lyon: a copy is no second count\n",
    ] {
        assert_eq!(out.matches(problem).count(), 1, "{problem}: {out}");
    }
    assert!(!out.contains("Next: "), "{out}");
    let advice = "to find wrong lines: queencount audit lyon kyoto\n";
    assert!(error.contains(advice), "{error}");
    // A file that cannot be read does not hide the others.
    let (code, out, _) = ends(folder, &["status", "lyon", "nowhere"]);
    let problem = "\nnowhere: no such file or directory\n";
    assert!(
        code == 2 && out.contains("\nlyon") && out.contains(problem),
        "{out}"
    );
}

#[cfg(unix)]
#[test]
fn names_are_escaped_in_all_output() {
    let (folder, record) = recorded();
    let folder = folder.path();
    let name = "a\u{1b}[2J<b>\u{202e}";
    write(folder, &format!("{name}/1.jsonl"), &first(&record, 5), 1);
    let (_, out, error) = ends(folder, &["status", name, "lyon", "--html", "page.html"]);
    let page = fs::read_to_string(folder.join("page.html")).unwrap();
    assert!(!page.contains("<b>\\u{202e}</td>"), "{page}");
    for text in [out, error, page] {
        assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text:?}");
    }
}
