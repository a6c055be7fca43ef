use otp_bindings::proc_lib;
use otp_bridge::{Cx, Result, Term, atom};

/// `{done, Text}`
#[derive(Debug, Term)]
struct Done(String);

/// Starts a process with a function of Erlang. One with a function of Rust is started by
/// `cx.spawn_process`.
pub async fn example(cx: &Cx<'_>) -> Result<()> {
    let message = Done("all".to_owned());
    let arguments = [Term::of(&cx.pid()), Term::of(&message)];
    let pid = proc_lib::spawn_with_mfa(cx, atom!("erlang"), atom!("send"), arguments).await?;
    assert_ne!(pid, cx.pid());
    let Done(text) = cx.receive().await?;
    assert_eq!(text, "all");
    Ok(())
}
