use otp_bindings::gen_event;
use otp_bridge::{Cx, Result, atom};

/// Starts an event manager, which has no handlers yet, and notifies it.
pub async fn example(cx: &Cx<'_>) -> Result<()> {
    let manager = gen_event::start(cx).await??;
    gen_event::sync_notify(cx, manager.clone(), (atom!("opened"), 7)).await?;
    assert!(
        gen_event::which_handlers(cx, manager.clone())
            .await?
            .is_empty()
    );
    gen_event::stop(cx, manager).await?;
    Ok(())
}
