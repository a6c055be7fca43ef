use otp_bindings::atoms::inet as ipv4;
use otp_bindings::inet;
use otp_bridge::{Cx, Result};

/// Addresses as text and as tuples.
pub async fn example(cx: &Cx<'_>) -> Result<()> {
    let address = inet::parse_address(cx, "127.0.0.1").await??;
    assert_eq!(address, (127, 0, 0, 1).into());
    assert_eq!(inet::getaddr(cx, "127.0.0.1", ipv4).await??, address);
    let text: Vec<u8> = inet::ntoa(cx, address).decode().await?;
    assert_eq!(text, b"127.0.0.1");
    Ok(())
}
