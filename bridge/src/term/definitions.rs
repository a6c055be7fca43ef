//! `-type` definitions of derived types.

use std::cell::RefCell;
use std::fmt;

use super::{ErlangType, quote_atom};

/// Erlang type definitions: those that some types need, each of them once.
///
/// A derived type is defined under its name in snake case, and so are the types of its fields. A
/// generic type has a definition for each of its uses, whose name includes its arguments. If two
/// types have the same name, or a type has the name of one of Erlang's own types, the name of the
/// later one includes its Rust module.
///
/// ```
/// use otp_bridge::term::Definitions;
/// use otp_bridge::Term;
/// # use otp_bridge_novm as _;
///
/// #[derive(Term)]
/// struct Item { price: u64 }
///
/// #[derive(Term)]
/// enum Request { Get, Put(Vec<Item>) }
///
/// let mut types = Definitions::new();
/// assert_eq!(types.text::<Option<Request>>(), "undefined | request()");
/// assert_eq!(
///     types.to_string(),
///     "-type request() :: get | {put, [item()]}.\n\
///      -type item() :: #{price := non_neg_integer()}.\n"
/// );
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Definitions {
    /// The Erlang module that they belong to.
    module: Option<&'static str>,
    behaviour: Option<&'static str>,
    /// Whether derived types are expanded instead of being defined.
    is_in_full: bool,
    reserved: Vec<String>,
    definitions: Vec<Definition>,
}

/// `-type name() :: text.`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    rust_name: &'static str,
    name: String,
    text: String,
    is_opaque: bool,
    /// Lines of Markdown.
    doc: &'static [&'static str],
}

/// Returns the definitions of `T` and of all types in it. `T` comes first.
///
/// ```
/// # use otp_bridge_novm as _;
/// #[derive(otp_bridge::Term)]
/// enum Request { Get, Add(i64) }
///
/// assert_eq!(
///     otp_bridge::term::erlang_definitions::<Request>().to_string(),
///     "-type request() :: get | {add, integer()}.\n"
/// );
/// ```
pub fn erlang_definitions<T: ErlangType + ?Sized>() -> Definitions {
    let mut types = Definitions::new();
    types.text::<T>();
    types
}

thread_local! {
    /// The definitions that are being collected. If there are none, derived types are expanded.
    static COLLECTING: RefCell<Option<Definitions>> = const { RefCell::new(None) };
}

impl Definitions {
    /// Creates an empty collection.
    #[must_use]
    pub fn new() -> Self {
        Definitions::default()
    }

    /// Creates an empty collection for this Erlang module, which may implement a behaviour.
    pub(crate) fn of_module(module: &'static str, behaviour: Option<&'static str>) -> Self {
        Definitions {
            module: Some(module),
            behaviour,
            ..Definitions::default()
        }
    }

    /// Creates a collection that stays empty: [`Definitions::text`] expands all derived types.
    pub(crate) fn in_full() -> Self {
        Definitions {
            is_in_full: true,
            ..Definitions::default()
        }
    }

    /// Reserves a name for a type that is defined elsewhere in the same module.
    pub fn reserve(&mut self, name: &str) {
        self.reserved.push(name.to_owned());
    }

    /// Returns the Erlang text of `T`, with each derived type by its name. Missing definitions of
    /// these types are added.
    pub fn text<T: ErlangType + ?Sized>(&mut self) -> String {
        if self.is_in_full {
            return T::erlang_type();
        }
        let borrowed = std::mem::take(self);
        let restore = Restore {
            target: self,
            previous: COLLECTING.replace(Some(borrowed)),
        };
        let text = T::erlang_type();
        drop(restore);
        text
    }

    /// Returns the definitions in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = &Definition> {
        self.definitions.iter()
    }

    /// Finds the definition of the type with this Rust name, or adds an empty one.
    fn find_or_add(&mut self, rust_name: &'static str, erlang_name: &str) -> Found {
        let mut known = self.definitions.iter();
        if let Some(known) = known.position(|known| known.rust_name == rust_name) {
            return Found::Known(self.definitions[known].name.clone());
        }
        let name = self.free_name(rust_name, erlang_name);
        self.definitions.push(Definition {
            rust_name,
            name: name.clone(),
            text: String::new(),
            is_opaque: false,
            doc: &[],
        });
        Found::New(self.definitions.len() - 1, name)
    }

    fn free_name(&self, rust_name: &str, erlang_name: &str) -> String {
        let mut name = erlang_name.to_owned() + &arguments_suffix(rust_name);
        if name.chars().count() > LONGEST {
            erlang_name.clone_into(&mut name);
        }
        for module in modules(rust_name) {
            if self.is_free(&name) {
                return name;
            }
            name = format!("{module}_{name}");
        }
        let numbered = |number: usize| match number {
            1 => name.clone(),
            _ => format!("{name}_{number}"),
        };
        let free = (1..).map(numbered).find(|name| self.is_free(name));
        free.unwrap_or(name)
    }

    fn is_free(&self, name: &str) -> bool {
        let has = |names: &[&str]| names.contains(&name);
        !has(&BUILTIN)
            && !self.reserved.iter().any(|reserved| reserved == name)
            && !self.definitions.iter().any(|known| known.name == name)
    }
}

/// The type's arguments are added to a name only if it does not become longer than this.
const LONGEST: usize = 60;

