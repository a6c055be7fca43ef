//! Checks by subcommands of cargo that the developer has installed: cargo-deny and
//! cargo-semver-checks.

use std::process::Command;

use crate::step::{Outcome, cargo, on_path, root, run, say};

/// The crates with an interface for Rust programs. Their interface may not break within a version.
const LIBRARIES: [&str; 6] = [
    "otp-bridge",
    "otp-bindings",
    "otp-contract",
    "otp-grammar",
    "otp-specs",
    "otp-codegen",
];

/// Checks licences, sources and duplicates of all dependencies by `deny.toml`. Also checks for
/// known vulnerabilities, if the database can be downloaded.
pub(crate) fn deny() -> Outcome {
    installed("cargo-deny")?;
    let check = ["deny", "--workspace", "--all-features", "--locked"];
    let offline = ["check", "bans", "licenses", "sources"];
    run(&mut cargo(root(), &[&check[..], &offline].concat()))?;
    // Without a network, cargo-deny uses the database of an earlier download.
    let fetched = run(&mut cargo(root(), &["deny", "fetch", "db"]));
    if let Err(problem) = fetched {
        say(&format!(
            "-- known vulnerabilities are left out: their database cannot be had ({problem})\n"
        ));
        return Ok(());
    }
    let advisories = ["check", "--disable-fetch", "advisories"];
    run(&mut cargo(root(), &[&check[..], &advisories].concat()))
}

/// Runs [`deny`] as part of the whole check. Skips it if cargo-deny is not installed.
pub(crate) fn deny_if_installed() -> Outcome {
    match installed("cargo-deny") {
        Ok(()) => deny(),
        Err(problem) => {
            say(&format!("-- left out: {problem}\n"));
            Ok(())
        }
    }
}

/// Compares the libraries' interface with the interface at the last tag.
pub(crate) fn semver() -> Outcome {
    let Some(tag) = last_tag()? else {
        say(
            "There is no tag `v…`: nothing was published that the interface could be compared with.\n",
        );
        return Ok(());
    };
    installed("cargo-semver-checks")?;
    let packages = LIBRARIES.iter().flat_map(|name| ["--package", name]);
    let packages: Vec<&str> = packages.collect();
    let check = ["semver-checks", "--baseline-rev", &tag];
    run(&mut cargo(root(), &[&check[..], &packages].concat()))
}

fn installed(program: &str) -> Outcome {
    match on_path(program) {
        Some(_) => Ok(()),
        None => Err(format!(
            "there is no `{program}`; to have it: cargo install --locked {program}"
        )),
    }
}

/// Returns the newest version tag that this commit contains.
fn last_tag() -> Outcome<Option<String>> {
    let describe = ["describe", "--tags", "--abbrev=0", "--match", "v[0-9]*"];
    let answer = Command::new("git")
        .args(describe)
        .current_dir(root())
        .output()
        .map_err(|error| format!("cannot run git: {error}"))?;
    let tag = String::from_utf8_lossy(&answer.stdout).trim().to_owned();
    Ok(Some(tag).filter(|_| answer.status.success()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_that_is_not_installed_is_told_with_what_to_do() {
        let problem = installed("cargo-no-such-tool").unwrap_err();
        let told = "cargo install --locked cargo-no-such-tool";
        assert!(problem.contains(told), "{problem}");
    }

    #[test]
    fn the_libraries_are_crates_of_the_workspace() {
        let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
        for library in LIBRARIES {
            assert!(
                manifest.contains(&format!("\n{library} = {{ path")),
                "{library}"
            );
        }
    }
}
