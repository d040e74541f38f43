//! A search for solutions, of which all are wanted or the fundamental ones alone.
//!
//! The search of the library keeps more than 100 KiB of boards. It begins when the first solution is asked for, and is
//! dropped at its end. So an iterator that waits for its turn is small, and so is one that has had it.

use std::ops::ControlFlow;

use queencount::{BoardSize, CountError, Solution, Solutions, Stop};

/// The number of solutions that are looked through before signals are looked at.
const SOLUTIONS_BEFORE_SIGNALS: u32 = 10_000;

/// A search for the solutions of a board, in lexicographic order.
pub struct Search {
    size: BoardSize,
    /// Whether the first solution of each orbit alone is wanted.
    unique: bool,
    state: State,
}

enum State {
    Untouched,
    Begun(Solutions),
    Ended,
}

impl Search {
    /// A search that has not begun.
    pub fn new(size: BoardSize, unique: bool) -> Self {
        Self { size, unique, state: State::Untouched }
    }

    /// Looks through some solutions, until one that is wanted or the end.
    pub fn look_through_some(&mut self) -> ControlFlow<Option<Solution>> {
        (0..SOLUTIONS_BEFORE_SIGNALS).try_for_each(|_| self.look_through_one())
    }

    fn look_through_one(&mut self) -> ControlFlow<Option<Solution>> {
        let (unique, left_half) = (self.unique, self.size.get().div_ceil(2));
        let Some(solutions) = self.solutions() else { return ControlFlow::Break(None) };
        let next = solutions.next();
        // Of those with the first queen in the right half the mirror images have come before.
        match next.filter(|solution| !unique || u32::from(solution.columns()[0]) < left_half) {
            Some(solution) if unique && !solution.is_representative() => ControlFlow::Continue(()),
            Some(solution) => ControlFlow::Break(Some(solution)),
            None => {
                self.state = State::Ended;
                ControlFlow::Break(None)
            }
        }
    }

    /// The search of the library, `None` at its end.
    fn solutions(&mut self) -> Option<&mut Solutions> {
        if let State::Untouched = self.state {
            self.state = State::Begun(Solutions::new(self.size));
        }
        match &mut self.state {
            State::Begun(solutions) => Some(solutions),
            _ => None,
        }
    }

    /// Skips this number of solutions, or as many as there are. Fundamental ones are found, all others counted.
    ///
    /// # Errors
    /// When it was stopped, or the system grants no threads.
    pub fn skip(&mut self, mut solutions: u64, threads: usize, stop: &Stop) -> Result<(), CountError> {
        if !self.unique {
            // Where that is the end, the next step sees it.
            return self.solutions().map_or(Ok(0), |all| all.skip_ahead(solutions.into(), threads, stop)).map(drop);
        }
        while solutions > 0 {
            stop.check()?;
            match self.look_through_some() {
                ControlFlow::Break(None) => break,
                ControlFlow::Break(Some(_)) => solutions -= 1,
                ControlFlow::Continue(()) => {}
            }
        }
        Ok(())
    }
}
