//! Two charts of a campaign over time, as SVG: what is counted, with the forecast, and how fast it went.

use std::fmt::Write;

use super::campaign::Campaign;
use super::text::{moment, percent};

/// The size of a chart, and of the place for what stands beside and below it.
const WIDTH: f64 = 720.0;
const LEFT: f64 = 64.0;
const BELOW: f64 = 22.0;

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
    let chart = Chart { height: 220.0, from: 0.0, to: elapsed + ahead };
    // What was counted at no known time was there in the beginning.
    let mut share = standing.counted - standing.history.iter().sum::<f64>();
    let mut curve = format!("M{}", chart.point(0.0, share));
    let span = elapsed / standing.history.len() as f64;
    for (place, work) in (1..).zip(&standing.history) {
        share += work;
        write!(curve, "L{}", chart.point(f64::from(place) * span, share)).expect("memory takes it");
    }
    let mut svg = chart.begin("the share of the work that is counted, and the forecast", &["0 %", "50 %", "100 %"]);
    if let Some(end) = end {
        let now = chart.point(elapsed, standing.counted);
        // Where a straight line from now is that is finished after so many seconds.
        let line = |seconds: f64| {
            let seconds = seconds.max(1.0);
            let part = (ahead / seconds).min(1.0);
            chart.point(elapsed + part * seconds, standing.counted + part * (1.0 - standing.counted))
        };
        let (early, late) = (line(end.mean - end.margin), line(end.mean + end.margin));
        let corner = chart.point((elapsed + end.mean + end.margin).min(elapsed + ahead), 1.0);
        write!(svg, "<path class=\"interval\" d=\"M{now}L{early}L{corner}L{late}Z\"/>").expect("memory takes it");
        write!(svg, "<path class=\"ahead\" d=\"M{now}L{}\"/>", line(end.mean)).expect("memory takes it");
    }
    let caption = match end {
        Some(_) => "counted, and the forecast with its interval",
        None => "counted",
    };
    let [begin, until] = [first, campaign.now + ahead as u64].map(moment);
    chart.end(svg + &format!("<path class=\"curve\" d=\"{curve}\"/>"), [&begin, &until], caption)
}

/// How much of the work was counted an hour.
pub fn rates(campaign: &Campaign) -> String {
    let standing = &campaign.standing;
    let Some((first, _)) = standing.times else { return String::new() };
    let elapsed = campaign.now.saturating_sub(first).max(1) as f64;
    let spans = standing.history.len() as f64;
    let hours = elapsed / spans / 3600.0;
    let most = standing.history.iter().fold(0.0_f64, |most, work| most.max(*work));
    if most == 0.0 {
        return String::new();
    }
    let chart = Chart { height: 120.0, from: 0.0, to: spans };
    let mut svg = chart.begin("the share of the work that was counted in an hour", &["0", "", &percent(most / hours)]);
    for (place, work) in standing.history.iter().enumerate() {
        let [x, next] = [place as f64 + 0.1, place as f64 + 0.9].map(|at| chart.x(at));
        let [y, bottom] = [work / most, 0.0].map(|share| chart.y(share));
        let (width, height) = (next - x, bottom - y);
        write!(svg, "<rect class=\"rate\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>")
            .expect("memory takes it");
    }
    chart.end(svg, [&moment(first), &moment(campaign.now)], "counted in an hour")
}

/// A chart whose heights go from 0 to 1.
struct Chart {
    height: f64,
    from: f64,
    to: f64,
}

impl Chart {
    fn x(&self, at: f64) -> f64 {
        LEFT + (WIDTH - LEFT - 10.0) * (at - self.from) / (self.to - self.from)
    }

    fn y(&self, share: f64) -> f64 {
        8.0 + (self.height - 8.0 - BELOW) * (1.0 - share)
    }

    fn point(&self, at: f64, share: f64) -> String {
        format!("{:.1} {:.1}", self.x(at), self.y(share))
    }

    /// The frame, with these words beside it from below.
    fn begin(&self, title: &str, words: &[&str]) -> String {
        let (height, last) = (self.height, words.len().max(2) - 1);
        let mut svg = format!("<figure><svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\"><title>{title}</title>");
        for (place, word) in words.iter().enumerate() {
            let (y, from, to) = (self.y(place as f64 / last as f64), self.x(self.from), self.x(self.to));
            write!(svg, "<path class=\"axis\" d=\"M{from:.1} {y:.1}H{to:.1}\"/>").expect("memory takes it");
            let (x, y) = (from - 6.0, y + 4.0);
            write!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"end\">{word}</text>").expect("memory takes it");
        }
        svg
    }

    /// The finished chart, with these words below its ends.
    fn end(&self, svg: String, [begin, end]: [&str; 2], caption: &str) -> String {
        let (y, from, to) = (self.height - 4.0, self.x(self.from), self.x(self.to));
        format!(
            "{svg}<text x=\"{from:.1}\" y=\"{y:.1}\">{begin}</text><text x=\"{to:.1}\" y=\"{y:.1}\" \
             text-anchor=\"end\">{end}</text></svg><figcaption>{caption}</figcaption></figure>\n"
        )
    }
}
