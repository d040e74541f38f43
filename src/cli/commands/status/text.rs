//! The status for people: its figures, its table and the next commands, in a terminal or on a page.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use crate::estimate::Interval;
use crate::record::{Group, RecordError};
use unicode_width::UnicodeWidthStr;

use super::campaign::Campaign;
use crate::cli::error::with_sources;
use crate::cli::flags::quoted;
use crate::cli::flags::values::group_name;
use crate::cli::numbers::{clock, grouped, quantity, time};
use crate::cli::ui::escape_control_chars;

pub fn text(campaign: &Campaign) -> String {
    let mut text = String::new();
    let mut say = |line: String| {
        writeln!(text, "{}", escape_control_chars(line.trim_end())).expect("memory takes it")
    };
    for (name, share, words) in figures(campaign) {
        let bar = share.map_or(String::new(), bar);
        say(format!("{name:<18}{bar}{words}"));
    }
    say(String::new());
    let rows: Vec<_> = table(campaign).collect();
    let widths: [usize; COLUMNS] = std::array::from_fn(|column| {
        rows.iter()
            .map(|row| row[column].width())
            .max()
            .unwrap_or(0)
    });
    for [name, numbers @ ..] in &rows {
        let pad = " ".repeat(widths[0] - name.width());
        let cells = numbers
            .iter()
            .zip(&widths[1..])
            .map(|(cell, width)| format!("  {cell:>width$}"));
        say(format!("{name}{pad}{}", cells.collect::<String>()));
    }
    say(String::new());
    shards(campaign).into_iter().for_each(&mut say);
    warnings(campaign).into_iter().for_each(&mut say);
    campaign
        .flaws
        .iter()
        .for_each(|flaw| say(with_sources(flaw)));
    say(String::new());
    commands(campaign).into_iter().for_each(&mut say);
    text
}

/// Returns the figures: each with a name, a fraction of the work, if any, and text.
pub fn figures(campaign: &Campaign) -> Vec<(&'static str, Option<f64>, String)> {
    let Campaign { tally, status, .. } = campaign;
    let plan = tally.plan();
    let hash = plan.hash();
    let units = quantity(plan.units, "unit", "units");
    let done = grouped(tally.done().len().into());
    let hour = percent(status.last_hour);
    let day = percent(status.last_day);
    let records = grouped(campaign.records as u128);
    let lines = grouped(tally.lines().into());
    let repeated = grouped(tally.repeated().into());
    let mut figures = vec![
        (
            "board",
            None,
            format!(
                "N = {}, plan {hash} of {} {}",
                plan.n, plan.engine, plan.parameters
            ),
        ),
        (
            "counted",
            Some(status.counted),
            format!("{done} of {units}"),
        ),
        (
            "counted twice",
            Some(status.counted_twice),
            "with the same result from different sources".to_owned(),
        ),
        ("time so far", None, cost(status.seconds)),
    ];
    let mut more = |name, words: Option<String>| {
        figures.extend(words.map(|words| (name, None, words)));
    };
    let to_come = |left: Option<f64>, of| {
        let left = left.filter(|left| *left > 0.0).map(cost)?;
        Some(format!("{left} remaining, if {of}"))
    };
    more(
        "first count",
        to_come(
            status.seconds_to_come,
            "the rest is like what has been counted",
        ),
    );
    more(
        "second count",
        to_come(
            status.seconds_to_come_twice,
            "it takes as long as the first",
        ),
    );
    more(
        "rate",
        Some(format!("{hour} in the last hour, {day} in the last day")),
    );
    more("first count ETA", forecast(campaign, status.end));
    more("second count ETA", forecast(campaign, status.end_twice));
    let running = status.running;
    more(
        "records",
        Some(format!(
            "{records}, {running} with an entry in the last 15 minutes"
        )),
    );
    more(
        "entries",
        Some(format!("{lines}, of which {repeated} repeat another entry")),
    );
    if let Some(total) = campaign.total() {
        more("total", Some(format!("{} solutions", grouped(total))));
    }
    figures
}

/// Returns the suggested next commands. None of them fails because of a path, and none prints a
/// total while something is wrong.
pub fn commands(campaign: &Campaign) -> Vec<String> {
    let n = campaign.tally.plan().n;
    let of = campaign.shards.of;
    let lacking = campaign.shards.lacking();
    let mut commands = Vec::new();
    if let Some(shard) = lacking.ranges().next() {
        let shard = shard.start;
        commands.push(format!(
            "queencount run {n} --shard {shard}/{of} --record {n}-{shard}-of-{of}.jsonl"
        ));
    }
    let given = &campaign.arguments.records.paths;
    let paths: Vec<_> = given
        .iter()
        .filter(|path| {
            !campaign
                .flaws
                .iter()
                .any(|flaw| flaw.is_transient() && flaw.path() == Some(path))
        })
        .filter_map(|path| named(path))
        .collect();
    // Every command fails on such files.
    let is_blocked = campaign.flaws.iter().any(|flaw| match flaw {
        RecordError::OtherPlan(..) | RecordError::Unexpected(..) | RecordError::Plan(..) => true,
        flaw => flaw.is_transient() && !given.iter().any(|path| flaw.path() == Some(path)),
    });
    if paths.is_empty() || is_blocked {
        return commands;
    }
    let paths = quoted(paths);
    let findings = match &campaign.arguments.exclude.exclude {
        Some(file) => quoted([file]),
        None => format!("{n}.findings"),
    };
    if !campaign.tally.contradictions().is_empty() {
        commands.push(format!(
            "queencount audit {paths} --findings {findings}    # find the wrong lines"
        ));
        commands.push(format!(
            "queencount status {paths} --exclude {findings}    # ignore the wrong lines"
        ));
        return commands;
    }
    let mut options = String::new();
    if campaign.flaws.iter().any(RecordError::can_be_skipped) {
        options += " --salvage";
    }
    if campaign.arguments.exclude.exclude.is_some() {
        options += &format!(" --exclude {findings}");
    }
    if lacking.is_empty() {
        commands.push(format!("queencount merge {paths}{options}    # the total"));
        commands.push(format!(
            "queencount publish {paths}{options} | sha256sum    # a hash to compare"
        ));
    } else {
        commands.push(format!(
            "queencount merge {paths} --shards {of}{options}    # the shards to count"
        ));
    }
    if campaign.status.counted_twice < campaign.status.counted {
        commands.push(format!(
            "queencount merge {paths} --second --shards {of}{options}    # the shards to recount"
        ));
    }
    commands
}

