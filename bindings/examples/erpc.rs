use otp_bindings::{erlang, erpc};
use otp_bridge::{Cx, Result, Term, atom};

/// Calls a function on a node, here on this one. What it raises is `Err`.
pub async fn example(cx: &Cx<'_>) -> Result<()> {
    let node = erlang::node(cx).await?;
    let (module, abs) = (atom!("erlang"), atom!("abs"));
    let number = [Term::of(&-3)];
    let called = erpc::call_with_mfa(cx, node.clone(), module.clone(), abs.clone(), number);
    assert_eq!(called.decode::<u8>().await?, 3);
    let text = [Term::of("three")];
    let raised = erpc::call_with_mfa(cx, node, module, abs, text).await;
    assert!(raised.is_err());
    Ok(())
}
