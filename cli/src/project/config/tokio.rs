//! `[tokio]`: the application's run time of Tokio. It is a variable of the environment, so that a
//! configuration file can override it: `{shop, [{otp_rs_tokio, #{workers => 2}}]}`.
//!
//! | key | meaning |
//! |---|---|
//! | `workers` | threads that run futures; otherwise one for each core |
//! | `blocking_threads` | the most threads for `spawn_blocking`; 512 |
//! | `thread_name` | the name of all these threads; `otp-tokio` |

use std::ops::RangeInclusive;

use otp_contract::library::TOKIO;
use toml_edit::TableLike;

use super::environment::{Variable, of_value};
use super::reader::Reader;
use crate::report::Result;

/// The table's name.
pub(super) const TABLE: &str = "tokio";

const NUMBERS: [(&str, RangeInclusive<i64>); 2] =
    [("workers", 1..=1024), ("blocking_threads", 1..=32_768)];
const NAME: &str = "thread_name";

/// The operating system keeps no more bytes of a thread's name.
const MOST_BYTES: usize = 15;

/// Returns the variable for `[tokio]`, which may be missing.
pub(super) fn variable(reader: &Reader<'_>, root: &dyn TableLike) -> Result<Option<Variable>> {
    if !root.contains_key(TABLE) {
        return Ok(None);
    }
    let table = reader.table(root, TABLE)?;
    reader.only(table, "tokio.", &[NUMBERS[0].0, NUMBERS[1].0, NAME])?;
    let mut entries = Vec::new();
    for (key, range) in NUMBERS {
        let number = reader.integer(table, "tokio.", key, range)?;
        entries.extend(number.map(|number| format!("{key} => {number}")));
    }
    if let Some(item) = table.get(NAME) {
        let is_name = |name: &&str| (1..=MOST_BYTES).contains(&name.len()) && !name.contains('\0');
        let name = item.as_str().filter(is_name);
        let text = name.and_then(|_| of_value(item.as_value()?));
        let expected = "a text of 1 to 15 bytes";
        let text = text.ok_or_else(|| reader.wrong_value(item, "tokio.thread_name", expected))?;
        entries.push(format!("{NAME} => {text}"));
    }
    Ok(Some(Variable {
        key: TOKIO.to_owned(),
        value: format!("#{{{}}}", entries.join(", ")),
        span: root.get(TABLE).and_then(toml_edit::Item::span),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::config::reader;
    use std::path::Path;

    fn read(text: &str) -> Result<Option<Variable>> {
        let path = Path::new("otp.toml");
        let document = reader::document(path, text).unwrap();
        variable(&Reader { path, text }, document.as_table())
    }

    #[test]
    fn table_becomes_variable() {
        let text = "[tokio]\nworkers = 3\nblocking_threads = 8\nthread_name = \"shop\"\n";
        let variable = read(text).unwrap().expect("a variable");
        assert_eq!(variable.key, "otp_rs_tokio");
        let expected = "#{workers => 3, blocking_threads => 8, thread_name => <<\"shop\">>}";
        assert_eq!(variable.value, expected);
        assert_eq!(read("").unwrap(), None);
    }

    #[test]
    fn unknown_and_wrong_values_are_refused() {
        for text in [
            "workers = 0",
            "blocking_threads = \"8\"",
            "thread_name = \"a name that is too long\"",
        ] {
            let error = read(&format!("[tokio]\n{text}\n")).expect_err(text);
            assert_eq!(error.code(), "E0905", "{text}");
        }
        assert_eq!(read("[tokio]\nworker = 1\n").unwrap_err().code(), "E0902");
    }
}
