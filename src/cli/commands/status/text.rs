//! The status for people, in a terminal or a log.

use std::fmt::Write;
use std::time::{Duration, UNIX_EPOCH};

use queencount::estimate::Interval;
use queencount::record::Source;

use super::campaign::{Campaign, ShardState};
use crate::cli::arguments::quoted;
use crate::cli::arguments::values::source_name;
use crate::cli::numbers::{clock, grouped, quantity, time};

/// All that there is to say.
pub fn text(campaign: &Campaign) -> String {
    let Campaign { tally, standing, .. } = campaign;
    let plan = tally.plan();
    let mut text = String::new();
    let mut line = |name: &str, words: String| writeln!(text, "{name:<15}{words}").expect("memory takes it");
    line("board", format!("N = {}, plan {} of {} {}", plan.n, plan.hash(), plan.engine, plan.parameters));
    let units = format!("{} of {}", grouped(tally.done().len().into()), quantity(plan.units, "unit", "units"));
    line("counted", format!("{}  {units}", bar(standing.counted)));
    line("counted twice", format!("{}  alike, by different sites", bar(standing.counted_twice)));
    let findings = quantity(tally.findings().count() as u64, "entry", "entries");
    line("audited", format!("{} of the work, {findings} counted again", percent(standing.audited)));
    line("time so far", cost(standing.seconds));
    if let Some(left) = to_come(campaign) {
        line("time to come", left);
    }
    line("rate", format!("{} in the last hour, {} in the last day", percent(standing.hour), percent(standing.day)));
    if let Some(end) = forecast(campaign) {
        line("end", end);
    }
    let running = format!("{} with an entry in the last 15 minutes", campaign.standing.running);
    line("records", format!("{}, {running}", grouped(campaign.records as u128)));
    let entries = tally.lines().count() as u128;
    line("entries", format!("{}, {} of them again", grouped(entries), grouped(tally.repeated().into())));
    text.push('\n');
    sources(campaign, &mut text);
    text.push('\n');
    shards(campaign, &mut text);
    for flaw in &campaign.flaws {
        writeln!(text, "{flaw}").expect("memory takes it");
    }
    text.push('\n');
    for command in commands(campaign) {
        writeln!(text, "{command}").expect("memory takes it");
    }
    text
}

/// The commands that come next.
pub fn commands(campaign: &Campaign) -> Vec<String> {
    let (n, of) = (campaign.tally.plan().n, campaign.shards.len());
    let paths = quoted(&campaign.arguments.records.paths);
    // What a merge needs for records with flaws.
    let salvage = if campaign.flaws.is_empty() { "" } else { " --salvage" };
    let mut commands = Vec::new();
    let lacking = campaign.shards_that_are(&ShardState::LACKING);
    if campaign.tally.disputes().next().is_some() {
        commands.push(format!("queencount audit {paths}    # which of the disputed lines are right"));
    }
    if !lacking.is_empty() {
        let one = lacking.ranges().next().map_or(1, |range| range.start);
        commands.push(format!("queencount merge {paths} --shards {of}{salvage}    # what to count"));
        commands.push(format!("queencount run {n} --shard {one}/{of} --record FILE"));
    } else {
        commands.push(format!("queencount merge {paths}{salvage}    # the total"));
        commands.push(format!("queencount publish {paths}{salvage} > q{n}.jsonl    # for everybody"));
    }
    if campaign.standing.counted_twice < campaign.standing.counted {
        commands.push(format!("queencount merge {paths} --shards {of} --second{salvage}    # what to count again"));
    }
    commands
}

/// A share as a bar and a number.
fn bar(share: f64) -> String {
    const LENGTH: usize = 40;
    let done = "=".repeat(((share * LENGTH as f64) as usize).min(LENGTH));
    format!("[{done:<LENGTH$}] {:>9}", percent(share))
}

/// A share in percent. What is not all is never told as all.
pub fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    let shown = if share < 1.0 { percent.min(99.99) } else { percent };
    format!("{shown:.2} %")
}

