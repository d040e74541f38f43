//! The promise: whoever counts on many machines sees at a glance what is done, by whom, twice or
//! wrong, and what comes next.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::long_runs::{ends, forged, program};

/// The number of units of the board, which have one task each.
const UNITS: u64 = 55;

/// A folder with records of N = 12 in 6 shards: Lyon has counted the first four, Kyoto the first
/// two.
fn campaign() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("store/kyoto")).unwrap();
    for (site, shards) in [("lyon", 1..=4), ("kyoto", 1..=2)] {
        for shard in shards {
            let record = if site == "lyon" {
                format!("store/{shard}.jsonl")
            } else {
                format!("store/kyoto/{shard}.jsonl")
            };
            count(folder.path(), &format!("{shard}/6"), &record, site);
        }
    }
    folder
}

fn count(folder: &Path, shard: &str, record: &str, site: &str) {
    let words = [
        "run",
        "12",
        "-q",
        "--engine",
        "backtrack",
        "--site",
        site,
        "--shard",
        shard,
        "--record",
        record,
    ];
    assert_eq!(ends(folder, &words).0, 0);
}

fn json(folder: &Path, words: &[&str]) -> (i32, Value) {
    let (code, out, error) = ends(
        folder,
        &[&["status", "--format", "json", "--shards", "6"], words].concat(),
    );
    let value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{words:?}: {out}{error}"));
    (code, value)
}

#[test]
fn it_says_what_is_counted_by_whom_and_what_is_missing() {
    let folder = campaign();
    let folder = folder.path();
    let (code, status) = json(folder, &["store"]);
    assert_eq!(code, 4);
    assert_eq!(
        (
            status["n"].as_u64(),
            status["units"].as_u64(),
            status["total"].clone()
        ),
        (Some(12), Some(UNITS), Value::Null)
    );
    let share = |name: &str| status[name].as_f64().unwrap();
    assert!(
        (0.6..0.75).contains(&share("counted")) && (0.25..0.45).contains(&share("counted_twice")),
        "{status}"
    );
    // All of it in this hour.
    assert!(
        (share("counted") - share("last_hour")).abs() < 1e-9
            && (share("counted") - share("last_day")).abs() < 1e-9
    );
    assert!(
        share("core_seconds") > 0.0 && share("core_seconds_to_come") > 0.0,
        "{status}"
    );
    assert!(
        share("core_seconds_to_come_twice") > share("core_seconds_to_come"),
        "{status}"
    );
    let end = |name: &str| status[name]["mean"].as_f64().unwrap();
    assert!(
        0.0 < end("seconds_left") && end("seconds_left") < end("seconds_left_twice"),
        "{status}"
    );
    let sources: Vec<(&str, u64)> = status["sources"]
        .as_array()
        .unwrap()
        .iter()
        .map(|source| {
            (
                source["name"].as_str().unwrap(),
                source["entries"].as_u64().unwrap(),
            )
        })
        .collect();
    let (repeated, done) = (
        status["repeated"].as_u64().unwrap(),
        status["done"].as_u64().unwrap(),
    );
    assert_eq!(sources, [("kyoto", repeated), ("lyon", done)]);
    assert_eq!(
        (status["records"].as_u64(), status["running"].as_u64()),
        (Some(6), Some(6))
    );
    let shards = &status["shards"];
    assert_eq!(
        (&shards["missing"], &shards["counted"], &shards["twice"]),
        (&"5-6".into(), &"3-4".into(), &"1-2".into())
    );
    assert_eq!(
        (&shards["begun"], &shards["disputed"], &status["flaws"]),
        (&"".into(), &"".into(), &Value::Array(vec![]))
    );

    let (_, csv, _) = ends(folder, &["status", "store", "--format", "csv"]);
    let rows: Vec<&str> = csv.lines().collect();
    assert!(
        rows.len() == 3 && rows[0].starts_with("n,site,share,") && rows[2].starts_with("12,lyon,"),
        "{csv}"
    );
    // The same by other sources, and from files.
    let (_, status) = json(folder, &["store/1.jsonl", "store/2.jsonl", "--by", "host"]);
    assert_eq!(status["sources"].as_array().unwrap().len(), 1);
    let (_, status) = json(folder, &["store/1.jsonl", "--by", "version"]);
    assert_eq!(status["sources"][0]["name"], env!("CARGO_PKG_VERSION"));
    // A record beside a copy of it is one record's work.
    fs::copy(
        folder.join("store/1.jsonl"),
        folder.join("store/copy.jsonl"),
    )
    .unwrap();
    let (_, copied) = json(folder, &["store/1.jsonl", "store/copy.jsonl"]);
    assert_eq!(
        (&copied["core_seconds"], &copied["counted_twice"]),
        (&status["core_seconds"], &0.0.into())
    );
}

