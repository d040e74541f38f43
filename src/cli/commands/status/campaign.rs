//! A campaign: the state of a count shared by many machines.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use crate::cli::commands::plan::shards;
use crate::cli::commands::prelude::*;
use crate::cli::flags::values::group_name;
use crate::cli::numbers::time;

pub(super) struct Campaign<'a> {
    arguments: &'a StatusArguments,
    pub records: Vec<PathBuf>,
    pub tally: Tally,
    /// The control characters in group names are escaped.
    pub status: CampaignStatus,
    pub shards: Shards,
    flaws: Vec<RecordError>,
    /// In seconds since 1970.
    pub now: u64,
}

pub(super) struct Shards {
    pub of: u64,
    pub states: [(&'static str, UnitSet); 5],
}

#[derive(Serialize)]
struct StatusRow<'a> {
    n: u32,
    total: Option<Count>,
    complete: bool,
    #[serde(flatten)]
    status: &'a CampaignStatus,
    time: u64,
    records: u64,
    entries: u64,
    repeated: u64,
    shared: u64,
    units: u64,
    units_counted: u64,
    missing: String,
    by: String,
    shards: ShardsRow,
    flaws: Vec<String>,
    engine: &'a str,
    parameters: &'a str,
    plan: String,
    version: &'static str,
}

#[derive(Serialize)]
struct ShardsRow {
    of: u64,
    #[serde(flatten)]
    states: BTreeMap<&'static str, String>,
}

/// Indexed by the constants below.
const SHARD_STATES: [&str; 5] = ["missing", "begun", "counted", "counted_twice", "disputed"];
const MISSING: usize = 0;
const BEGUN: usize = 1;
const COUNTED: usize = 2;
const COUNTED_TWICE: usize = 3;
const DISPUTED: usize = 4;

impl Shards {
    /// Divides the units into `of` shards. A shard without units has no state.
    fn new(tally: &Tally, engine: &dyn Engine, of: u64) -> Self {
        let done = tally.done();
        let twice = tally.counted_twice();
        let mut disputed = UnitSet::new();
        for dispute in tally.disputes() {
            disputed.extend(dispute.units().ranges());
        }
        let mut states = SHARD_STATES.map(|name| (name, UnitSet::new()));
        for (number, units) in shards(engine, of) {
            let units = UnitSet::from(units);
            let state = if units.is_empty() {
                continue;
            } else if !units.is_disjoint(&disputed) {
                DISPUTED
            } else if units.is_subset(&twice) {
                COUNTED_TWICE
            } else if units.is_subset(done) {
                COUNTED
            } else if !units.is_disjoint(done) {
                BEGUN
            } else {
                MISSING
            };
            states[state].1.insert(number..number + 1);
        }
        Self { of, states }
    }

    fn in_states(&self, states: &[usize]) -> UnitSet {
        let states = states.iter();
        states
            .flat_map(|&state| self.states[state].1.ranges())
            .collect()
    }

    fn lacking(&self) -> UnitSet {
        self.in_states(&[MISSING, BEGUN, DISPUTED])
    }
}

impl<'a> Campaign<'a> {
    pub(super) fn read(app: &App, arguments: &'a StatusArguments) -> Result<Self> {
        let exclude = arguments.exclude.exclude.as_ref();
        let Loaded {
            records,
            tally,
            engine,
            flaws,
            ..
        } = records::load(app, &arguments.records, exclude, true)?;
        let now = UNIX_EPOCH.elapsed().map_or(0, |time| time.as_secs());
        let tasks = engine.units().div_ceil(engine.units_per_task()).max(1);
        let of = arguments.shards.unwrap_or(tasks.min(100));
        let mut status = CampaignStatus::new(&tally, engine.as_ref(), now, arguments.by);
        for group in &mut status.groups {
            group.name = escape_control_chars(&group.name);
        }
        Ok(Self {
            arguments,
            records,
            status,
            shards: Shards::new(&tally, engine.as_ref(), of),
            tally,
            flaws,
            now,
        })
    }

    pub(super) fn total(&self) -> Option<u128> {
        self.tally.total().filter(|_| self.flaws.is_empty())
    }

    /// Fails if merging the same records would fail.
    pub(super) fn verdict(mut self, app: &App) -> Result<()> {
        records::fail_on_transient(&mut self.flaws)?;
        if self.total().is_some() {
            return Ok(());
        }
        if self.flaws.is_empty() {
            return Err(records::incomplete(&self.tally));
        }
        // The table of groups has no column for flaws.
        if app.output.format() == Format::Csv {
            for flaw in &self.flaws {
                app.ui.error(with_sources(flaw));
            }
        }
        let flaws = self.flaws.iter().map(RecordError::flaw_count).sum();
        let flaws = quantity(flaws, "problem", "problems");
        Err(Error::Wrong(format!(
            "the records have {flaws}, listed above"
        )))
    }

