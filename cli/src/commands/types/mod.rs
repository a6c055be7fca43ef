//! `otp-rs types MODULE[:NAME[/ARITY]]`: types, callbacks and functions as Erlang and as Rust, side
//! by side.

mod columns;
mod erlang_layout;
mod rust_items;

use std::collections::{BTreeMap, BTreeSet};

use otp_codegen::{
    NameKind, Options, Overrides, Requested, SkipReason, outside_options, references,
};
use otp_specs::ast::{self, FormKind, FunctionFormKind, TypeKind};
use otp_specs::types::Module;
use otp_specs::{Lookup, Universe, print};

use super::gen_types::overrides;
use crate::args::Types;
use crate::generator;
use crate::report::{Error, Result, Ui, catalog, nearest};
use crate::sources::{Library, Neighbours, QualifiedName, Reporter, Source, local_name};
use rust_items::{Item, Items, items};

/// Shown beside a form that has no Rust.
const NOTHING: &str = "// nothing is generated for it";

pub(crate) fn execute(options: &Types, ui: &Ui) -> Result<()> {
    let asked = QualifiedName::of(&options.what)?;
    let library = Library::open(&options.code_path)?;
    let overrides = overrides::read(&options.config)?;
    let reporter = Reporter::to(ui);
    let source = library.modules.find(&asked.module)?;
    let resolved = library.read(&source, &reporter)?;
    let forms = library.parse(&source)?.module;
    let declared = declared(&forms, &resolved);
    let chosen: Vec<&Declared> = declared
        .iter()
        .filter(|one| is_named(one, &asked))
        .collect();
    if chosen.is_empty() {
        if asked.name.is_none() {
            // It has forms, but they are wrong.
            reporter.outcome()?;
        }
        return Err(unknown(&asked, &declared));
    }
    let decided = overrides.map_or_else(Default::default, |overrides| overrides.decided);
    let has_functions = chosen
        .iter()
        .any(|one| one.kind == DeclarationKind::Function);
    let read = if has_functions {
        with_functions(source, resolved, &library)
    } else {
        with_referred(&source, resolved, &library)
    };
    let rust = Rust::of(&read, library.release, decided, has_functions);
    let resolved = &read[0];
    let width = ui.width();
    let mut shown = Vec::new();
    for one in chosen {
        let pairs = rust.of_declared(&resolved.name, one);
        // A record that no type refers to is shown only if the user names it, and so is a function
        // that is not exported.
        let may_lack = matches!(
            one.kind,
            DeclarationKind::Record | DeclarationKind::Function
        );
        if !pairs.is_empty() || !may_lack || asked.name.is_some() {
            let pairs = match pairs.as_slice() {
                [] => vec![(one.erlang.clone(), rust.reason(one))],
                _ => pairs,
            };
            shown.push(text(&resolved.name, one, &pairs, width));
        }
    }
    ui.output(&shown.join("\n"));
    reporter.outcome()
}

/// Returns whether the user named the declaration.
fn is_named(one: &Declared, asked: &QualifiedName) -> bool {
    asked.name.as_ref().is_none_or(|name| *name == one.name)
        && asked.arity.is_none_or(|arity| arity == one.arity)
}

/// Returns the module, and those that its types refer to.
fn with_referred(source: &Source, resolved: Module, library: &Library) -> Vec<Module> {
    let mut neighbours = Neighbours {
        of: source,
        library,
    };
    let referred = references(&resolved);
    let referred = referred
        .iter()
        .filter_map(|name| match neighbours.module(name) {
            Lookup::Found(module) => Some(otp_specs::resolve(&module, &mut neighbours).0),
            Lookup::Missing | Lookup::Unchecked => None,
        });
    let referred: Vec<Module> = referred.collect();
    std::iter::once(resolved).chain(referred).collect()
}

/// Returns the module, and the types of other modules that its functions refer to.
fn with_functions(source: Source, resolved: Module, library: &Library) -> Vec<Module> {
    let mut read = vec![(source, resolved)];
    generator::add_neighbours(&mut read, library, true);
    read.into_iter().map(|(_, module)| module).collect()
}

