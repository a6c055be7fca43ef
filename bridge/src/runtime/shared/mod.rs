//! Shared resources: values that many processes and threads of a build use, such as a pool of
//! connections. They are opened before any other code of the build runs, and stay open until its
//! last process has switched to another build.
//!
//! Its callers are users, and the NIFs that open and close resources for the Erlang side
//! (`erlang/src/otp_rs_shared.erl`). It does not use processes.

mod lifecycle;
mod opener;
mod test_double;
#[cfg(test)]
mod tests;
mod unavailable;

use std::fmt;
use std::panic::Location;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

pub(in crate::runtime) use lifecycle::{Opening, close, needed_applications, open, statuses};
pub use opener::{
    Boxed, Closes, Environments, Opened, OpenerAnswer, OpenerCall, Opens, close as close_by,
    open as open_by,
};
pub use test_double::TestDouble;
use test_double::{Remove, TestTurn};
pub use unavailable::Unavailable;

/// A value that processes, tasks, threads and handlers of an application share. Declare one with
/// [`shared!`](crate::shared!).
pub struct SharedResource<T: Send + Sync + 'static> {
    name: &'static str,
    functions: ResourceFunctions<T>,
    slot: RwLock<Slot<T>>,
    turn: TestTurn,
}

/// Closes a value.
pub type Closer<T> = fn(Arc<T>) -> Boxed<Result<(), String>>;

/// The functions and options of a declaration.
pub struct ResourceFunctions<T> {
    /// Opens the resource.
    pub open: fn(OpenerCall) -> OpenerAnswer<T>,
    /// Closes the resource.
    pub close: Option<Closer<T>>,
    /// Whether the application starts without the resource.
    pub retry: bool,
}

struct Slot<T> {
    double: Option<Arc<T>>,
    state: State<T>,
}

enum State<T> {
    Open(Arc<T>),
    Not(Why),
}

/// The reason why there is no value.
#[derive(Clone)]
enum Why {
    NotOpen,
    Opening,
    Away(String),
    Closed,
}

impl<T: Send + Sync + 'static> SharedResource<T> {
    #[doc(hidden)]
    #[must_use]
    pub const fn __new(name: &'static str, functions: ResourceFunctions<T>) -> Self {
        SharedResource {
            name,
            functions,
            slot: RwLock::new(Slot {
                double: None,
                state: State::Not(Why::NotOpen),
            }),
            turn: TestTurn::new(),
        }
    }

    /// Returns the value. A process has it from its first callback to its last, unless the resource
    /// is declared with `retry = true`. You can call this from any thread.
    ///
    /// # Errors
    /// The reason why there is no value.
    pub fn get(&self) -> Result<Arc<T>, Unavailable> {
        let slot = self.read();
        if let Some(double) = &slot.double {
            return Ok(Arc::clone(double));
        }
        match &slot.state {
            State::Open(value) => Ok(Arc::clone(value)),
            State::Not(why) => Err(self.unavailable(why)),
        }
    }

    /// Checks whether [`get`](Self::get) has a value, for example for a route `GET /health`. It
    /// does not check whether the value still works.
    ///
    /// # Errors
    /// The reason why there is no value.
    pub fn health(&self) -> Result<(), Unavailable> {
        self.get().map(drop)
    }

    /// The error for a resource that is open and does not answer, such as a pool whose database has
    /// stopped. Like the errors of [`get`](Self::get), it is of the kind `Unavailable`, and an HTTP
    /// client gets 503 for it:
    ///
    /// ```
    /// # use otp_bridge_novm as _;
    /// # use otp_bridge::prelude::*;
    /// # use otp_bridge::process::ExitKind;
    /// otp_bridge::shared! {
    ///     static RATES: Vec<u64> = Vec::new;
    /// }
    ///
    /// fn first() -> Result<u64> {
    ///     let rates = RATES.get()?;
    ///     let first = rates.first().copied();
    ///     first.ok_or_else(|| RATES.away("it has no rates yet").into())
    /// }
    ///
    /// let _double = RATES.set_for_test(Vec::new());
    /// assert_eq!(first().map_err(|exit| exit.kind()), Err(ExitKind::Unavailable));
    /// ```
    #[must_use]
    pub fn away(&self, reason: impl fmt::Display) -> Unavailable {
        Unavailable::Away {
            name: self.name,
            reason: reason.to_string(),
        }
    }

    /// Replaces the resource by a value until the returned [`TestDouble`] is dropped, for tests.
    /// This needs no VM. If another test has replaced the resource, this waits until that test is
    /// done.
    ///
    /// ```
    /// # use otp_bridge_novm as _;
    /// otp_bridge::shared! {
    ///     static RATES: Vec<u64> = Vec::new;
    /// }
    ///
    /// let _double = RATES.set_for_test(vec![7]);
    /// assert_eq!(RATES.get().unwrap().first(), Some(&7));
    /// ```
    ///
    /// # Panics
    /// If this thread has already replaced the same resource.
    pub fn set_for_test(&'static self, value: T) -> TestDouble {
        let name = self.name;
        assert!(
            self.turn.take(),
            "this test has put a value in the place of `{name}` already: drop the first one before"
        );
        self.write().double = Some(Arc::new(value));
        TestDouble { of: self }
    }

    fn unavailable(&self, why: &Why) -> Unavailable {
        let name = self.name;
        match why {
            Why::NotOpen => Unavailable::NotOpen { name },
            Why::Opening => Unavailable::Opening { name },
            Why::Away(reason) => Unavailable::Away {
                name,
                reason: reason.clone(),
            },
            Why::Closed => Unavailable::Closed { name },
        }
    }

    fn read(&self) -> RwLockReadGuard<'_, Slot<T>> {
        self.slot.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Slot<T>> {
        self.slot.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Send + Sync + 'static> Remove for SharedResource<T> {
    fn remove(&self) {
        let double = self.write().double.take();
        drop(double);
        self.turn.give_back();
    }
}

