//! The arguments: converts Python's values to the library's types, or raises a ValueError.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::PyRange;
use queencount::record::{self, UnitSet};
use queencount::{
    BoardSize, DeviceError, DeviceSet, EngineChoice, EngineOptions, Kernel, Solution,
};

use crate::errors::value_error;

/// Returns the decimal digits of an integer of any size and type, such as a NumPy integer. Floats
/// are refused.
pub(crate) fn digits(number: &Bound<'_, PyAny>) -> PyResult<String> {
    match number.extract::<i64>() {
        Err(error) if error.is_instance_of::<PyOverflowError>(number.py()) => {
            number.call_method0("__index__")?.str()?.extract()
        }
        number => Ok(number?.to_string()),
    }
}

/// Declares the types of arguments. An `Option` of them also accepts None.
macro_rules! arguments {
    ($($(#[$doc:meta])* $name:ident($type:ty): $argument:ident => $value:expr;)*) => {$(
        $(#[$doc])*
        pub(crate) struct $name(pub $type);

        impl FromPyObject<'_, '_> for $name {
            type Error = PyErr;

            fn extract($argument: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
                $value.map(Self)
            }
        }
    )*};
}

arguments! {
    Size(BoardSize): number => digits(&number)?.parse().map_err(value_error);

    Count(u128): number => {
        let digits = digits(&number)?;
        digits.parse().map_err(|_| {
            value_error(format!(
                "expected a number of solutions from 0 to 2^128 - 1, found {digits:?}"
            ))
        })
    };

    Memory(u64): number => in_range(&number, "a number of bytes", 1 << 20..=u64::MAX);

    Seed(u64): number => seed(&number);

    Draws(u64): number => in_range(&number, "a number of units", 8..=u64::MAX);

    Seconds(Duration): number => {
        let seconds: f64 = number.extract()?;
        let is_valid = seconds > 0.0 && seconds <= 86_400.0;
        is_valid.then(|| Duration::from_secs_f64(seconds)).ok_or_else(|| {
            value_error(format!(
                "expected a number of seconds above 0 and up to 86400, found {seconds}"
            ))
        })
    };

    /// A shard, from a pair of numbers.
    Shard(record::Shard): pair => {
        let (part, of): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair.extract()?;
        format!("{}/{}", digits(&part)?, digits(&of)?).parse().map_err(value_error)
    };

    /// Units, from a range or from an iterable of ranges and numbers.
    Units(UnitSet): units => {
        let mut set = UnitSet::new();
        insert(&units, &mut set).map(|()| set)
    };

    /// A solution, from its columns. Errors number the rows and columns from 0.
    Columns(Solution): columns => {
        let columns = columns
            .try_iter()?
            .map(|column| in_range(&column?, "a column", 0..=u8::MAX))
            .collect::<PyResult<Vec<u8>>>()?;
        Solution::new(&columns).map_err(value_error)
    };
}

// PyO3 shows a default value only if its type is a number, so these arguments are plain numbers.

pub(crate) fn skip(number: &Bound<'_, PyAny>) -> PyResult<u64> {
    in_range(number, "a number of solutions to skip", 0..=u64::MAX)
}

pub(crate) fn threads(number: &Bound<'_, PyAny>) -> PyResult<usize> {
    in_range(number, "a number of threads", 0..=4096)
}

pub(crate) fn seed(number: &Bound<'_, PyAny>) -> PyResult<u64> {
    in_range(number, "a seed", 0..=u64::MAX)
}

pub(crate) fn tasks(number: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    if number.is_none() {
        return Ok(None);
    }
    in_range(number, "a number of tasks", 1..=u64::MAX).map(Some)
}

fn insert(units: &Bound<'_, PyAny>, set: &mut UnitSet) -> PyResult<()> {
    let unit = |number: &Bound<'_, PyAny>| in_range(number, "a unit", 0..=u64::MAX - 1);
    if units.is_instance_of::<PyRange>() && digits(&units.getattr("step")?)? == "1" {
        if units.is_truthy()? {
            set.insert(unit(&units.get_item(0)?)?..unit(&units.get_item(-1)?)? + 1);
        }
        return Ok(());
    }
    for item in units.try_iter()? {
        let item = item?;
        if item.is_instance_of::<PyRange>() {
            insert(&item, set)?;
        } else {
            let unit = unit(&item)?;
            set.insert(unit..unit + 1);
        }
    }
    Ok(())
}

pub(crate) fn devices(name: &str) -> PyResult<DeviceSet> {
    name.parse().map_err(|error| match error {
        DeviceError::NoSuchName(_) | DeviceError::NoSuchNumber { .. } => {
            value_error(format!("{error}; devices() lists the devices"))
        }
        DeviceError::Cpu(ref name) => value_error(format!("{error}; use 'gpu:{name}'")),
        error => value_error(error),
    })
}

/// Parses the engine and its options. Refuses options that the engine does not support.
pub(crate) fn engine(
    engine: &str,
    kernel: &str,
    memory: Option<Memory>,
    devices: DeviceSet,
) -> PyResult<(EngineChoice, EngineOptions)> {
    let kernel: Option<Kernel> = match kernel {
        "auto" => None,
        name => Some(name.parse().map_err(value_error)?),
    };
    let options = EngineOptions {
        kernel,
        memory_per_thread: memory.map(|memory| memory.0),
        devices,
    };
    let choice: EngineChoice = engine.parse().map_err(value_error)?;
    let choice = choice.with_options(&options).map_err(value_error)?;
    Ok((choice, options))
}

/// Converts a number that must be in a range. Errors call the number `what`.
fn in_range<T: FromStr + PartialOrd + Display>(
    number: &Bound<'_, PyAny>,
    what: &str,
    range: RangeInclusive<T>,
) -> PyResult<T> {
    let digits = digits(number)?;
    let found = digits.parse().ok().filter(|number| range.contains(number));
    found.ok_or_else(|| {
        value_error(format!(
            "expected {what} from {} to {}, found {digits:?}",
            range.start(),
            range.end()
        ))
    })
}
