//! What a command counts with.

use crate::{EngineChoice, EngineOptions};

/// The options for counting, resolved for this machine.
#[derive(Default)]
pub(super) struct Machine {
    pub engine: EngineChoice,
    pub options: EngineOptions,
    pub threads: usize,
    pub stop_when_unread: bool,
}