#[test]
fn when_all_is_counted_it_says_the_total_and_ends_well() {
    let folder = campaign();
    let folder = folder.path();
    for shard in ["5/6", "6/6"] {
        count(folder, shard, "store/rest.jsonl", "lyon");
    }
    let (code, status) = json(folder, &["store"]);
    assert_eq!(
        (code, &status["total"], &status["complete"]),
        (0, &"14200".into(), &true.into())
    );
    assert_eq!(
        (
            &status["counted"],
            &status["missing"],
            &status["shards"]["counted"]
        ),
        (&1.0.into(), &"".into(), &"3-6".into())
    );
    // Nothing of one record is counted twice, not even the shards without units, 21, 41 and 51.
    let (_, shards, _) = ends(
        folder,
        &[
            "status",
            "store/rest.jsonl",
            "--format",
            "json",
            "--shards",
            "56",
        ],
    );
    assert!(shards.contains("\"twice\":\"\""), "{shards}");
    let (code, text, error) = ends(folder, &["status", "store", "--watch=1"]);
    assert_eq!((code, error.as_str()), (0, ""));
    assert!(
        text.contains("100.00 %") && text.contains("queencount merge store    # the total"),
        "{text}"
    );
}

#[test]
fn what_is_wrong_is_told_beside_the_rest() {
    let folder = campaign();
    let folder = folder.path();
    let path = |name: &str| folder.join("store").join(name);
    let mut damaged = fs::read(path("3.jsonl")).unwrap();
    let line = damaged.iter().position(|byte| *byte == b'\n').unwrap() + 20;
    damaged[line] ^= 1;
    fs::write(path("3.jsonl"), damaged).unwrap();
    let (_, _, lie) = forged(&fs::read_to_string(path("kyoto/1.jsonl")).unwrap(), 4);
    fs::write(path("kyoto/1.jsonl"), lie).unwrap();
    fs::write(path("notes.jsonl"), "dear diary\n").unwrap();
    let (code, status) = json(folder, &["store"]);
    assert_eq!(code, 3);
    let flaws: Vec<&str> = status["flaws"]
        .as_array()
        .unwrap()
        .iter()
        .map(|flaw| flaw.as_str().unwrap())
        .collect();
    assert_eq!(flaws.len(), 3, "{flaws:?}");
    assert!(
        flaws[0].contains("notes.jsonl: not a record")
            && flaws[1].contains("3.jsonl: line 2 is damaged"),
        "{flaws:?}"
    );
    assert!(
        flaws[2].contains("1.jsonl line ")
            && flaws[2].contains("entries disagree on the solutions of units "),
        "{flaws:?}"
    );
    let shards = &status["shards"];
    assert_eq!(
        (&shards["disputed"], &shards["begun"], &shards["twice"]),
        (&"1".into(), &"3".into(), &"2".into())
    );
    assert!(
        status["sources"]
            .as_array()
            .unwrap()
            .iter()
            .all(|source| source["disputed"] == 1),
        "{status}"
    );

    let (code, text, error) = ends(folder, &["status", "store", "--shards", "6"]);
    assert_eq!(
        (code, error.as_str()),
        (3, "queencount: the records have 3 flaws, named above\n")
    );
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.contains(&"of 6 shards lack units: 1,3,5-6"), "{text}");
    assert!(
        lines.contains(&"of 6 shards lack a second count: 1,3-6"),
        "{text}"
    );
    assert!(
        lines.contains(&"queencount audit store    # which of the disputed lines are right"),
        "{text}"
    );
    assert!(flaws.iter().all(|flaw| lines.contains(flaw)), "{text}");
}

