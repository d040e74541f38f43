//! The promise: a bench measures what it says, in the time that it is given, and calls nothing counted that was not.

use serde_json::Value;

use crate::program::{run, stdout, text};

/// The lines of an output in JSON.
fn lines(output: &str) -> Vec<Value> {
    output.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn small_boards_are_counted() {
    let rows = lines(&stdout(&["bench", "11", "--seconds", "60", "--format", "json", "-t", "2"], ""));
    let totals = [92.0, 352.0, 724.0, 2680.0];
    assert_eq!(rows.len(), totals.len());
    for ((n, total), row) in (8..).zip(totals).zip(&rows) {
        assert_eq!((&row["n"], &row["how"], &row["threads"]), (&n.into(), &"counted".into(), &2.into()));
        let counted = row["seconds"].as_f64().unwrap() * row["solutions_per_second"].as_f64().unwrap();
        assert!((counted / total - 1.0).abs() < 1e-9, "{row}");
        assert!(row["seconds_low"].is_null() && row["seconds_high"].is_null(), "{row}");
    }
}

#[test]
fn large_boards_are_projected_in_time() {
    let arguments = ["bench", "21", "--seconds", "3", "--format", "json", "--engine", "backtrack"];
    let rows = lines(&stdout(&arguments, ""));
    assert_eq!(rows.len(), 14);
    let how: Vec<&str> = rows.iter().map(|row| row["how"].as_str().unwrap()).collect();
    assert_eq!((how[0], how.contains(&"sampled")), ("counted", true), "{how:?}");
    // Minutes of backtracking at the least.
    assert_ne!(how[13], "counted");
    assert!(rows[13]["seconds"].as_f64().unwrap() > 10.0, "{}", rows[13]);
    for row in rows.iter().filter(|row| row["how"] == "sampled") {
        let [low, mean, high] = ["seconds_low", "seconds", "seconds_high"].map(|name| row[name].as_f64().unwrap());
        assert!(low <= mean && mean <= high, "{row}");
    }
}

#[test]
fn the_chart_shows_every_board() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("chart.svg");
    let table = stdout(&["bench", "12", "--seconds", "30", "--svg", path.to_str().unwrap()], "");
    assert_eq!(table.lines().count(), 6, "a header and five boards: {table}");
    let chart = std::fs::read_to_string(path).unwrap();
    let chart = roxmltree::Document::parse(&chart).expect("XML");
    let texts: Vec<&str> = chart.descendants().filter_map(|node| node.text()).collect();
    for said in ["8", "9", "10", "11", "12", "counted", "How long it takes to count N queens"] {
        assert!(texts.contains(&said), "{said}: {texts:?}");
    }
    // One for each board, and one in the legend.
    assert_eq!(chart.descendants().filter(|node| node.has_tag_name("circle")).count(), 6);
}

/// The numbers of an element's attribute.
fn numbers(text: &str) -> Vec<f64> {
    let pieces = text.split(|c: char| !c.is_ascii_digit() && c != '.');
    pieces.filter(|piece| !piece.is_empty()).map(|piece| piece.parse().expect("a number")).collect()
}

