//! Uses rebar3 to fetch packages, and to compile applications that have a rebar.config.
//!
//! It works on a project of its own in TARGET/otp/erlang/NAME, whose dependencies are those of
//! otp.toml. Applications in folders are checkouts of that project. In this way, rebar3 sees all of
//! them at once, and selects one version of each package. The selected versions are in otp.lock
//! beside otp.toml.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{FoundIn, Located};
use crate::build::ebin::output_of;
use crate::files::{Removed, entries, read_text, write, write_unless_same};
use crate::installation::on_path;
use crate::platform;
use crate::project::Application;
use crate::report::{Error, Result, Ui, catalog, quoted};

/// The file of versions, beside otp.toml.
pub(super) const LOCK: &str = "otp.lock";
/// The name of this file in rebar3's project.
const REBAR_LOCK: &str = "rebar.lock";
/// The folder in which rebar3 finds applications that are not fetched.
const CHECKOUTS: &str = "_checkouts";

/// Returns whether rebar3 compiles the dependencies: one is a package, or has a rebar.config.
pub(super) fn is_needed(located: &[Located<'_>]) -> bool {
    located.iter().any(|located| match &located.location {
        FoundIn::Package(_) => true,
        FoundIn::Source(folder) => {
            let configs = ["rebar.config", "rebar.config.script"];
            configs.iter().any(|config| folder.join(config).is_file())
        }
        FoundIn::Compiled(_) => false,
    })
}

/// Fetches and compiles the dependencies with all that they need, and returns their names and
/// folders.
pub(super) fn build(
    application: &Application,
    folder: &Path,
    located: &[Located<'_>],
    ui: &Ui,
) -> Result<Vec<(String, PathBuf)>> {
    let rebar3 = on_path("rebar3").ok_or_else(|| catalog::NO_REBAR3.error())?;
    let lock = application.folder.join(LOCK);
    prepare(folder, located, &lock)?;
    ui.status("Building", &format!("{} by rebar3", names(located)));
    let mut command = Command::new(&rebar3);
    command
        .args(["compile", "--deps_only"])
        .current_dir(folder)
        // Without colours.
        .env("TERM", "dumb")
        // These are meant for another project.
        .env_remove("REBAR_BASE_DIR")
        .env_remove("REBAR_CONFIG")
        .env_remove("REBAR_PROFILE")
        .env_remove("ERL_COMPILER_OPTIONS")
        .stdin(Stdio::null());
    ui.starting(&command);
    let answer = ui
        .during("Building", "by rebar3", || command.output())
        .map_err(|error| Error::io("run", &rebar3, &error))?;
    if !answer.status.success() {
        let path = application.config.path.display();
        return Err(catalog::REBAR3.error().at(path).detail(output_of(&answer)));
    }
    keep_lock(&folder.join(REBAR_LOCK), &lock)?;
    applications(folder)
}

fn names(located: &[Located<'_>]) -> String {
    let built = located.iter().filter(|located| match located.location {
        FoundIn::Package(_) | FoundIn::Source(_) => true,
        FoundIn::Compiled(_) => false,
    });
    let names: Vec<&str> = built
        .map(|located| located.dependency.name.as_str())
        .collect();
    quoted(&names)
}

/// Writes rebar3's project.
fn prepare(folder: &Path, located: &[Located<'_>], lock: &Path) -> Result<()> {
    let checkouts = folder.join(CHECKOUTS);
    Removed::default().remove(&checkouts)?;
    fs::create_dir(&checkouts).map_err(|error| Error::io("create", &checkouts, &error))?;
    let mut dependencies = Vec::new();
    let mut locked = read_text(lock).unwrap_or_default();
    for Located {
        dependency,
        location,
    } in located
    {
        let name = &dependency.name;
        match location {
            FoundIn::Source(source) => {
                let link = checkouts.join(name);
                platform::link(source, &link)
                    .map_err(|error| Error::io("create", &link, &error))?;
                dependencies.push(name.clone());
            }
            FoundIn::Package(version) => {
                dependencies.push(format!("{{{name}, \"{version}\"}}"));
                if !is_locked(&locked, name, version) {
                    // Another version may have other dependencies.
                    locked.clear();
                }
            }
            FoundIn::Compiled(_) => {}
        }
    }
    let dependencies = dependencies.join(", ");
    let config = format!("{{erl_opts, [debug_info]}}.\n{{deps, [{dependencies}]}}.\n");
    write_unless_same(&folder.join("rebar.config"), config.as_bytes())?;
    let own = folder.join(REBAR_LOCK);
    if locked.is_empty() {
        Removed::default().remove(&own)
    } else {
        write(&own, locked.as_bytes())
    }
}

/// Returns whether rebar3 has selected this version of a package.
fn is_locked(lock: &str, name: &str, version: &str) -> bool {
    lock.contains(&format!(
        "{{<<\"{name}\">>,{{pkg,<<\"{name}\">>,<<\"{version}\">>}}"
    ))
}

/// Copies the versions that rebar3 has selected to otp.lock. Without packages, there are none.
fn keep_lock(own: &Path, lock: &Path) -> Result<()> {
    let text = read_text(own).unwrap_or_default();
    if text.contains("{pkg,") || text.contains("{git,") {
        write_unless_same(lock, text.as_bytes())
    } else {
        Removed::default().remove(lock)
    }
}

/// Returns the applications that rebar3 has compiled.
fn applications(folder: &Path) -> Result<Vec<(String, PathBuf)>> {
    let mut found = Vec::new();
    for kind in ["checkouts", "lib"] {
        for path in entries(&folder.join("_build/default").join(kind))? {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let name = name.into_owned();
            let is_new = found.iter().all(|(known, _)| *known != name);
            if is_new && path.join(format!("ebin/{name}.app")).is_file() {
                found.push((name, path));
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_of_another_version_is_not_used() {
        let lock = "{\"1.2.0\",\n[{<<\"jsx\">>,{pkg,<<\"jsx\">>,<<\"3.1.0\">>},0}]}.\n";
        assert!(is_locked(lock, "jsx", "3.1.0"));
        assert!(!is_locked(lock, "jsx", "3.0.0"));
        assert!(!is_locked(lock, "sx", "3.1.0"));
    }

    #[test]
    fn only_a_lock_with_packages_is_kept() {
        let scratch = tempfile::tempdir().unwrap();
        let [own, lock] = ["rebar.lock", LOCK].map(|name| scratch.path().join(name));
        let packages = "[{<<\"jsx\">>,{pkg,<<\"jsx\">>,<<\"3.1.0\">>},0}].\n";
        fs::write(&own, packages).unwrap();
        keep_lock(&own, &lock).unwrap();
        assert_eq!(fs::read_to_string(&lock).unwrap(), packages);
        fs::write(&own, "[].\n").unwrap();
        keep_lock(&own, &lock).unwrap();
        assert!(!lock.exists());
    }
}
