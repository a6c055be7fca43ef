//! The public interface of `otp_bridge`.

use std::collections::BTreeSet;

use syn::{ImplItem, Item, Type, UseTree, Visibility};

use super::files::File;
use crate::step::Outcome;

/// The root of the crate.
const ROOT: &str = "bridge/src/lib.rs";

/// Returns the names at the root of `otp_bridge`, with its macros, in order.
pub(crate) fn root_names(files: &[File]) -> Outcome<BTreeSet<String>> {
    let items = items(files, &[]).ok_or(format!("{ROOT} cannot be read"))?;
    let mut names = BTreeSet::new();
    for item in &items {
        collect(item, files, &[], &mut names);
    }
    // An exported macro is at the root, regardless of its file.
    let of_bridge = files.iter().filter(|it| it.path.starts_with("bridge/src/"));
    let parsed = of_bridge.filter_map(|file| syn::parse_file(&file.text).ok());
    for item in parsed.flat_map(|file| file.items) {
        if let Item::Macro(_) = item {
            collect(&item, files, &[], &mut names);
        }
    }
    Ok(names)
}

/// Counts the types and traits among the names: those with a capital letter.
pub(crate) fn types(names: &BTreeSet<String>) -> usize {
    let is_type = |name: &&String| name.starts_with(|letter: char| letter.is_uppercase());
    names.iter().filter(is_type).count()
}

/// Returns the items of a module of bridge's.
fn items(files: &[File], module: &[String]) -> Option<Vec<Item>> {
    let below = module.join("/");
    let paths = match module {
        [] => [ROOT.to_owned(), String::new()],
        _ => [
            format!("bridge/src/{below}.rs"),
            format!("bridge/src/{below}/mod.rs"),
        ],
    };
    let file = files.iter().find(|file| paths.contains(&file.path))?;
    syn::parse_file(&file.text).ok().map(|file| file.items)
}

/// Collects the public names that an item adds to its module.
fn collect(item: &Item, files: &[File], module: &[String], names: &mut BTreeSet<String>) {
    let hidden = "# [doc (hidden)]";
    let attributes = attributes(item);
    if attributes.iter().any(|text| text == hidden) {
        return;
    }
    let is_exported = attributes.iter().any(|text| text == "# [macro_export]");
    let (visibility, name) = match item {
        Item::Use(it) if matches!(it.vis, Visibility::Public(_)) => {
            return imported(&it.tree, files, module.to_vec(), names);
        }
        Item::Macro(it) if is_exported => {
            names.extend(it.ident.as_ref().map(ToString::to_string));
            return;
        }
        Item::Const(it) => (&it.vis, &it.ident),
        Item::Enum(it) => (&it.vis, &it.ident),
        Item::Fn(it) => (&it.vis, &it.sig.ident),
        Item::Mod(it) => (&it.vis, &it.ident),
        Item::Static(it) => (&it.vis, &it.ident),
        Item::Struct(it) => (&it.vis, &it.ident),
        Item::Trait(it) => (&it.vis, &it.ident),
        Item::Type(it) => (&it.vis, &it.ident),
        Item::Union(it) => (&it.vis, &it.ident),
        _ => return,
    };
    if matches!(visibility, Visibility::Public(_)) {
        names.insert(name.to_string());
    }
}

fn attributes(item: &Item) -> Vec<String> {
    let attributes = match item {
        Item::Macro(it) => &it.attrs,
        Item::Mod(it) => &it.attrs,
        Item::Use(it) => &it.attrs,
        Item::Struct(it) => &it.attrs,
        Item::Trait(it) => &it.attrs,
        Item::Fn(it) => &it.attrs,
        _ => return Vec::new(),
    };
    let text = |it: &syn::Attribute| quote::ToTokens::to_token_stream(it).to_string();
    attributes.iter().map(text).collect()
}

/// Collects the names of a `pub use`. Looks up a `*` in its module.
fn imported(tree: &UseTree, files: &[File], mut within: Vec<String>, names: &mut BTreeSet<String>) {
    match tree {
        UseTree::Path(path) => {
            let name = path.ident.to_string();
            match name.as_str() {
                "self" => {}
                "crate" => within.clear(),
                "super" => drop(within.pop()),
                _ => within.push(name),
            }
            imported(&path.tree, files, within, names);
        }
        UseTree::Name(name) if name.ident == "self" => names.extend(within.last().cloned()),
        UseTree::Name(name) => drop(names.insert(name.ident.to_string())),
        UseTree::Rename(rename) => drop(names.insert(rename.rename.to_string())),
        UseTree::Glob(_) => {
            for item in items(files, &within).unwrap_or_default() {
                collect(&item, files, &within, names);
            }
        }
        UseTree::Group(group) => {
            for tree in &group.items {
                imported(tree, files, within.clone(), names);
            }
        }
    }
}

/// Returns the public methods of `Cx` from all its `impl` blocks.
pub(crate) fn methods_of_cx(files: &[File]) -> BTreeSet<String> {
    let sources = files
        .iter()
        .filter(|file| file.path.starts_with("bridge/src/") && file.path.ends_with(".rs"));
    let mut methods = BTreeSet::new();
    for file in sources.filter(|file| file.text.contains("Cx<")) {
        let items = syn::parse_file(&file.text).map_or_else(|_| Vec::new(), |file| file.items);
        for item in items {
            methods.extend(of_cx(&item));
        }
    }
    methods
}

/// Returns the public methods in an `impl` block of `Cx`.
fn of_cx(item: &Item) -> Vec<String> {
    let Item::Impl(block) = item else {
        return Vec::new();
    };
    let is_cx = match block.self_ty.as_ref() {
        Type::Path(path) => path.path.segments.last().is_some_and(|it| it.ident == "Cx"),
        _ => false,
    };
    if !is_cx || block.trait_.is_some() {
        return Vec::new();
    }
    let methods = block.items.iter().filter_map(|item| match item {
        ImplItem::Fn(it) if matches!(it.vis, Visibility::Public(_)) => {
            Some(it.sig.ident.to_string())
        }
        _ => None,
    });
    methods.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> File {
        File::new(path, text.to_owned())
    }

    #[test]
    fn names_are_followed_through_globs() {
        let root = "pub use parts::{self, Wheel as Round, *};\npub mod net;\nmod own;\n\
                    #[macro_export]\nmacro_rules! list { () => {} }\n\
                    #[doc(hidden)]\npub mod private {}\n";
        let parts = "pub struct Wheel;\npub(crate) struct Axle;\npub use deep::Hub;\n\
                     #[macro_export]\nmacro_rules! turn { () => {} }\n";
        let files = [file(ROOT, root), file("bridge/src/parts/mod.rs", parts)];
        let names = root_names(&files).expect("the root is there");
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        assert_eq!(
            names,
            ["Hub", "Round", "Wheel", "list", "net", "parts", "turn"]
        );
    }

    #[test]
    fn only_public_methods_of_cx_count() {
        let text = "impl Cx<'_> { pub fn me(&self) {} fn own(&self) {} }\n\
                    impl Clone for Cx<'_> { fn clone(&self) {} }\n\
                    impl Other<Cx<'_>> { pub fn none(&self) {} }\n";
        let methods = methods_of_cx(&[file("bridge/src/a.rs", text)]);
        assert_eq!(methods.into_iter().collect::<Vec<_>>(), ["me"]);
    }
}
