//! `cx.env()`: the application's environment.

use std::marker::PhantomData;

use crate::runtime::{Await, Cx, Env, Failure, Operation, environment, protocol};
use crate::term::Reader;
use crate::{Atom, Heap, Term, ToTerm, View};

/// `application:get_all_env/1`, read as `T`. The values are those before or after an upgrade
/// changes the environment, never a mixture.
#[derive(Debug)]
pub struct ReadEnvironment<T>(PhantomData<fn() -> T>);

impl Cx<'_> {
    /// Reads the environment of the application, or of another one, as a struct that derives
    /// [`Env`](crate::Env). Each call reads it anew.
    ///
    /// ```
    /// # use otp_bridge_novm as _;
    /// use otp_bridge::{Cx, Env, Result};
    ///
    /// #[derive(Debug, Env)]
    /// struct Settings {
    ///     port: u16,
    /// }
    ///
    /// async fn port(cx: &Cx<'_>) -> Result<u16> {
    ///     Ok(cx.env::<Settings>().await?.port)
    /// }
    /// ```
    ///
    /// # Errors
    /// `exit({bad_environment, Application, #{path, expected, got}})` if a key is missing or has a
    /// value of another type.
    #[track_caller]
    pub fn env<T: Env>(&self) -> Await<'_, T, ReadEnvironment<T>> {
        Await::new(self, ReadEnvironment(PhantomData))
    }
}

impl<T: Env> Operation for ReadEnvironment<T> {
    type Output = T;

    fn refused(&self) -> Option<String> {
        Atom::new(T::APPLICATION)
            .err()
            .map(|error| error.to_string())
    }

    fn request<H: Heap>(&self, heap: H) -> H::Term {
        let Ok(application) = Atom::new(T::APPLICATION) else {
            // The operation fails before Erlang is called, so the term is a placeholder.
            return protocol::error.to_term(heap);
        };
        let module = heap.atom(&protocol::RESOURCE);
        let function = protocol::environment.to_term(heap);
        super::apply(heap, module, function, &(application,))
    }

    fn answer<'a, V: View<'a>>(value: V, _: Reader<'_>) -> Result<T, Failure> {
        environment::read(value).map_err(|error| {
            let application = Atom::new(T::APPLICATION).ok();
            Failure::Exit(Term::of(&(protocol::bad_environment, application, error)))
        })
    }
}