    pub(super) fn row(&self) -> impl Serialize {
        let tally = &self.tally;
        let plan = tally.plan();
        let states = self.shards.states.iter();
        StatusRow {
            n: plan.n,
            total: self.total().map(Count),
            complete: self.total().is_some(),
            status: &self.status,
            time: self.now,
            records: self.records.len() as u64,
            entries: tally.entry_count(),
            repeated: tally.repeated(),
            shared: tally.shared_counts().values().sum(),
            units: plan.units,
            units_counted: tally.done().len(),
            missing: tally.missing().to_string(),
            by: group_name(self.arguments.by),
            shards: ShardsRow {
                of: self.shards.of,
                states: states
                    .map(|(name, shards)| (*name, shards.to_string()))
                    .collect(),
            },
            flaws: self.flaws.iter().map(|flaw| with_sources(flaw)).collect(),
            engine: &plan.engine,
            parameters: &plan.parameters,
            plan: plan.hash(),
            version: crate::VERSION,
        }
    }

    /// Returns each figure's name, its fraction of the work (if it has one), and its description.
    pub(super) fn figures(&self) -> Vec<(&'static str, Option<f64>, String)> {
        let Self { tally, status, .. } = self;
        let plan = tally.plan();
        let to_come = |seconds: Option<f64>, of| {
            let left = cost(seconds.filter(|seconds| *seconds > 0.0)?);
            Some(format!("{left} remaining, if {of}"))
        };
        let forecast = |seconds: Option<f64>| {
            // A limit of 3000 years prevents overflow.
            let left = seconds.filter(|seconds| *seconds > 0.0)?.min(1e11) as u64;
            let end = moment(self.now + left);
            let left = clock(Duration::from_secs(left));
            Some(format!("{end}, in {left}, at the rate of the last day"))
        };
        let counted = grouped(tally.done().len().into());
        let units = quantity(plan.units, "unit", "units");
        let lines = grouped(tally.entry_count().into());
        let records = quantity(self.records.len() as u64, "record", "records");
        let repeated = grouped(tally.repeated().into());
        let total = self.total().map(grouped);
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
            (
                "counted",
                Some(status.share_counted),
                format!("{counted} of {units}"),
            ),
            (
                "counted twice",
                Some(status.share_counted_twice),
                "with the same result from different sources".to_owned(),
            ),
            ("time so far", None, cost(status.thread_seconds)),
        ];
        let others = [
            (
                "first count",
                to_come(status.thread_seconds_to_come, "the speed stays the same"),
            ),
            (
                "second count",
                to_come(
                    status.thread_seconds_to_come_twice,
                    "it takes as long as the first",
                ),
            ),
            (
                "rate",
                Some(percent(status.share_last_day) + " in the last day"),
            ),
            ("first count ETA", forecast(status.seconds_left)),
            ("second count ETA", forecast(status.seconds_left_twice)),
            (
                "entries",
                Some(format!(
                    "{lines} in {records}, of which {repeated} repeat another entry"
                )),
            ),
            ("total", total.map(|total| total + " solutions")),
        ];
        let others = others.into_iter();
        figures.extend(others.filter_map(|(name, words)| Some((name, None, words?))));
        figures
    }

    pub(super) fn table(&self) -> Vec<[String; COLUMNS]> {
        let by = group_name(self.arguments.by);
        let header = [
            &by, "share %", "last day", "entries", "hours", "last", "disputed",
        ];
        let mut table = vec![header.map(str::to_owned)];
        table.extend(self.status.groups.iter().map(|group| {
            [
                name(group).to_owned(),
                percent(group.share_counted).replace('%', ""),
                percent(group.share_last_day).replace('%', ""),
                grouped(group.entries.into()),
                format!("{:.1}", group.thread_seconds / 3600.0),
                group.last_time.map_or_else(
                    || "?".to_owned(),
                    |time| clock(Duration::from_secs(self.now - time)),
                ),
                group.disputed.to_string(),
            ]
        }));
        table
    }

    pub(super) fn lacking_shards(&self) -> [String; 2] {
        const LONGEST: usize = 200;
        let of = self.shards.of;
        let second = self.shards.in_states(&[MISSING, BEGUN, COUNTED, DISPUTED]);
        let lacking = [("units", self.shards.lacking()), ("a second count", second)];
        lacking.map(|(what, shards)| {
            let mut numbers = shards.to_string();
            if numbers.is_empty() {
                numbers += "none";
            }
            let shown = numbers.get(..LONGEST);
            if let Some(end) = shown.and_then(|shown| shown.rfind(',')) {
                numbers.replace_range(end.., ",...");
            }
            format!("shards lacking {what} (of {of}): {numbers}")
        })
    }

