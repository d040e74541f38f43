//! Inner loops, and the instruction sets that they are compiled for.
//!
//! An inner loop is written once, over a vector, as the struct of what it works on. Each is compiled as a function of its
//! own, because its loops need most of the registers; all else is plain code that runs them.

use super::compress::Compress;

/// An inner loop. [`InnerLoop::run`] has to be inlined, so that it is compiled for the instruction set that runs it.
pub trait InnerLoop {
    /// What it yields.
    type Output;
    /// Runs it with the vector of an instruction set.
    fn run<V: Compress>(self) -> Self::Output;
}

/// What runs inner loops, compiled for an instruction set.
pub trait InstructionSet: Copy + Sync {
    /// Runs an inner loop.
    fn run<L: InnerLoop>(self, inner: L) -> L::Output;
}
