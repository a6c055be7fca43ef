//! The crate of all generated modules.

use std::fs;
use std::path::Path;

use otp_codegen::Files;

use super::{Broken, Survey};
use crate::step::{Outcome, applications_target, cargo, heading, root, target};

/// Writes the crate and checks it.
pub(super) fn compile(survey: &Survey) -> Outcome<Broken> {
    let folder = target().join("coverage");
    let source = folder.join("src/otp");
    let problem = |error: std::io::Error| format!("{}: {error}", folder.display());
    write_modules(&source, &survey.output.files).map_err(problem)?;
    let bridge = root().join("bridge");
    let manifest = format!(
        "[package]\nname = \"coverage\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [dependencies]\notp-bridge = {{ path = {:?} }}\n\n[workspace]\n",
        bridge
    );
    fs::write(folder.join("Cargo.toml"), manifest).map_err(problem)?;
    fs::write(folder.join("src/lib.rs"), "pub mod otp;\n").map_err(problem)?;
    // The versions that are built already.
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).map_err(problem)?;
    heading(&format!(
        "Compiling {} modules",
        survey.output.report.modules.len()
    ));
    // Errors are printed file by file. Warnings do not matter here; `RUSTFLAGS` would have all
    // dependencies built again.
    let check = ["rustc", "--lib", "--profile=check"];
    let only_errors = ["--message-format=short", "--", "-Awarnings"];
    let output = cargo(&folder, &[&check[..], &only_errors].concat())
        .env("CARGO_TARGET_DIR", applications_target())
        .output()
        .map_err(problem)?;
    let printed = String::from_utf8_lossy(&output.stderr);
    let broken = broken(&printed);
    if !output.status.success() && broken.is_empty() {
        return Err(printed.into_owned());
    }
    Ok(broken)
}

/// Writes generated modules into a folder, in which there is nothing else afterwards.
pub(crate) fn write_modules(folder: &Path, files: &Files) -> std::io::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    files
        .iter()
        .try_for_each(|(path, text)| fs::write(folder.join(path), text))
}

/// The modules with compiler errors: `src/otp/lists.rs:1:2: error[E0000]: …`.
fn broken(printed: &str) -> Broken {
    let mut broken = Broken::new();
    for line in printed.lines().filter(|line| line.contains(": error")) {
        let file = line.strip_prefix("src/otp/");
        if let Some((module, error)) = file.and_then(|line| line.split_once(".rs:")) {
            let entry = broken.entry(module.to_owned());
            entry.or_insert_with(|| error.to_owned());
        }
    }
    broken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_told_by_module_and_the_first_counts() {
        let printed = "src/otp/lists.rs:1:2: error[E0412]: cannot find type `A`\n\
                    src/otp/lists.rs:3:4: error[E0412]: cannot find type `B`\n\
                    src/otp/sets.rs:5:6: warning: unused\n\
                    error: could not compile `coverage` (lib) due to 2 previous errors\n";
        let found: Vec<(String, String)> = broken(printed).into_iter().collect();
        let error = "1:2: error[E0412]: cannot find type `A`";
        assert_eq!(found, [("lists".to_owned(), error.to_owned())]);
    }
}
