use otp_bindings::application;
use otp_bridge::{Atom, Cx, Result, Term, atom};

/// `inets` is started as an application. On OTP 25 the functions of its module have no `-spec`, so
/// they are called by `apply`.
pub async fn example(cx: &Cx<'_>) -> Result<()> {
    application::ensure_all_started(cx, atom!("inets")).await??;
    let services: Vec<(Atom, Term)> = cx.apply("inets", "services", ()).await?;
    assert!(!services.is_empty());
    Ok(())
}
