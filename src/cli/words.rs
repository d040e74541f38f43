//! Numbers in words that people know.

/// A time to three digits, in the largest unit that leaves at least two of it.
pub fn time(seconds: f64) -> String {
    let larger = [("years", 31_556_952.0), ("days", 86_400.0), ("hours", 3600.0), ("minutes", 60.0)];
    for (unit, length) in larger {
        if seconds >= 2.0 * length {
            return format!("{} {unit}", digits(seconds / length));
        }
    }
    match seconds {
        1.0.. => format!("{} s", digits(seconds)),
        0.001.. => format!("{} ms", digits(seconds * 1e3)),
        _ => format!("{} us", digits(seconds * 1e6)),
    }
}

/// A number to three digits, or more where it has more before the point.
fn digits(number: f64) -> String {
    let places = match number {
        99.95.. => 0,
        9.995.. => 1,
        _ => 2,
    };
    let text = format!("{number:.places$}");
    if places > 0 || text.len() < 5 {
        return text;
    }
    super::progress::grouped(number.round() as u128)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_three_digits_and_a_unit() {
        for (seconds, words) in [
            (0.0000123, "12.3 us"),
            (0.00999, "9.99 ms"),
            (0.5, "500 ms"),
            (1.0, "1.00 s"),
            (119.0, "119 s"),
            (120.0, "2.00 minutes"),
            (7200.0, "2.00 hours"),
            (86_400.0, "24.0 hours"),
            (31_556_952.0, "365 days"),
            (31_556_952.0 * 12345.0, "12,345 years"),
        ] {
            assert_eq!(time(seconds), words);
        }
    }
}
