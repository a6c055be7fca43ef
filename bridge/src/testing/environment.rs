//! The application's environment, for tests without a VM.

use std::cell::RefCell;

use crate::runtime::protocol;
use crate::{Atom, Term, ToTerm};

thread_local! {
    static VARIABLES: RefCell<Vec<(Atom, Term)>> = const { RefCell::new(Vec::new()) };
}

/// Variables of the application's environment, set until this is dropped: see [`env()`].
#[derive(Debug)]
#[must_use = "the variables are there until this is dropped: `let _env = …`"]
pub struct TestEnvironment(());

/// Sets a variable of the application's environment for the servers, machines and event managers
/// that this thread tests, until the result is dropped. `cx.env` then finds these variables, and no
/// others.
///
/// ```
/// # use otp_bridge_novm as _;
/// use otp_bridge::atoms::ok;
/// use otp_bridge::gen_server::prelude::*;
/// use otp_bridge::{Env, testing};
///
/// #[derive(Debug, Env)]
/// struct Settings {
///     port: u16,
///     host: String,
/// }
///
/// #[derive(Debug)]
/// struct Desk(Settings);
///
/// #[gen_server]
/// impl GenServer for Desk {
///     type Args = ();
///
///     async fn init(_: (), cx: &Cx<'_>) -> Result<impl InitReturn<Self>> {
///         Ok((ok, Desk(cx.env().await?)))
///     }
/// }
///
/// let _env = testing::env("port", 0).env("host", "localhost");
/// let desk = testing::Server::<Desk>::start(())?;
/// assert_eq!(desk.state().0.port, 0);
/// # Ok::<(), Exit>(())
/// ```
///
/// # Panics
/// If the key is longer than the limit of an atom.
#[track_caller]
pub fn env(key: &str, value: impl ToTerm) -> TestEnvironment {
    TestEnvironment(()).env(key, value)
}

impl TestEnvironment {
    /// Sets another variable.
    ///
    /// # Panics
    /// If the key is longer than the limit of an atom.
    #[track_caller]
    pub fn env(self, key: &str, value: impl ToTerm) -> Self {
        let key = match Atom::new(key) {
            Ok(key) => key,
            Err(error) => panic!("the key `{key}`: {error}"),
        };
        let value = Term::of(&value);
        VARIABLES.with_borrow_mut(|all| {
            all.retain(|(known, _)| *known != key);
            all.push((key, value));
        });
        self
    }
}

impl Drop for TestEnvironment {
    fn drop(&mut self) {
        VARIABLES.with_borrow_mut(Vec::clear);
    }
}

/// Returns the answer to `cx.env`, if any variable is set: `[{Key, Value}]`.
pub(super) fn answer(module: &str, function: &str) -> Option<Term> {
    let is_it =
        module == protocol::RESOURCE.text() && function == protocol::environment.atom().text();
    let all = is_it.then(|| VARIABLES.with_borrow(Clone::clone))?;
    (!all.is_empty()).then(|| Term::of(&all))
}
