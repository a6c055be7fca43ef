//! otp.toml: the module of the root supervisor, the application's environment, the Erlang
//! applications that it uses, the flags of its VM, the contents of a release, and overrides for
//! generated types. It does not list the application's modules, because these come from the built
//! library.
//!
//! ```toml
//! [system]
//! stroot = "stroot"
//!
//! [env]
//! port = 8080
//!
//! [erlang.dependencies]
//! tariff = { path = "../tariff" }
//!
//! [log]
//! level = "info"
//!
//! [tokio]
//! workers = 2
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

use toml_edit::{Item, TableLike};

use crate::files::read_text;
use crate::project::names::{self, Named};
use crate::report::{Error, Result};

mod dependencies;
mod environment;
mod log;
mod overrides;
mod phases;
mod reader;
mod release;
mod tokio;
mod vm;

pub(crate) use dependencies::{ErlangDependency, Origin};
pub(crate) use environment::{Variable, given};
pub(crate) use overrides::Overrides;
pub(crate) use phases::Phase;
use reader::Reader;
pub(crate) use release::ReleaseConfig;
pub(crate) use vm::Vm;

/// The file's name, at the root of an application.
pub(crate) const FILE: &str = "otp.toml";

/// The tables of the file. Only `otp-rs gen-types` reads `types` and `functions`.
const SECTIONS: [&str; 10] = [
    "system",
    "application",
    "env",
    dependencies::TABLE,
    log::TABLE,
    vm::TABLE,
    release::TABLE,
    tokio::TABLE,
    "types",
    "functions",
];

/// Applications that every application needs.
const BEFORE: [&str; 2] = ["kernel", "stdlib"];

/// otp.toml, read and checked.
#[derive(Debug)]
pub(crate) struct Config {
    /// The path of the file.
    pub(crate) path: PathBuf,
    /// Its text as read.
    pub(crate) text: String,
    /// `system.stroot`: the root supervisor's module.
    pub(crate) stroot: String,
    /// Line of `system.stroot`, from 1.
    pub(crate) stroot_line: usize,
    /// `[application]`
    pub(crate) related: Related,
    /// `[env]`, in file order, and `[tokio]`.
    pub(crate) environment: Vec<Variable>,
    /// `[erlang.dependencies]`, in file order.
    pub(crate) dependencies: Vec<ErlangDependency>,
    /// `[vm]` and `[log]`
    pub(crate) vm: Vm,
    /// `[release]`
    pub(crate) release: ReleaseConfig,
}

/// `[application]`: names that go into the resource file.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Related {
    /// Applications that are started before it.
    pub(crate) applications: Vec<String>,
    /// Applications whose processes it starts itself.
    pub(crate) included_applications: Vec<String>,
    /// The line of their key in otp.toml, from 1.
    pub(crate) included_line: usize,
    /// Names of processes, besides the root supervisor's.
    pub(crate) registered: Vec<String>,
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
        reader.sections(root)?;
        let system = reader.table(root, "system")?;
        reader.only(system, "system.", &["stroot"])?;
        let (stroot, span) = reader.string(system, "system.", "stroot")?;
        names::check(Named::Module, &stroot)
            .map_err(|error| reader.located(error, span.clone()))?;
        let stroot_line = reader.line(span);
        let related = related(&reader, root)?;
        let mut environment = environment::variables(&reader, root)?;
        environment.extend(tokio::variable(&reader, root)?);
        let mut vm = vm::vm(&reader, root)?;
        vm.flags.extend(log::flags(&reader, root)?);
        Ok(Self {
            related,
            environment,
            dependencies: dependencies::dependencies(&reader, root)?,
            vm,
            release: release::release(&reader, root)?,
            path: path.to_owned(),
            stroot,
            stroot_line,
            text,
        })
    }
}

/// Reads `[application]`, which may be missing.
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
    let (applications, included_applications) = (applications?, included?);
    let is_started =
        |name: &&String| applications.contains(name) || BEFORE.contains(&name.as_str());
    let item = table.get("included_applications").unwrap_or(&Item::None);
    if let Some(name) = included_applications.iter().find(is_started) {
        let expected = format!("a list without `{name}`, which is started before this application");
        return Err(reader.wrong_value(item, "application.included_applications", &expected));
    }
    Ok(Related {
        applications,
        included_applications,
        included_line: reader.line(item.span()),
        registered: registered?,
        start_phases: phases::phases(reader, table)?,
    })
}

/// Reads a text as the file, for [`crate::__read_otp_toml`]. The overrides are applied to a small
/// module.
pub(crate) fn read_in_every_way(text: &str) {
    let path = Path::new(FILE);
    let _ = Config::parse(path, text.to_owned());
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
    fn the_root_is_read_with_its_line() {
        let config = parse(TEXT).unwrap();
        assert_eq!((config.stroot.as_str(), config.stroot_line), ("stroot", 3));
    }

    #[test]
    fn mistakes_are_placed() {
        let (what, place) = refusal("[system]\nstroot = \n");
        assert_eq!(place, "otp.toml:2:10", "{what}");
        let (what, place) = refusal(&format!("{TEXT}\n[aplication]\n"));
        assert_eq!(
            (what.as_str(), place.as_str()),
            ("unknown key `aplication`", "otp.toml:5:2")
        );
        let (what, place) = refusal(&TEXT.replace("\"stroot\"", "\"Stroot\""));
        assert!(what.contains("`Stroot` cannot name a module"), "{what}");
        assert_eq!(place, "otp.toml:3:10");
        assert_eq!(refusal("[system]\nstroot = 1\n").1, "otp.toml:2:10");
        assert_eq!(refusal("[system]\n").0, "`system.stroot` is missing");
        assert_eq!(refusal("").0, "`[system]` is missing");
        assert_eq!(refusal("system = 1\n").0, "`system` must be a table");
    }

    #[test]
    fn an_application_is_related_in_one_way_only() {
        for (lists, expected) in [
            ("applications = [\"a\", \"a\"]", "without a name twice"),
            ("registered = [\"x\", \"x\"]", "without a name twice"),
            ("included_applications = [\"kernel\"]", "without `kernel`"),
            (
                "applications = [\"a\"]\nincluded_applications = [\"b\", \"a\"]",
                "without `a`, which is started before",
            ),
        ] {
            let (what, place) = refusal(&format!("{TEXT}[application]\n{lists}\n"));
            assert!(what.contains(expected), "{what}");
            assert!(place.starts_with("otp.toml:"), "{place}");
        }
    }

    #[test]
    fn modules_are_not_listed_any_more() {
        let (what, place) = refusal(&format!("{TEXT}\n[behaviours]\nstroot = \"supervisor\"\n"));
        assert!(what.contains("`[behaviours]`"), "{what}");
        assert_eq!(place, "otp.toml:5:2");
        // The hint also appears for a file with no other contents, and for a dotted key.
        for text in ["[behaviours]\n", "behaviours.a = \"gen_server\"\n"] {
            assert_eq!(refusal(text).0, what);
        }
    }

    #[test]
    fn a_variable_without_a_name_is_the_mistake_and_not_its_value() {
        let (what, place) = refusal(&format!("{TEXT}[env]\na = 1\n\"\" = 1\n"));
        assert!(what.contains("keys have 1 to 255 characters"), "{what}");
        assert_eq!(place, "otp.toml:6:1");
    }

    #[test]
    fn a_key_twice_is_a_mistake() {
        let (what, place) = refusal(&format!("{TEXT}stroot = \"other\"\n"));
        assert!(what.contains("duplicate"), "{what}");
        assert_eq!(place, "otp.toml:4:1");
    }
}
