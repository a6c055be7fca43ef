//! `cargo otp check`

use crate::support::{Said, Scratch, target};

/// The first argument selects the children.
const ROOT: &str = r#"//! The root supervisor.
use std::time::Duration;

use otp_bridge::atom;
use otp_bridge::atoms::{ok, start_link};
use otp_bridge::supervisor::prelude::*;
use otp_bridge::{Cx, Result};

use crate::desk::Desk;

pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    type Args = Vec<String>;

    async fn init(arguments: Vec<String>, cx: &Cx<'_>) -> Result<impl InitReturn> {
        println!("a line that is not meant for the check");
        let children = match arguments.first().map(String::as_str).unwrap_or_default() {
            "module" => vec![ChildSpec::erlang(atom!("desq"), start_link, ())],
            "function" => vec![ChildSpec::erlang(atom!("desk"), atom!("begin"), ())],
            "arity" => vec![ChildSpec::erlang(atom!("pg"), start_link, (1, 2, 3)).id(("groups", 1))],
            "twice" => vec![ChildSpec::of::<Desk>(1), ChildSpec::of::<Desk>(2)],
            "panic" => panic!("no such word"),
            "root" => vec![ChildSpec::of::<Desk>(1).registered(atom!("stroot"))],
            "reserved" => vec![ChildSpec::of::<Desk>(1).registered(atom!("logger"))],
            "undefined" => vec![ChildSpec::of::<Desk>(1).registered(atom!("undefined"))],
            "via" => vec![ChildSpec::of::<Desk>(1).registered(Name::via(atom!("sny"), 1))],
            "name" => vec![
                ChildSpec::of::<Desk>(1).registered(atom!("lower")),
                ChildSpec::of::<Below>(String::new()),
            ],
            "itself" => vec![ChildSpec::of::<Below>("itself".to_owned())],
            "wait" => {
                cx.sleep(Duration::from_secs(3600)).await?;
                vec![]
            }
            word => vec![
                ChildSpec::of::<Desk>(1),
                ChildSpec::of::<Below>(word.to_owned()).registered(atom!("under")),
                ChildSpec::of::<Many>(()),
            ],
        };
        Ok((ok, (SupFlags::one_for_one(), children)))
    }
}

/// A supervisor below the root.
pub struct Below;

#[supervisor]
impl Supervisor for Below {
    type Args = String;

    fn init(word: String) -> impl InitReturn {
        let desk = ChildSpec::of::<Desk>(3).registered(atom!("lower"));
        let children = match word.as_str() {
            "itself" => vec![ChildSpec::of::<Below>(word)],
            "below" => vec![desk, ChildSpec::erlang(atom!("nowhere"), start_link, (1,))],
            _ => vec![desk],
        };
        (ok, (SupFlags::one_for_one(), children))
    }
}

/// A supervisor with a template.
pub struct Many;

#[supervisor]
impl Supervisor for Many {
    type Args = ();
    type Child = Desk;

    fn init(_: ()) -> impl InitReturn {
        (ok, (SupFlags::simple_one_for_one(), vec![ChildSpec::template::<Desk>()]))
    }
}
"#;

const DESK: &str = r#"//! A server.
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

#[derive(Debug)]
pub struct Desk(u64);

#[gen_server]
impl GenServer for Desk {
    type Args = u64;

    fn init(number: u64) -> impl InitReturn<Self> {
        (ok, Desk(number))
    }
}
"#;

fn application(name: &str) -> Scratch {
    let scratch = Scratch::with_application_named(name);
    scratch
        .cargo_otp(name, &["add", "desk", "gen_server"])
        .succeeded();
    scratch.write(&format!("{name}/src/stroot.rs"), ROOT);
    scratch.write(&format!("{name}/src/desk.rs"), DESK);
    scratch
}

/// `cargo otp check -- WORD`
fn check(scratch: &Scratch, name: &str, word: &str) -> Said {
    scratch.cargo_otp(name, &["check", "--", word])
}

#[test]
fn a_new_application_has_nothing_wrong() {
    let scratch = Scratch::with_application_named("checked_new");
    let said = scratch.cargo_otp("checked_new/src", &["check"]);
    said.succeeded();
    let summary = "Checked `checked_new`: 1 supervisor with 0 children, 0 warnings";
    assert!(said.err.contains(summary), "{}", said.err);
    assert_eq!(said.out, "");
}