#[test]
fn the_chart_has_its_points_where_their_times_are() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("chart.svg");
    let arguments = ["bench", "18", "--seconds", "2", "-t", "1", "--engine", "backtrack", "--format", "json"];
    let table = lines(&stdout(&[&arguments[..], &["--svg", path.to_str().unwrap()]].concat(), ""));
    let chart = std::fs::read_to_string(path).unwrap();
    let chart = roxmltree::Document::parse(&chart).expect("XML");
    let number = |node: &roxmltree::Node, name| node.attribute(name).unwrap().parse::<f64>().unwrap();
    let labels: Vec<(&str, f64, f64)> = chart
        .descendants()
        .filter(|node| node.has_tag_name("text"))
        .map(|node| (node.text().unwrap(), number(&node, "x"), number(&node, "y")))
        .collect();
    let label = |text: &str| *labels.iter().find(|(said, ..)| *said == text).unwrap_or_else(|| panic!("{text}"));

    // The scale of the times, by two of its lines. Each stands beside its time.
    let paths = chart.descendants().filter(|node| node.has_tag_name("path"));
    let paths: Vec<(&str, bool)> =
        paths.map(|node| (node.attribute("d").unwrap(), node.attribute("stroke-dasharray").is_some())).collect();
    let ticks = paths.iter().filter(|(d, _)| d.contains('H') && !d.contains('V')).map(|(d, _)| numbers(d)[1]);
    let ticks: Vec<f64> = ticks.collect();
    let at = |text: &str| *ticks.iter().find(|y| (label(text).2 - **y - 4.5).abs() < 0.11).expect("a line at its time");
    let (ms, s) = (at("1 ms"), at("1 s"));
    let y = |seconds: f64| s + (ms - s) * seconds.log10() / -3.0;

    // Points: circles, or diamonds whose upper corner is 5 above them; those of the legend come last.
    let diamond = |d: &str| d.contains("l5 5").then(|| numbers(d)).map(|at| [at[0], at[1] + 5.0]);
    let points = chart.descendants().filter_map(|node| match node.tag_name().name() {
        "circle" => Some([number(&node, "cx"), number(&node, "cy")]),
        "path" => diamond(node.attribute("d").unwrap()),
        _ => None,
    });
    let points: Vec<[f64; 2]> = points.collect();
    let kinds = ["counted", "sampled", "extrapolated"].map(|how| table.iter().any(|row| row["how"] == how));
    assert!(kinds[0] && (kinds[1] || kinds[2]), "{table:?}");
    assert_eq!(points.len(), table.len() + kinds.iter().filter(|shown| **shown).count());
    for (row, [x, height]) in table.iter().zip(&points) {
        assert!((y(row["seconds"].as_f64().unwrap()) - height).abs() < 0.3, "{row}: {height}");
        assert!((label(&row["n"].to_string()).1 - x).abs() < 0.11, "{row}: {x}");
    }
    let steps: Vec<f64> = points[..table.len()].windows(2).map(|pair| pair[1][0] - pair[0][0]).collect();
    assert!(steps.iter().all(|step| *step > 10.0 && (step - steps[0]).abs() < 0.21), "{steps:?}");
    // A line from each point to the next, dashed where the next one has not been counted.
    let segments: Vec<&(&str, bool)> = paths.iter().filter(|(d, _)| d.contains('L')).collect();
    assert_eq!(segments.len(), table.len() - 1);
    for (index, (d, dashed)) in segments.into_iter().enumerate() {
        assert_eq!(numbers(d), [points[index], points[index + 1]].concat());
        assert_eq!(*dashed, table[index + 1]["how"] != "counted", "{}", table[index + 1]);
    }
    // The ends of an interval, as far as they are in the frame.
    let frame = paths.iter().find(|(d, _)| d.contains('V') && d.contains('H')).expect("a frame");
    let [left, top, bottom, right] = numbers(frame.0)[..] else { panic!("{frame:?}") };
    let intervals = paths.iter().filter(|(d, _)| d.contains('V') && !d.contains('H')).map(|(d, _)| numbers(d));
    let sampled = table.iter().filter(|row| row["how"] == "sampled");
    let intervals: Vec<Vec<f64>> = intervals.collect();
    assert_eq!(intervals.len(), sampled.clone().count());
    for (row, interval) in sampled.zip(intervals) {
        let [low, high] = ["seconds_low", "seconds_high"].map(|end| y(row[end].as_f64().unwrap()).min(bottom));
        assert!((interval[1] - low).abs() < 0.3 && (interval[2] - high).abs() < 0.3, "{row}: {interval:?}");
    }
    // All within the picture, points within the frame, and the legend beside its points.
    for [x, y] in &points {
        assert!((left..right).contains(x) && (top..bottom).contains(y), "{x} {y}");
    }
    assert!((label("N").1 - (left + right) / 2.0).abs() < 0.11 && label("N").2 > bottom);
    let size = numbers(chart.root_element().attribute("viewBox").unwrap());
    for (said, x, y) in &labels {
        assert!((0.0..size[2]).contains(x) && (0.0..size[3]).contains(y), "{said}: {x} {y}");
    }
    for (said, [x, y]) in ["counted"].into_iter().zip(&points[table.len()..]) {
        let (_, text_x, text_y) = label(said);
        assert!((text_x - x - 14.0).abs() < 0.11 && (text_y - y - 4.5).abs() < 0.11, "{said}");
    }
}

#[test]
fn two_ways_to_count_take_turns() {
    let pair = ["bench", "13", "--seconds", "1", "--kernel", "portable", "-t", "2", "--against-engine", "backtrack"];
    let line = &lines(&stdout(&[&pair[..], &["--format", "json"]].concat(), ""))[0];
    assert_eq!(
        (&line["n"], &line["first"], &line["second"]),
        (&13.into(), &"rows, portable, threads 2".into(), &"backtrack, threads 2".into())
    );
    let number = |name: &str| line[name].as_f64().unwrap();
    assert!((number("second_seconds") / number("first_seconds") / number("ratio") - 1.0).abs() < 1e-9, "{line}");
    assert!(number("ratio_low") <= number("ratio_high") && number("pairs") >= 1.0, "{line}");
    let said = stdout(&pair, "");
    assert!(said.starts_with("N = 13, ") && said.contains("times as long as the first"), "{said}");
}

#[test]
fn what_does_not_fit_the_time_is_refused() {
    let output = run(&["bench", "30", "--seconds", "1", "--against-threads", "1"], "");
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), String::new()));
    let error = text(&output.stderr);
    assert!(error.starts_with("queencount: expected a count that ends within the given time, found"), "{error}");
}
