//! The status as a web page: a single file without external resources, which reloads itself every
//! minute.

use super::campaign::{Campaign, Shards, moment, percent};
use crate::cli::format::escape_control_chars;
use crate::cli::numbers::grouped;

pub(super) fn page(campaign: &Campaign) -> String {
    let status = &campaign.status;
    let figures = campaign.figures().into_iter().map(|(name, share, words)| {
        let share = share.map_or(String::new(), |share| percent(share) + ", ");
        let words = escaped(&words);
        format!("<div><dt>{name}</dt><dd>{share}{words}</dd></div>\n")
    });
    let problems = campaign.problems().into_iter();
    let problems = problems.map(|problem| format!("<li>{}</li>\n", escaped(&problem)));
    let table = campaign.table();
    let rows = table
        .iter()
        .zip(std::iter::once("th").chain(std::iter::repeat("td")));
    let rows = rows.map(|(cells, tag)| {
        let cells = cells
            .each_ref()
            .map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell)));
        format!("<tr>{}</tr>\n", cells.concat())
    });
    let commands = campaign.commands().into_iter();
    let commands = commands.map(|command| escaped(&command) + "\n");
    format!(
        include_str!("page.html"),
        n = campaign.tally.plan().n,
        share = percent(status.share_counted),
        css = include_str!("page.css"),
        now = moment(campaign.now),
        twice = 100.0 * status.share_counted_twice,
        once = 100.0 * (status.share_counted - status.share_counted_twice),
        figures = figures.collect::<String>(),
        problems = problems.collect::<String>(),
        of = grouped(campaign.shards.of.into()),
        map = map(&campaign.shards),
        groups = rows.collect::<String>(),
        commands = commands.collect::<String>(),
    )
}

/// Returns one square per shard, and a legend for the colours.
fn map(Shards { of, states }: &Shards) -> String {
    let squares = (1..=*of).map(|number| {
        let state = states.iter().find(|(_, numbers)| numbers.contains(number));
        let name = state.map_or("", |(name, _)| name);
        format!("<i class=\"{name}\" title=\"{number}/{of} {name}\"></i>")
    });
    let squares: String = squares.collect();
    let legend = states.iter().map(|(name, shards)| {
        let shards = grouped(shards.len().into());
        let words = name.replace('_', " ");
        format!("<li><i class=\"{name}\"></i>{words} {shards}</li>")
    });
    let legend: String = legend.collect();
    format!("<div class=\"map\">{squares}</div>\n<ul class=\"legend\">{legend}</ul>\n")
}

/// Escapes control characters and markup.
fn escaped(text: &str) -> String {
    escape_control_chars(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
