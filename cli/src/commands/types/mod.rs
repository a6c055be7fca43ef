//! `otp-rs types MODULE[:NAME[/ARITY]]`: types and callbacks as Erlang and as Rust, side by side.

mod columns;
mod erlang_layout;
mod rust_items;

use std::collections::BTreeMap;

use otp_codegen::{Options, outside_options, references};
use otp_specs::ast::{self, FormKind, FunctionFormKind};
use otp_specs::types::Module;
use otp_specs::{Lookup, Universe, print};

use crate::args::Types;
use crate::report::{Error, Result, Ui, catalog, nearest};
use crate::sources::{Library, Neighbours, QualifiedName, Reporter};
use rust_items::{Item, items, with_parts};

/// Stands beside a form that has no Rust.
const NOTHING: &str = "// nothing is generated for it";

pub(super) fn execute(options: &Types, ui: &Ui) -> Result<()> {
    let asked = QualifiedName::of(&options.what)?;
    let library = Library::open(&options.code_path)?;
    let reporter = Reporter::to(ui);
    let read = read(&asked.module, &library, &reporter)?;
    let declared = declared(&read.forms);
    let chosen: Vec<&Declared> = declared
        .iter()
        .filter(|one| is_named(one, &asked))
        .collect();
    if chosen.is_empty() {
        return Err(unknown(&asked, &read.forms, &declared));
    }
    let rust = Rust::of(&read, library.release);
    let width = ui.width();
    let mut shown = Vec::new();
    for one in chosen {
        let pairs = rust.of_declared(&read.resolved.name, one);
        // A record that no type refers to is shown only if it is named.
        if !pairs.is_empty() || one.kind != Kind::Record || asked.name.is_some() {
            shown.push(text(&read.resolved.name, one, pairs, width));
        }
    }
    ui.output(&shown.join("\n"));
    reporter.outcome()
}

/// Whether that is what was asked for.
fn is_named(one: &Declared, asked: &QualifiedName) -> bool {
    asked.name.as_ref().is_none_or(|name| *name == one.name)
        && asked.arity.is_none_or(|arity| arity == one.arity)
}

/// The forms of a module, its resolved types, and the modules that they refer to.
struct Read {
    forms: ast::Module,
    resolved: Module,
    referred: Vec<Module>,
}

fn read(word: &str, library: &Library, reporter: &Reporter<'_>) -> Result<Read> {
    let source = library.modules.find(word)?;
    let resolved = library.read(&source, reporter)?;
    let forms = (*library.parse(&source)?.module).clone();
    let mut neighbours = Neighbours {
        of: &source,
        library,
    };
    let referred = references(&resolved);
    let referred = referred
        .iter()
        .filter_map(|name| match neighbours.module(name) {
            Lookup::Found(module) => Some(otp_specs::resolve(&module, &mut neighbours).0),
            Lookup::Missing | Lookup::Unchecked => None,
        });
    Ok(Read {
        referred: referred.collect(),
        forms,
        resolved,
    })
}

/// A type, record or callback: a form in Erlang, and an item in Rust.
struct Declared {
    kind: Kind,
    name: String,
    arity: usize,
    erlang: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Type,
    Record,
    Callback,
}

/// Types, records and callbacks in the order of their forms.
fn declared(module: &ast::Module) -> Vec<Declared> {
    let forms = module.forms.iter().map(|entry| &entry.form);
    let declared = forms.filter_map(|form| {
        let (kind, name, arity) = match &form.kind {
            FormKind::Type(form) => (Kind::Type, &form.name, form.parameters.len()),
            FormKind::Record(form) => (Kind::Record, &form.name, form.fields.len()),
            FormKind::Function(form) if form.kind == FunctionFormKind::Callback => {
                (Kind::Callback, &form.name, form.arity)
            }
            _ => return None,
        };
        Some(Declared {
            kind,
            name: name.to_string(),
            arity,
            erlang: print::form(form),
        })
    });
    declared.collect()
}

fn unknown(asked: &QualifiedName, forms: &ast::Module, declared: &[Declared]) -> Error {
    let module = &asked.module;
    let Some(name) = &asked.name else {
        return catalog::NO_TYPES.with(&[module]);
    };
    let arities: Vec<String> = declared
        .iter()
        .filter(|one| one.name == *name && one.kind != Kind::Record)
        .map(|one| format!("{module}:{name}/{}", one.arity))
        .collect();
    let shown = match asked.arity {
        Some(arity) => format!("{name}/{arity}"),
        None => name.clone(),
    };
    let error = catalog::UNKNOWN_TYPE.with(&[module, &"type or callback", &shown]);
    if !arities.is_empty() {
        return error.help(format!("there is `{}`", arities.join("`, `")));
    }
    if is_function(name, forms) {
        return error.help(format!(
            "`{name}` is a function there; `otp-rs gen-types {module} --functions` prints it in Rust"
        ));
    }
    let names = declared.iter().map(|one| one.name.as_str());
    match nearest(name, names, 3).as_slice() {
        [] => error.help(format!("`otp-rs types {module}` shows all that it has")),
        near => error.suggest(near),
    }
}

