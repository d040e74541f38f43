//! Lists solutions: `cargo run --release --example list -- 8 90` draws the solutions of N = 8 from
//! number 90 on, counted from 0. What is skipped need not be found, so number 200000 of N = 14
//! comes at once, too.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let n: u32 = arguments.next().map_or(Ok(6), |n| n.parse())?;
    let skip: usize = arguments.next().map_or(Ok(0), |skip| skip.parse())?;

    for (number, solution) in queencount::solutions(n)?.enumerate().skip(skip).take(5) {
        let kind = if solution.is_representative() {
            "the least of"
        } else {
            "one of"
        };
        println!(
            "{number}: {solution} ({kind} an orbit of {})",
            solution.orbit_size()
        );
        for row in solution.board_lines() {
            println!("{row}");
        }
        println!();
    }
    Ok(())
}
