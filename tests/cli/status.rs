//! `status` shows at a glance which units are counted and by which source, which are counted twice
//! or wrongly, and what to do next.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::long_runs::{ends, forged};
use crate::program::queencount;

/// The number of units of the board, each of which is a task.
const UNITS: u64 = 55;

/// Creates a directory with records of N = 12 in 6 shards: Lyon counted the first four, and Kyoto,
/// in a subdirectory, the first two.
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
            if site == "kyoto" {
                take_longer(&folder.path().join(record));
            }
        }
    }
    folder
}

/// Adds a second to each entry, because two counts of a small board may take the same number of
/// microseconds.
fn take_longer(record: &Path) {
    let text = fs::read_to_string(record).unwrap();
    let slower = |body: &str| body.replace("\"seconds\":0", "\"seconds\":1");
    fs::write(record, changed(&text, &[slower])).unwrap();
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
fn status_lists_counted_and_missing_work_by_source() {
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
        (0.6..0.75).contains(&share("share_counted"))
            && (0.25..0.45).contains(&share("share_counted_twice")),
        "{status}"
    );
    // Everything was counted today.
    assert!((share("share_counted") - share("share_last_day")).abs() < 1e-9);
    assert!(
        share("thread_seconds") > 0.0 && share("thread_seconds_to_come") > 0.0,
        "{status}"
    );
    assert!(
        share("thread_seconds_to_come_twice") > share("thread_seconds_to_come"),
        "{status}"
    );
    assert!(
        0.0 < share("seconds_left") && share("seconds_left") < share("seconds_left_twice"),
        "{status}"
    );
    let sources: Vec<(&str, u64)> = status["groups"]
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
        status["units_counted"].as_u64().unwrap(),
    );
    assert_eq!(sources, [("store", done), ("store/kyoto", repeated)]);
    assert_eq!(status["records"].as_u64(), Some(6));
    let shards = &status["shards"];
    assert_eq!(
        (
            &shards["missing"],
            &shards["counted"],
            &shards["counted_twice"]
        ),
        (&"5-6".into(), &"3-4".into(), &"1-2".into())
    );
    assert_eq!(
        (&shards["begun"], &shards["disputed"], &status["flaws"]),
        (&"".into(), &"".into(), &Value::Array(vec![]))
    );

    let (_, csv, _) = ends(folder, &["status", "store", "--format", "csv"]);
    let rows: Vec<&str> = csv.lines().collect();
    assert!(
        rows.len() == 3
            && rows[0].starts_with("name,share_counted,")
            && rows[2].starts_with("store/kyoto,"),
        "{csv}"
    );
    // The result is the same with other sources and with files as arguments.
    let (_, status) = json(folder, &["store/1.jsonl", "store/2.jsonl", "--by", "host"]);
    assert_eq!(status["groups"].as_array().unwrap().len(), 1);
    let (_, status) = json(folder, &["store/1.jsonl", "--by", "version"]);
    assert_eq!(status["groups"][0]["name"], queencount::VERSION);
    let (_, sites) = json(folder, &["store", "--by", "site"]);
    assert_eq!(sites["groups"][0]["name"], "kyoto");
    // A copy of a record does not count as additional work.
    fs::copy(
        folder.join("store/1.jsonl"),
        folder.join("store/copy.jsonl"),
    )
    .unwrap();
    let (_, copied) = json(folder, &["store/1.jsonl", "store/copy.jsonl"]);
    assert_eq!(
        (&copied["thread_seconds"], &copied["share_counted_twice"]),
        (&status["thread_seconds"], &0.0.into())
    );
    assert_eq!(copied["shared"], copied["repeated"]);
}

#[test]
fn status_of_complete_count_shows_total() {
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
            &status["share_counted"],
            &status["missing"],
            &status["shards"]["counted"]
        ),
        (&1.0.into(), &"".into(), &"3-6".into())
    );
    // In a single record nothing is counted twice, not even the empty shards 21, 41 and 51.
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
    assert!(shards.contains("\"counted_twice\":\"\""), "{shards}");
    let (code, text, error) = ends(folder, &["status", "store"]);
    assert_eq!((code, error.as_str()), (0, ""));
    assert!(
        text.contains("100.00%") && text.contains("queencount merge store    # the total"),
        "{text}"
    );
}