/// A resource of any type.
trait Resource: Remove {
    fn name(&self) -> &'static str;
    fn application(&self) -> Option<&'static str>;
    fn retries(&self) -> bool;
    /// Returns whether the declared value is open, or why not.
    fn status(&self) -> Result<(), Unavailable>;
    /// Removes the value, if there is one. Returns the future that closes it.
    fn set_aside(&'static self, why: Why) -> Option<Boxed<Result<(), String>>>;
    /// Opens the resource.
    fn open(&'static self, environments: Environments) -> Boxed<Result<(), String>>;
}

impl<T: Send + Sync + 'static> Resource for SharedResource<T> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn application(&self) -> Option<&'static str> {
        match (self.functions.open)(OpenerCall::Application) {
            OpenerAnswer::Application(application) => application,
            OpenerAnswer::Opening(_) => None,
        }
    }

    fn retries(&self) -> bool {
        self.functions.retry
    }

    fn status(&self) -> Result<(), Unavailable> {
        match &self.read().state {
            State::Open(_) => Ok(()),
            State::Not(why) => Err(self.unavailable(why)),
        }
    }

    fn set_aside(&'static self, why: Why) -> Option<Boxed<Result<(), String>>> {
        let before = std::mem::replace(&mut self.write().state, State::Not(why));
        let State::Open(value) = before else {
            return None;
        };
        match self.functions.close {
            Some(close) => Some(close(value)),
            // The destructor may block.
            None => Some(close_by(value, drop::<Arc<T>>)),
        }
    }

    fn open(&'static self, environments: Environments) -> Boxed<Result<(), String>> {
        let answer = (self.functions.open)(OpenerCall::Open(environments));
        Box::pin(async move {
            if let OpenerAnswer::Opening(opened) = answer {
                let value = Arc::new(opened.await?);
                self.write().state = State::Open(value);
            }
            Ok(())
        })
    }
}

/// The resources that one `shared!` declares.
pub struct SharedEntry {
    resources: &'static [&'static dyn Hidden],
    location: &'static Location<'static>,
}

inventory::collect!(SharedEntry);

/// A resource without access to its trait.
#[diagnostic::on_unimplemented(message = "`{Self}` is not a shared resource")]
pub trait Hidden: Sync {
    #[doc(hidden)]
    fn resource(&'static self) -> Seen;
}

/// Hides the trait `Resource` from other modules.
pub struct Seen(&'static dyn Resource);

impl<T: Send + Sync + 'static> Hidden for SharedResource<T> {
    fn resource(&'static self) -> Seen {
        Seen(self)
    }
}

impl SharedEntry {
    /// Creates the entry of these resources, in the order in which they are opened.
    #[must_use]
    pub const fn new(
        resources: &'static [&'static dyn Hidden],
        location: &'static Location<'static>,
    ) -> Self {
        SharedEntry {
            resources,
            location,
        }
    }
}

/// Returns all resources of the library, in the order of their declarations.
fn all() -> Vec<&'static dyn Resource> {
    let mut entries: Vec<&SharedEntry> = inventory::iter::<SharedEntry>().collect();
    entries.sort_by_key(|it| (it.location.file(), it.location.line(), it.location.column()));
    let resources = entries.iter().flat_map(|it| it.resources);
    resources.map(|it| it.resource().0).collect()
}

impl<T: Send + Sync + 'static> fmt::Debug for SharedResource<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedResource")
            .field("name", &self.name)
            .field("status", &self.health())
            .finish()
    }
}
