//! Quarter-boards: all placements of mutually non-attacking queens on given columns of a corner of the board.
//!
//! A half-board is two quarter-boards side by side, the near one and the far one, whose queens stand in different rows.
//! (Two square corners are what the program N-Queens-Count-Sol, the quadrant matcher, makes its halves of as well.) So
//! a placement is filed by its **row set**, the rows that its queens occupy:
//!
//! ```text
//!     . Q . . |          columns {1, 2} of a near quarter: one of the placements of the row set {0, 3}.
//!     . . . . |
//!     . . . . |          Row sets are numbered in the order of their masks, which complements reverse. So what
//!     . . Q . |          goes with row set i of one quarter is row set T-1-i of the other, of T in each.
//!     ---------- cut
//! ```
//!
//! Rows and columns are counted from the corner, so that the far quarter is the same set of placements with mirrored
//! signatures. Before its row set, a placement is filed by its bucket (see [`super::Format`]), for speed alone.

use super::format::{Format, gather};
use crate::board::bits;
use crate::engine::Stop;
#[cfg(test)]
use crate::engine::meet::fault;
use crate::engine::meet::theory::{Geometry, Squares};
use crate::engine::rows::theory::subsets::binomial;

/// The most rows and columns of a quarter-board: half as many as the largest board has.
const MAX: usize = 16;

/// A part of the half-boards on given columns: those that have the near quarter's queens on certain of the first rows,
/// and the far quarter's on the others of these rows.
///
/// ```text
///     . Q . . | . . . .    3 rows decided, `near` has rows 0 and 2: near placements occupy these and not row 1,
///     . . . . | . Q . .    far ones occupy row 1 and not these. Row 3 is left open.
///     . . Q . | . . . .
///     ? ? ? ? | ? ? ? ?
/// ```
///
/// Where the quarter-boards on a set of columns take too much memory, their slices are found one after another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Slice {
    /// How many rows are decided. With none, the one slice has all placements.
    pub rows: u32,
    /// Which of them the near quarter occupies, as bits.
    pub near: u32,
}

impl Slice {
    /// All slices that decide this number of `rows`.
    pub fn all(rows: u32) -> impl Iterator<Item = Self> {
        (0..1 << rows).map(move |near| Self { rows, near })
    }

    /// The rows that every placement of a quarter occupies, and those that none occupies.
    fn rows(self, squares: &Squares) -> [u32; 2] {
        let decided = bits(squares.rows.into()).take(self.rows as usize).enumerate();
        let [near, far] = decided.fold([0, 0], |[near, far], (i, row)| match self.near >> i & 1 {
            1 => [near | row as u32, far],
            _ => [near, far | row as u32],
        });
        if squares.far { [far, near] } else { [near, far] }
    }
}

/// A placement on a near quarter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Near {
    /// Its chunks, or the first four of wide ones.
    pub chunks: u32,
    /// The number of its row set.
    pub row_set: u32,
}

/// The placements on one set of columns, sorted by bucket and row set.
#[derive(Clone, Debug, Default)]
pub struct Quarter {
    /// The number of sets of as many rows as there are columns.
    pub row_sets: u32,
    /// The number of those in its slice.
    pub held: u64,
    /// The placements on a near quarter: bucket b is `near[starts[b]..starts[b + 1]]`.
    pub near: Vec<Near>,
    /// The chunks of those on a far quarter, or the first four of wide ones: row set i of bucket b is at
    /// `starts[b * row_sets + i]`.
    pub chunks: Vec<u32>,
    /// The other chunks of all, if they are wide.
    pub more: Vec<u32>,
    /// Where buckets, or row sets in buckets, begin.
    pub starts: Vec<u32>,
    /// The most placements of a row set in a bucket of a far quarter.
    pub longest: u32,
}

/// What the quarter-boards on one side of a core have in common.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    /// Where things are on the board.
    pub geometry: Geometry,
    /// How signatures lie in words.
    pub format: &'a Format,
    /// The numbers of the row sets, by mask.
    pub numbers: &'a [u32],
    /// The squares.
    pub squares: &'a Squares,
}

/// The memory of a search, kept for the next one: threads that find quarter-boards at the same time would wait for each
/// other wherever memory is allotted.
#[derive(Clone, Debug, Default)]
pub struct Finder {
    found: Vec<Placement>,
    by_row_set: Vec<Placement>,
}

/// A placement: its bucket, the number of its row set, its chunks.
type Placement = (u32, u32, u64);

impl Finder {
    /// Finds the placements on `columns` that are in a slice. Of no meaning once `stop` has been requested.
    pub fn find(&mut self, side: Side, columns: u32, slice: Slice, stop: &Stop) -> Quarter {
        let Side { format, squares, .. } = side;
        let [required, refused] = slice.rows(squares);
        self.search(side, columns, [required, refused], stop);
        let (queens, free) = (columns.count_ones(), (squares.rows & !(required | refused)).count_ones());
        let row_sets = binomial(squares.rows.count_ones(), queens) as u32;
        let held = queens.checked_sub(required.count_ones()).map_or(0, |left| binomial(free, left));
        let quarter = if squares.far { self.file_far(format, row_sets) } else { self.file_near(format, row_sets) };
        Quarter { row_sets, held, ..quarter }
    }

