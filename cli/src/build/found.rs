//! The modules that were found in the library: whether one Erlang VM can have them all, by their
//! names.

use std::fs;
use std::path::Path;

use otp_contract::manifest::{Manifest, Module};

use super::cargo::Package;
use crate::installation::Applications;
use crate::project::ErlangSources;
use crate::project::names::{self, Named};
use crate::report::{Error, Location, catalog};

/// An error for each module whose name another one has: a module of the library, of OTP, of the
/// application's Erlang sources, or one that the build writes.
pub(super) fn check(
    manifest: &Manifest,
    package: &Package,
    sources: &ErlangSources,
    otp: &Applications,
) -> Vec<Error> {
    let generated = names::generated_modules(&package.name);
    let of_one = |module: &Module| {
        let name = &module.module;
        let error = if let Err(error) = names::check_free(Named::Module, name, otp) {
            error.help(RENAME)
        } else if generated.contains(name) {
            names::taken_by_build(name).help(RENAME)
        } else if sources.modules.contains(name) {
            let what = format!("{} is this module", sources.file(name));
            catalog::NAME_TAKEN.with(&[name, &what]).help(RENAME)
        } else {
            return None;
        };
        Some(at_attribute(error, &package.workspace, module))
    };
    let taken = manifest.modules.iter().filter_map(of_one);
    twice(manifest, package).into_iter().chain(taken).collect()
}

/// What gives the Erlang module another name than its Rust type.
const RENAME: &str = "rename the Rust type, or write `module = \"…\"` into its attribute";

/// Two Rust types cannot be one Erlang module.
fn twice(manifest: &Manifest, package: &Package) -> Vec<Error> {
    let mut modules: Vec<&Module> = manifest.modules.iter().collect();
    modules.sort_by_key(|module| &module.module);
    let pairs = modules.windows(2);
    let pairs = pairs.filter(|pair| pair[0].module == pair[1].module);
    let error = |pair: &[&Module]| {
        let (first, second) = (pair[0], pair[1]);
        let what = format!(
            "both `{}` ({}) and `{}` are this module",
            first.rust_path, first.location, second.rust_path
        );
        let error = catalog::NAME_TAKEN.with(&[&second.module, &what]);
        at_attribute(error.help(RENAME), &package.workspace, second)
    };
    pairs.map(error).collect()
}

/// The error at the module's attribute, with that line of the source if it can be read.
pub(crate) fn at_attribute(error: Error, workspace: &Path, module: &Module) -> Error {
    let location = &module.location;
    let error = error.at(location);
    match line_of(workspace, module) {
        Some(line) => error.detail(line),
        None => error,
    }
}

/// The line of the attribute, with a caret under its column.
fn line_of(workspace: &Path, module: &Module) -> Option<String> {
    let of = &module.location;
    let text = fs::read_to_string(workspace.join(&of.file)).ok()?;
    let [line, column] = [of.line, of.column].map(|number| usize::try_from(number).ok());
    let (line, column) = (line?, column?);
    let location = Location {
        line,
        column,
        text: text.lines().nth(line.checked_sub(1)?)?,
    };
    (column > 0).then(|| location.shown())
}

#[cfg(test)]
mod tests {
    use super::super::declarations::tests::manifest;
    use super::*;

    #[test]
    fn two_types_are_not_one_module() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("src")).unwrap();
        fs::write(folder.path().join("src/a.rs"), "\n\n#[supervisor]\n").unwrap();
        let package = Package {
            workspace: folder.path().to_owned(),
            ..Package::default()
        };
        let modules = manifest(&[
            ("a", "supervisor"),
            ("b", "gen_server"),
            ("a", "supervisor"),
        ]);
        let found = twice(&modules, &package);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].what().contains("both `app::a::A`"), "{found:?}");
        assert_eq!(found[0].location(), Some("src/a.rs:3:1"));
        assert_eq!(found[0].details(), ["#[supervisor]\n^"]);
        // A source that is not there any more takes nothing from the message.
        fs::remove_file(folder.path().join("src/a.rs")).unwrap();
        let found = twice(&modules, &package);
        assert!(found[0].details().is_empty(), "{found:?}");
    }
}
