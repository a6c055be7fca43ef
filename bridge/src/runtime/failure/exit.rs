//! Exceptions, which end a process or a call if it does not return.

use std::borrow::Cow;
use std::fmt;
use std::panic::Location;

use super::panics::Panic;
use crate::runtime::protocol;
use crate::{DecodeError, ErlangType, Heap, Term, ToTerm, View};

/// The class of an Erlang exception.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// `erlang:error/1`
    Error,
    /// `erlang:exit/1`
    Exit,
    /// `erlang:throw/1`
    Throw,
}

/// An exception: the failure of an awaited operation, or the end of a callback's process.
///
/// A callback that returns `Err(exit)` (mostly by `?`) raises the exception in its process, as
/// Erlang code would. The report then names the Erlang functions that raised it, the callback, and
/// the file and line of the Rust code.
///
/// ```
/// # use otp_bridge_novm as _;
/// use otp_bridge::process::Class;
/// use otp_bridge::{Exit, Result, atom};
///
/// fn port(text: &str) -> Result<u16> {
///     text.parse().map_err(|_| Exit::new((atom!("not_a_port"), text)))
/// }
///
/// let exit = port("http").unwrap_err();
/// assert_eq!(exit.class(), Class::Exit);
/// assert_eq!(exit.reason().to_string(), "{not_a_port,<<\"http\">>}");
/// ```
#[derive(Clone)]
pub struct Exit(Box<Parts>);

#[derive(Clone)]
struct Parts {
    class: Class,
    reason: Term,
    stacktrace: Option<Term>,
    location: &'static Location<'static>,
    /// Whether the location is that of the running clause, which only its process knows.
    is_of_clause: bool,
}

/// The result of a callback that may also end its process. The error type defaults to [`Exit`].
pub type Result<T, E = Exit> = std::result::Result<T, E>;

impl Exit {
    /// `exit(Reason)`: the process ends with `Reason` itself.
    #[track_caller]
    pub fn new(reason: impl ToTerm) -> Self {
        Self::raised_at(Class::Exit, Term::of(&reason), Location::caller())
    }

    /// `error(Reason)`: the process ends with `{Reason, Stacktrace}`.
    #[track_caller]
    pub fn error(reason: impl ToTerm) -> Self {
        Self::raised_at(Class::Error, Term::of(&reason), Location::caller())
    }

    /// `throw(Value)`: the value is caught by the nearest `catch`.
    #[track_caller]
    pub fn throw(value: impl ToTerm) -> Self {
        Self::raised_at(Class::Throw, Term::of(&value), Location::caller())
    }

    /// Returns the class of the exception.
    #[must_use]
    pub fn class(&self) -> Class {
        self.0.class
    }

    /// Returns the reason, which can be any term.
    #[must_use]
    pub fn reason(&self) -> &Term {
        &self.0.reason
    }

    /// Returns the reason by value.
    #[must_use]
    pub fn into_reason(self) -> Term {
        self.0.reason
    }

    /// Returns Erlang's stack at the failed operation: a list of
    /// `{Module, Function, Arity, Location}`.
    #[must_use]
    pub fn stacktrace(&self) -> Option<&Term> {
        self.0.stacktrace.as_ref()
    }

    /// Returns the line of Rust that created the exception or started the failed operation.
    #[must_use]
    pub fn location(&self) -> &'static Location<'static> {
        self.0.location
    }

    pub(crate) fn raised_at(
        class: Class,
        reason: Term,
        location: &'static Location<'static>,
    ) -> Self {
        Exit(Box::new(Parts {
            class,
            reason,
            stacktrace: None,
            location,
            is_of_clause: false,
        }))
    }

    /// Creates `error(Reason)` at the running clause.
    #[cold]
    pub(crate) fn of_clause(reason: impl ToTerm) -> Self {
        let mut exit = Self::raised_at(Class::Error, Term::of(&reason), Location::caller());
        exit.0.is_of_clause = true;
        exit
    }

    /// Creates an exception of this class at the running function, for `#[raises]`.
    #[doc(hidden)]
    #[cold]
    pub fn of_function(class: Class, reason: impl ToTerm) -> Self {
        let mut exit = Self::of_clause(reason);
        exit.0.class = class;
        exit
    }

