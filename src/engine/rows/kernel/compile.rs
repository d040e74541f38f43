//! What makes a kernel of a vector: inner loops compiled for the target features of its instruction set.

/// Compiles inner loops over a vector for some target features, and asks the processor for the same.
macro_rules! compile {
    ($vector:ty, $detected:ident!($($feature:tt),+)) => {
        /// Whether this processor has the features.
        pub fn is_available() -> bool {
            $(std::arch::$detected!($feature))&&+
        }

        /// Runs an inner loop on a processor that has the features.
        $(#[target_feature(enable = $feature)])+
        pub fn run<L: $crate::engine::rows::vector::InnerLoop>(inner: L) -> L::Output {
            inner.run::<$vector>()
        }
    };
}
pub(super) use compile;
