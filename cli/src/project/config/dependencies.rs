//! `[erlang.dependencies]`: Erlang applications that the application uses.
//!
//! ```toml
//! [erlang.dependencies]
//! tariff = { path = "../tariff" }
//! jsx = { hex = "3.1.0", modules = ["jsx"] }
//! crypto = { installed = true }
//! ```

use std::path::PathBuf;

use otp_contract::erlang::is_module_name;
use toml_edit::{Item, TableLike};

use super::reader::Reader;
use crate::report::{Error, Result};

/// The table's name.
pub(super) const TABLE: &str = "erlang";
/// The only key of the table.
const KEY: &str = "dependencies";

/// An Erlang application that the application uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ErlangDependency {
    /// Its name, an atom that needs no quotes.
    pub(crate) name: String,
    /// Its origin.
    pub(crate) origin: Origin,
    /// The modules that get generated Rust. `None`: all of its modules.
    pub(crate) modules: Option<Vec<String>>,
    /// Line in otp.toml, from 1.
    pub(crate) line: usize,
}

/// The origin of an Erlang application.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A folder, relative to that of otp.toml.
    Path(PathBuf),
    /// It is installed with OTP or Elixir, or is in a folder of `ERL_LIBS`.
    Installed,
    /// rebar3 fetches this version from the package registry of Erlang, <https://hex.pm>.
    Hex(String),
}

const EXPECTED: &str =
    "a table with `path`, `installed` or `hex`, such as `{ path = \"../tariff\" }`";

/// Reads `[erlang.dependencies]`, which may be missing.
pub(super) fn dependencies(
    reader: &Reader<'_>,
    root: &dyn TableLike,
) -> Result<Vec<ErlangDependency>> {
    if !root.contains_key(TABLE) {
        return Ok(Vec::new());
    }
    let erlang = reader.table(root, TABLE)?;
    reader.only(erlang, "erlang.", &[KEY])?;
    let Some(item) = erlang.get(KEY) else {
        return Ok(Vec::new());
    };
    let prefix = format!("{TABLE}.{KEY}");
    let table = item
        .as_table_like()
        .ok_or_else(|| reader.wrong_value(item, &prefix, "a table"))?;
    let each = table.iter();
    each.map(|(name, item)| dependency(reader, table, name, item))
        .collect()
}

fn dependency(
    reader: &Reader<'_>,
    table: &dyn TableLike,
    name: &str,
    item: &Item,
) -> Result<ErlangDependency> {
    let key = format!("{TABLE}.{KEY}.{name}");
    let wrong = |expected: &str| -> Error { reader.wrong_value(item, &key, expected) };
    // The name is also used for folders.
    if !is_module_name(name) {
        return Err(wrong(
            "named as the Erlang application: lower-case letters, digits and `_`",
        ));
    }
    let entry = item.as_table_like().ok_or_else(|| wrong(EXPECTED))?;
    let prefix = format!("{key}.");
    reader.only(entry, &prefix, &["path", "installed", "hex", "modules"])?;
    let origins = ["path", "installed", "hex"];
    let mut origins = origins.iter().filter(|origin| entry.contains_key(origin));
    let origin = match (origins.next(), origins.next()) {
        (Some(&"path"), None) => Origin::Path(text(reader, entry, &prefix, "path")?.into()),
        (Some(&"hex"), None) => Origin::Hex(version(reader, entry, &prefix)?),
        (Some(_), None) => installed(reader, entry, &prefix)?,
        _ => return Err(wrong(EXPECTED)),
    };
    let modules = entry.contains_key("modules");
    let modules = modules.then(|| reader.atoms(entry, &prefix, "modules"));
    let span = table.key(name).and_then(|key| key.span()).or(item.span());
    Ok(ErlangDependency {
        name: name.to_owned(),
        origin,
        modules: modules.transpose()?,
        line: reader.line(span),
    })
}

fn text(reader: &Reader<'_>, entry: &dyn TableLike, prefix: &str, key: &str) -> Result<String> {
    reader.string(entry, prefix, key).map(|(text, _)| text)
}

/// Returns an exact version, not a requirement: to use another version, the user edits otp.toml.
fn version(reader: &Reader<'_>, entry: &dyn TableLike, prefix: &str) -> Result<String> {
    let version = text(reader, entry, prefix, "hex")?;
    let is_sound = |c: char| c.is_ascii_alphanumeric() || ".-+".contains(c);
    let has_numbers = version.starts_with(|c: char| c.is_ascii_digit());
    if has_numbers && version.chars().all(is_sound) {
        Ok(version)
    } else {
        let item = entry.get("hex").unwrap_or(&Item::None);
        let key = format!("{prefix}hex");
        Err(reader.wrong_value(item, &key, "a version, such as \"3.1.0\""))
    }
}

fn installed(reader: &Reader<'_>, entry: &dyn TableLike, prefix: &str) -> Result<Origin> {
    let item = entry.get("installed").unwrap_or(&Item::None);
    match item.as_bool() {
        Some(true) => Ok(Origin::Installed),
        _ => Err(reader.wrong_value(item, &format!("{prefix}installed"), "`true`")),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::project::config::reader;

    fn read(text: &str) -> Result<Vec<ErlangDependency>> {
        let path = Path::new("otp.toml");
        let document = reader::document(path, text).unwrap();
        dependencies(&Reader { path, text }, document.as_table())
    }

    #[test]
    fn each_origin_is_understood() {
        let text = "[erlang.dependencies]\na = { path = \"../a\" }\nb = { installed = true }\n\
                    c = { hex = \"2.5.6-rc.1\", modules = [\"c\", \"Elixir.C\"] }\n";
        let found = read(text).unwrap();
        let origins: Vec<&Origin> = found.iter().map(|one| &one.origin).collect();
        let path = Origin::Path("../a".into());
        let hex = Origin::Hex("2.5.6-rc.1".to_owned());
        assert_eq!(origins, [&path, &Origin::Installed, &hex]);
        assert_eq!(found[0].modules, None);
        assert_eq!(found[2].modules.as_ref().map(Vec::len), Some(2));
        assert_eq!(found[2].line, 4);
        assert!(read("").unwrap().is_empty());
    }

    #[test]
    fn what_is_not_one_origin_is_refused_at_its_line() {
        for (entry, code) in [
            ("a = \"1.0\"", "E0905"),
            ("a = {}", "E0905"),
            ("a = { path = \"x\", hex = \"1.0\" }", "E0905"),
            ("a = { path = 1 }", "E0905"),
            ("a = { hex = \"~> 1.0\" }", "E0905"),
            ("a = { hex = \"\\\"}]\" }", "E0905"),
            ("a = { installed = false }", "E0905"),
            ("a = { installed = true, modules = [1] }", "E0905"),
            ("\"../a\" = { installed = true }", "E0905"),
            ("a = { git = \"x\" }", "E0902"),
        ] {
            let error = read(&format!("[erlang.dependencies]\n{entry}\n")).expect_err(entry);
            assert_eq!(error.code(), code, "{entry}");
            let place = error.location().unwrap_or_default();
            assert!(place.starts_with("otp.toml:2:"), "{entry}: {place}");
        }
        assert_eq!(read("erlang = 1\n").unwrap_err().code(), "E0905");
        assert_eq!(read("[erlang]\ndeps = {}\n").unwrap_err().code(), "E0902");
    }
}