/// Returns a path as an argument, if it can be read again.
fn named(path: &Path) -> Option<PathBuf> {
    if !path.is_file() && !path.is_dir() {
        return None;
    }
    // A name that begins like an option would be taken for one.
    Some(match path.as_os_str().as_encoded_bytes() {
        [b'-', ..] => Path::new(".").join(path),
        _ => path.to_owned(),
    })
}

/// Returns warnings that are not about wrong lines: shared counts, and clocks.
pub fn warnings(campaign: &Campaign) -> Vec<String> {
    const SHOWN: usize = 10;
    let shared = campaign.tally.shared_counts();
    let mut warnings = Vec::new();
    for ((one, other), counts) in shared.iter().take(SHOWN) {
        let counts = quantity(*counts, "count", "counts");
        warnings.push(format!(
            "{} and {} share {counts}, because some of their lines are identical",
            one.display(),
            other.display()
        ));
    }
    if shared.len() > SHOWN {
        let more = shared.len() - SHOWN;
        warnings.push(format!("{more} more pairs of sources share counts"));
    }
    let by = group_name(campaign.arguments.by);
    let ahead = campaign
        .status
        .groups
        .iter()
        .filter(|group| group.seconds_ahead > 0);
    for group in ahead.take(SHOWN) {
        let name = name(group);
        let ahead = clock(Duration::from_secs(group.seconds_ahead));
        warnings.push(format!(
            "{by} {name}: an entry is {ahead} in the future, and is excluded from the rates"
        ));
    }
    warnings
}

/// Returns a fraction as a bar and a percentage.
fn bar(share: f64) -> String {
    const LENGTH: usize = 24;
    let done = "=".repeat(((share * LENGTH as f64) as usize).min(LENGTH));
    format!("[{done:<LENGTH$}] {:>8}  ", percent(share))
}

/// Returns a fraction in percent. Anything below 100 % is never rounded up to 100 %.
pub fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    let shown = if share < 1.0 {
        percent.min(99.99)
    } else {
        percent
    };
    format!("{shown:.2}%")
}

fn cost(seconds: f64) -> String {
    match seconds / 3600.0 {
        hours @ 10.0.. => format!("{} thread-hours", grouped(hours.round() as u128)),
        hours @ 0.1.. => format!("{hours:.2} thread-hours"),
        _ => format!("{} of thread time", time(seconds)),
    }
}

pub fn moment(seconds: u64) -> String {
    let time = UNIX_EPOCH + Duration::from_secs(seconds);
    let text = humantime::format_rfc3339_seconds(time).to_string();
    text.replace('T', " ").chars().take(16).collect::<String>() + " UTC"
}

fn forecast(campaign: &Campaign, end: Option<Interval>) -> Option<String> {
    let Interval { mean, margin } = end.filter(|end| end.mean > 0.0)?;
    // 3000 years are enough, and no number overflows.
    let [mean, margin] = [mean, margin].map(|seconds| seconds.clamp(0.0, 1e11) as u64);
    let end = moment(campaign.now + mean);
    let left = clock(Duration::from_secs(mean));
    let margin = clock(Duration::from_secs(margin));
    Some(format!(
        "{end}, in {left} ± {margin}, at the rate of the last day"
    ))
}

const COLUMNS: usize = 7;

/// Returns the table of groups: its header, and a row for each of them.
pub fn table(campaign: &Campaign) -> impl Iterator<Item = [String; COLUMNS]> {
    let rows = campaign.status.groups.iter().map(|group| {
        let ago = group
            .last_time
            .map(|time| clock(Duration::from_secs(campaign.now - time)));
        [
            name(group),
            percent(group.work).replace('%', ""),
            percent(group.last_day).replace('%', ""),
            grouped(group.entries.into()),
            format!("{:.1}", group.seconds / 3600.0),
            ago.unwrap_or_else(|| "?".to_owned()),
            group.disputed.to_string(),
        ]
    });
    let by = group_name(campaign.arguments.by);
    let header = [
        by, "share %", "last day", "entries", "hours", "last", "disputed",
    ];
    std::iter::once(header.map(str::to_owned)).chain(rows)
}

fn name(group: &Group) -> String {
    match group.name.is_empty() {
        true => "(none)".to_owned(),
        false => escape_control_chars(&group.name),
    }
}

/// Returns the shards that lack units or second counts.
fn shards(campaign: &Campaign) -> [String; 2] {
    const LONGEST: usize = 200;
    let of = campaign.shards.of;
    let lacking = [
        ("units", campaign.shards.lacking()),
        ("a second count", campaign.shards.lacking_second()),
    ];
    lacking.map(|(what, shards)| {
        let mut numbers = match shards.is_empty() {
            true => "none".to_owned(),
            false => shards.to_string(),
        };
        if let Some(end) = numbers
            .get(..LONGEST)
            .and_then(|numbers| numbers.rfind(','))
        {
            numbers.replace_range(end.., ",...");
        }
        format!("shards lacking {what} (of {of}): {numbers}")
    })
}