    /// Sets the location to `clause`, if the exit has the location of the running clause.
    pub(crate) fn at(mut self, clause: &'static Location<'static>) -> Self {
        if self.0.is_of_clause {
            self.0.location = clause;
        }
        self
    }

    /// Removes the message of the panic, if the reason is a panic.
    #[cold]
    pub(crate) fn without_text_of_panic(mut self) -> Self {
        if let Some(panic) = Panic::of_reason(&self.0.reason) {
            self.0.reason = Term::of(&panic.without_text());
        }
        self
    }

    /// Sets the location of the operation that has failed.
    pub(crate) fn begun_at(mut self, location: &'static Location<'static>) -> Self {
        self.0.location = location;
        self
    }

    /// Creates the exit of an operation, started at `location`, that has read a term of the wrong
    /// type.
    pub(crate) fn bad_term(error: DecodeError, location: &'static Location<'static>) -> Self {
        let reason = Term::of(&(protocol::bad_term, error));
        Self::raised_at(Class::Error, reason, location)
    }

    /// Reads `{Class, Reason, Stacktrace}`, as the generated Erlang catches it.
    pub(crate) fn caught<'a, V: View<'a>>(
        [class, reason, stacktrace]: [V; 3],
        location: &'static Location<'static>,
    ) -> Self {
        let class = match class {
            _ if class.is_atom(protocol::exit.atom()) => Class::Exit,
            _ if class.is_atom(protocol::throw.atom()) => Class::Throw,
            _ => Class::Error,
        };
        match reason.to_owned() {
            Ok(reason) => Exit(Box::new(Parts {
                class,
                reason,
                stacktrace: stacktrace.to_owned().ok(),
                location,
                is_of_clause: false,
            })),
            Err(error) => Exit::bad_term(error, location),
        }
    }
}

/// Defines how an error of the type `E` ends a process, so that `?` can be used on it. A term, such
/// as `Reason` of a function's `{error, Reason}`, is the reason of the exit.
///
/// Errors of the standard library, and a `Box<dyn Error>`, end it with their text. For an error of
/// another crate, use [`or_exit`](crate::OrExit::or_exit). For an error type of
/// your own that is not a term, implement `From<E>` for [`Exit`].
#[diagnostic::on_unimplemented(
    message = "`{E}` cannot be converted to the exit of a process",
    label = "write `.or_exit()?`, of the trait `otp_bridge::OrExit`; if the error type is yours, you can also implement `From<{E}>` for `Exit`"
)]
pub trait ExitOf<E> {
    /// Returns the exit of an error.
    fn of(error: E, location: &'static Location<'static>) -> Self;
}

impl<E> From<E> for Exit
where
    Exit: ExitOf<E>,
{
    #[track_caller]
    fn from(error: E) -> Self {
        <Exit as ExitOf<E>>::of(error, Location::caller())
    }
}

/// `exit(Reason)` with the error as the reason; `error({bad_term, #{path, expected, got}})` for a
/// [`DecodeError`].
#[diagnostic::do_not_recommend]
impl<E: ToTerm> ExitOf<E> for Exit {
    fn of(error: E, location: &'static Location<'static>) -> Self {
        let (class, reason) = match E::__IS_BAD_TERM {
            true => (Class::Error, Term::of(&(protocol::bad_term, error))),
            false => (Class::Exit, Term::of(&error)),
        };
        Self::raised_at(class, reason, location)
    }
}

/// Two exits are equal if they have the same class and reason.
impl PartialEq for Exit {
    fn eq(&self, other: &Self) -> bool {
        self.class() == other.class() && self.reason() == other.reason()
    }
}

impl ErlangType for Class {
    fn erlang_type() -> String {
        "error | exit | throw".to_owned()
    }
}

#[diagnostic::do_not_recommend]
impl ToTerm for Class {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        match self {
            Class::Error => protocol::error.to_term(heap),
            Class::Exit => protocol::exit.to_term(heap),
            Class::Throw => protocol::throw.to_term(heap),
        }
    }
}

