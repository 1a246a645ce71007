//! Digits as people write them: thousands and decimals set apart by commas, dots or apostrophes.

use super::number::SCALE;

/// The zeros of the scripts whose decimal digits people write numbers with (Unicode's general category Nd), in rising order; each
/// is followed by its nine others. The mathematical digits are five such tens in a row.
const ZEROS: [u32; 26] = [
    0x30, 0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0xf20,
    0x1040, 0x17e0, 0x1810, 0xff10, 0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1fbf0,
];

/// The value of a decimal digit of any of these scripts.
pub(super) fn digit(c: char) -> Option<u8> {
    if c.is_ascii() {
        return c.to_digit(10).map(|digit| digit as u8);
    }
    let code = u32::from(c);
    let zero = ZEROS[ZEROS.partition_point(|&zero| zero <= code).checked_sub(1)?];
    (code - zero < 10).then_some((code - zero) as u8)
}

/// A run of digits as written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Digits {
    /// Value in ten-thousandths.
    pub(super) value: u64,
    /// The value if a single dot before three digits separates thousands ("97.500 EUR").
    pub(super) dotted_thousands: Option<u64>,
    /// Thousands are set apart.
    pub(super) grouped: bool,
    /// Digits without any separator: how many.
    pub(super) plain_length: u8,
    /// Begins with a zero that says nothing, as telephone numbers do.
    pub(super) leading_zero: bool,
}

/// Digits with separators: `98,250.00`, `98.250,00`, `98'250`, `96,5`. `None` for what is no number, such as `2.4.1`.
pub(super) fn parse_digits(written: &str) -> Option<Digits> {
    let mut groups: [(u64, u8); 8] = [(0, 0); 8];
    let mut separators = ['\0'; 8];
    let mut count = 0;
    for c in written.chars() {
        if let Some(digit) = c.to_digit(10) {
            let (value, length) = groups[count];
            groups[count] = (value.saturating_mul(10).saturating_add(u64::from(digit)), length.saturating_add(1));
        } else {
            separators[count] = c;
            count += 1;
            if count == groups.len() {
                return None;
            }
        }
    }
    let separators = &separators[..count];
    let groups = &groups[..=count];
    let leading_zero =
        written.len() > 1 && written.starts_with('0') && !written.starts_with("0.") && !written.starts_with("0,");
    let whole = |groups: &[(u64, u8)]| {
        groups.iter().fold(0u64, |sum, &(value, length)| {
            sum.saturating_mul(10u64.saturating_pow(u32::from(length))).saturating_add(value)
        })
    };
    let in_threes = |groups: &[(u64, u8)]| {
        groups[0].1 <= 3 && groups[0].0 > 0 && groups[1..].iter().all(|&(_, length)| length == 3)
    };
    let fraction = |(value, length): (u64, u8)| match length {
        0..=4 => value * 10u64.pow(4 - u32::from(length)),
        5..=19 => value / 10u64.pow(u32::from(length) - 4),
        _ => 0,
    };
    let digits = |value: u64, grouped, plain_length| Digits {
        value,
        grouped,
        plain_length,
        leading_zero,
        dotted_thousands: None,
    };
    let Some(&last) = separators.last() else {
        return Some(digits(groups[0].0.saturating_mul(SCALE), false, groups[0].1));
    };
    let mixed = separators.iter().any(|&c| c != last);
    if mixed {
        // The last separator is the decimal mark; all before it set thousands apart.
        let (head, tail) = groups.split_at(count);
        if !in_threes(head) || separators[..count - 1].contains(&last) {
            return None;
        }
        return Some(digits(whole(head).saturating_mul(SCALE).saturating_add(fraction(tail[0])), true, 0));
    }
    let decimal = || groups[0].0.saturating_mul(SCALE).saturating_add(fraction(groups[1]));
    match (last, count) {
        ('.', 1) => Some(Digits {
            dotted_thousands: in_threes(groups).then(|| whole(groups).saturating_mul(SCALE)),
            ..digits(decimal(), false, 0)
        }),
        (_, _) if in_threes(groups) => Some(digits(whole(groups).saturating_mul(SCALE), true, 0)),
        (',', 1) => Some(digits(decimal(), false, 0)),
        _ => None,
    }
}
