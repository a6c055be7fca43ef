//! Two applications in one VM: one uses the Rust code of the other. Also start phases, and
//! callbacks before the end.

use crate::settings::run;
use crate::support::Scratch;

const DAYBOOK: &str = r#"//! The application `daybook`.

use otp_bridge::application::prelude::*;
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::supervisor::prelude::*;
use otp_bridge::{Env, Name, gen_server, supervisor};

otp_bridge::application!();

#[derive(Debug, Env)]
pub struct Settings {
    pub limit: u64,
}

pub struct DaybookSup;

#[supervisor]
impl Supervisor for DaybookSup {
    type Args = Vec<String>;

    fn init(_: Vec<String>) -> impl supervisor::InitReturn {
        (ok, (SupFlags::one_for_one(), vec![ChildSpec::of::<Daybook>(0).registered(&Server::<Daybook>::registered())]))
    }
}

#[derive(Debug)]
pub struct Daybook(u64);

/// `{add, Amount}`
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Add(pub u64);

/// `{whose, Node}`
#[derive(Debug, Term)]
#[reply(Atom)]
pub struct Whose;

#[gen_server]
impl GenServer for Daybook {
    type Args = u64;

    fn init(sum: u64) -> impl gen_server::InitReturn<Self> {
        (ok, Daybook(sum))
    }

    async fn handle_call(&mut self, Add(by): Add, cx: &Cx<'_>) -> Result<HandleCall<u64>> {
        let limit = cx.env::<Settings>().await?.limit;
        self.0 = limit.min(self.0 + by);
        Ok(HandleCall::Reply(self.0))
    }

    async fn handle_call(&mut self, _: Whose, cx: &Cx<'_>) -> Result<HandleCall<Atom>> {
        let (_, application) = cx.apply::<(Atom, Atom), _>("application", "get_application", ()).await?;
        Ok(HandleCall::Reply(application))
    }
}

#[derive(Debug)]
pub struct Books {
    pages: u64,
}

#[derive(Debug, Term)]
pub struct Open;

#[derive(Debug, Term)]
pub struct Fill;

#[application]
impl Application for Books {
    type StartArgs = Vec<String>;

    async fn start(_: StartType, arguments: Vec<String>, cx: &Cx<'_>) -> Result<impl StartReturn<Self>> {
        println!("daybook starts");
        let root = cx.start_link_registered::<DaybookSup>(arguments).await?;
        Ok((ok, root, Books { pages: 1 }))
    }

    fn start_phase(_: Open, _: StartType, (): ()) -> impl StartPhaseReturn {
        println!("daybook opens");
        ok
    }

    async fn start_phase(_: Fill, _: StartType, amount: u64, cx: &Cx<'_>) -> Result<StartPhase> {
        if amount > 100 {
            return Ok(StartPhase::Error(Term::of(&(Atom::new("too_much")?, amount))));
        }
        let sum = cx.call(&Server::<Daybook>::registered(), Add(amount)).await?;
        println!("daybook filled with {sum}");
        Ok(StartPhase::Ok)
    }

    fn prep_stop(&mut self) {
        self.pages += 1;
        println!("daybook is about to stop");
    }

    fn stop(&mut self) {
        println!("daybook stopped with {} pages", self.pages);
    }
}
"#;

const DAYBOOK_TOML: &str = "[system]\nstroot = \"daybook_sup\"\n\n[env]\nlimit = 50\n\n[application]\nregistered = [\"daybook\"]\n\
    start_phases = [\"open\", { fill = 7 }]\n";

const STALL: &str = r#"//! The application `stall`, which uses `daybook`.

use daybook::{Add, Fill, Daybook, Open, Whose};
use otp_bridge::application::prelude::*;
use otp_bridge::atoms::{any_significant, normal, ok, temporary};
use otp_bridge::gen_server::prelude::*;
use otp_bridge::supervisor::prelude::*;
use otp_bridge::{Name, atom, gen_server, supervisor};

otp_bridge::application!();

pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    type Args = Vec<String>;

    fn init(arguments: Vec<String>) -> impl supervisor::InitReturn {
        println!("stall starts");
        assert!(arguments.first().is_none_or(|it| it != "fail"), "nothing is to be sold");
        let mut children = vec![ChildSpec::of::<Floor>(())];
        if arguments.first().is_some_and(|it| it == "included") {
            children.insert(0, ChildSpec::included(atom!("daybook"), Vec::<String>::new()));
        }
        let till = ChildSpec::of::<Till>(()).registered(&Server::<Till>::registered());
        children.push(till.restart(temporary).significant(true));
        (ok, (SupFlags::rest_for_one().auto_shutdown(any_significant), children))
    }
}

/// A second supervisor.
pub struct Floor;

#[supervisor]
impl Supervisor for Floor {
    type Args = ();

