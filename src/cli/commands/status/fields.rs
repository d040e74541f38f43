//! The status for programs.

use queencount::estimate::Interval;
use queencount::record::Source;

use super::campaign::{Campaign, ShardState};
use crate::cli::arguments::values::source_name;
use crate::cli::output::{Field, Value};

/// All that there is to say.
pub fn all(campaign: &Campaign) -> Vec<Field> {
    let Campaign { tally, standing, .. } = campaign;
    let plan = tally.plan();
    let complete = campaign.is_complete();
    let interval = |interval: Option<Interval>| match interval {
        Some(Interval { mean, margin }) => {
            Value::Object(vec![("mean", Value::Real(mean)), ("margin", Value::Real(margin))])
        }
        None => Value::Nothing,
    };
    // As a scheduler takes them.
    let mut shards = vec![("of", Value::Number(campaign.shards.len() as u64))];
    shards.extend(
        ShardState::ALL.map(|state| (state.name(), Value::Text(campaign.shards_that_are(&[state]).to_string()))),
    );
    shards.push(("audited", Value::Text(campaign.audited.to_string())));
    vec![
        ("n", Value::Number(plan.n.into())),
        ("total", if complete { Value::Count(tally.total()) } else { Value::Nothing }),
        ("complete", Value::Truth(complete)),
        ("counted", Value::Real(standing.counted)),
        ("counted_twice", Value::Real(standing.counted_twice)),
        ("audited", Value::Real(standing.audited)),
        ("core_seconds", Value::Real(standing.seconds)),
        ("core_seconds_to_come", interval(standing.to_come)),
        ("last_hour", Value::Real(standing.hour)),
        ("last_day", Value::Real(standing.day)),
        ("seconds_left", interval(standing.end)),
        ("time", Value::Number(campaign.now)),
        ("records", Value::Number(campaign.records as u64)),
        ("running", Value::Number(standing.running as u64)),
        ("entries", Value::Number(tally.lines().count() as u64)),
        ("repeated", Value::Number(tally.repeated())),
        ("findings", Value::Number(tally.findings().count() as u64)),
        ("units", Value::Number(plan.units)),
        ("done", Value::Number(tally.done().len())),
        ("missing", Value::Text(tally.missing().to_string())),
        ("by", Value::Word(source_name(campaign.arguments.by))),
        (
            "sources",
            Value::List(standing.sources.iter().map(|source| Value::Object(of_source("name", source))).collect()),
        ),
        ("shards", Value::Object(shards)),
        ("flaws", Value::List(campaign.flaws.iter().map(|flaw| Value::Text(flaw.to_string())).collect())),
        ("engine", Value::Text(plan.engine.clone())),
        ("parameters", Value::Text(plan.parameters.clone())),
        ("plan", Value::Text(plan.hash())),
        ("version", Value::Word(env!("CARGO_PKG_VERSION"))),
    ]
}

/// A line for each source.
pub fn lines(campaign: &Campaign) -> impl Iterator<Item = Vec<Field>> {
    let (n, name) = (campaign.tally.plan().n, source_name(campaign.arguments.by));
    let line = move |source| [("n", Value::Number(n.into()))].into_iter().chain(of_source(name, source)).collect();
    campaign.standing.sources.iter().map(line)
}

/// What there is to say of a source, whose name is called so.
fn of_source(name: &'static str, source: &Source) -> Vec<Field> {
    vec![
        (name, Value::Text(source.name.clone())),
        ("share", Value::Real(source.work)),
        ("last_hour", Value::Real(source.hour)),
        ("last_day", Value::Real(source.day)),
        ("entries", Value::Number(source.entries)),
        ("core_seconds", Value::Real(source.seconds)),
        ("last_time", source.last.map_or(Value::Nothing, Value::Number)),
        ("audited", Value::Real(source.audited)),
        ("disputed", Value::Number(source.disputed)),
    ]
}
