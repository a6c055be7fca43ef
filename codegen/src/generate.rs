//! The pipeline: facts, IR, what follows from all of it, files.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use otp_specs::types::{Module, TypeName};

use crate::control::{self, Refusal, Settled};
use crate::facts::aliases::Aliases;
use crate::facts::recursion::Recursion;
use crate::facts::type_names::TypeNames;
use crate::facts::world::World;
use crate::files::Files;
use crate::functions::FunctionReport;
use crate::ir;
use crate::lower::{self, Shared};
use crate::options::{Options, TypeMap};
use crate::report::{Diagnostic, Report};
use crate::write;

/// Generated files, how precise they are, and what was wrong with the input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// `mod.rs`, `atoms.rs` and a file for each module.
    pub files: Files,
    /// What fell back to the dynamic term.
    pub report: Report,
    /// The functions of each module, by its name; empty unless [`Options::functions`] is set.
    pub functions: BTreeMap<String, FunctionReport>,
    /// Every atom that the files name.
    pub atoms: BTreeSet<String>,
    /// What the generator could not use, in order of the modules' names.
    pub diagnostics: Vec<Diagnostic>,
    /// Entries of [`Options::control`] that were not followed: the files are not what was asked for.
    pub refusals: Vec<Refusal>,
}

/// Generates the Rust of `modules`, which may refer to each other.
///
/// The output depends on the arguments alone, and not on the order of `modules`.
pub fn generate(modules: &[Module], options: &Options) -> Output {
    let mut diagnostics = Vec::new();
    let mapped = usable(&options.types, &mut diagnostics);
    let names = type_names(modules, &mapped);
    let sorted = World::new(modules).modules;
    let (control, mut refusals) = control::legal(&options.control);
    let settled = Settled::new(&control, &sorted, &names, options.functions);
    let without = without(modules, &settled.skipped);
    let world = World::new(&without);
    let recursion = Recursion::new(&world);
    let shared = Shared {
        world: &world,
        recursion: &recursion,
        names: &names,
        mapped: &mapped,
        settled: &settled,
        functions: options.functions,
    };

    let mut report = Report::default();
    let mut functions = BTreeMap::new();
    let mut lowered = Vec::new();
    for module in &world.modules {
        let one = lower::module(&shared, module);
        report.modules.insert(module.name.clone(), one.report);
        diagnostics.extend(one.diagnostics);
        functions.extend(one.functions.map(|bound| (module.name.clone(), bound)));
        lowered.push(one.module);
    }
    lower::prune_parameters(&mut lowered);
    refusals.extend(control::apply(&mut lowered, &sorted, &settled));
    refusals.sort();
    let aliases = Aliases::new(&lowered);
    lower::add_conversions(&mut lowered, &aliases);
    lower::add_forms(&mut lowered, &aliases);

    let files = files(&lowered, &aliases, options, &mut diagnostics);
    Output {
        files,
        report,
        functions,
        atoms: lowered
            .iter()
            .flat_map(|module| module.atoms.iter().cloned())
            .collect(),
        diagnostics,
        refusals,
    }
}

fn type_names(modules: &[Module], mapped: &TypeMap) -> BTreeMap<String, TypeNames> {
    let modules = World::new(modules).modules.into_iter();
    modules
        .map(|module| (module.name.clone(), TypeNames::new(module, mapped)))
        .collect()
}

/// `modules` in which types that are left out are any term; all others mean what they meant.
fn without<'m>(modules: &'m [Module], skipped: &BTreeSet<TypeName>) -> Cow<'m, [Module]> {
    match skipped.is_empty() {
        true => Cow::Borrowed(modules),
        false => Cow::Owned(control::without(modules, skipped)),
    }
}

fn files(
    modules: &[ir::Module],
    aliases: &Aliases,
    options: &Options,
    diagnostics: &mut Vec<Diagnostic>,
) -> Files {
    let features = write::Features::new(modules, &options.features);
    let mut files = Files::default();
    for module in modules {
        match write::module(module, aliases, &features, options) {
            Ok(text) => files.insert(write::file_name(&module.name), text),
            Err(write::NotRust(error)) => diagnostics.push(Diagnostic {
                module: module.name.clone(),
                item: "the whole module".to_owned(),
                message: format!("the generated text is not Rust: {error}"),
            }),
        }
    }
    files.insert("atoms.rs", write::atoms(modules, &features, options));
    files.insert("mod.rs", write::root(modules, &features, options));
    files
}

/// The type map without entries whose path is not one.
fn usable(types: &TypeMap, diagnostics: &mut Vec<Diagnostic>) -> TypeMap {
    let mut usable = types.clone();
    usable.0.retain(|name, mapped| {
        let path = syn::parse_str::<syn::Path>(&mapped.path);
        if let Err(error) = &path {
            diagnostics.push(Diagnostic {
                module: name.module.clone(),
                item: format!("{}/{}", name.name, name.arity),
                message: format!("is mapped to `{}`, which is no path: {error}", mapped.path),
            });
        }
        path.is_ok()
    });
    usable
}
