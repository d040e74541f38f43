//! Leads: the queens of a core on which symmetry depends.
//!
//! Those of the two middle rows for even N, of the middle row and its neighbours for odd N. There are a few thousand of
//! them at most.

use super::core::{CoreSymmetry, Images, OrderEight, Queen, attack, distance, weighs_main_diagonals};

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
        let lead = |queens: &[Queen], images, weight, order_eight| Self {
            queens: queens.to_vec(),
            symmetry: CoreSymmetry { images, weight, order_eight },
            work: lead_work(n, order_eight),
        };
        // Of odd N: with the queen beside the centre, S = 0 is all that is less than R, but she attacks the centre.
        let possible = |column: &u32| distance(n, *column) != 2;
        match (middle_rows, n % 2) {
            (0, _) if weighs_main_diagonals(middle) => vec![lead(&[], Images::All, 1, OrderEight::MainDiagonals)],
            (0, _) => vec![lead(&[], Images::All, 1, OrderEight::Unused)],
            (1, _) => {
                // From the centre to the left; on the right there are mirror images.
                let of_queen = |column: u32| match distance(n, column) {
                    0 => lead(&[(middle, column)], Images::All, 1, OrderEight::Unused),
                    // Two for the mirror, and two for the transposition.
                    reach => lead(&[(middle, column)], Images::Flip, 4, OrderEight::Reach(reach)),
                };
                (0..=middle).rev().filter(possible).map(of_queen).collect()
            }
            (_, 0) => {
                let of_pair = |([one, other], weight): ([Queen; 2], u64)| {
                    let reach = distance(n, one.1).max(distance(n, other.1));
                    lead(&[one, other], Images::None, weight, OrderEight::Reach(reach))
                };
                pairs(n, [middle - 1, middle]).map(of_pair).collect()
            }
            _ => {
                let of_pair = |([upper, lower], weight): ([Queen; 2], u64)| {
                    let of_queen = |column: u32| match distance(n, column) {
                        0 => lead(&[upper, (middle, column), lower], Images::None, weight, OrderEight::Unused),
                        reach => {
                            lead(&[upper, (middle, column), lower], Images::None, 2 * weight, OrderEight::Reach(reach))
                        }
                    };
                    let peaceful = |column: &u32| ![upper, lower].iter().any(|&one| attack(one, (middle, *column)));
                    (0..n).filter(possible).filter(peaceful).map(of_queen).collect::<Vec<Self>>()
                };
                pairs(n, [middle - 1, middle + 1]).flat_map(of_pair).collect()
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
fn lead_work(n: u32, order_eight: OrderEight) -> f64 {
    match order_eight {
        OrderEight::Reach(reach) => (f64::from(reach) / f64::from(n - 1)).powf(1.5),
        _ => 0.6,
    }
}
