use otp_bindings::{erlang, net_kernel};
use otp_bridge::{Cx, Result};

/// How this node was started.
pub async fn example(cx: &Cx<'_>) -> Result<()> {
    let state = net_kernel::get_state(cx).await?;
    assert_eq!(state.name.is_some(), erlang::is_alive(cx).await?);
    Ok(())
}
