//! `cargo xtask names`: all names that the generator makes, the rules of docs/names.md, and a list
//! of examples.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::fs;

use otp_codegen::{GeneratedName, NameKind, Requested, outside_options};

use crate::erlang;
use crate::glossary;
use crate::library::Library;
use crate::step::{Outcome, root, say};

/// The applications in the list of names.
const APPLICATIONS: [&str; 3] = ["kernel", "stdlib", "ssl"];
/// The list of examples.
const LIST: &str = "xtask/src/names.txt";
/// The maximum length of a name, in letters.
const LONGEST: usize = 42;

/// Writes the currently generated names into the list, and checks all names.
pub(crate) fn write() -> Outcome {
    glossary::check()?;
    let names = names(&APPLICATIONS)?;
    let path = root().join(LIST);
    let text = fs::read_to_string(&path).map_err(|error| format!("{LIST}: {error}"))?;
    fs::write(&path, fresh(&text, &names)?).map_err(|error| format!("{LIST}: {error}"))?;
    say(&format!("{LIST} is written\n"));
    summary(&names);
    judge(&names)
}

/// Compares the list with the generated names, and checks all names.
pub(crate) fn check() -> Outcome {
    glossary::check()?;
    let names = names(&APPLICATIONS)?;
    let text = fs::read_to_string(root().join(LIST)).map_err(|error| format!("{LIST}: {error}"))?;
    if fresh(&text, &names)? != text {
        return Err(format!(
            "{LIST} is stale: run `cargo xtask names` and commit what it writes"
        ));
    }
    judge(&names)
}

/// Prints all names of these applications.
pub(crate) fn show(applications: &[&str]) -> Outcome {
    let names = names(applications)?;
    for name in &names {
        let (module, within, rust, erlang) = (&name.module, &name.within, &name.rust, &name.erlang);
        say(&format!(
            "{module}\t{:?}\t{within}\t{rust}\t{erlang}\n",
            name.kind
        ));
    }
    summary(&names);
    judge(&names)
}

/// Returns all names of these applications' modules, with functions.
fn names(applications: &[&str]) -> Outcome<Vec<GeneratedName>> {
    let libraries = erlang::to_read()?;
    let library = Library::new(&libraries)?;
    let mut wanted = BTreeSet::new();
    for name in applications {
        wanted.extend(library.application(name)?.1);
    }
    let modules = library.closure(wanted.clone(), true);
    let release = erlang::release(&libraries)?;
    let mut options = outside_options("crate::otp", "cargo xtask names", &release, BTreeMap::new());
    options.requested = Requested::Modules(wanted);
    options.functions = true;
    options.provided = BTreeMap::new();
    Ok(otp_codegen::generate(&modules, &options).names)
}

/// Prints the number of names of each kind, and the longest name.
fn summary(names: &[GeneratedName]) {
    let mut kinds: BTreeMap<NameKind, Vec<&GeneratedName>> = BTreeMap::new();
    for name in names {
        kinds.entry(name.kind).or_default().push(name);
    }
    for (kind, mut names) in kinds {
        names.sort_by_key(|name| std::cmp::Reverse(name.rust.chars().count()));
        let longest = names.first().map_or("", |name| name.rust.as_str());
        let ordinals = names.iter().filter(|name| has_ordinal(&name.rust)).count();
        say(&format!(
            "{:7} {kind:?}, {ordinals} with an ordinal, the longest: {longest} ({})\n",
            names.len(),
            longest.chars().count(),
        ));
    }
}

fn has_ordinal(rust: &str) -> bool {
    let ordinals = ["second_", "third_", "fourth_", "Second", "Third", "Fourth"];
    ordinals.iter().any(|ordinal| rust.starts_with(ordinal))
}

/// Returns the list with an updated last column.
fn fresh(text: &str, names: &[GeneratedName]) -> Outcome<String> {
    let mut list = String::new();
    for line in text.lines() {
        match cells(line).as_slice() {
            [module, erlang, _] => {
                let after = after(plain(module), plain(erlang), names);
                if after.is_empty() {
                    return Err(format!(
                        "{LIST}: nothing is generated for {erlang} of {module}"
                    ));
                }
                let erlang = erlang.replace('|', "\\|");
                list.push_str(&format!("| {module} | {erlang} | {after} |\n"));
            }
            _ => list.push_str(&format!("{line}\n")),
        }
    }
    Ok(list)
}

/// Returns the cells of a row.
fn cells(line: &str) -> Vec<String> {
    let Some(row) = line
        .strip_prefix("| ")
        .and_then(|row| row.strip_suffix('|'))
    else {
        return Vec::new();
    };
    let row = row.replace("\\|", "\u{1}");
    let cells = row.split('|').map(|cell| cell.trim().replace('\u{1}', "|"));
    cells.collect()
}

fn plain(cell: &str) -> &str {
    cell.trim_matches('`')
}

/// Returns the names for the form of the module, or for the atom. A form in the list may be
/// truncated with `…`.
fn after(module: &str, erlang: &str, names: &[GeneratedName]) -> String {
    let is_form = |name: &&GeneratedName| {
        let form = name.erlang.trim();
        let same = match erlang.strip_suffix(" …") {
            Some(beginning) => form.starts_with(beginning),
            // The variant's tag follows the form.
            None => form == erlang || form.starts_with(&format!("{erlang} ")),
        };
        let is_named = !matches!(
            name.kind,
            NameKind::Argument | NameKind::Parameter | NameKind::Field
        );
        name.module == module && is_named && same
    };
    let mut found: Vec<String> = Vec::new();
    for name in names.iter().filter(is_form) {
        let rust = format!("`{}`", name.rust);
        if !found.contains(&rust) {
            found.push(rust);
        }
    }
    found.join(", ")
}

