use std::time::Duration;

use otp_bindings::timer;
use otp_bridge::{Cx, Result, atom};

/// A message to this process in an hour, which is cancelled, and a pause.
pub async fn example(cx: &Cx<'_>) -> Result<()> {
    let hour = Duration::from_secs(3_600);
    let timer = timer::send_after(cx, hour, atom!("late")).await??;
    timer::cancel(cx, timer).await??;
    timer::sleep(cx, Duration::from_millis(1)).await?;
    Ok(())
}
