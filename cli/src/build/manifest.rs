//! Checks the manifest of the built library: it agrees with otp.toml (the root supervisor, the
//! start phases), and all of its modules have distinct names within one Erlang VM.

use otp_codegen::erlang::wrong_types;
use otp_contract::callback::CallbackKind;
use otp_contract::erlang::quote_atom as atom;
use otp_contract::manifest::{Callback, Manifest, Module};

use super::cargo::Package;
use crate::installation::Applications;
use crate::project::ErlangSources;
use crate::project::config::{Config, Phase};
use crate::project::names::{self, Named};
use crate::report::{Error, Result, at_attribute, catalog, nearest, quoted};

/// Returns all errors. Differences between otp.toml and the code are one error, in which each line
/// names both sides.
pub(super) fn check(config: &Config, manifest: &Manifest, package: &Package) -> Vec<Error> {
    let mut differences: Vec<String> = root(config, manifest).into_iter().collect();
    differences.extend(phases(config, manifest));
    let error = catalog::DISAGREEMENT.error().at(config.path.display());
    let error = differences.iter().cloned().fold(error, Error::detail);
    let differences = (!differences.is_empty()).then_some(error);
    [
        differences,
        applications(manifest),
        command_line(config, manifest, package),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Refuses types whose Erlang text is not a type. Otherwise the compiler would blame the generated
/// module.
pub(super) fn check_types(manifest: &Manifest) -> Result<()> {
    for module in &manifest.modules {
        let wrong = wrong_types(module);
        if !wrong.is_empty() {
            let error = catalog::NOT_ERLANG.with(&[&module.rust_path]);
            return Err(wrong.into_iter().fold(error, Error::detail));
        }
    }
    Ok(())
}

/// Returns the module with the application's own callbacks, if there is one.
pub(crate) fn application(manifest: &Manifest) -> Option<&Module> {
    manifest
        .modules
        .iter()
        .find(|module| is_application(module))
}

fn is_application(module: &Module) -> bool {
    module.behaviour.as_deref() == Some("application")
}

/// An application has at most one start module.
fn applications(manifest: &Manifest) -> Option<Error> {
    let modules: Vec<&Module> = manifest
        .modules
        .iter()
        .filter(|module| is_application(module))
        .collect();
    let [.., last] = modules.as_slice() else {
        return None;
    };
    let error = catalog::TWO_APPLICATIONS
        .with(&[&modules.len()])
        .at(&last.location);
    let lines = modules.iter();
    let lines = lines.map(|module| format!("{}: `{}`", module.location, module.rust_path));
    (modules.len() > 1).then(|| lines.fold(error, Error::detail))
}

/// The root supervisor must be one of the modules, and a supervisor.
fn root(config: &Config, manifest: &Manifest) -> Option<String> {
    let Config {
        stroot,
        stroot_line,
        ..
    } = config;
    let mut modules = manifest.modules.iter();
    let found = modules.find(|module| module.module == *stroot);
    let instead = match found.map(|module| (module.behaviour.as_deref(), &module.rust_path)) {
        Some((Some(SUPERVISOR), _)) => return None,
        Some((Some(behaviour), rust)) => {
            format!("`{rust}` is of the behaviour `{behaviour}`")
        }
        Some((None, rust)) => format!("`{rust}` has only functions"),
        None => format!(
            "the code has no such module; {}",
            supervisors(stroot, manifest)
        ),
    };
    Some(format!(
        "`{stroot}`: otp.toml:{stroot_line} says that it is the root supervisor (`system.stroot`), but {instead}"
    ))
}

const SUPERVISOR: &str = "supervisor";

/// Returns the supervisors that may have been meant.
fn supervisors(stroot: &str, manifest: &Manifest) -> String {
    let supervisors = manifest.modules.iter();
    let supervisors = supervisors.filter(|it| it.behaviour.as_deref() == Some(SUPERVISOR));
    let names: Vec<&str> = supervisors.map(|it| it.module.as_str()).collect();
    match (
        nearest(stroot, names.iter().copied(), 1).first(),
        names.is_empty(),
    ) {
        (Some(near), _) => format!("did you mean `{near}`?"),
        (None, false) => format!("its supervisors are {}", quoted(&names)),
        (None, true) => {
            "it has no supervisor at all; the file of one needs a line `pub mod …;` in src/lib.rs"
                .to_owned()
        }
    }
}

/// The recipient of the command line must accept one. This is the module with the application's own
/// callbacks, or otherwise the root supervisor.
fn command_line(config: &Config, manifest: &Manifest, package: &Package) -> Option<Error> {
    let root = |module: &&Module| module.module == config.stroot;
    let (module, argument) = match application(manifest) {
        Some(module) => (module, "StartArgs"),
        None => (manifest.modules.iter().find(root)?, "Args"),
    };
    let refusal = module.refuses_command_line.as_ref()?;
    let error = catalog::NO_COMMAND_LINE
        .with(&[&module.rust_path])
        .help(format!(
            "write `type {argument} = Vec<String>;`: it is a list of texts"
        ));
    Some(at_attribute(error, &package.workspace, module).detail(refusal))
}

/// Each start phase must have a clause, and each clause a phase.
fn phases(config: &Config, manifest: &Manifest) -> Vec<String> {
    let phases = &config.related.start_phases;
    let module = application(manifest);
    let callback = module.and_then(|it| it.callback(CallbackKind::Phase));
    let (Some(module), Some(callback)) = (module, callback) else {
        let without = |phase: &Phase| {
            format!(
                "`{}`: otp.toml:{} says that it is a phase of the start, but the code has no `start_phase`; write \
                 `fn start_phase(…)` into the block `impl Application for …`",
                phase.name, phase.line
            )
        };
        return phases.iter().map(without).collect();
    };
    let Some(taken) = atoms_of_first(module, callback) else {
        return Vec::new();
    };
    let rust = &module.rust_path;
    let missing = phases
        .iter()
        .filter(|phase| !taken.contains(&atom(&phase.name).as_str()));
    let missing = missing.map(|phase| {
        format!(
            "`{}`: otp.toml:{} says that it is a phase of the start, but `start_phase` of `{rust}` has no clause for it",
            phase.name, phase.line
        )
    });
    let unknown = taken
        .iter()
        .filter(|text| !phases.iter().any(|phase| atom(&phase.name) == **text));
    let unknown = unknown.map(|text| {
        format!(
            "`{text}`: `start_phase` of `{rust}` has a clause for it, but `application.start_phases` in otp.toml does \
             not name it"
        )
    });
    missing.chain(unknown).collect()
}

/// Returns the atoms that a callback's clauses take as their first arguments. `None` if one takes
/// another term.
fn atoms_of_first<'m>(module: &'m Module, callback: &'m Callback) -> Option<Vec<&'m str>> {
    let mut atoms = Vec::new();
    for member in callback.signature.arguments.first()?.split(" | ") {
        let named = member
            .strip_suffix("()")
            .and_then(|name| module.types.iter().find(|it| it.name == name));
        let text = named.map_or(member, |named| &named.text);
        let members = text.split(" | ").map(str::trim);
        atoms.extend(members);
    }
    let is_atom = |text: &&str| {
        let first = text.chars().next();
        !text.contains(['(', '{', '[', '#'])
            && first.is_some_and(|it| it == '\'' || it.is_ascii_lowercase())
    };
    atoms.iter().all(is_atom).then_some(atoms)
}

/// Returns an error for each module whose name is already used by a module of the library, of OTP,
/// of the application's Erlang sources, or of the build.
pub(super) fn check_modules(
    manifest: &Manifest,
    package: &Package,
    sources: &ErlangSources,
    otp: &Applications,
) -> Vec<Error> {
    let generated = names::generated_modules(&package.name);
    let of_one = |module: &Module| {
        let name = &module.module;
        let error = if let Err(error) = names::check_free(Named::Module, name, otp) {
            error.help(rename(module))
        } else if generated.contains(name) {
            names::taken_by_build(name).help(rename(module))
        } else if sources.modules.contains(name) {
            let what = format!("{} is this module", sources.file(name));
            catalog::NAME_TAKEN
                .with(&[name, &what])
                .help(rename(module))
        } else {
            return None;
        };
        Some(at_attribute(error, &package.workspace, module))
    };
    let taken = manifest.modules.iter().filter_map(of_one);
    twice(manifest, package).into_iter().chain(taken).collect()
}

/// Returns how to give the Erlang module another name.
fn rename(module: &Module) -> &'static str {
    match module.behaviour {
        Some(_) => "rename the Rust type, or write `module = \"…\"` into its attribute",
        None => "write another name into the attribute of one of them: `#[module(\"…\")]`",
    }
}

/// Two Rust types, or modules of functions, cannot be the same Erlang module.
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
        at_attribute(error.help(rename(second)), &package.workspace, second)
    };
    pairs.map(error).collect()
}

#[cfg(test)]
pub(super) mod tests;
