//! `[log]`: the level and format of logs, for `cargo otp run` and `release` alike.
//!
//! | key | meaning |
//! |---|---|
//! | `level` | the least important level that is logged: `debug`, `info`, `notice`, …; the default is `notice`, or the level in a configuration file |
//! | `format` | `text`, or `json`: an object on each line |
//! | `progress` | whether supervisors report each child that they start, at level `info`; `false` |

use toml_edit::TableLike;

use super::reader::Reader;
use crate::report::Result;

/// The table's name.
pub(super) const TABLE: &str = "log";

const LEVELS: [&str; 10] = [
    "none",
    "emergency",
    "alert",
    "critical",
    "error",
    "warning",
    "notice",
    "info",
    "debug",
    "all",
];

/// Returns flags of the VM for `[log]`, which may be missing. The application reads them when it
/// starts.
pub(super) fn flags(reader: &Reader<'_>, root: &dyn TableLike) -> Result<Vec<String>> {
    let mut flags = Vec::new();
    if !root.contains_key(TABLE) {
        return Ok(flags);
    }
    let table = reader.table(root, TABLE)?;
    reader.only(table, "log.", &["level", "format", "progress"])?;
    let words: [(&str, &[&str], &str); 2] = [
        (
            "level",
            &LEVELS,
            "a level of `logger`: `debug`, `info`, `notice`, `warning`, `error`",
        ),
        ("format", &["text", "json"], "`text` or `json`"),
    ];
    for (key, known, expected) in words {
        let Some(item) = table.get(key) else {
            continue;
        };
        let word = item.as_str().filter(|word| known.contains(word));
        let key = format!("log.{key}");
        let word = word.ok_or_else(|| reader.wrong_value(item, &key, expected))?;
        flags.extend([
            format!("-otp_rs_{}", key.replace('.', "_")),
            word.to_owned(),
        ]);
    }
    if let Some(item) = table.get("progress") {
        let progress = item.as_bool();
        let progress = progress
            .ok_or_else(|| reader.wrong_value(item, "log.progress", "`true` or `false`"))?;
        flags.extend(["-otp_rs_log_progress".to_owned(), progress.to_string()]);
    }
    Ok(flags)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::config::reader;
    use std::path::Path;

    fn read(text: &str) -> Result<Vec<String>> {
        let path = Path::new("otp.toml");
        let document = reader::document(path, text).unwrap();
        flags(&Reader { path, text }, document.as_table())
    }

    #[test]
    fn keys_become_flags() {
        let text = "[log]\nlevel = \"info\"\nformat = \"json\"\nprogress = true\n";
        let expected = "-otp_rs_log_level info -otp_rs_log_format json -otp_rs_log_progress true";
        assert_eq!(read(text).unwrap().join(" "), expected);
        assert!(read("").unwrap().is_empty());
    }

    #[test]
    fn what_is_not_known_is_refused() {
        for text in ["level = \"loud\"", "format = 1", "progress = \"no\""] {
            let error = read(&format!("[log]\n{text}\n")).expect_err(text);
            assert_eq!(error.code(), "E0905", "{text}");
        }
        assert_eq!(read("[log]\nlevels = 1\n").unwrap_err().code(), "E0902");
    }
}
