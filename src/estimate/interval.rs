//! Intervals: how far the mean of a sample may be off, from how its draws differ.
//!
//! Two views of the same draws. [`stratified`] compares the draws of each stratum with each other. It knows that strata
//! differ, so it is narrow; but it takes draws for independent. [`Blocks`] compares draws made early with draws made
//! late, and so notices what changes while a sample is made: the speed of the machine.

/// An estimated number and its 95 % confidence interval, from `mean - margin` to `mean + margin`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The estimate.
    pub mean: f64,
    /// How far the interval reaches below and above it. When the sample is small, the interval may begin below 0.
    pub margin: f64,
}

impl Interval {
    /// A number that is known.
    pub(super) fn exact(number: f64) -> Self {
        Self { mean: number, margin: 0.0 }
    }

    /// The mean of some values, and how far their differences say that it may be off. One value says nothing of that.
    #[cfg(feature = "records")]
    pub(crate) fn of_mean(values: impl Iterator<Item = f64>) -> Self {
        let mut moments = Moments::default();
        values.for_each(|value| moments.add(value));
        stratified([&moments].into_iter())
    }

    /// Whether a value lies in the interval, its ends included.
    pub fn contains(self, value: f64) -> bool {
        (self.mean - value).abs() <= self.margin
    }
}

/// The mean and the spread of some draws, updated with each draw (Welford's recurrence).
#[derive(Clone, Copy, Debug, Default)]
pub struct Moments {
    draws: f64,
    mean: f64,
    squares: f64,
}

impl Moments {
    pub fn add(&mut self, value: f64) {
        self.draws += 1.0;
        let step = value - self.mean;
        self.mean += step / self.draws;
        self.squares += step * (value - self.mean);
    }

    /// The number of draws.
    pub fn draws(&self) -> u64 {
        self.draws as u64
    }
}

/// The mean over strata of equal weight, and its interval from the spread within them.
pub fn stratified<'a>(strata: impl ExactSizeIterator<Item = &'a Moments>) -> Interval {
    let count = strata.len() as f64;
    let (mut mean, mut variance, mut spread) = (0.0, 0.0, 0.0);
    for stratum in strata {
        mean += stratum.mean / count;
        if stratum.draws > 1.0 {
            let share = stratum.squares / (stratum.draws - 1.0) / stratum.draws / (count * count);
            variance += share;
            spread += share * share / (stratum.draws - 1.0);
        }
    }
    // The degrees of freedom of the variance (Welch and Satterthwaite).
    let freedom = if spread > 0.0 { variance * variance / spread } else { f64::INFINITY };
    Interval { mean, margin: student_975(freedom) * variance.sqrt() }
}

/// The sums of the draws of equal spaces of time, one after another: blocks of rounds. A round has a draw of each
/// stratum. When there are too many blocks, each two neighbours become one.
#[derive(Clone, Debug)]
pub struct Blocks {
    /// The draws of a round.
    strata: u64,
    /// The rounds of a block.
    rounds: u64,
    /// The number of draws of each block so far, and their sum.
    blocks: Vec<(u64, f64)>,
}

/// So many blocks say how much time changes; fewer say nothing. Up to twice as many are kept.
const BLOCKS: usize = 16;

impl Blocks {
    /// No draws yet.
    pub fn new(strata: u64) -> Self {
        Self { strata, rounds: 1, blocks: Vec::new() }
    }

    /// Adds the draw of this number. Numbers may come in any order.
    pub fn add(&mut self, number: u64, value: f64) {
        let round = number / self.strata;
        while round / self.rounds >= 2 * BLOCKS as u64 {
            self.rounds *= 2;
            let sum = |pair: &[(u64, f64)]| pair.iter().fold((0, 0.0), |sum, block| (sum.0 + block.0, sum.1 + block.1));
            self.blocks = self.blocks.chunks(2).map(sum).collect();
        }
        let at = (round / self.rounds) as usize;
        if self.blocks.len() <= at {
            self.blocks.resize(at + 1, (0, 0.0));
        }
        self.blocks[at].0 += 1;
        self.blocks[at].1 += value;
    }

    /// The margin of the mean of all draws, from how the finished blocks differ; 0 if there are too few.
    pub fn margin(&self) -> f64 {
        let draws = self.rounds * self.strata;
        let mut moments = Moments::default();
        self.blocks.iter().filter(|block| block.0 == draws).for_each(|block| moments.add(block.1 / draws as f64));
        if moments.draws() < BLOCKS as u64 { 0.0 } else { stratified(std::iter::once(&moments)).margin }
    }
}

