"""Devices count the same as the CPU, and missing devices are refused.

Without devices, as on most machines, the errors about missing devices are tested. PoCL turns any CPU into a device.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import queencount

DEVICES = queencount.devices()


@pytest.fixture(params=[f"gpu:{device.name if device.kind == 'cpu' else device.index}" for device in DEVICES])
def device(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


def test_devices_are_numbered_and_described() -> None:
    assert [device.index for device in DEVICES] == list(range(len(DEVICES)))
    for device in DEVICES:
        assert device.kind in ("cpu", "gpu")
        assert device.name and device.memory >= 32 * 1024


def test_device_matches_cpu(device: str, tmp_path: Path) -> None:
    assert queencount.count(12, device=device) == 14_200
    assert queencount.classes(12, device=device) == queencount.classes(12)
    record = tmp_path / "12.jsonl"
    assert queencount.run(12, record, device=device).total == 14_200
    assert '"kernel":"gpu"' in record.read_text()
    assert queencount.audit(record).passed
    assert [device.failure for device in queencount.devices()] == [None] * len(DEVICES)


def test_estimate_for_named_device_uses_it(device: str) -> None:
    estimate = queencount.estimate(12, sample=8, threads=2, device=device)
    assert (estimate.device, estimate.threads) == (device, 2)
    assert estimate.total.low <= 14_200 <= estimate.total.high
    assert estimate.seconds.mean > 0
    # Devices do not count this board.
    assert queencount.estimate(8, sample=8, device=device).device == "cpu"


# The driver cannot compile.
FAILING = """
import queencount
device = f"gpu:{queencount.devices()[0].name}"
for call in (lambda: queencount.count(12, device=device), lambda: queencount.estimate(12, sample=8, device=device)):
    try:
        call()
    except RuntimeError as error:
        assert str(error).startswith(f"{device} failed while compiling the kernels: "), error
        assert str(error) == queencount.devices()[0].failure
    else:
        raise AssertionError("a count by the CPU passes as one by the device")
"""


@pytest.mark.skipif(not DEVICES or DEVICES[0].kind != "cpu", reason="only PoCL can be broken like this")
def test_device_failure_is_reported() -> None:
    flags = {"POCL_EXTRA_BUILD_FLAGS": "-include nowhere"}
    subprocess.run([sys.executable, "-c", FAILING], env={**os.environ, **flags}, check=True)


@pytest.mark.parametrize("device", ["auto", "cpu"])
def test_estimate_uses_cpu_by_default(device: str) -> None:
    assert queencount.estimate(12, sample=8, device=device).device == "cpu"
    assert queencount.count(12, device=device) == 14_200


def test_missing_devices_are_value_errors() -> None:
    with pytest.raises(ValueError, match='^expected cpu, auto, .*, found "gpus"$'):
        queencount.count(8, device="gpus")
    with pytest.raises(ValueError) as missing:
        queencount.count(8, device="gpu:63")
    numbers = f"no device has the number 63; the numbers are below {len(DEVICES)}"
    found = f"{numbers}; devices() lists the devices" if DEVICES else "no GPU can be used: "
    assert str(missing.value).startswith(found)
    with pytest.raises(ValueError, match='no device has the name "x"' if DEVICES else "no GPU can be used: "):
        queencount.count(8, device="gpu:x")
    if all(device.kind == "cpu" for device in DEVICES):
        found = "is a CPU, which .*; use 'gpu:" if DEVICES else "no GPU can be used"
        with pytest.raises(ValueError, match=found):
            queencount.count(8, device="gpu")
