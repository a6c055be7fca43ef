//! A function of OTP takes what its `-spec` says.

use otp_bindings::gen_tcp;
use otp_bridge::{Cx, Result};

async fn connect(cx: &Cx<'_>) -> Result<()> {
    let _connected = gen_tcp::connect_address(cx, 5.0, 80, []).await?;
    Ok(())
}

fn main() {}
