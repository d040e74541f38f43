//! Boards as Coq has written them (`proof/tie.v` has the format): the units of the theorem that
//! their counts sum to Q(N). The lines of the engine and the recount must be the same for every
//! unit. `.ci/proof` writes the text again.

use std::io::Read;

use flate2::read::GzDecoder;

use super::*;

/// A board of the text, of which some units are shown, and of these some parts.
struct Board<'a> {
    n: u32,
    middle_rows: u32,
    side: u32,
    first: u64,
    every: usize,
    every_part: usize,
    lines: Vec<&'a str>,
}

fn boards(text: &str) -> Vec<Board<'_>> {
    let mut boards: Vec<Board> = Vec::new();
    for line in text.lines() {
        if line.starts_with("board") {
            let numbers: Vec<u64> = line
                .split(' ')
                .filter_map(|word| word.parse().ok())
                .collect();
            let [n, middle_rows, side, first, every, every_part] = numbers[..] else {
                panic!("expected six numbers, found {line:?}")
            };
            boards.push(Board {
                n: n as u32,
                middle_rows: middle_rows as u32,
                side: side as u32,
                first,
                every: every as usize,
                every_part: every_part as usize,
                lines: Vec::new(),
            });
        } else {
            boards
                .last_mut()
                .expect("a board comes first")
                .lines
                .push(line);
        }
    }
    boards
}

/// A line of the text.
fn line<T: ToString>(name: &str, words: impl IntoIterator<Item = T>) -> String {
    words.into_iter().fold(name.to_string(), |line, word| {
        line + " " + &word.to_string()
    })
}

impl Board<'_> {
    /// The columns of a row, each as o, if it is of the set, or as a dot.
    fn row(&self, columns: u64) -> String {
        (0..self.n)
            .map(|column| if columns >> column & 1 == 1 { 'o' } else { '.' })
            .collect()
    }

    /// A column set with its count.
    fn part(&self, [a, d]: [u32; 2], columns: u64, images: u64, count: u128) -> String {
        format!("part {a} {d} {} {images} {count}", self.row(columns))
    }

    /// Returns the engine's lines for the board.
    fn of_the_engine(&self) -> Vec<String> {
        let size = BoardSize::new(self.n).unwrap();
        let numbering = Numbering::new(self.n, self.middle_rows, self.side);
        let rows = Rows::with_middle_rows(size, self.middle_rows, EngineOptions::new());
        let engine = Rows { numbering, ..rows };
        let stop = CancelToken::new();
        let mut lines = vec![line("units", [engine.units()])];
        for number in (self.first..engine.units()).step_by(self.every) {
            let unit = engine.numbering.unit(number);
            let Some(core) = engine.numbering.core(unit.core) else {
                continue;
            };
            let mut queens = core.queens.clone();
            queens.sort_unstable();
            let squares = |of: &[u32]| -> Vec<String> {
                core.rows(false)
                    .chain(core.rows(true))
                    .map(|row| self.row(of[row as usize].into()))
                    .collect()
            };
            lines.push(line("unit", [number]));
            lines.push(line("core", queens.iter().map(|queen| queen.1)));
            lines.push(line("open", squares(&core.open)));
            lines.push(line("marked", squares(&core.marked)));
            lines.push(line("weights", core.weights.concat()));
            // Coq takes too long to list them for larger boards.
            if self.n < 13 {
                let relevant = (0..u128::BITS).filter(|line| core.relevant() >> line & 1 == 1);
                lines.push(line("relevant", relevant));
            }
            for set in engine
                .numbering
                .tiling(core.symmetry.images)
                .column_sets(unit.tile)
                .step_by(self.every_part)
            {
                let quarters = core.columns.iter().zip(set.quarters(core.half));
                let columns = quarters.flat_map(|(columns, set)| {
                    columns
                        .iter()
                        .enumerate()
                        .map(move |(index, column)| u64::from(set >> index & 1) << column)
                });
                let count = engine.with_worker(unit, |worker| {
                    worker.count_part(engine.context(&stop), unit, set)
                });
                lines.push(self.part([set.a, set.d], columns.sum(), set.images, count.unwrap()));
            }
        }
        lines
    }

    /// Returns the recount's lines for the board. The recount has no open squares, and gives a
    /// dropped core the weight 0.
    fn of_the_recount(&self) -> Vec<String> {
        let listing = Listing::new(self.n, self.middle_rows, self.side);
        let mut lines = vec![line("units", [listing.units()])];
        for number in (self.first..listing.units()).step_by(self.every) {
            let mut parts = listing.parts(number);
            parts.retain(|part| part.whole_weight([part.class(&part.core); 2]) > 0);
            if let Some(part) = parts.first() {
                lines.push(line("unit", [number]));
                lines.push(line("core", part.core.iter().map(|queen| queen.1)));
            }
            lines.extend(parts.iter().step_by(self.every_part).map(|part| {
                let count = part.count(&CancelToken::new()).unwrap();
                self.part(part.sets, part.columns[0], part.images[1], count)
            }));
        }
        lines
    }
}

#[test]
fn engine_and_recount_say_of_boards_what_coq_says() {
    let mut text = String::new();
    let written = include_bytes!("../../../tests/data/units.txt.gz");
    GzDecoder::new(&written[..])
        .read_to_string(&mut text)
        .unwrap();
    let boards = boards(&text);
    assert!(boards.len() > 20);
    for board in &boards {
        let mut expected = board.lines.clone();
        assert_alike(&expected, &board.of_the_engine());
        expected.retain(|line| {
            !["open", "marked", "relevant", "weights"]
                .iter()
                .any(|name| line.starts_with(name))
        });
        assert_alike(&expected, &board.of_the_recount());
    }
}

/// Compares lines with Coq's lines, and shows the first difference with the lines before it.
fn assert_alike(expected: &[&str], found: &[String]) {
    let differ = expected
        .iter()
        .zip(found)
        .position(|(line, found)| line != found);
    let from = differ
        .unwrap_or(expected.len().min(found.len()))
        .saturating_sub(9);
    assert_eq!(
        expected[from..].iter().take(10).collect::<Vec<_>>(),
        found[from..].iter().take(10).collect::<Vec<_>>()
    );
}
