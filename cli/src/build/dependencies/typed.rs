//! The Rust of the declared dependencies: `src/generated` of the application, which each build
//! updates.

use std::path::{Path, PathBuf};

use otp_codegen::{Files, recorded};
use otp_specs::types::Module;

use super::{Dependency, at_line, fingerprint};
use crate::files::{Removed, entries, read_text, write_unless_same};
use crate::generator::{self, MARK, Request};
use crate::installation::{Applications, Installation};
use crate::project::Application;
use crate::project::config::Overrides;
use crate::report::{Error, Result, Ui, catalog, nearest};
use crate::sources::{Library, Reporter, Source};

/// The folder of the generated files, inside that of the application.
const GENERATED: &str = "src/generated";
const PATH: &str = "crate::generated";
/// The command that the first line of each file names.
const COMMAND: &str = "cargo otp build";
/// The file with the fingerprint of the generated code, in the folder of the dependencies.
const TYPED: &str = ".typed";

/// Writes the Rust of the dependencies that otp.toml names, as far as it has changed.
pub(super) fn write(
    application: &Application,
    folder: &Path,
    dependencies: &[Dependency],
    otp: &Installation,
    ui: &Ui,
) -> Result<()> {
    let generated = application.folder.join(GENERATED);
    let known = folder.join(TYPED);
    let fingerprint = || fingerprint::of_generated(application, dependencies, otp, &generated);
    if read_text(&known).ok() == Some(fingerprint()?) {
        return Ok(());
    }
    let mut files = files(application, dependencies, otp, ui)?;
    keep_heads(&mut files, &generated);
    if !files.0.is_empty() {
        check_own(&generated)?;
    }
    let is_written = !files.0.is_empty() && generator::write(&files, &generated)?;
    let is_removed = remove_others(&files, &generated)?;
    if is_written || is_removed {
        ui.status("Generated", &format!("{GENERATED} for `{PATH}`"));
    }
    write_unless_same(&known, fingerprint()?.as_bytes())
}

/// Returns the files for the modules of all declared dependencies; empty if these have no modules.
fn files(
    application: &Application,
    dependencies: &[Dependency],
    otp: &Installation,
    ui: &Ui,
) -> Result<Files> {
    let with_modules = dependencies.iter().filter(|one| !one.modules.is_empty());
    let folders: Vec<PathBuf> = with_modules.map(Dependency::ebin).collect();
    let library = Library::with_folders(Applications::of(otp), &folders)?;
    let reporter = Reporter::to(ui);
    let mut read = Vec::new();
    for declared in &application.config.dependencies {
        let dependency = dependencies.iter().find(|one| one.name == declared.name);
        let Some(dependency) = dependency else {
            continue;
        };
        match &declared.modules {
            Some(modules) => {
                for module in modules {
                    let named = is_there(module, dependency, &library)
                        .and_then(|()| self::module(module, &library, &reporter));
                    read.push(named.map_err(|error| at_line(error, application, declared.line))?);
                }
            }
            // Modules without use for Rust are left out.
            None => read.extend(
                dependency
                    .modules
                    .iter()
                    .filter_map(|module| self::module(module, &library, &reporter).ok()),
            ),
        }
    }
    if read.is_empty() {
        return Ok(Files::default());
    }
    let overrides = Overrides::read(&application.config.path)?;
    let request = Request {
        path: PATH,
        command: COMMAND,
        functions: true,
        overrides: Some(&overrides),
    };
    Ok(generator::generate(read, &library, &request, ui)?.files)
}

/// Refuses a module that neither the dependency has nor OTP.
fn is_there(module: &str, dependency: &Dependency, library: &Library) -> Result<()> {
    if library.modules.known(module).is_some() {
        return Ok(());
    }
    let name = &dependency.name;
    let key = format!("erlang.dependencies.{name}.modules");
    let expected = format!("a list of modules: there is no `{module}` in `{name}`");
    let known = dependency.modules.iter().map(String::as_str);
    let error = catalog::WRONG_VALUE.with(&[&key, &expected]);
    Err(error.suggest(&nearest(module, known, 3)))
}

