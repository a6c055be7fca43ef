//! Checks that each Rust module of bindings compiles with only the feature of its name.

use std::fs;
use std::io;
use std::path::Path;

use crate::step::{Outcome, cargo, root, run, target};

/// The start of the feature list in the manifest of otp-bindings.
const FEATURES: &str = "\n[features]\n";

/// The tests build the macros with these features, so the macros are compiled already.
const AS_TESTS: &str =
    "[build-dependencies]\nproc-macro2 = { version = \"1\", features = [\"span-locations\"] }\n\n";

/// Checks all modules at once. A package has one set of features in a run of cargo, so each module
/// has its own package with the same sources. Checks one after the other would use one core.
pub(crate) fn check() -> Outcome {
    let folder = target().join("alone");
    write(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    run(&mut cargo(&folder, &["check", "--quiet", "--workspace"]))
}

fn write(folder: &Path) -> io::Result<()> {
    let manifest = fs::read_to_string(root().join("bindings/Cargo.toml"))?;
    let features = features(&manifest).ok_or_else(|| io::Error::other("no features"))?;
    for module in otp_codegen::BINDINGS {
        fs::create_dir_all(folder.join(module))?;
        fs::write(
            folder.join(module).join("Cargo.toml"),
            package(module, features),
        )?;
    }
    let members = otp_codegen::BINDINGS;
    let workspace = format!("[workspace]\nresolver = \"3\"\nmembers = {members:?}\n");
    fs::write(folder.join("Cargo.toml"), workspace)?;
    // Uses the workspace's versions, so that cargo does not look up versions.
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock"))?;
    Ok(())
}

/// Returns the features. Only the lints follow them in the manifest.
fn features(manifest: &str) -> Option<&str> {
    let (_, rest) = manifest.split_once(FEATURES)?;
    Some(
        rest.split_once("\n[")
            .map_or(rest, |(features, _)| features),
    )
}

/// Returns the manifest of otp-bindings with the feature of one module.
fn package(module: &str, features: &str) -> String {
    format!(
        "[package]\nname = \"otp-bindings-{module}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [lib]\nname = \"otp_bindings\"\npath = {:?}\n\n\
         [dependencies]\notp-bridge = {{ path = {:?} }}\n\n\
         {AS_TESTS}\
         [features]\ndefault = [{module:?}]\n{features}\n",
        root().join("bindings/src/lib.rs"),
        root().join("bridge"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_is_checked_with_its_feature_and_knows_all() {
        let manifest = "[dependencies]\n\n[features]\nall = [\"ets\"]\nets = []\n\n[lints]\nworkspace = true\n";
        assert_eq!(features(manifest), Some("all = [\"ets\"]\nets = []\n"));
        let package = package("ets", "all = [\"ets\"]\nets = []\n");
        assert!(package.contains("default = [\"ets\"]\nall = [\"ets\"]\nets = []\n"));
        let real = fs::read_to_string(root().join("bindings/Cargo.toml")).unwrap();
        let features = features(&real).unwrap();
        for module in otp_codegen::BINDINGS {
            assert!(features.contains(&format!("\n{module} = []")), "{module}");
        }
    }
}
