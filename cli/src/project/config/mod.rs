//! otp.toml: which module is the root supervisor, what behaviour each module has, the application's environment, the
//! Erlang applications that it uses, the flags of its VM, what a release has, and what a user decides for generated
//! types.
//!
//! ```toml
//! [system]
//! stroot = "stroot"
//!
//! [behaviours]
//! stroot = "supervisor"
//!
//! [env]
//! port = 8080
//!
//! [erlang.dependencies]
//! tariff = { path = "../tariff" }
//!
//! [vm]
//! processes = 1_000_000
//!
//! [release]
//! config = "sys.config"
//!
//! [types."inet:port_number"]
//! rename = "Port"
//! ```

use std::path::{Path, PathBuf};

use toml_edit::{DocumentMut, Item, TableLike};

use crate::files::read_text;
use crate::project::names::{self, Named};
use crate::report::{Error, Result, catalog, locate};
use crate::sources::erlang_module;

mod dependencies;
mod environment;
mod overrides;
mod phases;
mod reader;
mod release;
mod vm;

pub(crate) use dependencies::{ErlangDependency, Origin};
pub(crate) use environment::{Variable, given};
pub(crate) use overrides::Overrides;
pub(crate) use phases::Phase;
use reader::Reader;
pub(crate) use release::Release;
pub(crate) use vm::Vm;

/// The file's name, at the root of an application.
pub(crate) const FILE: &str = "otp.toml";

/// The tables of the file. Only `otp-rs gen-types` reads `types` and `functions`.
const SECTIONS: [&str; 9] = [
    "system",
    "application",
    "env",
    "behaviours",
    dependencies::TABLE,
    vm::TABLE,
    release::TABLE,
    "types",
    "functions",
];

/// A line `module = "behaviour"` under `[behaviours]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Declared {
    /// The Erlang module.
    pub(crate) module: String,
    /// Its behaviour. The built library knows whether that is true.
    pub(crate) behaviour: String,
    /// Line in otp.toml, from 1.
    pub(crate) line: usize,
}

/// otp.toml, read and checked.
#[derive(Debug)]
pub(crate) struct Config {
    /// Where it was read.
    pub(crate) path: PathBuf,
    /// Its text as read.
    pub(crate) text: String,
    /// `system.stroot`: the root supervisor's module.
    pub(crate) stroot: String,
    /// Line of `system.stroot`, from 1.
    pub(crate) stroot_line: usize,
    /// `[behaviours]`, in file order.
    pub(crate) behaviours: Vec<Declared>,
    /// `[application]`
    pub(crate) related: Related,
    /// `[env]`, in file order.
    pub(crate) environment: Vec<Variable>,
    /// `[erlang.dependencies]`, in file order.
    pub(crate) dependencies: Vec<ErlangDependency>,
    /// `[vm]`
    pub(crate) vm: Vm,
    /// `[release]`
    pub(crate) release: Release,
}

/// `[application]`: names that go into the resource file.
#[derive(Debug, Default)]
pub(crate) struct Related {
    /// Applications that are started before it.
    pub(crate) applications: Vec<String>,
    /// Applications whose processes it starts itself.
    pub(crate) included_applications: Vec<String>,
    /// Names of processes, besides the root supervisor's.
    pub(crate) registered: Vec<String>,
    /// The phases in which it starts.
    pub(crate) start_phases: Vec<Phase>,
}

