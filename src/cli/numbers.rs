//! Human-readable numbers: with thousands separators, with some significant digits, or with units.

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
pub(super) fn quantity(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

pub(super) fn threads(number: usize) -> String {
    quantity(number as u64, "thread")
}

pub(super) fn columns(solution: &Solution, first: usize) -> String {
    solution
        .columns()
        .iter()
        .map(|&column| (usize::from(column) + first).to_string())
        .collect::<Vec<_>>()
        .join(" ")
}

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
    digits(percent.min(99.9), 3) + "%"
}

/// Formats a time with three digits, such as `1.12 hours`.
pub(super) fn time(seconds: f64) -> String {
    let units = [
        ("years", 31_556_952.0),
        ("days", 86_400.0),
        ("hours", 3600.0),
        ("minutes", 60.0),
        ("s", 1.0),
        ("ms", 1e-3),
        ("us", 1e-6),
    ];
    for (unit, length) in units {
        if seconds >= length {
            return format!("{} {unit}", digits(seconds / length, 3));
        }
    }
    "0 s".to_owned()
}

/// Formats a number with this many significant digits, such as `46.80` or `2,691,000,000`, and with
/// an exponent from 10^15 on.
pub(super) fn digits(number: f64, digits: usize) -> String {
    let scientific = format!("{number:.*e}", digits - 1);
    let exponent = scientific
        .split_once('e')
        .and_then(|(_, exponent)| exponent.parse().ok())
        .unwrap_or(0);
    let rounded = scientific.parse().unwrap_or(number);
    match usize::try_from(digits as i32 - 1 - exponent) {
        Ok(places) if exponent < 3 => format!("{rounded:.places$}"),
        _ if exponent < 15 => grouped(rounded as u128),
        _ => scientific,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_given_number_of_digits() {
        let numbers = [999, 1000, 1234567].map(grouped);
        assert_eq!(numbers, ["999", "1,000", "1,234,567"]);
        let numbers = [0.0, 3.10104e-5, 46.8, 999.96, 2_691_008_701_644.0, 2.349e17];
        assert_eq!(
            numbers.map(|number| digits(number, 4)),
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
        for (share, text) in [
            (0.0, "0%"),
            (4.2e-6, "0.000420%"),
            (0.009_999, "1.00%"),
            (0.421, "42.1%"),
            (0.999_999, "99.9%"),
            (1.0 - 1e-12, "100%"),
            (1.1, "100%"),
        ] {
            assert_eq!(percent(share), text);
        }
    }

    #[test]
    fn times_have_three_digits_and_largest_unit() {
        for (seconds, text) in [
            (0.0, "0 s"),
            (0.0000123, "12.3 us"),
            (0.00999, "9.99 ms"),
            (59.94, "59.9 s"),
            (60.0, "1.00 minutes"),
            (86_399.0, "24.0 hours"),
            (31_556_952.0 * 12345.0, "12,300 years"),
        ] {
            assert_eq!(time(seconds), text);
        }
    }
}
