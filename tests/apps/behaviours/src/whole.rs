//! The application itself.
use otp_bridge::application::prelude::*;
use otp_bridge::atom;
use otp_bridge::atoms::ok;

use crate::stroot::Stroot;

/// The state that `start/2` returns and `stop/1` gets.
#[derive(Debug)]
pub struct Whole {
    arguments: Vec<String>,
}

#[application]
impl Application for Whole {
    type StartArgs = Vec<String>;

    async fn start(
        start_type: StartType,
        arguments: Vec<String>,
        cx: &Cx<'_>,
    ) -> Result<impl StartReturn<Self>> {
        note(cx, (atom!("started"), start_type)).await?;
        let root = cx
            .start_link_registered::<Stroot>(arguments.clone())
            .await?;
        Ok((ok, root, Whole { arguments }))
    }

    async fn stop(&mut self, cx: &Cx<'_>) -> Result<()> {
        note(cx, (atom!("stopped"), &self.arguments)).await
    }
}

/// Leaves a note for the test, with `persistent_term:put/2`.
async fn note(cx: &Cx<'_>, (key, value): (Atom, impl ToTerm)) -> Result<()> {
    let _: Atom = cx.apply("persistent_term", "put", (key, value)).await?;
    Ok(())
}
