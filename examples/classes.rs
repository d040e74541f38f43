//! Counts solutions by symmetry: `cargo run --release --example classes -- 12` prints the numbers
//! of fundamental solutions and of orbits for N up to 12.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let largest: u32 = std::env::args().nth(1).map_or(Ok(10), |n| n.parse())?;

    println!(" N     solutions   fundamental    orbits of 8, 4, 2, 1");
    for n in 1..=largest {
        let classes = queencount::classes(n)?;
        let [eight, four, two, one] = [8, 4, 2, 1].map(|solutions| classes.orbits(solutions));
        println!(
            "{n:2} {:13} {:13}    {eight}, {four}, {two}, {one}",
            classes.total(),
            classes.fundamental()
        );
    }
    Ok(())
}
