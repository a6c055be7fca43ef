//! Generates Rust for Erlang modules, reads the other modules that they need, and reports and
//! writes the result.

mod counts;
mod functions;
mod report;
mod write;

use std::collections::BTreeMap;

use otp_codegen::{Output, Requested, outside_options};
use otp_specs::types::Module;

use crate::project::config::Overrides;
use crate::report::{Error, Result, Ui, catalog};
use crate::sources::{Library, Source};
pub(crate) use counts::counts;
pub(crate) use functions::add_neighbours;
pub(crate) use write::{MARK, one_file, write};

/// The parameters of a run.
pub(crate) struct Request<'a> {
    /// The path of the files in their crate.
    pub(crate) path: &'a str,
    /// The command that regenerates the files.
    pub(crate) command: &'a str,
    /// Whether exported functions are bound.
    pub(crate) functions: bool,
    /// A user's overrides for some types and functions.
    pub(crate) overrides: Option<&'a Overrides>,
}

/// Generates Rust for modules, and for the types of others that they need. Notes report types that
/// are less precise than in Erlang.
pub(crate) fn generate(
    mut read: Vec<(Source, Module)>,
    library: &Library,
    request: &Request<'_>,
    ui: &Ui,
) -> Result<Output> {
    let requested = read.iter().map(|(_, module)| module.name.clone());
    let requested = Requested::Modules(requested.collect());
    let mut unspecified = Vec::new();
    if request.functions {
        unspecified = functions::without_spec(&read, library);
    }
    add_neighbours(&mut read, library, request.functions);
    let mut options = outside_options(
        request.path,
        request.command,
        &library.release.to_string(),
        applications(&read),
    );
    options.requested = requested;
    options.functions = request.functions;
    if let Some(overrides) = request.overrides {
        options.overrides.clone_from(&overrides.decided);
    }
    let modules: Vec<Module> = read.into_iter().map(|(_, module)| module).collect();
    let output = otp_codegen::generate(&modules, &options);
    if let Some(overrides) = request.overrides {
        all_followed(overrides.errors(&output.override_diagnostics), ui)?;
    }
    report::report(&output, ui);
    functions::report(&output, &unspecified, ui);
    Ok(output)
}

/// Refuses a module without any form that has Rust.
pub(crate) fn check_useful(module: &Module, source: &Source, functions: bool) -> Result<()> {
    let is_bound = functions && module.functions.iter().any(|form| form.exported);
    if is_bound || !module.callbacks.is_empty() || !module.types.is_empty() {
        return Ok(());
    }
    let file = source
        .path
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy();
    let name = match module.name.as_str() {
        "" => &*file,
        name => name,
    };
    let help = match module.functions.iter().any(|form| form.exported) {
        true => "--functions binds the functions that it exports",
        false => "name the module that defines the behaviour, not one that implements it",
    };
    let error = catalog::NOTHING_TO_GENERATE.with(&[&name, &lack(functions)]);
    Err(error.at(source.path.display()).help(help))
}

/// Describes the forms that such a module lacks.
pub(crate) fn lack(functions: bool) -> &'static str {
    if functions {
        "no -callback, no -type and no exported function with a -spec"
    } else {
        "no -callback and no -type"
    }
}

/// Returns the applications that modules belong to.
fn applications(read: &[(Source, Module)]) -> BTreeMap<String, String> {
    read.iter()
        .filter_map(|(source, module)| Some((module.name.clone(), source.application.clone()?)))
        .collect()
}

/// Shows every error except the last, which is returned.
fn all_followed(mut errors: Vec<Error>, ui: &Ui) -> Result<()> {
    let last = errors.pop();
    errors.iter().for_each(|error| ui.error(error));
    last.map_or(Ok(()), Err)
}
