//! Writes IR as Rust source, with one file of this folder for each kind of code.

mod accepted;
mod atoms;
mod callbacks;
mod construct;
mod constructors;
mod conversions;
mod defaults;
mod describe;
mod discriminants;
mod facts;
mod features;
mod functions;
mod generic;
mod glue;
mod layout;
mod open_maps;
mod parts;
mod provided;
mod result;
mod returns;
mod scope;
mod signature;
mod taken;
mod types;

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, TokenStream};
use quote::quote;

pub(crate) use atoms::atoms;
pub(crate) use features::Features;
pub(crate) use layout::NotRust;
pub(crate) use open_maps::OpenMaps;
pub(crate) use provided::{Provided, fingerprints};
use scope::Scope;
use types::RustTypes;

use crate::complete::Complete;
use crate::ir::{Behaviour, Item, Module};
use crate::options::{Destination, Head, Options};
use crate::writer::TypeWriter;

/// Returns the file of one module.
pub(crate) fn module(
    complete: &Complete<'_>,
    features: &Features,
    provided: &Provided,
    open_maps: &OpenMaps,
    options: &Options,
) -> Result<String, NotRust> {
    let module = complete.module;
    let names = top_names(module);
    let scope = Scope::top(complete, &names);
    let doc = inner_doc(module, options);
    let imports = imports(complete, options);
    let writer = RustTypes {
        scope: scope.clone(),
        open_maps,
    };
    let (reused, written): (Vec<&Item>, Vec<&Item>) = module
        .items
        .iter()
        .partition(|item| provided.has(&module.name, &item.name));
    let reused = reused_items(complete, features, &reused);
    let items = written.into_iter().map(|item| {
        let condition = features.of_item(&module.name, &item.name);
        conditional(writer.item(item), condition)
    });
    let behaviour = module
        .behaviour
        .as_ref()
        .map(|behaviour| behaviour_part(&scope, behaviour, options));
    let functions = functions::functions(&scope, features, options);
    let parts = std::iter::once(quote!(#doc #imports #reused)).chain(items);
    let parts = parts.chain(behaviour).chain(std::iter::once(functions));
    let text = layout::unparse(parts)?;
    let describe = module
        .behaviour
        .as_ref()
        .map(|behaviour| {
            describe::describe(&complete.rust_module(), behaviour, &options.destination)
        })
        .unwrap_or_default();
    Ok(format!(
        "{}{text}{describe}",
        head(&options.head, Some(&module.name))
    ))
}

/// Returns the re-exports of items that `otp-bridge` has, grouped by condition.
fn reused_items(complete: &Complete<'_>, features: &Features, items: &[&Item]) -> TokenStream {
    let module = complete.module;
    let path = scope::identifier(&complete.rust_module());
    let mut conditions: BTreeMap<String, (Option<TokenStream>, Vec<Ident>)> = BTreeMap::new();
    for item in items {
        let condition = features.of_item(&module.name, &item.name);
        let text = condition.iter().map(TokenStream::to_string).collect();
        let (_, names) = conditions.entry(text).or_insert((condition, Vec::new()));
        names.push(scope::identifier(&item.name));
    }
    let groups = conditions.into_values().map(|(condition, names)| {
        quote! {
            #condition
            #[doc(inline)]
            pub use ::otp_bridge::#path::{#(#names),*};
        }
    });
    quote!(#(#groups)*)
}

/// Returns `items`, each under `condition`.
fn conditional(items: TokenStream, condition: Option<TokenStream>) -> TokenStream {
    let Some(condition) = condition else {
        return items;
    };
    match syn::parse2::<syn::File>(items.clone()) {
        Ok(file) => {
            let items = file.items;
            quote!(#(#condition #items)*)
        }
        Err(_) => items,
    }
}

/// Lints that do not apply to generated files. Some imports are unused: a file need not use what
/// every file imports, and a crate that re-exports a module may import its types from elsewhere.
const ALLOWED: &str = "\
#![allow(clippy::all, missing_docs, non_snake_case, unreachable_pub)]
#![allow(unused_imports)]

";

/// Returns the file that declares the modules.
pub(crate) fn root(modules: &[Complete<'_>], features: &Features, options: &Options) -> String {
    let mut text = head(&options.head, None);
    text.push_str("//! Types and behaviours generated from Erlang's own forms.\n\n");
    text.push_str(ALLOWED);
    let mut names: BTreeMap<String, Option<String>> = modules
        .iter()
        .filter(|complete| !features.leave_out(&complete.module.name))
        .map(|complete| {
            let condition = features.of_module(&complete.module.name);
            (complete.rust_module(), condition)
        })
        .collect();
    names.entry("atoms".to_owned()).or_default();
    for (name, condition) in names {
        if let Some(condition) = condition {
            text.push_str(&format!("#[cfg({condition})]\n"));
        }
        // The generator does the layout, so that the bytes do not depend on the installed rustfmt.
        text.push_str("#[rustfmt::skip]\n");
        if !name.is_ascii() {
            // Without the attribute, rustc does not load a file with such a name.
            text.push_str(&format!("#[path = \"{name}.rs\"]\n"));
        }
        text.push_str(&format!("pub mod {name};\n"));
    }
    text
}

fn behaviour_part(scope: &Scope<'_>, behaviour: &Behaviour, options: &Options) -> TokenStream {
    let returns = behaviour
        .callbacks
        .iter()
        .map(|callback| returns::returns(scope, callback));
    let umbrella = callbacks::umbrella(scope, behaviour);
    let callbacks = callbacks::callbacks(scope, behaviour);
    let constructors = constructors::constructors(scope, behaviour);
    // In `otp-bridge`, every behaviour's prelude is hand-written, because it contains more.
    let prelude =
        (options.destination != Destination::Bridge).then(|| describe::prelude(behaviour));
    let discriminants = discriminants::discriminants(scope, behaviour);
    let glue = glue::glue(scope, behaviour);
    let signatures = signature::signatures(behaviour);
    let constant = describe::constant(scope, behaviour);
    // Its documentation is hand-written there.
    let taken = (options.destination == Destination::Bridge)
        .then(|| taken::taken(behaviour))
        .flatten();
    quote!(#umbrella #discriminants #(#returns)* #constructors #callbacks #prelude #glue #signatures #taken #constant)
}

fn top_names(module: &Module) -> BTreeSet<String> {
    let items = module.items.iter().map(|item| item.name.clone());
    let others = module.names_of_whole.iter().cloned();
    let all = items.chain(module.names_beside_items());
    all.chain(others).collect()
}

fn inner_doc(module: &Module, options: &Options) -> TokenStream {
    let example = options
        .examples
        .as_ref()
        .filter(|_| options.features.contains(&module.name))
        .map(|folder| example(folder, &module.name));
    let what = match (module.behaviour.is_some(), example.is_some()) {
        (true, _) => "Types and callbacks",
        (false, true) => "Functions and types",
        (false, false) => "Types",
    };
    let text = format!(" {what} of `{}`.", module.name);
    quote!(#![doc = #text] #example)
}

/// Returns a file's Rust as an example. It is compiled as a test if all modules are available,
/// because an example may use several.
fn example(folder: &str, module: &str) -> TokenStream {
    let file = format!("{folder}/{module}.rs");
    quote! {
        #![doc = ""]
        #![doc = " # Example"]
        #![doc = ""]
        #![cfg_attr(feature = "all", doc = " ```")]
        #![cfg_attr(not(feature = "all"), doc = " ```ignore")]
        #![doc = " # use otp_bridge_novm as _;"]
        #![doc = include_str!(#file)]
        #![doc = " ```"]
    }
}

fn imports(module: &Complete<'_>, options: &Options) -> TokenStream {
    let run_time = match &options.destination {
        Destination::Bridge => quote!(crate::__private),
        Destination::Outside(_) => quote!(::otp_bridge::__private),
    };
    let atoms = module.names_atoms().then(|| {
        quote!(
            use super::atoms;
        )
    });
    quote! {
        use #run_time as rt;
        #atoms
    }
}

/// Returns the import of the run time in one of a module's own modules.
fn run_time_import(unused: bool) -> TokenStream {
    if unused {
        TokenStream::new()
    } else {
        quote!(
            use super::rt;
        )
    }
}

/// Returns whether a file belongs to the module, according to its first line.
pub(crate) fn is_from(text: &str, module: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    first.contains(&format!("` from {module} ("))
}

/// Returns the first line of a file.
fn head(head: &Head, module: Option<&str>) -> String {
    let release = &head.release;
    let from = match module {
        Some(module) => match head.applications.get(module) {
            Some(application) => format!("{module} ({application}, Erlang/OTP {release})"),
            None => format!("{module} (Erlang/OTP {release})"),
        },
        None => format!("Erlang/OTP {release}"),
    };
    format!(
        "// @generated by `{}` from {from}. Do not edit.\n",
        head.command
    )
}