/// A record with these changes of each entry, sealed again.
fn changed(record: &str, changes: &[impl Fn(&str) -> String]) -> String {
    let (plan, entries) = record.split_once('\n').unwrap();
    let tie = serde_json::from_str::<Value>(plan).unwrap()["plan"]
        .as_str()
        .unwrap()
        .to_owned();
    let mut text = plan.to_owned() + "\n";
    for (line, change) in entries
        .lines()
        .flat_map(|line| changes.iter().map(move |change| (line, change)))
    {
        let body = change(line.split_once(",\"crc\"").unwrap().0);
        let crc = crc32fast::hash((tie.clone() + &body).as_bytes());
        text += &format!("{body},\"crc\":\"{crc:08x}\"}}\n");
    }
    text
}

#[test]
fn names_are_shown_and_not_obeyed() {
    let folder = campaign();
    let folder = folder.path();
    let right = fs::read_to_string(folder.join("store/4.jsonl")).unwrap();
    let name = format!(
        "a\\u001b[2Jb\\nof 6 shards lack units: none\u{202e}{}",
        "long".repeat(40)
    );
    let odd = changed(
        &right,
        &[|body: &str| body.replace("\"lyon\"", &format!("\"{name}\""))],
    );
    fs::write(folder.join("store/4.jsonl"), odd).unwrap();
    let (code, text, _) = ends(
        folder,
        &["status", "store", "no\x1b[2J.jsonl", "--html", "page.html"],
    );
    assert_eq!(code, 1);
    assert!(
        text.contains("\na\\u{1b}[2J") && text.contains("no\\u{1b}[2J.jsonl: "),
        "{text}"
    );
    assert!(
        !text.contains("shards lack units: none") && !text.contains(['\x1b', '\u{202e}']),
        "{text}"
    );
    let table: Vec<&str> = text
        .lines()
        .skip_while(|line| !line.starts_with("site "))
        .take(4)
        .collect();
    assert!(
        table.iter().all(|line| line.chars().count() <= 80) && table[1].contains("... "),
        "{text}"
    );
    let page = fs::read_to_string(folder.join("page.html")).unwrap();
    assert!(!page.contains(['\x1b', '\u{202e}']), "{page}");
    let (code, _, error) = ends(folder, &["merge", "no\x1b[2J.jsonl"]);
    assert!(
        code == 1
            && error.starts_with("queencount: no\\u{1b}[2J.jsonl: ")
            && error.lines().count() == 1,
        "{error}"
    );
    let (code, _, error) = ends(
        folder,
        &["run", "8", "--site", "a\x1b[2Jb", "--record", "r.jsonl"],
    );
    assert!(
        code == 2 && error.contains("expected a name without control characters"),
        "{error}"
    );
}

#[test]
fn as_many_machines_as_there_are_pods_take_no_longer_than_their_lines() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    count(folder, "1/6", "1.jsonl", "lyon");
    let host =
        |host: usize| move |body: &str| body.replace("\"host\":\"", &format!("\"host\":\"{host}-"));
    let record = fs::read_to_string(folder.join("1.jsonl")).unwrap();
    let record: String = record
        .lines()
        .take(2)
        .map(|line| line.to_owned() + "\n")
        .collect();
    let hosts: Vec<_> = (0..50_000).map(host).collect();
    fs::write(folder.join("1.jsonl"), changed(&record, &hosts)).unwrap();
    let begun = Instant::now();
    let (_, status) = json(folder, &["1.jsonl", "--by", "host"]);
    assert_eq!(status["sources"].as_array().unwrap().len(), 50_000);
    // Minutes, where every name is compared with all others.
    assert!(
        begun.elapsed() < Duration::from_secs(60),
        "{:?}",
        begun.elapsed()
    );
}

