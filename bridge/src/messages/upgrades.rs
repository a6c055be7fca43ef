//! Messages of upgrades.

use crate::Term;

/// An upgrade of the running application begins, or has ended. A `gen_server` or `gen_statem` with
/// a clause for these messages gets both, so that it can stop parts that another build cannot take
/// over, such as threads, and start them again in the build that it runs afterwards. Keep such
/// values in a [`BuildLocal`](crate::term::BuildLocal).
///
/// ```
/// use std::sync::mpsc;
/// use std::thread::{self, JoinHandle};
///
/// use otp_bridge::atoms::ok;
/// use otp_bridge::gen_server::prelude::*;
/// use otp_bridge::messages::Upgrade;
/// use otp_bridge::term::BuildLocal;
/// # use otp_bridge_novm as _;
///
/// /// Prints lines in a thread.
/// #[derive(Debug, Term)]
/// pub struct Printer {
///     running: BuildLocal<(mpsc::Sender<String>, JoinHandle<()>)>,
/// }
///
/// fn start() -> (mpsc::Sender<String>, JoinHandle<()>) {
///     let (lines, given) = mpsc::channel();
///     let thread = thread::spawn(move || given.iter().for_each(|line: String| println!("{line}")));
///     (lines, thread)
/// }
///
/// #[gen_server]
/// impl GenServer for Printer {
///     type Args = ();
///
///     fn init(_: ()) -> impl InitReturn<Self> {
///         (ok, Printer { running: BuildLocal::new(start()) })
///     }
///
///     async fn handle_info(&mut self, upgrade: Upgrade, cx: &Cx<'_>) -> HandleInfo {
///         match upgrade {
///             Upgrade::Begins => {
///                 if let Some((lines, thread)) = self.running.take() {
///                     drop(lines);
///                     let _ended = cx.blocking(|| thread.join()).await;
///                 }
///             }
///             Upgrade::Ended => self.running = BuildLocal::new(start()),
///         }
///         noreply()
///     }
/// }
/// ```
///
/// Any process of the node can send these messages. A clause should do no harm if a message arrives
/// twice, or without the other one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Term)]
pub enum Upgrade {
    /// `upgrade_begins`: the process is suspended as soon as the callback has ended. Processes get
    /// this message one after the other, those that were started last first.
    #[term(tag = "upgrade_begins")]
    Begins,
    /// `upgrade_ended`: the process runs again, in the new build, or still in this one if the
    /// upgrade was not carried out. Processes that were started first get this message first.
    #[term(tag = "upgrade_ended")]
    Ended,
}
