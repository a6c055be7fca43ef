use otp_bindings::erlang;
use otp_bindings::rpc::{self, BadrpcOrRes};
use otp_bridge::{Cx, Result, Term, atom};

/// Calls a function on a node, here on this one. `erpc` says what a function raised; this is
/// `{badrpc, Reason}`.
pub async fn example(cx: &Cx<'_>) -> Result<()> {
    let node = erlang::node(cx).await?;
    let (module, abs) = (atom!("erlang"), atom!("abs"));
    let called = rpc::call(
        cx,
        node.clone(),
        module.clone(),
        abs.clone(),
        [Term::of(&-3)],
    );
    assert_eq!(called.decode::<u8>().await?, 3);
    let failed = rpc::call(cx, node, module, abs, [Term::of("three")]).await?;
    assert!(matches!(failed, BadrpcOrRes::Badrpc(_)));
    Ok(())
}
