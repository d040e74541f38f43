//! What there is to say about a count that is under way, on a line of any width.

use std::time::Duration;

use super::meter::Sums;
use crate::cli::numbers::{clock, grouped, rate};

/// What there is to say about a count that is under way.
pub struct View {
    n: u32,
    /// The share of the work that is done, from 0 to 1.
    pub share: f64,
    elapsed: Duration,
    left: Option<Duration>,
    solutions: u128,
    rate: f64,
}

impl View {
    /// The view of a board of `n` rows after this time.
    pub fn new(n: u32, sums: Sums, elapsed: Duration) -> Self {
        let (share, seconds) = (sums.share(), elapsed.as_secs_f64());
        // Before the first task is done, nobody knows.
        let left = Duration::try_from_secs_f64(seconds * (1.0 - share) / share).ok().filter(|_| share > 0.0);
        Self { n, share, elapsed, left, solutions: sums.solutions, rate: sums.solutions as f64 / seconds }
    }

    /// The plain line, for a log.
    pub fn line(&self) -> String {
        let Self { n, share, .. } = self;
        let [elapsed, left, found, rate] = self.parts();
        format!("N = {n}: {:.1} % of the work, {elapsed} elapsed, {left}, {found}, {rate}", 100.0 * share)
    }

    /// The text to the left and to the right of the bar, and the length of the bar, on a line of this width. On a short
    /// line the least important parts are left out first, and the bar itself last.
    pub fn around_the_bar(&self, width: usize) -> (String, String, usize) {
        const SHORTEST: usize = 8;
        const LONGEST: usize = 40;
        let percent = format!("{:.1} %", 100.0 * self.share);
        let named = format!("N = {}  {percent}", self.n);
        let [elapsed, left, found, rate] = self.parts();
        let elapsed_and_left = format!("{elapsed}, {left}");
        for (prefix, parts) in [
            (&named, vec![&elapsed_and_left, &found, &rate]),
            (&named, vec![&elapsed_and_left, &found]),
            (&percent, vec![&elapsed_and_left, &found]),
            (&percent, vec![&elapsed_and_left]),
            (&percent, vec![&left]),
        ] {
            let message = parts.into_iter().map(String::as_str).collect::<Vec<&str>>().join(", ");
            // Everything here is ASCII: bytes are columns. The last column stays free: some terminals wrap after it.
            let room = width.saturating_sub(prefix.len() + " [] ".len() + message.len() + 1);
            if room >= SHORTEST {
                return (prefix.clone(), message, room.min(LONGEST));
            }
        }
        (percent.chars().take(width.saturating_sub(1)).collect(), String::new(), 0)
    }

    fn parts(&self) -> [String; 4] {
        [
            clock(self.elapsed),
            self.left.map_or_else(|| "? left".to_owned(), |left| format!("{} left", clock(left))),
            format!("{} found", grouped(self.solutions)),
            format!("{}/s", rate(self.rate)),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_fits_every_terminal() {
        let sums = Sums { whole: 1 << 53, work: 1 << 44, solutions: 234_907_967_154_122_528 };
        let view = View::new(27, sums, Duration::from_secs(12_345_678));
        for width in 1..300 {
            let (left, right, bar) = view.around_the_bar(width);
            let around = if bar == 0 { 0 } else { " [] ".len() };
            assert!(left.len() + around + bar + right.len() < width, "{width}: {left:?} {right:?} {bar}");
        }
        assert_eq!(view.around_the_bar(40), ("0.2 %".to_owned(), "73,016d16h left".to_owned(), 15));
    }
}
