//! The results of comparisons, and their page.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use crate::step::{Outcome, root, say};

const PAGE: &str = "docs/values.md";

/// Kinds of differences that are documented, with the reason. A kind begins with the first text.
const REASONS: [(&str, &str); 4] = [
    (
        "an instance is beyond a bound of the Rust type",
        "integers of more than 64 bits and text with surrogates ([mapping.md](mapping.md#limits))",
    ),
    (
        "iodata has the same bytes, nested otherwise",
        "Rust keeps the bytes of `iodata()` ([mapping.md](mapping.md#limits))",
    ),
    (
        "the process and the tag of a caller may be any terms",
        "`Caller` reads any pair as `from()`, because OTP alone makes callers, and each call would pay for the check",
    ),
    (
        "JSON Schema cannot express",
        "one of the limits of [schemas](json.md#schemas)",
    ),
];

fn reason(kind: &str) -> Option<&'static str> {
    let mut known = REASONS.iter();
    let known = known.find(|(documented, _)| kind.starts_with(documented));
    known.map(|(_, reason)| *reason)
}

/// The results for the types of an application.
#[derive(Default)]
pub(super) struct Comparison {
    /// By key: the numbers of types, values, mutations, and of mutations that are instances.
    counts: BTreeMap<String, usize>,
    /// The number of types without terms, by reason.
    absent: BTreeMap<String, usize>,
    differences: BTreeMap<String, Difference>,
}

#[derive(Default)]
struct Difference {
    count: usize,
    types: usize,
    example: String,
}

impl Comparison {
    pub(super) fn read(text: &str) -> Comparison {
        let mut table = Comparison::default();
        for line in text.lines() {
            let parts: Vec<&str> = line.split('\t').collect();
            match parts.as_slice() {
                ["absent", count, why] => {
                    let count: usize = count.parse().unwrap_or_default();
                    *table.absent.entry((*why).to_owned()).or_default() += count;
                }
                ["difference", kind, count, name, example] => {
                    let difference = table.differences.entry((*kind).to_owned()).or_default();
                    difference.count += count.parse::<usize>().unwrap_or_default();
                    difference.types += 1;
                    if difference.example.is_empty() {
                        difference.example = format!("{name}: {example}");
                    }
                }
                [key, count] => {
                    let count = count.parse().unwrap_or_default();
                    table.counts.insert((*key).to_owned(), count);
                }
                _ => {}
            }
        }
        table
    }

    fn count(&self, key: &str) -> usize {
        self.counts.get(key).copied().unwrap_or_default()
    }

    pub(super) fn summary(&self, name: &str) -> String {
        let absent: usize = self.absent.values().sum();
        let mut text = format!(
            "{name}: {} types compared, {absent} that PropEr does not generate; {} values; {} mutations, {} of them instances; {} terms that PropEr cannot judge\n",
            self.count("types"),
            self.count("values"),
            self.count("mutations"),
            self.count("instances"),
            self.count("unknown"),
        );
        for (kind, difference) in &self.differences {
            _ = writeln!(
                text,
                "  {kind}: {} of {} types, such as {}",
                difference.count, difference.types, difference.example
            );
        }
        text
    }

    /// Returns an error if a difference has no documented reason.
    pub(super) fn judge(&self) -> Outcome {
        let kinds = self.differences.iter();
        let wrong: Vec<String> = kinds
            .filter(|(kind, _)| reason(kind).is_none())
            .map(|(kind, difference)| format!("{kind}: {}", difference.example))
            .collect();
        if self.count("values") == 0 {
            return Err("PropEr has generated nothing".to_owned());
        }
        if self.count("instances") == 0 || self.count("unknown") * 100 > self.count("mutations") {
            return Err("PropEr does not judge the terms".to_owned());
        }
        match wrong.as_slice() {
            [] => Ok(()),
            wrong => Err(format!(
                "Rust and PropEr differ; `cargo xtask values --sample` shows it again\n{}",
                wrong.join("\n")
            )),
        }
    }
}

/// Writes the page.
pub(super) fn write(
    tables: &BTreeMap<String, Comparison>,
    values: &str,
    mutations: &str,
) -> Outcome {
    let page = root().join(PAGE);
    fs::write(&page, text(tables, values, mutations))
        .map_err(|error| format!("{}: {error}", page.display()))?;
    say(&format!("{PAGE} is written\n"));
    Ok(())
}

fn text(tables: &BTreeMap<String, Comparison>, values: &str, mutations: &str) -> String {
    let mut page = format!(
        "# Generated types, checked with PropEr\n\n\
         `cargo xtask values --page` writes this page. It compares the types that otp-rs generates with the opinion of an independent\n\
         program, [PropEr](https://proper-testing.github.io). PropEr generates up to {values} values of each public type. Each value is\n\
         mutated up to {mutations} times: a mutation has a wrong atom, arity, bound or key, or is another kind of term. PropEr then says\n\
         whether the mutation still is an instance of the type. The following has to hold:\n\n\
         - Rust reads each value, and writes the same term again. A conversion to JSON and back does not change a value either.\n\
         - Rust reads a mutation if and only if it is an instance of the type.\n\
         - A validator of JSON Schema (the crate `jsonschema`) accepts a JSON text if and only if otp-rs reads it.\n\n\
         PropEr supports neither maps with keys nor identifiers. For PropEr, a map is written as a tuple of the values of all keys, and an\n\
         identifier as an atom in a tuple. Of an opaque type, only the kind of its term is compared, because otp-rs does not check\n\
         more than that ([mapping.md](mapping.md#opaque-and-nominal-types)).\n\n\
         | application | types | not generated by PropEr | values | mutations | of these, instances | terms not judged |\n|---|---|---|---|---|---|---|\n"
    );
    for (name, table) in tables {
        let absent: usize = table.absent.values().sum();
        _ = writeln!(
            page,
            "| {name} | {} | {absent} | {} | {} | {} | {} |",
            table.count("types"),
            table.count("values"),
            table.count("mutations"),
            table.count("instances"),
            table.count("unknown")
        );
    }
    page += "\n## Differences\n\n| kind | application | count | types | example or reason |\n|---|---|---|---|---|\n";
    for (name, table) in tables {
        for (kind, difference) in &table.differences {
            let example = format!("`{}`", escaped(&difference.example));
            let shown = reason(kind).map_or(example, str::to_owned);
            _ = writeln!(
                page,
                "| {} | {name} | {} | {} | {shown} |",
                kind.replace('|', "\\|"),
                difference.count,
                difference.types
            );
        }
    }
    page += "\n## What PropEr does not generate\n\n| reason | types |\n|---|---|\n";
    let mut absent: BTreeMap<&str, usize> = BTreeMap::new();
    for (why, count) in tables.values().flat_map(|table| &table.absent) {
        *absent.entry(why).or_default() += count;
    }
    for (why, count) in absent {
        _ = writeln!(page, "| {} | {count} |", escaped(why));
    }
    page
}

/// Escapes text for a cell of a table.
fn escaped(text: &str) -> String {
    let short: String = text.chars().take(160).collect();
    short.replace('|', "\\|").replace('`', "'")
}
