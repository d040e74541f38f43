//! The status as a page for a browser: one file, with nothing from elsewhere, which loads itself again every minute.

use super::campaign::{Campaign, ShardState};
use super::chart::{counted, rates};
use super::text::{commands, cost, forecast, moment, percent, table, to_come};
use crate::cli::numbers::{grouped, quantity};

/// The whole page.
pub fn page(campaign: &Campaign) -> String {
    let Campaign { tally, standing, .. } = campaign;
    let plan = tally.plan();
    let twice = 100.0 * standing.counted_twice;
    let once = 100.0 * standing.counted - twice;
    let flaws = match &campaign.flaws[..] {
        [] => String::new(),
        flaws => {
            let item = |flaw: String| format!("<li>{}</li>\n", escaped(&flaw));
            let items: String = flaws.iter().map(|flaw| item(flaw.to_string())).collect();
            let number = quantity(flaws.len() as u64, "flaw", "flaws");
            format!("<h2>{number} of the records</h2>\n<ul class=\"flaws\">\n{items}</ul>\n")
        }
    };
    format!(
        include_str!("page.html"),
        n = plan.n,
        share = percent(standing.counted),
        css = include_str!("page.css"),
        twice = twice,
        once = once,
        flaws = flaws,
        now = moment(campaign.now),
        hash = plan.hash(),
        units = quantity(plan.units, "unit", "units"),
        figures = figures(campaign),
        of = grouped(campaign.shards.len() as u128),
        map = map(campaign),
        counted = counted(campaign),
        rates = rates(campaign),
        sources = sources(campaign),
        commands = escaped(&commands(campaign).join("\n")),
    )
}

/// The numbers that matter most.
fn figures(campaign: &Campaign) -> String {
    let Campaign { tally, standing, .. } = campaign;
    let (term, end) = match campaign.is_complete() {
        true => ("total", Some(format!("{} solutions", grouped(tally.total())))),
        false => ("end", forecast(campaign)),
    };
    let entries = grouped(tally.lines().count() as u128);
    let figures = [
        ("counted twice alike", Some(percent(standing.counted_twice))),
        ("audited", Some(percent(standing.audited))),
        ("time so far", Some(cost(standing.seconds))),
        ("time to come", to_come(campaign)),
        ("last hour", Some(percent(standing.hour))),
        ("last day", Some(percent(standing.day))),
        (term, end),
        ("records", Some(format!("{}, {} running", grouped(campaign.records as u128), standing.running))),
        ("entries", Some(format!("{entries}, {} again", grouped(tally.repeated().into())))),
    ];
    let figure = |(term, text): (&str, Option<String>)| {
        let text = text.map_or_else(|| "unknown".to_owned(), |text| text.replace("+-", "±"));
        format!("<div><dt>{term}</dt><dd>{}</dd></div>\n", escaped(&text))
    };
    figures.map(figure).concat()
}

/// A square for each shard, and what its colour means.
fn map(campaign: &Campaign) -> String {
    let of = campaign.shards.len();
    let square = |(number, state): (u64, &ShardState)| {
        let (name, audited) = (state.name(), campaign.audited.contains(number));
        let [class, title] = if audited { [" audited", ", audited"] } else { [""; 2] };
        format!("<i class=\"{name}{class}\" title=\"{number}/{of} {name}{title}\"></i>")
    };
    let squares: String = (1..).zip(&campaign.shards).map(square).collect();
    let entry = |name: &str, shards: u64| format!("<li><i class=\"{name}\"></i>{name} {}</li>", grouped(shards.into()));
    let states = ShardState::ALL.map(|state| entry(state.name(), campaign.shards_that_are(&[state]).len()));
    let legend = states.concat() + &entry("audited", campaign.audited.len());
    format!("<div class=\"map\">{squares}</div>\n<ul class=\"legend\">{legend}</ul>\n")
}

/// The table of sources.
fn sources(campaign: &Campaign) -> String {
    let line = |(row, cells): (usize, [String; 9])| {
        let tag = if row == 0 { "th" } else { "td" };
        format!("<tr>{}</tr>\n", cells.map(|cell| format!("<{tag}>{}</{tag}>", escaped(&cell))).concat())
    };
    let lines: String = table(campaign).enumerate().map(line).collect();
    format!("<div class=\"scroll\"><table>\n{lines}</table></div>\n")
}

/// Text that is no markup.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
