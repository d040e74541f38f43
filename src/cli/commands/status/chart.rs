//! Two charts of a campaign over time, as SVG: what is counted, with the forecast, and how fast it went.

use super::campaign::Campaign;
use super::text::{moment, percent};

/// The share that is counted, and how it may go on.
pub fn counted(campaign: &Campaign) -> String {
    let standing = &campaign.standing;
    let Some((first, _)) = standing.times.filter(|_| standing.history.iter().any(|work| *work > 0.0)) else {
        return "<p>No entry says when it was made.</p>\n".to_owned();
    };
    let elapsed = campaign.now.saturating_sub(first).max(1) as f64;
    let end = standing.end.filter(|end| end.mean > 0.0);
    // The forecast reaches to its end, or as far again as three times what has been.
    let ahead = end.map_or(0.0, |end| (end.mean + end.margin).min(3.0 * elapsed));
    let point = |seconds: f64, share: f64| format!("{:.4} {:.4}", seconds / (elapsed + ahead), 1.0 - share);
    let mut svg = String::new();
    if let Some(end) = end {
        let now = point(elapsed, standing.counted);
        // Where a straight line from now is that is finished after so many seconds.
        let line = |seconds: f64| {
            let seconds = seconds.max(1.0);
            let part = (ahead / seconds).min(1.0);
            point(elapsed + part * seconds, standing.counted + part * (1.0 - standing.counted))
        };
        let (early, late) = (line(end.mean - end.margin), line(end.mean + end.margin));
        let corner = point((elapsed + end.mean + end.margin).min(elapsed + ahead), 1.0);
        svg += &format!("<path class=\"interval\" d=\"M{now}L{early}L{corner}L{late}Z\"/>");
        svg += &format!("<path class=\"ahead\" d=\"M{now}L{}\"/>", line(end.mean));
    }
    // What was counted at no known time was there in the beginning.
    let mut share = standing.counted - standing.history.iter().sum::<f64>();
    let mut curve = format!("M{}", point(0.0, share));
    let span = elapsed / standing.history.len() as f64;
    for (place, work) in (1..).zip(&standing.history) {
        share += work;
        curve += &format!("L{}", point(f64::from(place) * span, share));
    }
    svg += &format!("<path class=\"curve\" d=\"{curve}\"/>");
    let title = "the share of the work that is counted, and the forecast";
    let caption = match end {
        Some(_) => "counted, and the forecast with its interval",
        None => "counted",
    };
    let ends = [first, campaign.now + ahead as u64].map(moment);
    chart(220.0, [title, caption], &["0 %", "50 %", "100 %"], &ends, &svg)
}

/// How much of the work was counted an hour.
pub fn rates(campaign: &Campaign) -> String {
    let standing = &campaign.standing;
    let Some((first, _)) = standing.times else { return String::new() };
    let spans = standing.history.len() as f64;
    let hours = campaign.now.saturating_sub(first).max(1) as f64 / spans / 3600.0;
    let most = standing.history.iter().fold(0.0_f64, |most, work| most.max(*work));
    if most == 0.0 {
        return String::new();
    }
    let bar = |(place, work): (usize, &f64)| {
        let (x, width, height) = ((place as f64 + 0.1) / spans, 0.8 / spans, work / most);
        let y = 1.0 - height;
        format!("<rect class=\"rate\" x=\"{x:.4}\" y=\"{y:.4}\" width=\"{width:.4}\" height=\"{height:.4}\"/>")
    };
    let bars: String = standing.history.iter().enumerate().map(bar).collect();
    let titles = ["the share of the work that was counted in an hour", "counted in an hour"];
    chart(120.0, titles, &["0", "", &percent(most / hours)], &[first, campaign.now].map(moment), &bars)
}

/// A chart of this height with a title for those who cannot see it and a caption, with words beside it from below, and
/// with what it shows, drawn in a square of side 1 from the upper left corner.
fn chart(height: f64, [title, caption]: [&str; 2], words: &[&str; 3], ends: &[String; 2], content: &str) -> String {
    // The whole of it, and the place for what stands beside, above and below the square.
    let [width, left, right, above, below] = [720.0, 64.0, 10.0, 8.0, 22.0];
    let (wide, high) = (width - left - right, height - above - below);
    let axis = |(place, word): (usize, &&str)| {
        let y = above + high * (1.0 - place as f64 / 2.0);
        let (x, base) = (left - 6.0, y + 4.0);
        format!(
            "<path class=\"axis\" d=\"M{left} {y:.1}h{wide}\"/>\
             <text x=\"{x}\" y=\"{base:.1}\" text-anchor=\"end\">{word}</text>"
        )
    };
    let axes: String = words.iter().enumerate().map(axis).collect();
    let (right, y, [begin, end]) = (width - right, height - 4.0, ends);
    format!(
        "<figure><svg viewBox=\"0 0 {width} {height}\" role=\"img\"><title>{title}</title>{axes}\
         <g transform=\"translate({left} {above}) scale({wide} {high})\">{content}</g>\
         <text x=\"{left}\" y=\"{y}\">{begin}</text><text x=\"{right}\" y=\"{y}\" text-anchor=\"end\">{end}</text>\
         </svg><figcaption>{caption}</figcaption></figure>\n"
    )
}
