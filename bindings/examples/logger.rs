use otp_bindings::logger::{self, HandlerConfig, Level, Metadata};
use otp_bridge::{Cx, Result, Term, atom};

/// Logs, with metadata of this process, and adds a handler.
pub async fn example(cx: &Cx<'_>) -> Result<()> {
    let metadata = Metadata {
        domain: Some(vec![atom!("shop")]),
        ..Metadata::default()
    };
    logger::set_process_metadata(cx, metadata).await?;
    logger::debug(cx, "opened").await?;
    logger::debug_format(cx, "~p of ~p", [Term::of(&1), Term::of(&2)]).await?;

    let config = HandlerConfig {
        level: Some(Level::Emergency.into()),
        ..HandlerConfig::default()
    };
    logger::add_handler(cx, atom!("shop"), atom!("logger_std_h"), config).await??;
    assert!(logger::get_handler_ids(cx).await?.contains(&atom!("shop")));
    logger::remove_handler(cx, atom!("shop")).await??;
    logger::unset_process_metadata(cx).await?;
    Ok(())
}
