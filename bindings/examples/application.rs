use otp_bindings::application;
use otp_bridge::{Cx, Result, atom};

/// Starts an application that this one needs, and reads a setting.
pub async fn example(cx: &Cx<'_>) -> Result<()> {
    application::ensure_all_started(cx, atom!("crypto")).await??;
    let (shop, port) = (atom!("shop"), atom!("port"));
    application::set_env_with_application_par_and_val(cx, shop.clone(), port.clone(), 8080).await?;
    let port: u16 = application::get_env_with_def(cx, shop, port, 80)
        .decode()
        .await?;
    assert_eq!(port, 8080);
    Ok(())
}
