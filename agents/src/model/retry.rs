//! How long to wait before another attempt.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The wait before attempt `attempt` (from 1, after the first failure): half of the doubled step and a random part of the
/// other half ("equal jitter", Brooker 2015, "Exponential backoff and jitter"); never less than the server asked for, and
/// then up to a tenth more, so that not all come back at once. `noise` in `[0, 1)`.
pub(super) fn wait(
    attempt: u32,
    step: Duration,
    longest: Duration,
    retry_after: Option<Duration>,
    noise: f64,
) -> Duration {
    let doubled = step.saturating_mul(1_u32 << (attempt.clamp(1, 20) - 1)).min(longest);
    let own = doubled.mul_f64(0.5 + 0.5 * noise);
    retry_after.map_or(own, |asked| own.max(asked.mul_f64(1.0 + 0.1 * noise)))
}

/// A number in `[0, 1)` from a digest's bytes and the attempt: waits are spread without a global generator.
pub(super) fn noise(digest: &[u8; 32], attempt: u32) -> f64 {
    let mut word = u64::from(attempt).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    for (place, &byte) in digest.iter().take(8).enumerate() {
        word ^= u64::from(byte) << (8 * place);
    }
    word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((word ^ (word >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}

/// The longest wait that a server may ask for; more is read as this.
const MOST_ASKED: Duration = Duration::from_secs(24 * 3600);

/// A `Retry-After` header: seconds, or a date (RFC 9110, section 10.2.3). `None` for anything else.
pub(super) fn retry_after(header: &str, now: SystemTime) -> Option<Duration> {
    let header = header.trim();
    if let Ok(seconds) = header.parse::<u64>() {
        return Some(Duration::from_secs(seconds).min(MOST_ASKED));
    }
    if let Ok(seconds) = header.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok().map(|asked| asked.min(MOST_ASKED));
    }
    let now = now.duration_since(UNIX_EPOCH).ok()?;
    Some(Duration::from_secs(unix_seconds(header)?).saturating_sub(now).min(MOST_ASKED))
}

/// `Sun, 06 Nov 1994 08:49:37 GMT` in seconds since 1970.
fn unix_seconds(date: &str) -> Option<u64> {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let (_, rest) = date.split_once(", ")?;
    let parts: Vec<&str> = rest.split(' ').collect();
    let [day, month, year, time, "GMT"] = parts[..] else { return None };
    let month = MONTHS.iter().position(|name| *name == month)? as i64 + 1;
    let (day, year): (i64, i64) = (day.parse().ok()?, year.parse().ok()?);
    let clock: Vec<u64> = time.split(':').map(str::parse).collect::<Result<_, _>>().ok()?;
    let [hours, minutes, seconds] = clock[..] else { return None };
    if !(1..=31).contains(&day) || !(1970..=9999).contains(&year) || hours > 23 || minutes > 59 || seconds > 60 {
        return None;
    }
    // Days since 1970 in the proleptic Gregorian calendar (Hinnant, "chrono-compatible low-level date algorithms").
    let shifted = if month <= 2 { year - 1 } else { year };
    let (era, month) = (shifted / 400, (month + 9) % 12);
    let of_era = shifted - era * 400;
    let of_year = (153 * month + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    Some(u64::try_from(days).ok()? * 86_400 + hours * 3600 + minutes * 60 + seconds)
}

#[cfg(test)]
mod tests {
    use super::{noise, retry_after, wait};
    use std::time::{Duration, UNIX_EPOCH};

    const STEP: Duration = Duration::from_millis(500);
    const LONGEST: Duration = Duration::from_secs(30);

    #[test]
    fn waits_double_up_to_the_longest_and_vary_by_half() {
        let check = |attempt, noise, milliseconds| {
            assert_eq!(wait(attempt, STEP, LONGEST, None, noise), Duration::from_millis(milliseconds));
        };
        check(1, 0.0, 250);
        check(2, 0.0, 500);
        check(3, 0.5, 1500);
        check(30, 0.0, 15_000);
    }

    #[test]
    fn no_wait_is_shorter_than_the_server_asked_for() {
        let asked = Some(Duration::from_secs(7));
        assert_eq!(wait(1, STEP, LONGEST, asked, 0.0), Duration::from_secs(7));
        assert!(wait(1, STEP, LONGEST, asked, 0.9) > Duration::from_secs(7));
        assert!(wait(9, STEP, LONGEST, asked, 0.0) > Duration::from_secs(7));
    }

    #[test]
    fn noise_depends_on_request_and_attempt_and_stays_in_range() {
        let (a, b) = (noise(&[1; 32], 1), noise(&[1; 32], 2));
        assert!(a != b && [a, b, noise(&[2; 32], 1)].iter().all(|noise| (0.0..1.0).contains(noise)));
    }

    #[test]
    fn retry_after_is_read_as_seconds_or_as_a_date() {
        let now = UNIX_EPOCH + Duration::from_secs(784_111_777);
        let check = |header: &str, seconds: Option<u64>| {
            assert_eq!(retry_after(header, now), seconds.map(Duration::from_secs), "{header}");
        };
        check("3", Some(3));
        check(" 0 ", Some(0));
        check("1.0", Some(1));
        check("Sun, 06 Nov 1994 08:49:37 GMT", Some(0));
        check("Sun, 06 Nov 1994 08:50:07 GMT", Some(30));
        check("Sun, 06 Nov 1993 08:50:07 GMT", Some(0));
        check("99999999999", Some(86_400));
        check("soon", None);
        check("-1", None);
        check("NaN", None);
    }
}
