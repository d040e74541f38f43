//! The status as a web page without external resources.

use crate::record::PathStatus;

use super::{StatusReport, moment};
use crate::cli::format::escape_control_chars;
use crate::cli::numbers::percent;

pub(super) fn page(report: &StatusReport) -> String {
    let mut figures = String::new();
    for (name, words) in report.figures() {
        figures += &format!("<div><dt>{name}</dt><dd>{}</dd></div>\n", escaped(&words));
    }
    let mut rows = String::new();
    for (number, cells) in report.table().into_iter().enumerate() {
        let tag = if number == 0 { "th" } else { "td" };
        let cells = cells.map(|cell| format!("<{tag}>{}</{tag}>", escaped(&cell)));
        rows += &format!("<tr>{}</tr>\n", cells.concat());
    }
    let mut strip = String::new();
    for (number, share) in report.cells.iter().enumerate() {
        let title = percent(*share);
        strip +=
            &format!("<rect x=\"{number}\" opacity=\"{share:.3}\"><title>{title}</title></rect>");
    }
    let mut charts = String::new();
    let largest = report
        .status
        .paths
        .iter()
        .flat_map(|path| path.days.values())
        .fold(0.0, |largest: f64, work| largest.max(*work));
    for path in &report.status.paths {
        charts += &chart(path, report.time / 86_400, largest);
    }
    format!(
        include_str!("page.html"),
        css = include_str!("page.css"),
        n = report.n,
        share = percent(report.status.share_counted),
        now = moment(report.time),
        strip = strip,
        figures = figures,
        notes = notes(report),
        rows = rows,
        charts = charts,
    )
}

/// Returns the problems and the suggested command.
fn notes(report: &StatusReport) -> String {
    let mut notes = String::new();
    if !report.problems.is_empty() {
        notes += "<ul class=\"problems\">\n";
        for problem in &report.problems {
            notes += &format!("<li>{}</li>\n", escaped(problem));
        }
        notes += "</ul>\n";
    }
    if let Some(command) = &report.suggestion {
        notes += &format!("<p>Next:</p>\n<pre>{}</pre>\n", escaped(command));
    }
    notes
}

/// Draws the work per day of the last weeks as bars, on the same scale for all paths.
fn chart(path: &PathStatus, today: u64, largest: f64) -> String {
    const DAYS: u64 = 60;
    let begin = today.saturating_sub(DAYS - 1);
    let mut bars = String::new();
    for (day, work) in path.days.range(begin..) {
        let height = 20.0 * work / largest;
        let date = &moment(day * 86_400)[..10];
        let share = percent(*work);
        bars += &format!(
            "<rect x=\"{}\" y=\"{:.2}\" height=\"{height:.2}\">\
             <title>{date}: {share}</title></rect>",
            day - begin,
            20.0 - height,
        );
    }
    let name = escaped(&path.path.to_string_lossy());
    format!(
        "<figure><figcaption>{name}</figcaption>\
         <svg viewBox=\"0 0 {DAYS} 20\" preserveAspectRatio=\"none\">{bars}</svg></figure>\n"
    )
}

fn escaped(text: &str) -> String {
    escape_control_chars(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
