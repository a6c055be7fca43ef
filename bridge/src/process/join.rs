//! Combinators that run several futures at once, without another crate. The combinators of other
//! libraries work as well.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;

/// Returns the output of the future that completes first. The other one is dropped, which cancels
/// its operations.
///
/// ```
/// # use otp_bridge_novm as _;
/// # use std::time::Duration;
/// use otp_bridge::{Atom, Cx, Result, race};
///
/// async fn first(cx: &Cx<'_>) -> Result<Atom> {
///     let ask = |node: Atom| cx.apply::<Atom, _>("net_adm", "ping", (node,));
///     race(ask(otp_bridge::atom!("a@here")), ask(otp_bridge::atom!("b@here"))).await
/// }
/// ```
pub async fn race<T>(one: impl Future<Output = T>, other: impl Future<Output = T>) -> T {
    let (mut one, mut other) = (pin!(one), pin!(other));
    poll_fn(|context| match one.as_mut().poll(context) {
        Poll::Ready(output) => Poll::Ready(output),
        Poll::Pending => other.as_mut().poll(context),
    })
    .await
}

/// Runs two to five futures side by side until all of them complete. The output is a tuple of their
/// outputs.
///
/// ```
/// # use otp_bridge_novm as _;
/// # use std::time::Duration;
/// # use otp_bridge::{Cx, join};
/// # async fn pauses(cx: &Cx<'_>) {
/// // The two sleeps take one second together.
/// let (_, _) = join!(cx.sleep(Duration::from_secs(1)), cx.sleep(Duration::from_secs(1))).await;
/// # }
/// ```
#[macro_export]
macro_rules! join {
    ($a:expr, $b:expr $(,)?) => {
        $crate::__private::future::join($a, $b)
    };
    ($a:expr, $b:expr, $c:expr $(,)?) => {
        $crate::__private::future::join3($a, $b, $c)
    };
    ($a:expr, $b:expr, $c:expr, $d:expr $(,)?) => {
        $crate::__private::future::join4($a, $b, $c, $d)
    };
    ($a:expr, $b:expr, $c:expr, $d:expr, $e:expr $(,)?) => {
        $crate::__private::future::join5($a, $b, $c, $d, $e)
    };
}

/// Like `join!`, for futures of results. The output is the tuple of their values, or the first
/// error. After an error the other futures are dropped, which cancels their operations.
///
/// ```
/// # use otp_bridge_novm as _;
/// use otp_bridge::{Atom, Cx, Result, atom, try_join};
///
/// async fn both(cx: &Cx<'_>) -> Result<bool> {
///     let ask = |node| cx.apply::<Atom, _>("net_adm", "ping", (node,));
///     let (one, other) = try_join!(ask(atom!("a@here")), ask(atom!("b@here"))).await?;
///     Ok(one == other)
/// }
/// ```
#[macro_export]
macro_rules! try_join {
    ($a:expr, $b:expr $(,)?) => {
        $crate::__private::future::try_join($a, $b)
    };
    ($a:expr, $b:expr, $c:expr $(,)?) => {
        $crate::__private::future::try_join3($a, $b, $c)
    };
    ($a:expr, $b:expr, $c:expr, $d:expr $(,)?) => {
        $crate::__private::future::try_join4($a, $b, $c, $d)
    };
    ($a:expr, $b:expr, $c:expr, $d:expr, $e:expr $(,)?) => {
        $crate::__private::future::try_join5($a, $b, $c, $d, $e)
    };
}
