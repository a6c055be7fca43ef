//! Patterns for the digits of integers.

/// Returns the decimal numbers from `low` to `high`, without leading zeros, as alternatives of a
/// regular expression. Without `high`, there is no largest one.
#[must_use]
pub(super) fn decimals(low: u128, high: Option<u128>) -> String {
    let low = low.to_string();
    let alternatives = match high.map(|high| high.to_string()) {
        None => {
            let mut all = between(low.as_bytes(), &nines(low.len()));
            all.push(format!("[1-9][0-9]{{{},}}", low.len()));
            all
        }
        Some(high) if high.len() == low.len() => between(low.as_bytes(), high.as_bytes()),
        Some(high) => {
            let mut all = between(low.as_bytes(), &nines(low.len()));
            if high.len() > low.len() + 1 {
                let (least, most) = (low.len(), high.len() - 2);
                all.push(match least == most {
                    true => format!("[1-9]{}", digits(least)),
                    false => format!("[1-9][0-9]{{{least},{most}}}"),
                });
            }
            all.extend(between(&least(high.len()), high.as_bytes()));
            all
        }
    };
    format!("({})", alternatives.join("|"))
}

/// Returns the largest number with this number of digits.
fn nines(digits: usize) -> Vec<u8> {
    vec![b'9'; digits]
}

/// Returns the smallest number with this number of digits.
fn least(digits: usize) -> Vec<u8> {
    let mut digits = vec![b'0'; digits];
    if let Some(first) = digits.first_mut() {
        *first = b'1';
    }
    digits
}

/// Returns a pattern for the numbers between two of equal length.
fn between(low: &[u8], high: &[u8]) -> Vec<String> {
    let is_all = |digits: &[u8], digit: u8| digits.iter().all(|one| *one == digit);
    let (Some((first, low)), Some((last, high))) = (low.split_first(), high.split_first()) else {
        return vec![String::new()];
    };
    if first == last {
        let rest = between(low, high).into_iter();
        return rest
            .map(|rest| format!("{}{rest}", char::from(*first)))
            .collect();
    }
    // First digits whose numbers are all between the two.
    let (mut from, mut to) = (*first, *last);
    let mut alternatives = Vec::new();
    if !is_all(low, b'0') {
        alternatives.extend(with_first(*first, between(low, &nines(low.len()))));
        from += 1;
    }
    let mut at_end = Vec::new();
    if !is_all(high, b'9') {
        at_end = with_first(*last, between(&vec![b'0'; high.len()], high));
        to -= 1;
    }
    if from <= to {
        alternatives.push(any(from, to) + &digits(low.len()));
    }
    alternatives.extend(at_end);
    alternatives
}

fn with_first(first: u8, rest: Vec<String>) -> Vec<String> {
    let first = char::from(first);
    rest.into_iter()
        .map(|rest| format!("{first}{rest}"))
        .collect()
}

fn any(from: u8, to: u8) -> String {
    match (char::from(from), char::from(to)) {
        (from, to) if from == to => from.to_string(),
        (from, to) => format!("[{from}-{to}]"),
    }
}

fn digits(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => "[0-9]".to_owned(),
        count => format!("[0-9]{{{count}}}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_between_two_are_written_as_digits() {
        assert_eq!(
            decimals(0, Some(255)),
            "([0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])"
        );
        assert_eq!(
            decimals(0, Some(99_999)),
            "([0-9]|[1-9][0-9]{1,3}|[1-9][0-9]{4})"
        );
        assert_eq!(decimals(37, Some(41)), "(3[7-9]|4[0-1])");
        assert_eq!(decimals(95, None), "(9[5-9]|[1-9][0-9]{2,})");
        assert_eq!(decimals(5, Some(5)), "(5)");
    }
}
