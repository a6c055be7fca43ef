//! Calls of the functions of `otp_rs_registry`, and the types that read their results.

use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::process::functions::{AnyResult, Function, FunctionResult};
use crate::process::{Arguments, AtOnce, Destination, Target};
use crate::runtime::{Await, Cx, Failure, Operation, Result as ExitResult, WhenDropped};
use crate::term::Reader;
use crate::{DecodeError, FromTerm, Heap, Pid, View, atoms};

/// A call of a function of `otp_rs_registry` that runs in the calling process. `R` reads its
/// result.
#[derive(Debug)]
pub struct RegistryCall<A, R> {
    called: AtOnce<A, AnyResult<()>>,
    result: PhantomData<fn() -> R>,
}

impl<'a, A: Arguments + 'a, R: RegistryResult + 'a> RegistryCall<A, R> {
    #[track_caller]
    pub(super) fn begin(
        cx: &'a Cx<'a>,
        function: &'static Function,
        arguments: A,
    ) -> Await<'a, R::Output, Self> {
        let called = AtOnce::new(function, arguments);
        let result = PhantomData;
        Await::new(cx, RegistryCall { called, result })
    }
}

impl<A: Arguments, R: RegistryResult> Operation for RegistryCall<A, R> {
    type Output = R::Output;

    const WHEN_DROPPED: WhenDropped = WhenDropped::GoesOn;

    fn request<H: Heap>(&self, heap: H) -> H::Term {
        self.called.request(heap)
    }

    fn answer<'a, V: View<'a>>(value: V, reader: Reader<'_>) -> Result<R::Output, Failure> {
        R::read(value, reader)
    }

    fn watched(answer: R::Output, cx: &Cx<'_>) -> R::Output {
        R::living(answer, cx)
    }
}

/// Reads the result of a function of `otp_rs_registry`.
pub trait RegistryResult {
    /// The Rust type of the result.
    type Output;

    /// Reads the result.
    ///
    /// # Errors
    /// It has another type, or is a failure.
    fn read<'a, V: View<'a>>(value: V, reader: Reader<'_>) -> Result<Self::Output, Failure>;

    /// Removes processes that have ended but whose entries the registry has not removed yet.
    fn living(output: Self::Output, _: &Cx<'_>) -> Self::Output {
        output
    }
}

impl<T: FromTerm> RegistryResult for AnyResult<T> {
    type Output = T;

    fn read<'a, V: View<'a>>(value: V, reader: Reader<'_>) -> Result<T, Failure> {
        Ok(<Self as FunctionResult>::read(value, reader)?)
    }
}

/// `ok | {error, Reason}`
#[derive(Debug)]
pub enum Entered {}

impl RegistryResult for Entered {
    type Output = ();

    fn read<'a, V: View<'a>>(value: V, _: Reader<'_>) -> Result<(), Failure> {
        match value.tuple::<2>() {
            Some([tag, reason]) if tag.is_atom(atoms::error.atom()) => {
                Err(Failure::Exit(reason.to_owned()?))
            }
            _ => Ok(atoms::ok::from_term(value).map(|_| ())?),
        }
    }
}

/// `[{Key, Process}]` with at most one process.
#[derive(Debug)]
pub struct TheOne<P>(PhantomData<fn() -> P>);

impl<P: From<Pid> + Destination> RegistryResult for TheOne<P> {
    type Output = Option<P>;

    fn read<'a, V: View<'a>>(value: V, _: Reader<'_>) -> Result<Option<P>, Failure> {
        Ok(processes(value)?.next().transpose()?)
    }

    fn living(process: Option<P>, cx: &Cx<'_>) -> Option<P> {
        process.filter(|process| is_alive(process, cx))
    }
}

/// `[{Key, Process}]`
#[derive(Debug)]
pub struct AllOf<P>(PhantomData<fn() -> P>);

impl<P: From<Pid> + Destination> RegistryResult for AllOf<P> {
    type Output = Vec<P>;

    fn read<'a, V: View<'a>>(value: V, _: Reader<'_>) -> Result<Vec<P>, Failure> {
        Ok(processes(value)?.collect::<Result<_, _>>()?)
    }

    fn living(mut processes: Vec<P>, cx: &Cx<'_>) -> Vec<P> {
        processes.retain(|process| is_alive(process, cx));
        processes
    }
}

/// Reads the processes of entries and skips their keys, which the caller knows.
fn processes<'a, V: View<'a>, P: From<Pid>>(
    entries: V,
) -> Result<impl Iterator<Item = Result<P, DecodeError>>, DecodeError> {
    let not = |value| DecodeError::expected_text("[{term(), pid()}]".to_owned(), value);
    let list = entries.list().ok_or_else(|| not(entries))?;
    Ok(list.map(move |entry| match entry.tuple::<2>() {
        Some([_, pid]) => Ok(Pid::from_term(pid)?.into()),
        None => Err(not(entry)),
    }))
}

fn is_alive(process: &impl Destination, cx: &Cx<'_>) -> bool {
    match process.target() {
        Target::Pid(pid) => cx.is_alive(pid),
        _ => true,
    }
}

/// The future of [`Registry::find_or_start`](super::Registry::find_or_start).
#[must_use = "futures do nothing unless you `.await` them"]
pub struct FindOrStart<'a, P>(Pin<Box<dyn Future<Output = ExitResult<P>> + Send + 'a>>);

impl<'a, P> FindOrStart<'a, P> {
    /// The future has a type of its own so that the compiler reports a wrong argument once, and not
    /// at the `.await` again.
    pub(super) fn new(future: impl Future<Output = ExitResult<P>> + Send + 'a) -> Self {
        FindOrStart(Box::pin(future))
    }
}

impl<P> Future for FindOrStart<'_, P> {
    type Output = ExitResult<P>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<ExitResult<P>> {
        self.0.as_mut().poll(context)
    }
}

impl<P> fmt::Debug for FindOrStart<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FindOrStart")
    }
}
