//! Dependencies in source form without a rebar.config: erlc compiles them, each after those that it
//! needs.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::resources::{self, ResourceFile, ResourceQuery};
use super::{FoundIn, Located};
use crate::build::ebin::output_of;
use crate::files::{Scratch, entries};
use crate::installation::Installation;
use crate::platform;
use crate::project::erlang_sources::is_used_by_others;
use crate::report::{Error, Result, Ui, catalog};

/// The folder of compiled applications.
const COMPILED: &str = "lib";
/// Folders of an application that are also part of its compiled form.
const SHARED: [&str; 3] = ["include", "priv", "src"];
/// Extensions of sources from which another compiler generates Erlang.
const OTHERS: [&str; 4] = ["asn1", "mib", "xrl", "yrl"];

/// An application in source form.
struct Source<'a> {
    folder: &'a Path,
    /// Its modules' files, in the order of compilation.
    files: Vec<PathBuf>,
    resource: ResourceFile,
}

/// Compiles the applications that are in source form, and returns their names and folders. Earlier
/// results are replaced only after all applications have been compiled.
pub(super) fn build(
    folder: &Path,
    located: &[Located<'_>],
    otp: &Installation,
    ui: &Ui,
) -> Result<Vec<(String, PathBuf)>> {
    let scratch = Scratch::within(folder, ".lib-")?;
    // Other users may read the result of the build, but not its working folder.
    let made = scratch.path().join(COMPILED);
    fs::create_dir(&made).map_err(|error| Error::io("create", &made, &error))?;
    let sources = sources(&made, located, otp)?;
    for name in in_order(&sources) {
        if let Some(source) = sources.get(name) {
            ui.status("Compiling", &format!("Erlang application `{name}`"));
            compile(source, &made, otp, ui)?;
        }
    }
    let compiled = folder.join(COMPILED);
    let moved = |error| Error::io("write", &compiled, &error);
    if compiled.exists() {
        fs::remove_dir_all(&compiled).map_err(moved)?;
    }
    fs::rename(&made, &compiled).map_err(moved)?;
    let names = sources.into_keys();
    Ok(names
        .map(|name| (name.clone(), compiled.join(name)))
        .collect())
}

/// Reads the applications, and creates the folders of their compiled form with their resource
/// files.
fn sources<'a>(
    into: &Path,
    located: &'a [Located<'_>],
    otp: &Installation,
) -> Result<BTreeMap<String, Source<'a>>> {
    let mut found = Vec::new();
    let mut questions = Vec::new();
    for located in located {
        let FoundIn::Source(folder) = &located.location else {
            continue;
        };
        let name = &located.dependency.name;
        let files = files(folder)?;
        let compiled = into.join(name);
        let ebin = compiled.join("ebin");
        fs::create_dir_all(&ebin).map_err(|error| Error::io("create", &ebin, &error))?;
        for shared in SHARED.iter().filter(|shared| folder.join(shared).is_dir()) {
            let link = compiled.join(shared);
            platform::link(folder.join(shared), &link)
                .map_err(|error| Error::io("create", &link, &error))?;
        }
        let stem = |file: &PathBuf| Some(file.file_stem()?.to_string_lossy().into_owned());
        let modules = files.iter().filter_map(stem).collect();
        questions.push(ResourceQuery {
            file: folder.join(format!("src/{name}.app.src")),
            write: Some((ebin.join(format!("{name}.app")), modules)),
        });
        found.push((name.clone(), folder, files));
    }
    let (resources, _) = resources::ask(otp, into, &questions)?;
    let mut sources = BTreeMap::new();
    for ((name, folder, files), resource) in found.into_iter().zip(resources) {
        let source = Source {
            folder,
            files,
            resource,
        };
        sources.insert(name, source);
    }
    Ok(sources)
}

/// Returns the files of an application's modules. Modules that others need for their compilation
/// come first.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.join("src")];
    while let Some(folder) = folders.pop() {
        for path in entries(&folder)? {
            let ending = path.extension().and_then(|ending| ending.to_str());
            match ending {
                _ if path.is_dir() => folders.push(path),
                Some("erl") => found.push((!is_used_by_others(&path)?, path)),
                Some(other) if OTHERS.contains(&other) => {
                    let help = "give the application a rebar.config, so that rebar3 compiles it";
                    let error = catalog::DEPENDENCY_DOES_NOT_COMPILE.with(&[&other_source(&path)]);
                    return Err(error.at(path.display()).help(help));
                }
                _ => {}
            }
        }
    }
    found.sort();
    Ok(found.into_iter().map(|(_, path)| path).collect())
}

fn other_source(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// Returns the names of the applications, each after those that it needs. Cycles are reported
/// later.
fn in_order<'a>(sources: &'a BTreeMap<String, Source<'_>>) -> Vec<&'a str> {
    fn add<'a>(
        name: &'a str,
        sources: &'a BTreeMap<String, Source<'_>>,
        seen: &mut Vec<&'a str>,
        order: &mut Vec<&'a str>,
    ) {
        if seen.contains(&name) {
            return;
        }
        seen.push(name);
        let needs = sources.get(name).map(|source| &source.resource.needs);
        for needed in needs.into_iter().flatten() {
            add(needed, sources, seen, order);
        }
        order.push(name);
    }
    let mut order = Vec::new();
    let mut seen = Vec::new();
    for name in sources.keys() {
        add(name, sources, &mut seen, &mut order);
    }
    order
}

/// Compiles an application that may use those compiled before.
fn compile(source: &Source<'_>, compiled: &Path, otp: &Installation, ui: &Ui) -> Result<()> {
    if source.files.is_empty() {
        return Ok(());
    }
    let erlc = otp.erlc()?;
    let name = &source.resource.name;
    let own = compiled.join(name).join("ebin");
    let mut command = Command::new(&erlc);
    command.args(["+debug_info", "-I", "include", "-I", "src"]);
    for folder in entries(compiled)? {
        command.arg("-pa").arg(folder.join("ebin"));
    }
    let files = source.files.iter();
    let files = files.map(|file| file.strip_prefix(source.folder).unwrap_or(file));
    command
        .arg("-o")
        .arg(&own)
        .args(files)
        .current_dir(source.folder)
        // These options are meant for the user's other Erlang code.
        .env_remove("ERL_COMPILER_OPTIONS")
        .stdin(Stdio::null());
    ui.starting(&command);
    let answer = ui
        .during("Compiling", name, || command.output())
        .map_err(|error| Error::io("run", &erlc, &error))?;
    let said = output_of(&answer);
    if !answer.status.success() {
        let error = catalog::DEPENDENCY_DOES_NOT_COMPILE.with(&[name]);
        return Err(error.at(source.folder.display()).detail(said));
    }
    if !said.is_empty() {
        ui.note(&format!("erlc says about `{name}`:\n{said}"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_application_is_compiled_after_those_that_it_needs_even_in_a_cycle() {
        let source = |needs: &[&str]| Source {
            folder: Path::new("/x"),
            files: Vec::new(),
            resource: ResourceFile {
                file: PathBuf::new(),
                name: String::new(),
                version: String::new(),
                modules: Vec::new(),
                needs: needs.iter().map(|name| (*name).to_owned()).collect(),
                optional: Vec::new(),
            },
        };
        let sources = BTreeMap::from([
            ("a".to_owned(), source(&["kernel", "c"])),
            ("b".to_owned(), source(&["a"])),
            ("c".to_owned(), source(&["b"])),
        ]);
        assert_eq!(in_order(&sources), ["kernel", "b", "c", "a"]);
    }
}
