use otp_bindings::atoms::{hmac, sha256};
use otp_bindings::crypto;
use otp_bridge::{Cx, Result};

/// A hash, a random key, and a message's authentication code.
pub async fn example(cx: &Cx<'_>) -> Result<()> {
    let hash = crypto::hash(cx, sha256, "text").await?;
    assert_eq!(hash.len(), 32);
    let key = crypto::strong_rand_bytes(cx, 32).await?;
    let code = crypto::mac_with_sub_type(cx, hmac, sha256, key.clone(), "message").await?;
    let again = crypto::mac_with_sub_type(cx, hmac, sha256, key, "message").await?;
    assert_eq!(code, again);
    Ok(())
}
