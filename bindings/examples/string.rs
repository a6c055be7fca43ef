use otp_bindings::string;
use otp_bridge::{Cx, Result};

/// Text by what a reader takes for a character, which is more than Rust's `char`.
pub async fn example(cx: &Cx<'_>) -> Result<()> {
    let flag_and_letter = "🇸🇪e\u{301}";
    assert_eq!(string::length(cx, flag_and_letter).await?, 2);
    let title: String = string::titlecase(cx, "ålesund").decode().await?;
    assert_eq!(title, "Ålesund");
    let parts: Vec<String> = string::split(cx, "key=value", "=").decode().await?;
    assert_eq!(parts, ["key", "value"]);
    Ok(())
}
