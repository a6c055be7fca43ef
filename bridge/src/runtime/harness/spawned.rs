//! Processes that run a function of their own instead of a behaviour's callbacks.
#![allow(unsafe_code)]

use std::future::Future;
use std::panic::{AssertUnwindSafe, Location, catch_unwind};
use std::pin::Pin;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};

use super::returned::finish_term;
use super::running::Running;
use super::work::OnScheduler;
use crate::nif::{
    IndependentTerm, NifResource, NifResourceType, RawTerm, Scheduler, Thread, VmEnv, contained,
};
use crate::runtime::cost::call_clock::CallClock;
use crate::runtime::cost::slot;
use crate::runtime::failure::exit::Exit;
use crate::runtime::protocol;
use crate::runtime::raw::cell::USERS;
use crate::runtime::raw::context::{Cx, Here};
use crate::runtime::raw::frame::Frame;
use crate::runtime::raw::outcome::Outcome;
use crate::runtime::raw::owned_cell::OwnedCell;
use crate::runtime::registry::without_callback::clause_at;
use crate::term::Saved;
use crate::{Term, stack};

/// The body of a task or a process: an async function or closure with the context as its argument.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the body of a task or a process",
    label = "a body is an async closure or function: `async move |cx| Ok(())`",
    note = "it has to own its variables (`move`), and variables that live across an `.await` have to be `Send`"
)]
pub trait Body<'a, T>: FnOnce(&'a Cx<'a>) -> Self::Future {
    /// The future of the body.
    type Future: Future<Output = Result<T, Exit>> + Send + 'a;
}

#[diagnostic::do_not_recommend]
impl<'a, T, B, F> Body<'a, T> for B
where
    B: FnOnce(&'a Cx<'a>) -> F,
    F: Future<Output = Result<T, Exit>> + Send + 'a,
{
    type Future = F;
}

pub(crate) type BoxedFuture<'a> = Pin<Box<dyn Future<Output = Outcome> + Send + 'a>>;
type Boxed = Box<dyn for<'a> FnOnce(&'a Cx<'a>) -> BoxedFuture<'a> + Send>;

/// A body with its type erased.
pub struct AnyBody(Boxed);

impl AnyBody {
    /// Starts the body without a VM.
    pub(crate) fn start<'a>(self, cx: &'a Cx<'a>) -> BoxedFuture<'a> {
        (self.0)(cx)
    }
}

/// A body on its way to its process.
pub(crate) struct Closure {
    /// Taken by the process that runs it.
    body: Mutex<Option<Boxed>>,
    location: &'static Location<'static>,
}

// SAFETY: it is `Send`, because a body is `Send`, and `Sync`, because the body is in a mutex. Its
// destructor contains the panics of the user's destructors.
unsafe impl NifResource for Closure {}

impl Drop for Closure {
    fn drop(&mut self) {
        let body = self.body.get_mut().unwrap_or_else(PoisonError::into_inner);
        contained(|| drop(body.take()));
        USERS.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The resource type of bodies, opened when the library is loaded.
pub(in crate::runtime) static CLOSURES: NifResourceType<Closure> = NifResourceType::new();

/// Returns the term with which the Erlang side hands a body to a process. There, `value` gets the
/// body's result. Without a VM or a process, the term is the atom `closure`.
pub(crate) fn closure<T, B>(
    cx: &Cx<'_>,
    body: B,
    value: impl FnOnce(T) + Send + 'static,
    location: &'static Location<'static>,
) -> Saved
where
    T: 'static,
    B: for<'a> Body<'a, T> + Send + 'static,
{
    let Some(Here::Vm(_, env)) = cx.here_if_alive() else {
        return Saved::owned(Term::of(&crate::atom!("closure")));
    };
    let term = closure_term(*env, boxed(body, value), location);
    // SAFETY: the term was made in this call.
    Saved::foreign(IndependentTerm::copy(unsafe { env.term(term) }))
}

/// Boxes a body. `value` gets its result, in the process that runs it.
fn boxed<T, B>(body: B, value: impl FnOnce(T) + Send + 'static) -> AnyBody
where
    T: 'static,
    B: for<'a> Body<'a, T> + Send + 'static,
{
    AnyBody(Box::new(move |cx| {
        Box::pin(async move {
            value(body(cx).await?);
            finish_term(cx, Ok(protocol::ok))
        })
    }))
}

/// Boxes a body without a result.
pub fn any_body<B>(body: B) -> AnyBody
where
    B: AsyncFnOnce(&Cx<'_>) -> Result<(), Exit> + for<'a> Body<'a, ()> + Send + 'static,
{
    boxed(body, |()| {})
}

/// Builds the term of a body.
pub(in crate::runtime) fn closure_term(
    env: VmEnv<'_>,
    AnyBody(body): AnyBody,
    location: &'static Location<'static>,
) -> RawTerm {
    USERS.fetch_add(1, Ordering::Relaxed);
    let (_, term) = CLOSURES.create(env, size_of::<Closure>(), |_| Closure {
        body: Mutex::new(Some(body)),
        location,
    });
    term
}

/// Runs a body in the calling process. Returns `None` if the term is not a body, or its body has
/// already been run.
pub(in crate::runtime) fn start(env: VmEnv<'_>, term: RawTerm) -> Option<RawTerm> {
    stack::keeping(|kept| slot::with(kept, |slot| start_by(env, term, CallClock::measuring(slot))))
}

fn start_by<'a>(env: VmEnv<'a>, term: RawTerm, clock: CallClock<'a>) -> Option<RawTerm> {
    // SAFETY: the term is an argument of this call.
    let closure = unsafe { CLOSURES.get(env, term) }?;
    let body = closure
        .body
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .take()?;
    let made = OwnedCell::create_without_state(env);
    let thread = Thread::of(Scheduler::Normal);
    let clause = clause_at(closure.location);
    let mut frame = Frame::new(env, clause, thread, clock);
    let running = Running::new(made, &mut frame, false);
    let answer = catch_unwind(AssertUnwindSafe(|| {
        running.enter(false);
        running.starts_future(body(made.0.cx()), OnScheduler(Scheduler::Normal))
    }));
    let answer = answer.unwrap_or_else(|payload| running.panicked(payload));
    Some(running.leave(answer).raw())
}
