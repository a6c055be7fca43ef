use otp_bindings::global::{self, YesOrNo};
use otp_bridge::{Cx, Result, atom};

/// A name of this process that all connected nodes know.
pub async fn example(cx: &Cx<'_>) -> Result<()> {
    let name = atom!("leader");
    assert_eq!(
        global::register_name(cx, name.clone(), cx.pid()).await?,
        YesOrNo::Yes
    );
    assert_eq!(
        global::whereis_name(cx, name.clone()).await?,
        Some(cx.pid())
    );
    global::unregister_name(cx, name.clone()).await?;
    assert_eq!(global::whereis_name(cx, name).await?, None);
    Ok(())
}