/// A type, record, callback or function: a form in Erlang, and an item in Rust.
struct Declared {
    kind: DeclarationKind,
    name: String,
    arity: usize,
    erlang: String,
    /// For a type that is equal to another one of its name, such as `-type set() :: set(term())`:
    /// the arity of that one.
    full: Option<usize>,
    /// Whether it is a native record, which is not a tuple.
    is_native: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum DeclarationKind {
    Type,
    Record,
    Callback,
    Function,
}

/// Returns types, records, callbacks and the functions that have a `-spec`, in the order of their
/// forms.
fn declared(module: &ast::Module, resolved: &Module) -> Vec<Declared> {
    let own: BTreeSet<(&str, usize)> = resolved
        .functions
        .iter()
        .map(|function| (function.name.as_str(), function.arity))
        .collect();
    let forms = module.forms.iter().map(|entry| &entry.form);
    let declared = forms.filter_map(|form| {
        let (kind, name, arity) = match &form.kind {
            FormKind::Type(form) => (DeclarationKind::Type, &form.name, form.parameters.len()),
            FormKind::Record(form) => (DeclarationKind::Record, &form.name, form.fields.len()),
            FormKind::Function(form) if form.kind == FunctionFormKind::Callback => {
                (DeclarationKind::Callback, &form.name, form.arity)
            }
            // The form may belong to another module.
            FormKind::Function(form) if own.contains(&(form.name.as_str(), form.arity)) => {
                (DeclarationKind::Function, &form.name, form.arity)
            }
            _ => return None,
        };
        Some(Declared {
            kind,
            name: name.to_string(),
            arity,
            erlang: print::form(form),
            full: full(&form.kind),
            is_native: matches!(&form.kind, FormKind::Record(form) if form.native),
        })
    });
    declared.collect()
}

fn full(form: &FormKind) -> Option<usize> {
    let FormKind::Type(form) = form else {
        return None;
    };
    match &form.body.kind {
        TypeKind::User(name, arguments) if *name == form.name => Some(arguments.len()),
        _ => None,
    }
}

fn unknown(asked: &QualifiedName, declared: &[Declared]) -> Error {
    let module = &asked.module;
    let Some(name) = &asked.name else {
        return catalog::NO_TYPES.with(&[module]);
    };
    let arities: Vec<String> = declared
        .iter()
        .filter(|one| one.name == *name && one.kind != DeclarationKind::Record)
        .map(|one| asked.instead(name, Some(one.arity)))
        .collect();
    let shown = local_name(name, asked.arity);
    let error =
        catalog::UNKNOWN_TYPE.with(&[module, &"type, callback or function with a -spec", &shown]);
    if !arities.is_empty() {
        return error.help(format!("there is `{}`", arities.join("`, `")));
    }
    let names = declared.iter().map(|one| one.name.as_str());
    let near = nearest(name, names, 3).into_iter();
    let near: Vec<String> = near.map(|name| local_name(name, None)).collect();
    if near.is_empty() {
        return error.help(format!("`otp-rs types {module}` shows all that it has"));
    }
    error.suggest(&near.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The module's Rust code.
struct Rust {
    items: Items,
    callbacks: Vec<Item>,
    functions: Vec<Item>,
    /// The names of the generated functions, by name and arity in Erlang.
    bound: BTreeMap<String, BTreeSet<String>>,
    /// The reason for each function without a binding.
    skipped: BTreeMap<String, SkipReason>,
}

impl Rust {
    /// Generates the Rust of the first module.
    fn of(modules: &[Module], release: u32, overrides: Overrides, functions: bool) -> Self {
        let release = release.to_string();
        let first = modules.first().map(|module| module.name.clone());
        let options = Options {
            requested: Requested::Modules(first.into_iter().collect()),
            // Items of otp-bridge are shown in full, not as a `use`.
            provided: BTreeMap::new(),
            functions,
            overrides,
            ..outside_options("crate::otp", "otp-rs types", &release, BTreeMap::new())
        };
        let output = otp_codegen::generate(modules, &options);
        let all = output.files.iter().map(|(_, text)| text);
        // The name of a file may differ from the module's; its documentation names the module.
        let name = modules.first().map_or("", |module| module.name.as_str());
        let module = format!(" of `{name}`.");
        // Definitions of a header have a file of their own.
        let is_named = |line: &str| line.ends_with(&module) || line.contains(".hrl");
        let is_title = |line: &str| line.starts_with("//!") && is_named(line);
        let items = all
            .filter(|text| text.lines().any(is_title))
            .flat_map(items)
            .collect::<Vec<_>>();
        let callbacks = items.iter().find(|item| item.name == "callback");
        let bindings = items.iter().filter(|item| item.is_bindings());
        let mut bound: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let of_module = output.names.into_iter().filter(|one| one.module == name);
        for function in of_module.filter(|one| one.kind == NameKind::Function) {
            let name_and_arity = function.erlang.split(' ').next().unwrap_or_default();
            let rust = function.rust.trim_start_matches("r#").to_owned();
            bound
                .entry(name_and_arity.to_owned())
                .or_default()
                .insert(rust);
        }
        let report = output.functions.get(name);
        let skipped = report.into_iter().flat_map(|report| &report.skipped);
        Self {
            bound,
            skipped: skipped
                .map(|one| (one.function.clone(), one.reason))
                .collect(),
            callbacks: callbacks.map(Item::inner).unwrap_or_default(),
            functions: bindings.flat_map(Item::inner).collect(),
            items: Items::new(items),
        }
    }

    /// Returns the items for a declaration, each with its Erlang.
    fn of_declared(&self, module: &str, one: &Declared) -> Vec<(String, String)> {
        let roots: Vec<&Item> = match one.kind {
            DeclarationKind::Callback => {
                self.callback(&format!("{module}:{}/{}", one.name, one.arity))
            }
            DeclarationKind::Type => self.quoting(&one.erlang),
            DeclarationKind::Record => self.quoting(&format!("#{}{{}}", print::atom(&one.name))),
            DeclarationKind::Function => {
                let names = self.bound.get(&format!("{}/{}", one.name, one.arity));
                let is_bound = |item: &&Item| names.is_some_and(|names| names.contains(&item.name));
                self.functions.iter().filter(is_bound).collect()
            }
        };
        // Each overload is beside its own clause.
        let is_overloaded = one.kind == DeclarationKind::Function && roots.len() > 1;
        let mut found: Vec<&Item> = Vec::new();
        for item in roots.iter().flat_map(|item| self.items.with_parts(item)) {
            if !found.contains(&item) {
                found.push(item);
            }
        }
        let mut pairs: Vec<(String, String)> = found
            .into_iter()
            .map(|item| {
                let erlang = item.erlang();
                let erlang = erlang.filter(|_| is_overloaded || !roots.contains(&item));
                (erlang.unwrap_or_default().to_owned(), item.text.clone())
            })
            .collect();
        if let Some((erlang, _)) = pairs.first_mut().filter(|_| !is_overloaded) {
            erlang.clone_from(&one.erlang);
        }
        pairs
    }

    fn quoting(&self, erlang: &str) -> Vec<&Item> {
        self.items.quoting(erlang).into_iter().collect()
    }

    /// Returns the reason why the generator writes no Rust for it, as a comment.
    fn reason(&self, one: &Declared) -> String {
        let function = format!("{}/{}", print::atom(&one.name), one.arity);
        match one.full {
            Some(arity) => format!(
                "// the type of {}/{arity}, whose parameters have defaults",
                print::atom(&one.name)
            ),
            None if one.is_native => {
                "// a native record is a `Term`: native code cannot read it".to_owned()
            }
            None => match self.skipped.get(&function) {
                Some(reason) if one.kind == DeclarationKind::Function => {
                    format!("{NOTHING}: {reason}")
                }
                _ => NOTHING.to_owned(),
            },
        }
    }

    /// Returns a callback's traits, and the types that each may return.
    fn callback(&self, qualified: &str) -> Vec<&Item> {
        let described = |text: String| {
            move |item: &&Item| item.docs.first().is_some_and(|first| *first == text)
        };
        let methods = self.callbacks.iter();
        let methods = methods.filter(described(format!("`{qualified}`.")));
        let returned = format!("What `{qualified}` may return.");
        let returned = self.items.all().filter(described(returned));
        methods.chain(returned).collect()
    }
}

/// Returns a heading, then Erlang and Rust: side by side if there is enough space, otherwise one
/// after the other.
fn text(module: &str, one: &Declared, pairs: &[(String, String)], width: usize) -> String {
    let (module, name) = (print::atom(module), print::atom(&one.name));
    let mut text = match one.kind {
        DeclarationKind::Type => format!("type {module}:{name}/{}\n", one.arity),
        DeclarationKind::Record => format!("record #{name}{{}} of {module}\n"),
        DeclarationKind::Callback => format!("callback {module}:{name}/{}\n", one.arity),
        DeclarationKind::Function => format!("function {module}:{name}/{}\n", one.arity),
    };
    text.push_str(&columns::text(pairs, width));
    text
}
