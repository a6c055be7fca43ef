use otp_bindings::atoms::{latin1, utf8};
use otp_bindings::unicode::{self, BinaryOrErrorOrIncomplete};
use otp_bridge::term::Binary;
use otp_bridge::{Cx, Result};

/// Bytes of another encoding as UTF-8, and text in its composed form.
pub async fn example(cx: &Cx<'_>) -> Result<()> {
    let latin = Binary::from(vec![0xe5]);
    let text: String = unicode::characters_to_binary_with_out_encoding(cx, latin, latin1, utf8)
        .decode()
        .await?;
    assert_eq!(text, "å");
    let composed: String = unicode::characters_to_nfc_binary(cx, "a\u{30a}")
        .decode()
        .await?;
    assert_eq!(composed, "å");
    let broken = unicode::characters_to_binary(cx, Binary::from(vec![0xff])).await?;
    assert!(matches!(broken, BinaryOrErrorOrIncomplete::Error(..)));
    Ok(())
}
