//! `cargo otp test`: tests without a VM, and tests that run on a real one.

use crate::support::{Said, Scratch, cargo_otp, said, target};

/// A server, and tests of every kind.
const COUNTER: &str = r#"//! A server that counts.
use otp_bridge::atom;
use otp_bridge::atoms::{normal, ok};
use otp_bridge::gen_server::prelude::*;

/// The counter of this application.
pub static COUNTER: Server<Counter> = Server::local(atom!("counter"));

/// Its state.
#[derive(Debug)]
pub struct Counter(u64);

/// `{add, By}`
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Add(pub u64);

/// `stop`
#[derive(Debug, Term)]
pub struct Stop;

#[gen_server]
impl GenServer for Counter {
    type Args = u64;

    fn init(start: u64) -> impl InitReturn<Self> {
        (ok, Counter(start))
    }

    fn handle_call(&mut self, Add(by): Add) -> HandleCall<u64> {
        self.0 += by;
        reply(self.0)
    }

    fn handle_cast(&mut self, _: Stop) -> HandleCast {
        stop(normal)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use otp_bridge::{messages::Down, testing};

    use super::*;

    #[test]
    fn without_a_vm() -> Result<()> {
        let mut counter = testing::Server::<Counter>::start(0)?;
        assert_eq!(counter.call(Add(2))?, 2);
        Ok(())
    }

    /// A server that only tests have: otp.toml does not list it.
    #[derive(Debug)]
    struct Probe;

    #[gen_server]
    impl GenServer for Probe {
        type Args = ();

        fn init(_: ()) -> impl InitReturn<Self> {
            (ok, Probe)
        }

        fn handle_call(&self, _: Add) -> HandleCall<u64> {
            reply(42)
        }
    }

    #[otp_bridge::test]
    async fn passes_calls(cx: &Cx<'_>) -> Result<()> {
        println!("nobody sees this");
        assert_eq!(cx.call(&COUNTER, Add(2)).await?, 2);
        cx.start_link_registered::<Probe>(()).await?;
        assert_eq!(cx.call(&Server::<Probe>::local(atom!("probe")), Add(2)).await?, 42);
        Ok(())
    }

    #[otp_bridge::test]
    async fn passes_in_a_fresh_application(cx: &Cx<'_>) -> Result<()> {
        assert_eq!(cx.call(&COUNTER, Add(1)).await?, 1);
        // What the other test has started is gone.
        cx.start_link_registered::<Probe>(()).await?;
        Ok(())
    }

    #[otp_bridge::test]
    async fn passes_with_monitors(cx: &Cx<'_>) -> Result<()> {
        let monitor = cx.monitor(&COUNTER).await?;
        cx.cast(&COUNTER, Stop);
        let down: Down = cx.receive().await?;
        assert!(monitor.is(&down));
        Ok(())
    }

    #[otp_bridge::test(application = false)]
    async fn passes_alone(cx: &Cx<'_>) -> Result<()> {
        let known: Option<Pid> = cx.apply("erlang", "whereis", (atom!("counter"),)).await?;
        assert_eq!(known, None);
        Ok(())
    }

    #[otp_bridge::test(arguments = ["7"])]
    async fn passes_with_arguments(cx: &Cx<'_>) -> Result<()> {
        assert_eq!(cx.call(&COUNTER, Add(0)).await?, 7);
        Ok(())
    }

    #[otp_bridge::test]
    #[should_panic(expected = "as expected")]
    fn passes_by_a_panic() {
        panic!("as expected");
    }

    #[otp_bridge::test]
    #[ignore = "later"]
    fn passes_never() {
        panic!("ignored");
    }

    #[otp_bridge::test]
    async fn passes_with_a_snapshot(cx: &Cx<'_>) -> Result<()> {
        let count = cx.call(&COUNTER, Add(3)).await?;
        insta::assert_snapshot!(Term::of(&(atom!("count"), count)), @"{count,3}");
        Ok(())
    }

    #[otp_bridge::test]
    async fn fails_by_a_snapshot(cx: &Cx<'_>) -> Result<()> {
        let count = cx.call(&COUNTER, Add(3)).await?;
        insta::assert_snapshot!(Term::of(&(atom!("count"), count)), @"{count,4}");
        Ok(())
    }

    #[otp_bridge::test]
    async fn fails_by_a_panic(cx: &Cx<'_>) {
        println!("printed before the panic");
        assert_eq!(cx.call(&COUNTER, Add(1)).await, Ok(2));
    }

    #[otp_bridge::test(application = false)]
    async fn fails_by_an_exit(cx: &Cx<'_>) -> Result<()> {
        cx.call(&COUNTER, Add(1)).await?;
        Ok(())
    }

    #[otp_bridge::test(application = false)]
    fn fails_by_an_error() -> std::result::Result<(), std::num::ParseIntError> {
        "one".parse::<u8>().map(drop)
    }

    #[otp_bridge::test]
    async fn fails_by_a_signal(cx: &Cx<'_>) -> Result<()> {
        let _: bool = cx.apply("erlang", "exit", (cx.pid(), atom!("kill"))).await?;
        Ok(())
    }

    #[otp_bridge::test(timeout = Duration::from_millis(200))]
    async fn fails_by_its_limit(cx: &Cx<'_>) -> Result<()> {
        cx.send(&cx.pid(), atom!("unread"));
        cx.receive::<Down>().await?;
        Ok(())
    }

    #[otp_bridge::test(arguments = ["seven"])]
    fn fails_at_the_start() {}

    #[otp_bridge::test]
    async fn fails_with_the_vm(cx: &Cx<'_>) -> Result<()> {
        let _: bool = cx.apply("erlang", "halt", (3,)).await?;
        Ok(())
    }

    #[cfg(feature = "more")]
    #[otp_bridge::test]
    fn passes_with_a_feature() {}
}
"#;

const ROOT: &str = r#"//! The root supervisor.
use otp_bridge::atoms::ok;
use otp_bridge::supervisor::prelude::*;

use crate::counter::Counter;

/// Starts the counter.
pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    type Args = Vec<String>;

