//! Erlang terms, types and names as people write them: on a command line, in otp.toml, in a
//! snapshot. The grammar is a file, `erlang.pest`.
//!
//! A [`Pair`] is a node of the parse tree. `otp-specs` builds types from it and `otp-bridge` builds
//! terms; [`leaf`] reads the words, numbers and texts that occur in both.
//!
//! ```
//! use otp_grammar::{Rule, read, whole};
//!
//! let rules = |text| read(text, whole::TERM, |term| Ok(term.as_rule()));
//! assert_eq!(rules("{ok, #{a => 1}}"), Ok(Rule::tuple));
//! assert_eq!(
//!     rules("{ok, }").unwrap_err().to_string(),
//!     "syntax error at column 6, before `}`"
//! );
//! ```

mod depth;
mod error;
pub mod leaf;
mod parser;
pub mod whole;

pub use error::{DEEPEST, Error};
pub use parser::{Pair, Rule};
use pest::Parser as _;
pub use whole::Whole;

/// Reads a text, and builds a value from its node.
///
/// `make` runs on a stack that is large enough for texts as deep as [`DEEPEST`].
///
/// # Errors
/// The text does not follow the grammar or is nested too deeply, or `make` refuses it.
pub fn read<'t, T: Send>(
    text: &'t str,
    whole: Whole,
    make: impl FnOnce(Pair<'t>) -> Result<T, Error> + Send,
) -> Result<T, Error> {
    depth::on_stack_for(text, || {
        let parse = || parser::Erlang::parse(whole.0, text);
        let mut pairs = parse().map_err(|error| Error::of_pest(error, parse, text))?;
        match pairs.next() {
            Some(pair) => make(pair),
            None => Err(Error::syntax(text, 0)),
        }
    })
}
