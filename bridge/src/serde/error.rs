//! Errors on the way, before they are [`DecodeError`]s

use std::fmt;

use serde::{de, ser};

use crate::term::PathSegment;
use crate::{DecodeError, View};

/// Why a value is not written or read.
#[derive(Debug)]
pub(super) enum Error {
    /// With the offending term.
    Whole(DecodeError),
    /// What serde expects. The term that is not so is known one level further out.
    Expected(String),
    /// What serde, or the user's implementation, says of a value.
    Refused(String),
}

impl Error {
    /// The term is not of the type that is described.
    #[cold]
    pub(super) fn expected<'a>(expected: impl Into<String>, got: impl View<'a>) -> Self {
        Error::Whole(DecodeError::expected_text(expected, got))
    }

    /// The error of reading this term.
    pub(super) fn of<'a>(self, term: impl View<'a>) -> DecodeError {
        match self {
            Error::Whole(error) => error,
            Error::Expected(expected) => DecodeError::expected_text(expected, term),
            Error::Refused(message) => {
                DecodeError::expected_text(format!("a value that the type takes ({message})"), term)
            }
        }
    }

    /// The error of writing a value.
    pub(super) fn of_writing(self) -> DecodeError {
        match self {
            Error::Whole(error) => error,
            Error::Expected(message) | Error::Refused(message) => {
                DecodeError::new("a value that can be written", message)
            }
        }
    }

    /// The same, for a part of what is written.
    pub(super) fn written_at(self, segment: PathSegment) -> Self {
        Error::Whole(self.of_writing().at(segment))
    }
}

impl From<DecodeError> for Error {
    fn from(error: DecodeError) -> Self {
        Error::Whole(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Whole(error) => error.fmt(formatter),
            Error::Expected(text) => write!(formatter, "expected {text}"),
            Error::Refused(text) => formatter.write_str(text),
        }
    }
}

impl std::error::Error for Error {}

impl ser::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Error::Refused(message.to_string())
    }
}

impl de::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Error::Refused(message.to_string())
    }

    fn invalid_type(_: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Error::Expected(expected.to_string())
    }

    fn invalid_value(_: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Error::Expected(expected.to_string())
    }

    fn invalid_length(_: usize, expected: &dyn de::Expected) -> Self {
        Error::Expected(expected.to_string())
    }

    fn unknown_variant(_: &str, expected: &'static [&'static str]) -> Self {
        Error::Expected(expected.join(" | "))
    }

    fn missing_field(field: &'static str) -> Self {
        Error::Whole(DecodeError::new("a value", "no such key").at_field(field))
    }
}
