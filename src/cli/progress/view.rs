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
        let [elapsed, left] = self.times();
        let times = format!("{elapsed}, {left}");
        let found = self.found();
        let [found, rate] = [0, 1].map(|part| found.get(part));
        for (prefix, parts) in [
            (&named, [Some(&times), found, rate]),
            (&named, [Some(&times), found, None]),
            (&percent, [Some(&times), found, None]),
            (&percent, [Some(&times), None, None]),
            (&percent, [Some(&left), None, None]),
        ] {
            let message = parts.into_iter().flatten().map(String::as_str).collect::<Vec<&str>>().join(", ");
            // Everything here is ASCII: bytes are columns. The last column stays free: some terminals wrap after it.
            let room = width.saturating_sub(prefix.len() + " [] ".len() + message.len() + 1);
            if room >= SHORTEST {
                return (prefix.clone(), message, room.min(LONGEST));
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
    use std::sync::Mutex;

    use super::super::gauge::Gauge;
    use super::*;

    /// What there is to say about so much work of some more after this time.
    fn view(title: &str, [work, whole]: [u64; 2], elapsed: Duration, solutions: Option<u128>) -> View {
        let done = Mutex::new((work, solutions));
        Gauge { done, ..Gauge::of_steps(title.to_owned(), whole) }.view(elapsed)
    }

    /// A board of which 42.1 % are done after 12 s.
    fn halfway() -> View {
        view("N = 18", [421, 1000], Duration::from_secs(12), Some(280_123_456))
    }

    #[test]
    fn it_says_how_much_is_done_how_long_the_rest_takes_and_what_has_been_found() {
        let around = halfway().around_the_bar(100);
        let message = "12s, 16s left, 280,123,456 found, 23.3 M/s";
        assert_eq!(around, ("N = 18  42.1 %".to_owned(), message.to_owned(), 39));
        let line = "N = 18: 42.1 % of the work, 12s elapsed, 16s left, 280,123,456 found, 23.3 M/s";
        assert_eq!(halfway().line(), line);
        assert_eq!(halfway().reached(), "after 12.0 s, with 42.1 % of the work for N = 18 done");
        let view = |work| view("N = 18", [work, 1000], Duration::from_secs(3661), None);
        assert_eq!(view(0).line(), "N = 18: 0.0 % of the work, 1h01m elapsed, ? left");
        assert_eq!(view(1000).line(), "N = 18: 100.0 % of the work, 1h01m elapsed, 0s left");
    }

    #[test]
    fn a_shorter_line_says_less_and_has_a_bar_as_long_as_there_is_room_for_one() {
        for (width, left, right, bar) in [
            (300, "N = 18  42.1 %", "12s, 16s left, 280,123,456 found, 23.3 M/s", 40),
            (69, "N = 18  42.1 %", "12s, 16s left, 280,123,456 found, 23.3 M/s", 8),
            (68, "N = 18  42.1 %", "12s, 16s left, 280,123,456 found", 17),
            (58, "42.1 %", "12s, 16s left, 280,123,456 found", 15),
            (50, "42.1 %", "12s, 16s left", 26),
            (31, "42.1 %", "16s left", 12),
            (27, "42.1 %", "16s left", 8),
            (26, "42.1 %", "", 0),
            (6, "42.1 ", "", 0),
        ] {
            assert_eq!(halfway().around_the_bar(width), (left.to_owned(), right.to_owned(), bar), "{width}");
        }
    }

    #[test]
    fn the_line_fits_every_terminal() {
        let view = |solutions| view("N = 27", [1 << 44, 1 << 53], Duration::from_secs(12_345_678), solutions);
        for view in [view(Some(234_907_967_154_122_528)), view(None)] {
            for width in 1..300 {
                let (left, right, bar) = view.around_the_bar(width);
                let around = if bar == 0 { 0 } else { " [] ".len() };
                assert!(left.len() + around + bar + right.len() < width, "{width}: {left:?} {right:?} {bar}");
            }
        }
        let line = view(None).line();
        assert_eq!(line, "N = 27: 0.2 % of the work, 142d21h elapsed, 73,016d16h left");
        let view = view(Some(234_907_967_154_122_528));
        assert_eq!(view.around_the_bar(40), ("0.2 %".to_owned(), "73,016d16h left".to_owned(), 15));
    }
}
