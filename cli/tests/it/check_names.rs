//! `cargo otp check`: compares processes that callbacks name by a static with the processes that
//! the supervisors start.

use crate::support::Scratch;

/// The first argument selects the order of the children.
const ROOT: &str = r#"//! The root supervisor.
use otp_bridge::atom;
use otp_bridge::atoms::ok;
use otp_bridge::supervisor::prelude::*;

use crate::desk::{Desk, Store};

pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    type Args = Vec<String>;

    fn init(arguments: Vec<String>) -> impl InitReturn {
        let desk = ChildSpec::of::<Desk>(());
        let store = ChildSpec::of::<Store>(()).registered(atom!("store"));
        let children = match arguments.first().map(String::as_str).unwrap_or_default() {
            "first" => vec![desk, store],
            "other" => vec![desk.registered(atom!("store"))],
            _ => vec![store, desk],
        };
        (ok, (SupFlags::one_for_one(), children))
    }
}
"#;

const DESK: &str = r#"//! Servers.
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

use crate::stroot::Stroot;

pub static STORE: Server<Store> = Server::registered();
pub static ROOT: Server<Stroot> = Server::registered();

/// `get`
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Get;

#[derive(Debug)]
pub struct Store;

#[gen_server]
impl GenServer for Store {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Store)
    }

    fn handle_call(&mut self, _: Get) -> HandleCall<u64> {
        reply(7)
    }
}

#[derive(Debug)]
pub struct Desk(u64);

#[gen_server]
impl GenServer for Desk {
    type Args = ();

    async fn init(_: (), cx: &Cx<'_>) -> Result<impl InitReturn<Self>> {
        let number = cx.call(&STORE, Get).await?;
        cx.spawn_task(async move |cx| cx.count_children(&ROOT).await);
        // here
        Ok((ok, Desk(number)))
    }
}
"#;

fn check(scratch: &Scratch, word: &str) -> crate::support::Said {
    scratch.cargo_otp("checked_names", &["check", "--", word])
}

#[test]
fn what_init_waits_for_is_there() {
    let scratch = Scratch::with_application_named("checked_names");
    scratch
        .cargo_otp("checked_names", &["add", "desk", "gen_server"])
        .succeeded();
    scratch.write("checked_names/src/stroot.rs", ROOT);
    scratch.write("checked_names/src/desk.rs", DESK);
    let said = check(&scratch, "right");
    said.succeeded();
    assert!(said.err.contains("0 warnings"), "{}", said.err);
    check(&scratch, "first").refused(&[
        "error[E0945]: `init` of `desk` waits for `store`, which is started later",
        "src/desk.rs:39:25\n",
        "let the supervisor start it first; or call it in `handle_start`, when the supervisor has answered",
    ]);
    check(&scratch, "other").refused(&[
        "error[E0944]: `store` is the name of a `desk`, and is used as that of a `store`",
        "src/desk.rs:39:25\n",
    ]);
    let terminate = "    fn terminate(&mut self, _: TerminateReason) {}\n}\n";
    let ended = format!(
        "{}{terminate}",
        DESK.strip_suffix("}\n").expect("the block's end")
    );
    scratch.write("checked_names/src/desk.rs", &ended);
    let said = check(&scratch, "right");
    said.succeeded();
    let warning =
        "warning[E0946]: `terminate` of `desk` is not called when its supervisor stops it";
    assert!(said.err.contains(warning), "{}", said.err);
    let above = "let _count = cx.count_children(&ROOT).await?;\n        cx.trap_exit(true)";
    let trapping = ended.replace("// here", &format!("{above};"));
    let trapping = trapping.replace(
        "    fn terminate",
        "    fn handle_info(&mut self, _: otp_bridge::messages::ExitSignal) -> HandleInfo {
        noreply()
    }

    fn terminate",
    );
    scratch.write("checked_names/src/desk.rs", &trapping);
    let said = check(&scratch, "right");
    said.refused(&[
        "error[E0945]: `init` of `desk` waits for `stroot`, a supervisor that waits until this `init` has returned",
    ]);
    assert!(!said.err.contains(warning), "{}", said.err);
}
