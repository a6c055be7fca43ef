//! A second block for one type in another Rust module of the crate. A macro sees neither other
//! blocks nor the types behind names, so this module reads the crate's source files and resolves
//! names as far as `mod` and `use` show them. Whatever it cannot resolve, it does not report. Each
//! block of a crate asks, so the work for one block is bounded: a crate with many files, or with
//! many types of one name, gets the compiler's own errors.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::{Attribute, Item, ItemImpl, Type, UseTree};

use super::second;

/// The attribute that marks the block of the macro in the text that is searched.
const HERE: &str = "__otp_here";
/// Limit of Rust files in the crate's folder.
const MOST_FILES: usize = 256;
/// Limit of blocks in the crate for types of one name. If there are more, the sources are not
/// parsed.
const MOST_BLOCKS: usize = 4;
/// Limit of `use` declarations that lead to one name.
const DEEPEST: usize = 16;

type Names = Vec<String>;

/// Another block for the type.
#[derive(Debug, PartialEq)]
pub(super) struct Other {
    pub(super) behaviour: String,
    /// The path of its Rust module.
    pub(super) module: String,
}

/// Returns the other block for the type of the block at this byte of a file, if this block is the
/// one to report: the one that is not in the type's module, or the later one.
pub(super) fn other(file: &Path, at: usize, name: &str) -> Option<Other> {
    let root = root(file)?;
    let mut texts = Vec::new();
    add_sources(root.parent()?, &mut texts)?;
    let found: usize = texts.iter().map(|text| blocks(text, name)).sum();
    if !(2..=MOST_BLOCKS).contains(&found) {
        return None;
    }
    let read = |path: &Path| {
        let mut text = fs::read_to_string(path).ok()?;
        if path == file {
            text.insert_str(at, &format!("#[{HERE}] "));
        }
        Some(text)
    };
    Crate::read(&root, &read).other()
}

/// Returns the file with the crate's root module.
fn root(file: &Path) -> Option<PathBuf> {
    let folders = file.ancestors().skip(1);
    let roots = folders.flat_map(|folder| ["lib.rs", "main.rs"].map(|name| folder.join(name)));
    roots.take(32).find(|root| root.is_file())
}

/// Adds the texts of all Rust files in a folder and those below it. `None` if there are too many.
fn add_sources(folder: &Path, texts: &mut Vec<String>) -> Option<()> {
    let entries = fs::read_dir(folder).ok()?;
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            add_sources(&path, texts)?;
        } else if path.extension().is_some_and(|it| it == "rs") {
            texts.extend(fs::read_to_string(&path));
        }
    }
    (texts.len() <= MOST_FILES).then_some(())
}

/// Returns how often the text has `for Name {`, with any path before the name, or another name for
/// a type: `Name as Own`.
fn blocks(text: &str, name: &str) -> usize {
    let is_block = |at: usize| {
        let is_path = |it: char| it.is_alphanumeric() || matches!(it, '_' | ':');
        let before = text[..at].trim_end_matches(is_path).trim_end();
        let after = text[at + name.len()..].trim_start();
        let is_name = !text[..at].ends_with(|it: char| it.is_alphanumeric() || it == '_');
        let is_alias = after.starts_with("as ") || before.ends_with(" as");
        is_name && (is_alias || before.ends_with("for") && after.starts_with('{'))
    };
    let found = text.match_indices(name);
    found.filter(|(at, _)| is_block(*at)).count()
}

/// A Rust module.
#[derive(Default)]
struct Module {
    types: BTreeSet<String>,
    /// The paths behind the names that `use` declares.
    uses: BTreeMap<String, Names>,
    globs: Vec<Names>,
}

struct Block {
    behaviour: String,
    module: Names,
    ty: Names,
    is_here: bool,
}

/// The Rust modules of a crate, and its blocks in the order of the source.
#[derive(Default)]
struct Crate {
    modules: BTreeMap<Names, Module>,
    blocks: Vec<Block>,
}

impl Crate {
    fn read(root: &Path, read: &dyn Fn(&Path) -> Option<String>) -> Self {
        let mut whole = Crate::default();
        let folder = root.parent().unwrap_or(Path::new(""));
        whole.file(root, folder, &[], read);
        whole
    }

    /// Adds the module of a file, whose own modules are in this folder.
    fn file(
        &mut self,
        file: &Path,
        folder: &Path,
        module: &[String],
        read: &dyn Fn(&Path) -> Option<String>,
    ) -> Option<()> {
        let parsed = syn::parse_file(&read(file)?).ok()?;
        self.module(parsed.items, folder, module, read);
        Some(())
    }

