//! What there is to say about work that is under way, on a line of any width.

use std::time::Duration;

use crate::cli::numbers::{clock, grouped, rate};

/// What there is to say about work that is under way.
pub struct View {
    pub title: String,
    /// The share of the work that is done, from 0 to 1.
    pub share: f64,
    pub elapsed: Duration,
    pub left: Option<Duration>,
    /// The solutions that have been found, if any are looked for.
    pub solutions: Option<u128>,
}

impl View {
    /// The plain line, for a log.
    pub fn line(&self) -> String {
        let Self { title, share, .. } = self;
        let [elapsed, left] = self.times();
        let parts: Vec<String> = [format!("{elapsed} elapsed"), left].into_iter().chain(self.found()).collect();
        format!("{title}: {:.1} % of the work, {}", 100.0 * share, parts.join(", "))
    }

    /// How far work came that has ended.
    pub fn reached(&self) -> String {
        let (seconds, percent) = (self.elapsed.as_secs_f64(), 100.0 * self.share);
        format!("after {seconds:.1} s, with {percent:.1} % of the work for {} done", self.title)
    }

    /// The text to the left and to the right of the bar, and the length of the bar, on a line of this width. On a short
    /// line the least important parts are left out first, and the bar itself last.
    pub fn around_the_bar(&self, width: usize) -> (String, String, usize) {
        const SHORTEST: usize = 8;
        const LONGEST: usize = 40;
        let percent = format!("{:.1} %", 100.0 * self.share);
        let named = format!("{}  {percent}", self.title);
        let parts: Vec<String> = [self.times().join(", ")].into_iter().chain(self.found()).collect();
        for shown in (1..=parts.len()).rev() {
            let message = parts[..shown].join(", ");
            for prefix in [&named, &percent] {
                // Everything here is ASCII: bytes are columns. The last column stays free: some terminals wrap after it.
                let room = width.saturating_sub(prefix.len() + " [] ".len() + message.len() + 1);
                if room >= SHORTEST {
                    return (prefix.clone(), message, room.min(LONGEST));
                }
            }
        }
        (percent.chars().take(width.saturating_sub(1)).collect(), String::new(), 0)
    }

    /// The time spent, and the time left.
    fn times(&self) -> [String; 2] {
        let left = self.left.map_or_else(|| "? left".to_owned(), |left| format!("{} left", clock(left)));
        [clock(self.elapsed), left]
    }

    /// What has been found, and how fast.
    fn found(&self) -> Vec<String> {
        let said = |solutions: u128| {
            let per_second = solutions as f64 / self.elapsed.as_secs_f64();
            vec![format!("{} found", grouped(solutions)), format!("{}/s", rate(per_second))]
        };
        self.solutions.map(said).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(title: &str, seconds: [u64; 2], solutions: Option<u128>) -> View {
        let [elapsed, left] = seconds.map(Duration::from_secs);
        View { title: title.to_owned(), share: 0.421, elapsed, left: Some(left), solutions }
    }

    #[test]
    fn a_shorter_line_says_less_and_has_a_bar_as_long_as_there_is_room_for_one() {
        let view = view("N = 18", [12, 16], Some(280_123_456));
        for (width, left, right, bar) in [
            (300, "N = 18  42.1 %", "12s, 16s left, 280,123,456 found, 23.3 M/s", 40),
            (69, "N = 18  42.1 %", "12s, 16s left, 280,123,456 found, 23.3 M/s", 8),
            (61, "42.1 %", "12s, 16s left, 280,123,456 found, 23.3 M/s", 8),
            (60, "N = 18  42.1 %", "12s, 16s left, 280,123,456 found", 9),
            (40, "N = 18  42.1 %", "12s, 16s left", 8),
            (32, "42.1 %", "12s, 16s left", 8),
            (31, "42.1 %", "", 0),
            (6, "42.1 ", "", 0),
        ] {
            assert_eq!(view.around_the_bar(width), (left.to_owned(), right.to_owned(), bar), "{width}");
        }
        let line = "N = 18: 42.1 % of the work, 12s elapsed, 16s left, 280,123,456 found, 23.3 M/s";
        assert_eq!(view.line(), line);
        assert_eq!(view.reached(), "after 12.0 s, with 42.1 % of the work for N = 18 done");
    }

    #[test]
    fn the_line_fits_every_terminal() {
        for solutions in [Some(234_907_967_154_122_528), None] {
            let view = view("N = 27", [12_345_678, 6_308_641_458], solutions);
            for width in 1..300 {
                let (left, right, bar) = view.around_the_bar(width);
                let around = if bar == 0 { 0 } else { " [] ".len() };
                assert!(left.len() + around + bar + right.len() < width, "{width}: {left:?} {right:?} {bar}");
            }
        }
    }
}