fn is_function(name: &str, module: &ast::Module) -> bool {
    module.forms.iter().any(|entry| match &entry.form.kind {
        FormKind::Function(form) => form.kind == FunctionFormKind::Spec && form.name == name,
        _ => false,
    })
}

/// The module's Rust.
struct Rust {
    items: Vec<Item>,
    callbacks: Vec<Item>,
}

impl Rust {
    fn of(read: &Read, release: u32) -> Self {
        let modules: Vec<Module> = std::iter::once(&read.resolved)
            .chain(&read.referred)
            .cloned()
            .collect();
        let release = release.to_string();
        let options = Options {
            // What otp-bridge has is shown in full, not as a `use` of it.
            provided: BTreeMap::new(),
            ..outside_options("crate::otp", "otp-rs types", &release, BTreeMap::new())
        };
        let output = otp_codegen::generate(&modules, &options);
        let all = output.files.iter().map(|(_, text)| text);
        // The name of a file may differ from the module's; its documentation names the module.
        let module = format!(" of `{}`.", read.resolved.name);
        let is_title = |line: &str| line.starts_with("//!") && line.ends_with(&module);
        let items = all
            .filter(|text| text.lines().any(is_title))
            .flat_map(items)
            .collect::<Vec<_>>();
        let callbacks = items.iter().find(|item| item.name == "callback");
        Self {
            callbacks: callbacks.map(Item::inner).unwrap_or_default(),
            items,
        }
    }

    /// The Erlang that each item stands for, and the item.
    fn of_declared(&self, module: &str, one: &Declared) -> Vec<(String, String)> {
        let roots: Vec<&Item> = match one.kind {
            Kind::Callback => self.callback(&format!("{module}:{}/{}", one.name, one.arity)),
            Kind::Type => self.quoting(&one.erlang),
            Kind::Record => self.quoting(&format!("#{}{{}}", print::atom(&one.name))),
        };
        let mut found: Vec<&Item> = Vec::new();
        for item in roots.iter().flat_map(|item| with_parts(item, &self.items)) {
            if !found.contains(&item) {
                found.push(item);
            }
        }
        let mut pairs: Vec<(String, String)> = found
            .into_iter()
            .map(|item| {
                let erlang = item.erlang().filter(|_| !roots.contains(&item));
                (erlang.unwrap_or_default().to_owned(), item.text.clone())
            })
            .collect();
        if let Some((erlang, _)) = pairs.first_mut() {
            erlang.clone_from(&one.erlang);
        }
        pairs
    }

    fn quoting(&self, erlang: &str) -> Vec<&Item> {
        let found = self.items.iter().find(|item| item.erlang() == Some(erlang));
        found.into_iter().collect()
    }

    /// A callback's trait, and what it may return.
    fn callback(&self, qualified: &str) -> Vec<&Item> {
        let described = |items: &'_ [Item], text: &str| {
            items
                .iter()
                .position(|item| item.docs.first().is_some_and(|first| first == text))
        };
        let method = described(&self.callbacks, &format!("`{qualified}`."));
        let returned = described(&self.items, &format!("What `{qualified}` may return."));
        let method = method.map(|index| &self.callbacks[index]);
        let returned = returned.map(|index| &self.items[index]);
        method.into_iter().chain(returned).collect()
    }
}

/// A heading, then Erlang and Rust: side by side if there is room, else one after the other.
fn text(module: &str, one: &Declared, mut pairs: Vec<(String, String)>, width: usize) -> String {
    if pairs.is_empty() {
        pairs.push((one.erlang.clone(), NOTHING.to_owned()));
    }
    let (module, name) = (print::atom(module), print::atom(&one.name));
    let mut text = match one.kind {
        Kind::Type => format!("type {module}:{name}/{}\n", one.arity),
        Kind::Record => format!("record #{name}{{}} of {module}\n"),
        Kind::Callback => format!("callback {module}:{name}/{}\n", one.arity),
    };
    text.push_str(&columns::text(&pairs, width));
    text
}
