//! `[vm]`: flags of the VM, for `cargo otp run`, `test` and `release` alike.
//!
//! | key | flag of `erl` | meaning |
//! |---|---|---|
//! | `schedulers` | `+S` | threads that run processes |
//! | `dirty_cpu_schedulers` | `+SDcpu` | threads for long work |
//! | `dirty_io_schedulers` | `+SDio` | threads for calls that wait |
//! | `processes` | `+P` | maximum number of processes at a time |
//! | `ports` | `+Q` | maximum number of ports at a time |
//! | `atoms` | `+t` | maximum number of atoms |
//! | `busy_wait` | `+sbwt`, `+sbwtdcpu`, `+sbwtdio` | how long a scheduler without work spins before it sleeps; `none` |
//! | `distribution_buffer` | `+zdbbl` | KiB that may wait for another node before senders are suspended |
//! | `args` | themselves | any other flag |

use std::ops::RangeInclusive;

use toml_edit::{Item, TableLike};

use super::reader::Reader;
use crate::report::Result;

/// The table's name.
pub(super) const TABLE: &str = "vm";

/// Keys with numbers, each with its flag and the range that the VM accepts.
const NUMBERS: [(&str, &str, RangeInclusive<i64>); 7] = [
    ("schedulers", "+S", 1..=1024),
    ("dirty_cpu_schedulers", "+SDcpu", 1..=1024),
    ("dirty_io_schedulers", "+SDio", 1..=1024),
    ("processes", "+P", 1024..=134_217_727),
    ("ports", "+Q", 1024..=134_217_727),
    ("atoms", "+t", 8192..=1_073_741_824),
    ("distribution_buffer", "+zdbbl", 1..=2_097_151),
];

const BUSY_WAIT: [&str; 6] = ["none", "very_short", "short", "medium", "long", "very_long"];
const BUSY_WAIT_FLAGS: [&str; 3] = ["+sbwt", "+sbwtdcpu", "+sbwtdio"];

/// By default, schedulers do not spin, because a spinning scheduler takes its core from callbacks
/// on dirty schedulers, from threads and from other programs. docs/performance.md has the cost
/// (`burns`, `burns_spinning`).
const DEFAULT_BUSY_WAIT: &str = "none";

/// Flags that would interfere with `cargo otp`, each with what to do instead.
const OURS: [(&str, &str); 12] = [
    (
        "-setcookie",
        "use --cookie of `cargo otp run`, or the cookie file of a release",
    ),
    (
        "-sname",
        "use --sname of `cargo otp run`, or the variable NAME_NODE of a release",
    ),
    (
        "-name",
        "use --name of `cargo otp run`, or the variable NAME_NODE of a release",
    ),
    (
        "-config",
        "use --config of `cargo otp run`, or [release] config",
    ),
    ("-args_file", "use [vm] args"),
    ("-extra", "use the arguments after `--`"),
    ("-boot", "use [application] applications"),
    (
        "-mode",
        "leave it out: a release loads all modules at its start",
    ),
    ("-noinput", "leave it out: it is always there"),
    ("-detached", "use `bin/NAME start` of a release"),
    ("-remsh", "use `bin/NAME remote` of a release"),
    ("-heart", "use systemd, or whatever starts a release"),
];

/// `[vm]`
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Vm {
    /// A list of flags and their values, one string each.
    pub(crate) flags: Vec<String>,
}

impl Vm {
    /// Returns the text of `vm.args` (`erl -args_file`): a line for each flag.
    pub(crate) fn arguments_file(&self) -> String {
        let mut text = "# Flags of the VM: [vm] of otp.toml.\n".to_owned();
        for flag in &self.flags {
            if flag.starts_with(['+', '-']) && !text.ends_with('\n') {
                text.push('\n');
            } else if !text.ends_with('\n') {
                text.push(' ');
            }
            text.push_str(&escaped(flag));
        }
        if !text.ends_with('\n') {
            text.push('\n');
        }
        text
    }
}

/// Returns a word of an arguments file, in which a backslash precedes all but plain characters.
fn escaped(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "+-_./:,=@%~".contains(c);
    let mut text = String::new();
    for c in word.chars() {
        if !is_plain(c) {
            text.push('\\');
        }
        text.push(c);
    }
    text
}

