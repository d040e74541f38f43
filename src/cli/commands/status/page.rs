//! The status as a page for a browser: one file without external parts, which reloads itself every
//! minute.
//!
//! Its chart is drawn in a square of side 1 that is stretched to the width of the window. Its
//! labels are text next to the square, so that they stay readable in any window.

use super::campaign::{Campaign, Shards};
use super::text::{commands, figures, moment, percent, table, warnings};
use crate::cli::error::with_sources;
use crate::cli::numbers::{grouped, quantity};
use crate::cli::ui::escape_control_chars;

pub fn page(campaign: &Campaign) -> String {
    let status = &campaign.status;
    let total = campaign.total().map_or(String::new(), |total| {
        format!("<p class=\"total\">{} solutions</p>\n", grouped(total))
    });
    let flaws = campaign.flaws.iter().map(|flaw| with_sources(flaw));
    let flaws: Vec<String> = flaws.chain(warnings(campaign)).collect();
    let items: String = flaws
        .iter()
        .map(|flaw| format!("<li>{}</li>\n", escaped(flaw)))
        .collect();
    let flaws = match flaws.len() as u64 {
        0 => String::new(),
        number => {
            let number = quantity(number, "problem", "problems");
            format!("<h2>{number} in the records</h2>\n<ul class=\"flaws\">\n{items}</ul>\n")
        }
    };
    format!(
        include_str!("page.html"),
        n = campaign.tally.plan().n,
        share = percent(status.counted),
        css = include_str!("page.css"),
        now = moment(campaign.now),
        total = total,
        twice = 100.0 * status.counted_twice,
        once = 100.0 * (status.counted - status.counted_twice),
        figures = figures_of(campaign),
        flaws = flaws,
        of = grouped(campaign.shards.of.into()),
        map = map(campaign),
        counted = counted(campaign),
        groups = groups(campaign),
        commands = commands(campaign)
            .iter()
            .map(|command| escaped(command) + "\n")
            .collect::<String>(),
    )
}

/// Returns the figures of the text.
fn figures_of(campaign: &Campaign) -> String {
    figures(campaign)
        .into_iter()
        .map(|(name, share, words)| {
            let share = share.map_or(String::new(), |share| percent(share) + ", ");
            let words = escaped(&words);
            format!("<div><dt>{name}</dt><dd>{share}{words}</dd></div>\n")
        })
        .collect()
}

/// Returns one square per shard, and the legend of the colours.
fn map(campaign: &Campaign) -> String {
    let Shards { of, states } = &campaign.shards;
    let squares = (1..=*of).map(|number| {
        let state = states.iter().find(|(_, numbers)| numbers.contains(number));
        let name = state.map_or("", |(name, _)| name);
        format!("<i class=\"{name}\" title=\"{number}/{of} {name}\"></i>")
    });
    let squares: String = squares.collect();
    let legend = states.iter().map(|(name, shards)| {
        let shards = grouped(shards.len().into());
        format!(
            "<li><i class=\"{name}\"></i>{} {shards}</li>",
            name.replace('_', " ")
        )
    });
    let legend: String = legend.collect();
    format!("<div class=\"map\">{squares}</div>\n<ul class=\"legend\">{legend}</ul>\n")
}

/// Returns a chart of the counted fraction over time, with a forecast.
fn counted(campaign: &Campaign) -> String {
    let status = &campaign.status;
    let Some((first, _)) = status
        .times
        .filter(|_| status.history.iter().any(|work| *work > 0.0))
    else {
        return "<p>The entries contain no times.</p>\n".to_owned();
    };
    let elapsed = campaign.now.saturating_sub(first).max(1) as f64;
    let end = status.end.filter(|end| end.mean > 0.0);
    // The forecast extends to its end, but at most three times the elapsed time.
    let ahead = end.map_or(0.0, |end| (end.mean + end.margin).min(3.0 * elapsed));
    let point =
        |seconds: f64, share: f64| format!("{:.4} {:.4}", seconds / (elapsed + ahead), 1.0 - share);
    let mut drawing = String::new();
    if let Some(end) = end {
        let now = point(elapsed, status.counted);
        // The end of a straight line from now to completion after this time, within the chart.
        let line = |seconds: f64| {
            let seconds = seconds.max(1.0);
            let part = (ahead / seconds).min(1.0);
            point(
                elapsed + part * seconds,
                status.counted + part * (1.0 - status.counted),
            )
        };
        let early = line(end.mean - end.margin);
        let late = line(end.mean + end.margin);
        let corner = point((elapsed + end.mean + end.margin).min(elapsed + ahead), 1.0);
        drawing += &format!("<path class=\"interval\" d=\"M{now}L{early}L{corner}L{late}Z\"/>");
        drawing += &format!("<path class=\"ahead\" d=\"M{now}L{}\"/>", line(end.mean));
    }
    // Work counted at an unknown time is placed at the beginning.
    let mut share = status.counted - status.history.iter().sum::<f64>();
    let mut curve = format!("M{}", point(0.0, share));
    let span = elapsed / status.history.len() as f64;
    for (place, work) in (1..).zip(&status.history) {
        share += work;
        curve += &format!("L{}", point(f64::from(place) * span, share));
    }
    drawing += &format!("<path class=\"curve\" d=\"{curve}\"/>");
    let caption = "share of the work that has been counted, and forecast for the first count";
    chart(
        "tall",
        caption,
        ["100%", "50%", "0%"],
        [first, campaign.now + ahead as u64],
        &drawing,
    )
}

/// Returns a chart with a caption, labels from top to bottom, the first and the last time, and a
/// drawing.
fn chart(class: &str, caption: &str, words: [&str; 3], ends: [u64; 2], drawing: &str) -> String {
    let [top, middle, bottom] = words.map(|word| format!("<span>{word}</span>"));
    let [begin, end] = ends.map(|end| format!("<span>{}</span>", moment(end)));
    format!(
        "<figure><div class=\"axis\">{top}{middle}{bottom}</div>\n\
         <svg class=\"{class}\" viewBox=\"0 0 1 1\" preserveAspectRatio=\"none\" role=\"img\">\
         <title>{caption}</title>\
         <path class=\"grid\" d=\"M0 0h1M0 .5h1M0 1h1\"/>{drawing}</svg>\n\
         <div class=\"times\">{begin}{end}</div><figcaption>{caption}</figcaption></figure>\n"
    )
}

fn groups(campaign: &Campaign) -> String {
    let rows = table(campaign).enumerate().map(|(row, cells)| {
        let tag = if row == 0 { "th" } else { "td" };
        let cells = cells.map(|cell| format!("<{tag}>{}</{tag}>", escaped(&cell)));
        format!("<tr>{}</tr>\n", cells.concat())
    });
    format!(
        "<div class=\"scroll\"><table>\n{}</table></div>\n",
        rows.collect::<String>()
    )
}

/// Returns text of one line without markup.
fn escaped(text: &str) -> String {
    escape_control_chars(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
