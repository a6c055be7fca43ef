use otp_bindings::pg;
use otp_bridge::{Cx, Result, atom};

/// A group of processes, which all nodes that have the scope know.
pub async fn example(cx: &Cx<'_>) -> Result<()> {
    let scope = atom!("rooms");
    pg::start(cx, scope.clone()).await??;
    pg::join_with_scope(cx, scope.clone(), "lobby", cx.pid()).await?;
    let members = pg::get_members_with_scope(cx, scope.clone(), "lobby").await?;
    assert_eq!(members, [cx.pid()]);
    pg::leave_with_scope(cx, scope, "lobby", cx.pid()).await?;
    Ok(())
}
