//! All rules that turn an Erlang name into a Rust name. docs/names.md documents them for users,
//! with examples.
//!
//! A name is derived only from the thing that it names, so that additions to OTP rename nothing. If
//! two things would get the same name, the later one in the source gets the next of its longer
//! names, and finally an ordinal in front: `SecondRecord`, `second_list`. No name is longer than
//! [`LIMIT`] unless Erlang's own is.
//!
//! | rule | where |
//! |---|---|
//! | words: `sup_flags` → `SupFlags`, `RSAPrivateKey` → `RsaPrivateKey`, `'tlsv1.2'` → `tlsv1_2`, `'=:='` → `exactly_equal` | [`words`] |
//! | adjacent equal words are written once: `heir` and `HeirData` → `HeirData` | [`words::joined`] |
//! | keywords: `r#type`, `self_`, `continue_` | [`reserved`] |
//! | atoms as values: the atom itself, if it can be one | [`atoms`] |
//! | a type as a part of a name: `Pid`, `PidList`, `AddressPort` | [`nouns`] |
//! | types of several arities: `Orddict<Key = Term, Value = Term>` | `facts::type_names` |
//! | variants: the tag; with the elements that a shorter member lacks; the annotation; the noun | [`variants`] |
//! | unions: by their members, up to four and [`variants::UNION`] letters; otherwise by their path | [`variants::union`] |
//! | anonymous types: the form and the last step, then more steps between | [`paths`] |
//! | functions of several arities: `call_with_timeout` | [`functions`] |
//! | Elixir: `valid?` → `valid`, `fetch!` → `fetch_bang`, `Plug.Conn.t()` → `conn::Conn` | [`words`], [`modules`] |

pub(crate) mod atoms;
pub(crate) mod functions;
pub(crate) mod modules;
pub(crate) mod nouns;
pub(crate) mod paths;
pub(crate) mod reserved;
pub(crate) mod taken;
pub(crate) mod variants;
pub(crate) mod words;

pub(crate) use atoms::atom_identifier;
pub(crate) use modules::{module_identifier, trait_base};
pub(crate) use reserved::is_reserved;
pub(crate) use taken::Taken;
pub(crate) use words::{camel, derived_tag, snake, stem, value_name, without_new};

/// The longest name, in letters, that the generator combines from several.
pub(crate) const LIMIT: usize = 42;
