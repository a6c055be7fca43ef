//! Names that are in use in one scope.

use std::collections::{BTreeMap, BTreeSet};

use super::LIMIT;

/// Names that are in use in one scope.
#[derive(Debug, Clone, Default)]
pub(crate) struct Taken {
    names: BTreeSet<String>,
    /// For each name that was requested again, the number from which the search for an ordinal
    /// starts.
    next: BTreeMap<String, usize>,
}

impl Taken {
    /// Claims `name`, or `name` with the first free ordinal in front.
    pub(crate) fn claim(&mut self, name: &str) -> String {
        self.claim_first(&[name])
    }

    /// Claims the first of `names` that is free and not too long; otherwise the first with an
    /// ordinal in front.
    pub(crate) fn claim_first(&mut self, names: &[impl AsRef<str>]) -> String {
        let mut free = names
            .iter()
            .map(AsRef::as_ref)
            .filter(|name| !self.names.contains(*name));
        let short = free.clone().find(|name| name.chars().count() <= LIMIT);
        let found = match short.or_else(|| free.next()) {
            Some(name) => name.to_owned(),
            None => {
                let first = names.first().map_or("anonymous", AsRef::as_ref);
                let next = self.next.entry(first.to_owned()).or_insert(2);
                loop {
                    let name = with_ordinal(*next, first);
                    *next += 1;
                    if !self.names.contains(&name) {
                        break name;
                    }
                }
            }
        };
        self.names.insert(found.clone());
        found
    }

    /// Claims the name of a field, with `_` appended if it is in use.
    pub(crate) fn claim_field(&mut self, key: &str) -> String {
        let name = super::snake(key);
        let longer = format!("{}_", name.trim_start_matches("r#"));
        self.claim_first(&[name, longer])
    }

    /// Returns all names that are in use.
    pub(crate) fn into_names(self) -> BTreeSet<String> {
        self.names
    }

    /// Returns whether `name` is in use.
    pub(crate) fn contains(&self, name: &str) -> bool {
        self.names.contains(name)
    }
}

/// `SecondRecord`, `second_list`.
fn with_ordinal(number: usize, name: &str) -> String {
    let ordinal = ordinal(number);
    let name = name.trim_start_matches("r#");
    let words = name.strip_suffix('_').unwrap_or(name);
    if name.starts_with(char::is_uppercase) {
        return super::words::camel(&format!("{ordinal}_{words}"));
    }
    format!("{ordinal}_{words}")
}

/// Returns whether a name in camel case has an ordinal in front.
pub(crate) fn has_ordinal(name: &str) -> bool {
    (2..10).any(|number| {
        let word = super::words::camel(&ordinal(number));
        let rest = name.strip_prefix(&word);
        rest.is_some_and(|rest| rest.starts_with(char::is_uppercase))
    })
}

/// Returns the ordinal of a number in words.
pub(crate) fn ordinal(number: usize) -> String {
    const SMALL: [&str; 20] = [
        "zeroth",
        "first",
        "second",
        "third",
        "fourth",
        "fifth",
        "sixth",
        "seventh",
        "eighth",
        "ninth",
        "tenth",
        "eleventh",
        "twelfth",
        "thirteenth",
        "fourteenth",
        "fifteenth",
        "sixteenth",
        "seventeenth",
        "eighteenth",
        "nineteenth",
    ];
    const TENS: [(&str, &str); 10] = [
        ("", ""),
        ("", ""),
        ("twentieth", "twenty"),
        ("thirtieth", "thirty"),
        ("fortieth", "forty"),
        ("fiftieth", "fifty"),
        ("sixtieth", "sixty"),
        ("seventieth", "seventy"),
        ("eightieth", "eighty"),
        ("ninetieth", "ninety"),
    ];
    match (SMALL.get(number), TENS.get(number / 10), number % 10) {
        (Some(word), _, _) => (*word).to_owned(),
        (None, Some((round, _)), 0) => (*round).to_owned(),
        (None, Some((_, tens)), ones) => format!("{tens}_{}", ordinal(ones)),
        (None, None, _) => format!("{}_and_{}", hundreds(number / 100), ordinal(number % 100)),
    }
}

/// Returns the hundreds, in digits beyond realistic numbers.
fn hundreds(count: usize) -> String {
    format!("hundred_{count}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_taken_name_gets_an_ordinal() {
        let mut taken = Taken::default();
        let names: Vec<String> = (0..3).map(|_| taken.claim("list")).collect();
        assert_eq!(names, ["list", "second_list", "third_list"]);
        assert_eq!(taken.claim("Self_"), "Self_");
        assert_eq!(taken.claim("Self_"), "SecondSelf");
        assert_eq!(taken.claim("r#type"), "r#type");
        assert_eq!(taken.claim("r#type"), "second_type");
    }

    #[test]
    fn the_first_free_and_short_name_is_taken() {
        let mut taken = Taken::default();
        taken.claim("A");
        assert_eq!(taken.claim_first(&["A", "B"]), "B");
        let long = "L".repeat(LIMIT + 1);
        assert_eq!(taken.claim_first(&[long.as_str(), "C"]), "C");
        assert_eq!(taken.claim_first(&[long.as_str(), "C"]), long);
    }

    #[test]
    fn ordinals() {
        let words = [2, 12, 20, 21, 99].map(ordinal);
        assert_eq!(
            words,
            [
                "second",
                "twelfth",
                "twentieth",
                "twenty_first",
                "ninety_ninth"
            ]
        );
        let all: BTreeSet<String> = (0..1000).map(ordinal).collect();
        assert_eq!(all.len(), 1000);
    }
}
