//! Devices are found by number or full name.

use queencount::{Device, DeviceError, DeviceSet};

fn resolve(text: &str) -> Result<DeviceSet, DeviceError> {
    text.parse()
}

#[test]
fn other_words_are_rejected() {
    for text in ["", "gpus", "CPU", "gpu:", "gpu0"] {
        assert!(
            matches!(resolve(text), Err(DeviceError::Syntax(_))),
            "{text}"
        );
    }
}

#[test]
fn missing_devices_are_rejected() {
    let expected = match Device::all().len() {
        0 => DeviceError::NoDevice(Device::absence().unwrap()),
        devices => DeviceError::NoSuchNumber {
            number: 99,
            devices,
        },
    };
    assert_eq!(resolve("gpu:99"), Err(expected));
    for name in ["x", "0,", "-1"] {
        let expected = match Device::absence() {
            Some(absence) => DeviceError::NoDevice(absence),
            None => DeviceError::NoSuchName(name.to_owned()),
        };
        assert_eq!(resolve(&format!("gpu:{name}")), Err(expected), "{name}");
    }
}

#[test]
fn devices_are_found_by_number_or_full_name() {
    for device in Device::all() {
        let name = device.description.name.clone();
        let set = resolve(&format!("gpu:{name}")).unwrap();
        assert!(set.devices().any(|found| found.index() == device.index()));
        assert_eq!(resolve(&set.to_string()), Ok(set));
        let expected = if device.description.is_cpu {
            Err(DeviceError::Cpu(name))
        } else {
            Ok(std::iter::once(device).collect())
        };
        let by_number = resolve(&format!("gpu:{}", device.index()));
        assert_eq!(by_number, expected, "{device:?}");
    }
    assert_eq!(resolve("cpu"), Ok(DeviceSet::default()));
    let auto = resolve("auto").unwrap();
    assert!(auto.devices().all(|device| !device.description.is_cpu));
    assert!(!auto.uses_all_threads());
}
