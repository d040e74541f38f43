//! The status for people: its figures, its table and the commands that come next, in a terminal or
//! on a page.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use queencount::estimate::Interval;
use queencount::record::Source;
use unicode_width::UnicodeWidthStr;

use super::campaign::Campaign;
use crate::cli::arguments::quoted;
use crate::cli::arguments::values::source_name;
use crate::cli::notes::{in_one_line, shortened};
use crate::cli::numbers::{clock, grouped, quantity, time};

/// The table is no wider than this, as long as numbers allow.
const WIDEST: usize = 80;
/// A name has as many columns, or more.
const NARROWEST: usize = 8;

pub fn text(campaign: &Campaign) -> String {
    let mut text = String::new();
    let mut say =
        |line: String| writeln!(text, "{}", in_one_line(line.trim_end())).expect("memory takes it");
    for (name, share, words) in figures(campaign) {
        let bar = share.map_or(String::new(), bar);
        say(format!("{name:<15}{bar}{words}"));
    }
    say(String::new());
    let rows: Vec<_> = table(campaign).collect();
    let width = |column: usize| {
        rows.iter()
            .map(|row| row[column].width())
            .max()
            .unwrap_or(0)
    };
    let widths: [usize; COLUMNS] = std::array::from_fn(width);
    let numbers: usize = widths[1..].iter().map(|width| width + 2).sum();
    let room = WIDEST.saturating_sub(numbers).max(NARROWEST).min(widths[0]);
    for [name, numbers @ ..] in &rows {
        let name = shortened(name, room);
        let pad = " ".repeat(room - name.width().min(room));
        let cells = numbers
            .iter()
            .zip(&widths[1..])
            .map(|(cell, width)| format!("  {cell:>width$}"));
        say(format!("{name}{pad}{}", cells.collect::<String>()));
    }
    say(String::new());
    shards(campaign).into_iter().for_each(&mut say);
    warnings(campaign).for_each(&mut say);
    campaign.flaws.iter().for_each(|flaw| say(flaw.to_string()));
    say(String::new());
    commands(campaign).into_iter().for_each(&mut say);
    text
}

/// Each figure: its name, the share of the work that it is, and what else there is to say.
pub fn figures(campaign: &Campaign) -> Vec<(&'static str, Option<f64>, String)> {
    let Campaign {
        tally, standing, ..
    } = campaign;
    let plan = tally.plan();
    let units = format!(
        "{} of {}",
        grouped(tally.done().len().into()),
        quantity(plan.units, "unit", "units")
    );
    let findings = quantity(tally.findings().count() as u64, "entry", "entries");
    let rate = format!(
        "{} in the last hour, {} in the last day",
        percent(standing.hour),
        percent(standing.day)
    );
    let by = source_name(campaign.arguments.by);
    let running = format!("{} with an entry in the last 15 minutes", standing.running);
    let again = format!("{} of them again", grouped(tally.repeated().into()));
    let mut figures = vec![
        (
            "board",
            None,
            format!(
                "N = {}, plan {} of {} {}",
                plan.n,
                plan.hash(),
                plan.engine,
                plan.parameters
            ),
        ),
        ("counted", Some(standing.counted), units),
        (
            "counted twice",
            Some(standing.counted_twice),
            format!("alike, by different {by}s"),
        ),
        (
            "audited",
            Some(standing.audited),
            format!("{findings} counted again"),
        ),
        ("time so far", None, cost(standing.seconds)),
    ];
    let mut more =
        |name, words: Option<String>| figures.extend(words.map(|words| (name, None, words)));
    let [first, second] = [standing.to_come, standing.to_come_twice]
        .map(|left| left.filter(|left| *left > 0.0).map(cost));
    more(
        "first count",
        first.map(|left| format!("{left} to come, if the rest is like what is counted")),
    );
    more(
        "second count",
        second.map(|left| format!("{left} to come, if it takes as long")),
    );
    more("rate", Some(rate));
    more("first end", forecast(campaign, standing.end));
    more("second end", forecast(campaign, standing.end_twice));
    more(
        "records",
        Some(format!("{}, {running}", grouped(campaign.records as u128))),
    );
    more(
        "entries",
        Some(format!("{}, {again}", grouped(tally.lines().into()))),
    );
    figures
}

