//! The stages: names and overrides, lowered modules, what follows from them, files.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

use otp_specs::types::Module;

use crate::catalog;
use crate::complete::{Complete, complete};
use crate::facts::alternatives;
use crate::facts::growth::Growth;
use crate::facts::headers::Headers;
use crate::facts::leftmost;
use crate::facts::opaque::sealed;
use crate::facts::recursion::Recursion;
use crate::facts::scope::RunScope;
use crate::facts::type_names::Names;
use crate::facts::world::{World, distinct};
use crate::files::Files;
use crate::functions::FunctionReport;
use crate::listing::{GeneratedName, listing};
use crate::lower::{self, Facts};
use crate::options::{Options, TypeMap};
use crate::overrides::{self, Matched};
use crate::report::{Diagnostic, OverrideDiagnostic, Report};
use crate::write;

/// Generated files, their precision, and the problems of the input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// `mod.rs`, `atoms.rs` and a file for each module.
    pub files: Files,
    /// The positions that fell back to the dynamic term.
    pub report: Report,
    /// The functions of each module, by its name; empty unless [`Options::functions`] is set.
    pub functions: BTreeMap<String, FunctionReport>,
    /// The fingerprint of every type, by its module and name: [`Options::provided`] of other runs.
    pub types: BTreeMap<(String, String), String>,
    /// Every atom that the files name.
    pub atoms: BTreeSet<String>,
    /// Every name that the files have.
    pub names: Vec<GeneratedName>,
    /// Input that the generator could not use, in order of the modules' names.
    pub diagnostics: Vec<Diagnostic>,
    /// Problems of [`Options::overrides`]. If there is one, the files differ from what the
    /// overrides request.
    pub override_diagnostics: Vec<OverrideDiagnostic>,
}

/// Generates the Rust of `modules`, which may refer to each other.
///
/// The output depends only on the arguments, and not on the order of `modules`.
pub fn generate(modules: &[Module], options: &Options) -> Output {
    let (mapped, unusable) = usable(&options.types);
    let headers = Headers::new(&distinct(modules));
    let resolved = leftmost::resolved(&distinct(&headers.modules));
    let expanded = alternatives::expanded(&resolved);
    let modules: Vec<&Module> = expanded.iter().map(Cow::as_ref).collect();
    let names = Names::new(&modules, &mapped);
    let (overrides, unmatched) = matched(&modules, &names, &headers, options);
    let modules = sealed(&expanded);
    let world = World::of(modules.iter().map(Cow::as_ref));
    let scope = scope(&headers, &modules, options);
    let lowered = lower::modules(&Facts {
        world: &world,
        recursion: &Recursion::new(&world),
        growth: &Growth::new(&world),
        names: &names,
        mapped: &mapped,
        overrides: &overrides,
        provided: &options.provided,
        scope: &scope,
        functions: options.functions,
    });
    let complete = complete(&lowered.modules, &overrides.derives, &options.provided);
    let (files, not_rust) = files(&complete, options);
    let atoms = complete
        .iter()
        .flat_map(|module| module.atoms.iter().cloned());
    let mut report = lowered.report;
    report.headers = headers.differences(&scope);
    let mut override_diagnostics = [unmatched, lowered.override_diagnostics].concat();
    override_diagnostics.sort();
    Output {
        files,
        types: write::fingerprints(&complete),
        names: listing(&complete),
        atoms: atoms.collect(),
        report,
        functions: lowered.functions,
        diagnostics: [unusable, lowered.diagnostics, not_rust].concat(),
        override_diagnostics,
    }
}

/// Matches the overrides with the items that they name. Types that are not generated have no
/// overrides.
fn matched(
    modules: &[&Module],
    names: &Names,
    headers: &Headers,
    options: &Options,
) -> (Matched, Vec<OverrideDiagnostic>) {
    let whole: Vec<Cow<'_, Module>> = modules.iter().copied().map(Cow::Borrowed).collect();
    let sealed = sealed(&whole);
    let narrowed = scope(headers, &sealed, options).narrowed(modules);
    let narrowed: Vec<&Module> = narrowed.iter().map(Cow::as_ref).collect();
    let overrides = headers.retargeted(&options.overrides);
    overrides::matched(&overrides, &narrowed, names, options.functions)
}

fn scope<'o>(
    headers: &'o Headers,
    modules: &[Cow<'_, Module>],
    options: &'o Options,
) -> RunScope<'o> {
    let modules = modules.iter().map(Cow::as_ref);
    RunScope::new(&options.requested, options.functions, headers, modules)
}

/// Returns the files of all modules, and diagnostics for modules that cannot be written.
fn files(modules: &[Complete<'_>], options: &Options) -> (Files, Vec<Diagnostic>) {
    let provided = write::Provided::new(modules, &options.provided);
    let features = write::Features::new(modules, &provided, &options.features);
    let open_maps = write::OpenMaps::new(modules, options);
    let used = |complete: &&Complete<'_>| !features.leave_out(&complete.module.name);
    let mut files = Files::default();
    let mut diagnostics = Vec::new();
    for complete in modules.iter().filter(used) {
        let name = &complete.module.name;
        match write::module(complete, &features, &provided, &open_maps, options) {
            Ok(text) => files.insert(complete.rust_modules.file(name), text),
            Err(write::NotRust(error)) => {
                let whole = "the whole module";
                diagnostics.push(Diagnostic::new(&catalog::NOT_RUST, name, whole, &[&error]));
            }
        }
    }
    files.insert("atoms.rs", write::atoms(modules, &features, options));
    files.insert("mod.rs", write::root(modules, &features, options));
    (files, diagnostics)
}

/// Returns the type map without entries whose path is invalid, and diagnostics for those.
fn usable(types: &TypeMap) -> (TypeMap, Vec<Diagnostic>) {
    let mut usable = TypeMap::default();
    let mut diagnostics = Vec::new();
    for (name, mapped) in &types.0 {
        match syn::parse_str::<syn::Path>(&mapped.path) {
            Ok(_) => _ = usable.0.insert(name.clone(), mapped.clone()),
            Err(error) => {
                let item = format!("{}/{}", name.name, name.arity);
                let arguments: [&dyn Display; 2] = [&mapped.path, &error];
                let message = &catalog::NOT_A_PATH;
                diagnostics.push(Diagnostic::new(message, &name.module, item, &arguments));
            }
        }
    }
    (usable, diagnostics)
}