    fn init(_: ()) -> impl supervisor::InitReturn {
        (ok, (SupFlags::one_for_one(), vec![]))
    }
}

#[derive(Debug)]
pub struct Till;

#[derive(Debug, Term)]
pub struct Run;

#[gen_server]
impl GenServer for Till {
    type Args = ();

    fn init(_: ()) -> impl gen_server::InitReturn<Self> {
        (ok, Till)
    }

    async fn handle_cast(&mut self, _: Run, cx: &Cx<'_>) -> Result<HandleCast> {
        let daybook = Server::<Daybook>::registered();
        // The last phase of an included application comes after this one's.
        while cx.call(&daybook, Add(0)).await? < 7 {
            cx.yield_now().await;
        }
        println!("sum {}", cx.call(&daybook, Add(2)).await?);
        println!("the daybook is of {}", cx.call(&daybook, Whose).await?);
        // The other application's server is killed, and its supervisor starts it again.
        let old: Pid = cx.apply("erlang", "whereis", (atom!("daybook"),)).await?;
        let monitor = cx.monitor(&daybook).await?;
        cx.exit(&old, atom!("kill"));
        monitor.down(cx).await?;
        let again = loop {
            match cx.call(&daybook, Add(1)).await {
                Ok(sum) => break sum,
                Err(_) => cx.yield_now().await,
            }
        };
        println!("sum {again}");
        // As a release upgrade tells an application of its new environment.
        let before: Term = cx.apply("application_controller", "prep_config_change", ()).await?;
        let _: Atom = cx.apply("application", "set_env", (atom!("stall"), atom!("port"), 8081)).await?;
        let _: Atom = cx.apply("application", "set_env", (atom!("stall"), atom!("door"), 1)).await?;
        let _: Atom = cx.apply("application", "unset_env", (atom!("stall"), atom!("host"))).await?;
        let _: Atom = cx.apply("application_controller", "config_change", (before,)).await?;
        stop(normal)
    }
}

#[derive(Debug)]
pub struct Stall;

#[application]
impl Application for Stall {
    type StartArgs = Vec<String>;

    async fn start(_: StartType, arguments: Vec<String>, cx: &Cx<'_>) -> Result<impl StartReturn<Self>> {
        let root = cx.start_link_registered::<Stroot>(arguments).await?;
        Ok((ok, root, Stall))
    }

    fn start_phase(_: Open, _: StartType, _: Term) -> impl StartPhaseReturn {
        println!("stall opens");
        ok
    }

    async fn start_phase(_: Fill, _: StartType, _: Term, cx: &Cx<'_>) -> Result<StartPhase> {
        cx.cast(&Server::<Till>::registered(), Run);
        Ok(StartPhase::Ok)
    }

    fn config_change(changed: Vec<ParVal>, new: Vec<ParVal>, removed: Vec<Atom>) -> impl ConfigChangeReturn {
        let port = changed.iter().map(|it| it.val.to_string()).collect::<Vec<_>>();
        println!("changed {port:?}, new {}, removed {removed:?}", new.len());
        ok
    }

    fn stop(&mut self) {
        println!("stall stopped");
    }
}
"#;

const STALL_TOML: &str = "[system]\nstroot = \"stroot\"\n\n[env]\nport = 8080\nhost = \"here\"\n\n[application]\n\
    start_phases = [\"open\", \"fill\"]\n";

/// An application with the code above.
fn daybook(scratch: &Scratch, name: &str) {
    scratch.new_application("", name);
    scratch.write(&format!("{name}/src/lib.rs"), DAYBOOK);
    scratch.write(&format!("{name}/otp.toml"), DAYBOOK_TOML);
}

/// The applications `daybook` and `stall` in folders beside each other.
fn two() -> Scratch {
    let scratch = Scratch::with_application_named("stall");
    daybook(&scratch, "daybook");
    scratch.write("stall/src/lib.rs", STALL);
    scratch.write("stall/otp.toml", STALL_TOML);
    let stall = scratch.read("stall/Cargo.toml");
    let with = "[dependencies]\ndaybook = { path = \"../daybook\" }";
    scratch.write("stall/Cargo.toml", &stall.replace("[dependencies]", with));
    scratch
}

/// The lines that the applications themselves have printed.
fn own_lines(out: &str) -> Vec<&str> {
    let words = ["daybook ", "stall ", "sum ", "the ", "changed "];
    let lines = out.lines();
    lines
        .filter(|line| words.iter().any(|word| line.starts_with(word)))
        .collect()
}

