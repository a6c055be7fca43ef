use otp_bindings::persistent_term;
use otp_bridge::{Cx, Result, atom};

/// A setting that all processes read without copying.
pub async fn example(cx: &Cx<'_>) -> Result<()> {
    let key = (atom!("shop"), atom!("currency"));
    persistent_term::put(cx, key.clone(), "EUR").await?;
    let currency: String = persistent_term::get_with_key_and_default(cx, key.clone(), "USD")
        .decode()
        .await?;
    assert_eq!(currency, "EUR");
    assert!(persistent_term::erase(cx, key).await?);
    Ok(())
}
