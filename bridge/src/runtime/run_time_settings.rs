//! The settings of the library's Tokio run time: `[tokio]` of otp.toml.

use std::sync::{Mutex, PoisonError};

use crate::{DecodeError, FromTerm, View};

/// The run time is created at its first use, after the application has its environment.
///
/// `#{workers => 2, blocking_threads => 16, thread_name => <<"shop">>}`, each optional.
#[derive(Debug, Clone, Default, PartialEq, Eq, crate::Term)]
pub(in crate::runtime) struct RunTimeSettings {
    /// The number of threads that run futures.
    #[term(optional)]
    pub(in crate::runtime) workers: Option<u16>,
    /// The most threads for `spawn_blocking`.
    #[term(optional)]
    pub(in crate::runtime) blocking_threads: Option<u16>,
    /// The name of all its threads.
    #[term(optional)]
    pub(in crate::runtime) thread_name: Option<String>,
}

static SETTINGS: Mutex<Option<RunTimeSettings>> = Mutex::new(None);

/// Sets the settings of the run time, which is created at its first use. Wrong settings are those
/// that [`check`] has reported: the application does not start with them.
pub(in crate::runtime) fn set<'a, V: View<'a>>(settings: V) {
    let read = RunTimeSettings::from_term(settings).ok();
    *SETTINGS.lock().unwrap_or_else(PoisonError::into_inner) =
        read.filter(RunTimeSettings::is_valid);
}

/// Checks the settings.
///
/// # Errors
/// They have another type, or a number is 0.
pub(in crate::runtime) fn check<'a, V: View<'a>>(settings: V) -> Result<(), DecodeError> {
    let read = RunTimeSettings::from_term(settings)?;
    match read.is_valid() {
        true => Ok(()),
        false => Err(DecodeError::expected_text(
            "numbers above 0, and a name without NUL".to_owned(),
            settings,
        )),
    }
}

/// Returns the settings.
#[cfg(feature = "tokio")]
pub(in crate::runtime) fn get() -> RunTimeSettings {
    let settings = SETTINGS.lock().unwrap_or_else(PoisonError::into_inner);
    settings.clone().unwrap_or_default()
}

impl RunTimeSettings {
    /// Tokio panics if it gets such values.
    fn is_valid(&self) -> bool {
        let has_nul = self
            .thread_name
            .as_ref()
            .is_some_and(|name| name.contains('\0'));
        self.workers != Some(0) && self.blocking_threads != Some(0) && !has_nul
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Term, atom};

    #[test]
    fn wrong_settings_are_refused() {
        let workers = |number: u64| {
            Term::of(&std::collections::BTreeMap::from([(
                atom!("workers"),
                number,
            )]))
        };
        assert!(check(&workers(1)).is_ok());
        assert!(check(&workers(0)).is_err());
        assert!(check(&workers(70_000)).is_err());
        assert!(check(&Term::of(&"four")).is_err());
        let empty = Term::of(&std::collections::BTreeMap::<u64, u64>::new());
        assert_eq!(
            RunTimeSettings::from_term(&empty),
            Ok(RunTimeSettings::default())
        );
    }
}
