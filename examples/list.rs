//! Lists solutions: `cargo run --release --example list -- 8 90` draws the solutions of N = 8,
//! starting with number 90 (counted from 0). Skipped solutions need not be found, so even number
//! 200000 of N = 14 appears immediately.

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
