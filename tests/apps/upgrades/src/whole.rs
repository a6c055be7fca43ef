//! The application itself.
use otp_bridge::application::prelude::*;
use otp_bridge::atom;
use otp_bridge::atoms::ok;

use crate::stroot::Stroot;

/// An empty state.
#[derive(Debug)]
pub struct Whole;

#[application]
impl Application for Whole {
    type StartArgs = Vec<String>;

    async fn start(
        _: StartType,
        arguments: Vec<String>,
        cx: &Cx<'_>,
    ) -> Result<impl StartReturn<Self>> {
        let root = cx.start_link_registered::<Stroot>(arguments).await?;
        Ok((ok, root))
    }

    fn stop(&mut self) -> Atom {
        ok.into()
    }

    /// Notifies the process with this name.
    fn config_change(
        changed: Vec<ParVal>,
        new: Vec<ParVal>,
        removed: Vec<Atom>,
        cx: &Cx<'_>,
    ) -> impl ConfigChangeReturn {
        let told = (
            atom!("told"),
            crate::BUILD.to_owned(),
            changed,
            new,
            removed,
        );
        cx.send(&atom!("told"), told);
        ok
    }
}
