//! Environments of applications, as the structs that derive `Env` describe them.

use std::collections::BTreeMap;

use otp_contract::library::TOKIO;

use crate::runtime::run_time_settings;
use crate::term::{DecodeError, FromTerm, Reader, StaticAtom, View};
use crate::{Atom, Term};

/// The environment of an application as a struct: `#[derive(Env)]`.
///
/// A `sys.config` or the command line can override the values that otp.toml has under `[env]`. All
/// three are checked: `cargo otp build` refuses a value in otp.toml that does not have the type of
/// its field, and the application does not start if any key has a value of another type or a
/// required one is missing.
///
/// ```
/// # use otp_bridge_novm as _;
/// use otp_bridge::{Cx, Env, Result};
///
/// #[derive(Debug, Env)]
/// pub struct Settings {
///     /// `port = 8080` in otp.toml.
///     pub port: u16,
///     #[env(default = "localhost")]
///     pub host: String,
///     pub limit: Option<u32>,
///     #[env(default)]
///     pub store: Store,
/// }
///
/// /// `[env.store]` in otp.toml, a map in Erlang.
/// #[derive(Debug, Env)]
/// #[env(nested)]
/// pub struct Store {
///     #[env(default = 100)]
///     pub size: u64,
/// }
///
/// async fn port(cx: &Cx<'_>) -> Result<u16> {
///     let settings: Settings = cx.env().await?;
///     Ok(settings.port)
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the environment of an application",
    label = "add `#[derive(Env)]` to the struct"
)]
pub trait Env: FromTerm {
    /// The application: the crate itself, unless `#[env(application = "…")]` names another one.
    const APPLICATION: &'static str;
}

/// A struct that derives `Env`.
pub struct Environment {
    /// The application.
    pub application: &'static str,
    /// Path of the Rust type.
    pub rust_type: &'static str,
    /// The file of its definition.
    pub file: &'static str,
    /// The line of its definition, from 1.
    pub line: u32,
    /// Its fields.
    pub variables: &'static [Variable],
}

/// A key of an environment.
pub struct Variable {
    /// The key, an atom.
    pub key: &'static str,
    /// Whether the key is required.
    pub is_required: bool,
    /// The Erlang text of its type.
    pub expected: fn() -> String,
    /// Checks whether a value has the key's type.
    pub check: fn(&Term) -> Result<(), DecodeError>,
}

inventory::collect!(Environment);

/// Checks whether a value can be read as `T`.
///
/// # Errors
/// The mistake in the value.
pub fn check<T: FromTerm>(value: &Term) -> Result<(), DecodeError> {
    value.decode::<T>().map(|_| ())
}

/// Returns a reader of the values of a map.
///
/// # Errors
/// The term is not a map, or nested too deeply.
pub fn inside<'a, 'r, T: FromTerm, V: View<'a>>(
    view: V,
    reader: Reader<'r>,
) -> Result<Reader<'r>, DecodeError> {
    match view.map_size() {
        Some(_) => reader.inner(),
        None => Err(DecodeError::expected::<T, V>(view)),
    }
}

/// Reads the value of a key that may be missing.
///
/// # Errors
/// The value has another type.
pub fn value<'a, T: FromTerm, V: View<'a>>(
    map: V,
    key: &'static StaticAtom,
    reader: Reader<'_>,
) -> Result<Option<T>, DecodeError> {
    let value = map.map_get(key).map(|value| T::__read(value, reader));
    let value = value.transpose();
    value.map_err(|error| error.at_field(key.text()))
}

/// Reads the value of a required key.
///
/// # Errors
/// The key is missing, or its value has another type.
pub fn required<'a, T: FromTerm, V: View<'a>>(
    map: V,
    key: &'static StaticAtom,
    reader: Reader<'_>,
) -> Result<T, DecodeError> {
    // The message does not show the other keys: they may be secret.
    value(map, key, reader)?
        .ok_or_else(|| DecodeError::new(T::erlang_type(), "no such key").at_field(key.text()))
}