    pub(super) fn problems(&self) -> Vec<String> {
        const SHOWN: usize = 10;
        let shared = self.tally.shared_counts().into_iter().take(SHOWN);
        let shared = shared.map(|((one, other), counts)| {
            let counts = quantity(counts, "count", "counts");
            let sources = format!("{} and {}", one.display(), other.display());
            format!("{sources} share {counts}, because some of their lines are identical")
        });
        let by = group_name(self.arguments.by);
        let groups = self.status.groups.iter();
        let ahead = groups.filter(|group| group.seconds_ahead > 0).take(SHOWN);
        let ahead = ahead.map(|group| {
            let ahead = clock(Duration::from_secs(group.seconds_ahead));
            let name = name(group);
            format!("{by} {name}: an entry is dated {ahead} in the future; the rates exclude it")
        });
        let flaws = self.flaws.iter().map(|flaw| with_sources(flaw));
        let problems = shared.chain(ahead).chain(flaws);
        problems
            .map(|problem| escape_control_chars(&problem))
            .collect()
    }

    /// Returns the suggested next commands. None of them uses an unusable path, or prints a total
    /// while something is wrong.
    pub(super) fn commands(&self) -> Vec<String> {
        let Plan { n, engine, .. } = self.tally.plan();
        let of = self.shards.of;
        let excluded = self.arguments.exclude.exclude.as_ref();
        let exclude = excluded.map_or(String::new(), |file| {
            format!(" --exclude {}", quoted([file]))
        });
        let mut commands = Vec::new();
        // Disputed units need an audit first.
        let to_count = self.shards.in_states(&[MISSING, BEGUN]);
        if let Some(Range { start: shard, .. }) = to_count.ranges().next() {
            commands.push(format!(
                "queencount run {n} --engine {engine} --shard {shard}/{of} \
                 --record {n}-{shard}-of-{of}.jsonl{exclude}"
            ));
        }
        let unreadable = self.flaws.iter().filter(|flaw| flaw.is_transient());
        let unreadable: Vec<_> = unreadable.filter_map(RecordError::path).collect();
        let given = self.arguments.records.paths.iter();
        let (without, paths): (Vec<_>, Vec<_>) =
            given.partition(|path| unreadable.contains(&path.as_path()));
        let paths: Vec<_> = paths.into_iter().filter_map(|path| again(path)).collect();
        let mut flaws = self.flaws.iter();
        let is_blocked =
            flaws.any(|flaw| matches!(flaw, RecordError::OtherPlan(..) | RecordError::Plan(..)));
        if paths.is_empty() || is_blocked || without.len() < unreadable.len() {
            return commands;
        }
        let paths = quoted(paths);
        let mut options = String::new();
        if self.flaws.iter().any(RecordError::can_be_skipped) {
            options += " --salvage";
        }
        options += &exclude;
        let findings = excluded.map_or_else(|| format!("{n}.findings"), |file| quoted([file]));
        let shards = format!("--shards {of}{options}");
        let mut suggest = |command| commands.push(format!("queencount {command}"));
        if !self.tally.contradictions().is_empty() {
            suggest(format!(
                "audit {paths} --findings {findings}    # find the wrong lines"
            ));
            suggest(format!(
                "status {paths} --exclude {findings}    # ignore the wrong lines"
            ));
            return commands;
        }
        if self.shards.lacking().is_empty() {
            suggest(format!("merge {paths}{options}    # the total"));
            suggest(format!(
                "publish {paths}{options} | sha256sum    # a hash to compare"
            ));
        } else {
            suggest(format!("merge {paths} {shards}    # the shards to count"));
        }
        if self.status.share_counted_twice < self.status.share_counted {
            suggest(format!(
                "merge {paths} --second {shards}    # the shards to recount"
            ));
        }
        commands
    }
}

/// Returns a path as it must be written on a command line, or `None` if it cannot be read a second
/// time.
fn again(path: &Path) -> Option<PathBuf> {
    if !path.is_file() && !path.is_dir() {
        return None;
    }
    // A path that begins with a minus sign would be taken for an option.
    Some(match path.as_os_str().as_encoded_bytes() {
        [b'-', ..] => Path::new(".").join(path),
        _ => path.to_owned(),
    })
}

pub(super) const COLUMNS: usize = 7;

fn name(group: &Group) -> &str {
    match group.name.as_str() {
        "" => "(none)",
        name => name,
    }
}

/// Formats a fraction. A fraction below 1 is never shown as 100%.
pub(super) fn percent(share: f64) -> String {
    let most = if share < 1.0 { 99.99 } else { f64::MAX };
    format!("{:.2}%", (100.0 * share).min(most))
}

fn cost(seconds: f64) -> String {
    match seconds / 3600.0 {
        hours @ 10.0.. => format!("{} thread-hours", grouped(hours.round() as u128)),
        hours @ 0.1.. => format!("{hours:.2} thread-hours"),
        _ => format!("{} of thread time", time(seconds)),
    }
}

pub(super) fn moment(seconds: u64) -> String {
    let time = UNIX_EPOCH + Duration::from_secs(seconds);
    let text = humantime::format_rfc3339_seconds(time).to_string();
    text[..16].replace('T', " ") + " UTC"
}