/// Erlang's own types without parameters. A module cannot define types with these names.
const BUILTIN: [&str; 43] = [
    "any",
    "arity",
    "atom",
    "binary",
    "bitstring",
    "bool",
    "boolean",
    "byte",
    "char",
    "dynamic",
    "float",
    "fun",
    "function",
    "identifier",
    "integer",
    "iodata",
    "iolist",
    "list",
    "map",
    "maybe_improper_list",
    "mfa",
    "module",
    "neg_integer",
    "nil",
    "no_return",
    "node",
    "non_neg_integer",
    "none",
    "nonempty_binary",
    "nonempty_bitstring",
    "nonempty_list",
    "nonempty_maybe_improper_list",
    "nonempty_string",
    "number",
    "pid",
    "port",
    "pos_integer",
    "record",
    "reference",
    "string",
    "term",
    "timeout",
    "tuple",
];

enum Found {
    Known(String),
    New(usize, String),
}

/// Puts the definitions back, even if writing the type's text panics.
struct Restore<'a> {
    target: &'a mut Definitions,
    previous: Option<Definitions>,
}

impl Drop for Restore<'_> {
    fn drop(&mut self) {
        if let Some(borrowed) = COLLECTING.replace(self.previous.take()) {
            *self.target = borrowed;
        }
    }
}

/// Returns the behaviour of the module whose definitions are being collected.
pub(crate) fn collecting_for() -> Option<&'static str> {
    COLLECTING.with_borrow(|collecting| collecting.as_ref()?.behaviour)
}

/// A resource type.
pub(crate) struct Defined {
    pub(crate) rust_name: &'static str,
    pub(crate) name: &'static str,
    /// The Erlang module that has it as an opaque type.
    pub(crate) module: Option<&'static str>,
    pub(crate) doc: &'static [&'static str],
}

/// Returns the text of a resource's type: `index()` in the module that has it, `geometry:index()`
/// in others, and `reference()` where no definitions are collected.
pub(crate) fn opaque(defined: &Defined) -> String {
    let text = || "reference()".to_owned();
    let here = COLLECTING.with_borrow(|collecting| collecting.as_ref().map(|it| it.module));
    let Some(here) = here else { return text() };
    let name = if BUILTIN.contains(&defined.name) {
        format!("{}_resource", defined.name)
    } else {
        defined.name.to_owned()
    };
    match defined.module {
        Some(module) if here.is_some() && here != Some(module) => {
            format!("{}:{}()", quote_atom(module), quote_atom(&name))
        }
        module => {
            let text = named((defined.rust_name, defined.doc), &name, &text).unwrap_or_else(text);
            COLLECTING.with_borrow_mut(|collecting| {
                let mut definitions = collecting.iter_mut().flat_map(|it| &mut it.definitions);
                if let Some(definition) = definitions.find(|it| it.rust_name == defined.rust_name) {
                    definition.is_opaque = module.is_some();
                }
            });
            text
        }
    }
}

/// Returns the name of a derived type, as its text, while definitions are collected. `None`
/// otherwise.
pub(super) fn named(
    (rust_name, doc): (&'static str, &'static [&'static str]),
    erlang_name: &str,
    write: &dyn Fn() -> String,
) -> Option<String> {
    let found = COLLECTING.with_borrow_mut(|collecting| {
        let types = collecting.as_mut()?;
        Some(types.find_or_add(rust_name, erlang_name))
    })?;
    let name = match found {
        Found::Known(name) => name,
        Found::New(index, name) => {
            let text = write();
            COLLECTING.with_borrow_mut(|collecting| {
                let mut definitions = collecting.iter_mut().flat_map(|it| &mut it.definitions);
                if let Some(definition) = definitions.nth(index) {
                    definition.text = text;
                    definition.doc = doc;
                }
            });
            name
        }
    };
    Some(format!("{}()", quote_atom(&name)))
}

/// Returns the Rust modules of `shop::orders::Item<…>`, from the inside out: `orders`, `shop`.
fn modules(rust_name: &str) -> impl Iterator<Item = String> {
    let path = rust_name.split('<').next().unwrap_or(rust_name);
    path.rsplit("::").skip(1).map(words)
}

/// Returns `_u64_string` for `Pair<u64, alloc::string::String>`.
fn arguments_suffix(rust_name: &str) -> String {
    let Some((_, arguments)) = rust_name.split_once('<') else {
        return String::new();
    };
    let is_word = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | ':');
    let arguments = arguments.split(|letter| !is_word(letter));
    let last = arguments.filter_map(|path| path.rsplit("::").next());
    let names = last.map(words).filter(|name| !name.is_empty());
    names.fold(String::new(), |text, name| text + "_" + &name)
}

/// Converts `HttpGet` into `http_get`; characters other than letters, digits and `_` are left out.
pub(crate) fn words(name: &str) -> String {
    let mut text = String::new();
    let mut after_small = false;
    for character in name.chars().filter(|c| c.is_alphanumeric() || *c == '_') {
        if character.is_uppercase() && after_small {
            text.push('_');
        }
        after_small = character.is_lowercase() || character.is_numeric();
        text.extend(character.to_lowercase());
    }
    text
}

impl Definition {
    /// Returns the name, without quotes or parentheses.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the Erlang text of the type.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns whether only the module that defines the type may look into its values.
    #[must_use]
    pub fn is_opaque(&self) -> bool {
        self.is_opaque
    }

    /// Returns the type's documentation: lines of Markdown.
    pub(crate) fn doc(&self) -> &'static [&'static str] {
        self.doc
    }
}

impl fmt::Display for Definition {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Definition { name, text, .. } = self;
        let attribute = if self.is_opaque { "opaque" } else { "type" };
        write!(formatter, "-{attribute} {}() :: {text}.", quote_atom(name))
    }
}

impl fmt::Display for Definitions {
    /// Writes one line for each definition.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut definitions = self.definitions.iter();
        definitions.try_for_each(|definition| writeln!(formatter, "{definition}"))
    }
}