/// Returns a module, if it has something that Rust can use.
fn module(name: &str, library: &Library, reporter: &Reporter<'_>) -> Result<(Source, Module)> {
    let source = library.modules.find(name)?;
    let module = library.read(&source, reporter)?;
    generator::check_useful(&module, &source, true)?;
    Ok((source, module))
}

/// Keeps files that differ only in their first line, which names the release of OTP, because
/// developers may have different ones.
fn keep_heads(files: &mut Files, generated: &Path) {
    let body = |text: &str| text.split_once('\n').map(|(_, body)| body.to_owned());
    for (name, text) in &mut files.0 {
        if let Ok(known) = read_text(&generated.join(name))
            && is_own(&known)
            && body(&known) == body(text)
        {
            *text = known;
        }
    }
}

/// Returns whether the first line names a build as the author of the file.
fn is_own(text: &str) -> bool {
    let head = text.lines().next().unwrap_or_default();
    head.contains(MARK) && head.contains(COMMAND)
}

/// Refuses a folder that was written by something else.
fn check_own(generated: &Path) -> Result<()> {
    let root = generated.join("mod.rs");
    let Ok(text) = read_text(&root) else {
        return Ok(());
    };
    let mut files = Files::default();
    files.insert("mod.rs", text);
    let refused = || -> Error { catalog::GENERATED_BY_OTHERS.error().at(root.display()) };
    match recorded(&files) {
        Some(recorded) if recorded.command == COMMAND => Ok(()),
        Some(recorded) => {
            Err(refused().detail(format!("it was written by `{}`", recorded.command)))
        }
        None => Err(refused()),
    }
}

/// Removes generated files of modules that are gone. Returns whether there were any.
fn remove_others(files: &Files, generated: &Path) -> Result<bool> {
    let mut removed = Removed::default();
    for path in entries(generated)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_own = read_text(&path).is_ok_and(|text| is_own(&text));
        if is_own && files.get(&name).is_none() {
            removed.remove(&path)?;
        }
    }
    Ok(removed.files > 0)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn only_own_files_are_replaced_and_removed() {
        let scratch = tempfile::tempdir().unwrap();
        let head = |command: &str| {
            format!("// @generated by `{command}` from Erlang/OTP 25. Do not edit.\n")
        };
        let root = scratch.path().join("mod.rs");
        assert!(check_own(scratch.path()).is_ok());
        fs::write(&root, head("otp-rs gen-types lists")).unwrap();
        let error = check_own(scratch.path()).unwrap_err();
        assert_eq!(
            error.details(),
            ["it was written by `otp-rs gen-types lists`"]
        );
        fs::write(&root, "mod mine;\n").unwrap();
        assert!(check_own(scratch.path()).is_err());
        fs::write(&root, head(COMMAND)).unwrap();
        assert!(check_own(scratch.path()).is_ok());

        // A different OTP alone does not change the files.
        let other = head(COMMAND).replace("25", "27");
        let mut files = Files::default();
        files.insert("mod.rs", other.clone());
        keep_heads(&mut files, scratch.path());
        assert_eq!(files.get("mod.rs"), Some(head(COMMAND).as_str()));
        files.insert("mod.rs", format!("{other}mod a;\n"));
        keep_heads(&mut files, scratch.path());
        assert!(
            files
                .get("mod.rs")
                .is_some_and(|text| text.starts_with(&other))
        );

        fs::write(scratch.path().join("old.rs"), head(COMMAND)).unwrap();
        fs::write(scratch.path().join("mine.rs"), "// mine\n").unwrap();
        let mut files = Files::default();
        files.insert("mod.rs", "");
        assert!(remove_others(&files, scratch.path()).unwrap());
        assert!(!remove_others(&files, scratch.path()).unwrap());
        assert!(!scratch.path().join("old.rs").exists());
        assert!(scratch.path().join("mine.rs").exists());
    }
}
