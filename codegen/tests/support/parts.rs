//! The items of generated files, for comparisons.

use std::collections::{BTreeMap, BTreeSet};

use otp_codegen::Output;
use quote::ToTokens;

/// An item, method or bound function: the unit of comparison.
pub(crate) struct Part {
    /// Its code without attributes.
    pub(crate) code: String,
    /// The Erlang that its documentation quotes.
    pub(crate) docs: String,
    /// Names of its variants, fields, methods or arguments.
    pub(crate) parts: BTreeSet<String>,
}

impl Part {
    /// Whether its code, or its original Erlang, contains a type with one of these names.
    pub(crate) fn mentions(&self, rust: &BTreeSet<String>, erlang: &str) -> bool {
        let mut words = words(&self.code);
        words.any(|word| rust.contains(word))
            || words_of_erlang(&self.docs).any(|word| word == erlang)
    }
}

pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_'))
}

fn words_of_erlang(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || "_#@'".contains(c)))
}

/// All parts of the generated files by their paths, and the lines that give arguments their roles.
pub(crate) fn parts(output: &Output) -> (BTreeMap<String, Part>, Vec<String>) {
    let mut found = BTreeMap::new();
    let mut roles = Vec::new();
    for (path, text) in output.files.iter().filter(|(path, _)| *path != "mod.rs") {
        let file = syn::parse_file(text).expect("the generator checks that it is Rust");
        collect(path, file.items, &mut found);
        let lines = text.lines().map(str::trim);
        roles.extend(
            lines
                .filter(|line| line.starts_with("arguments = [") || line.starts_with("method = "))
                .map(str::to_owned),
        );
    }
    (found, roles)
}

fn collect(path: &str, items: Vec<syn::Item>, found: &mut BTreeMap<String, Part>) {
    let mut add = |kind: &str,
                   name: &syn::Ident,
                   attributes: &[syn::Attribute],
                   code: String,
                   parts: BTreeSet<String>| {
        let docs = attributes
            .iter()
            .filter(|attribute| attribute.path().is_ident("doc"));
        let docs = docs.map(|doc| doc.to_token_stream().to_string()).collect();
        let part = Part { code, docs, parts };
        found.insert(format!("{path} {kind} {name}"), part);
    };
    let mut inner = Vec::new();
    for item in items {
        match item {
            syn::Item::Mod(of) => inner.push((of.ident, of.content.unwrap_or_default().1)),
            syn::Item::Enum(mut of) => {
                let attributes = std::mem::take(&mut of.attrs);
                let parts = of
                    .variants
                    .iter()
                    .map(|one| one.ident.to_string())
                    .collect();
                for variant in &mut of.variants {
                    variant.attrs.clear();
                    variant
                        .fields
                        .iter_mut()
                        .for_each(|field| field.attrs.clear());
                }
                let mut variants: Vec<String> = of
                    .variants
                    .iter()
                    .map(|one| one.to_token_stream().to_string())
                    .collect();
                // The variant that accepts any term is last in an enum, so the order may change.
                variants.sort();
                add(
                    "type",
                    &of.ident,
                    &attributes,
                    format!("{} {}", of.generics.to_token_stream(), variants.join(" ")),
                    parts,
                );
            }
            syn::Item::Struct(mut of) => {
                let attributes = std::mem::take(&mut of.attrs);
                of.fields.iter_mut().for_each(|field| field.attrs.clear());
                let names = of.fields.iter().enumerate();
                let parts = names
                    .map(|(index, field)| {
                        field
                            .ident
                            .as_ref()
                            .map_or(index.to_string(), ToString::to_string)
                    })
                    .collect();
                add(
                    "type",
                    &of.ident,
                    &attributes,
                    of.to_token_stream().to_string(),
                    parts,
                );
            }
            syn::Item::Type(mut of) => {
                let attributes = std::mem::take(&mut of.attrs);
                add(
                    "type",
                    &of.ident,
                    &attributes,
                    of.to_token_stream().to_string(),
                    BTreeSet::new(),
                );
            }
            syn::Item::Trait(mut of) => {
                let attributes = std::mem::take(&mut of.attrs);
                let parts = of
                    .items
                    .iter()
                    .map(|item| match item {
                        syn::TraitItem::Fn(method) => signature(&method.sig),
                        syn::TraitItem::Type(ty) => ty.ident.to_string(),
                        other => other.to_token_stream().to_string(),
                    })
                    .collect();
                let bare: Vec<String> = of
                    .items
                    .iter_mut()
                    .map(|item| {
                        if let syn::TraitItem::Fn(method) = item {
                            method.attrs.clear();
                        }
                        item.to_token_stream().to_string()
                    })
                    .collect();
                add("trait", &of.ident, &attributes, bare.join(" "), parts);
            }
            syn::Item::ForeignMod(of) => {
                for item in of.items {
                    if let syn::ForeignItem::Fn(mut of) = item {
                        let attributes = std::mem::take(&mut of.attrs);
                        let parts = BTreeSet::from([signature(&of.sig)]);
                        add(
                            "fn",
                            &of.sig.ident,
                            &attributes,
                            of.to_token_stream().to_string(),
                            parts,
                        );
                    }
                }
            }
            // They follow from the types.
            _ => {}
        }
    }
    for (name, items) in inner {
        collect(&format!("{path}::{name}"), items, found);
    }
}

/// A method's name and those of its arguments.
fn signature(of: &syn::Signature) -> String {
    let arguments = of.inputs.iter().map(|input| match input {
        syn::FnArg::Receiver(_) => "self".to_owned(),
        syn::FnArg::Typed(typed) => typed.pat.to_token_stream().to_string(),
    });
    format!("{}({})", of.ident, arguments.collect::<Vec<_>>().join(", "))
}