#[test]
fn one_application_uses_another_and_both_run_in_one_vm() {
    let scratch = two();
    let folder = scratch.path("stall");
    let said = run(&folder, &[]);
    said.succeeded();
    let before_its_end = [
        "daybook starts",
        "daybook opens",
        "daybook filled with 7",
        "stall starts",
        "stall opens",
        "sum 9",
        "the daybook is of daybook",
        "sum 1",
        "changed [\"8081\"], new 1, removed [host]",
        "stall stopped",
    ];
    let at_its_end = ["daybook is about to stop", "daybook stopped with 2 pages"];
    let all = [&before_its_end[..], &at_its_end].concat();
    assert_eq!(own_lines(&said.out), all, "{}", said.err);
    // Both contain `otp_rs`, which a release has only once.
    scratch
        .cargo_otp("stall", &["release", "--profile", "dev"])
        .succeeded();

    let declared = "\
daybook
└── daybook_sup supervisor, one_for_one
    └── daybook worker, permanent
stall
└── stroot supervisor, rest_for_one
    ├── floor supervisor, one_for_one, permanent
    └── till worker, temporary
";
    let tree = scratch.cargo_otp("stall", &["tree"]);
    assert_eq!(tree.out, declared, "{}", tree.err);
    let check = scratch.cargo_otp("stall", &["check"]);
    let summary = "Checked `stall`: 3 supervisors with 3 children, 0 warnings";
    assert!(check.err.contains(summary), "{}", check.err);

    // Applications that it needs are stopped again silently, and the reason is reported once.
    let failed = run(&folder, &["--", "fail"]);
    let place = "stall did not start: stroot:init/1 (src/lib.rs:";
    failed.failed(&[place, "panicked: nothing is to be sold"]);
    let everything = failed.out.clone() + &failed.err;
    let sold = everything.matches("nothing is to be sold").count();
    assert_eq!(
        (sold, everything.matches("exited").count()),
        (1, 0),
        "{everything}"
    );

    // If it is included, its supervisor is a child of the other's, and the phases of both
    // alternate. OTP runs such phases with a module of its own (`application_starter`), and then
    // does not call `config_change`.
    let toml = format!("{STALL_TOML}included_applications = [\"daybook\"]\n");
    scratch.write("stall/otp.toml", &toml);
    let said = run(&folder, &["--", "included"]);
    said.succeeded();
    let mut found = own_lines(&said.out);
    let all = [
        "stall starts",
        "stall opens",
        "daybook opens",
        "daybook filled with 7",
        "sum 9",
        "the daybook is of stall",
        "sum 1",
        "stall stopped",
    ];
    // The till runs while the last phase ends.
    found.sort_by_key(|line| all.iter().position(|known| known == line));
    assert_eq!(found, all, "{}", said.err);
    let declared = "\
stall
└── stroot supervisor, rest_for_one
    ├── daybook_sup supervisor, one_for_one, permanent
    │   └── daybook worker, permanent
    ├── floor supervisor, one_for_one, permanent
    └── till worker, temporary
";
    let tree = scratch.cargo_otp("stall", &["tree", "--", "included"]);
    assert_eq!(tree.out, declared, "{}", tree.err);
    let check = scratch.cargo_otp("stall", &["check", "--", "included"]);
    let summary = "Checked `stall`: 3 supervisors with 4 children, 0 warnings";
    assert!(check.err.contains(summary), "{}", check.err);
}

#[test]
fn phases_of_otp_toml_and_of_the_code_are_the_same() {
    let scratch = Scratch::new();
    daybook(&scratch, "phased");
    let toml = |phases: &str| {
        let phases = format!("start_phases = {phases}");
        DAYBOOK_TOML.replace("start_phases = [\"open\", { fill = 7 }]", &phases)
    };
    scratch.write("phased/otp.toml", &toml("[\"open\", { fil = 7 }]"));
    scratch.cargo_otp("phased", &["build"]).refused(&[
        "`fil`: otp.toml:9 says that it is a phase of the start, but `start_phase` of `phased::Books` has no clause for it",
        "`fill`: `start_phase` of `phased::Books` has a clause for it, but `application.start_phases` in otp.toml does not name it",
    ]);
    for phases in [
        "\"open\"",
        "[1]",
        "[{ a = 1, b = 2 }]",
        "[\"open\", \"open\"]",
    ] {
        scratch.write("phased/otp.toml", &toml(phases));
        let said = scratch.cargo_otp("phased", &["build"]);
        said.refused(&[
            "error[E0905]: `application.start_phases` must be a list",
            "otp.toml:9",
        ]);
    }
    scratch.write("phased/otp.toml", &toml("[\"open\", { fill = 700 }]"));
    let folder = scratch.path("phased");
    run(&folder, &[]).failed(&["phased did not start: phase fill: {too_much,700}"]);
    scratch.write("phased/otp.toml", &toml("[\"open\", { fill = \"much\" }]"));
    run(&folder, &[]).failed(&["phased did not start: phase fill: ", "PhaseArgs", "much"]);
}