    /// Finds the placements on `columns` that occupy the `required` rows and none of the `refused` ones.
    fn search(&mut self, side: Side, columns: u32, [required, refused]: [u32; 2], stop: &Stop) {
        let Side { geometry, format, numbers, squares } = side;
        let lines = if squares.far { &format.far } else { &format.near };
        self.found.clear();
        let mut search = Search {
            queens: [[(0, 0); MAX]; MAX],
            allowed: [0; MAX],
            rows: squares.rows,
            required,
            stop,
            numbers,
            found: &mut self.found,
        };
        for column in bits(columns.into()).map(u64::trailing_zeros) {
            for row in 0..geometry.half {
                if let Some(queen) = squares.queen(geometry, row, column)
                    && refused >> row & 1 == 0
                {
                    search.queens[column as usize][row as usize] = (gather(lines, queen), format.chunks(queen));
                    search.allowed[column as usize] |= 1 << row;
                }
            }
        }
        search.place(columns, columns.count_ones(), squares.rows, 0, 0, (0, 0));
    }

    /// Files what has been found on a far quarter by bucket and row set.
    fn file_far(&self, format: &Format, row_sets: u32) -> Quarter {
        let found = &self.found;
        let (mut kept, mut more) = (vec![0; found.len()], room_for_more(format, found));
        let bins = (row_sets as usize) << format.far.len();
        let by_bucket_and_row_set = |&(bucket, row_set, _): &Placement| (bucket * row_sets + row_set) as usize;
        let starts = file(found, bins, by_bucket_and_row_set, |place, &(_, _, chunks)| {
            kept[place] = chunks as u32;
            keep_more(&mut more, place, chunks);
        });
        let longest = starts.windows(2).map(|bounds| bounds[1] - bounds[0]).max().unwrap_or(0);
        #[cfg(test)]
        let kept = fault::kept(fault::Site::Quarter, kept);
        Quarter { chunks: kept, more, starts, longest, ..Quarter::default() }
    }

    /// Files what has been found on a near quarter by bucket, and each bucket by row set.
    fn file_near(&mut self, format: &Format, row_sets: u32) -> Quarter {
        let Self { found, by_row_set } = self;
        by_row_set.resize(found.len(), (0, 0, 0));
        file(found, row_sets as usize, |&(_, row_set, _)| row_set as usize, |place, &found| by_row_set[place] = found);
        // Filing by bucket keeps the order by row set.
        let (mut near, mut more) = (vec![Near::default(); found.len()], room_for_more(format, found));
        let by_bucket = |&(bucket, _, _): &Placement| bucket as usize;
        let starts = file(by_row_set, 1 << format.near.len(), by_bucket, |place, &(_, row_set, chunks)| {
            near[place] = Near { chunks: chunks as u32, row_set };
            keep_more(&mut more, place, chunks);
        });
        Quarter { near, more, starts, ..Quarter::default() }
    }
}

/// Room for the chunks from the fifth on, if placements are wide.
fn room_for_more(format: &Format, found: &[Placement]) -> Vec<u32> {
    vec![0; if format.is_wide() { found.len() } else { 0 }]
}

/// Keeps the chunks from the fifth on, if there is room for them.
fn keep_more(more: &mut [u32], place: usize, chunks: u64) {
    if let Some(more) = more.get_mut(place) {
        *more = (chunks >> 32) as u32;
    }
}

impl Quarter {
    /// The number of placements.
    pub fn len(&self) -> usize {
        self.near.len() + self.chunks.len()
    }
}

/// Files items in `bins`, each bin in the order of the items: `put` puts each in its place. Says where each bin begins.
fn file<T>(items: &[T], bins: usize, bin: impl Fn(&T) -> usize, mut put: impl FnMut(usize, &T)) -> Vec<u32> {
    // `starts[b + 2]` is first the length of bin b, then `starts[b + 1]` its start, then its end.
    let mut starts = vec![0u32; bins + 2];
    for item in items {
        starts[bin(item) + 2] += 1;
    }
    for bin in 2..starts.len() {
        starts[bin] += starts[bin - 1];
    }
    for item in items {
        let place = &mut starts[bin(item) + 1];
        put(*place as usize, item);
        *place += 1;
    }
    starts.pop();
    starts
}

/// With this number of columns left a search asks whether it is to stop. From there on it lasts a millisecond at most.
const STOPPED_AT: u32 = 5;

/// A search column by column, from the border inwards.
struct Search<'a> {
    /// The bucket and the chunks of a queen on each square, by column and row.
    queens: [[(u32, u64); MAX]; MAX],
    /// The rows of each column that may hold a queen.
    allowed: [u32; MAX],
    rows: u32,
    /// The rows that every placement occupies.
    required: u32,
    stop: &'a Stop,
    /// The numbers of the subsets of the rows.
    numbers: &'a [u32],
    found: &'a mut Vec<Placement>,
}

