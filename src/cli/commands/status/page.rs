//! The status as a web page without external resources.

use super::campaign::{Campaign, Shards, moment, percent};
use crate::cli::commands::prelude::*;

pub(super) fn page(campaign: &Campaign) -> String {
    let status = &campaign.status;
    let figures = joined(campaign.figures(), |(name, share, words)| {
        let share = share.map_or(String::new(), |share| percent(share) + ", ");
        let words = escaped(&words);
        format!("<div><dt>{name}</dt><dd>{share}{words}</dd></div>\n")
    });
    let mut tag = "th";
    let groups = joined(campaign.table(), |cells| {
        let cells = cells.map(|cell| format!("<{tag}>{}</{tag}>", escaped(&cell)));
        tag = "td";
        format!("<tr>{}</tr>\n", cells.concat())
    });
    format!(
        include_str!("page.html"),
        n = campaign.tally.plan().n,
        share = percent(status.share_counted),
        css = include_str!("page.css"),
        now = moment(campaign.now),
        twice = 100.0 * status.share_counted_twice,
        once = 100.0 * (status.share_counted - status.share_counted_twice),
        figures = figures,
        problems = joined(campaign.problems(), |problem| format!(
            "<li>{}</li>\n",
            escaped(&problem)
        )),
        of = grouped(campaign.shards.of.into()),
        map = map(&campaign.shards),
        groups = groups,
        commands = joined(campaign.commands(), |command| escaped(&command) + "\n"),
    )
}

fn joined<T>(items: Vec<T>, format: impl FnMut(T) -> String) -> String {
    items.into_iter().map(format).collect()
}

/// Returns one square per shard, and a legend for the colours.
fn map(Shards { of, states }: &Shards) -> String {
    let mut map = "<div class=\"map\">".to_owned();
    for number in 1..=*of {
        let state = states.iter().find(|(_, numbers)| numbers.contains(number));
        let name = state.map_or("", |(name, _)| name);
        map += &format!("<i class=\"{name}\" title=\"{number}/{of} {name}\"></i>");
    }
    map += "</div>\n<ul class=\"legend\">";
    for (name, shards) in states {
        let shards = grouped(shards.len().into());
        let words = name.replace('_', " ");
        map += &format!("<li><i class=\"{name}\"></i>{words} {shards}</li>");
    }
    map + "</ul>\n"
}

fn escaped(text: &str) -> String {
    escape_control_chars(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
