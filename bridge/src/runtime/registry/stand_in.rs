//! A placeholder for a clause whose types have an error that is reported elsewhere.

use std::panic::Location;

use super::{ClauseEntry, ClauseScheduler, InvokedBy, Runs, Signature};
use crate::DecodeError;
use crate::nif::Encoded;
use crate::term::Definitions;

/// A placeholder for a clause, which is compiled only in a program with another error.
pub trait ClauseStandIn: Sized {
    /// The clause.
    const CLAUSE: ClauseEntry = ClauseEntry {
        run: run::<Self>,
        signature: signature::<Self>,
        message: "",
        location: Location::caller(),
        scheduler: ClauseScheduler::pinned,
    };
}

/// Rejects the program if there was no other error, so that a clause never disappears silently.
const fn refuse<T>() {
    assert!(
        size_of::<T>() > 0,
        "the types of a clause are not terms, and nothing else said so"
    );
}

fn run<T>(_: &mut <Runs as InvokedBy>::Invocation<'_>) -> Result<Encoded, DecodeError> {
    const { refuse::<T>() };
    Ok(Encoded::without_vm())
}

fn signature<T>(_: &mut Definitions) -> Signature {
    const { refuse::<T>() };
    Signature {
        arguments: Vec::new(),
        returns: Vec::new(),
    }
}
