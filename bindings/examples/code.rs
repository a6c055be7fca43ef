use otp_bindings::code::{self, ModuleOrError};
use otp_bridge::{Cx, Result, atom};

/// Loads a module, if it is not loaded yet.
pub async fn example(cx: &Cx<'_>) -> Result<()> {
    let loaded = code::ensure_loaded(cx, atom!("queue")).await?;
    assert_eq!(loaded, ModuleOrError::Module(atom!("queue")));
    let missing = code::ensure_loaded(cx, atom!("no_such_module")).await?;
    assert!(matches!(missing, ModuleOrError::Error(_)));
    Ok(())
}