/// Reads `[vm]`, which may be missing.
pub(super) fn vm(reader: &Reader<'_>, root: &dyn TableLike) -> Result<Vm> {
    let mut flags = Vec::new();
    if !root.contains_key(TABLE) {
        spin(DEFAULT_BUSY_WAIT, &mut flags);
        return Ok(Vm { flags });
    }
    let table = reader.table(root, TABLE)?;
    let known: Vec<&str> = NUMBERS.iter().map(|(key, ..)| *key).collect();
    reader.only(table, "vm.", &[&known[..], &["busy_wait", "args"]].concat())?;
    for (key, flag, range) in NUMBERS {
        if let Some(number) = reader.integer(table, "vm.", key, range)? {
            flags.extend([flag.to_owned(), number.to_string()]);
        }
    }
    spin(busy_wait(reader, table)?, &mut flags);
    if let Some(item) = table.get("args") {
        flags.extend(arguments(reader, item)?);
    }
    Ok(Vm { flags })
}

fn busy_wait<'a>(reader: &Reader<'_>, table: &'a dyn TableLike) -> Result<&'a str> {
    let Some(item) = table.get("busy_wait") else {
        return Ok(DEFAULT_BUSY_WAIT);
    };
    let time = item.as_str().filter(|time| BUSY_WAIT.contains(time));
    let expected = "`none`, `very_short`, `short`, `medium`, `long` or `very_long`";
    time.ok_or_else(|| reader.wrong_value(item, "vm.busy_wait", expected))
}

/// Adds the flags for how long schedulers spin. Flags in `args` come later, and so have precedence.
fn spin(time: &str, flags: &mut Vec<String>) {
    for flag in BUSY_WAIT_FLAGS {
        flags.extend([flag.to_owned(), time.to_owned()]);
    }
}

fn arguments(reader: &Reader<'_>, item: &Item) -> Result<Vec<String>> {
    let texts = item.as_array().and_then(|values| {
        let text = |value: &toml_edit::Value| {
            let text = value.as_str()?;
            (!text.is_empty() && !text.contains(char::is_control)).then(|| text.to_owned())
        };
        values.iter().map(text).collect::<Option<Vec<_>>>()
    });
    let expected = "a list of texts, a flag and its value each in its own: `[\"+K\", \"true\"]`";
    let texts = texts.ok_or_else(|| reader.wrong_value(item, "vm.args", expected))?;
    let first = texts
        .first()
        .is_none_or(|first| first.starts_with(['+', '-']));
    if !first {
        return Err(reader.wrong_value(item, "vm.args", "a list that begins with a flag"));
    }
    for text in &texts {
        if let Some((flag, instead)) = OURS.iter().find(|(flag, _)| flag == text) {
            let expected = format!("a list without `{flag}`");
            let error = reader.wrong_value(item, "vm.args", &expected);
            return Err(error.help(*instead));
        }
    }
    Ok(texts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::config::reader;
    use std::path::Path;

    fn read(text: &str) -> Result<Vm> {
        let path = Path::new("otp.toml");
        let document = reader::document(path, text).unwrap();
        vm(&Reader { path, text }, document.as_table())
    }

    #[test]
    fn keys_become_flags() {
        let text = "[vm]\nprocesses = 2000\nbusy_wait = \"short\"\nargs = [\"+K\", \"true\", \"-my\", \"a b\"]\n";
        let vm = read(text).unwrap();
        assert_eq!(
            vm.arguments_file(),
            "# Flags of the VM: [vm] of otp.toml.\n+P 2000\n+sbwt short\n+sbwtdcpu short\n+sbwtdio short\n+K true\n-my a\\ b\n"
        );
    }

    #[test]
    fn schedulers_do_not_spin_unless_they_are_told_to() {
        let none = ["+sbwt", "none", "+sbwtdcpu", "none", "+sbwtdio", "none"];
        assert_eq!(read("").unwrap().flags, none);
        assert_eq!(read("[vm]\n").unwrap().flags, none);
        let spun = read("[vm]\nargs = [\"+sbwt\", \"medium\"]\n").unwrap();
        assert_eq!(spun.flags[6..], ["+sbwt", "medium"]);
    }

    #[test]
    fn what_the_vm_would_refuse_is_refused() {
        for text in [
            "processes = 1",
            "processes = \"many\"",
            "busy_wait = \"never\"",
            "args = \"+K true\"",
            "args = [\"a\"]",
            "args = [\"-x\\ny\"]",
        ] {
            let error = read(&format!("[vm]\n{text}\n")).expect_err(text);
            assert_eq!(error.code(), "E0905", "{text}");
            assert_eq!(
                error.location().map(|place| &place[..10]),
                Some("otp.toml:2"),
                "{text}"
            );
        }
        let error = read("[vm]\nargs = [\"-setcookie\", \"x\"]\n").unwrap_err();
        assert!(error.remedies()[0].contains("--cookie"), "{error:?}");
        for (flag, help) in OURS {
            let imperative = help.starts_with("use ") || help.starts_with("leave it out: ");
            assert!(imperative, "{flag}: {help}");
        }
        assert_eq!(read("[vm]\nprocess = 1\n").unwrap_err().code(), "E0902");
    }
}