    fn module(
        &mut self,
        items: Vec<Item>,
        folder: &Path,
        path: &[String],
        read: &dyn Fn(&Path) -> Option<String>,
    ) {
        let mut module = Module::default();
        let mut inner = Vec::new();
        for item in items {
            match item {
                Item::Struct(item) => drop(module.types.insert(item.ident.to_string())),
                Item::Enum(item) => drop(module.types.insert(item.ident.to_string())),
                Item::Use(item) if is_plain(&item.attrs) => module.add(&item.tree, &mut Vec::new()),
                Item::Mod(item) if is_plain(&item.attrs) => inner.push(item),
                Item::Impl(item) => self.blocks.extend(block(&item, path)),
                _ => {}
            }
        }
        self.modules.insert(path.to_vec(), module);
        for item in inner {
            let name = item.ident.to_string();
            let path = [path, std::slice::from_ref(&name)].concat();
            let below = folder.join(&name);
            match item.content {
                Some((_, items)) => self.module(items, &below, &path, read),
                None => {
                    let files = [folder.join(format!("{name}.rs")), below.join("mod.rs")];
                    for file in files {
                        self.file(&file, &below, &path, read);
                    }
                }
            }
        }
    }

    /// Returns the other block for the type of the marked one, if that is the one to report.
    fn other(&self) -> Option<Other> {
        let here = self.blocks.iter().position(|block| block.is_here)?;
        let own = self.resolve(&self.blocks[here].module, &self.blocks[here].ty, 0)?;
        let place = |index: usize| (self.blocks[index].module != own.0, index);
        let mut others = (0..self.blocks.len()).filter(|index| place(*index) < place(here));
        let other = others.find(|index| {
            let block = &self.blocks[*index];
            self.resolve(&block.module, &block.ty, 0).as_ref() == Some(&own)
        })?;
        let block = &self.blocks[other];
        Some(Other {
            behaviour: block.behaviour.clone(),
            module: [&["crate".to_owned()], &block.module[..]]
                .concat()
                .join("::"),
        })
    }

    /// Returns the module of a type's declaration, and its name there.
    fn resolve(&self, from: &[String], path: &[String], depth: usize) -> Option<(Names, String)> {
        let (name, before) = path.split_last()?;
        let module = self.resolve_module(from, before, depth)?;
        let known = self.modules.get(&module)?;
        if depth > DEEPEST {
            return None;
        }
        if known.types.contains(name) {
            return Some((module, name.clone()));
        }
        if let Some(used) = known.uses.get(name) {
            return self.resolve(&module, used, depth + 1);
        }
        let globs = known.globs.iter();
        let mut found = globs.filter_map(|glob| {
            let path = [&glob[..], std::slice::from_ref(name)].concat();
            self.resolve(&module, &path, depth + 1)
        });
        let first = found.next()?;
        found.all(|other| other == first).then_some(first)
    }

    fn resolve_module(&self, from: &[String], path: &[String], depth: usize) -> Option<Names> {
        let mut module = from.to_vec();
        for (index, name) in path.iter().enumerate() {
            match name.as_str() {
                "crate" if index == 0 => module.clear(),
                "self" if index == 0 => {}
                "super" => drop(module.pop()?),
                _ => {
                    let inner = [&module[..], std::slice::from_ref(name)].concat();
                    module = match self.modules.get(&module)?.uses.get(name) {
                        _ if self.modules.contains_key(&inner) => inner,
                        Some(used) if depth <= DEEPEST => {
                            self.resolve_module(&module, used, depth + 1)?
                        }
                        _ => return None,
                    };
                }
            }
        }
        self.modules.contains_key(&module).then_some(module)
    }
}

impl Module {
    /// Adds a `use` declaration.
    fn add(&mut self, tree: &UseTree, path: &mut Names) {
        match tree {
            UseTree::Path(inner) => {
                path.push(inner.ident.to_string());
                self.add(&inner.tree, path);
                path.pop();
            }
            UseTree::Name(name) => {
                let name = name.ident.to_string();
                self.bind(&name, &name, path);
            }
            UseTree::Rename(name) => {
                self.bind(&name.rename.to_string(), &name.ident.to_string(), path);
            }
            UseTree::Glob(_) => self.globs.push(path.clone()),
            UseTree::Group(group) => group.items.iter().for_each(|it| self.add(it, path)),
        }
    }

    /// Adds `use path::name as alias`, where the name may be `self`.
    fn bind(&mut self, alias: &str, name: &str, path: &[String]) {
        let mut path = path.to_vec();
        if name != "self" {
            path.push(name.to_owned());
        }
        let alias = match (alias, path.last()) {
            ("self", Some(last)) => last.clone(),
            _ => alias.to_owned(),
        };
        self.uses.insert(alias, path);
    }
}

