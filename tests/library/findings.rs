//! A finding of an audit is kept as an entry is: damage to it is noticed, and only the end of a
//! file can be torn.

use std::path::Path;

use queencount::record::{
    Audit, Collection, Extent, Finding, Journal, Line, Plan, Reader, RecordError, Tally, UnitSet,
    Verdict,
};
use queencount::{BoardSize, Counter, Engine, EngineChoice};

use crate::journal::folder;

/// A complete record of N = 9, and the findings of an audit of all of it.
fn audited() -> (Plan, String, Vec<Finding>) {
    let engine = EngineChoice::Backtrack.engine(BoardSize::new(9).unwrap());
    let plan = Plan::new(engine.as_ref());
    let (_folder, path) = folder();
    let all = UnitSet::from(0..engine.units());
    Journal::open(&path, &plan)
        .unwrap()
        .count(engine.as_ref(), &all, Counter::default())
        .unwrap();
    let record = std::fs::read_to_string(&path).unwrap();
    let findings = std::sync::Mutex::new(Vec::new());
    let keep = |finding: &Finding, _: &Audit| findings.lock().unwrap().push(finding.clone());
    let sample = tally(&plan, &record).sample(1000, 1);
    let whole = |engine: &dyn Engine| {
        Audit::run(
            engine,
            &sample,
            Extent::Whole,
            Counter::default().threads(1),
            &keep,
        )
        .unwrap()
    };
    assert_eq!(whole(engine.as_ref()).entries, engine.units());
    (plan, record, findings.into_inner().unwrap())
}

fn collection(plan: &Plan, text: &str) -> Result<Tally, RecordError> {
    let mut collection = Collection::new(plan.clone());
    let damaged = collection.read(&mut Reader::new(text.as_bytes(), Path::new("r")))?;
    damaged.into_iter().next().map_or(Ok(()), Err)?;
    collection.tally()?.agreed()
}

fn tally(plan: &Plan, text: &str) -> Tally {
    collection(plan, text).unwrap()
}

#[test]
fn a_finding_is_read_as_it_was_written() {
    let (plan, record, findings) = audited();
    let mut finding = findings[3].clone();
    assert_eq!(
        (finding.verdict, finding.means.as_str(), finding.unit),
        (Verdict::Right, "recount", None)
    );
    finding.means = "rows+recount".to_owned();
    finding.unit = Some(finding.first);
    (finding.seed, finding.time, finding.site) = (
        Some(u64::MAX),
        Some(1_795_348_800),
        Some("a \"b\"".to_owned()),
    );
    let (mut wrong, mut convicting) = (finding.clone(), finding.clone());
    (wrong.recount, wrong.verdict) = (wrong.recount + 8, Verdict::Entry);
    (convicting.part, convicting.verdict) = (Some(2), Verdict::Engine);
    for finding in [&findings[0], &finding, &wrong, &convicting] {
        let text = plan.to_line() + &finding.to_line(&plan);
        let mut reader = Reader::new(text.as_bytes(), Path::new("r"));
        reader.next_line().unwrap();
        assert_eq!(
            reader.next_line().unwrap(),
            Some((2, Line::Finding(finding.clone()))),
            "{text}"
        );
    }
    // What each does to a total.
    let total = tally(&plan, &record).total();
    let with = |finding: &Finding| collection(&plan, &(record.clone() + &finding.to_line(&plan)));
    let right = with(&finding).unwrap();
    assert_eq!(
        (right.total(), right.audited(), right.findings().count()),
        (total, finding.units().into(), 1)
    );
    let said = with(&wrong).unwrap_err().to_string();
    assert!(
        said.starts_with("r line 30 and r line ") && said.contains(" disagree: units "),
        "{said}"
    );
    let said = with(&convicting).unwrap_err().to_string();
    let part = format!(
        "and the engine is wrong on part 2 of unit {}",
        finding.first
    );
    assert!(said.contains(&part), "{said}");
    // A finding about something that is not on record says nothing of it.
    let lacking: String = record
        .lines()
        .filter(|line| !line.contains(&format!("\"first\":{},", finding.first)))
        .map(|line| line.to_owned() + "\n")
        .collect();
    let tally = tally(&plan, &(lacking + &wrong.to_line(&plan)));
    assert_eq!(
        (tally.missing(), tally.audited()),
        (finding.units().into(), UnitSet::new())
    );
}

#[test]
fn any_flipped_bit_is_noticed_and_only_the_end_can_be_torn() {
    let (plan, record, findings) = audited();
    let line = findings[0].to_line(&plan);
    for bit in 0..8 * line.len() {
        let mut flipped = line.clone().into_bytes();
        flipped[bit / 8] ^= 1 << (bit % 8);
        let text = [record.as_bytes(), &flipped].concat();
        let damaged =
            Collection::new(plan.clone()).read(&mut Reader::new(&text[..], Path::new("r")));
        assert!(!damaged.unwrap().is_empty(), "bit {bit}");
    }
    let (_folder, path) = folder();
    for cut in 1..line.len() {
        let text = record.clone() + &line + &line[..cut];
        assert_eq!(tally(&plan, &text).findings().count(), 1, "cut at {cut}");
        std::fs::write(&path, &text).unwrap();
        let mut journal = Journal::open(&path, &plan).unwrap();
        journal.keep(&findings[1]).unwrap();
        journal.finish().unwrap();
        drop(journal);
        assert_eq!(
            tally(&plan, &std::fs::read_to_string(&path).unwrap())
                .findings()
                .count(),
            2,
            "cut at {cut}"
        );
        // The same piece in the middle is damage, unless it lacks nothing but its newline.
        let text = record.clone() + &line[..cut] + "\n" + &line;
        let damaged = matches!(collection(&plan, &text), Err(RecordError::Damaged(..)));
        assert_eq!(damaged, cut < line.len() - 1, "cut at {cut}");
    }
}

#[test]
fn a_finding_that_contradicts_itself_or_its_plan_is_damage() {
    let (plan, record, findings) = audited();
    let mut beyond = findings[0].clone();
    (beyond.first, beyond.last) = (plan.units, plan.units);
    let mut elsewhere = findings[0].clone();
    elsewhere.unit = Some(elsewhere.last + 1);
    let mut mistaken = findings[0].clone();
    mistaken.recount += 8;
    for line in [&beyond, &elsewhere, &mistaken].map(|finding| finding.to_line(&plan)) {
        assert!(
            matches!(
                collection(&plan, &(record.clone() + &line)),
                Err(RecordError::Damaged(..))
            ),
            "{line}"
        );
    }
}
