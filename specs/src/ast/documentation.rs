//! Documentation (`-doc`, chunks), and callback lists that do not come from forms.

use super::Name;

/// The results of `behaviour_info(callbacks)` and `behaviour_info(optional_callbacks)`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BehaviourInfo {
    /// Names and arities.
    pub callbacks: Vec<(Name, usize)>,
    /// Names and arities.
    pub optional: Vec<(Name, usize)>,
}

/// Documentation of a form or module.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Doc {
    /// The text, or that the entry is hidden.
    pub text: DocText,
    /// `since`, from the metadata.
    pub since: Option<String>,
    /// `deprecated`, from the metadata.
    pub deprecated: Option<String>,
    /// `equiv`, from the metadata, as Erlang text.
    pub equiv: Option<String>,
}

/// The text of a [`Doc`].
#[derive(Debug, Clone, PartialEq, Default)]
pub enum DocText {
    /// No documentation was written.
    #[default]
    None,
    /// `hidden` or `false`.
    Hidden,
    /// Text, in Markdown unless a documentation chunk says otherwise.
    Text(String),
    /// `{file, Path}`.
    File(String),
}

/// The kinds of entries in a documentation chunk (EEP 48).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DocumentedKind {
    /// A function: `-spec`.
    Function,
    /// `-type`, `-opaque`, `-nominal`
    Type,
    /// `-callback`
    Callback,
}

/// An entry of a documentation chunk.
#[derive(Debug, Clone, PartialEq)]
pub struct Documented {
    /// The kind of the documented item.
    pub kind: DocumentedKind,
    /// Name.
    pub name: Name,
    /// Arity.
    pub arity: usize,
    /// Its signature, e.g. `Module:init(Args) -> Result`. It is written for people and may not
    /// parse.
    pub signature: Vec<String>,
    /// Its documentation.
    pub doc: Doc,
}
