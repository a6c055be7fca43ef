//! `otp-rs gen-types MODULE…`: Rust for the types and callbacks of Erlang modules.

mod check;
mod diff;
pub(super) mod overrides;

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use otp_codegen::Files;
use otp_specs::types::Module;

use crate::args::{From, GenTypes};
use crate::files;
use crate::generator::{self, Request, lack};
use crate::project::names;
use crate::report::{Progress, Result, Ui, Unit, catalog};
use crate::sources::{Basis, Library, Reporter, Source};

/// The default Rust path of generated code, if neither a folder nor `--path` determines it.
const DEFAULT_PATH: &str = "crate::otp";

pub(crate) fn execute(options: &GenTypes, ui: &Ui) -> Result<()> {
    if let Some(old) = &options.diff {
        return diff::execute(options, old, ui);
    }
    let path = rust_path(options)?;
    let overrides = overrides::read(&options.config)?;
    let library = Library::open(&options.code_path)?.based_on(match options.from {
        From::Code => Basis::Code,
        From::Docs => Basis::Docs,
    });
    let reporter = Reporter::to(ui);
    let read = ui.counting(
        "Reading",
        "modules of Erlang",
        Unit::Things("modules"),
        |progress| read(options, &library, &reporter, (ui, progress)),
    )?;
    let documentation = if options.docs {
        documentation(&read, &library, ui)?
    } else {
        Vec::new()
    };
    let command = command(options);
    let request = Request {
        path: &path,
        command: &command,
        functions: options.functions,
        overrides: overrides.as_ref(),
    };
    let mut output = generator::generate(read, &library, &request, ui)?;
    for module in &documentation {
        otp_codegen::add_documentation(&mut output.files, module);
    }
    hand_over(&output.files, options, &path, ui)?;
    if let Some(file) = &options.report {
        files::write(file, generator::counts(&output).as_bytes())?;
    }
    reporter.outcome()
}

/// Compares, prints or writes the generated code.
fn hand_over(files: &Files, options: &GenTypes, path: &str, ui: &Ui) -> Result<()> {
    if let Some(folder) = &options.check {
        return check::check(files, folder, ui);
    }
    match &options.out {
        None => ui.output(&generator::one_file(files)),
        Some(folder) => {
            generator::write(files, folder)?;
            ui.status("Generated", &format!("{} for `{path}`", folder.display()));
        }
    }
    Ok(())
}

/// Returns the command that regenerates the files, for the first line of every file.
fn command(options: &GenTypes) -> String {
    let mut words = vec!["otp-rs gen-types".to_owned()];
    words.extend(options.modules.iter().cloned());
    if options.functions {
        words.push("--functions".to_owned());
    }
    if options.from == From::Docs {
        words.push("--from docs".to_owned());
    }
    let code_path = &options.code_path;
    let folders = |flag: &'static str, folders: &[PathBuf]| {
        let word = move |folder: &PathBuf| format!("{flag} {}", folder.display());
        folders.iter().map(word).collect::<Vec<_>>()
    };
    words.extend(folders("--pa", &code_path.pa));
    words.extend(folders("--src", &code_path.src));
    if options.docs {
        words.push("--docs".to_owned());
    }
    if let Some(file) = &options.config.config {
        words.push(format!("--config {}", file.display()));
    }
    if options.config.no_config {
        words.push("--no-config".to_owned());
    }
    // The command is between back quotes in a comment of one line.
    words.join(" ").replace(['`', '\n', '\r'], "?")
}

/// Returns the documentation of every module. A note lists modules without any.
fn documentation(
    read: &[(Source, Module)],
    library: &Library,
    ui: &Ui,
) -> Result<Vec<otp_specs::ast::Module>> {
    let mut documented = Vec::new();
    for (source, module) in read {
        let words = library.documentation(source)?;
        if words.doc.is_none() && words.forms.iter().all(|entry| entry.doc.is_none()) {
            let error = format!(
                "`{}` has no documentation: no -doc, no chunk Docs, and no doc/chunks/{}.chunk \
                 in its application (Debian's package `erlang-doc` has OTP's)",
                module.name, module.name
            );
            ui.note(&error);
        }
        documented.push(words);
    }
    Ok(documented)
}