#[test]
fn what_comes_from_the_future_is_named_and_is_no_rate() {
    let folder = campaign();
    let folder = folder.path();
    let right = fs::read_to_string(folder.join("store/4.jsonl")).unwrap();
    let future = changed(
        &right,
        &[|body: &str| body.replace("\"time\":1", "\"time\":2")],
    );
    fs::write(folder.join("store/4.jsonl"), future).unwrap();
    let (_, status) = json(folder, &["store"]);
    let share = |name: &str| status[name].as_f64().unwrap();
    assert!(
        share("last_hour") < share("counted") - 0.1 && share("last_day") < share("counted") - 0.1,
        "{status}"
    );
    assert!(
        status["sources"][1]["seconds_ahead"].as_u64() > Some(900_000_000),
        "{status}"
    );
    let (_, text, _) = ends(folder, &["status", "store"]);
    assert!(
        text.contains("\nsite lyon: an entry is ") && text.contains(" in the future; "),
        "{text}"
    );
}

#[test]
fn copies_with_another_name_are_named_and_count_once() {
    let folder = campaign();
    let folder = folder.path();
    let slow = |site: &'static str| {
        move |body: &str| {
            body.replace("lyon", site)
                .replace("\"seconds\":0", "\"seconds\":1")
        }
    };
    let lyon = fs::read_to_string(folder.join("store/4.jsonl")).unwrap();
    for site in ["lyon", "delhi"] {
        fs::write(folder.join(site), changed(&lyon, &[slow(site)])).unwrap();
    }
    let (_, status) = json(folder, &["lyon", "delhi"]);
    assert!(
        status["copies"].as_u64() > Some(5) && status["counted_twice"] == 0.0,
        "{status}"
    );
    for words in [&["status"][..], &["status", "--html", "-"], &["merge"]] {
        let (_, out, error) = ends(folder, &[words, &["lyon", "delhi"]].concat());
        assert!(
            (out + &error).contains(" of a site repeat the time and the seconds of another site's"),
            "{words:?}"
        );
    }
}

#[test]
fn who_watches_outlives_a_folder_that_is_away_for_a_moment() {
    let folder = campaign();
    let folder = folder.path();
    let mut child = program(&["status", "store", "-q", "--watch", "1"])
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut error = BufReader::new(child.stderr.take().unwrap()).lines();
    std::thread::sleep(Duration::from_secs(2));
    fs::rename(folder.join("store"), folder.join("away")).unwrap();
    let line = error.next().unwrap().unwrap();
    assert!(
        line.starts_with("queencount: store: ") && line.ends_with("; looks again"),
        "{line}"
    );
    for shard in ["5/6", "6/6"] {
        count(folder, shard, "away/rest.jsonl", "lyon");
    }
    fs::rename(folder.join("away"), folder.join("store")).unwrap();
    assert!(child.wait().unwrap().success());
    // One that has never been there is a mistake.
    let (code, _, error) = ends(folder, &["status", "stroe", "stores", "--watch"]);
    assert!(
        code == 1 && error.starts_with("queencount: stroe: "),
        "{error}"
    );
}

#[test]
fn the_page_is_whole_and_needs_nothing_from_elsewhere() {
    let folder = campaign();
    let folder = folder.path();
    // A name that would be markup.
    count(folder, "5/6", "store/5.jsonl", "<script>&\"");
    let (code, _, error) = ends(
        folder,
        &["status", "store", "--shards", "6", "--html", "page.html"],
    );
    assert_eq!(code, 4, "{error}");
    let page = fs::read_to_string(folder.join("page.html")).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    assert!(
        !page.contains("http://") && !page.contains("https://") && !page.contains("src="),
        "{page}"
    );
    assert!(
        page.contains("&lt;script&gt;&amp;") && !page.contains("<script"),
        "{page}"
    );
    for state in ["1/6 twice", "3/6 counted", "6/6 missing"] {
        assert!(
            page.contains(&format!("title=\"{state}\"")),
            "{state}: {page}"
        );
    }
    // It is as well-formed as XML, but for the tags that HTML does not close.
    let body = &page[page.find("<body>").unwrap()..page.find("</body>").unwrap() + "</body>".len()];
    let document =
        roxmltree::Document::parse(body).unwrap_or_else(|error| panic!("{error}: {body}"));
    assert_eq!(
        document
            .descendants()
            .filter(|node| node.has_tag_name("svg"))
            .count(),
        2
    );
    assert_eq!(
        document
            .descendants()
            .filter(|node| node.has_tag_name("i"))
            .count(),
        6 + 6
    );
    // Where it cannot be written, nothing is half-written.
    // Where it goes to standard output, nothing else does.
    let (_, page, _) = ends(folder, &["status", "store", "--html", "-"]);
    assert!(
        page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"),
        "{page}"
    );
    let (code, _, error) = ends(
        folder,
        &["status", "store", "--html", "no/folder/page.html"],
    );
    assert!(
        code == 1 && error.starts_with("queencount: cannot write no/folder/page.html: "),
        "{error}"
    );
}

