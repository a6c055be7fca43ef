//! `cargo otp check`: rules about what the sources of an application show by literals and statics.
//! Each has a wrong program and a right one: the same application with other lines.

use crate::support::{Said, Scratch};

/// Lines that differ, by the marks in the sources.
type Lines<'a> = &'a [(&'a str, &'a str)];

const ROOT: &str = r#"//! The root supervisor.
use otp_bridge::atoms::{ok, start_link};
use otp_bridge::gen_event::Manager;
use otp_bridge::supervisor::prelude::*;
use otp_bridge::atom;

use crate::desk::{DESK, Desk, STORE, Store, Worker};

pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    type Args = Vec<String>;

    fn init(_: Vec<String>) -> impl InitReturn {
        let scope = ChildSpec::erlang(atom!("pg"), start_link, (atom!("chat"),));
        let manager = Manager::child_spec(atom!("alarms"));
        let workers = ChildSpec::of::<Workers>(());
        let store = ChildSpec::of::<Store>(()).registered(&STORE);
        let desk = ChildSpec::of::<Desk>(()).registered(&DESK);
        // children
        (ok, (SupFlags::rest_for_one(), children))
    }
}

pub struct Workers;

#[supervisor]
impl Supervisor for Workers {
    type Args = ();

    fn init(_: ()) -> impl InitReturn {
        let worker = |number| ChildSpec::of::<Worker>(number).id(u64::from(number));
        // strategy
        (ok, (flags, vec![worker(0), worker(1)]))
    }
}
"#;

const DESK: &str = r#"//! Servers.
use otp_bridge::atoms::ok;
use otp_bridge::gen_event::Manager;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::pg::Group;
use otp_bridge::task::PoolMembership;
use otp_bridge::{Env, Term, atom};

pub static STORE: Server<Store> = Server::registered();
pub static DESK: Server<Desk> = Server::registered();
otp_bridge::task_pool!(
    /// Computes.
    pub static POOL;
);

/// Words of Erlang.
pub mod atoms {
    otp_bridge::atoms! { packet }
}

/// The environment of another application.
#[derive(Debug, Env)]
#[env(application = "kernel")]
pub struct Settings {
    #[env(default)]
    pub distribution: Option<Term>,
}

/// `get`
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Get;

/// `total`
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Total;

#[derive(Debug)]
pub struct Store;

#[gen_server]
impl GenServer for Store {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Store)
    }

    async fn handle_start(&mut self, _: (), cx: &Cx<'_>) -> Result<HandleStart> {
        // start
        noreply()
    }

    async fn handle_call(&mut self, _: Get, cx: &Cx<'_>) -> Result<HandleCall<u64>> {
        let sum: u64 = POOL.spawn_anywhere(cx, async move |_| Ok(7)).await?;
        reply(sum)
    }
}

#[derive(Debug)]
pub struct Desk;

#[gen_server]
impl GenServer for Desk {
    type Args = ();

    async fn init(_: (), cx: &Cx<'_>) -> Result<impl InitReturn<Self>> {
        Group::<Desk>::in_scope(atom!("chat"), "desks").join(cx).await?;
        Ok((ok, Desk))
    }

    async fn handle_call(&mut self, _: Get, cx: &Cx<'_>) -> Result<HandleCall<u64>> {
        cx.notify(&Manager::local(atom!("alarms")), 7).await?;
        // functions
        cx.call(&STORE, Get).await?;
        reply(7)
    }

    fn handle_call(&mut self, _: Total) -> HandleCall<u64> {
        reply(7)
    }
}

/// A worker of the pool.
#[derive(Debug, Term)]
pub struct Worker {
    member: Option<PoolMembership>,
}

#[gen_server]
impl GenServer for Worker {
    type Args = u16;

    fn init(number: u16, cx: &Cx<'_>) -> impl InitReturn<Self> {
        // worker
        (ok, Worker { member })
    }
}
"#;

const RIGHT: [(&str, &str); 5] = [
    (
        "children",
        "let children = vec![scope, manager, workers, store, desk];",
    ),
    ("strategy", "let flags = SupFlags::one_for_one();"),
    (
        "start",
        "cx.which_children(&Server::<crate::stroot::Stroot>::registered()).await?; cx.call(&DESK, Total).await?;",
    ),
    (
        "functions",
        "let _: u64 = cx.apply(\"lists\", \"sum\", (vec![1, 2],)).await?;",
    ),
    ("worker", "let member = Some(POOL.join(number, cx));"),
];

struct Program {
    scratch: Scratch,
    config: String,
}

impl Program {
    fn new() -> Self {
        let scratch = Scratch::with_application_named("checked_sources");
        let added = scratch.cargo_otp("checked_sources", &["add", "desk", "gen_server"]);
        added.succeeded();
        let config = scratch.read("checked_sources/otp.toml");
        Program { scratch, config }
    }

