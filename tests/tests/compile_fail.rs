//! Wrong programs do not compile, and the compiler's message quotes OTP's own form.
//!
//! One mistake is one message. `compile_fail/messages.txt` has the number of errors and lines of each case, which may only
//! shrink.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use otp_bridge_novm as _;

/// A mistake is one error of at most this many lines. Where it is more, the table says why.
const LINES: usize = 25;

#[test]
fn wrong_programs_are_refused() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("compile_fail/*.rs");
}

/// What a case costs its reader.
#[derive(Clone, Copy, PartialEq)]
struct Size {
    errors: usize,
    lines: usize,
}

impl Size {
    fn of(messages: &str) -> Self {
        let starts_error = |line: &&str| line.starts_with("error");
        Size {
            errors: messages.lines().filter(starts_error).count(),
            lines: messages.lines().count(),
        }
    }

    fn is_within_goal(self) -> bool {
        self.errors <= 1 && self.lines <= LINES
    }
}

/// An entry of the table: `case 2 31 because …`.
struct Entry {
    size: Size,
    reason: String,
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("compile_fail")
}

/// The cases as they are.
fn measured() -> BTreeMap<String, Size> {
    let files = fs::read_dir(folder()).expect("the folder of the cases can be read");
    let paths = files.map(|file| file.expect("a file").path());
    let messages = paths.filter(|path| path.extension().is_some_and(|it| it == "stderr"));
    messages
        .map(|path| {
            let name = path.file_stem().expect("a name").to_string_lossy();
            let text = fs::read_to_string(&path).expect("the messages of a case can be read");
            (name.into_owned(), Size::of(&text))
        })
        .collect()
}

/// The cases as the table has them.
fn table() -> BTreeMap<String, Entry> {
    let text = fs::read_to_string(folder().join("messages.txt")).expect("the table can be read");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let mut words = line.splitn(4, ' ');
            let mut word = || words.next().unwrap_or_default();
            let name = word().to_owned();
            let mut number = || {
                word()
                    .parse()
                    .unwrap_or_else(|_| panic!("two numbers in {line:?}"))
            };
            let (errors, lines) = (number(), number());
            let (size, reason) = (Size { errors, lines }, word().to_owned());
            (name, Entry { size, reason })
        })
        .collect()
}

/// What to change in the table, if anything.
fn complaint(name: &str, found: Size, entry: Option<&Entry>) -> Option<String> {
    let Size { errors, lines } = found;
    let line = format!("{name} {errors} {lines}");
    let Some(entry) = entry else {
        return Some(match found.is_within_goal() {
            true => format!("a new case: add the line `{line}`"),
            false => format!(
                "{name}: {errors} errors and {lines} lines; a mistake is one error of at most {LINES} lines"
            ),
        });
    };
    let Size {
        errors: known_errors,
        lines: known_lines,
    } = entry.size;
    if errors > known_errors || lines > known_lines {
        return Some(format!(
            "{name} had {known_errors} errors and {known_lines} lines, and has {errors} and {lines}"
        ));
    }
    if found != entry.size {
        return Some(format!("{name} became shorter: make its line `{line}`"));
    }
    let has_reason = entry.reason.starts_with("because ");
    (has_reason == found.is_within_goal()).then(|| match has_reason {
        true => format!("{name} needs no reason any more: make its line `{line}`"),
        false => format!("{name} is above one error of {LINES} lines: shorten it, or write why: `{line} because …`"),
    })
}

#[test]
fn one_mistake_is_one_message() {
    let (mut table, mut complaints) = (table(), String::new());
    for (name, found) in measured() {
        if let Some(complaint) = complaint(&name, found, table.remove(&name).as_ref()) {
            writeln!(complaints, "{complaint}").expect("a string takes text");
        }
    }
    for name in table.keys() {
        writeln!(complaints, "there is no case {name}: remove its line")
            .expect("a string takes text");
    }
    assert!(
        complaints.is_empty(),
        "compile_fail/messages.txt:\n{complaints}"
    );
}

#[test]
fn the_table_complains_of_what_grows_and_of_what_shrinks() {
    let size = |errors, lines| Size { errors, lines };
    let entry = |errors, lines, reason: &str| Entry {
        size: size(errors, lines),
        reason: reason.to_owned(),
    };
    let of =
        |found, known: Option<Entry>| complaint("case", found, known.as_ref()).unwrap_or_default();
    assert_eq!(of(size(1, 20), Some(entry(1, 20, ""))), "");
    assert_eq!(
        of(
            size(2, 30),
            Some(entry(2, 30, "because it is two mistakes"))
        ),
        ""
    );
    assert_eq!(
        of(size(1, 20), None),
        "a new case: add the line `case 1 20`"
    );
    assert!(of(size(2, 20), None).contains("one error of at most 25 lines"));
    assert!(of(size(1, 21), Some(entry(1, 20, ""))).contains("had 1 errors and 20 lines"));
    assert!(of(size(2, 10), Some(entry(1, 20, ""))).contains("has 2 and 10"));
    assert!(of(size(1, 19), Some(entry(1, 20, ""))).contains("make its line `case 1 19`"));
    assert!(of(size(1, 26), Some(entry(1, 26, ""))).contains("write why"));
    assert!(of(size(1, 9), Some(entry(1, 9, "because of rustc"))).contains("no reason any more"));
}