#[test]
fn a_merge_names_what_another_site_has_to_count_again() {
    let folder = campaign();
    let folder = folder.path();
    let merge = |words: &[&str]| ends(folder, &[&["merge", "store"], words].concat());
    let twice = "% of the work has been counted twice alike, by different sites\n";
    let (code, shards, error) = merge(&["--second", "--shards", "6"]);
    assert_eq!((code, shards.as_str()), (4, "3-6\n"));
    assert!(
        error.contains(twice) && error.contains(" lack a second count\n"),
        "{error}"
    );
    // One version of the program has counted all of it.
    assert_eq!(
        merge(&["--second", "--by", "version", "--shards", "6"]).1,
        "1-6\n"
    );
    assert_eq!(
        merge(&[
            "--second",
            "--by",
            "version",
            "--for",
            env!("CARGO_PKG_VERSION"),
            "--shards",
            "6"
        ])
        .1,
        "5-6\n"
    );
    // What Lyon has counted alone is nothing for Lyon.
    for (site, expected) in [("lyon", "5-6\n"), ("kyoto", "3-6\n"), ("delhi", "3-6\n")] {
        assert_eq!(
            merge(&["--second", "--for", site, "--shards", "6"]).1,
            expected,
            "{site}"
        );
    }
    let (_, units, _) = merge(&["--second"]);
    let (code, out, _) = ends(
        folder,
        &[
            "run",
            "12",
            "-q",
            "--units",
            units.trim(),
            "--site",
            "delhi",
            "--record",
            "store/d.jsonl",
        ],
    );
    assert_eq!((code, out.as_str()), (0, ""));
    // Units 5 and 6 have been counted once.
    assert_eq!(merge(&["--second", "--shards", "6"]).1, "5-6\n");
    assert_eq!(
        merge(&["--second", "--for", "delhi"]),
        (0, String::new(), merge(&[]).2)
    );
    let (code, total, error) = merge(&[]);
    assert_eq!((code, total.as_str()), (0, "14200\n"));
    assert!(error.ends_with(twice), "{error}");
    // Two entries that name no site are no second opinion.
    for name in ["x.jsonl", "y.jsonl"] {
        count(folder, "1/6", name, "");
    }
    let (_, json, _) = ends(folder, &["merge", "x.jsonl", "y.jsonl", "--format", "json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert!(
        json["twice"] == 0 && json["repeated"].as_u64() > Some(0),
        "{json}"
    );
}

#[test]
fn folders_stand_for_the_records_in_them() {
    let folder = campaign();
    let folder = folder.path();
    let files = ["1", "2", "3", "4"].map(|shard| format!("store/{shard}.jsonl"));
    let files: Vec<&str> = files
        .iter()
        .map(String::as_str)
        .chain(["store/kyoto"])
        .collect();
    let missing = |paths: &[&str]| ends(folder, &[&["merge", "--missing"], paths].concat()).1;
    assert_eq!(missing(&["store"]), missing(&files));
    fs::create_dir(folder.join("none")).unwrap();
    for command in ["merge", "status", "audit"] {
        let (code, out, error) = ends(folder, &[command, "none"]);
        assert_eq!((code, out.as_str()), (1, ""));
        assert_eq!(
            error,
            "queencount: none: expected records, found no file in it whose name ends with .jsonl or .jsonl.gz\n"
        );
    }
}