/// Reads and resolves every module. The first one that cannot be read is an error.
///
/// In a list, such as all modules of an application, some modules may have nothing to generate: a
/// note reports them. It is an error if all of them do.
fn read(
    options: &GenTypes,
    library: &Library,
    reporter: &Reporter<'_>,
    (ui, progress): (&Ui, &Progress),
) -> Result<Vec<(Source, Module)>> {
    progress.begin(options.modules.len() as u64);
    let mut read: Vec<(Source, Module)> = Vec::new();
    let mut names = BTreeSet::new();
    let mut empty = Vec::new();
    for word in &options.modules {
        let source = library.modules.find(word)?;
        let module = library.read(&source, reporter)?;
        progress.step();
        if !names.insert(module.name.clone()) {
            continue;
        }
        match check_useful(&module, &source, options.functions, ui) {
            Ok(()) => read.push((source, module)),
            Err(error) => empty.push((module.name, error)),
        }
    }
    if !read.is_empty() {
        for (name, _) in &empty {
            ui.note(&format!(
                "`{name}` is left out: it has {}",
                lack(options.functions)
            ));
        }
        return Ok(read);
    }
    match empty.into_iter().next() {
        Some((_, error)) => Err(error),
        None => Ok(read),
    }
}

/// Checks a module for types and callbacks. A module with neither is refused.
fn check_useful(module: &Module, source: &Source, functions: bool, ui: &Ui) -> Result<()> {
    generator::check_useful(module, source, functions)?;
    let is_bound = functions && module.functions.iter().any(|form| form.exported);
    if !is_bound && module.callbacks.is_empty() {
        ui.note(&format!(
            "`{}` has no -callback: it gives types only",
            module.name
        ));
    }
    Ok(())
}

/// Returns the Rust path: that of `--path`, or that of the folder of `--out` or `--check` below the
/// last `src`.
fn rust_path(options: &GenTypes) -> Result<String> {
    let path = match (
        &options.path,
        options.out.as_ref().or(options.check.as_ref()),
    ) {
        (Some(path), _) => path.clone(),
        (None, None) => DEFAULT_PATH.to_owned(),
        (None, Some(folder)) => below_src(folder),
    };
    let names: Option<Vec<String>> = path
        .split("::")
        .enumerate()
        .map(|(index, name)| match name {
            "crate" if index == 0 => Some(name.to_owned()),
            _ => names::rust_name(name),
        })
        .collect();
    names
        .map(|path| path.join("::"))
        .ok_or_else(|| catalog::RUST_PATH.with(&[&path]))
}

fn below_src(folder: &Path) -> String {
    let names: Vec<String> = folder
        .components()
        .filter(|component| matches!(component, Component::Normal(_)))
        .map(|component| component.as_os_str().to_string_lossy().into_owned())
        .collect();
    let below = match names.iter().rposition(|name| name == "src") {
        Some(src) => &names[src + 1..],
        None => names.last().map(std::slice::from_ref).unwrap_or_default(),
    };
    std::iter::once("crate")
        .chain(below.iter().map(String::as_str))
        .collect::<Vec<_>>()
        .join("::")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{CodePath, ConfigArgs};

    fn path_of(out: Option<&str>, path: Option<&str>) -> Result<String> {
        rust_path(&GenTypes {
            modules: Vec::new(),
            functions: false,
            out: out.map(PathBuf::from),
            check: None,
            diff: None,
            report: None,
            docs: false,
            from: From::Code,
            config: ConfigArgs::default(),
            path: path.map(str::to_owned),
            code_path: CodePath::default(),
        })
    }

    #[test]
    fn the_rust_path_follows_the_folder() {
        assert_eq!(path_of(None, None).unwrap(), "crate::otp");
        assert_eq!(
            path_of(Some("src/otp/more"), None).unwrap(),
            "crate::otp::more"
        );
        assert_eq!(path_of(Some("/a-b/src/otp/"), None).unwrap(), "crate::otp");
        assert_eq!(path_of(Some("types"), None).unwrap(), "crate::types");
        assert_eq!(
            path_of(Some("src/x"), Some("crate::y")).unwrap(),
            "crate::y"
        );
        assert_eq!(path_of(Some("src/type"), None).unwrap(), "crate::r#type");
        assert_eq!(
            path_of(None, Some("crate::r#gen::x")).unwrap(),
            "crate::r#gen::x"
        );
        for (out, path) in [
            (Some("src/a-b"), None),
            (Some("src/self"), None),
            (None, Some("super::otp")),
            (None, Some("crate::")),
            (None, Some("a b")),
        ] {
            assert_eq!(path_of(out, path).unwrap_err().exit_code(), 1);
        }
    }
}
