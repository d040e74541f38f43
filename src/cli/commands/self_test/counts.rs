//! The checks of counts: of totals, of units, of symmetry.

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering};

use queencount::{
    BoardSize, Classes, Engine, EngineChoice, Kernel, Solution, Solutions, Stopped, Turn, TurnSymmetric, published,
};
use rayon::prelude::*;

use super::check::{Flaw, Means, Shown, drawn, expect, plan, span};

/// The totals of boards, compared with the published values.
pub fn totals(boards: RangeInclusive<u32>, plan: impl Fn(u32) -> Box<dyn Engine>, means: &Means) -> Shown {
    for n in boards.clone() {
        expect(format_args!("N = {n}"), expected(n), total(plan(n).as_ref(), means)?)?;
    }
    Ok(format!("N = {} to {} as published", boards.start(), boards.end()))
}

/// Boards, and how many units of each are drawn.
const BACKTRACK_UNITS: [(u32, u64); 3] = [(13, 30), (14, 20), (15, 10)];
const ROWS_UNITS: [(u32, u64); 4] = [(12, 20), (13, 20), (14, 5), (15, 5)];

/// Random units of every engine, with every kernel, compared with recounts.
pub fn units(means: &Means) -> Shown {
    let backtrack = recounted(&BACKTRACK_UNITS, |n| vec![plan(EngineChoice::Backtrack, n, Kernel::default())], means)?;
    let rows = recounted(&ROWS_UNITS, rows_by_kernels, means)?;
    Ok(format!("{backtrack} random units of backtrack and {rows} of rows, recounted"))
}

/// The plans of a board for every kernel.
fn rows_by_kernels(n: u32) -> Vec<Box<dyn Engine>> {
    Kernel::available().into_iter().map(|kernel| plan(EngineChoice::Rows, n, kernel)).collect()
}

/// Random units of boards, counted by plans with the same units and recounted: how many.
fn recounted(
    boards: &[(u32, u64)],
    plans: impl Fn(u32) -> Vec<Box<dyn Engine>> + Sync,
    means: &Means,
) -> Result<u64, Flaw> {
    drawn(boards, plans, means, |n, plans, random| {
        let unit = random.below(plans[0].units());
        let recount = plans[0].recount(unit, means.stop)?;
        for plan in plans {
            let by = plan.kernel().unwrap_or(plan.name());
            expect(format_args!("N = {n}, unit {unit}, {by}"), recount, plan.count(unit, means.stop)?)?;
        }
        Ok(true)
    })
}

/// Boards whose units have several parts, and how many of the parts are recounted: those of the frontier, too, with its
/// quarters of 12 rows, its words and its lists.
const PARTS: [(u32, u64); 13] = [
    (18, 4),
    (19, 4),
    (20, 2),
    (21, 2),
    (22, 1),
    (23, 1),
    (24, 2),
    (25, 2),
    (26, 1),
    (27, 1),
    (28, 2),
    (30, 1),
    (32, 1),
];

/// Random parts of units of large boards, with every kernel, compared with recounts.
pub fn parts(means: &Means) -> Shown {
    recounted_parts(&PARTS, rows_by_kernels, means)
}

/// Parts of boards, counted by plans with the same units and recounted. Each has the most solutions of 6 random ones, and
/// so long lists.
fn recounted_parts(boards: &[(u32, u64)], plans: impl Fn(u32) -> Vec<Box<dyn Engine>> + Sync, means: &Means) -> Shown {
    let all = drawn(boards, plans, means, |n, plans, random| {
        let mut most = (0, 0, 0);
        for _ in 0..6 {
            let unit = at_work(plans[0].as_ref(), random.unit_interval());
            let part = random.below(plans[0].parts(unit));
            most = most.max((plans[0].count_part(unit, part, means.stop)?, unit, part));
        }
        let (count, unit, part) = most;
        if count == 0 {
            return Ok(false);
        }
        let recount = plans[0].recount_part(unit, part, means.stop)?;
        for plan in plans {
            let by = plan.kernel().unwrap_or(plan.name());
            let what = format_args!("N = {n}, part {part} of unit {unit}, {by}");
            expect(what, recount, plan.count_part(unit, part, means.stop)?)?;
        }
        Ok(true)
    })?;
    Ok(format!("{all} random parts of units of rows, {}, recounted", span(boards)))
}

/// The unit that begins last before a share of the work, from 0 to 1, is done.
fn at_work(engine: &dyn Engine, share: f64) -> u64 {
    let (mut from, mut to) = (0, engine.units());
    while to - from > 1 {
        let middle = from + (to - from) / 2;
        if engine.work_before(middle) <= share { from = middle } else { to = middle }
    }
    from
}

/// Boards of which whole units are counted, and how many of each.
const WHOLE: [(u32, u64); 5] = [(25, 2), (26, 1), (27, 1), (28, 1), (32, 1)];

/// Random units of large boards, compared with the sum of their parts.
pub fn whole(means: &Means) -> Shown {
    summed_parts(&WHOLE, |n| plan(EngineChoice::Rows, n, Kernel::default()), means)
}

