//! The status as a page for a browser: one file, with nothing from elsewhere, which loads itself
//! again every minute.
//!
//! Its charts are drawn in a square of side 1 that is stretched to the width of the window. Their
//! words stand beside the square, as text of the page, so that no window makes them small or cuts
//! them.

use queencount::record::UnitSet;

use super::campaign::{Campaign, Shards};
use super::text::{commands, figures, moment, percent, table, warnings};
use crate::cli::notes::in_one_line;
use crate::cli::numbers::{grouped, quantity};

pub fn page(campaign: &Campaign) -> String {
    let standing = &campaign.standing;
    let total = match campaign.is_complete() {
        true => format!(
            "<p class=\"total\">{} solutions</p>\n",
            grouped(campaign.tally.total())
        ),
        false => String::new(),
    };
    let flaws: Vec<String> = campaign
        .flaws
        .iter()
        .map(ToString::to_string)
        .chain(warnings(campaign))
        .collect();
    let flaws = match &flaws[..] {
        [] => String::new(),
        flaws => {
            let items: String = flaws
                .iter()
                .map(|flaw| format!("<li>{}</li>\n", escaped(flaw)))
                .collect();
            let number = quantity(flaws.len() as u64, "flaw", "flaws");
            format!("<h2>{number} of the records</h2>\n<ul class=\"flaws\">\n{items}</ul>\n")
        }
    };
    format!(
        include_str!("page.html"),
        n = campaign.tally.plan().n,
        share = percent(standing.counted),
        css = include_str!("page.css"),
        now = moment(campaign.now),
        total = total,
        twice = 100.0 * standing.counted_twice,
        once = 100.0 * (standing.counted - standing.counted_twice),
        figures = figures_of(campaign),
        flaws = flaws,
        of = grouped(campaign.shards.of.into()),
        map = map(campaign),
        counted = counted(campaign),
        rates = rates(campaign),
        sources = sources(campaign),
        commands = commands(campaign)
            .iter()
            .map(|command| escaped(command) + "\n")
            .collect::<String>(),
    )
}

/// The figures that the text has, too.
fn figures_of(campaign: &Campaign) -> String {
    let figure = |(name, share, words): (&str, Option<f64>, String)| {
        let share = share.map_or(String::new(), |share| percent(share) + ", ");
        let words = escaped(&words).replace("+-", "±");
        format!("<div><dt>{name}</dt><dd>{share}{words}</dd></div>\n")
    };
    figures(campaign).into_iter().map(figure).collect()
}

/// A square for each shard, and what its colour means.
fn map(campaign: &Campaign) -> String {
    let Shards {
        of,
        states,
        audited,
    } = &campaign.shards;
    let square = |number: u64| {
        let name = states
            .iter()
            .find(|(_, numbers)| numbers.contains(number))
            .map_or("", |(name, _)| name);
        let [class, title] = if audited.contains(number) {
            [" audited", ", audited"]
        } else {
            [""; 2]
        };
        format!("<i class=\"{name}{class}\" title=\"{number}/{of} {name}{title}\"></i>")
    };
    let squares: String = (1..=*of).map(square).collect();
    let entry = |(name, shards): &(&str, UnitSet)| {
        format!(
            "<li><i class=\"{name}\"></i>{name} {}</li>",
            grouped(shards.len().into())
        )
    };
    let legend =
        states.iter().map(entry).collect::<String>() + &entry(&("audited", audited.clone()));
    format!("<div class=\"map\">{squares}</div>\n<ul class=\"legend\">{legend}</ul>\n")
}