/// Returns the block of a behaviour.
fn block(item: &ItemImpl, module: &[String]) -> Option<Block> {
    let named = |attribute: &Attribute| {
        let name = attribute.path().segments.last()?.ident.to_string();
        second::makes_callback_module(&name).then_some(name)
    };
    let behaviour = item.attrs.iter().find_map(named)?;
    let Type::Path(ty) = &*item.self_ty else {
        return None;
    };
    let is_simple = ty.path.segments.iter().all(|it| it.arguments.is_none());
    let is_here = item.attrs.iter().any(|it| it.path().is_ident(HERE));
    (is_plain(&item.attrs) && is_simple && ty.qself.is_none()).then(|| Block {
        behaviour,
        module: module.to_vec(),
        ty: ty
            .path
            .segments
            .iter()
            .map(|it| it.ident.to_string())
            .collect(),
        is_here,
    })
}

/// Returns whether no condition and no path decides about the item.
fn is_plain(attributes: &[Attribute]) -> bool {
    let mut names = attributes.iter().filter_map(|it| it.path().segments.last());
    !names.any(|name| name.ident == "cfg" || name.ident == "cfg_attr" || name.ident == "path")
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLOCK: &str = "#[gen_server] #[__otp_here] impl GenServer for";

    /// Returns the other block in a crate of these files.
    fn other(files: &[(&str, &str)]) -> Option<(String, String)> {
        let read = |path: &Path| {
            let mut files = files.iter();
            let found = files.find(|(name, _)| Path::new("src").join(name) == path);
            found.map(|(_, text)| (*text).to_owned())
        };
        let found = Crate::read(Path::new("src/lib.rs"), &read).other()?;
        Some((found.behaviour, found.module))
    }

    #[test]
    fn the_type_is_found_by_any_path() {
        let lib = "mod a; mod b; struct Counter; #[gen_server] impl GenServer for Counter {}";
        for path in [
            "super::Counter",
            "crate::Counter",
            "self::Own",
            "Own",
            "super::b::Counter",
        ] {
            let a = format!("use super::Counter as Own; {BLOCK} {path} {{}}");
            let files = [("lib.rs", lib), ("a.rs", &a), ("b.rs", "pub use crate::*;")];
            let found = Some(("gen_server".to_owned(), "crate".to_owned()));
            assert_eq!(other(&files), found, "{path}");
        }
        let a = format!("use super::*; {BLOCK} Counter {{}}");
        let inner =
            format!("mod a {{ {a} }} struct Counter; #[x::gen_event] impl E for Counter {{}}");
        let found = Some(("gen_event".to_owned(), "crate".to_owned()));
        assert_eq!(other(&[("lib.rs", &inner)]), found);
    }

    #[test]
    fn one_of_two_blocks_is_reported() {
        let outside = "mod a { use super::Counter; #[gen_server] impl GenServer for Counter {} }";
        let lib = format!("{outside} struct Counter; {BLOCK} Counter {{}}");
        assert_eq!(other(&[("lib.rs", &lib)]), None);
        let both = "mod a; mod b; struct Counter;";
        let first = "#[gen_server] impl GenServer for super::Counter {}";
        let second = format!("{BLOCK} crate::Counter {{}}");
        let found = Some(("gen_server".to_owned(), "crate::a".to_owned()));
        let files = [("lib.rs", both), ("a/mod.rs", first), ("b.rs", &second)];
        assert_eq!(other(&files), found);
        let files = [("lib.rs", both), ("a/mod.rs", &second), ("b.rs", first)];
        assert_eq!(other(&files), None);
    }

    #[test]
    fn types_of_one_name_are_told_apart() {
        let lib = "mod a; struct Counter; #[gen_server] impl GenServer for Counter {}";
        let own = format!("struct Counter; {BLOCK} Counter {{}}");
        assert_eq!(other(&[("lib.rs", lib), ("a.rs", &own)]), None);
        // Unknown: made by a macro, generic, from another crate, or under a condition.
        for text in [
            "counter!();",
            "use other::Counter;",
            "use super::*; use other::*;",
        ] {
            let unknown = format!("{text} {BLOCK} Maybe {{}}");
            assert_eq!(
                other(&[("lib.rs", lib), ("a.rs", &unknown)]),
                None,
                "{text}"
            );
        }
        let on_unix = lib.replace("#[gen_server]", "#[cfg(unix)] #[gen_server]");
        let a = format!("{BLOCK} super::Counter {{}}");
        assert_eq!(other(&[("lib.rs", &on_unix), ("a.rs", &a)]), None);
    }

    #[test]
    fn blocks_are_counted_before_files_are_parsed() {
        let text = "impl A for Counter {} impl B for a::Counter\n{} impl C for Counters {} for Counter in x {}";
        assert_eq!(blocks(text, "Counter"), 2);
        assert_eq!(
            blocks(
                "use a::{Counter as Own, B}; use x::A as Counter;",
                "Counter"
            ),
            2
        );
        assert_eq!(blocks("fn a(Counter: u8) { MyCounter {} }", "Counter"), 0);
    }
}
