//! The arguments: Python's integers and strings become what the library takes. Where they cannot, a
//! ValueError says what was expected and what was found.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::time::Duration;

use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyRange;
use queencount::record::{Shard, UnitSet};
use queencount::{
    BoardSize, DeviceError, DeviceSet, DeviceSpec, EngineChoice, EngineOptions, Kernel, Solution,
};

/// An integer of any size, or what stands for one, as NumPy's integers do, but no float. In decimal
/// digits.
pub fn digits(number: &Bound<'_, PyAny>) -> PyResult<String> {
    match number.extract::<i64>() {
        Err(error) if error.is_instance_of::<PyOverflowError>(number.py()) => {
            number.call_method0("__index__")?.str()?.extract()
        }
        number => Ok(number?.to_string()),
    }
}

/// A board.
pub fn size(number: &Bound<'_, PyAny>) -> PyResult<BoardSize> {
    digits(number)?.parse().map_err(value_error)
}

/// A board, or None.
pub fn any_size(number: &Bound<'_, PyAny>) -> PyResult<Option<BoardSize>> {
    unless_none(number, size)
}

/// A number of solutions.
pub fn count(number: &Bound<'_, PyAny>) -> PyResult<u128> {
    let digits = digits(number)?;
    let error = |_| {
        value_error(format!(
            "expected a number of solutions from 0 to 2^128 - 1, found {digits:?}"
        ))
    };
    digits.parse().map_err(error)
}

/// A number of solutions, or None.
pub fn total(number: &Bound<'_, PyAny>) -> PyResult<Option<u128>> {
    unless_none(number, count)
}

/// A number of solutions to skip.
pub fn skip(number: &Bound<'_, PyAny>) -> PyResult<u64> {
    in_range(number, "a number of solutions to skip", 0..=u64::MAX)
}

/// A number of threads; 0 stands for one for each CPU.
pub fn threads(number: &Bound<'_, PyAny>) -> PyResult<usize> {
    Ok(in_range(number, "a number of threads", 0..=4096)? as usize)
}

/// About how many bytes a thread may take, or None.
pub fn memory(number: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    unless_none(number, |number| {
        in_range(number, "a number of bytes", 1 << 20..=u64::MAX)
    })
}

/// A seed.
pub fn seed(number: &Bound<'_, PyAny>) -> PyResult<u64> {
    in_range(number, "a seed", 0..=u64::MAX)
}

/// A seed, or None.
pub fn any_seed(number: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    unless_none(number, seed)
}

/// A number of draws, or None.
pub fn draws(number: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    unless_none(number, |number| {
        in_range(number, "a number of draws", 8..=u64::MAX)
    })
}

/// A number of entries, or None.
pub fn entries(number: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    unless_none(number, |number| {
        in_range(number, "a number of entries", 1..=u64::MAX)
    })
}

/// A time, as a number of seconds, or None.
pub fn seconds(number: &Bound<'_, PyAny>) -> PyResult<Option<Duration>> {
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

/// A shard, as a pair of numbers, or None.
pub fn shard(pair: &Bound<'_, PyAny>) -> PyResult<Option<Shard>> {
    unless_none(pair, |pair| {
        let (part, of): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair.extract()?;
        format!("{}/{}", digits(&part)?, digits(&of)?)
            .parse()
            .map_err(value_error)
    })
}

/// Units, as a range or as something that yields ranges and numbers, or None.
pub fn units(units: &Bound<'_, PyAny>) -> PyResult<Option<UnitSet>> {
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

/// Parses a solution, by its columns counted from 0. Errors count rows from 0, too.
pub fn solution(columns: &Bound<'_, PyAny>) -> PyResult<Solution> {
    let columns = columns
        .try_iter()?
        .map(|column| Ok(in_range(&column?, "a column", 0..=u64::from(u8::MAX))? as u8))
        .collect::<PyResult<Vec<u8>>>()?;
    Solution::new(&columns).map_err(value_error)
}

/// Parses and finds the devices that are to count.
pub fn devices(name: &str) -> PyResult<DeviceSet> {
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

/// Parses the engine and its options, and refuses options that the engine does not have.
pub fn engine(
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

/// A number that is called `what` and lies in a range.
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

/// What `read` makes of an argument that may be left out.
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

fn value_error(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}
