//! Records as the commands read them that take several: all of one plan, and of the one that is expected.

use std::path::{Path, PathBuf};

use queencount::record::{Plan, Record, Tally};
use queencount::{BoardSize, EngineChoice, Resources};

use super::exit::Failure;

/// Which plan records have to be of, as far as somebody has said.
///
/// All records of a folder may well agree with each other and still be of another board than the one that is counted.
#[derive(Default)]
pub struct Expected<'a> {
    /// The board.
    pub n: Option<BoardSize>,
    /// The engine; [`EngineChoice::Auto`] expects no particular one.
    pub engine: EngineChoice,
    /// The hash of the plan.
    pub plan: Option<&'a str>,
}

impl Expected<'_> {
    /// Refuses a record whose plan is another one.
    fn check(&self, plan: &Plan, path: &Path) -> Result<(), Failure> {
        let other = |what: &str, found: &str, expected: &str| {
            Failure::Wrong(format!("{}: expected a record of {what} {expected}, found {found}", path.display()))
        };
        // A plan that names other units than its engine has would make a total of something else.
        let unknown = |reason| Failure::Wrong(format!("{}: {reason}", path.display()));
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

/// What records of one plan sum to.
pub fn tally(records: &[PathBuf], expected: &Expected) -> Result<Tally, Failure> {
    let mut tally: Option<Tally> = None;
    for path in records {
        let record = Record::read(path)?;
        // A record whose writer did not come as far as the plan has nothing to add.
        let Some(plan) = &record.plan else { continue };
        if tally.is_none() {
            // The others have to be of the same plan.
            expected.check(plan, path)?;
        }
        tally.get_or_insert_with(|| Tally::new(plan.clone())).add(record, path)?;
    }
    tally.ok_or_else(|| Failure::Incomplete("incomplete: the records are empty".to_owned()))
}
