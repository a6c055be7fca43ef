use otp_bindings::atoms::local;
use otp_bindings::gen_server;
use otp_bridge::{Atom, Cx, Pid, Result, atom};

/// Starts a server that is written in Erlang, here that of `disk_log`, and stops it. Servers that
/// are written in Rust have `cx.call`, `cx.cast` and others, which know the types of messages.
pub async fn example(cx: &Cx<'_>) -> Result<()> {
    let (name, module) = (atom!("offices"), atom!("disk_log_server"));
    let arguments: Vec<Atom> = Vec::new();
    let started =
        gen_server::start_with_server_name(cx, (local, name.clone()), module, arguments, []);
    let (_, pid) = started.decode::<(Atom, Pid)>().await?;
    assert_ne!(pid, cx.pid());
    gen_server::stop(cx, name.clone()).await?;
    let gone = gen_server::call(cx, name, atom!("anything")).await;
    assert!(gone.is_err());
    Ok(())
}
