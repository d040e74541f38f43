//! The lists of quarter-boards that a thread has at hand: those used last, as many as memory
//! allows.

use super::quarter::{QuarterBoards, quarter_boards};
use super::word::Word;
use crate::engine::rows::theory::subsets::binomial;

/// Lists of quarter-boards of a core, by quarter and columns.
#[derive(Clone, Debug)]
pub struct Store<W> {
    kept: [Vec<Option<KeptList<W>>>; 4],
    pub(super) bytes: usize,
    /// The most bytes to keep.
    limit: usize,
    /// Counts the uses.
    clock: u64,
}

#[derive(Clone, Debug)]
struct KeptList<W> {
    boards: QuarterBoards<W>,
    used: u64,
}

impl<W: Word> Store<W> {
    /// An empty store for quarters of `half` columns, which keeps about so many bytes.
    pub fn new(half: u32, limit: usize) -> Self {
        let kept = std::array::from_fn(|_| (0..1 << half).map(|_| None).collect());
        Self {
            kept,
            bytes: 0,
            limit,
            clock: 0,
        }
    }

    /// Whether it is expected to keep the lists of two quarters for all columns of a tier, which
    /// are needed once for each row of tiles. They hold at most 0.6 of the quarter-boards of a
    /// quarter (the tier of half the queens for 6 to 8 rows).
    pub fn keeps_a_tier(&self) -> bool {
        let half = self.kept[0].len().ilog2();
        let starts = 16 * binomial(half, half / 2).pow(2);
        quarter_boards(half) * 2 / 3 * size_of::<W>() as u64 + starts <= self.limit as u64
    }

    /// Forgets all: the next are those of another core.
    pub fn clear(&mut self) {
        if self.bytes > 0 {
            self.kept.iter_mut().flatten().for_each(|kept| *kept = None);
            self.bytes = 0;
        }
    }

    /// Whether a list is at hand; it will be now, if it is needed next.
    pub fn touch(&mut self, quarter: usize, columns: u32) -> bool {
        self.clock += 1;
        match &mut self.kept[quarter][columns as usize] {
            Some(kept) => {
                kept.used = self.clock;
                true
            }
            None => false,
        }
    }

    /// Keeps a list. Those that have not been used for longest make room, but the four used last
    /// stay.
    pub fn keep(&mut self, quarter: usize, columns: u32, found: QuarterBoards<W>) {
        self.forget(quarter, columns);
        self.bytes += found.bytes();
        while self.bytes > self.limit && self.forget_one() {}
        self.kept[quarter][columns as usize] = Some(KeptList {
            boards: found,
            used: self.clock,
        });
    }

    /// Forgets a list.
    pub fn forget(&mut self, quarter: usize, columns: u32) {
        if let Some(kept) = self.kept[quarter][columns as usize].take() {
            self.bytes -= kept.boards.bytes();
        }
    }

    /// Forgets the one that has not been used for longest.
    fn forget_one(&mut self) -> bool {
        let all = self.kept.iter().enumerate().flat_map(|(quarter, kept)| {
            kept.iter()
                .enumerate()
                .filter_map(move |(columns, kept)| Some((kept.as_ref()?.used, quarter, columns)))
        });
        match all.min() {
            Some((used, quarter, columns)) if used + 4 <= self.clock => {
                self.forget(quarter, columns as u32);
                true
            }
            _ => false,
        }
    }

    /// A list that is at hand.
    ///
    /// # Panics
    /// When it is not.
    #[inline]
    pub fn get(&self, quarter: usize, columns: u32) -> &QuarterBoards<W> {
        &self.kept[quarter][columns as usize]
            .as_ref()
            .expect("it has been kept")
            .boards
    }
}
