//! The metadata of a Hex package: Erlang terms with binaries as keys
//! (<https://github.com/hexpm/specifications/blob/main/package_metadata.md>).

use super::contents::Contents;
use super::terms::{binary, list, pair};
use crate::build::{Built, Dependency, cargo};
use crate::installation::{Installation, elixir_applications};
use crate::project::Application;

/// Another package that a package needs.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Requirement {
    pub(super) name: String,
    /// Such as `~> 1.2.0`.
    pub(super) versions: String,
}

/// The description of a package.
#[derive(Debug, Default)]
pub(super) struct HexMetadata {
    pub(super) name: String,
    pub(super) version: String,
    pub(super) description: String,
    pub(super) licences: Vec<String>,
    /// Names and addresses.
    pub(super) links: Vec<(&'static str, String)>,
    pub(super) requirements: Vec<Requirement>,
}

impl HexMetadata {
    pub(super) fn of(
        application: &Application,
        built: &Built,
        otp: &Installation,
        publication: &cargo::Publication,
    ) -> Self {
        let declared = built.dependencies.iter().filter(|one| one.is_declared);
        let declared = declared.filter(|one| !is_installed(one, application, otp));
        let declared = declared.map(|it| (it.name.clone(), it.version.clone()));
        let others = built.others.iter();
        let others = others.map(|it| (it.name.clone(), it.version.clone()));
        let links = [
            ("Repository", &publication.repository),
            ("Homepage", &publication.homepage),
        ];
        let links = links.into_iter().filter(|(_, address)| !address.is_empty());
        HexMetadata {
            name: built.name.clone(),
            version: built.version.clone(),
            description: built.description.trim().to_owned(),
            licences: licences(&publication.licence),
            links: links.map(|(name, it)| (name, it.clone())).collect(),
            requirements: others.chain(declared).map(requirement).collect(),
        }
    }

    /// Returns the keys of `[package]` in Cargo.toml that hex.pm requires.
    pub(super) fn missing(&self) -> Vec<&'static str> {
        let keys = [
            ("description", self.description.is_empty()),
            ("license", self.licences.is_empty()),
        ];
        let missing = keys.into_iter().filter(|(_, is_missing)| *is_missing);
        missing.map(|(key, _)| key).collect()
    }

    /// Returns the text of `metadata.config`.
    pub(super) fn text(&self, contents: &Contents) -> String {
        let texts = |texts: &[&str]| list(texts.iter().map(|text| binary(text)));
        let files: Vec<&str> = contents.files().map(|(path, _)| path).collect();
        let licences: Vec<&str> = self.licences.iter().map(String::as_str).collect();
        let links = self.links.iter();
        let links = list(links.map(|(name, address)| pair(name, &binary(address))));
        let requirements = self.requirements.iter().map(|it| {
            let keys = [
                pair("app", &binary(&it.name)),
                pair("optional", "false"),
                pair("repository", &binary("hexpm")),
                pair("requirement", &binary(&it.versions)),
            ];
            pair(&it.name, &list(keys))
        });
        let keys = [
            ("app", binary(&self.name)),
            ("build_tools", texts(&["mix", "rebar3"])),
            ("description", binary(&self.description)),
            ("files", texts(&files)),
            ("licenses", texts(&licences)),
            ("links", links),
            ("name", binary(&self.name)),
            ("requirements", list(requirements)),
            ("version", binary(&self.version)),
        ];
        let lines = keys.iter().map(|(key, value)| pair(key, value) + ".\n");
        lines.collect()
    }
}

/// Returns whether the users of a package have this application without fetching it: it belongs to
/// OTP or Elixir.
fn is_installed(one: &Dependency, application: &Application, otp: &Installation) -> bool {
    use crate::project::config::Origin;
    let mut declared = application.config.dependencies.iter();
    let is_named = declared.any(|it| it.name == one.name && it.origin == Origin::Installed);
    let of_elixir = || {
        let all = elixir_applications().unwrap_or_default();
        all.iter().any(|it| it.folder == one.folder)
    };
    is_named && (one.is_of(otp) || of_elixir())
}

/// Accepts later corrections, but no new features: the Rust code that was generated for an
/// application belongs to its types and functions.
fn requirement((name, version): (String, String)) -> Requirement {
    Requirement {
        name,
        versions: format!("~> {version}"),
    }
}

/// Returns the licences in an SPDX expression. Hex has a list of them, without operators.
fn licences(expression: &str) -> Vec<String> {
    let words = expression.split(|c: char| c.is_whitespace() || "()/".contains(c));
    let words = words.filter(|word| !["", "AND", "OR"].contains(word));
    let mut licences: Vec<String> = Vec::new();
    let mut is_exception = false;
    for word in words {
        match licences.last_mut() {
            Some(last) if is_exception || word == "WITH" => *last += &format!(" {word}"),
            _ => licences.push(word.to_owned()),
        }
        is_exception = word == "WITH";
    }
    licences
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn licences_are_listed_without_operators() {
        assert_eq!(licences("MIT OR Apache-2.0"), ["MIT", "Apache-2.0"]);
        assert_eq!(licences("MIT/Apache-2.0"), ["MIT", "Apache-2.0"]);
        let with = licences("(MIT AND Zlib) OR Apache-2.0 WITH LLVM-exception");
        assert_eq!(with, ["MIT", "Zlib", "Apache-2.0 WITH LLVM-exception"]);
        assert!(licences("").is_empty());
    }

    #[test]
    fn the_text_has_every_key_that_hex_needs() {
        let metadata = HexMetadata {
            name: "shop".to_owned(),
            version: "0.1.0".to_owned(),
            description: "Caf\u{e9}".to_owned(),
            requirements: vec![requirement(("jsx".to_owned(), "3.1.0".to_owned()))],
            ..HexMetadata::default()
        };
        let mut contents = Contents::default();
        contents.add("src/shop.erl", "");
        let text = metadata.text(&contents);
        for line in [
            "{<<\"description\">>,<<\"Caf\u{e9}\"/utf8>>}.\n",
            "{<<\"files\">>,[<<\"src/shop.erl\">>]}.\n",
            "{<<\"requirements\">>,[{<<\"jsx\">>,[{<<\"app\">>,<<\"jsx\">>},",
            "{<<\"requirement\">>,<<\"~> 3.1.0\">>}]}]}.\n",
        ] {
            assert!(text.contains(line), "{text}");
        }
        assert_eq!(metadata.missing(), ["license"]);
    }
}
