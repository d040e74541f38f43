//! Human-readable numbers: with thousands separators, with three digits in total, or with units.

use std::time::Duration;

use crate::Solution;

pub(super) fn grouped(number: u128) -> String {
    number
        .to_string()
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|group| String::from_utf8_lossy(group).into_owned())
        .collect::<Vec<_>>()
        .join(",")
}

/// Formats a number with its noun, such as `1 unit` or `2 units`.
pub(super) fn quantity(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

pub(super) fn threads(number: usize) -> String {
    quantity(number as u64, "thread", "threads")
}

pub(super) fn columns(solution: &Solution, first: usize) -> String {
    solution
        .columns()
        .iter()
        .map(|&column| (usize::from(column) + first).to_string())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Formats a rate with three digits, such as `23.1 M`.
pub(super) fn rate(per_second: f64) -> String {
    let mut rate = per_second;
    for prefix in ["", " k", " M", " G"] {
        if rate < 999.5 {
            return three_digits(rate) + prefix;
        }
        rate /= 1000.0;
    }
    format!("{rate:.1} T")
}

/// Formats a size with three digits, such as `1.50 GiB`.
pub(super) fn bytes(bytes: u64) -> String {
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let mut size = bytes as f64 / 1024.0;
    for unit in ["KiB", "MiB", "GiB"] {
        if size < 1023.5 {
            return three_digits(size) + " " + unit;
        }
        size /= 1024.0;
    }
    three_digits(size) + " TiB"
}

/// The length of a year in seconds.
const YEAR: u64 = 31_556_952;

/// Formats a fraction with three digits, such as `42.1%` or `0.000420%`. Only if everything is
/// done, the result is `100%`.
pub(super) fn percent(fraction: f64) -> String {
    let percent = 100.0 * fraction;
    if percent <= 0.0 {
        return "0%".to_owned();
    }
    // The sum of a million shares is only approximately 1.
    if percent > 100.0 - 1e-7 {
        return "100%".to_owned();
    }
    let percent = percent.min(99.9);
    let places = usize::try_from(2 - exponent(&format!("{percent:.2e}"))).unwrap_or(0);
    format!("{percent:.places$}%")
}

/// Formats a time in its two largest units, such as `1h07m`, or in years, such as `17.1 years`.
pub(super) fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let minutes = seconds / 60;
    let hours = minutes / 60;
    let days = hours / 24;
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3600 => format!("{minutes}m{:02}s", seconds % 60),
        3600..86400 => format!("{hours}h{:02}m", minutes % 60),
        YEAR.. => format!("{} years", three_digits(seconds as f64 / YEAR as f64)),
        _ => format!("{}d{:02}h", grouped(days.into()), hours % 24),
    }
}

/// Formats a time with three digits, such as `67.0 minutes`. Minutes and longer units are used only
/// if there are at least 2 of them.
pub(super) fn time(seconds: f64) -> String {
    let larger = [
        ("years", YEAR as f64),
        ("days", 86_400.0),
        ("hours", 3600.0),
        ("minutes", 60.0),
    ];
    for (unit, length) in larger {
        if seconds >= 2.0 * length {
            return format!("{} {unit}", three_digits(seconds / length));
        }
    }
    match seconds {
        1.0.. => format!("{} s", three_digits(seconds)),
        0.001.. => format!("{} ms", three_digits(seconds * 1e3)),
        _ => format!("{} us", three_digits(seconds * 1e6)),
    }
}

/// Formats an estimate with four digits, such as `46.80` or `2,691,000,000`, and with an exponent
/// from 10^15 on.
pub(super) fn four_digits(number: f64) -> String {
    let scientific = format!("{number:.3e}");
    let rounded = scientific.parse().unwrap_or(number);
    match exponent(&scientific) {
        15.. => scientific,
        3.. => grouped(rounded as u128),
        exponent => format!("{rounded:.*}", (3 - exponent) as usize),
    }
}

/// Returns the exponent of a number in scientific notation, or 0 if it is not finite.
fn exponent(scientific: &str) -> i32 {
    scientific
        .split_once('e')
        .and_then(|(_, exponent)| exponent.parse().ok())
        .unwrap_or(0)
}

/// Formats a number with three digits, or rounds it to an integer of more digits.
fn three_digits(number: f64) -> String {
    let places = match number {
        99.95.. => 0,
        9.995.. => 1,
        _ => 2,
    };
    let text = format!("{number:.places$}");
    if text.len() < 5 {
        text
    } else {
        grouped(number.round() as u128)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_to_three_digits() {
        let numbers = [999, 1000, 1234567].map(grouped);
        assert_eq!(numbers, ["999", "1,000", "1,234,567"]);
        let rates = [0.0, 9.995, 99.95, 999.4, 999.6, 23.1e6, 1.5e13].map(rate);
        assert_eq!(
            rates,
            ["0.00", "10.0", "100", "999", "1.00 k", "23.1 M", "15.0 T"]
        );
        let sizes = [0, 1023, 1024, (1 << 20) - 1, 3 << 29, 3 << 40].map(bytes);
        assert_eq!(
            sizes,
            [
                "0 B", "1023 B", "1.00 KiB", "1.00 MiB", "1.50 GiB", "3.00 TiB"
            ]
        );
    }

    #[test]
    fn estimates_have_four_digits() {
        let estimates = [0.0, 3.10104e-5, 46.8, 999.96, 2_691_008_701_644.0, 2.349e17];
        assert_eq!(
            estimates.map(four_digits),
            [
                "0.000",
                "0.00003101",
                "46.80",
                "1,000",
                "2,691,000,000,000",
                "2.349e17"
            ]
        );
    }

    #[test]
    fn shares_keep_three_digits() {
        let shares = [
            0.0,
            4.2e-6,
            1.234e-15,
            0.00999,
            0.009_999,
            0.421,
            0.0999,
            0.99949,
            0.9996,
            0.999_999,
            1.0 - 1e-12,
            1.0,
            1.1,
        ]
        .map(percent);
        assert_eq!(
            shares,
            [
                "0%",
                "0.000420%",
                "0.000000000000123%",
                "0.999%",
                "1.00%",
                "42.1%",
                "9.99%",
                "99.9%",
                "99.9%",
                "99.9%",
                "100%",
                "100%",
                "100%"
            ]
        );
    }

    #[test]
    fn times_have_two_units_or_three_digits() {
        let clocks = [
            59,
            60,
            3599,
            3600,
            86400,
            YEAR - 1,
            YEAR,
            17 * YEAR,
            12_345 * YEAR,
        ]
        .map(|seconds| clock(Duration::from_secs(seconds)));
        assert_eq!(
            clocks,
            [
                "59s",
                "1m00s",
                "59m59s",
                "1h00m",
                "1d00h",
                "365d05h",
                "1.00 years",
                "17.0 years",
                "12,345 years"
            ]
        );
        let times = [
            0.0000123,
            0.00999,
            1.0,
            119.0,
            120.0,
            7200.0,
            86_400.0,
            31_556_952.0 * 12345.0,
        ]
        .map(time);
        let words = [
            "12.3 us",
            "9.99 ms",
            "1.00 s",
            "119 s",
            "2.00 minutes",
            "2.00 hours",
            "24.0 hours",
            "12,345 years",
        ];
        assert_eq!(times, words);
    }
}
