use otp_bindings::atoms::{processes, total};
use otp_bindings::erlang;
use otp_bridge::{Cx, Result};

/// What the VM knows of itself.
pub async fn example(cx: &Cx<'_>) -> Result<()> {
    assert_eq!(erlang::self_(cx).await?, cx.pid());
    let all = erlang::memory_type(cx, total).await?;
    assert!(all > erlang::memory_type(cx, processes).await?);
    let one = erlang::unique_integer(cx).await?;
    assert_ne!(one, erlang::unique_integer(cx).await?);
    // The same term has the same hash on every node.
    assert!(erlang::phash2_with_range(cx, ("a", "key"), 16).await? < 16);
    Ok(())
}
