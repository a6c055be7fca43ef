//! The functions that open and close a resource: with or without settings, `async` or not.

use std::any::Any;
use std::error::Error;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;

use crate::runtime::environment::{self, Env};
use crate::runtime::failure::exit_kind;
use crate::runtime::failure::panics::Panic;
use crate::{Atom, Term};

/// A future of any type.
pub type Boxed<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// The environments of applications, as `application:get_all_env/1` returns them.
pub type Environments = Arc<[(Atom, Term)]>;

/// The function has no argument.
pub enum NoSettings {}

/// The function takes a struct that derives `Env`.
pub struct Settings<S>(S);

/// The function returns the value itself.
pub enum Value {}

/// The function returns a `Result`, with any error that has a text.
pub struct Fallible<E>(E);

/// The function is `async`.
pub struct Later<Form>(Form);

/// A function that opens a resource.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not open a shared resource",
    label = "write a function with no argument, or with one that derives `otp_bridge::Env`"
)]
pub trait Opens<Form>: Send + 'static {
    /// The return type of the function.
    type Returned;

    /// The application whose environment the function reads.
    const APPLICATION: Option<&'static str>;

    /// Calls the function.
    ///
    /// # Errors
    /// The environment does not match its settings.
    fn call(self, environments: &Environments) -> Result<Self::Returned, String>;
}

#[diagnostic::do_not_recommend]
impl<F: FnOnce() -> R + Send + 'static, R> Opens<NoSettings> for F {
    type Returned = R;

    const APPLICATION: Option<&'static str> = None;

    fn call(self, _: &Environments) -> Result<R, String> {
        Ok(self())
    }
}

#[diagnostic::do_not_recommend]
impl<F: FnOnce(S) -> R + Send + 'static, S: Env, R> Opens<Settings<S>> for F {
    type Returned = R;

    const APPLICATION: Option<&'static str> = Some(S::APPLICATION);

    fn call(self, environments: &Environments) -> Result<R, String> {
        let mut known = environments.iter();
        let variables = known.find(|(application, _)| application.text() == S::APPLICATION);
        let Some((_, variables)) = variables else {
            return Err(format!(
                "the application `{}` is not loaded",
                S::APPLICATION
            ));
        };
        let settings = environment::read::<S, &Term>(variables);
        Ok(self(settings.map_err(|error| error.to_string())?))
    }
}

/// A return type of a function that opens a resource: the value, a `Result`, or a future of either.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a `{T}`, nor a `Result` of one",
    label = "the function has to return a `{T}`, a `Result<{T}, E>`, or be an `async fn` that does"
)]
pub trait Opened<T, Form>: Send + 'static {
    /// Returns the value, or the reason why there is none.
    fn value(self) -> OpenedValue<T>;
}

/// The returned value, or the future of it.
pub enum OpenedValue<T> {
    /// The function is not `async`.
    Now(Result<T, String>),
    /// The function is `async`.
    Later(Boxed<Result<T, String>>),
}

#[diagnostic::do_not_recommend]
impl<T: Send + 'static> Opened<T, Value> for T {
    fn value(self) -> OpenedValue<T> {
        OpenedValue::Now(Ok(self))
    }
}

#[diagnostic::do_not_recommend]
impl<T, E> Opened<T, Fallible<E>> for Result<T, E>
where
    T: Send + 'static,
    E: Into<Box<dyn Error + Send + Sync>> + Send + 'static,
{
    fn value(self) -> OpenedValue<T> {
        OpenedValue::Now(self.map_err(|error| exit_kind::text(&*error.into())))
    }
}

#[diagnostic::do_not_recommend]
impl<T, Form, F> Opened<T, Later<Form>> for F
where
    T: Send + 'static,
    F: Future<Output: Opened<T, Form>> + Send + 'static,
{
    fn value(self) -> OpenedValue<T> {
        OpenedValue::Later(Box::pin(async move {
            match self.await.value() {
                OpenedValue::Now(opened) => opened,
                OpenedValue::Later(opened) => opened.await,
            }
        }))
    }
}

/// A request to the function that opens a resource.
pub enum OpenerCall {
    /// The application whose environment it reads.
    Application,
    /// To open the resource.
    Open(Environments),
}

/// The answer to an `OpenerCall`.
pub enum OpenerAnswer<T> {
    /// The application, if it reads an environment.
    Application(Option<&'static str>),
    /// The future of the value.
    Opening(Boxed<Result<T, String>>),
}

/// Calls the function on a thread that may block, and awaits its result.
pub fn open<T, F, Argument, Form>(call: OpenerCall, function: F) -> OpenerAnswer<T>
where
    T: Send + 'static,
    F: Opens<Argument, Returned: Opened<T, Form>>,
{
    let environments = match call {
        OpenerCall::Application => return OpenerAnswer::Application(F::APPLICATION),
        OpenerCall::Open(environments) => environments,
    };
    OpenerAnswer::Opening(Box::pin(async move {
        let call = move || unwound(move || Ok(function.call(&environments)?.value()));
        let called = tokio::task::spawn_blocking(call).await;
        match called.map_err(|error| error.to_string())?? {
            OpenedValue::Now(opened) => opened,
            OpenedValue::Later(opened) => caught(opened).await?,
        }
    }))
}

/// A function that closes a resource.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not close a shared resource",
    label = "write `async fn close(value: Arc<{T}>)` or `fn close(value: Arc<{T}>)`"
)]
pub trait Closes<T, Form>: Send + 'static {
    /// Closes the value.
    fn close(self, value: Arc<T>) -> Boxed<Result<(), String>>;
}

#[diagnostic::do_not_recommend]
impl<T: Send + Sync + 'static, F: FnOnce(Arc<T>) + Send + 'static> Closes<T, Value> for F {
    fn close(self, value: Arc<T>) -> Boxed<Result<(), String>> {
        Box::pin(async move {
            let call = move || {
                unwound(move || {
                    self(value);
                    Ok(())
                })
            };
            let called = tokio::task::spawn_blocking(call).await;
            called.map_err(|error| error.to_string())?
        })
    }
}

#[diagnostic::do_not_recommend]
impl<T, F, Closing> Closes<T, Later<Value>> for F
where
    T: Send + Sync + 'static,
    F: FnOnce(Arc<T>) -> Closing + Send + 'static,
    Closing: Future<Output = ()> + Send + 'static,
{
    fn close(self, value: Arc<T>) -> Boxed<Result<(), String>> {
        Box::pin(caught(async move { self(value).await }))
    }
}

/// Closes a value with the function.
pub fn close<T, F: Closes<T, Form>, Form>(value: Arc<T>, function: F) -> Boxed<Result<(), String>> {
    function.close(value)
}

/// Returns the output of a future, or the text of its panic.
async fn caught<T>(future: impl Future<Output = T> + Send) -> Result<T, String> {
    let mut future = std::pin::pin!(future);
    let caught =
        poll_fn(
            |context| match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(context))) {
                Ok(poll) => poll.map(Ok),
                Err(payload) => std::task::Poll::Ready(Err(text(payload))),
            },
        );
    caught.await
}

fn unwound<T>(body: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|payload| Err(text(payload)))
}

fn text(payload: Box<dyn Any + Send>) -> String {
    let panic = Panic::caught(payload);
    format!(
        "panicked: {} ({}:{})",
        panic.message(),
        panic.file,
        panic.line
    )
}
