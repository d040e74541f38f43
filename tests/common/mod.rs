//! What the tests hold the library against: published values, and an oracle that shares no code
//! with any engine. And how much time they have.

#![allow(
    dead_code,
    reason = "every test is a crate of its own and uses its part of this"
)]

pub mod child;

/// Whether there is time for hours, as by night.
pub fn long() -> bool {
    std::env::var_os("QUEENCOUNT_LONG").is_some()
}

/// The published number of solutions of the board with `n` rows.
pub fn published(n: u32) -> u128 {
    value(include_str!("../data/a000170.txt"), n)
}

/// The published number of fundamental solutions of the board with `n` rows.
pub fn published_fundamental(n: u32) -> u128 {
    value(include_str!("../data/a002562.txt"), n)
}

/// The published number of solutions that the half turn leaves as they are.
pub fn published_half_turn(n: u32) -> u128 {
    value(include_str!("../data/a032522.txt"), n)
}

/// The published number of solutions that the quarter turn leaves as they are.
pub fn published_quarter_turn(n: u32) -> u128 {
    value(include_str!("../data/a033148.txt"), n)
}

/// The value for `n` in a file of an integer sequence, which names its source.
fn value(sequence: &str, n: u32) -> u128 {
    sequence
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(' '))
        .find(|(rows, _)| *rows == n.to_string())
        .map(|(_, count)| count.parse().expect("a count"))
        .unwrap_or_else(|| panic!("no value is published for n = {n}"))
}

/// Whether queens in these columns, row by row, attack each other: the definition, pair by pair.
pub fn attack(columns: &[u8]) -> bool {
    (0..columns.len()).any(|lower| {
        (0..lower).any(|upper| {
            let (a, b) = (columns[upper], columns[lower]);
            a == b || usize::from(a.abs_diff(b)) == lower - upper
        })
    })
}

/// All solutions of the board with `n` rows, in lexicographic order: every way to add a column, and
/// the definition.
pub fn solutions(n: u32) -> Vec<Vec<u8>> {
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

/// The first solutions of the board with `n` rows, in lexicographic order: columns are tried from
/// the left, row by row, by the definition.
pub fn first_solutions(n: u32, count: usize) -> Vec<Vec<u8>> {
    fn extend(board: &mut Vec<u8>, n: usize, count: usize, found: &mut Vec<Vec<u8>>) {
        if board.len() == n {
            found.push(board.clone());
            return;
        }
        for column in 0..n as u8 {
            board.push(column);
            if found.len() < count && !attack(board) {
                extend(board, n, count, found);
            }
            board.pop();
        }
    }
    let mut found = Vec::new();
    extend(&mut Vec::new(), n as usize, count, &mut found);
    found
}