impl Config {
    /// Reads and checks the file.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let text = read_text(path).map_err(|error| Error::io("read", path, &error))?;
        Self::parse(path, text)
    }

    fn parse(path: &Path, text: String) -> Result<Self> {
        let document = reader::document(path, &text)?;
        let reader = Reader { path, text: &text };
        let root: &dyn TableLike = document.as_table();
        reader.only(root, "", &SECTIONS)?;
        let system = reader.table(root, "system")?;
        reader.only(system, "system.", &["stroot"])?;
        let (stroot, stroot_span) = reader.string(system, "system.", "stroot")?;
        let behaviours = behaviours(&reader, reader.table(root, "behaviours")?)?;
        let stroot_line = reader.line(stroot_span);
        let related = related(&reader, root)?;
        let environment = environment::variables(&reader, root)?;
        Ok(Self {
            related,
            environment,
            dependencies: dependencies::dependencies(&reader, root)?,
            vm: vm::vm(&reader, root)?,
            release: release::release(&reader, root)?,
            path: path.to_owned(),
            stroot,
            stroot_line,
            behaviours,
            text,
        })
    }

    /// The line of a module, when it has one.
    pub(crate) fn declared(&self, module: &str) -> Option<&Declared> {
        self.behaviours
            .iter()
            .find(|declared| declared.module == module)
    }

    /// The file's text with a module added; comments, order and line endings stay.
    pub(crate) fn with(&self, module: &str, behaviour: &str) -> Result<String> {
        let mut document: DocumentMut = self.text.parse().map_err(|error| {
            catalog::INTERNAL.with(&[&format!("otp.toml was read, but not again: {error}")])
        })?;
        let item = document.get_mut("behaviours");
        if let Some(inline) = item.as_deref().and_then(Item::as_inline_table) {
            let mut inline = inline.clone();
            inline.insert(module, behaviour.into());
            inline.fmt();
            document["behaviours"] = toml_edit::value(inline);
        } else if let Some(table) = item.and_then(Item::as_table_like_mut) {
            table.insert(module, toml_edit::value(behaviour));
        }
        let text = document.to_string();
        // The editor writes plain line feeds.
        let crlf = self.text.contains("\r\n");
        Ok(if crlf {
            text.replace("\r\n", "\n").replace('\n', "\r\n")
        } else {
            text
        })
    }
}

/// `[application]`, which may be missing.
fn related(reader: &Reader<'_>, root: &dyn TableLike) -> Result<Related> {
    if !root.contains_key("application") {
        return Ok(Related::default());
    }
    let table = reader.table(root, "application")?;
    let lists = ["applications", "included_applications", "registered"];
    let known = [&lists[..], &[phases::KEY]].concat();
    reader.only(table, "application.", &known)?;
    let [applications, included, registered] =
        lists.map(|key| reader.atoms(table, "application.", key));
    Ok(Related {
        applications: applications?,
        included_applications: included?,
        registered: registered?,
        start_phases: phases::phases(reader, table)?,
    })
}

/// The lines of `[behaviours]`.
fn behaviours(reader: &Reader<'_>, table: &dyn TableLike) -> Result<Vec<Declared>> {
    let mut declared = Vec::new();
    for (module, item) in table.iter() {
        let span = table.key(module).and_then(|key| key.span()).or(item.span());
        let location = locate(reader.text, span.as_ref().map_or(0, |span| span.start));
        names::check(Named::Module, module).map_err(|error| {
            error
                .at(format!(
                    "{}:{}:{}",
                    reader.path.display(),
                    location.line,
                    location.column
                ))
                .detail(location.shown())
        })?;
        let (behaviour, _) = reader.string(table, "behaviours.", module)?;
        let behaviour = erlang_module(&behaviour).into_owned();
        declared.push(Declared {
            module: module.to_owned(),
            behaviour,
            line: location.line,
        });
    }
    Ok(declared)
}