impl Search<'_> {
    /// Fills the `columns`, whose number is `left`, with queens in the rows that are `free`. `up` and `down` are the
    /// rows of the first column that diagonals attack.
    fn place(&mut self, columns: u32, left: u32, free: u32, up: u32, down: u32, so_far: (u32, u64)) {
        let required = self.required & free;
        if required != 0 && required.count_ones() > left || left == STOPPED_AT && self.stop.requested() {
            return;
        }
        if columns == 0 {
            self.found.push((so_far.0, self.numbers[(self.rows & !free) as usize], so_far.1));
            return;
        }
        let column = columns.trailing_zeros();
        let others = columns & (columns - 1);
        let step = if others == 0 { 0 } else { others.trailing_zeros() - column };
        let open = free & self.allowed[column as usize] & !(up | down);
        for queen in bits(open.into()) {
            let (bucket, chunks) = self.queens[column as usize][queen.trailing_zeros() as usize];
            let queen = queen as u32;
            let so_far = (so_far.0 | bucket, so_far.1 | chunks);
            self.place(others, left - 1, free ^ queen, (up | queen) >> step, (down | queen) << step, so_far);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::filing::Filing;
    use super::*;
    use crate::engine::meet::tuning::{Layout, Tuning};
    use crate::engine::rows::theory::subsets::rank;

    /// The placements as bucket, row set and chunks, found column by column with the rule of the game alone.
    fn placements(geometry: Geometry, format: &Format, squares: &Squares, columns: u32) -> Vec<(u32, u32, u64)> {
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
            (gather(lines, signature), rank(rows, squares.rows), format.chunks(signature))
        };
        let mut found: Vec<_> = boards.iter().map(filed).collect();
        found.sort_unstable();
        found
    }

    /// What is in a quarter-board, in the same form.
    fn contents(quarter: &Quarter, far: bool) -> Vec<(u32, u32, u64)> {
        let mut found = Vec::new();
        for (bin, range) in quarter.starts.windows(2).enumerate() {
            for place in range[0] as usize..range[1] as usize {
                let more = u64::from(quarter.more.get(place).copied().unwrap_or(0)) << 32;
                found.push(match far {
                    true => (
                        bin as u32 / quarter.row_sets,
                        bin as u32 % quarter.row_sets,
                        more | u64::from(quarter.chunks[place]),
                    ),
                    false => (bin as u32, quarter.near[place].row_set, more | u64::from(quarter.near[place].chunks)),
                });
            }
        }
        found.sort_unstable();
        found
    }

    #[test]
    fn every_placement_is_there_once_and_nothing_else() {
        let mut finder = Finder::default();
        for n in 4..=13 {
            let geometry = Geometry::new(n);
            let tuning = Tuning::of(n);
            let wide = Tuning { layout: Layout::Wide(6), ..tuning };
            for filing in [tuning, wide].into_iter().flat_map(|tuning| Filing::all(n, tuning)) {
                for (half, sides) in [filing.core.top, filing.core.bottom].into_iter().enumerate() {
                    let (format, numbers) = (&filing.formats[half], &filing.row_sets[half]);
                    for squares in sides {
                        let side = Side { geometry, format, numbers, squares: &squares };
                        for columns in (0..1 << geometry.half).filter(|columns| columns & !squares.columns == 0) {
                            let expected = placements(geometry, format, &squares, columns);
                            for rows in [0, 1, 3.min(squares.rows.count_ones())] {
                                let quarters: Vec<Quarter> = Slice::all(rows)
                                    .map(|slice| finder.find(side, columns, slice, &Stop::new()))
                                    .collect();
                                let mut found: Vec<_> =
                                    quarters.iter().flat_map(|quarter| contents(quarter, squares.far)).collect();
                                found.sort_unstable();
                                assert_eq!(found, expected, "N = {n}, {squares:?}, {columns:b}, {rows} rows");
                                assert_eq!(quarters.iter().map(Quarter::len).sum::<usize>(), expected.len());
                                let held: u64 = quarters.iter().map(|quarter| quarter.held).sum();
                                assert_eq!(held, u64::from(quarters[0].row_sets));
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn square_quarter_boards_have_as_many_placements_as_they_should() {
        let mut finder = Finder::default();
        // 0 to h non-attacking queens on an h x h board, found square by square by a program apart.
        for (h, expected) in (2..).zip([5, 18, 87, 462, 2_635, 16_870, 118_969]) {
            let geometry = Geometry::new(2 * h);
            let filing = &Filing::all(2 * h, Tuning::of(2 * h))[0];
            for squares in &filing.core.top {
                let side = Side { geometry, format: &filing.formats[0], numbers: &filing.row_sets[0], squares };
                let quarters = (0..1 << h).map(|columns| finder.find(side, columns, Slice::default(), &Stop::new()));
                assert_eq!(quarters.map(|quarter| quarter.len()).sum::<usize>(), expected, "h = {h}");
            }
        }
    }
}
