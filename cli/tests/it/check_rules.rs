//! `cargo otp check`: for each rule about processes that callbacks name, there is a wrong program
//! and similar right ones. They are one application, whose clauses a test selects.

use crate::support::{Said, Scratch};

/// The first argument selects the children.
const ROOT: &str = r#"//! The root supervisor.
use otp_bridge::atoms::ok;
use otp_bridge::supervisor::prelude::*;

use crate::desk::{DESK, Desk, SHOP, STORE, Shop, Store};

pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    type Args = Vec<String>;

    fn init(arguments: Vec<String>) -> impl InitReturn {
        let store = ChildSpec::of::<Store>(()).registered(&STORE);
        let desk = ChildSpec::of::<Desk>(()).registered(&DESK);
        let shop = ChildSpec::of::<Shop>(()).registered(&SHOP);
        let children = match arguments.first().map(String::as_str).unwrap_or_default() {
            "isolated" => vec![store, desk, ChildSpec::isolated::<Shop>(())],
            "desks" => vec![store, desk, ChildSpec::of::<Desk>(()).id(2), shop],
            _ => vec![store, desk, shop],
        };
        (ok, (SupFlags::one_for_one(), children))
    }
}
"#;

/// Three servers, started in this order.
const SERVERS: &str = r#"//! Servers.
use otp_bridge::atom;
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::messages::{Down, ExitSignal};

pub static STORE: Server<Store> = Server::registered();
pub static DESK: Server<Desk> = Server::registered();
pub static SHOP: Server<Shop> = Server::local(atom!("shop"));

/// `get`
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Get;

/// `total`
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Total;

/// `opened`
#[derive(Debug, Term)]
pub struct Opened;

"#;

/// A server with these lines in its `init`, its clauses for `get` and `total`, and its `terminate`.
fn server(name: &str, [init, get, total, terminate]: [&str; 4]) -> String {
    format!(
        r#"
#[derive(Debug)]
pub struct {name};

#[gen_server]
impl GenServer for {name} {{
    type Args = ();

    async fn init(_: (), cx: &Cx<'_>) -> Result<impl InitReturn<Self>> {{
        cx.trap_exit(true);
        {init}
        Ok((ok, {name}))
    }}

    async fn handle_call(&mut self, _: Get, cx: &Cx<'_>) -> Result<HandleCall<u64>> {{
        {get}
        reply(7)
    }}

    async fn handle_call(&mut self, _: Total, cx: &Cx<'_>) -> Result<HandleCall<u64>> {{
        {total}
        reply(7)
    }}

    fn handle_cast(&mut self, _: Opened) -> HandleCast {{
        noreply()
    }}

    fn handle_info(&mut self, _: Down) -> HandleInfo {{
        noreply()
    }}

    fn handle_info(&mut self, _: ExitSignal) -> HandleInfo {{
        noreply()
    }}

    async fn terminate(&mut self, _: TerminateReason, cx: &Cx<'_>) -> Result<()> {{
        {terminate}
        Ok(())
    }}
}}
"#
    )
}

/// The application, and the lines of its servers by their positions.
struct Program {
    scratch: Scratch,
}

impl Program {
    fn new() -> Self {
        let scratch = Scratch::with_application_named("checked_rules");
        let added = scratch.cargo_otp("checked_rules", &["add", "desk", "gen_server"]);
        added.succeeded();
        scratch.write("checked_rules/src/stroot.rs", ROOT);
        Program { scratch }
    }

    fn check(&self, word: &str, [store, desk, shop]: [[&str; 4]; 3]) -> Said {
        let servers = [("Store", store), ("Desk", desk), ("Shop", shop)];
        let servers: String = servers.map(|(name, lines)| server(name, lines)).concat();
        let text = format!("{SERVERS}{servers}");
        self.scratch.write("checked_rules/src/desk.rs", &text);
        self.scratch
            .cargo_otp("checked_rules", &["check", "--", word])
    }
}

const NONE: [&str; 4] = [""; 4];

#[test]
fn names_that_callbacks_use_are_those_of_processes_that_can_answer() {
    let program = Program::new();
    // Right: processes that started before, calls in tasks, other requests, and conditions.
    let store = [
        "",
        "",
        "cx.spawn_task(async |cx| cx.call(&STORE, Get).await);",
        "",
    ];
    let desk = [
        "cx.call(&STORE, Get).await?; cx.spawn_task(async |cx| cx.call(&SHOP, Get).await);",
        "cx.call(&SHOP, Get).await?;",
        "cx.cast(&DESK, Opened);",
        "cx.call(&STORE, Get).await?;",
    ];
    let shop = [
        "cx.cast(&DESK, Opened); cx.monitor(&STORE).await?;",
        "",
        "let open: bool = cx.apply(\"erlang\", \"is_alive\", ()).await?; if open { cx.call(&DESK, Total).await?; }",
        "",
    ];
    for word in ["right", "desks"] {
        let said = program.check(word, [store, desk, shop]);
        said.succeeded();
        assert!(said.err.contains("0 warnings"), "{}", said.err);
    }
    // Wrong: one mistake of each rule at a time, or several that do not hide each other.
    let wrong = [
        [
            "cx.cast(&SHOP, Opened); cx.monitor(&otp_bridge::gen_server::Server::<Desk>::registered()).await?;",
            "",
            "",
            "cx.call(&SHOP, Get).await?;",
        ],
        [
            "cx.call(&DESK, Get).await?;",
            "let own = &DESK; cx.call(own, Total).await?;",
            "",
            "",
        ],
        ["", "", "", ""],
    ];
    program.check("wrong", wrong).refused(&[
        "error[E0948]: `init` of `store` sends to `shop`, which is started later",
        "error[E0948]: `init` of `store` sends to `desk`, which is started later",
        "error[E0945]: `terminate` of `store` waits for `shop`, which is started later, and so stopped before",
        "error[E0945]: `init` of `desk` waits for `desk`, which is the process itself",
        "no process answers during its `init`: use the state that `init` makes",
        "error[E0947]: `handle_call` of `desk` waits for `desk`, which is the process itself",
    ]);
    let circle = [
        ["", "cx.call(&DESK, Get).await?;", "", ""],
        [
            "",
            "cx.call(&SHOP, Total).await?;",
            "cx.call(&STORE, Total).await?;",
            "",
        ],
        [
            "",
            "cx.call(&DESK, Total).await?;",
            "cx.call(&STORE, Get).await?;",
            "",
        ],
    ];
    program.check("wrong", circle).refused(&[
        "error[E0947]: `handle_call` of `store` waits for `desk`, whose clause for the request waits for `shop`, which waits for this process",
    ]);
    let isolated = [NONE, NONE, ["", "cx.call(&STORE, Get).await?;", "", ""]];
    program.check("right", isolated).succeeded();
    program.check("isolated", isolated).refused(&[
        "error[E0949]: `shop` is isolated, and uses the name `store` of a `store` in this VM",
    ]);
}
