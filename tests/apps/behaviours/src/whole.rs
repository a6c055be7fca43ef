//! The application itself.
use otp_bridge::application::prelude::*;
use otp_bridge::atom;

use crate::stroot::Stroot;

/// Kept while the application runs.
#[derive(Debug)]
pub struct Whole {
    arguments: Vec<String>,
}

#[application]
impl Application for Whole {
    type StartArgs = Vec<String>;

    async fn start(start_type: StartType, arguments: Vec<String>, cx: &Cx) -> Result<Start<Self>> {
        let () = note(cx, (atom!("started"), start_type)).await?;
        let root = cx
            .start_link_registered::<Stroot>(arguments.clone())
            .await?;
        Ok(Start::OkState(root, Whole { arguments }))
    }

    async fn stop(self, cx: &Cx) -> Result<Term> {
        note(cx, (atom!("stopped"), self.arguments)).await?;
        Ok(Term::of(&ok))
    }
}

/// Leaves word where the test finds it: `persistent_term:put/2`.
async fn note(cx: &Cx, (key, value): (Atom, impl ToTerm)) -> Result<()> {
    let _: Atom = cx.apply("persistent_term", "put", (key, value)).await?;
    Ok(())
}