#[test]
fn wrong_total_is_explained_on_stderr_for_csv() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    count(folder, "1/1", "r.jsonl", "lyon");
    let record = folder.join("r.jsonl");
    let lie = forged(&fs::read_to_string(&record).unwrap(), 4, 2);
    fs::write(&record, lie).unwrap();
    let (code, table, error) = ends(folder, &["status", "r.jsonl", "--format", "csv"]);
    assert_eq!((code, table.lines().count()), (3, 2), "{table}{error}");
    let lines: Vec<&str> = error.lines().collect();
    assert!(
        lines.len() == 2
            && lines[0].starts_with("queencount: the counts sum to 14202, but ")
            && lines[1] == "queencount: the records have 1 problem, listed above",
        "{error}"
    );
}

#[test]
fn problems_are_listed_beside_other_results() {
    let folder = campaign();
    let folder = folder.path();
    let path = |name: &str| folder.join("store").join(name);
    let mut damaged = fs::read(path("3.jsonl")).unwrap();
    let line = damaged.iter().position(|byte| *byte == b'\n').unwrap() + 20;
    damaged[line] ^= 1;
    fs::write(path("3.jsonl"), damaged).unwrap();
    let lie = forged(&fs::read_to_string(path("kyoto/1.jsonl")).unwrap(), 4, 2);
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
        (
            &shards["disputed"],
            &shards["begun"],
            &shards["counted_twice"]
        ),
        (&"1".into(), &"3".into(), &"2".into())
    );
    assert!(
        status["groups"]
            .as_array()
            .unwrap()
            .iter()
            .all(|source| source["disputed"] == 1),
        "{status}"
    );

    let (code, text, error) = ends(folder, &["status", "store", "--shards", "6"]);
    assert_eq!(
        (code, error.as_str()),
        (3, "queencount: the records have 3 problems, listed above\n")
    );
    let lines: Vec<&str> = text.lines().collect();
    assert!(
        lines.contains(&"shards lacking units (of 6): 1,3,5-6"),
        "{text}"
    );
    assert!(
        lines.contains(&"shards lacking a second count (of 6): 1,3-6"),
        "{text}"
    );
    assert!(
        lines.contains(&"queencount audit store --findings 12.findings    # find the wrong lines"),
        "{text}"
    );
    assert!(flaws.iter().all(|flaw| lines.contains(flaw)), "{text}");
}

#[test]
fn suggested_runs_use_plan_of_records() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for engine in ["backtrack", "rows"] {
        let record = format!("{engine}.jsonl");
        let run = [
            "run", "12", "-q", "--shard", "1/2", "--record", &record, "--engine", engine,
        ];
        assert_eq!(ends(folder, &run).0, 0);
        let (_, text, _) = ends(folder, &["status", &record, "--shards", "2"]);
        let run =
            format!("queencount run 12 --engine {engine} --shard 2/2 --record 12-2-of-2.jsonl");
        // Without the findings, a rejected line in the record would count as done.
        fs::write(folder.join("my findings"), "").unwrap();
        let exclude = ["--exclude", "my findings"];
        let words = [&["status", &record, "--shards", "2"], &exclude[..]].concat();
        let excluding = ends(folder, &words).1;
        assert!(
            excluding.contains(&format!("{run} --exclude 'my findings'\n")),
            "{excluding}"
        );
        let run = text.lines().find(|line| *line == run).expect(&text);
        let words: Vec<&str> = run.split(' ').skip(1).collect();
        let run = queencount(&words).current_dir(folder).output().unwrap();
        assert!(run.status.success(), "{run:?}");
        let (code, total, error) = ends(folder, &["merge", &record, "12-2-of-2.jsonl"]);
        assert_eq!((code, total.as_str()), (0, "14200\n"), "{error}");
        fs::remove_file(folder.join("12-2-of-2.jsonl")).unwrap();
    }
}