/// Checks that the rules hold for all names.
fn judge(names: &[GeneratedName]) -> Outcome {
    let has_number = |name: &&GeneratedName| {
        name.kind == NameKind::Function
            && name.erlang.contains(|letter: char| letter.is_ascii_digit())
    };
    let mut numbered: BTreeMap<&str, String> = BTreeMap::new();
    for function in names.iter().filter(has_number) {
        let of_module = numbered.entry(&function.module).or_default();
        of_module.push_str(&format!(" {}", function.erlang));
    }
    let fault = |name: &GeneratedName| {
        let functions = numbered
            .get(name.module.as_str())
            .filter(|_| name.kind == NameKind::Anonymous);
        fault(name, functions.map_or("", String::as_str))
    };
    let faults: Vec<String> = names.iter().filter_map(fault).collect();
    if faults.is_empty() {
        Ok(())
    } else {
        Err(faults.join("\n"))
    }
}

/// Describes the fault of a name. A number is valid if it comes from the name of one of these
/// functions, because an anonymous type can be named after a function.
fn fault(name: &GeneratedName, functions: &str) -> Option<String> {
    let (rust, erlang) = (name.rust.trim_start_matches("r#"), name.erlang.as_str());
    let rust = without_number(rust);
    if rust == erlang {
        return None;
    }
    let words = words(rust);
    let identifiers = || erlang.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
    let doubled = words.windows(2).find(|pair| {
        let is_erlangs =
            identifiers().any(|name| self::words(name).windows(2).any(|two| two == *pair));
        pair[0] == pair[1] && !is_erlangs && erlang.contains(char::is_alphabetic)
    });
    let own = identifiers();
    let own = own.map(|word| word.chars().count()).max().unwrap_or(0);
    let digits = rust.split(|letter: char| !letter.is_ascii_digit());
    let number = digits
        .filter(|run| !run.is_empty())
        .find(|run| !erlang.contains(run) && !functions.contains(run));
    let what = if rust.chars().count() > LONGEST.max(own) {
        format!("has more than {LONGEST} letters")
    } else if let Some(pair) = doubled {
        format!("has the word `{}` twice", pair[0])
    } else if let Some(number) = number {
        format!("has the number {number}, which Erlang's does not have")
    } else if let Some(code) = escape(rust, &format!("{erlang}{functions}")) {
        format!("has the code `{code}`")
    } else {
        return None;
    };
    let module = &name.module;
    Some(format!("{module}: `{rust}` for `{erlang}` {what}"))
}

/// Returns an atom's name without the number that distinguishes atoms with the same spelling.
fn without_number(rust: &str) -> &str {
    let parts = rust
        .strip_suffix('_')
        .and_then(|rust| rust.rsplit_once('_'));
    let is_number = |text: &str| text.len() == 8 && text.bytes().all(|it| it.is_ascii_hexdigit());
    parts
        .filter(|(_, number)| is_number(number))
        .map_or(rust, |(name, _)| name)
}

/// Returns the character code in a name.
fn escape(rust: &str, erlang: &str) -> Option<String> {
    let letters: Vec<char> = rust.chars().collect();
    let is_code = |code: &&[char]| match code {
        [first, digits @ ..] => {
            matches!(first, 'x' | 'u' | 'U')
                && digits.iter().all(char::is_ascii_hexdigit)
                && digits.iter().any(char::is_ascii_digit)
        }
        [] => false,
    };
    let codes = letters.windows(3).filter(is_code);
    let texts = codes.map(|code| code.iter().collect::<String>());
    let erlang = erlang.to_lowercase().replace('_', "");
    texts
        .into_iter()
        .find(|code| !erlang.contains(&code.to_lowercase()))
}

/// Splits a name into words in lower case.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    let mut small = false;
    for letter in name.chars() {
        if !letter.is_alphanumeric() || (letter.is_uppercase() && small) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| letter.is_alphanumeric()) {
            word.extend(letter.to_lowercase());
        }
        small = letter.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(rust: &str, erlang: &str) -> GeneratedName {
        GeneratedName {
            module: "m".to_owned(),
            kind: NameKind::Variant,
            within: String::new(),
            rust: rust.to_owned(),
            erlang: erlang.to_owned(),
        }
    }

    #[test]
    fn faults_are_found() {
        let long = "L".repeat(LONGEST + 1);
        for (rust, erlang) in [
            (long.as_str(), "t()"),
            ("PostponePostpone", "{postpone, Postpone}"),
            ("Set1", "set(_)"),
            ("tlsv1x2e2_", "tlsv1.2"),
        ] {
            assert!(fault(&name(rust, erlang), "").is_some(), "{rust}");
        }
        for (rust, erlang) in [
            ("PostponeWith", "{postpone, Postpone}"),
            ("RsaPssPss", "rsa_pss_pss"),
            ("PlusPlus", "'++'"),
            ("Ipv6", "ipv6"),
        ] {
            assert_eq!(fault(&name(rust, erlang), ""), None);
        }
    }

    #[test]
    fn the_rules_hold_and_the_list_is_fresh() {
        check().unwrap();
    }
}