/// The 97.5 % point of Student's distribution. From 3 degrees of freedom on it is Abramowitz and Stegun 26.7.5, which is
/// good to 1 %; below, it is the value for 1 or 2.
fn student_975(freedom: f64) -> f64 {
    if freedom < 3.0 {
        return if freedom < 2.0 { 12.706 } else { 4.303 };
    }
    let z: f64 = 1.959_963_985;
    let terms = [
        (z.powi(3) + z) / 4.0,
        (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0,
        (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0,
        (79.0 * z.powi(9) + 776.0 * z.powi(7) + 1482.0 * z.powi(5) - 1920.0 * z.powi(3) - 945.0 * z) / 92160.0,
    ];
    terms.iter().rev().fold(0.0, |sum, term| (sum + term) / freedom) + z
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moments(values: &[f64]) -> Moments {
        let mut moments = Moments::default();
        values.iter().for_each(|&value| moments.add(value));
        moments
    }

    #[test]
    fn the_quantile_is_that_of_the_tables() {
        for (freedom, table) in [(1.0, 12.706), (2.0, 4.303), (3.0, 3.182), (5.0, 2.571), (16.0, 2.120), (1e9, 1.960)] {
            let found = student_975(freedom);
            assert!((found / table - 1.0).abs() < 0.006, "{freedom}: {found} instead of {table}");
        }
        // Term by term: the values of 26.7.5 itself.
        for (freedom, value) in [(3.0, 3.178_617), (4.0, 2.775_582), (10.0, 2.228_131)] {
            let found = student_975(freedom);
            assert!((found - value).abs() < 2e-6, "{freedom}: {found} instead of {value}");
        }
        assert_eq!([0.5, f64::INFINITY].map(student_975), [12.706, 1.959_963_985]);
    }

    #[test]
    fn the_interval_of_strata_is_that_of_the_formula() {
        let draws = moments(&[3.0, 5.0, 10.0, 2.0]);
        assert_eq!((draws.draws(), draws.mean, draws.squares), (4, 5.0, 38.0));
        // The means 2, 6 and 7 have the variances 2 / 2 = 1, 12 / 3 = 4 and none that is known, and a weight of a third.
        // The degrees of freedom are (1 + 4)^2 / (1^2 / 1 + 4^2 / 2) = 2.8, so the quantile is 4.303.
        let found = stratified([moments(&[1.0, 3.0]), moments(&[4.0, 4.0, 10.0]), moments(&[7.0])].iter());
        assert!((found.mean - 5.0).abs() < 1e-12, "{found:?}");
        assert!((found.margin - 4.303 * 5.0_f64.sqrt() / 3.0).abs() < 1e-12, "{found:?}");
        // Four strata with the same spread of two draws have four degrees of freedom.
        let found = stratified([moments(&[0.0, 1.0]); 4].iter());
        assert!((found.margin - student_975(4.0) / 4.0).abs() < 1e-12, "{found:?}");
        // Draws that are all alike leave no doubt.
        assert_eq!(stratified([moments(&[4.0, 4.0]), moments(&[6.0, 6.0])].iter()), Interval::exact(5.0));
        assert_eq!(stratified([].iter()), Interval::exact(0.0));
    }

    #[test]
    fn an_interval_contains_its_ends_and_what_lies_between() {
        let interval = Interval { mean: 5.0, margin: 2.0 };
        let inside = [2.9, 3.0, 5.0, 7.0, 7.1].map(|value| interval.contains(value));
        assert_eq!(inside, [false, true, true, true, false]);
    }

    /// Rounds of two draws, whose values are the numbers of the rounds modulo 4, times 10 and times 20.
    fn blocks(rounds: u64) -> Blocks {
        let mut blocks = Blocks::new(2);
        // Numbers may come in any order.
        (0..2 * rounds).rev().for_each(|number| blocks.add(number, (10 * (number / 2 % 4) * (1 + number % 2)) as f64));
        blocks
    }

    #[test]
    fn blocks_hold_what_was_drawn_in_equal_spaces_of_time() {
        for (rounds, length, first) in [
            (32, 1, [(2, 0.0), (2, 30.0), (2, 60.0), (2, 90.0)]),
            (33, 2, [(4, 30.0), (4, 150.0), (4, 30.0), (4, 150.0)]),
            (200, 8, [(16, 360.0); 4]),
        ] {
            let blocks = blocks(rounds);
            assert_eq!((blocks.rounds, &blocks.blocks[..4]), (length, &first[..]), "{rounds} rounds");
            assert_eq!(blocks.blocks.len() as u64, rounds.div_ceil(length), "{rounds} rounds");
        }
    }

    #[test]
    fn the_margin_of_blocks_is_that_of_their_means_and_few_have_none() {
        // 16 blocks with the means 0, 15, 30, 45 over and over: the sum of their squares is 16 * 5/4 * 15^2.
        let margin = student_975(15.0) * (16.0 * 1.25 * 225.0 / 15.0 / 16.0_f64).sqrt();
        let mut found = blocks(16);
        assert!((found.margin() / margin - 1.0).abs() < 1e-12);
        // A block that is not finished does not count.
        found.add(32, 1e9);
        assert_eq!(found.margin(), blocks(16).margin());
        assert_eq!(blocks(15).margin(), 0.0);
        // A machine that slows down to a half, though each draw says the truth.
        let mut slower = Blocks::new(4);
        (0..4000).for_each(|number| slower.add(number, 100.0 * (1.0 + number as f64 / 4000.0)));
        assert!(slower.margin() > 10.0, "{}", slower.margin());
    }
}