/// Reads a text as the file, for [`crate::__read_otp_toml`]: a module is added and found again, and the overrides are
/// followed in a small module.
pub(crate) fn read_in_every_way(text: &str) {
    let path = Path::new(FILE);
    if let Ok(config) = Config::parse(path, text.to_owned()) {
        let added = config.with("added_module", "gen_server");
        let again = added.and_then(|text| Config::parse(path, text));
        let is_declared = again.map(|config| config.declared("added_module").is_some());
        assert!(is_declared.is_ok_and(|is| is), "a module that was added");
    }
    if let Ok(overrides) = Overrides::parse(path, text.to_owned()) {
        overrides.follow();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
# the application
[system]
stroot = \"stroot\" # the root

[behaviours]
# supervisors
stroot = \"supervisor\"   # starts all
";

    fn parse(text: &str) -> Result<Config> {
        Config::parse(Path::new("otp.toml"), text.to_owned())
    }

    fn refusal(text: &str) -> (String, String) {
        let error = parse(text).expect_err(text);
        assert_eq!(error.exit_code(), 1);
        (
            error.what().to_owned(),
            error.location().unwrap_or_default().to_owned(),
        )
    }

    #[test]
    fn reads_modules_with_their_lines() {
        let config = parse(TEXT).unwrap();
        assert_eq!((config.stroot.as_str(), config.stroot_line), ("stroot", 3));
        assert_eq!(
            config.behaviours,
            [Declared {
                module: "stroot".into(),
                behaviour: "supervisor".into(),
                line: 7
            }]
        );
    }

    #[test]
    fn adding_keeps_every_comment() {
        let text = parse(TEXT).unwrap().with("counter", "gen_server").unwrap();
        assert_eq!(text, format!("{TEXT}counter = \"gen_server\"\n"));
        assert_eq!(parse(&text).unwrap().behaviours.len(), 2);
    }

    #[test]
    fn adding_keeps_what_follows_and_inline_tables_and_line_endings() {
        let text = "[behaviours]\na = \"supervisor\"\n\n# next\n[system]\nstroot = \"a\"\n# end\n";
        assert_eq!(
            parse(text).unwrap().with("b", "gen_server").unwrap(),
            "[behaviours]\na = \"supervisor\"\nb = \"gen_server\"\n\n# next\n[system]\nstroot = \"a\"\n# end\n"
        );
        let text = "behaviours = { a = \"supervisor\" }\nsystem.stroot = \"a\"\n";
        let added = parse(text).unwrap().with("b", "gen_server").unwrap();
        assert!(
            added.contains("a = \"supervisor\", b = \"gen_server\" }"),
            "{added}"
        );
        let added = parse(&TEXT.replace('\n', "\r\n"))
            .unwrap()
            .with("b", "gen_server")
            .unwrap();
        assert!(
            added.ends_with("# starts all\r\nb = \"gen_server\"\r\n"),
            "{added:?}"
        );
    }

    #[test]
    fn mistakes_are_placed() {
        let (what, place) = refusal("[system]\nstroot = \n");
        assert_eq!(place, "otp.toml:2:10", "{what}");
        let (what, place) = refusal(&TEXT.replace("[behaviours]", "[behaviors]"));
        assert_eq!(
            (what.as_str(), place.as_str()),
            ("unknown key `behaviors`", "otp.toml:5:2")
        );
        let (what, place) =
            refusal(&TEXT.replace("stroot = \"supervisor\"", "Stroot = \"supervisor\""));
        assert!(what.contains("`Stroot` cannot name a module"), "{what}");
        assert_eq!(place, "otp.toml:7:1");
        assert_eq!(
            refusal("[system]\nstroot = 1\n[behaviours]\n").1,
            "otp.toml:2:10"
        );
        assert_eq!(
            refusal("[system]\n[behaviours]\n").0,
            "`system.stroot` is missing"
        );
        assert_eq!(refusal("").0, "`[system]` is missing");
        assert_eq!(refusal("system = 1\n").0, "`system` must be a table");
    }

    #[test]
    fn a_behaviour_of_elixirs_is_named_as_there() {
        let config = parse(&format!("{TEXT}discount = \"Shop.Pricing\"\n")).unwrap();
        assert_eq!(config.behaviours[1].behaviour, "Elixir.Shop.Pricing");
    }

    #[test]
    fn a_key_twice_is_a_mistake() {
        let (what, place) = refusal(&format!("{TEXT}stroot = \"gen_server\"\n"));
        assert!(what.contains("duplicate"), "{what}");
        assert_eq!(place, "otp.toml:8:1");
    }
}
