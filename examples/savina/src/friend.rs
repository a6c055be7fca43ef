//! An actor that sends a message to all others.

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

use crate::bench::{BENCH, Done};

/// Tells the bench when it has received a message from all others.
#[derive(Debug, Term)]
pub struct Friend {
    others: Vec<Server<Friend>>,
    missing: u32,
}

/// `{friends, Friends}`: all actors, including this one.
#[derive(Debug, Term)]
#[reply(ok)]
pub struct Friends(pub Vec<Server<Friend>>);

/// `begin`
#[derive(Debug, Term)]
pub struct Begin;

/// `note`
#[derive(Debug, Term)]
pub struct Note;

#[gen_server]
impl GenServer for Friend {
    /// Number of other actors.
    type Args = u32;

    fn init(missing: u32) -> impl InitReturn<Self> {
        let others = Vec::new();
        (ok, Friend { others, missing })
    }

    fn handle_call(&mut self, Friends(all): Friends, cx: &Cx<'_>) -> Result<HandleCall<ok>> {
        for friend in all {
            if friend.pid()? != cx.pid() {
                self.others.push(friend);
            }
        }
        reply(ok)
    }

    fn handle_cast(&mut self, _: Begin, cx: &Cx<'_>) -> HandleCast {
        for other in &self.others {
            cx.cast(other, Note);
        }
        noreply()
    }

    fn handle_cast(&mut self, _: Note, cx: &Cx<'_>) -> HandleCast {
        self.missing -= 1;
        if self.missing == 0 {
            cx.cast(&BENCH, Done);
        }
        noreply()
    }
}
