//! The classes of results.

use std::collections::BTreeMap;
use std::ops::Range;

use pyo3::prelude::*;
use pyo3::types::{PyRange, PyTuple, PyType};
use queencount::{estimate, record};

use crate::errors::with_sources;

/// Declares a class whose instances are immutable and can be compared, hashed, copied and pickled.
macro_rules! result {
    (
        $(#[$doc:meta])*
        $name:ident {
            $($(#[$field_doc:meta])* $field:ident: $type:ty,)*
        }
        $($methods:tt)*
    ) => {
        $(#[$doc])*
        #[pyclass(frozen, eq, get_all, from_py_object, new = "from_fields", module = "queencount")]
        #[derive(Clone, PartialEq)]
        pub struct $name {
            $($(#[$field_doc])* pub(crate) $field: $type,)*
        }

        #[pymethods]
        impl $name {
            $($methods)*

            fn __repr__(this: &Bound<'_, Self>) -> PyResult<String> {
                let fields = [$(
                    format!("{}={}", stringify!($field), this.getattr(stringify!($field))?.repr()?)
                ),*];
                Ok(format!("{}({})", stringify!($name), fields.join(", ")))
            }

            fn __hash__(this: &Bound<'_, Self>) -> PyResult<isize> {
                this.repr()?.hash()
            }

            /// Returns the call that creates an equal instance, for `pickle` and `copy`.
            fn __reduce__<'py>(
                this: &Bound<'py, Self>,
            ) -> PyResult<(Bound<'py, PyType>, Bound<'py, PyTuple>)> {
                let values = [$(this.getattr(stringify!($field))?),*];
                Ok((this.get_type(), PyTuple::new(this.py(), values)?))
            }
        }
    };
}

/// Units, which become a Python range.
#[derive(Clone, PartialEq, FromPyObject)]
pub(crate) struct Units {
    start: u64,
    stop: u64,
}

impl From<Range<u64>> for Units {
    fn from(units: Range<u64>) -> Self {
        Self {
            start: units.start,
            stop: units.end,
        }
    }
}

impl<'py> IntoPyObject<'py> for Units {
    type Target = PyRange;
    type Output = Bound<'py, PyRange>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyRange>> {
        PyRange::new(py, self.start.try_into()?, self.stop.try_into()?)
    }
}

/// A list, which becomes a Python tuple.
#[derive(Clone, PartialEq, FromPyObject)]
pub(crate) struct Tuple<T>(Vec<T>);

impl<'py, T: IntoPyObject<'py>> IntoPyObject<'py> for Tuple<T> {
    type Target = PyTuple;
    type Output = Bound<'py, PyTuple>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0)
    }
}

result! {
    /// An estimated number and its 95% confidence interval.
    Interval {
        /// The estimate.
        mean: f64,
        /// The distance from the estimate to both ends of the interval.
        margin: f64,
    }

    /// The lower end of the interval, at least 0.
    #[getter]
    fn low(&self) -> f64 {
        (self.mean - self.margin).max(0.0)
    }

    /// The upper end of the interval.
    #[getter]
    fn high(&self) -> f64 {
        self.mean + self.margin
    }
}

result! {
    /// The solutions of a board, classified by symmetry.
    Classes {
        /// The number of rows of the board.
        n: u32,
        /// The number of all solutions (OEIS A000170).
        total: u128,
        /// The number of fundamental solutions or orbits (OEIS A002562).
        fundamental: u128,
        /// The number of solutions unchanged by the half turn (OEIS A032522).
        half_turn: u128,
        /// The number of solutions unchanged by the quarter turn (OEIS A033148).
        quarter_turn: u128,
        /// The number of orbits with 1, 2, 4 and 8 solutions each.
        orbits: BTreeMap<u32, u128>,
    }
}

result! {
    /// A GPU, or a CPU with an OpenCL driver.
    Device {
        /// The number that selects the device, as in `device="gpu:0"`.
        index: usize,
        /// The name that the driver reports.
        name: String,
        /// "gpu" or "cpu".
        kind: String,
        /// The memory in bytes.
        memory: u64,
        /// How the device failed, or None. A device that has failed is never used again.
        failure: Option<String>,
    }
}

result! {
    /// The estimated number of solutions of a board, and the time to count them.
    Estimate {
        /// The number of rows of the board.
        n: u32,
        /// The number of solutions.
        total: Interval,
        /// The time in seconds on one thread, or on one device that all threads feed.
        seconds: Interval,
        /// The approximate memory in bytes for a count with the same number of threads.
        memory: u64,
        /// The number of threads used for the sample.
        threads: usize,
        /// The name of the engine that would count the board.
        engine: String,
        /// The devices to which `seconds` applies, in the format of the `device` argument.
        device: String,
    }
}

result! {
    /// The sum of records of the same plan. Each unit is counted only once.
    Tally {
        /// The number of rows of the board.
        n: u32,
        /// The name of the engine that defines the units.
        engine: String,
        /// The hash of the plan, which identifies the units.
        plan: String,
        /// The number of units of the plan.
        units: u64,
        /// The number of solutions of the board; None while units are missing, if lines disagree,
        /// or if the sum is known to be wrong.
        total: Option<u128>,
        /// The number of solutions in the counted units.
        count: u128,
        /// The missing units as ranges, for the `units` argument of `run`.
        missing: Tuple<Units>,
        /// The units for which lines give different counts. They are missing, too.
        disagreements: Tuple<Units>,
        /// What is wrong with the records, in words. Of the damaged lines, and of the
        /// disagreements, only the first ten are listed.
        problems: Tuple<String>,
        /// The number of lines with counts, including repeated ones.
        lines: u64,
        /// The sum of the thread times, without copied lines, in seconds.
        seconds: f64,
    }

    /// Whether all units have been counted.
    #[getter]
    fn complete(&self) -> bool {
        self.missing.0.is_empty()
    }
}

result! {
    /// A wrong count in a record, and the lines that have it.
    WrongCount {
        /// The lines that have it, such as "16.jsonl line 7".
        places: Tuple<String>,
        /// The units.
        units: Units,
        /// The number of solutions according to these lines.
        count: u128,
        /// The number of solutions according to the audit.
        recount: u128,
    }
}

result! {
    /// A part of a unit for which the engine and the independent recount disagree. Either the
    /// engine or the machine is wrong.
    WrongPart {
        /// The unit.
        unit: u64,
        /// The part of the unit.
        part: u64,
        /// The number of solutions according to the engine.
        count: u128,
        /// The number of solutions according to the recount.
        recount: u128,
    }
}

result! {
    /// The result of an audit of records.
    Audit {
        /// The number of rows of the board.
        n: u32,
        /// The number of recounted tasks.
        tasks: u64,
        /// The number of recounted units.
        units: u64,
        /// The number of parts that both the engine and the independent code recounted.
        parts: u64,
        /// The wrong counts.
        wrong: Tuple<WrongCount>,
        /// The wrong parts, at most one per unit.
        wrong_parts: Tuple<WrongPart>,
        /// The smallest fraction of wrong counts that an audit of this size detects with a
        /// probability of at least 95%.
        detected_share: f64,
        /// The random seed of the sample.
        seed: u64,
    }

    /// Whether the audit found no errors.
    #[getter]
    fn passed(&self) -> bool {
        self.wrong.0.is_empty() && self.wrong_parts.0.is_empty()
    }
}

impl From<estimate::Interval> for Interval {
    fn from(interval: estimate::Interval) -> Self {
        Self {
            mean: interval.mean,
            margin: interval.margin,
        }
    }
}

impl From<queencount::Classes> for Classes {
    fn from(classes: queencount::Classes) -> Self {
        Self {
            n: classes.size.get(),
            total: classes.total,
            fundamental: classes.fundamental(),
            half_turn: classes.half_turn,
            quarter_turn: classes.quarter_turn,
            orbits: [1, 2, 4, 8].map(|size| (size, classes.orbits(size))).into(),
        }
    }
}

impl From<&queencount::Device> for Device {
    fn from(device: &queencount::Device) -> Self {
        let description = device.description.clone();
        let kind = if description.is_cpu { "cpu" } else { "gpu" };
        Self {
            index: device.index(),
            name: description.name,
            kind: kind.to_owned(),
            memory: description.memory,
            failure: device.failure().map(str::to_owned),
        }
    }
}

impl From<record::Loaded> for Tally {
    fn from(
        record::Loaded {
            tally, problems, ..
        }: record::Loaded,
    ) -> Self {
        let plan = tally.plan();
        let problems = problems.list().iter();
        Self {
            n: plan.n,
            engine: plan.engine.clone(),
            plan: plan.hash(),
            units: plan.units,
            total: tally.total(),
            count: tally.count(),
            missing: Tuple(tally.missing().ranges().map(Units::from).collect()),
            disagreements: Tuple(
                tally
                    .disagreements()
                    .map(|task| task.units.into())
                    .collect(),
            ),
            problems: Tuple(problems.map(|problem| with_sources(problem)).collect()),
            lines: tally.entry_count(),
            seconds: tally.seconds(),
        }
    }
}

impl Audit {
    /// Creates the result of an audit of some tasks of the board with `n` rows, drawn with `seed`.
    pub(crate) fn new(n: u32, tasks: usize, audit: &record::Audit, seed: u64) -> Self {
        let mut wrong = Vec::new();
        let mut wrong_parts = Vec::new();
        for finding in &audit.findings {
            for (count, places) in &finding.wrong {
                wrong.push(WrongCount {
                    places: Tuple(places.iter().map(ToString::to_string).collect()),
                    units: finding.units.clone().into(),
                    count: *count,
                    recount: finding.recount,
                });
            }
            if let Some(part) = &finding.wrong_part {
                wrong_parts.push(WrongPart {
                    unit: part.unit,
                    part: part.part,
                    count: part.count,
                    recount: part.recount,
                });
            }
        }
        Self {
            n,
            tasks: tasks as u64,
            units: audit.units,
            parts: audit.parts,
            wrong: Tuple(wrong),
            wrong_parts: Tuple(wrong_parts),
            detected_share: audit.detected_share(),
            seed,
        }
    }
}
