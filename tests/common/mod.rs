//! References for tests: published values, and an oracle that shares no code with any engine. Also
//! determines whether long tests should run.

#![allow(
    dead_code,
    reason = "every test is a crate of its own and uses its part of this"
)]

/// Returns whether tests may take hours, as in the nightly run.
pub(crate) fn long() -> bool {
    std::env::var_os("QUEENCOUNT_LONG").is_some()
}

/// Returns the published number of solutions of the board with `n` rows.
pub(crate) fn published(n: u32) -> u128 {
    value(include_str!("../data/a000170.txt"), n)
}

/// Returns the published number of fundamental solutions of the board with `n` rows.
pub(crate) fn published_fundamental(n: u32) -> u128 {
    value(include_str!("../data/a002562.txt"), n)
}

/// Returns the published number of solutions unchanged by the half turn.
pub(crate) fn published_half_turn(n: u32) -> u128 {
    value(include_str!("../data/a032522.txt"), n)
}

/// Returns the published number of solutions unchanged by the quarter turn.
pub(crate) fn published_quarter_turn(n: u32) -> u128 {
    value(include_str!("../data/a033148.txt"), n)
}

/// Returns the value for `n` from the file of an integer sequence, which names its source.
fn value(sequence: &str, n: u32) -> u128 {
    sequence
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(' '))
        .find(|(rows, _)| *rows == n.to_string())
        .map(|(_, count)| count.parse().expect("a count"))
        .unwrap_or_else(|| panic!("no value is published for n = {n}"))
}

/// Returns whether queens in these columns attack each other, by comparing each pair.
pub(crate) fn attack(columns: &[u8]) -> bool {
    (0..columns.len()).any(|lower| {
        (0..lower).any(|upper| {
            let (a, b) = (columns[upper], columns[lower]);
            a == b || usize::from(a.abs_diff(b)) == lower - upper
        })
    })
}

/// Returns all solutions of the board with `n` rows in lexicographic order, by trying every column
/// and applying the definition.
pub(crate) fn solutions(n: u32) -> Vec<Vec<u8>> {
    let mut boards = vec![vec![]];
    for _ in 0..n {
        boards = boards
            .iter()
            .flat_map(|board: &Vec<u8>| {
                (0..n as u8).map(move |column| [board.as_slice(), &[column]].concat())
            })
            .filter(|board| !attack(board))
            .collect();
    }
    boards
}
