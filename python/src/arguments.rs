//! The arguments: converts Python's integers and strings to the library's types, or raises a
//! ValueError.

use std::ops::RangeInclusive;
use std::time::Duration;

use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::PyRange;
use queencount::record::{Shard, UnitSet};
use queencount::{
    BoardSize, DeviceError, DeviceSet, DeviceSpec, EngineChoice, EngineOptions, Kernel, Solution,
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

/// Converts the size of a board.
pub(crate) fn size(number: &Bound<'_, PyAny>) -> PyResult<BoardSize> {
    digits(number)?.parse().map_err(value_error)
}

/// Converts the size of a board, or None.
pub(crate) fn any_size(number: &Bound<'_, PyAny>) -> PyResult<Option<BoardSize>> {
    unless_none(number, size)
}

/// Converts a number of solutions.
pub(crate) fn count(number: &Bound<'_, PyAny>) -> PyResult<u128> {
    let digits = digits(number)?;
    let error = |_| {
        value_error(format!(
            "expected a number of solutions from 0 to 2^128 - 1, found {digits:?}"
        ))
    };
    digits.parse().map_err(error)
}

/// Converts a number of solutions, or None.
pub(crate) fn total(number: &Bound<'_, PyAny>) -> PyResult<Option<u128>> {
    unless_none(number, count)
}

/// Converts a number of solutions to skip.
pub(crate) fn skip(number: &Bound<'_, PyAny>) -> PyResult<u64> {
    in_range(number, "a number of solutions to skip", 0..=u64::MAX)
}

/// Converts a number of threads; 0 means one per CPU.
pub(crate) fn threads(number: &Bound<'_, PyAny>) -> PyResult<usize> {
    Ok(in_range(number, "a number of threads", 0..=4096)? as usize)
}

/// Converts a number of bytes per thread, or None.
pub(crate) fn memory(number: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    unless_none(number, |number| {
        in_range(number, "a number of bytes", 1 << 20..=u64::MAX)
    })
}

/// Converts a seed.
pub(crate) fn seed(number: &Bound<'_, PyAny>) -> PyResult<u64> {
    in_range(number, "a seed", 0..=u64::MAX)
}

/// Converts a seed, or None.
pub(crate) fn any_seed(number: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    unless_none(number, seed)
}

/// Converts the size of a sample, or None.
pub(crate) fn draws(number: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    unless_none(number, |number| {
        in_range(number, "a number of units", 8..=u64::MAX)
    })
}

/// Converts a number of entries, or None.
pub(crate) fn entries(number: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    unless_none(number, |number| {
        in_range(number, "a number of entries", 1..=u64::MAX)
    })
}

/// Converts a number of seconds, or None.
pub(crate) fn seconds(number: &Bound<'_, PyAny>) -> PyResult<Option<Duration>> {
    unless_none(number, |number| {
        let seconds: f64 = number.extract()?;
        let expected = || {
            value_error(format!(
                "expected a number of seconds above 0 and up to 86400, found {seconds}"
            ))
        };
        let in_range = seconds > 0.0 && seconds <= 86_400.0;
        in_range
            .then(|| Duration::from_secs_f64(seconds))
            .ok_or_else(expected)
    })
}

/// Converts a shard from a pair of numbers, or None.
pub(crate) fn shard(pair: &Bound<'_, PyAny>) -> PyResult<Option<Shard>> {
    unless_none(pair, |pair| {
        let (part, of): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair.extract()?;
        format!("{}/{}", digits(&part)?, digits(&of)?)
            .parse()
            .map_err(value_error)
    })
}

/// Converts units from a range, or from an iterable of ranges and numbers, or None.
pub(crate) fn units(units: &Bound<'_, PyAny>) -> PyResult<Option<UnitSet>> {
    unless_none(units, |units| {
        let mut set = UnitSet::new();
        insert(units, &mut set)?;
        Ok(set)
    })
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

/// Parses a solution from its columns, numbered from 0. Errors also number the rows from 0.
pub(crate) fn solution(columns: &Bound<'_, PyAny>) -> PyResult<Solution> {
    let columns = columns
        .try_iter()?
        .map(|column| Ok(in_range(&column?, "a column", 0..=u64::from(u8::MAX))? as u8))
        .collect::<PyResult<Vec<u8>>>()?;
    Solution::new(&columns).map_err(value_error)
}

/// Parses the device argument and finds the devices.
pub(crate) fn devices(name: &str) -> PyResult<DeviceSet> {
    let spec: DeviceSpec = name
        .parse()
        .map_err(|error| value_error(format!("{error}, found {name:?}")))?;
    spec.resolve().map_err(|error| match error {
        DeviceError::NoGpu | DeviceError::NoSuchName(_) | DeviceError::NoSuchNumber { .. } => {
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
    memory: Option<u64>,
    devices: DeviceSet,
) -> PyResult<(EngineChoice, EngineOptions)> {
    let kernel: Option<Kernel> = match kernel {
        "auto" => None,
        name => Some(name.parse().map_err(value_error)?),
    };
    let options = EngineOptions::new()
        .kernel(kernel)
        .memory_per_thread(memory)
        .devices(devices);
    let choice: EngineChoice = engine.parse().map_err(value_error)?;
    let choice = choice.with_options(&options).map_err(value_error)?;
    Ok((choice, options))
}

/// Converts a number that must be in a range. Errors call the number `what`.
fn in_range(number: &Bound<'_, PyAny>, what: &str, range: RangeInclusive<u64>) -> PyResult<u64> {
    let digits = digits(number)?;
    let found = digits.parse().ok().filter(|number| range.contains(number));
    let (least, most) = range.into_inner();
    found.ok_or_else(|| {
        value_error(format!(
            "expected {what} from {least} to {most}, found {digits:?}"
        ))
    })
}

/// Converts an argument that may be None.
fn unless_none<'py, T>(
    argument: &Bound<'py, PyAny>,
    read: impl FnOnce(&Bound<'py, PyAny>) -> PyResult<T>,
) -> PyResult<Option<T>> {
    if argument.is_none() {
        Ok(None)
    } else {
        read(argument).map(Some)
    }
}