/// Reads the result of `application:get_all_env/1`: `[{Key, Value}]`.
pub(crate) fn read<'a, T: Env, V: View<'a>>(view: V) -> Result<T, DecodeError> {
    Term::of(&variables(view)?).decode()
}

/// Reads all entries. A program may have any number of keys. If two entries have the same key, the
/// later one counts.
fn variables<'a, V: View<'a>>(view: V) -> Result<BTreeMap<Atom, Term>, DecodeError> {
    let pairs = Vec::<(Atom, Term)>::from_term(view)?;
    Ok(pairs.into_iter().collect())
}

/// The mistakes in the environment of an application.
#[derive(Debug, crate::ToTerm)]
#[term(tuple)]
pub(super) struct EnvironmentReport {
    /// Sorted by key.
    mistakes: Vec<Mistake>,
    /// The keys of the application's structs.
    keys: Vec<Atom>,
}

/// `{Key, wrong | missing, Text, Place}`
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, crate::ToTerm)]
#[term(tuple)]
struct Mistake {
    key: String,
    kind: MistakeKind,
    text: String,
    place: String,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, crate::ToTerm)]
enum MistakeKind {
    Wrong,
    Missing,
}

/// Compares `[{Key, Value}]` with all structs of the application.
///
/// # Errors
/// The term is not a list of such pairs.
pub(super) fn check_all<'a, V: View<'a>>(
    application: &Atom,
    view: V,
) -> Result<EnvironmentReport, DecodeError> {
    let values = variables(view)?;
    let (mut mistakes, mut keys) = (Vec::new(), Vec::new());
    for environment in inventory::iter::<Environment>() {
        if environment.application != application.text() {
            continue;
        }
        for variable in environment.variables {
            let Ok(key) = Atom::new(variable.key) else {
                continue;
            };
            mistakes.extend(environment.mistake(variable, values.get(&key)));
            keys.push(key);
        }
    }
    mistakes.extend(mistake_of_tokio(&values));
    mistakes.sort();
    Ok(EnvironmentReport { mistakes, keys })
}

/// Returns the mistake in `[tokio]` of otp.toml, which is a variable of its own.
fn mistake_of_tokio(values: &BTreeMap<Atom, Term>) -> Option<Mistake> {
    let settings = values.get(&Atom::new(TOKIO).ok()?)?;
    let error = run_time_settings::check(settings).err()?.at_field(TOKIO);
    Some(Mistake {
        key: TOKIO.to_owned(),
        kind: MistakeKind::Wrong,
        text: error.to_string(),
        place: "[tokio] of otp.toml".to_owned(),
    })
}

impl Environment {
    fn mistake(&self, variable: &Variable, value: Option<&Term>) -> Option<Mistake> {
        let (kind, text) = match value {
            Some(value) => {
                let error = (variable.check)(value).err()?;
                let error = error.at_field(variable.key);
                (MistakeKind::Wrong, error.to_string())
            }
            None if variable.is_required => {
                let expected = (variable.expected)();
                (
                    MistakeKind::Missing,
                    format!("{}: missing, expected {expected}", variable.key),
                )
            }
            None => return None,
        };
        Some(Mistake {
            key: variable.key.to_owned(),
            kind,
            text,
            place: format!("{} ({}:{})", self.rust_type, self.file, self.line),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With a comparison of each key with all others, this test would take hours.
    #[test]
    fn a_hundred_thousand_keys_are_read_in_one_walk() {
        const KEYS: u64 = 100_000;
        let key = |number| Atom::new(&format!("key_{number}")).expect("short");
        let pairs = (0..KEYS).chain([7]).zip(0..);
        let pairs: Vec<(Atom, u64)> = pairs.map(|(number, value)| (key(number), value)).collect();
        let values = variables(&Term::of(&pairs)).expect("pairs");
        assert_eq!(values.len(), pairs.len() - 1);
        assert_eq!(values.get(&key(8)), Some(&Term::Integer(8)));
        assert_eq!(values.get(&key(7)), Some(&Term::Integer(100_000)));
        let report = check_all(&key(0), &Term::of(&pairs)).expect("pairs");
        assert!(report.mistakes.is_empty());
    }
}
