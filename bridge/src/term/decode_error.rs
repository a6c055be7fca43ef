//! Errors for terms that do not have the expected type.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;

/// The largest number of segments that are shown of a path.
const SHOWN_STEPS: usize = 32;

/// The error for a term that does not have the expected type.
///
/// Its text is `child_specs[3].restart: expected permanent | transient | temporary, got soon`; as a
/// term it is `#{path := binary(), expected := binary(), got := binary()}`. If the term comes from
/// a node that runs another build of the application, the text and a key `builds` name both builds.
///
/// ```
/// # use otp_bridge_novm as _;
/// use otp_bridge::Term;
///
/// let error = Term::of(&vec![(1, 2), (3, -4)]).decode::<Vec<(u8, u8)>>().unwrap_err();
/// assert_eq!(error.path_text(), "[1].1");
/// assert_eq!(error.to_string(), "[1].1: expected 0..255, got -4");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodeError(
    /// `None` for an attempt whose error is not shown, see [`without_texts`].
    Option<Box<Parts>>,
);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Parts {
    /// From the innermost segment outwards: each level that the error passes adds its segment.
    steps: Vec<PathSegment>,
    expected: String,
    got: String,
    limit: Option<Limit>,
    /// Whether the term is beyond a bound that only the Rust type has.
    is_at_bound: bool,
    /// The builds of the sender and of this node, if they differ.
    builds: Option<String>,
}

/// The reason why a term has not been read although it may be of the type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Limit {
    /// It is larger, or nested deeper, than any term that is read.
    Term,
    /// Reading it takes longer than a normal scheduler may be held.
    Slice,
}

thread_local! {
    static WITHOUT_TEXTS: Cell<bool> = const { Cell::new(false) };
}

/// Runs `attempt` with errors that have no text and cost nothing. None of these errors may leave
/// `attempt`.
pub(crate) fn without_texts<T>(attempt: impl FnOnce() -> T) -> T {
    struct Restore(bool);

    impl Drop for Restore {
        fn drop(&mut self) {
            WITHOUT_TEXTS.set(self.0);
        }
    }

    let _restore = Restore(WITHOUT_TEXTS.replace(true));
    attempt()
}

/// Gives errors their texts again, because the attempt has reached code that will show them.
pub(crate) fn say_texts() {
    WITHOUT_TEXTS.set(false);
}

/// A segment of the path from the whole term to the offending one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathSegment {
    /// A named part: an argument, or the value of a map's key. Shown as `.name`.
    Field(Cow<'static, str>),
    /// An element of a list, counted from 0. Shown as `[3]`.
    Index(usize),
    /// An element of a tuple, counted from 0 as in Rust, the tag included. Shown as `.1`.
    Element(usize),
}

impl DecodeError {
    /// Returns the error of an attempt whose errors are not shown. `None` if they are shown.
    pub(super) fn without_text() -> Option<Self> {
        WITHOUT_TEXTS.get().then_some(DecodeError(None))
    }

    /// Returns an error with these texts and an empty path.
    pub fn new(expected: impl Into<String>, got: impl Into<String>) -> Self {
        let (expected, got) = (expected.into(), got.into());
        DecodeError(Some(Box::new(Parts {
            steps: Vec::new(),
            expected,
            got,
            limit: None,
            is_at_bound: false,
            builds: None,
        })))
    }

    /// Returns the error of a term that is beyond a limit. Then the reader does not try another
    /// type.
    pub(super) fn limit(expected: impl Into<String>, got: impl Into<String>) -> Self {
        Self::new(expected, got).beyond(Limit::Term)
    }

    /// Returns the error of a term that has to be read again from the start on another scheduler.
    #[cold]
    pub(crate) fn of_giving_way() -> Self {
        Self::new("a term that is soon read", "a longer one").beyond(Limit::Slice)
    }

    fn beyond(mut self, limit: Limit) -> Self {
        if let Some(parts) = &mut self.0 {
            parts.limit = Some(limit);
        }
        self
    }

    /// Adds the text about the builds to the error of a term from a node with another build.
    pub(crate) fn of_builds(mut self, text: String) -> Self {
        if let Some(parts) = &mut self.0 {
            parts.builds = Some(text);
        }
        self
    }

