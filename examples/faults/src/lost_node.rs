//! A lost node: the service runs in another Erlang VM, on a node of its own. The fault aborts that
//! VM, as a crash of native code would. All callers that wait for an answer get an error at once.
//! OTP's `peer` links the host process to the other VM, so the host ends as well, and its
//! supervisor starts both again.

use std::process::abort;

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::supervisor::{self, ChildSpec, SupFlags, Supervisor, supervisor};
use otp_bridge::term::ErlangString;
use otp_bridge::{Atom, ToTerm, atom};

use crate::ask::Ask;

const APPLICATION: Atom = atom!("faults");

/// Starts the host, and restarts it after each fault.
pub struct LostNode;

#[supervisor]
impl Supervisor for LostNode {
    /// Maximum number of restarts within a second.
    type Args = u64;

    fn init(restarts: u64) -> impl supervisor::InitReturn {
        let flags = SupFlags::one_for_one().intensity(restarts).period(1);
        (ok, (flags, vec![ChildSpec::of::<Host>(())]))
    }
}

/// Returns the name of the other node.
pub async fn guest_node(cx: &Cx<'_>) -> Result<Atom> {
    let node = cx.node().await?;
    Ok(Atom::new(&format!("guest_{}", node.text()))?)
}

/// Starts the other VM, with this application and the command line `serve`.
#[derive(Debug, Term)]
pub struct Host;

/// `peer:start_options()`
#[derive(Debug, ToTerm)]
struct Options {
    name: Atom,
    peer_down: Atom,
    args: Vec<ErlangString>,
}

#[gen_server]
impl GenServer for Host {
    type Args = ();

    async fn init(_: (), cx: &Cx<'_>) -> Result<impl InitReturn<Self>> {
        let module: ErlangString = cx.apply("code", "which", (atom!("host"),)).await?;
        let modules: ErlangString = cx.apply("filename", "dirname", (module,)).await?;
        let cookie: Atom = cx.apply("erlang", "get_cookie", ()).await?;
        let modules = [
            "-pa".into(),
            modules,
            "-setcookie".into(),
            cookie.text().into(),
        ];
        // Other machines cannot connect to the node.
        let interface = ["-kernel", "inet_dist_use_interface", "{127,0,0,1}"];
        let options = Options {
            name: guest_node(cx).await?,
            peer_down: atom!("crash"),
            args: modules
                .into_iter()
                .chain(interface.map(ErlangString::from))
                .collect(),
        };
        let started: (ok, Pid, Atom) = cx.apply("peer", "start_link", (options,)).await?;
        let node = started.2;
        let application = atom!("application");
        let _: ok = cx
            .apply_on(
                node.clone(),
                application.clone(),
                atom!("load"),
                (APPLICATION,),
            )
            .await?;
        let arguments = (APPLICATION, atom!("arguments"), vec!["serve"]);
        let _: ok = cx
            .apply_on(
                node.clone(),
                application.clone(),
                atom!("set_env"),
                arguments,
            )
            .await?;
        let _: ok = cx
            .apply_on(node, application, atom!("start"), (APPLICATION,))
            .await?;
        Ok((ok, Host))
    }
}

/// Answers on the other node.
#[derive(Debug, Term)]
pub struct Guest;

#[gen_server]
impl GenServer for Guest {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Guest)
    }

    fn handle_call(&mut self, ask: Ask) -> HandleCall<u64> {
        if ask.fault {
            abort();
        }
        reply(ask.answer())
    }
}
