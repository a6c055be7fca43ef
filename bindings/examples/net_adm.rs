use otp_bindings::net_adm::{self, PongOrPang};
use otp_bridge::{Cx, Result, atom};

/// Whether a node can be reached.
pub async fn example(cx: &Cx<'_>) -> Result<()> {
    let answer = net_adm::ping(cx, atom!("nobody@nowhere")).await?;
    assert_eq!(answer, PongOrPang::Pang);
    assert!(!net_adm::localhost(cx).await?.is_empty());
    Ok(())
}
