//! Quarter-boards: all placements of mutually non-attacking queens on given columns of a corner of the board.
//!
//! A half-board is two quarter-boards side by side, whose queens stand in different rows. So a placement is filed by the
//! set of rows that it occupies, its **run**:
//!
//! ```text
//!     . Q . .      columns {1, 2}: one of the placements in the run of the rows {0, 3}
//!     . . . .
//!     . . . .      Row sets are numbered in the order of their masks, which complements turn round: what goes
//!     . . Q .      with run i of one quarter is run T-1-i of the other, of T runs in each.
//! ```
//!
//! Rows and columns are counted from the corner, so that the quarter on the other side is the same set of placements
//! with mirrored signatures.

use super::combinations::{binomial, rank};
use super::format::{Format, class};
use super::signature::{Geometry, Signature};
use crate::board::bits;

/// The most rows and columns of a quarter-board: half of those of the largest board.
const MAX: usize = 16;

/// The squares of a quarter-board that may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Squares {
    /// The rows that may hold a queen.
    pub rows: u32,
    /// The columns that may.
    pub columns: u32,
    /// Diagonals that may not.
    pub closed: Signature,
    /// Whether this is the far quarter, at the top right, whose signatures are mirrored.
    pub far: bool,
}

impl Squares {
    /// The signature of a queen on a square, if she may stand there.
    fn queen(&self, geometry: Geometry, row: u32, column: u32) -> Option<Signature> {
        let queen = geometry.queen(row, column);
        let queen = if self.far { geometry.mirrored(queen) } else { queen };
        (self.rows >> row & self.columns >> column & 1 == 1 && queen & self.closed == 0).then_some(queen)
    }

    /// The diagonals that queens may occupy.
    pub fn diagonals(&self, geometry: Geometry) -> Signature {
        let squares = (0..geometry.half).flat_map(|row| (0..geometry.half).map(move |column| (row, column)));
        squares.filter_map(|(row, column)| self.queen(geometry, row, column)).fold(0, |all, queen| all | queen)
    }
}

/// The placements on one set of columns, as chunks, sorted by class and run.
#[derive(Clone, Debug, Default)]
pub struct Quarter {
    /// The number of sets of as many rows as there are columns.
    pub runs: u32,
    pub chunks: Vec<u32>,
    /// The run of each placement. Near quarters.
    pub run: Vec<u32>,
    /// Class c is `chunks[starts[c]..starts[c + 1]]`. Far quarters: run i of class c is at `starts[c * runs + i]`.
    pub starts: Vec<u32>,
}

impl Quarter {
    /// The number of placements.
    pub fn len(&self) -> usize {
        self.chunks.len()
    }

    /// Finds the placements on `columns`.
    pub fn new(geometry: Geometry, format: &Format, squares: &Squares, columns: u32) -> Self {
        let lines = if squares.far { &format.far } else { &format.near };
        let mut search =
            Search { queens: [[(0, 0); MAX]; MAX], allowed: [0; MAX], rows: squares.rows, found: Vec::new() };
        for column in 0..geometry.half {
            for row in 0..geometry.half {
                if let Some(queen) = squares.queen(geometry, row, column) {
                    search.queens[column as usize][row as usize] = (class(lines, queen), format.chunks(queen));
                    search.allowed[column as usize] |= 1 << row;
                }
            }
        }
        search.place(columns, squares.rows, 0, 0, (0, 0));
        let runs = binomial(squares.rows.count_ones(), columns.count_ones()) as u32;
        let bins = if squares.far { (runs as usize) << lines.len() } else { 1 << lines.len() };
        let bin = |&(class, run, _): &(u32, u32, u32)| if squares.far { class * runs + run } else { class } as usize;

        if !squares.far {
            search.found.sort_unstable_by_key(|&(_, run, _)| run);
        }
        // A counting sort: `starts[b + 2]` is first the length of bin b, then `starts[b + 1]` its start, then its end.
        let mut starts = vec![0u32; bins + 2];
        for found in &search.found {
            starts[bin(found) + 2] += 1;
        }
        for bin in 2..starts.len() {
            starts[bin] += starts[bin - 1];
        }
        let mut chunks = vec![0; search.found.len()];
        let mut run = vec![0; if squares.far { 0 } else { search.found.len() }];
        for found in &search.found {
            let place = &mut starts[bin(found) + 1];
            chunks[*place as usize] = found.2;
            if !squares.far {
                run[*place as usize] = found.1;
            }
            *place += 1;
        }
        starts.pop();
        Self { runs, chunks, run, starts }
    }
}

/// A search column by column, from the border inwards.
struct Search {
    /// The class and the chunks of a queen on each square, by column and row.
    queens: [[(u32, u32); MAX]; MAX],
    /// The rows of each column that may hold a queen.
    allowed: [u32; MAX],
    rows: u32,
    /// The placements found: class, run, chunks.
    found: Vec<(u32, u32, u32)>,
}

