//! The manifest of the built library: which modules it has.

use std::fs;
use std::path::Path;

use otp_codegen::erlang as text;
use otp_contract::manifest::Manifest;
use otp_contract::modules;

use super::cargo::Package;
use super::erlc::{announce, compile_generated, output_of};
use super::layout::{BuildFolder, Question};
use super::next::Next;
use crate::installation::Installation;
use crate::platform;
use crate::report::{Error, Result, Ui, catalog};
use crate::vm;

/// Asks the library which modules it has; an answer is remembered with the library.
pub(super) fn of_library(
    otp: &Installation,
    (folder, next): (&BuildFolder, &Next<'_>),
    package: &Package,
    library: &str,
    ui: &Ui,
) -> Result<Manifest> {
    let module = modules::library(&package.name);
    folder.write(
        &format!("src/{module}.erl"),
        &text::library_module(&package.name, &package.version, library),
    )?;
    let question = Question {
        file: ".manifest",
        library,
        text: "",
    };
    let manifest = match folder.known(&question) {
        Some(manifest) => {
            compile_generated(otp, (folder, next), std::slice::from_ref(&module), ui)?;
            manifest
        }
        None => {
            let manifest = ask(otp, (folder, next), &module, ui)?;
            folder.remember(&question, &manifest)?;
            manifest
        }
    };
    Manifest::from_json(&manifest).map_err(|error| catalog::MANIFEST.with(&[&error]))
}

/// Compiles the module that loads the library, loads it, and asks for its manifest, a JSON text.
/// One VM does all of that, because starting one takes longer than the rest.
fn ask(
    otp: &Installation,
    (folder, next): (&BuildFolder, &Next<'_>),
    module: &str,
    ui: &Ui,
) -> Result<String> {
    announce(&[&module.to_owned()], ui);
    let scratch = folder.scratch()?;
    let file = scratch.path().join("manifest");
    let answer = vm::erl(otp)
        // As erlc does: one scheduler is quicker to start.
        .args(["+S1", "+sbtu", "+A0", "+fnu"])
        .args(["-boot", "no_dot_erlang"])
        .args(["-eval", &question(module), "-extra"])
        .args([&file, next.made()])
        .current_dir(&folder.path)
        .env("ERL_CRASH_DUMP_SECONDS", "0")
        .env_remove("ERL_COMPILER_OPTIONS")
        .output()
        .map_err(|error| Error::io("run", &otp.erl, &error))?;
    let said = output_of(&answer);
    if answer.status.code() == Some(NOT_COMPILED) {
        return Err(catalog::GENERATED_DOES_NOT_COMPILE
            .error()
            .at(folder.path.join("src").display())
            .detail(said));
    }
    match fs::read_to_string(&file) {
        Ok(text) if answer.status.success() => Ok(text),
        _ => Err(not_loaded(
            &said,
            platform::signal_of(answer.status),
            &folder.path,
        )),
    }
}

/// The exit code of a VM that could not compile the module.
const NOT_COMPILED: i32 = 3;

/// The answer goes to a file: whatever the library prints while it is loaded cannot disturb it.
/// After a failure the VM stops in order, so that its logger still says why.
fn question(module: &str) -> String {
    format!(
        "[F, Out] = init:get_plain_arguments(), \
         case compile:file(\"src/{module}.erl\", [debug_info, report, {{outdir, Out}}]) of \
             {{ok, _}} -> true = code:add_patha(Out); \
             error -> halt({NOT_COMPILED}) \
         end, \
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
