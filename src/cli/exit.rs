//! The former names of [`Error`](super::error::Error) and `Result`.

pub use super::error::{Error as Exit, Result as OrExit, with_sources};

impl Exit {
    /// Returns the line for stderr, if there is one.
    pub fn line(&self) -> Option<String> {
        (!matches!(self, Self::BrokenPipe)).then(|| self.to_string())
    }
}