#[test]
fn children_that_cannot_start_are_told_with_their_supervisor() {
    let scratch = application("checked");
    let said = check(&scratch, "checked", "all");
    said.succeeded();
    let summary = "Checked `checked`: 3 supervisors with 5 children, 0 warnings";
    assert!(said.err.contains(summary), "{}", said.err);
    assert_eq!(said.out, "");
    let cases: [(&str, &[&str]); 11] = [
        (
            "root",
            &["the child `desk` of `stroot` cannot start: `stroot` has the name `stroot` already"],
        ),
        (
            "reserved",
            &[
                "the child `desk` of `stroot` cannot start: a process of Erlang/OTP has the name `logger`",
            ],
        ),
        (
            "undefined",
            &[
                "the child `desk` of `stroot` cannot start: no process can have the name `undefined`",
            ],
        ),
        (
            "via",
            &[
                "the child `desk` of `stroot` cannot start: there is no module `sny`, which is to register its name",
            ],
        ),
        (
            "name",
            &[
                "the child `desk` of `below` cannot start: `desk` has the name `lower` already",
                "src/stroot.rs:51:1",
            ],
        ),
        (
            "itself",
            &[
                "`below` cannot start: it starts itself, with the same arguments, and so without an end",
            ],
        ),
        (
            "module",
            &[
                "error[E0940]: the child `desq` of `stroot` cannot start: there is no module `desq`",
                "--> src/stroot.rs:13:1\n   | #[supervisor]\n   | ^",
                "did you mean `desk`?",
            ],
        ),
        (
            "function",
            &["the child `desk` of `stroot` cannot start: `desk` has no function `'begin'`"],
        ),
        (
            "arity",
            &[
                "the child `{<<\"groups\">>,1}` of `stroot` cannot start: `pg:start_link` has no arity 3, but 0 and 1",
            ],
        ),
        (
            "twice",
            &[
                "error[E0941]: `stroot` cannot start: two children have the id `desk`",
                "src/stroot.rs:13:1",
            ],
        ),
        (
            "below",
            &[
                "the child `nowhere` of `below` cannot start: there is no module `nowhere`",
                "src/stroot.rs:51:1",
            ],
        ),
    ];
    for (word, texts) in cases {
        check(&scratch, "checked", word).refused(texts);
    }
    let tree = |word: &str| scratch.cargo_otp("checked", &["tree", "--", word]);
    tree("twice")
        .refused(&["error[E0941]: `stroot` cannot start: two children have the id `desk`"]);
    let shown = tree("below");
    shown.succeeded();
    assert!(shown.out.contains("nowhere worker"), "{}", shown.out);
}

#[test]
fn a_root_that_does_not_say_its_children_is_an_error() {
    let scratch = application("checked_unknown");
    for (word, text) in [
        (
            "panic",
            "the children of `stroot` are not known: stroot:init/1 (src/stroot.rs:24): panicked: no such word",
        ),
        (
            "wait",
            "the children of `stroot` are not known: its init takes longer than 5 s",
        ),
    ] {
        check(&scratch, "checked_unknown", word).refused(&[
            "error[E0942]",
            text,
            "src/stroot.rs:13:1",
            "cargo otp check -- ARGS",
        ]);
    }
}

#[test]
fn a_process_that_nothing_starts_is_a_warning() {
    let scratch = Scratch::with_application_named("checked_idle");
    let check = || scratch.cargo_otp("checked_idle", &["check"]);
    for (name, behaviour) in [
        ("counter", "gen_server"),
        ("lock", "gen_statem"),
        ("log", "gen_event"),
        ("sums", "module"),
    ] {
        scratch
            .cargo_otp("checked_idle", &["add", name, behaviour])
            .succeeded();
    }
    let said = check();
    said.succeeded();
    for text in [
        "warning[E0943]: nothing starts `checked_idle::counter::Counter`, a gen_server",
        "--> src/counter.rs:",
        "warning[E0943]: nothing starts `checked_idle::lock::Lock`, a gen_statem",
        "1 supervisor with 0 children, 2 warnings",
    ] {
        assert!(said.err.contains(text), "no `{text}` in\n{}", said.err);
    }

    // A module in Erlang may start one of them, a function in Rust the other.
    scratch.write(
        "checked_idle/erlang/starter.erl",
        "-module(starter).\n-export([start/0]).\nstart() -> counter:start_link({}).\n",
    );
    let root = scratch.read("checked_idle/src/stroot.rs");
    let start = "
/// Starts a lock.
pub async fn start(cx: &otp_bridge::Cx<'_>) -> otp_bridge::Result<()> {
    cx.start_link::<crate::lock::Lock>(()).await?;
    Ok(())
}
";
    scratch.write("checked_idle/src/stroot.rs", &format!("{root}{start}"));
    let said = check();
    said.succeeded();
    assert!(said.err.contains("0 warnings"), "{}", said.err);
}

