//! The kinds of complete texts.

use crate::parser::Rule;

/// A kind of complete text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Whole(pub(crate) Rule);

/// A term; a full stop may end it.
pub const TERM: Whole = Whole(Rule::whole_term);
/// A type.
pub const TYPE: Whole = Whole(Rule::whole_type);
/// `MODULE`, `MODULE:NAME` or `MODULE:NAME/ARITY`.
pub const NAME: Whole = Whole(Rule::whole_name);
/// A type, followed by any text.
pub const TYPE_AT_START: Whole = Whole(Rule::type_at_start);
