//! The join: counts the pairs of top and bottom half-boards that share no diagonal, as the double
//! loop in [`plain::meet`](crate::plain::meet) does.
//!
//! The shorter list is divided into **blocks** of up to 512 half-boards, and diagonals into
//! **chunks** of up to eight. A chunk's table gives, for each subset of its diagonals, the
//! half-boards of the block that occupy any of them. A half-board of the longer list is looked up
//! in these tables: the OR of one entry per chunk has a 1 for each half-board of the block that
//! conflicts with it. The zeros are counted.
//!
//! Short lists are joined directly (`table`). Long lists are first sorted by a **key** of diagonals
//! that are often occupied in both lists, which saves most lookups (`keyed`).

mod block;
#[cfg(test)]
mod complete;
mod keyed;
#[cfg(test)]
mod large;
mod look_up;
mod ranking;
mod shape;
mod sort;
mod table;
#[cfg(test)]
pub(super) mod tests;

pub(super) use self::keyed::Workspace;
use self::table::Direct;
pub(super) use self::table::Lists;
use super::kernel::Kernel;
use super::lists::word::Word;
use super::vector::BLOCK;
use crate::cancel::{CancelToken, EngineError};

/// If the shorter list is at most this long, sorting narrow words costs more than it saves.
const SHORT: usize = 4 * BLOCK;

/// Returns the weighted number of disjoint pairs.
pub(super) fn disjoint_pairs<W: Word>(
    kernel: Kernel,
    lists: Lists<W>,
    workspace: &mut Workspace,
    stop: &CancelToken,
) -> Result<u128, EngineError> {
    if lists.shorter.len() == 0 {
        Ok(0)
    } else if W::BITS == 32 && lists.shorter.len() <= SHORT {
        let pairs = kernel.run(Direct {
            lists,
            block: &mut workspace.block,
            stop,
        });
        stop.check()?;
        Ok(pairs)
    } else {
        keyed::disjoint_pairs(kernel, lists, workspace, stop)
    }
}
