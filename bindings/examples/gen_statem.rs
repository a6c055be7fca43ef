use otp_bindings::gen_statem;
use otp_bridge::{Cx, Result, atom};

/// Sends an event to a state machine by its name. A cast to a machine that is not there is lost, a
/// call is `Err`.
pub async fn example(cx: &Cx<'_>) -> Result<()> {
    gen_statem::cast(cx, atom!("door"), atom!("close")).await?;
    let answer = gen_statem::call(cx, atom!("door"), atom!("open")).await;
    assert!(answer.is_err());
    Ok(())
}