/// The commands that come next.
pub fn commands(campaign: &Campaign) -> Vec<String> {
    let (n, of) = (campaign.tally.plan().n, campaign.shards.of);
    // A name that begins like an option would be taken for one.
    let named = |path: &PathBuf| match path.as_os_str().as_encoded_bytes() {
        [b'-', _, ..] => Path::new(".").join(path),
        _ => path.clone(),
    };
    let paths = quoted(campaign.arguments.records.paths.iter().map(named));
    // What a merge needs for records with flaws.
    let salvage = if campaign.flaws.is_empty() {
        ""
    } else {
        " --salvage"
    };
    let mut commands = Vec::new();
    let lacking = campaign.shards.lacking();
    if campaign.tally.disputes().next().is_some() {
        commands.push(format!(
            "queencount audit {paths}    # which of the disputed lines are right"
        ));
    }
    if !lacking.is_empty() {
        let one = lacking.ranges().next().map_or(1, |range| range.start);
        commands.push(format!(
            "queencount merge {paths} --shards {of}{salvage}    # what to count"
        ));
        commands.push(format!(
            "queencount run {n} --shard {one}/{of} --record FILE"
        ));
    } else {
        commands.push(format!("queencount merge {paths}{salvage}    # the total"));
        commands.push(format!(
            "queencount publish {paths}{salvage} > q{n}.jsonl    # for everybody"
        ));
    }
    if campaign.standing.counted_twice < campaign.standing.counted {
        let second = match source_name(campaign.arguments.by) {
            "site" => "--second".to_owned(),
            by => format!("--second --by {by}"),
        };
        commands.push(format!(
            "queencount merge {paths} --shards {of} {second}{salvage}    # what to count again"
        ));
    }
    commands
}

/// What is odd, though no line is wrong: copies, and clocks.
pub fn warnings(campaign: &Campaign) -> impl Iterator<Item = String> {
    const SHOWN: usize = 10;
    let by = source_name(campaign.arguments.by);
    let ahead = campaign
        .standing
        .sources
        .iter()
        .filter(|source| source.ahead > 0)
        .take(SHOWN);
    let copies = campaign.tally.copies().map(ToString::to_string).into_iter();
    copies.chain(ahead.map(move |source| {
        let (name, ahead) = (name(source), clock(Duration::from_secs(source.ahead)));
        format!("{by} {name}: an entry is {ahead} in the future; set the clock right: the rates leave such entries out")
    }))
}

/// A share as a bar and a number.
fn bar(share: f64) -> String {
    const LENGTH: usize = 24;
    let done = "=".repeat(((share * LENGTH as f64) as usize).min(LENGTH));
    format!("[{done:<LENGTH$}] {:>8}  ", percent(share))
}

/// A share in percent. What is not all is never told as all.
pub fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    let shown = if share < 1.0 {
        percent.min(99.99)
    } else {
        percent
    };
    format!("{shown:.2} %")
}

fn cost(seconds: f64) -> String {
    match seconds / 3600.0 {
        hours @ 10.0.. => format!("{} core-hours", grouped(hours.round() as u128)),
        hours @ 0.1.. => format!("{hours:.2} core-hours"),
        _ => format!("{} of a core", time(seconds)),
    }
}

pub fn moment(seconds: u64) -> String {
    let text =
        humantime::format_rfc3339_seconds(UNIX_EPOCH + Duration::from_secs(seconds)).to_string();
    text.replace('T', " ")
        .replace('Z', "")
        .chars()
        .take(16)
        .collect::<String>()
        + " UTC"
}

fn forecast(campaign: &Campaign, end: Option<Interval>) -> Option<String> {
    let Interval { mean, margin } = end.filter(|end| end.mean > 0.0)?;
    // 3000 years are enough, and no number overflows.
    let seconds = |seconds: f64| seconds.clamp(0.0, 1e11) as u64;
    let (end, left) = (
        moment(campaign.now + seconds(mean)),
        clock(Duration::from_secs(seconds(mean))),
    );
    Some(format!(
        "{end}, in {left} +- {}, as in the last day",
        clock(Duration::from_secs(seconds(margin)))
    ))
}

const COLUMNS: usize = 9;

/// What the table of sources says: its heads, and a line for each of them.
pub fn table(campaign: &Campaign) -> impl Iterator<Item = [String; COLUMNS]> {
    let share = |share: f64| percent(share).replace(" %", "");
    let line = move |source: &Source| {
        let last = source.last.map_or_else(
            || "?".to_owned(),
            |time| clock(Duration::from_secs(campaign.now - time)),
        );
        [
            name(source),
            share(source.work),
            share(source.day),
            grouped(source.entries.into()),
            format!("{:.1}", source.seconds / 3600.0),
            last,
            share(source.audited),
            source.disputed.to_string(),
            source.wrong.to_string(),
        ]
    };
    let by = source_name(campaign.arguments.by);
    let heads = [
        by, "share %", "last day", "entries", "hours", "last", "audited", "disputed", "wrong",
    ];
    std::iter::once(heads.map(str::to_owned)).chain(campaign.standing.sources.iter().map(line))
}

fn name(source: &Source) -> String {
    if source.name.is_empty() {
        "(none)".to_owned()
    } else {
        shortened(&in_one_line(&source.name), 60)
    }
}

/// Which shards lack what.
fn shards(campaign: &Campaign) -> [String; 2] {
    const LONGEST: usize = 200;
    let of = campaign.shards.of;
    let lacking = [
        ("units", campaign.shards.lacking()),
        ("a second count", campaign.shards.once()),
    ];
    lacking.map(|(what, shards)| {
        let mut numbers = if shards.is_empty() {
            "none".to_owned()
        } else {
            shards.to_string()
        };
        if let Some(end) = numbers
            .get(..LONGEST)
            .and_then(|numbers| numbers.rfind(','))
        {
            numbers.replace_range(end.., ",...");
        }
        format!("of {of} shards lack {what}: {numbers}")
    })
}
