//! Errors of serde's traits, before they become [`DecodeError`]s.

use std::fmt;

use serde::{de, ser};

use crate::term::PathSegment;
use crate::{DecodeError, View};

/// The reason why a value is not written or read.
#[derive(Debug)]
pub(super) enum Error {
    /// With the offending term.
    Whole(DecodeError),
    /// The value that serde expects. The offending term is known one level further out.
    Expected(String),
    /// The message of serde, or of the user's implementation, about a value.
    Refused(String),
}

impl Error {
    /// Returns the error of a term that is not of the described type.
    #[cold]
    pub(super) fn expected<'a>(expected: impl Into<String>, got: impl View<'a>) -> Self {
        Error::Whole(DecodeError::expected_text(expected, got))
    }

    /// Converts this into the error of reading this term.
    pub(super) fn of<'a>(self, term: impl View<'a>) -> DecodeError {
        match self {
            Error::Whole(error) => error,
            Error::Expected(expected) => DecodeError::expected_text(expected, term),
            Error::Refused(message) => {
                DecodeError::expected_text(format!("a value that the type takes ({message})"), term)
            }
        }
    }

    /// Converts this into the error of writing a value.
    pub(super) fn of_writing(self) -> DecodeError {
        match self {
            Error::Whole(error) => error,
            Error::Expected(message) | Error::Refused(message) => {
                DecodeError::new("a value that can be written", message)
            }
        }
    }

    /// Adds the position of a part to the error of writing it.
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
