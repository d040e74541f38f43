//! The library as a Python module: conversions between the two languages, but no counting.

mod arguments;
mod classes;
mod count;
mod devices;
mod ending;
mod errors;
mod estimate;
mod progress;
mod records;
mod results;
mod solutions;
mod watch;

#[pyo3::pymodule]
mod _queencount {
    #[pymodule_export]
    use crate::classes::classes;
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
    use crate::solutions::{images, rows, solutions};

    #[pymodule_init]
    fn init(module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
        crate::ending::register(module)
    }

    /// The version of the program.
    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
