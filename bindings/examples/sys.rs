use otp_bindings::{gen_event, sys};
use otp_bridge::{Cx, Result, Term};

/// Looks into another process. A type of one's own instead of `Term` reads the state.
pub async fn example(cx: &Cx<'_>) -> Result<()> {
    let manager = gen_event::start(cx).await??;
    let handlers: Vec<Term> = sys::get_state(cx, manager.clone()).decode().await?;
    assert!(handlers.is_empty());
    sys::suspend(cx, manager.clone()).await?;
    sys::resume(cx, manager.clone()).await?;
    sys::terminate(cx, manager, "not needed").await?;
    Ok(())
}
