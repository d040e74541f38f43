//! The status for programs: one JSON object.

use queencount::estimate::Interval;
use serde::Serialize;

use super::campaign::{Campaign, ShardState};
use super::text::kind;

/// All that there is to say, a line.
pub fn json(campaign: &Campaign) -> String {
    let Campaign { tally, standing, .. } = campaign;
    let plan = tally.plan();
    let complete = campaign.is_complete();
    let sources = standing.sources.iter().map(|source| SourceMembers {
        name: &source.name,
        share: source.work,
        last_hour: source.hour,
        last_day: source.day,
        entries: source.entries,
        core_seconds: source.seconds,
        last_time: source.last,
        audited: source.audited,
        disputed: source.disputed,
    });
    let shards = |state| campaign.shards_that_are(&[state]).to_string();
    let status = StatusMembers {
        n: plan.n,
        total: complete.then(|| tally.total().to_string()),
        complete,
        counted: standing.counted,
        counted_twice: standing.counted_twice,
        audited: standing.audited,
        core_seconds: standing.seconds,
        core_seconds_to_come: standing.to_come.map(IntervalMembers::from),
        last_hour: standing.hour,
        last_day: standing.day,
        seconds_left: standing.end.map(IntervalMembers::from),
        time: campaign.now,
        records: campaign.records,
        running: standing.running,
        entries: tally.lines().count(),
        repeated: tally.repeated(),
        findings: tally.findings().count(),
        units: plan.units,
        done: tally.done().len(),
        missing: tally.missing().to_string(),
        by: kind(campaign.by),
        sources: sources.collect(),
        shards: ShardMembers {
            of: campaign.shards.len(),
            missing: shards(ShardState::Missing),
            begun: shards(ShardState::Begun),
            counted: shards(ShardState::Counted),
            twice: shards(ShardState::Twice),
            disputed: shards(ShardState::Disputed),
            audited: campaign.audited.to_string(),
        },
        flaws: campaign.flaws.iter().map(ToString::to_string).collect(),
        engine: &plan.engine,
        parameters: &plan.parameters,
        plan: plan.hash(),
        version: env!("CARGO_PKG_VERSION"),
    };
    serde_json::to_string(&status).expect("the members are plain values") + "\n"
}

#[derive(Serialize)]
struct StatusMembers<'a> {
    n: u32,
    /// A string of digits, because numbers of solutions outgrow the numbers of JSON.
    total: Option<String>,
    complete: bool,
    counted: f64,
    counted_twice: f64,
    audited: f64,
    core_seconds: f64,
    core_seconds_to_come: Option<IntervalMembers>,
    last_hour: f64,
    last_day: f64,
    seconds_left: Option<IntervalMembers>,
    time: u64,
    records: usize,
    running: usize,
    entries: usize,
    repeated: u64,
    findings: usize,
    units: u64,
    done: u64,
    missing: String,
    by: &'static str,
    sources: Vec<SourceMembers<'a>>,
    shards: ShardMembers,
    flaws: Vec<String>,
    engine: &'a str,
    parameters: &'a str,
    plan: String,
    version: &'static str,
}

#[derive(Serialize)]
struct IntervalMembers {
    mean: f64,
    margin: f64,
}

impl From<Interval> for IntervalMembers {
    fn from(Interval { mean, margin }: Interval) -> Self {
        Self { mean, margin }
    }
}

#[derive(Serialize)]
struct SourceMembers<'a> {
    name: &'a str,
    share: f64,
    last_hour: f64,
    last_day: f64,
    entries: u64,
    core_seconds: f64,
    last_time: Option<u64>,
    audited: f64,
    disputed: u64,
}

/// The numbers of the shards in each state, and of those that an audit has looked into, as a scheduler takes them.
#[derive(Serialize)]
struct ShardMembers {
    of: usize,
    missing: String,
    begun: String,
    counted: String,
    twice: String,
    disputed: String,
    audited: String,
}
