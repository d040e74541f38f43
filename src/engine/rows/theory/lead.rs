//! Leads: the queens of a core on which symmetry depends.
//!
//! Those of the two middle rows for even N, of the middle row and its neighbours for odd N. There are a few thousand of
//! them at most.

use super::core::{CoreSymmetry, Images, Queen, attack, distance};

/// The queens of a core on which symmetry depends.
#[derive(Clone, Debug)]
pub struct Lead {
    /// The queens.
    pub queens: Vec<Queen>,
    /// What a core with these queens counts for.
    pub symmetry: CoreSymmetry,
    /// The expected work of a core, relative to others.
    pub work: f64,
}

impl Lead {
    /// All leads of a board, in order.
    pub fn all(n: u32, middle_rows: u32) -> Vec<Self> {
        let middle = n / 2;
        let lead = |queens: Vec<Queen>, images, weight, reach: Option<u32>| Self {
            queens,
            symmetry: CoreSymmetry { images, weight, reach },
            work: lead_work(n, reach),
        };
        match (middle_rows, n % 2) {
            (0, _) => vec![lead(vec![], Images::All, 1, None)],
            (1, _) => {
                // From the centre to the left; on the right there are mirror images. With the queen beside the centre, S =
                // 0 is all that is less than R, but she attacks the centre.
                let centre = lead(vec![(middle, middle)], Images::All, 1, None);
                let others = (0..middle.saturating_sub(1)).rev();
                // Two for the mirror, and two for the transposition.
                let others = others.map(|c| lead(vec![(middle, c)], Images::Flip, 4, Some(distance(n, c))));
                std::iter::once(centre).chain(others).collect()
            }
            (_, 0) => {
                let pairs = pairs(n, [middle - 1, middle]);
                let reach =
                    |pair: [Queen; 2]| Some(pair.map(|queen| distance(n, queen.1)).into_iter().max().unwrap_or(0));
                pairs.map(|(pair, weight)| lead(pair.to_vec(), Images::None, weight, reach(pair))).collect()
            }
            _ => {
                let with_middle = |(pair, weight): ([Queen; 2], u64)| {
                    let queens = (0..n).map(move |column| (middle, column));
                    let peaceful = queens.filter(move |&queen| pair.iter().all(|&other| !attack(other, queen)));
                    // See above for the queen beside the centre.
                    let possible = peaceful.filter(move |queen| distance(n, queen.1) != 2);
                    possible.map(move |queen| {
                        let queens = vec![pair[0], queen, pair[1]];
                        match distance(n, queen.1) {
                            0 => lead(queens, Images::None, weight, None),
                            reach => lead(queens, Images::None, 2 * weight, Some(reach)),
                        }
                    })
                };
                pairs(n, [middle - 1, middle + 1]).flat_map(with_middle).collect()
            }
        }
    }
}

/// The queens of two rows that the flip exchanges, the least of their images, and how many images differ.
fn pairs(n: u32, rows: [u32; 2]) -> impl Iterator<Item = ([Queen; 2], u64)> {
    let all = (0..n).flat_map(move |a| (0..n).map(move |b| (a, b)));
    all.filter_map(move |(a, b)| {
        let mut images = [(a, b), (n - 1 - a, n - 1 - b), (b, a), (n - 1 - b, n - 1 - a)];
        images.sort_unstable();
        let queens = [(rows[0], a), (rows[1], b)];
        let different = 1 + images.windows(2).filter(|pair| pair[0] != pair[1]).count() as u64;
        (images[0] == (a, b) && !attack(queens[0], queens[1])).then_some((queens, different))
    })
}

/// What a core is expected to cost, relative to others of its board: measured as about the reach for N = 20 and 21, its
/// square for N = 24.
fn lead_work(n: u32, reach: Option<u32>) -> f64 {
    reach.map_or(0.6, |reach| (f64::from(reach) / f64::from(n - 1)).powf(1.5))
}