impl Search {
    /// Fills the `columns` with queens in the rows that are `free`; `up` and `down` are the rows of the first of the
    /// columns that diagonals attack.
    fn place(&mut self, columns: u32, free: u32, up: u32, down: u32, so_far: (u32, u32)) {
        if columns == 0 {
            self.found.push((so_far.0, rank(self.rows & !free, self.rows), so_far.1));
            return;
        }
        let column = columns.trailing_zeros();
        let others = columns & (columns - 1);
        let step = if others == 0 { 0 } else { others.trailing_zeros() - column };
        let open = free & self.allowed[column as usize] & !(up | down);
        for queen in bits(open.into()) {
            let (class, chunks) = self.queens[column as usize][queen.trailing_zeros() as usize];
            let queen = queen as u32;
            let so_far = (so_far.0 | class, so_far.1 | chunks);
            self.place(others, free ^ queen, (up | queen) >> step, (down | queen) << step, so_far);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::core::{Core, Tuning};
    use super::*;

    /// The placements as class, run and chunks, found column by column with the rule of the game alone.
    fn placements(geometry: Geometry, format: &Format, squares: &Squares, columns: u32) -> Vec<(u32, u32, u32)> {
        let mut boards: Vec<Vec<(u32, u32)>> = vec![vec![]];
        for column in bits(columns.into()).map(|bit| bit.trailing_zeros()) {
            let with_queen = |board: &Vec<(u32, u32)>| {
                let attacked = |row| board.iter().any(|&(r, c)| r == row || r.abs_diff(row) == c.abs_diff(column));
                let rows = (0..geometry.half).filter(|&row| squares.queen(geometry, row, column).is_some());
                rows.filter(|&row| !attacked(row)).map(|row| [board.as_slice(), &[(row, column)]].concat()).collect()
            };
            boards = boards.iter().flat_map::<Vec<_>, _>(with_queen).collect();
        }
        let lines = if squares.far { &format.far } else { &format.near };
        let filed = |board: &Vec<(u32, u32)>| {
            let rows = board.iter().fold(0, |rows, (row, _)| rows | 1 << row);
            let queens = board.iter().map(|&(row, column)| squares.queen(geometry, row, column).unwrap());
            let signature = queens.fold(0, |all, queen| all | queen);
            (class(lines, signature), rank(rows, squares.rows), format.chunks(signature))
        };
        let mut found: Vec<_> = boards.iter().map(filed).collect();
        found.sort_unstable();
        found
    }

    /// What is in a quarter-board, in the same form.
    fn contents(quarter: &Quarter, far: bool) -> Vec<(u32, u32, u32)> {
        let mut found = Vec::new();
        for (bin, range) in quarter.starts.windows(2).enumerate() {
            for place in range[0] as usize..range[1] as usize {
                let (class, run) = match far {
                    true => (bin as u32 / quarter.runs, bin as u32 % quarter.runs),
                    false => (bin as u32, quarter.run[place]),
                };
                found.push((class, run, quarter.chunks[place]));
            }
        }
        found.sort_unstable();
        found
    }

    #[test]
    fn every_placement_is_there_once_and_nothing_else() {
        for n in 4..=13 {
            let geometry = Geometry::new(n);
            for core in Core::all(n, Tuning::of(n)) {
                for (format, sides) in core.formats.iter().zip([core.top, core.bottom]) {
                    for squares in sides {
                        for columns in (0..1 << geometry.half).filter(|columns| columns & !squares.columns == 0) {
                            let quarter = Quarter::new(geometry, format, &squares, columns);
                            let expected = placements(geometry, format, &squares, columns);
                            assert_eq!(contents(&quarter, squares.far), expected, "N = {n}, {squares:?}, {columns:b}");
                            assert_eq!(quarter.len(), expected.len());
                            assert!(squares.far || in_order(&quarter), "N = {n}, {squares:?}, {columns:b}");
                        }
                    }
                }
            }
        }
    }

    /// Whether the runs within each class are in order, for batches are cut out of them.
    fn in_order(near: &Quarter) -> bool {
        near.starts.windows(2).all(|class| near.run[class[0] as usize..class[1] as usize].is_sorted())
    }

    #[test]
    fn square_quarter_boards_have_as_many_placements_as_they_should() {
        // 0 to h non-attacking queens on an h x h board, found square by square by a program apart.
        for (h, expected) in (2..).zip([5, 18, 87, 462, 2_635, 16_870, 118_969]) {
            let geometry = Geometry::new(2 * h);
            let core = &Core::all(2 * h, Tuning::of(2 * h))[0];
            for squares in &core.top {
                let quarters = (0..1 << h).map(|columns| Quarter::new(geometry, &core.formats[0], squares, columns));
                assert_eq!(quarters.map(|quarter| quarter.len()).sum::<usize>(), expected, "h = {h}");
            }
        }
    }
}