/// Returns a record with these changes of each entry and correct checksums.
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
fn names_are_escaped_in_all_output() {
    let folder = campaign();
    let folder = folder.path();
    let right = fs::read_to_string(folder.join("store/4.jsonl")).unwrap();
    let named = |name: &str, record: &str| {
        let rename = |body: &str| body.replace("\"lyon\"", &format!("\"{name}\""));
        fs::write(folder.join(record), changed(&right, &[rename])).unwrap();
    };
    // A character that changes the text direction is shown escaped; a control character is damage.
    named("a\u{202e}b", "store/4.jsonl");
    let odd = "odd\x1b[2J.jsonl";
    named("a\\u001b[2Jb", odd);
    let words = [
        "status",
        "store",
        odd,
        "--by",
        "site",
        "--html",
        "page.html",
    ];
    let (code, text, _) = ends(folder, &words);
    assert_eq!(code, 3, "{text}");
    let damaged = "odd\\u{1b}[2J.jsonl: line 2 is damaged: expected a name of at most ";
    assert!(
        text.contains("\na\\u{202e}b ") && text.contains(damaged),
        "{text}"
    );
    assert!(!text.contains(['\x1b', '\u{202e}']), "{text}");
    let page = fs::read_to_string(folder.join("page.html")).unwrap();
    assert!(!page.contains(['\x1b', '\u{202e}']), "{page}");
    // File names appear in audit reports and in CSV.
    let mut lie = right.clone();
    for line in 1..right.lines().count() {
        lie = forged(&lie, line, 2);
    }
    fs::write(folder.join(odd), lie).unwrap();
    for words in [
        &["audit", "-q", "--sample", "3"][..],
        &["audit", "-q", "--sample", "3", "--format", "csv"],
        &["status", "--format", "csv"],
    ] {
        let (_, out, error) = ends(folder, &[words, &[odd]].concat());
        assert!(
            out.contains("odd\\u{1b}[2J.jsonl") && !out.contains('\x1b'),
            "{out}{error}"
        );
    }
    let (code, _, error) = ends(folder, &["merge", "no\x1b[2J.jsonl"]);
    assert!(
        code == 1
            && error.starts_with("queencount: no\\u{1b}[2J.jsonl: ")
            && error.lines().count() == 1,
        "{error}"
    );
    for (site, expected) in [
        ("a\x1b[2Jb", "no control characters"),
        (&"x".repeat(61), "60"),
    ] {
        let (code, _, error) = ends(folder, &["run", "8", "--site", site, "--record", "r.jsonl"]);
        assert!(
            code == 2 && error.contains("expected a name") && error.contains(expected),
            "{error}"
        );
    }
}

/// Long names with a common prefix can be told apart.
#[test]
fn long_names_are_shown_in_full() {
    let folder = campaign();
    let folder = folder.path();
    for site in [
        "a-rather-long-name-of-a-site-1",
        "a-rather-long-name-of-a-site-2",
    ] {
        count(folder, "5/6", &format!("{site}.jsonl"), site);
        let (_, text, _) = ends(
            folder,
            &["status", &format!("{site}.jsonl"), "--by", "site"],
        );
        assert!(text.contains(&format!("\n{site} ")), "{text}");
    }
}

#[test]
fn suggested_commands_omit_missing_files() {
    let folder = campaign();
    let folder = folder.path();
    let (code, text, _) = ends(folder, &["status", "store", "nowhere.jsonl"]);
    assert_eq!(code, 1);
    let commands: Vec<_> = text
        .lines()
        .filter(|line| line.starts_with("queencount "))
        .collect();
    assert!(commands.len() > 2, "{text}");
    assert!(
        commands.iter().all(|command| !command.contains("nowhere")),
        "{text}"
    );
    // A record of another board would make any of these commands fail.
    assert_eq!(
        ends(folder, &["run", "8", "-q", "--record", "store/z.jsonl"]).0,
        0
    );
    let (_, text, _) = ends(folder, &["status", "store"]);
    let commands: Vec<_> = text
        .lines()
        .filter(|line| line.starts_with("queencount "))
        .collect();
    assert!(
        commands.len() == 1 && commands[0].starts_with("queencount run "),
        "{text}"
    );
}

#[test]
fn thousands_of_sources_take_linear_time() {
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
    assert_eq!(status["groups"].as_array().unwrap().len(), 50_000);
    // Comparing every name with all others would take minutes.
    assert!(
        begun.elapsed() < Duration::from_secs(60),
        "{:?}",
        begun.elapsed()
    );
}

#[test]
fn future_entries_are_reported_and_not_in_rate() {
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
        share("share_last_day") < share("share_counted") - 0.1,
        "{status}"
    );
    assert!(
        status["groups"][0]["seconds_ahead"].as_u64() > Some(900_000_000),
        "{status}"
    );
    let (_, text, _) = ends(folder, &["status", "store"]);
    assert!(
        text.contains("\nsource store: an entry is dated ") && text.contains(" in the future; "),
        "{text}"
    );
}

