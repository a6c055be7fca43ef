//! Reasons of errors that only functions for Erlang return, and texts for all reasons.

use std::fmt;

use otp_bridge::{Pid, Term};

use super::replicas::ReplicaError;
use crate::error::Error;

/// Reasons why a root could not be changed: an error of the tree, or the `{error, Reason}` that the
/// function returned.
#[derive(Debug, Clone, PartialEq, Term)]
pub enum UpdateError {
    /// An error as other functions return it.
    #[term(untagged)]
    Error(Error),
    /// `{refused, Reason}`
    Refused(Term),
    /// `{busy, Process}`: the process has the turn, or has just had it.
    Busy(Option<Pid>),
}

/// Returns a text for a reason that a function of this application has returned.
#[must_use]
pub fn text(reason: &Term) -> String {
    if let Ok(error) = reason.decode::<UpdateError>() {
        return match error {
            UpdateError::Error(error) => error.to_string(),
            UpdateError::Refused(reason) => format!("the function has returned the error {reason}"),
            UpdateError::Busy(Some(process)) => format!("{process} is changing the tree"),
            UpdateError::Busy(None) => "another process is changing the tree".to_owned(),
        };
    }
    match reason.decode::<ReplicaError>() {
        Ok(error) => error.to_string(),
        Err(_) => format!("{reason}"),
    }
}

impl fmt::Display for ReplicaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplicaError::NoTree(name) => Error::NoTree(name.clone()).fmt(f),
            ReplicaError::TreeExists(name) => Error::TreeExists(name.clone()).fmt(f),
            ReplicaError::Storage(why) => Error::Storage(why.clone()).fmt(f),
            ReplicaError::Lost(node) => write!(f, "the connection to {node} is lost"),
            ReplicaError::Read(error) => error.fmt(f),
            ReplicaError::Edit(error) => error.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_names_the_argument_and_shows_a_path_as_positions() {
        let text = |error: Error| text(&Term::of(&error));
        assert_eq!(
            text(Error::NoNode(vec![97, 98])),
            "there is no node at the path [97, 98]"
        );
        assert_eq!(
            text(Error::TooLarge("key".to_owned(), 1024)),
            "the key is longer than 1024 bytes"
        );
        assert_eq!(
            text(Error::TooLarge("position".to_owned(), u64::MAX - 1)),
            "the position is larger than 18446744073709551614"
        );
        assert_eq!(text(Error::Closed), "the database is closed");
    }

    #[test]
    fn reasons_of_other_functions_have_texts() {
        let busy = UpdateError::Busy(None);
        assert_eq!(
            text(&Term::of(&busy)),
            "another process is changing the tree"
        );
        let refused = UpdateError::Refused(Term::of(&7));
        assert_eq!(
            text(&Term::of(&refused)),
            "the function has returned the error 7"
        );
        let cycle = jungle_merge::EditError::Cycle(jungle_merge::ROOT);
        assert!(text(&Term::of(&ReplicaError::Edit(cycle))).contains("below itself"));
        assert_eq!(text(&Term::of(&(1, 2))), "{1,2}");
    }
}