/// The share that is counted over time, and how it may go on.
fn counted(campaign: &Campaign) -> String {
    let standing = &campaign.standing;
    let Some((first, _)) = standing
        .times
        .filter(|_| standing.history.iter().any(|work| *work > 0.0))
    else {
        return "<p>No entry says when it was made.</p>\n".to_owned();
    };
    let elapsed = campaign.now.saturating_sub(first).max(1) as f64;
    let end = standing.end.filter(|end| end.mean > 0.0);
    // The forecast reaches to its end, or as far again as three times what has been.
    let ahead = end.map_or(0.0, |end| (end.mean + end.margin).min(3.0 * elapsed));
    let point =
        |seconds: f64, share: f64| format!("{:.4} {:.4}", seconds / (elapsed + ahead), 1.0 - share);
    let mut drawing = String::new();
    if let Some(end) = end {
        let now = point(elapsed, standing.counted);
        // Where a straight line from now is that is finished after so many seconds.
        let line = |seconds: f64| {
            let seconds = seconds.max(1.0);
            let part = (ahead / seconds).min(1.0);
            point(
                elapsed + part * seconds,
                standing.counted + part * (1.0 - standing.counted),
            )
        };
        let (early, late) = (line(end.mean - end.margin), line(end.mean + end.margin));
        let corner = point((elapsed + end.mean + end.margin).min(elapsed + ahead), 1.0);
        drawing += &format!("<path class=\"interval\" d=\"M{now}L{early}L{corner}L{late}Z\"/>");
        drawing += &format!("<path class=\"ahead\" d=\"M{now}L{}\"/>", line(end.mean));
    }
    // What was counted at no known time was there in the beginning.
    let mut share = standing.counted - standing.history.iter().sum::<f64>();
    let mut curve = format!("M{}", point(0.0, share));
    let span = elapsed / standing.history.len() as f64;
    for (place, work) in (1..).zip(&standing.history) {
        share += work;
        curve += &format!("L{}", point(f64::from(place) * span, share));
    }
    drawing += &format!("<path class=\"curve\" d=\"{curve}\"/>");
    let caption = "the share of the work that is counted, and a forecast of the first count";
    chart(
        "tall",
        caption,
        ["100 %", "50 %", "0 %"],
        [first, campaign.now + ahead as u64],
        &drawing,
    )
}

/// How much of the work was counted an hour.
fn rates(campaign: &Campaign) -> String {
    let standing = &campaign.standing;
    let Some((first, _)) = standing.times else {
        return String::new();
    };
    let spans = standing.history.len() as f64;
    let hours = campaign.now.saturating_sub(first).max(1) as f64 / spans / 3600.0;
    let most = standing
        .history
        .iter()
        .fold(0.0_f64, |most, work| most.max(*work));
    if most == 0.0 {
        return String::new();
    }
    let bar = |(place, work): (usize, &f64)| {
        let (x, width, height) = ((place as f64 + 0.1) / spans, 0.8 / spans, work / most);
        let y = 1.0 - height;
        format!(
            "<rect class=\"rate\" x=\"{x:.4}\" y=\"{y:.4}\" width=\"{width:.4}\" height=\"{height:.4}\"/>"
        )
    };
    let bars: String = standing.history.iter().enumerate().map(bar).collect();
    let caption = "the share of the work that was counted in an hour";
    chart(
        "low",
        caption,
        [&percent(most / hours), "", "0 %"],
        [first, campaign.now],
        &bars,
    )
}

/// A chart with a caption, words beside it from above, the times at which it begins and ends, and a
/// drawing.
fn chart(class: &str, caption: &str, words: [&str; 3], ends: [u64; 2], drawing: &str) -> String {
    let [top, middle, bottom] = words.map(|word| format!("<span>{word}</span>"));
    let [begin, end] = ends.map(|end| format!("<span>{}</span>", moment(end)));
    format!(
        "<figure><div class=\"axis\">{top}{middle}{bottom}</div>\n\
         <svg class=\"{class}\" viewBox=\"0 0 1 1\" preserveAspectRatio=\"none\" role=\"img\"><title>{caption}</title>\
         <path class=\"grid\" d=\"M0 0h1M0 .5h1M0 1h1\"/>{drawing}</svg>\n\
         <div class=\"times\">{begin}{end}</div><figcaption>{caption}</figcaption></figure>\n"
    )
}

fn sources(campaign: &Campaign) -> String {
    let lines = table(campaign).enumerate().map(|(row, cells)| {
        let (tag, name) = (if row == 0 { "th" } else { "td" }, escaped(&cells[0]));
        format!(
            "<tr title=\"{name}\">{}</tr>\n",
            cells
                .map(|cell| format!("<{tag}>{}</{tag}>", escaped(&cell)))
                .concat()
        )
    });
    format!(
        "<div class=\"scroll\"><table>\n{}</table></div>\n",
        lines.collect::<String>()
    )
}

/// Text of one line that is no markup.
fn escaped(text: &str) -> String {
    in_one_line(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
