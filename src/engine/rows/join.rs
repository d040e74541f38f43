//! The join: counts the pairs of top and bottom half-boards that share no diagonal. Section 7 of
//! [the proof](super) describes **blocks**, **groups** and **chunks**.
//!
//! Short lists are joined directly (`table`). Long lists are first sorted by a **key** of diagonals
//! that are often occupied in both lists, which saves most lookups (`keyed`).

mod block;
#[cfg(test)]
mod complete;
mod greedy;
mod keyed;
#[cfg(test)]
mod large;
mod look_up;
mod ranking;
mod sample;
mod shape;
mod sort;
mod table;
#[cfg(test)]
mod tests;

pub(super) use self::keyed::Workspace;
use self::table::Direct;
pub(super) use self::table::Lists;
use super::kernel::Kernel;
use super::lists::word::Word;
use crate::cancel::{CancelToken, EngineError};

/// Returns the weighted number of disjoint pairs.
pub(super) fn disjoint_pairs<W: Word>(
    kernel: Kernel,
    lists: Lists<W>,
    workspace: &mut Workspace,
    stop: &CancelToken,
) -> Result<u128, EngineError> {
    if lists.shorter.len() == 0 {
        return Ok(0);
    }
    let direct = Direct {
        lists,
        block: &mut workspace.block,
        stop,
    };
    if let Some(pairs) = kernel.run(direct) {
        stop.check()?;
        return Ok(pairs);
    }
    keyed::disjoint_pairs(kernel, lists, workspace, stop)
}
