//! Records as the commands read them that take several: all of one plan, and of the one that is expected.

use std::path::{Path, PathBuf};

use queencount::record::{Plan, Record, RecordError, Tally};
use queencount::{BoardSize, EngineChoice, Resources};

use super::exit::Exit;
use super::notes::note;

/// Which plan records have to be of, as far as somebody has said.
///
/// All records of a folder may well agree with each other and still be of another board than the one that is counted.
#[derive(Default)]
pub struct ExpectedPlan<'a> {
    /// The board.
    pub n: Option<BoardSize>,
    /// The engine; [`EngineChoice::Auto`] expects no particular one.
    pub engine: EngineChoice,
    /// The hash of the plan.
    pub plan: Option<&'a str>,
}

impl ExpectedPlan<'_> {
    /// The plan that records have which have lost the line that says it: the others', or the one of the board.
    fn known(&self, records: &[PathBuf]) -> Option<Plan> {
        let said = records.iter().find_map(|path| Record::read_plan(path).ok().flatten());
        said.or_else(|| self.n.map(|n| Plan::new(self.engine.plan(n).as_ref())))
    }

    /// Refuses a record whose plan is another one.
    fn check(&self, plan: &Plan, path: &Path) -> Result<(), Exit> {
        let other = |what: &str, found: &str, expected: &str| {
            Exit::Wrong(format!("{}: expected a record of {what} {expected}, found {found}", path.display()))
        };
        // A plan that names other units than its engine has would make a total of something else.
        let unknown = |reason| Exit::Wrong(format!("{}: {reason}", path.display()));
        let size = plan.engine(Resources::default()).map_err(unknown)?.size();
        if let Some(n) = self.n
            && n != size
        {
            return Err(other("N =", &size.to_string(), &n.to_string()));
        }
        if self.engine != EngineChoice::Auto {
            // Asked for its name, because an engine may leave the smallest boards to another one.
            let engine = self.engine.plan(size).name();
            if engine != plan.engine {
                return Err(other("engine", &plan.engine, engine));
            }
        }
        match self.plan {
            Some(hash) if hash != plan.hash() => Err(other("plan", &plan.hash(), hash)),
            _ => Ok(()),
        }
    }
}

/// Which flaws of records somebody puts up with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tolerated {
    /// None.
    Nothing,
    /// Entries that contradict each other.
    Disputes,
    /// These and damaged lines, a first one that says no plan included. They are named and left out.
    Damage,
}

/// What records of one plan sum to.
///
/// # Errors
/// When a record has a flaw that is not tolerated. Every flaw of every record is named.
pub fn tally(records: &[PathBuf], expected: &ExpectedPlan, tolerated: Tolerated) -> Result<Tally, Exit> {
    let mut tally: Option<Tally> = None;
    let (mut flaws, mut damage) = (Vec::new(), Vec::new());
    let known = if tolerated == Tolerated::Damage { expected.known(records) } else { None };
    for path in records {
        let record = match known.as_ref().map_or_else(|| Record::salvage(path), |plan| Record::salvage_of(plan, path)) {
            Ok(record) => record,
            Err(error) if error.worth_retrying() => return Err(error.into()),
            Err(error) => {
                flaws.push(error);
                continue;
            }
        };
        damage.extend(record.damage(path));
        // A record whose writer did not come as far as the plan has nothing to add.
        let Some(plan) = &record.plan else { continue };
        if tally.is_none() {
            // The others have to be of the same plan.
            expected.check(plan, path)?;
        }
        match tally.get_or_insert_with(|| Tally::new(plan.clone())).add(record, path) {
            // Others may join the dispute.
            Ok(()) | Err(RecordError::Conflict(_)) => {}
            Err(error) => flaws.push(error),
        }
    }
    let disputes: Vec<RecordError> = tally.iter().flat_map(Tally::disputes).map(RecordError::from).collect();
    match tolerated {
        Tolerated::Nothing => flaws.extend(damage.into_iter().chain(disputes)),
        Tolerated::Disputes => flaws.extend(damage),
        Tolerated::Damage => damage.into_iter().chain(disputes).for_each(|flaw| note(format_args!("left out: {flaw}"))),
    }
    named(flaws)?;
    tally.ok_or_else(|| Exit::Incomplete("incomplete: the records are empty".to_owned()))
}

/// Names all flaws, if there are any: the only one is the failure itself.
fn named(mut flaws: Vec<RecordError>) -> Result<(), Exit> {
    match flaws.len() {
        0 => Ok(()),
        1 => Err(flaws.remove(0).into()),
        several => {
            for line in flaws.into_iter().filter_map(|flaw| Exit::from(flaw).line()) {
                note(format_args!("{line}"));
            }
            Err(Exit::Wrong(format!("there is no total: the records have {several} flaws, each named above")))
        }
    }
}