    fn init(arguments: Vec<String>) -> Result<impl InitReturn> {
        let start = arguments.first().map_or(Ok(0), |text| text.parse());
        let Ok(start) = start else {
            return Err(Exit::new("the argument is a number"));
        };
        let counter = ChildSpec::of::<Counter>(start).registered(Name::of::<Counter>());
        Ok((ok, (SupFlags::one_for_one(), vec![counter])))
    }
}
"#;

/// A test beside the library, with a variable of its thread: that needs code for a library.
const BESIDE: &str = r#"
use otp_bridge::{Cx, Result};
use otp_bridge_novm as _;
use tried::counter::{Add, COUNTER};

thread_local! {
    static SEEN: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

#[otp_bridge::test]
async fn passes_beside_the_library(cx: &Cx<'_>) -> Result<()> {
    let count = cx.call(&COUNTER, Add(5)).await?;
    SEEN.set(count);
    assert_eq!(SEEN.get(), 5);
    Ok(())
}
"#;

/// An application with these tests.
fn application(name: &str) -> Scratch {
    let scratch = Scratch::with_application_named(name);
    scratch
        .cargo_otp(name, &["add", "counter", "gen_server"])
        .succeeded();
    scratch.write(&format!("{name}/src/counter.rs"), COUNTER);
    scratch.write(&format!("{name}/src/stroot.rs"), ROOT);
    let manifest = scratch.read(&format!("{name}/Cargo.toml"));
    let manifest = manifest
        .replace(
            "[dev-dependencies]\n",
            "[dev-dependencies]\ninsta = \"1\"\n",
        )
        .replace("[lints.rust]", "[features]\nmore = []\n\n[lints.rust]");
    scratch.write(&format!("{name}/Cargo.toml"), &manifest);
    scratch
}

fn test(scratch: &Scratch, folder: &str, arguments: &[&str]) -> Said {
    let mut command = cargo_otp(&scratch.path(folder), arguments);
    command.env("RUST_BACKTRACE", "0").env("INSTA_UPDATE", "no");
    said(command)
}

/// What the harness shows of a test that has failed.
fn shown(said: &Said, name: &str) -> String {
    let head = format!("---- counter::tests::{name} stdout ----\n");
    let shown = said
        .out
        .split(&head)
        .nth(1)
        .unwrap_or_else(|| panic!("{name}: {}", said.out));
    let end = shown
        .find("\n---- ")
        .or_else(|| shown.find("\nfailures:\n"));
    shown[..end.unwrap_or(shown.len())].to_owned()
}

#[test]
fn each_test_runs_in_a_process_of_its_own_and_fails_alone() {
    let scratch = application("tried");
    scratch.write("tried/tests/beside.rs", BESIDE);
    let said = test(&scratch, "tried", &["test"]);
    said.failed(&["E1012", "`--lib`"]);
    let out = &said.out;
    let lines = |end: &str| out.lines().filter(|line| line.ends_with(end)).count();
    assert_eq!(lines("... ok"), 8, "{out}");
    assert_eq!(lines("... FAILED"), 8, "{out}");
    assert!(out.contains("passes_never ... ignored, later"), "{out}");
    assert!(!out.contains("nobody sees this"), "{out}");

    for (name, texts) in [
        (
            "fails_by_a_panic",
            &[
                "printed before the panic\n",
                "panicked at src/counter.rs:",
                "left: Ok(1)\n right: Ok(2)",
            ][..],
        ),
        (
            "fails_by_a_snapshot",
            &["-{count,4}", "+{count,3}", "snapshot assertion for"],
        ),
        (
            "fails_by_an_exit",
            &["exit: {noproc,{gen_server,call,[counter,{add,1},5000]}}\n  at src/counter.rs:"],
        ),
        (
            "fails_by_an_error",
            &["Error: ParseIntError { kind: InvalidDigit }\n  at src/counter.rs:"],
        ),
        (
            "fails_by_a_signal",
            &["was ended by an exit signal: killed"],
        ),
        (
            "fails_by_its_limit",
            &[
                "was not over after 200 ms",
                "waiting, with 1 message in its mailbox\n  unread",
            ],
        ),
        (
            "fails_at_the_start",
            &[
                "the application did not start: stroot:init/1 (src/stroot.rs:",
                "the argument is a number",
            ],
        ),
        (
            "fails_with_the_vm",
            &["the Erlang VM has ended while the test ran (exit status: 3)"],
        ),
    ] {
        let shown = shown(&said, name);
        for text in texts {
            assert!(shown.contains(text), "{name} without {text:?}: {shown}");
        }
    }

    // What follows uses the same build.
    let said = test(
        &scratch,
        "tried",
        &["test", "passes", "-F", "more", "--", "--nocapture"],
    );
    said.succeeded();
    assert!(said.out.contains("nobody sees this\n"), "{}", said.out);
    assert!(
        said.out.contains("passes_with_a_feature ... ok"),
        "{}",
        said.out
    );
    assert!(
        said.out.contains("passes_beside_the_library ... ok"),
        "{}",
        said.out
    );
    let said = test(
        &scratch,
        "tried",
        &["test", "--list", "--filter", "passes_alone"],
    );
    said.succeeded();
    assert!(
        said.out.contains("counter::tests::passes_alone: test\n"),
        "{}",
        said.out
    );
    assert!(!said.out.contains("without_a_vm"), "{}", said.out);
}

#[test]
fn cargo_alone_has_the_vm_prepared() {
    let scratch = application("tried_by_cargo");
    let mut cargo = std::process::Command::new(env!("CARGO"));
    cargo
        .args(["test", "--lib", "passes_calls"])
        .current_dir(scratch.path("tried_by_cargo"))
        .env("CARGO_TARGET_DIR", target())
        .env("CARGO_OTP", env!("CARGO_BIN_EXE_cargo-otp"));
    let said = said(cargo);
    said.succeeded();
    assert!(said.out.contains("passes_calls ... ok"), "{}", said.out);

    // What the VM cannot load is said by the test, and by `cargo otp test` before there is any.
    let config = scratch.read("tried_by_cargo/otp.toml");
    scratch.write(
        "tried_by_cargo/otp.toml",
        &format!("{config}lost = \"gen_server\"\n"),
    );
    let said = test(&scratch, "tried_by_cargo", &["test"]);
    said.failed(&["E0920", "`lost`: otp.toml:"]);
    assert!(!said.out.contains("running"), "{}", said.out);
}

#[test]
fn a_test_that_does_not_compile_is_told_once() {
    let scratch = application("tried_in_vain");
    let counter = COUNTER.replace(
        "async fn passes_alone(cx: &Cx<'_>)",
        "async fn passes_alone(cx: u64)",
    );
    assert_ne!(counter, COUNTER);
    scratch.write("tried_in_vain/src/counter.rs", &counter);
    let said = test(&scratch, "tried_in_vain", &["test"]);
    said.failed(&["src/counter.rs:", "mismatched types", "E10"]);
    assert_eq!(
        said.err.matches("could not compile").count(),
        1,
        "{}",
        said.err
    );
}