#[test]
fn shared_counts_are_reported_and_counted_once() {
    let folder = campaign();
    let folder = folder.path();
    let lyon = fs::read_to_string(folder.join("store/4.jsonl")).unwrap();
    let entries = lyon.lines().count() - 1;
    let renamed = |body: &str| {
        body.replace("lyon", "delhi")
            .replace("\"time\":1", "\"time\":2")
    };
    for (name, text) in [
        ("lyon", lyon.clone()),
        ("delhi", changed(&lyon, &[renamed])),
    ] {
        fs::write(folder.join(name), text).unwrap();
    }
    let (_, status) = json(folder, &["lyon", "delhi"]);
    assert_eq!(
        (&status["shared"], &status["share_counted_twice"]),
        (&entries.into(), &0.0.into())
    );
    for words in [&["status"][..], &["status", "--html", "-"]] {
        let (_, out, _) = ends(folder, &[words, &["lyon", "delhi"]].concat());
        let shared = format!(
            "lyon and delhi share {entries} counts, because some of their lines are identical"
        );
        assert!(out.contains(&shared), "{out}");
    }
}

#[test]
fn html_page_is_complete_and_self_contained() {
    let folder = campaign();
    let folder = folder.path();
    // Without escaping, this name would be markup.
    count(folder, "5/6", "store/5.jsonl", "<script>&\"");
    let (code, _, error) = ends(
        folder,
        &[
            "status",
            "store",
            "--shards",
            "6",
            "--by",
            "site",
            "--html",
            "page.html",
        ],
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
    for state in ["1/6 counted_twice", "3/6 counted", "6/6 missing"] {
        assert!(
            page.contains(&format!("title=\"{state}\"")),
            "{state}: {page}"
        );
    }
    // The page is well-formed XML, except for the tags that HTML does not close.
    let body = &page[page.find("<body>").unwrap()..page.find("</body>").unwrap() + "</body>".len()];
    let document =
        roxmltree::Document::parse(body).unwrap_or_else(|error| panic!("{error}: {body}"));
    assert_eq!(
        document
            .descendants()
            .filter(|node| node.has_tag_name("i"))
            .count(),
        6 + 5
    );
    // On stdout, the page is the only output.
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

#[cfg(unix)]
#[test]
fn merge_lists_units_for_second_count_by_source() {
    let folder = campaign();
    let folder = folder.path();
    let merge = |words: &[&str]| ends(folder, &[&["merge", "store"], words].concat());
    let twice = "% of the work has been counted twice\n";
    let (code, shards, error) = merge(&["--second", "--shards", "6"]);
    assert_eq!((code, shards.as_str()), (4, "3-6\n"));
    assert!(
        error.contains(twice) && error.contains(" lack a second count\n"),
        "{error}"
    );
    // Units that only Kyoto counted are not offered to Kyoto; the last component of a path
    // identifies a source.
    std::os::unix::fs::symlink("store/kyoto", folder.join("link")).unwrap();
    let other = folder.join("store/kyoto/5.jsonl");
    count(folder, "5/6", "store/kyoto/5.jsonl", "lyon");
    for (source, expected) in [
        ("store", "5-6\n"),
        ("store/kyoto", "3-4,6\n"),
        ("kyoto", "3-4,6\n"),
        ("store/kyoto/", "3-4,6\n"),
        ("./store/../store/kyoto", "3-4,6\n"),
        ("link", "3-4,6\n"),
        ("store/delhi", "3-6\n"),
    ] {
        let found = merge(&["--second", "--for", source, "--shards", "6"]);
        assert_eq!(found.1, expected, "{source}");
        assert_eq!(
            found.2.contains("is not a source"),
            source == "store/delhi",
            "{}",
            found.2
        );
    }
    fs::remove_file(other).unwrap();
    let (_, units, _) = merge(&["--second"]);
    fs::create_dir(folder.join("store/delhi")).unwrap();
    let words = [
        "run",
        "12",
        "-q",
        "--units",
        units.trim(),
        "--record",
        "store/delhi/d.jsonl",
    ];
    let (code, out, _) = ends(folder, &words);
    assert_eq!((code, out.as_str()), (0, ""));
    take_longer(&folder.join("store/delhi/d.jsonl"));
    // Shards 5 and 6 have been counted once.
    assert_eq!(merge(&["--second", "--shards", "6"]).1, "5-6\n");
    assert_eq!(
        merge(&["--second", "--for", "delhi"]),
        (0, String::new(), merge(&[]).2)
    );
    let (code, total, error) = merge(&[]);
    assert_eq!((code, total.as_str()), (0, "14200\n"));
    assert!(error.ends_with(twice), "{error}");
}

#[test]
fn folder_arguments_expand_to_their_records() {
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
            "queencount: none: cannot be read or written: expected records, found no files named *.jsonl or *.jsonl.gz\n"
        );
    }
}
