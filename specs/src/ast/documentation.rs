//! Documentation (`-doc`, chunks), and callback lists that do not come from forms.

use super::Name;

/// What `behaviour_info(callbacks)` and `behaviour_info(optional_callbacks)` answer.
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
    /// The text, or that it is hidden.
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
    /// Nothing was written.
    #[default]
    None,
    /// `hidden` or `false`.
    Hidden,
    /// Text, in Markdown unless a documentation chunk says otherwise.
    Text(String),
    /// `{file, Path}`.
    File(String),
}

/// What a documentation chunk (EEP 48) has an entry for.
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
    /// What it is about.
    pub kind: DocumentedKind,
    /// Name.
    pub name: Name,
    /// Arity.
    pub arity: usize,
    /// How it is written, e.g. `Module:init(Args) -> Result`. Written for people: it may not parse.
    pub signature: Vec<String>,
    /// Its documentation.
    pub doc: Doc,
}
