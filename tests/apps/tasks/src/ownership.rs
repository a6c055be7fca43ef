//! Ownership: results of Erlang functions, such as tables and sockets, belong to the process that
//! calls the function, wherever that process awaits it.
use otp_bridge::start::Start;
use otp_bridge::task::Tasks;
use otp_bridge::time::Timers;
use std::time::Duration;

use otp_bridge::atoms::ok;
use otp_bridge::{Cx, Pid, Result, Term, atom, try_join};

use crate::owner::{Do, Owner};

const LONG: Duration = Duration::from_secs(3600);

/// Returns whether a function that could also run in another process runs in this one.
async fn is_called_here(cx: &Cx<'_>) -> Result<bool> {
    let nothing: Vec<Term> = Vec::new();
    let (_, caller): (u64, Pid) = cx
        .apply("timer", "tc", (atom!("erlang"), atom!("self"), nothing))
        .await?;
    Ok(caller == cx.pid())
}

/// Checks that in several situations: after an operation that was not awaited, with a pending
/// request, with a task, and concurrently with another operation of the callback.
pub async fn callers(cx: &Cx<'_>) -> Result<Term> {
    cx.send_after(LONG, atom!("never"));
    let after_a_timer = is_called_here(cx).await?;
    let server = cx.start_link::<Owner>(()).await?;
    let request = cx.send_request(&server, Do::Ping);
    let beside_a_request = is_called_here(cx).await?;
    request.await?;
    let task = cx.spawn_task(async |cx| cx.sleep(LONG).await);
    let beside_a_task = is_called_here(cx).await?;
    task.abort();
    let (joined, ()) = try_join!(is_called_here(cx), cx.sleep(Duration::ZERO)).await?;
    Ok(Term::of(&(
        after_a_timer,
        beside_a_request,
        beside_a_task,
        joined,
    )))
}

/// Returns whether a new table belongs to this process.
async fn owns_its_table(cx: &Cx<'_>) -> Result<bool> {
    let none: Vec<Term> = Vec::new();
    let (table, ()) = try_join!(
        cx.apply::<Term, _>("ets", "new", (atom!("own"), none)),
        cx.sleep(Duration::ZERO)
    )
    .await?;
    let owner: Pid = cx.apply("ets", "info", (table, atom!("owner"))).await?;
    Ok(owner == cx.pid())
}

/// Returns the answers of two servers that were started concurrently.
async fn servers(cx: &Cx<'_>) -> Result<(Term, Term)> {
    let (first, second) = try_join!(cx.start_link::<Owner>(()), cx.start_link::<Owner>(())).await?;
    cx.sleep(Duration::from_millis(10)).await?;
    try_join!(cx.call(&first, Do::Ping), cx.call(&second, Do::Ping)).await
}

/// Returns what a socket receives that was accepted concurrently with connecting.
async fn sockets(cx: &Cx<'_>) -> Result<Term> {
    let options = || {
        vec![
            Term::of(&atom!("binary")),
            Term::of(&(atom!("active"), false)),
        ]
    };
    let loopback = (127, 0, 0, 1);
    let address = Term::of(&(atom!("ip"), loopback));
    let (listening, ()) = try_join!(
        cx.apply::<(ok, Term), _>(
            "gen_tcp",
            "listen",
            (0, [options(), vec![address]].concat())
        ),
        cx.sleep(Duration::ZERO)
    )
    .await?;
    let (_, port): (ok, u16) = cx.apply("inet", "port", (listening.1.clone(),)).await?;
    let (accepted, connected) = try_join!(
        cx.apply::<(ok, Term), _>("gen_tcp", "accept", (listening.1, 5000)),
        cx.apply::<(ok, Term), _>("gen_tcp", "connect", (loopback, port, options()))
    )
    .await?;
    let _: ok = cx.apply("gen_tcp", "send", (connected.1, "heard")).await?;
    let (_, heard): (ok, Term) = cx.apply("gen_tcp", "recv", (accepted.1, 0, 5000)).await?;
    Ok(heard)
}

/// Returns whether the results of such functions still work, in the callback and in a task.
pub async fn given(cx: &Cx<'_>) -> Result<Term> {
    let of_callback = (
        owns_its_table(cx).await?,
        servers(cx).await?,
        sockets(cx).await?,
    );
    let of_task = cx.spawn_task(async |cx| {
        Ok((
            owns_its_table(cx).await?,
            servers(cx).await?,
            sockets(cx).await?,
        ))
    });
    Ok(Term::of(&(of_callback, of_task.await?)))
}
