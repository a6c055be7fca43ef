//! The manifest of the built library: which modules it has.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;

use otp_codegen::erlang as text;
use otp_contract::manifest::Manifest;
use otp_contract::modules;

use super::cargo::Package;
use super::erlc::{compile_generated, output_of};
use super::layout::BuildFolder;
use crate::installation::Installation;
use crate::report::{Error, Result, Ui, catalog};
use crate::vm;

/// Asks the library which modules it has; an answer is remembered with the library.
pub(super) fn of_library(
    otp: &Installation,
    folder: &BuildFolder,
    package: &Package,
    library: &str,
    ui: &Ui,
) -> Result<Manifest> {
    let module = modules::library(&package.name);
    folder.write(
        &format!("src/{module}.erl"),
        &text::library_module(&package.name, &package.version, library),
    )?;
    compile_generated(otp, folder, std::slice::from_ref(&module), ui)?;
    let manifest = match folder.known_manifest(library) {
        Some(manifest) => manifest,
        None => ask(otp, folder, library, &module)?,
    };
    Manifest::from_json(&manifest).map_err(|error| catalog::MANIFEST.with(&[&error]))
}

/// Loads the library into a VM and asks for its manifest, a JSON text.
fn ask(otp: &Installation, folder: &BuildFolder, library: &str, module: &str) -> Result<String> {
    let scratch = folder.scratch()?;
    let file = scratch.path().join("manifest");
    let answer = vm::erl(otp)
        .args(["-boot", "no_dot_erlang", "-pa", "ebin"])
        .args(["-eval", &question(module), "-extra"])
        .arg(&file)
        .current_dir(&folder.path)
        .env("ERL_CRASH_DUMP_SECONDS", "0")
        .output()
        .map_err(|error| Error::io("run", &otp.erl, &error))?;
    match fs::read_to_string(&file) {
        Ok(text) if answer.status.success() => {
            folder.remember_manifest(library, &text)?;
            Ok(text)
        }
        _ => Err(not_loaded(
            &output_of(&answer),
            answer.status.signal(),
            &folder.path,
        )),
    }
}

/// The answer goes to a file: whatever the library prints while it is loaded cannot disturb it.
/// After a failure the VM stops in order, so that its logger still says why.
fn question(module: &str) -> String {
    format!(
        "[F] = init:get_plain_arguments(), \
         try ok = file:write_file(F, {module}:manifest()), halt(0) \
         catch C:R -> io:format(standard_error, \"~tp:~tp~n\", [C, R]), init:stop(1) end."
    )
}

/// What the VM says of a library in which no application is: with otp-bridge, and without.
const NO_ENTRY: [&str; 2] = [
    "Library init-call unsuccessful",
    "Failed to find library init function",
];

fn not_loaded(said: &str, signal: Option<i32>, folder: &Path) -> Error {
    let location = folder.join("priv");
    if let Some(signal) = signal {
        return catalog::CRASH_ON_LOAD
            .with(&[&signal])
            .at(location.display())
            .detail(said);
    }
    if NO_ENTRY.iter().any(|text| said.contains(text)) {
        return catalog::NO_NIF_ENTRY.error().at("src/lib.rs").detail(said);
    }
    catalog::NOT_LOADED
        .error()
        .at(location.display())
        .detail(said)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_without_entry_is_the_users_and_a_crash_is_ours() {
        let folder = Path::new("/out");
        let said = "{error,{bad_lib,\"Library init-call unsuccessful\"}}";
        let error = not_loaded(said, None, folder);
        assert_eq!(error.exit_code(), 1);
        assert!(error.remedies()[0].contains("otp_bridge::application!();"));
        assert_eq!(not_loaded("", Some(11), folder).exit_code(), 2);
        assert_eq!(
            not_loaded("undefined symbol: x", None, folder).exit_code(),
            2
        );
    }
}
