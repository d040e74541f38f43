//! The fingerprint: one number for what the program counts, unit by unit.
//!
//! It is the beginning of the SHA-256 of lines `engine n unit count`, for all units of `backtrack` and `rows` up to
//! N = 12, in order. A change that is meant to make the program faster, and nothing else, keeps it. Every way to count a unit
//! has to lead to it: every kernel of the engine, and the recount.

use queencount::{Engine, EngineChoice, Kernel, Stop, Stopped};
use sha2::{Digest, Sha256};

use super::check::{Means, Shown, expect, plan};

/// The fingerprint of this program.
const FINGERPRINT: &str = "430cd6966737c063";

/// Both engines with the boards whose units are counted.
const BOARDS: [(EngineChoice, std::ops::RangeInclusive<u32>); 2] =
    [(EngineChoice::Backtrack, 1..=12), (EngineChoice::Rows, 4..=12)];

/// One way to count a unit.
type Way = fn(&dyn Engine, u64, &Stop) -> Result<u128, Stopped>;

/// Every way to count leads to the fingerprint.
pub fn check(means: &Means) -> Shown {
    let counted: Way = |engine, unit, stop| engine.count(unit, stop);
    let recounted: Way = |engine, unit, stop| engine.recount(unit, stop);
    for kernel in Kernel::available() {
        expect(kernel.name(), FINGERPRINT, &of(&plans(kernel), counted, means.stop)?)?;
    }
    expect("recounted", FINGERPRINT, &of(&plans(Kernel::default()), recounted, means.stop)?)?;
    Ok(format!("{FINGERPRINT}, with every kernel and recounted"))
}

fn plans(kernel: Kernel) -> Vec<Box<dyn Engine>> {
    BOARDS.into_iter().flat_map(|(engine, boards)| boards.map(move |n| plan(engine, n, kernel))).collect()
}

/// The fingerprint of all units of some plans, counted in one way.
fn of(plans: &[Box<dyn Engine>], way: Way, stop: &Stop) -> Result<String, Stopped> {
    let mut hash = Sha256::new();
    for engine in plans {
        for unit in 0..engine.units() {
            let count = way(engine.as_ref(), unit, stop)?;
            hash.update(format!("{} {} {unit} {count}\n", engine.name(), engine.size()));
        }
    }
    Ok(hash.finalize()[..8].iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::super::tests::liar;
    use super::*;

    #[test]
    fn a_single_unit_that_is_wrong_changes_the_fingerprint() {
        let counted: Way = |engine, unit, stop| engine.count(unit, stop);
        let honest = of(&plans(Kernel::default()), counted, &Stop::new()).unwrap();
        assert_eq!(honest, FINGERPRINT);
        for place in [0, 11, 20] {
            let mut plans = plans(Kernel::default());
            let engine = plans.remove(place);
            let unit = engine.units() - 1;
            plans.insert(place, Box::new(liar(engine, unit)));
            assert_ne!(of(&plans, counted, &Stop::new()).unwrap(), honest);
        }
    }

    #[test]
    fn the_guide_states_the_fingerprint() {
        assert!(include_str!("../../../../docs/guide.md").contains(&format!("`{FINGERPRINT}`")));
    }
}