#[test]
fn applications_and_files_that_are_not_there_are_told() {
    let scratch = Scratch::with_application_named("checked_needs");
    let config = scratch.read("checked_needs/otp.toml");
    let check = |more: &str| {
        scratch.write("checked_needs/otp.toml", &format!("{config}\n{more}\n"));
        scratch.cargo_otp("checked_needs", &["check"])
    };
    check("[application]\napplications = [\"cyrpto\", \"stdlib\"]").refused(&[
        "error[E1030]: the Erlang application `cyrpto` is needed, and is not installed",
        "otp.toml",
    ]);
    check("[application]\nincluded_applications = [\"ghost\"]").refused(&[
        "error[E1030]: the Erlang application `ghost` is needed, and is not installed",
        "otp.toml:6",
    ]);
    check("[application]\nincluded_applications = [\"crypto\"]").succeeded();
    // The root supervisor's name is registered in any case.
    check("[application]\nregistered = [\"stroot\"]").succeeded();
    let resource = target().join("otp/debug/checked_needs/ebin/checked_needs.app");
    let resource = std::fs::read_to_string(resource).expect("the resource file");
    assert!(resource.contains("{registered, [stroot]}"), "{resource}");
    check("[release]\nconfig = \"prod.config\"").refused(&["error[E0810]", "prod.config"]);
    check("[env]\nprot = 1").succeeded();
    let settings =
        "\n#[derive(Debug, otp_bridge::Env)]\npub struct Settings {\n    pub port: u16,\n}\n";
    let root = scratch.read("checked_needs/src/stroot.rs");
    scratch.write("checked_needs/src/stroot.rs", &format!("{root}{settings}"));
    check("").refused(&["error[E0921]", "port: missing, expected 0..65535"]);
    check("[env]\nport = 80").succeeded();
}

/// Only the code of the application knows the argument of its root.
const OWN_START: &str = r#"
#[derive(Debug)]
pub struct Books;

#[application]
impl Application for Books {
    type StartArgs = Vec<String>;

    async fn start(_: StartType, _: Vec<String>, cx: &Cx<'_>) -> Result<impl StartReturn<Self>> {
        let root = cx.start_link_registered::<Root>(7).await?;
        Ok((ok, root, Books))
    }

    fn stop(&mut self) {}
}

pub struct Root;

#[supervisor]
impl Supervisor for Root {
    type Args = u64;

    fn init(_: u64) -> impl supervisor::InitReturn {
        (ok, (SupFlags::one_for_one(), vec![]))
    }
}
"#;

#[test]
fn a_root_that_the_application_starts_itself_may_be_unknown() {
    let scratch = Scratch::with_application_named("checked_own");
    let library = "//! An application.
use otp_bridge::application::prelude::*;
use otp_bridge::atoms::ok;
use otp_bridge::supervisor::prelude::*;
use otp_bridge::supervisor;

otp_bridge::application!();
";
    scratch.write("checked_own/src/lib.rs", &format!("{library}{OWN_START}"));
    let config = scratch.read("checked_own/otp.toml");
    scratch.write(
        "checked_own/otp.toml",
        &config.replace("\"stroot\"", "\"root\""),
    );
    let said = scratch.cargo_otp("checked_own", &["check"]);
    said.succeeded();
    let text = "the children of `root` are not known: the application's own `start` gives it its arguments";
    assert!(said.err.contains(text), "{}", said.err);
    let tree = scratch.cargo_otp("checked_own", &["tree"]);
    let expected = "\
checked_own
└── root supervisor
    └── … children unknown, the application's own `start` gives it its arguments
";
    assert_eq!(tree.out, expected, "{}", tree.err);
}
