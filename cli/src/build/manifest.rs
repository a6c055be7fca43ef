//! The manifest of the built library: which modules it has, and whether one Erlang VM can have them
//! all, by their names.

use std::fs;
use std::path::Path;

use otp_codegen::erlang as text;
use otp_contract::manifest::{Location as Position, Manifest, Module};
use otp_contract::modules;

use super::cargo::Package;
use super::erlc::{announce, compile_generated, output_of};
use super::layout::{BuildFolder, CacheKey};
use super::next::Next;
use crate::installation::{Applications, Installation};
use crate::platform;
use crate::project::ErlangSources;
use crate::project::names::{self, Named};
use crate::report::{Error, Location, Result, Ui, catalog};
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
    let key = CacheKey {
        file: ".manifest",
        library,
        text: "",
    };
    let manifest = match folder.known(&key) {
        Some(manifest) => {
            compile_generated(otp, (folder, next), std::slice::from_ref(&module), ui)?;
            manifest
        }
        None => {
            let manifest = ask(otp, (folder, next), &module, ui)?;
            folder.remember(&key, &manifest)?;
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
        .args(["-eval", &expression(module), "-extra"])
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
fn expression(module: &str) -> String {
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

/// An error for each module whose name another one has: a module of the library, of OTP, of the
/// application's Erlang sources, or one that the build writes.
pub(super) fn check_names(
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
    at_line(error, workspace, &module.location)
}

/// The error at a position of the Rust source, with its line.
pub(crate) fn at_line(error: Error, workspace: &Path, location: &Position) -> Error {
    let error = error.at(location);
    match line_of(workspace, location) {
        Some(line) => error.detail(line),
        None => error,
    }
}

/// The line, with a caret under its column.
fn line_of(workspace: &Path, of: &Position) -> Option<String> {
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