impl Class {
    /// Returns the class as an Erlang atom.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Class::Error => "error",
            Class::Exit => "exit",
            Class::Throw => "throw",
        }
    }
}

/// The class and the reason, without the stacks of processes that have failed. `{:#}` prints the
/// whole reason.
impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let class = self.class().name();
        match f.alternate() {
            true => write!(f, "{class}: {}", self.reason()),
            false => write!(f, "{class}: {}", without_stacks(self.reason())),
        }
    }
}

/// Returns the reason without the stacks in it: of `{{{badarg, Stack}, {gen_server, call, …}}`, it
/// returns `{badarg, {gen_server, call, …}}`.
fn without_stacks(reason: &Term) -> Cow<'_, Term> {
    let Term::Tuple(elements) = reason else {
        return Cow::Borrowed(reason);
    };
    match &**elements {
        [inner, stack] if is_stack(stack) => without_stacks(inner),
        [inner @ Term::Tuple(_), second] => match without_stacks(inner) {
            Cow::Owned(inner) => Cow::Owned(Term::Tuple(vec![inner, second.clone()].into())),
            Cow::Borrowed(short) if short == inner => Cow::Borrowed(reason),
            Cow::Borrowed(short) => {
                Cow::Owned(Term::Tuple(vec![short.clone(), second.clone()].into()))
            }
        },
        _ => Cow::Borrowed(reason),
    }
}

/// Returns whether this is a list of `{Module, Function, Arity or Arguments, Location}`.
fn is_stack(term: &Term) -> bool {
    let is_frame = |frame: &Term| match frame {
        Term::Tuple(elements) => matches!(
            &**elements,
            [
                Term::Atom(_),
                Term::Atom(_),
                Term::Integer(_) | Term::List(_),
                Term::List(_)
            ]
        ),
        _ => false,
    };
    matches!(term, Term::List(frames) if !frames.is_empty() && frames.iter().all(is_frame))
}

impl fmt::Debug for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let location = self.location();
        write!(f, "{self:#} ({}:{})", location.file(), location.line())
    }
}

impl std::error::Error for Exit {}

/// The return type of a callback that may return any term: the term itself, or a [`Result`] of it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a term",
    note = "add `#[derive(Term)]` to the type"
)]
pub trait TermReturn {
    /// The type of the term.
    type Value: ToTerm;

    /// Returns the value, or the exit of the callback.
    ///
    /// # Errors
    /// The exit that the callback returned.
    fn into_value(self) -> Result<Self::Value>;
}

impl<T: ToTerm> TermReturn for T {
    type Value = T;

    fn into_value(self) -> Result<T> {
        Ok(self)
    }
}

impl<T: ToTerm> TermReturn for Result<T> {
    type Value = T;

    fn into_value(self) -> Result<T> {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atom;

    #[test]
    fn display_leaves_stacks_out() {
        let frame = (atom!("lists"), atom!("nth"), 2, Vec::<Term>::new());
        let call = || (atom!("gen_server"), atom!("call"), [atom!("till")]);
        let failed = (((atom!("badarg"), "x"), vec![frame]), call());
        let exit = Exit::new(failed);
        let short = "exit: {{badarg,<<\"x\">>},{gen_server,call,[till]}}";
        assert_eq!(exit.to_string(), short);
        let whole = "exit: {{{badarg,<<\"x\">>},[{lists,nth,2,[]}]},{gen_server,call,[till]}}";
        assert_eq!(format!("{exit:#}"), whole);
        assert!(format!("{exit:?}").starts_with(whole));
        for kept in ["{a,[]}", "{{a,b},[1]}", "{noproc,{gen_server,call,[till]}}"] {
            let reason: Term = match kept {
                "{a,[]}" => Term::of(&(atom!("a"), Term::nil())),
                "{{a,b},[1]}" => Term::of(&((atom!("a"), atom!("b")), [1])),
                _ => Term::of(&(atom!("noproc"), call())),
            };
            assert_eq!(Exit::new(reason).to_string(), format!("exit: {kept}"));
        }
    }
}
