//! Callers in JSON.

use schemars::{Schema, SchemaGenerator};

use crate::json::{JsonRepresentation, Position};
use crate::{Caller, Term};

/// A caller is read from any pair.
impl<Reply> JsonRepresentation for Caller<Reply> {
    fn schema(generator: &mut SchemaGenerator, position: Position) -> Schema {
        <(Term, Term)>::schema(generator, position)
    }
}