/// Units of boards, counted whole and part by part: the recount says what the parts are. Of 512 random units each is that
/// of least work which has solutions, because others take minutes.
fn summed_parts(boards: &[(u32, u64)], plan: impl Fn(u32) -> Box<dyn Engine> + Sync, means: &Means) -> Shown {
    let parts = AtomicU64::new(0);
    let all = drawn(boards, plan, means, |n, engine, random| {
        let work = |unit: &u64| engine.work(*unit..unit + 1);
        let mut drawn: Vec<u64> = (0..512).map(|_| random.below(engine.units())).collect();
        drawn.retain(|&unit| engine.parts(unit) > 1);
        drawn.sort_by(|one, other| work(one).total_cmp(&work(other)));
        for unit in drawn {
            let of_unit = 0..engine.parts(unit);
            let part = |part| engine.count_part(unit, part, means.stop);
            let sum = of_unit.clone().into_par_iter().map(part).sum::<Result<u128, Stopped>>()?;
            expect(format_args!("N = {n}, unit {unit}"), sum, engine.count(unit, means.stop)?)?;
            if sum > 0 {
                parts.fetch_add(of_unit.end, Ordering::Relaxed);
                return Ok(true);
            }
        }
        Ok(false)
    })?;
    let (boards, parts) = (span(boards), parts.into_inner());
    Ok(format!("{all} random units of rows, {boards}, count what their {parts} parts do"))
}

/// Burnside's lemma: the solutions, and those that turns of the board leave as they are, make up as many orbits as
/// there are solutions in a list that are the least of their images.
pub fn symmetry(boards: RangeInclusive<u32>, plan: impl Fn(u32) -> Box<dyn Engine>, means: &Means) -> Shown {
    for n in boards.clone() {
        let size = board(n);
        let turned = |turn| total(&TurnSymmetric::new(size, turn), means);
        let classes = Classes::new(size, total(plan(n).as_ref(), means)?, turned(Turn::Half)?, turned(Turn::Quarter)?)
            .map_err(|error| Flaw::Wrong(error.to_string()))?;
        let listed = Solutions::new(size).filter(Solution::is_representative).count();
        expect(format_args!("N = {n}, fundamental solutions"), listed as u128, classes.fundamental())?;
    }
    Ok(format!("N = {} to {}: as many orbits listed as by Burnside's lemma", boards.start(), boards.end()))
}

/// The number of solutions that an engine counts.
fn total(engine: &dyn Engine, means: &Means) -> Result<u128, Flaw> {
    Ok(means.fan_out.count(engine)?)
}

/// The published number of solutions.
fn expected(n: u32) -> u128 {
    published(n).expect("the boards of the checks have published values")
}

fn board(n: u32) -> BoardSize {
    BoardSize::new(n).expect("the boards of the checks are boards")
}

#[cfg(test)]
mod tests {
    use super::super::tests::{lie, loser, wrong};
    use super::*;

    #[test]
    fn a_unit_that_is_wrong_spoils_its_total() {
        for engine in [EngineChoice::Backtrack, EngineChoice::Rows] {
            let plan = |n| if n == 9 { lie(engine, n) } else { plan(engine, n, Kernel::default()) };
            assert_eq!(wrong(|means| totals(4..=10, plan, means)), "N = 9: expected 352, found 354");
        }
    }

    #[test]
    fn a_part_that_is_wrong_is_named_when_it_is_drawn() {
        // Units of N = 6 have one part each, and so few are there that the liar is drawn.
        let line = wrong(|means| recounted_parts(&[(6, 200)], |_| vec![lie(EngineChoice::Rows, 6)], means));
        assert!(line.starts_with("N = 6, part 0 of unit ") && line.contains(": expected "), "{line}");
    }

    #[test]
    fn a_unit_that_has_lost_a_part_is_named() {
        let honest = |n| plan(EngineChoice::Rows, n, Kernel::default());
        let line = wrong(|means| summed_parts(&[(18, 1)], |n| Box::new(loser(honest(n))), means));
        assert!(line.starts_with("N = 18, unit ") && line.contains(": expected "), "{line}");
    }

    #[test]
    fn a_unit_that_is_wrong_contradicts_symmetry() {
        let plan = |n| if n == 9 { lie(EngineChoice::Rows, n) } else { plan(EngineChoice::Auto, n, Kernel::default()) };
        assert!(wrong(|means| symmetry(1..=10, plan, means)).contains("found 354 solutions"));
    }

    #[test]
    fn a_unit_that_is_wrong_is_named_when_it_is_drawn() {
        // The board of N = 6 has so few units that the liar is drawn.
        for (engine, kernel) in [(EngineChoice::Backtrack, "backtrack"), (EngineChoice::Rows, "rows")] {
            let unit = lie(engine, 6).units() / 2;
            let line = wrong(|means| recounted(&[(6, 200)], |n| vec![lie(engine, n)], means).map(|_| String::new()));
            assert!(line.starts_with(&format!("N = 6, unit {unit}, {kernel}: expected ")), "{line}");
        }
    }
}
