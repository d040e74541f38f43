//! What a command counts with.

use crate::{EngineChoice, EngineOptions};

/// The options for counting, resolved for this machine.
#[derive(Default)]
pub(super) struct Machine {
    pub engine: EngineChoice,
    pub options: EngineOptions,
    pub threads: usize,
    /// Whether results go only to stdout, in which case the work is pointless once the reader of
    /// stdout exits.
    pub stop_when_unread: bool,
}
