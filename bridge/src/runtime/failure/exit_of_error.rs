//! `?` on errors of the standard library, and of Tokio.
//!
//! An error that is a term is the reason of the exit. Rust lets a trait treat "every term" and
//! "every error" differently only if it knows that no type is both, so errors that are not terms
//! are listed here. For errors of other crates, use `or_exit`.

use std::error::Error;
use std::panic::Location;

use super::exit::{Exit, ExitOf};
use super::exit_kind::text;
use crate::{Class, Term};

/// Returns an exit whose reason is the text of the error and of its causes.
pub(super) fn exit_of(error: &dyn Error, location: &'static Location<'static>) -> Exit {
    Exit::raised_at(Class::Exit, Term::of(&text(error)), location)
}

macro_rules! errors {
    ($($error:ty),* $(,)?) => {$(
        #[diagnostic::do_not_recommend]
        impl ExitOf<$error> for Exit {
            fn of(error: $error, location: &'static Location<'static>) -> Self {
                exit_of(&error, location)
            }
        }
    )*};
}

errors! {
    std::array::TryFromSliceError,
    std::char::ParseCharError,
    std::env::VarError,
    std::fmt::Error,
    std::net::AddrParseError,
    std::num::ParseFloatError,
    std::num::ParseIntError,
    std::num::TryFromIntError,
    std::str::ParseBoolError,
    std::str::Utf8Error,
    std::string::FromUtf8Error,
    std::sync::mpsc::RecvError,
    std::sync::mpsc::RecvTimeoutError,
    std::time::SystemTimeError,
}

#[cfg(feature = "tokio")]
errors! { tokio::task::JoinError }

macro_rules! boxed_errors {
    ($($error:ty),* $(,)?) => {$(
        #[diagnostic::do_not_recommend]
        impl ExitOf<Box<$error>> for Exit {
            fn of(error: Box<$error>, location: &'static Location<'static>) -> Self {
                exit_of(&*error, location)
            }
        }
    )*};
}

boxed_errors! { dyn Error, dyn Error + Send, dyn Error + Send + Sync }

#[cfg(test)]
mod tests {
    use std::error::Error;

    use crate::Result;

    fn number(text: &str) -> Result<u8> {
        let wide: u32 = text.parse()?;
        Ok(u8::try_from(wide)?)
    }

    fn boxed(fails: bool) -> Result<()> {
        let error: Box<dyn Error + Send + Sync> = "it is away".into();
        if fails {
            Err(error)?
        }
        Ok(())
    }

    #[test]
    fn question_mark_takes_errors_of_std_at_its_line() {
        assert_eq!(number("7"), Ok(7));
        let first = number("x").expect_err("no number");
        let expected = "<<\"invalid digit found in string\">>";
        assert_eq!(first.reason().to_string(), expected);
        let second = number("300").expect_err("too large");
        assert_eq!(second.location().line(), first.location().line() + 1);
        assert!(second.location().file().ends_with("exit_of_error.rs"));
        assert_eq!(boxed(false), Ok(()));
        let boxed = boxed(true).expect_err("it fails");
        assert_eq!(boxed.reason().to_string(), "<<\"it is away\">>");
    }
}