/// A time on CPUs.
pub fn cost(seconds: f64) -> String {
    match seconds / 3600.0 {
        hours @ 10.0.. => format!("{} core-hours", grouped(hours.round() as u128)),
        hours @ 0.1.. => format!("{hours:.2} core-hours"),
        _ => format!("{} of a core", time(seconds)),
    }
}

/// A point in time.
pub fn moment(seconds: u64) -> String {
    let text = humantime::format_rfc3339_seconds(UNIX_EPOCH + Duration::from_secs(seconds)).to_string();
    text.replace('T', " ").replace('Z', "").chars().take(16).collect::<String>() + " UTC"
}

/// What the rest will cost.
pub fn to_come(campaign: &Campaign) -> Option<String> {
    let Interval { mean, margin } = campaign.standing.to_come.filter(|left| left.mean > 0.0)?;
    Some(format!("{} +- {}", cost(mean), percent(margin / mean)))
}

/// When all will be counted.
pub fn forecast(campaign: &Campaign) -> Option<String> {
    let Interval { mean, margin } = campaign.standing.end.filter(|end| end.mean > 0.0)?;
    // Further ahead nobody looks.
    let seconds = |seconds: f64| seconds.clamp(0.0, 1e11) as u64;
    let (end, left) = (moment(campaign.now + seconds(mean)), clock(Duration::from_secs(seconds(mean))));
    Some(format!("{end}, in {left} +- {}, as in the last day", clock(Duration::from_secs(seconds(margin)))))
}

/// What the table of sources says: its heads, and a line for each of them.
pub fn table(campaign: &Campaign) -> impl Iterator<Item = [String; 9]> {
    let line = |source: &Source| {
        let name = if source.name.is_empty() { "(none)" } else { &source.name };
        let [work, hour, day, audited] = [source.work, source.hour, source.day, source.audited].map(percent);
        let (entries, hours) = (grouped(source.entries.into()), format!("{:.1}", source.seconds / 3600.0));
        let ago = |time: u64| clock(Duration::from_secs(campaign.now.saturating_sub(time))) + " ago";
        let last = source.last.map_or_else(|| "unknown".to_owned(), ago);
        [name.to_owned(), work, hour, day, entries, hours, last, audited, source.disputed.to_string()]
    };
    let by = source_name(campaign.arguments.by);
    let heads = [by, "share", "last hour", "last day", "entries", "core-hours", "last entry", "audited", "disputed"];
    std::iter::once(heads.map(str::to_owned)).chain(campaign.standing.sources.iter().map(line))
}

fn sources(campaign: &Campaign, text: &mut String) {
    let rows: Vec<[String; 9]> = table(campaign).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    for row in &rows {
        let cells = row.iter().enumerate().map(|(column, cell)| match (column, width(column)) {
            (0, width) => format!("{cell:<width$}"),
            (_, width) => format!("{cell:>width$}"),
        });
        writeln!(text, "{}", cells.collect::<Vec<_>>().join("  ").trim_end()).expect("memory takes it");
    }
}

fn shards(campaign: &Campaign, text: &mut String) {
    let of = campaign.shards.len();
    let numbers = |states: &[ShardState]| match campaign.shards_that_are(states).to_string() {
        none if none.is_empty() => "none".to_owned(),
        numbers => shortened(&numbers),
    };
    let once = [&ShardState::LACKING[..], &[ShardState::Counted]].concat();
    for (what, states) in [("lack units", &ShardState::LACKING[..]), ("lack a second count", &once)] {
        writeln!(text, "of {of} shards {what}: {}", numbers(states)).expect("memory takes it");
    }
}

/// A list of which a line holds only the beginning.
fn shortened(numbers: &str) -> String {
    const LONGEST: usize = 200;
    match numbers[..numbers.len().min(LONGEST)].rfind(',') {
        Some(end) if numbers.len() > LONGEST => format!("{},...", &numbers[..end]),
        _ => numbers.to_owned(),
    }
}
