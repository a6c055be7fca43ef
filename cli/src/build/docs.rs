//! Documentation chunks (EEP 48) of the generated modules, from which the shell's `h/1` and editors
//! read: the files `doc/chunks/MODULE.chunk` of the built application.
//!
//! Since OTP 27, the compiler makes the chunks from `-doc` attributes
//! ([`Documentation`]), so there are no such files.

use std::fs;

use otp_bridge::term::{Binary, EmptyMap, etf};
use otp_bridge::{Atom, Term, atom};
use otp_codegen::erlang::Documentation;
use otp_contract::manifest::{Callback, Manifest, Module, TypeDefinition};

use super::layout::{BuildFolder, files};
use crate::files::write_unless_same;
use crate::report::{Error, Result};

/// The folder of the files.
const FOLDER: &str = "doc/chunks";

/// Updates the files after a build for a release of OTP.
pub(super) fn update(folder: &BuildFolder, release: u32, manifest: &Manifest) -> Result<()> {
    match Documentation::of_release(release) {
        Documentation::Edoc => write(folder, manifest),
        Documentation::Attributes => remove(folder),
    }
}

/// Writes the chunks of all modules, and removes those of modules that are gone.
fn write(folder: &BuildFolder, manifest: &Manifest) -> Result<()> {
    let chunks = folder.path.join(FOLDER);
    fs::create_dir_all(&chunks).map_err(|error| Error::io("create", &chunks, &error))?;
    let mut written = Vec::new();
    for module in &manifest.modules {
        let file = chunks.join(format!("{}.chunk", module.module));
        write_unless_same(&file, &etf::encode(&chunk(module)))?;
        written.push(file);
    }
    for file in files(&chunks)? {
        if !written.contains(&file) {
            fs::remove_file(&file).map_err(|error| Error::io("remove", &file, &error))?;
        }
    }
    Ok(())
}

/// Removes the chunks of a build with an older release.
fn remove(folder: &BuildFolder) -> Result<()> {
    let chunks = folder.path.join(FOLDER);
    match fs::remove_dir_all(&chunks) {
        Err(error) if chunks.exists() => Err(Error::io("remove", &chunks, &error)),
        _ => Ok(()),
    }
}

/// `{docs_v1, Anno, Language, Format, ModuleDoc, Metadata, Docs}`
fn chunk(module: &Module) -> Term {
    let functions = module.callbacks.iter().map(|it| function(module, it));
    let types = module.types.iter().map(definition);
    let format = "text/markdown";
    let entries: Vec<Term> = functions.chain(types).collect();
    let doc = text(&module.doc, "none");
    let (tag, line, language) = (atom!("docs_v1"), module.location.line, atom!("erlang"));
    Term::of(&(tag, line, language, format, doc, EmptyMap, entries))
}

fn function(module: &Module, callback: &Callback) -> Term {
    let signature = &callback.signature;
    let arguments = signature.arguments.join(", ");
    let returns = signature.returns.join(" | ");
    let line = callback.clauses.first().map_or(0, |it| it.location.line);
    // A callback is not for users of the module.
    let without = if module.behaviour.is_some() {
        "hidden"
    } else {
        "none"
    };
    entry(
        ("function", &callback.name, callback.arity),
        line,
        &format!("{}({arguments}) -> {returns}", callback.name),
        text(&callback.doc, without),
    )
}

fn definition(ty: &TypeDefinition) -> Term {
    let TypeDefinition {
        name,
        text: of,
        doc,
        is_opaque,
    } = ty;
    let signature = match is_opaque {
        true => format!("{name}()"),
        false => format!("{name}() :: {of}"),
    };
    entry(("type", name, 0), 0, &signature, text(doc, "none"))
}

/// `{{Kind, Name, Arity}, Anno, Signature, Doc, Metadata}`
fn entry((kind, name, arity): (&str, &str, usize), line: u32, signature: &str, doc: Term) -> Term {
    let named = (atom(kind), atom(name), arity);
    Term::of(&(named, line, vec![signature], doc, EmptyMap))
}

/// `#{<<"en">> => Markdown}`, or an atom if there is no text.
fn text(markdown: &str, without: &str) -> Term {
    if markdown.is_empty() {
        return atom(without);
    }
    let text = |text: &str| Term::Binary(Binary::from(text.as_bytes().to_vec()));
    Term::Map([(text("en"), text(markdown))].into_iter().collect())
}

fn atom(name: &str) -> Term {
    Atom::new(name).map_or_else(|_| Term::nil(), Term::Atom)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANIFEST: &str = r#"{"modules": [{
        "module": "geometry", "behaviour": null, "rust_path": "shop::geometry", "doc": "Areas.",
        "location": {"file": "src/geometry.rs", "line": 3, "column": 1}, "state": null, "start": [],
        "types": [{"name": "index", "text": "reference()", "is_opaque": true, "doc": "An *index*."},
                  {"name": "shape", "text": "square | circle"}],
        "callbacks": [
            {"id": 1, "name": "area", "arity": 1, "doc": "The area.",
             "signature": {"arguments": ["Shape :: shape()"], "returns": ["float()", "none"]}},
            {"id": 2, "name": "new", "arity": 0, "signature": {"arguments": [], "returns": ["index()"]}}
        ]
    }]}"#;

    /// Returns the chunk of the module in the manifest, as Erlang text.
    fn written(manifest: &str) -> String {
        let manifest = Manifest::from_json(manifest).expect("a manifest");
        chunk(&manifest.modules[0]).to_string()
    }

    #[test]
    fn functions_and_types_have_their_documentation() {
        let expected = "{docs_v1,3,erlang,<<\"text/markdown\">>,#{<<\"en\">> => <<\"Areas.\">>},#{},[\
            {{function,area,1},0,[<<\"area(Shape :: shape()) -> float() | none\">>],#{<<\"en\">> => <<\"The area.\">>},#{}},\
            {{function,new,0},0,[<<\"new() -> index()\">>],none,#{}},\
            {{type,index,0},0,[<<\"index()\">>],#{<<\"en\">> => <<\"An *index*.\">>},#{}},\
            {{type,shape,0},0,[<<\"shape() :: square | circle\">>],none,#{}}]}";
        assert_eq!(written(MANIFEST), expected);
    }

    #[test]
    fn callbacks_without_documentation_are_hidden() {
        let server = MANIFEST.replace("\"behaviour\": null", "\"behaviour\": \"gen_server\"");
        let text = written(&server);
        assert!(
            text.contains("[<<\"new() -> index()\">>],hidden,#{}"),
            "{text}"
        );
        assert!(!written(MANIFEST).contains("hidden"));
    }
}