    /// Returns the builds of the application on the sender's node and on this one: `sent by b@host,
    /// which runs shop 0.2.0 (build 5e6f7a8b); this is shop 0.1.0 (build 1a2b3c4d)`. `None` if they
    /// are equal, or the term was not sent by another node.
    pub fn builds(&self) -> Option<&str> {
        self.0.as_ref()?.builds.as_deref()
    }

    /// Replaces the text of the actual term by `instead`.
    #[cold]
    pub(crate) fn without_got(mut self, instead: &str) -> Self {
        if let Some(parts) = &mut self.0 {
            instead.clone_into(&mut parts.got);
        }
        self
    }

    /// Returns whether the term is beyond a limit, and so may be of the type after all.
    pub(crate) fn is_limit(&self) -> bool {
        self.0.as_ref().is_some_and(|parts| parts.limit.is_some())
    }

    /// Returns whether the term has to be read again from the start on another scheduler.
    pub(crate) fn gives_way(&self) -> bool {
        let limit = self.0.as_ref().and_then(|parts| parts.limit);
        limit == Some(Limit::Slice)
    }

    /// Marks the term as beyond a bound of the Rust type.
    pub(crate) fn at_bound(mut self) -> Self {
        if let Some(parts) = &mut self.0 {
            parts.is_at_bound = true;
        }
        self
    }

    /// Returns whether the term, or the part of it at the path, is beyond a bound that only the
    /// Rust type has.
    pub(crate) fn is_at_bound(&self) -> bool {
        self.0.as_ref().is_some_and(|parts| parts.is_at_bound)
    }

    /// Returns whether the whole term is not of the type, and not only a part of it.
    pub(super) fn is_of_the_whole(&self) -> bool {
        let is_whole = |parts: &Parts| parts.steps.is_empty() && parts.limit.is_none();
        let parts = self.0.as_ref();
        parts.is_none_or(|parts| is_whole(parts) && !parts.is_at_bound)
    }

    /// Returns the error as seen from a term that contains the offending one at `segment`.
    #[must_use]
    pub fn at(mut self, segment: PathSegment) -> Self {
        if let Some(parts) = &mut self.0 {
            parts.steps.push(segment);
        }
        self
    }

    /// Returns the error as seen from the map or argument list that contains this field.
    #[must_use]
    pub fn at_field(self, name: impl Into<Cow<'static, str>>) -> Self {
        self.at(PathSegment::Field(name.into()))
    }

    /// Returns the error as seen from the list that contains this element, counted from 0.
    #[must_use]
    pub fn at_index(self, index: usize) -> Self {
        self.at(PathSegment::Index(index))
    }

    /// Returns the error as seen from the tuple that contains this element, counted from 0.
    #[must_use]
    pub fn at_element(self, index: usize) -> Self {
        self.at(PathSegment::Element(index))
    }

    /// Returns the segments from the whole term to the offending one.
    pub fn path(&self) -> impl ExactSizeIterator<Item = &PathSegment> {
        let steps = self.0.as_ref().map_or(&[][..], |parts| &parts.steps);
        steps.iter().rev()
    }

    /// Returns the path as text: `child_specs[3].restart`. It is empty for the whole term, and a
    /// long path is cut.
    pub fn path_text(&self) -> String {
        let mut text: String = self
            .path()
            .take(SHOWN_STEPS)
            .map(PathSegment::to_string)
            .collect();
        if self.path().len() > SHOWN_STEPS {
            text.push_str("...");
        }
        text.strip_prefix('.').map(str::to_owned).unwrap_or(text)
    }

    /// Returns the Erlang text of the expected type.
    pub fn expected_type(&self) -> &str {
        self.0.as_ref().map_or("", |parts| &parts.expected)
    }

    /// Returns the Erlang text of the actual term. A long text is cut and ends in `...`.
    pub fn got(&self) -> &str {
        self.0.as_ref().map_or("", |parts| &parts.got)
    }
}

impl fmt::Display for PathSegment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PathSegment::Field(name) => write!(formatter, ".{name}"),
            PathSegment::Index(index) => write!(formatter, "[{index}]"),
            PathSegment::Element(index) => write!(formatter, ".{index}"),
        }
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path_text();
        if !path.is_empty() {
            write!(formatter, "{path}: ")?;
        }
        write!(
            formatter,
            "expected {}, got {}",
            self.expected_type(),
            self.got()
        )?;
        match self.builds() {
            Some(builds) => write!(formatter, "; {builds}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for DecodeError {}
