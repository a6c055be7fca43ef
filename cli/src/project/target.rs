//! Determines where cargo builds an application, without cargo, so that build results can be
//! removed even if cargo is not available, or cannot read the dependencies.

use std::env;
use std::path::{Path, PathBuf};

use toml_edit::DocumentMut;

use super::names::{self, Named};
use crate::files::read_text;
use crate::report::{Error, Result, catalog};

/// Returns the name of the package whose Cargo.toml is in `folder`.
pub(crate) fn package_name(folder: &Path) -> Result<String> {
    let path = folder.join("Cargo.toml");
    let text = read_text(&path).map_err(|error| Error::io("read", &path, &error))?;
    let name = document(&text).and_then(|cargo| {
        let name = cargo.get("package")?.get("name")?;
        name.as_str().map(str::to_owned)
    });
    let name = name.ok_or_else(|| catalog::NO_PACKAGE.error().at(path.display()))?;
    names::check(Named::Application, &name).map_err(|error| error.at(path.display()))?;
    Ok(name)
}

/// Returns the folder in which cargo builds the package of `folder`: that of the environment or the
/// configuration, otherwise that of the package or its workspace, whichever contains results of
/// `cargo otp`.
pub(crate) fn target_folder(folder: &Path) -> PathBuf {
    let variables = ["CARGO_TARGET_DIR", "CARGO_BUILD_TARGET_DIR"];
    let mut variables = variables.into_iter().filter_map(env::var_os);
    if let Some(target) = variables.find(|target| !target.is_empty()) {
        return folder.join(target);
    }
    configured(folder).unwrap_or_else(|| with_results(folder))
}

/// Returns the target folder of the package or its workspace that contains results of `cargo otp`.
fn with_results(folder: &Path) -> PathBuf {
    let own = folder.join("target");
    let named = named_workspace(folder);
    let above = folder.ancestors().skip(1).filter(|it| is_workspace(it));
    let workspaces = named.into_iter().chain(above.map(Path::to_owned));
    let targets = workspaces.map(|workspace| workspace.join("target"));
    let mut all = [own.clone()].into_iter().chain(targets);
    all.find(|target| target.join("otp").is_dir())
        .unwrap_or(own)
}

/// Returns the folder of the workspace that the package names in `[package] workspace`, because its
/// own folder is not below that of the workspace.
pub(super) fn named_workspace(folder: &Path) -> Option<PathBuf> {
    let cargo = document(&read_text(&folder.join("Cargo.toml")).ok()?)?;
    let named = cargo.get("package")?.get("workspace")?.as_str()?;
    Some(folder.join(named))
}

/// Returns `[build] target-dir` of the nearest of cargo's configuration files.
fn configured(folder: &Path) -> Option<PathBuf> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(env::home_dir()?.join(".cargo")));
    let folders = folder.ancestors().map(|folder| folder.join(".cargo"));
    folders.chain(home).find_map(|folder| {
        let files = ["config", "config.toml"].map(|name| folder.join(name));
        let text = files.iter().find_map(|file| read_text(file).ok())?;
        let config = document(&text)?;
        let target = config.get("build")?.get("target-dir")?.as_str()?;
        // The path is relative to the folder that contains `.cargo`.
        Some(folder.parent()?.join(target))
    })
}

fn is_workspace(folder: &Path) -> bool {
    let text = read_text(&folder.join("Cargo.toml")).ok();
    let cargo = text.as_deref().and_then(document);
    cargo.is_some_and(|cargo| cargo.contains_key("workspace"))
}

fn document(text: &str) -> Option<DocumentMut> {
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_configuration_of_the_nearest_folder_says_where() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = scratch.path().join("a/b");
        for (at, target) in [("", "far"), ("a", "near")] {
            let cargo = scratch.path().join(at).join(".cargo");
            fs::create_dir_all(&cargo).unwrap();
            let text = format!("[build]\ntarget-dir = \"{target}\"\n");
            fs::write(cargo.join("config.toml"), text).unwrap();
        }
        assert_eq!(configured(&folder), Some(scratch.path().join("a/near")));
        fs::remove_dir_all(scratch.path().join("a/.cargo")).unwrap();
        assert_eq!(configured(&folder), Some(scratch.path().join("far")));
    }

    #[test]
    fn a_workspace_that_the_package_names_has_its_builds() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = scratch.path().join("apps/a");
        fs::create_dir_all(&folder).unwrap();
        let manifest = "[package]\nname = \"a\"\nworkspace = \"../../examples\"\n";
        fs::write(folder.join("Cargo.toml"), manifest).unwrap();
        let target = folder.join("../../examples/target");
        fs::create_dir_all(scratch.path().join("examples/target/otp")).unwrap();
        assert_eq!(with_results(&folder), target);
        fs::remove_dir_all(target.join("otp")).unwrap();
        assert_eq!(with_results(&folder), folder.join("target"));
    }

    #[test]
    fn a_name_that_leads_elsewhere_is_refused() {
        let scratch = tempfile::tempdir().unwrap();
        let with = |name: &str| {
            let text = format!("[package]\nname = \"{name}\"\n");
            fs::write(scratch.path().join("Cargo.toml"), text).unwrap();
            package_name(scratch.path())
        };
        assert_eq!(with("shop").unwrap(), "shop");
        for name in ["..", "../shop", "", "a/b"] {
            assert!(with(name).is_err(), "{name}");
        }
    }
}
