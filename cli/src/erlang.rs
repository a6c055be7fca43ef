//! What the Erlang tools are asked: to compile modules, and to load the library and ask it what
//! it holds.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output as Answer, Stdio};

use crate::error::{Error, Result};
use crate::installation::Installation;
use crate::output::Output;
use crate::own_erlang::{self, OwnErlang};
use crate::ui::Ui;

/// Compiles those of the modules whose .beam is older than their source, in one call.
pub(crate) fn compile(
    otp: &Installation,
    output: &Output,
    modules: &[String],
    ui: &Ui,
) -> Result<()> {
    let stale: Vec<&String> = modules
        .iter()
        .filter(|module| output.is_stale(module))
        .collect();
    if stale.is_empty() {
        return Ok(());
    }
    tell(&stale, ui);
    let scratch = output.scratch()?;
    let files = stale.iter().map(|module| format!("src/{module}.erl"));
    let answer = erlc(otp, output, &output.folder, scratch.path(), files)?;
    let said = said(&answer);
    if !answer.status.success() {
        return Err(Error::ours("the generated Erlang does not compile")
            .at(output.folder.join("src").display())
            .detail(said));
    }
    if !said.is_empty() {
        ui.note(&format!("erlc says of the generated Erlang:\n{said}"));
    }
    output.take_beams(&scratch)
}

/// Compiles the application's own Erlang, so far as that is needed. What the compiler says of it is
/// its author's to read.
pub(crate) fn compile_own(
    otp: &Installation,
    output: &Output,
    own: &OwnErlang,
    ui: &Ui,
) -> Result<()> {
    let stale = own.stale(output);
    if stale.is_empty() {
        return Ok(());
    }
    tell(&stale, ui);
    let scratch = output.scratch()?;
    let files = stale.iter().map(|module| own.file(module));
    let answer = erlc(otp, output, own.application(), scratch.path(), files)?;
    let said = said(&answer);
    if !answer.status.success() {
        return Err(Error::user("the application's own Erlang does not compile")
            .at(own.application().join(own_erlang::FOLDER).display())
            .detail(said));
    }
    if !said.is_empty() {
        ui.note(&format!(
            "erlc says of the application's own Erlang:\n{said}"
        ));
    }
    output.take_beams(&scratch)
}

fn tell(modules: &[&String], ui: &Ui) {
    let plural = if modules.len() == 1 { "" } else { "s" };
    let what = format!("{} Erlang module{plural}", modules.len());
    ui.status("Compiling", &what);
}

/// Compiles files, seen from `folder`; behaviours are found among what was compiled before.
fn erlc(
    otp: &Installation,
    output: &Output,
    folder: &Path,
    into: &Path,
    files: impl Iterator<Item = String>,
) -> Result<Answer> {
    let erlc = otp.erlc()?;
    Command::new(&erlc)
        .arg("+debug_info")
        .args(["-I", own_erlang::FOLDER])
        .arg("-pa")
        .arg(output.ebin())
        .arg("-pa")
        .arg(into)
        .arg("-o")
        .arg(into)
        .args(files)
        .current_dir(folder)
        // The user's own options are meant for the user's own Erlang.
        .env_remove("ERL_COMPILER_OPTIONS")
        .stdin(Stdio::null())
        .output()
        .map_err(|error| Error::io("run", &erlc, &error))
}

/// Both outputs of a program, one after the other.
fn said(answer: &Answer) -> String {
    let said = String::from_utf8_lossy(&answer.stdout) + String::from_utf8_lossy(&answer.stderr);
    said.trim().to_owned()
}

/// Loads the application's library into a VM and asks it what it holds; JSON text.
pub(crate) fn manifest(
    otp: &Installation,
    output: &Output,
    library: &str,
    module: &str,
) -> Result<String> {
    if let Some(manifest) = output.known_manifest(library) {
        return Ok(manifest);
    }
    let scratch = output.scratch()?;
    let file = scratch.path().join("manifest");
    let answer = Command::new(&otp.erl)
        .args(["-noinput", "+Bi", "-boot", "no_dot_erlang", "-pa", "ebin"])
        .args(["-eval", &question(module), "-extra"])
        .arg(&file)
        .current_dir(&output.folder)
        .env("ERL_CRASH_DUMP_SECONDS", "0")
        .stdin(Stdio::null())
        .output()
        .map_err(|error| Error::io("run", &otp.erl, &error))?;
    match fs::read_to_string(&file) {
        Ok(text) if answer.status.success() => {
            output.remember_manifest(library, &text)?;
            Ok(text)
        }
        _ => Err(not_loaded(
            &said(&answer),
            answer.status.signal(),
            &output.folder,
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

fn not_loaded(said: &str, signal: Option<i32>, folder: &Path) -> Error {
    let place = folder.join("priv");
    if let Some(signal) = signal {
        return Error::ours(format!(
            "loading the library ended the Erlang VM with signal {signal}"
        ))
        .at(place.display())
        .detail(said);
    }
    if said.contains("nif_init") {
        return Error::user("the library is no application: it has no entry for the Erlang VM")
            .at("src/lib.rs")
            .detail(said)
            .help("write this line into src/lib.rs: otp_bridge::application!();");
    }
    Error::ours("the Erlang VM cannot load the library")
        .at(place.display())
        .detail(said)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_without_entry_is_the_users_and_a_crash_is_ours() {
        let folder = Path::new("/out");
        let said = "Failed to find library init function: undefined symbol: nif_init";
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
