//! Points in time as recordings write them, without a calendar library.

/// Milliseconds since the Unix epoch of an RFC 3339 time, or none.
///
/// A time without an offset is taken as UTC.
pub fn parse(text: &str) -> Option<i64> {
    let bytes = text.as_bytes();
    let number = |range: std::ops::Range<usize>| -> Option<i64> {
        let digits = bytes.get(range)?;
        digits.iter().try_fold(0_i64, |value, digit| {
            digit
                .is_ascii_digit()
                .then(|| value * 10 + i64::from(digit - b'0'))
        })
    };
    let separated = bytes.get(4) == Some(&b'-')
        && bytes.get(7) == Some(&b'-')
        && matches!(bytes.get(10), Some(b'T' | b't' | b' '))
        && bytes.get(13) == Some(&b':')
        && bytes.get(16) == Some(&b':');
    if !separated {
        return None;
    }
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    let (hour, minute, second) = (number(11..13)?, number(14..16)?, number(17..19)?);
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) || hour > 24 || minute > 59 {
        return None;
    }
    let mut at = 19;
    let mut millis = 0;
    if bytes.get(at) == Some(&b'.') {
        at += 1;
        let mut scale = 100;
        while let Some(digit) = bytes.get(at).filter(|byte| byte.is_ascii_digit()) {
            millis += i64::from(digit - b'0') * scale;
            scale /= 10;
            at += 1;
        }
    }
    let offset = match bytes.get(at) {
        None | Some(b'Z' | b'z') => 0,
        Some(sign @ (b'+' | b'-')) => {
            let hours = number(at + 1..at + 3)?;
            let colon = usize::from(bytes.get(at + 3) == Some(&b':'));
            let minutes = number(at + 3 + colon..at + 5 + colon).unwrap_or(0);
            let offset = hours * 60 + minutes;
            if *sign == b'+' { offset } else { -offset }
        }
        Some(_) => return None,
    };
    let seconds =
        days_from_civil(year, month, day) * 86_400 + hour * 3600 + (minute - offset) * 60 + second;
    Some(seconds * 1000 + millis)
}

/// The RFC 3339 form in UTC with milliseconds.
pub fn format(time_ms: i64) -> String {
    let days = time_ms.div_euclid(86_400_000);
    let in_day = time_ms.rem_euclid(86_400_000);
    let (year, month, day) = civil_from_days(days);
    let (hour, minute) = (in_day / 3_600_000, in_day / 60_000 % 60);
    let (second, millis) = (in_day / 1000 % 60, in_day % 1000);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
}

/// Days since the epoch of a date, by Howard Hinnant's `days_from_civil`.
const fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let shifted = if month > 2 { month - 3 } else { month + 9 };
    let day_of_year = (153 * shifted + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

/// The date of a day since the epoch, by Howard Hinnant's `civil_from_days`.
const fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    };
    let year = year_of_era + era * 400 + if month <= 2 { 1 } else { 0 };
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_recordings_write() {
        assert_eq!(parse("1970-01-01T00:00:00Z"), Some(0));
        assert_eq!(parse("2026-11-20T10:00:03.000Z"), Some(1_795_168_803_000));
        assert_eq!(
            parse("2026-11-20T11:00:03.1239+01:00"),
            Some(1_795_168_803_123)
        );
        assert_eq!(parse("2024-02-29T23:59:59"), Some(1_709_251_199_000));
        assert_eq!(parse("[trimmed]"), None);
        assert_eq!(parse("2024-13-01T00:00:00Z"), None);
    }

    #[test]
    fn writes_what_it_reads() {
        for time in [0, -1, 1_795_168_803_123, 951_782_399_999, 4_102_444_800_000] {
            assert_eq!(parse(&format(time)), Some(time));
        }
        assert_eq!(format(1_795_168_803_000), "2026-11-20T10:00:03.000Z");
    }
}
