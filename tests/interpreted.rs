//! Both engines, every kernel and a record, on boards small enough for Miri: `cargo miri test
//! --test interpreted` (`.ci/memory`).

mod common;

use queencount::record::{Loader, Plan, Reader};
use queencount::{
    Backend, BoardSize, CancelToken, Counter, Engine, EngineChoice, EngineOptions, Kernel,
};

fn engines(n: u32) -> Vec<Box<dyn Engine>> {
    let size = BoardSize::new(n).unwrap();
    let mut engines = vec![EngineChoice::Backtrack.engine(size)];
    for kernel in Kernel::available() {
        let options = EngineOptions::new().kernel(kernel);
        engines.push(EngineChoice::Rows.build(size, options));
    }
    engines
}

#[test]
fn units_sum_to_published_total() {
    for n in 4..=6 {
        for engine in engines(n) {
            let sum: u128 = (0..engine.units())
                .map(|unit| engine.count(unit, &CancelToken::new()).unwrap())
                .sum();
            assert_eq!(
                sum,
                common::published(n),
                "N = {n}, {} {:?}",
                engine.name(),
                engine.backend().map(Backend::name)
            );
        }
    }
}

#[test]
fn units_with_vector_length_lists_match_recounts() {
    for engine in engines(10) {
        for unit in [7.min(engine.units() - 1), engine.units() / 2] {
            let recount = engine.recount(unit, &CancelToken::new()).unwrap();
            let count = engine.count(unit, &CancelToken::new()).unwrap();
            assert_eq!(
                count,
                recount,
                "unit {unit}, {} {:?}",
                engine.name(),
                engine.backend().map(Backend::name)
            );
        }
    }
}

#[test]
fn two_threads_give_published_total() {
    for engine in engines(6) {
        assert_eq!(
            Counter::new().threads(2).count(&*engine).unwrap(),
            common::published(6)
        );
    }
}

#[test]
fn record_is_read_and_written_unchanged() {
    // This record may have been written on a CPU with another byte order.
    let text = concat!(
        r#"{"format":"queencount-record","version":1,"program":"0.1.0","n":6,"#,
        r#""engine":"backtrack","parameters":"","units":10,"plan":"4fb2fdd98fcc9691","crc":"7d6d6e77"}"#,
        "\n",
        r#"{"first":1,"last":1,"count":"0","seconds":0.0,"kernel":null,"crc":"f48d49cf"}"#,
        "\n",
    );
    let mut reader = Reader::new(text.as_bytes(), "record").unwrap();
    let plan = reader.plan().unwrap().clone();
    let entry = reader.next().unwrap().unwrap();
    let engine = EngineChoice::Backtrack.engine(BoardSize::new(6).unwrap());
    assert_eq!(plan.difference(&Plan::new(engine.as_ref())), None);
    assert_eq!(plan.to_line() + &entry.to_line(&plan), text);
    let reader = Reader::new(text.as_bytes(), "record").unwrap();
    let tally = Loader::new().read([reader]).unwrap().tally;
    assert_eq!(tally.missing().to_string(), "0,2-9");
}
