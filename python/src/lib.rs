//! The library as a Python module: what crosses the border, and nothing that counts.
//!
//! A count runs on threads that know nothing of Python, with the interpreter's lock released. Only
//! `watch` takes the lock back meanwhile, to see signals and to report progress.

mod arguments;
mod classes;
mod count;
mod devices;
mod errors;
mod estimate;
mod progress;
mod records;
mod results;
mod solutions;
mod watch;

/// What the package `queencount` is made of.
#[pyo3::pymodule]
mod _queencount {
    #[pymodule_export]
    use crate::classes::{Classes, classes};
    #[pymodule_export]
    use crate::count::{count, published};
    #[pymodule_export]
    use crate::devices::devices;
    #[pymodule_export]
    use crate::errors::{RecordError, Stopped};
    #[pymodule_export]
    use crate::estimate::estimate;
    #[pymodule_export]
    use crate::records::{audit, merge, run};
    #[pymodule_export]
    use crate::solutions::{fundamental_solutions, images, rows, solutions};

    /// The version, the same as the program's.
    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