    /// Checks the right program with these other lines. The mark of a line is a comment, or a text
    /// of the sources or of otp.toml.
    fn check(&self, lines: Lines<'_>) -> Said {
        let mut texts = [ROOT, DESK, self.config.as_str()].map(str::to_owned);
        for (mark, line) in lines.iter().chain(&RIGHT) {
            for text in &mut texts {
                *text = text.replace(&format!("// {mark}\n"), &format!("{line}\n"));
                if !mark.chars().all(char::is_alphabetic) {
                    *text = text.replace(mark, line);
                }
            }
        }
        let [root, desk, config] = texts;
        self.scratch.write("checked_sources/src/stroot.rs", &root);
        self.scratch.write("checked_sources/src/desk.rs", &desk);
        self.scratch.write("checked_sources/otp.toml", &config);
        self.scratch.cargo_otp("checked_sources", &["check"])
    }
}

#[test]
fn what_the_sources_show_is_compared_with_the_processes_and_with_erlang() {
    let program = Program::new();
    let right = program.check(&[]);
    right.succeeded();
    assert!(right.err.contains("0 warnings"), "{}", right.err);

    program
        .check(&[
            (
                "ChildSpec::of::<Store>(()).registered(&STORE);",
                "ChildSpec::of::<Store>(());",
            ),
            (
                "in_scope(atom!(\"chat\"), \"desks\")",
                "in_scope(atom!(\"chats\"), \"desks\")",
            ),
            (
                "Manager::local(atom!(\"alarms\")), 7",
                "Manager::local(atom!(\"alarm\")), 7",
            ),
            (
                "[system]",
                "[application]\nregistered = [\"clerk\"]\n\n[system]",
            ),
            ("start", ""),
        ])
        .refused(&[
            "error[E0960]: no process has the name `store`",
            "give the name to a child: ChildSpec::of::<…>(…).registered(&NAME)",
            "error[E0960]: no process has the name `chats`",
            "did you mean `chat`?",
            "ChildSpec::erlang(atom!(\"pg\"), start_link, (atom!(\"chats\"),))",
            "error[E0960]: no process has the name `alarm`",
            "error[E0960]: no process has the name `clerk`",
            "otp.toml",
        ]);

    let functions = "let _: Term = cx.apply(\"lists\", \"sum\", (1, 2)).await?;
        let _: Term = cx.apply(\"lists\", \"summ\", (vec![1],)).await?;
        let _: Term = cx.apply(\"list\", \"sum\", (vec![1],)).await?;
        let _: Term = cx.apply(\"crypto\", \"hash\", (atom!(\"sha256\"), \"text\")).await?;
        let _: Term = Term::of(&(atoms::packet, 3));";
    let called = program.check(&[
        ("functions", functions),
        (
            "#[env(application = \"kernel\")]",
            "#[env(application = \"kernl\")]",
        ),
    ]);
    called.refused(&[
        "error[E0961]: this function cannot be called: `lists:sum` has no arity 2, but 1",
        "src/desk.rs:75:26\n",
        "error[E0961]: this function cannot be called: `lists` has no function `summ`",
        "error[E0961]: this function cannot be called: there is no module `list`",
        "error[E0962]: `crypto` belongs to the application `crypto`, which is not started",
        "applications = [\"crypto\"]",
        "error[E0965]: the option `packet` of a socket cannot be 3",
        "error[E1030]: the Erlang application `kernl` is needed, and is not installed",
    ]);

    let listed = [
        (
            "functions",
            "let _: Term = cx.apply(\"crypto\", \"hash\", (atom!(\"sha256\"), \"text\")).await?;",
        ),
        (
            "[system]",
            "[application]\napplications = [\"crypto\"]\n\n[system]",
        ),
    ];
    program.check(&listed).succeeded();

    program
        .check(&[
            ("worker", "let _ = (number, cx); let member = None;"),
            ("start", "cx.call(&DESK, Total).await?; cx.monitor(&DESK).await?.down(cx).await?;"),
            ("children", "let group = Isolation::group(atom!(\"walls\"));
        let store = ChildSpec::isolated_in::<Store>(&group, ()).registered(&STORE);
        let other = ChildSpec::isolated_in::<Store>(&group.memory(1 << 30), ()).id(2);
        let children = vec![manager, workers, store, other, desk, scope];"),
        ])
        .refused(&[
            "error[E0940]: the child `2` of `stroot` cannot start: its group `walls` has other limits already: `#{group => walls}`",
            "error[E0963]: the pool `POOL` has no workers, so its tasks fail with `no_worker`",
            "error[E0945]: `handle_start` of `store` waits for `desk`, which is started later",
            "wait until it has started all of its children: `cx.which_children(&SUPERVISOR).await?`",
            "error[E0945]: `init` of `desk` waits for `chat`, which is started later",
            "error[E0949]: `store` is isolated, and uses the name `POOL` of a `TaskPool` in this VM",
        ]);

    program
        .check(&[("strategy", "let flags = SupFlags::rest_for_one();")])
        .refused(&[
            "error[E0964]: `workers` has the strategy `rest_for_one`: if one `worker` ends, those behind it are restarted",
            "src/stroot.rs:",
        ]);
}
