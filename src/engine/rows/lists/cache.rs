//! A cache of the quarter-board lists that a thread used most recently.

use super::quarter::{QuarterBoards, quarter_boards};
use super::word::Word;
use crate::engine::rows::theory::subsets::binomial;

/// A least recently used (LRU) cache for the quarter-board lists of a core.
pub(crate) struct Cache<W> {
    /// The lists, indexed by quarter and columns.
    kept: [Vec<Option<KeptList<W>>>; 4],
    pub(super) bytes: usize,
    /// The maximum value of `bytes`, exceeded only if the four most recently used lists need more.
    limit: usize,
    /// The number of lookups so far.
    clock: u64,
}

struct KeptList<W> {
    boards: QuarterBoards<W>,
    /// The value of `clock` at the last lookup.
    used: u64,
}

impl<W: Word> Cache<W> {
    /// Creates a cache of about `limit` bytes for quarters of `half` columns.
    pub(crate) fn new(half: u32, limit: usize) -> Self {
        let kept = std::array::from_fn(|_| (0..1 << half).map(|_| None).collect());
        Self {
            kept,
            bytes: 0,
            limit,
            clock: 0,
        }
    }

    /// Returns whether the lists of two quarters, for all column sets of a tier, are likely to fit
    /// into the cache. Every row of tiles needs these lists. For quarters with 7 or more rows, they
    /// contain at most 2/3 as many quarter-boards as all lists of one quarter.
    pub(crate) fn keeps_a_tier(&self) -> bool {
        let half = self.kept[0].len().ilog2();
        let starts = 16 * binomial(half, half / 2).pow(2);
        quarter_boards(half) * 2 / 3 * size_of::<W>() as u64 + starts <= self.limit as u64
    }

    /// Removes all lists, because each core needs its own lists.
    pub(crate) fn clear(&mut self) {
        if self.bytes > 0 {
            self.kept.iter_mut().flatten().for_each(|kept| *kept = None);
            self.bytes = 0;
        }
    }

    /// Returns whether a list is cached. If so, marks it as the most recently used.
    pub(crate) fn touch(&mut self, quarter: usize, columns: u32) -> bool {
        self.clock += 1;
        match &mut self.kept[quarter][columns as usize] {
            Some(list) => {
                list.used = self.clock;
                true
            }
            None => false,
        }
    }

    /// Inserts a list that is not cached. To make room, evicts the least recently used lists, but
    /// never the four most recently used.
    pub(crate) fn insert(&mut self, quarter: usize, columns: u32, found: QuarterBoards<W>) {
        self.bytes += found.bytes();
        while self.bytes > self.limit && self.evict_one() {}
        self.kept[quarter][columns as usize] = Some(KeptList {
            boards: found,
            used: self.clock,
        });
    }

    pub(crate) fn remove(&mut self, quarter: usize, columns: u32) {
        if let Some(kept) = self.kept[quarter][columns as usize].take() {
            self.bytes -= kept.boards.bytes();
        }
    }

    /// Evicts the least recently used list, unless it is one of the four used last. Returns whether
    /// it did.
    fn evict_one(&mut self) -> bool {
        let all = self.kept.iter().enumerate().flat_map(|(quarter, kept)| {
            kept.iter()
                .enumerate()
                .filter_map(move |(columns, kept)| Some((kept.as_ref()?.used, quarter, columns)))
        });
        match all.min() {
            Some((used, quarter, columns)) if used + 4 <= self.clock => {
                self.remove(quarter, columns as u32);
                true
            }
            _ => false,
        }
    }

    #[inline]
    pub(crate) fn get(&self, quarter: usize, columns: u32) -> &QuarterBoards<W> {
        &self.kept[quarter][columns as usize]
            .as_ref()
            .expect("the list is cached")
            .boards
    }
}
