//! Counts random parts of units twice: `cargo run --release --example parts -- 7 20 13 28` draws
//! parts of every board from N = 13 to 28 with the seed 7, until 20 of them have solutions, and
//! prints `N UNIT PART COUNT` for each, as the certified recount in `proof` does.

use queencount::engine::SplitMix64;
use queencount::{BoardSize, CancelToken, EngineChoice};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Result<Vec<u32>, _> = std::env::args().skip(1).map(|n| n.parse()).collect();
    let (seed, draws, smallest, largest) = match arguments?[..] {
        [] => (1, 1, 13, 16),
        [seed, draws, smallest, largest] => (seed, draws, smallest, largest),
        _ => return Err("expected SEED DRAWS SMALLEST LARGEST".into()),
    };
    let mut random = SplitMix64::new(seed.into());
    let stop = CancelToken::new();
    for n in smallest..=largest {
        let engine = EngineChoice::Rows.engine(BoardSize::new(n)?);
        let mut left = draws;
        while left > 0 {
            let unit = engine.unit_at(random.unit_interval());
            let part = random.below(engine.parts(unit));
            let count = engine.count_part(unit, part, &stop)?;
            let recount = engine.recount_part(unit, part, &stop)?;
            assert_eq!(count, recount, "N = {n}, unit {unit}, part {part}");
            // Most units have no core, and count 0. They are printed, too, because another program
            // might find a core.
            println!("{n} {unit} {part} {count}");
            left -= u32::from(count > 0);
        }
    }
    Ok(())
}
