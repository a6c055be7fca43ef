//! `cargo otp observe`: a page about a node, in a real browser.

use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio, id};

use serde_json::json;

use crate::browser::Browser;
use crate::nodes::{Node, cookie, end_group, in_group};
use crate::support::{Scratch, cargo_otp, said};

/// A running `cargo otp observe`, and the address that it has printed.
pub(crate) struct Observing {
    pub(crate) child: Child,
    pub(crate) address: String,
}

impl Observing {
    #[track_caller]
    pub(crate) fn start(scratch: &Scratch, node: &str, more: &[&str]) -> Self {
        let mut command = observe(scratch, node, more);
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = in_group(&mut command).spawn().expect("it starts");
        let mut address = String::new();
        let mut out = BufReader::new(child.stdout.take().expect("its output"));
        out.read_line(&mut address).expect("a line");
        assert!(address.starts_with("http://127.0.0.1:"), "{address:?}");
        let address = address.trim_end().to_owned();
        Self { child, address }
    }

    /// Ctrl-C, and what the command ends with.
    pub(crate) fn stop(mut self) -> Option<i32> {
        signal("-INT", &self.child);
        self.child.wait().expect("a status").code()
    }

    /// `127.0.0.1:PORT`
    pub(crate) fn host(&self) -> &str {
        let rest = &self.address["http://".len()..];
        rest.split('/').next().expect("a host")
    }
}

impl Drop for Observing {
    fn drop(&mut self) {
        end_group(&mut self.child);
    }
}

pub(crate) fn signal(name: &str, child: &Child) {
    let kill = Command::new("kill")
        .args([name, &child.id().to_string()])
        .status();
    assert!(kill.expect("kill").success());
}

pub(crate) fn observe(scratch: &Scratch, node: &str, more: &[&str]) -> Command {
    let asked = ["observe", node, "--cookie", "ours"];
    cargo_otp(&scratch.path(""), &[&asked, more].concat())
}

/// Evaluates Erlang in the node.
#[track_caller]
pub(crate) fn eval(scratch: &Scratch, node: &str, expression: &str) -> String {
    let arguments = ["shell", node, "--cookie", "ours", "--eval", expression];
    let said = said(cargo_otp(&scratch.path(""), &arguments));
    said.succeeded();
    said.out.trim_end().to_owned()
}

/// Has a process of the node itself log a text. What a process with the group leader of another node logs belongs there.
#[track_caller]
fn log(scratch: &Scratch, node: &str, text: &str) {
    let text = json!(text);
    let expression =
        format!("spawn(fun() -> group_leader(whereis(init), self()), logger:error({text}) end)");
    eval(scratch, node, &expression);
}

/// What observing could leave in a node: modules, a handler, a process, a process that waits to remove them.
const TRACES: &str = "{[M || {M, _} <- code:all_loaded(), lists:prefix(\"otp_rs_observe\", atom_to_list(M)) \
    orelse M =:= otp_rs_supervision], lists:member(otp_rs_observer, logger:get_handler_ids()), whereis(otp_rs_observer), \
    [P || P <- processes(), {initial_call, {erl_eval, _, _}} <- [process_info(P, initial_call)]]}";

/// Nothing is left, and nobody listens any more.
#[track_caller]
pub(crate) fn has_gone(scratch: &Scratch, node: &str, host: &str) {
    assert_eq!(eval(scratch, node, TRACES), "{[],false,undefined,[]}");
    assert!(TcpStream::connect(host).is_err());
}

/// A counter, whose state derives `Debug` only, and which says when it runs.
const COUNTER: &str = r#"//! A counter.
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

/// Its state.
#[derive(Debug)]
pub struct Counter {
    count: u64,
}

/// `{add, By}`
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Add(pub u64);

#[gen_server]
impl GenServer for Counter {
    type Args = ();

    async fn init(_: (), cx: &Cx<'_>) -> Result<impl InitReturn<Self>> {
        println!("node {:?}", cx.apply::<Atom, _>("erlang", "node", ()).await?);
        Ok((ok, Counter { count: 1 }))
    }

    fn handle_call(&mut self, Add(by): Add) -> HandleCall<u64> {
        self.count += by;
        reply(self.count)
    }
}
"#;

fn application() -> Scratch {
    let scratch = Scratch::with_application_named("observed");
    scratch
        .cargo_otp("observed", &["add", "counter", "gen_server"])
        .succeeded();
    scratch.write("observed/src/counter.rs", COUNTER);
    let root = scratch.read("observed/src/stroot.rs");
    let child = "vec![ChildSpec::of::<crate::counter::Counter>(()).registered(Name::of::<crate::counter::Counter>())]";
    scratch.write("observed/src/stroot.rs", &root.replace("vec![]", child));
    for file in ["observed/ours", "ours"] {
        cookie(&scratch, file, "a_secret_of_this_page\n");
    }
    scratch
}

#[test]
fn a_browser_shows_an_application_and_what_changes_in_it() {
    let Some(mut browser) = browser() else { return };
    let scratch = application();
    let name = format!("observed{}", id());
    let is = ["run", "--sname", &name, "--cookie", "ours"];
    let (node, full) = Node::named(cargo_otp(&scratch.path("observed"), &is));
    let observing = Observing::start(&scratch, &name, &[]);

    browser.open(&observing.address);
    browser.shows("#node", full.trim_matches('\''));
    browser.shows("#connection", "live");
    browser.shows("#mode", "read-only");
    browser.shows("#tree", "counter");
    browser.shows("#tree .supervisor", "stroot");
    browser.shows("#rows", "counter");
    browser.shows("#figures", "Run queue");
    browser.shows("#cost", "Observing takes");

    // What it logs comes to the page, and is text there.
    eval(&scratch, &name, "gen_server:call(counter, {add, 41})");
    log(&scratch, &name, "<img src=x onerror=alert(1)>");
    browser.shows("#events", "<img src=x onerror=alert(1)>");
    assert_eq!(browser.value("document.images.length"), 0);

    // A filter, and an order.
    browser.value("document.querySelector('#filter').value = 'counter'; document.querySelector('#filter').dispatchEvent(new Event('input'))");
    browser.until("[...document.querySelectorAll('#rows tr')].length === 1");
    browser.press("th[data-key=memory] button");
    browser.until("document.querySelector('th[data-key=memory]').ariaSort === 'descending'");
    browser.press("#rows tr .name");
    browser.shows("#details", "gen_server:loop/");
    assert_eq!(
        browser.value("document.querySelector('#actions').children.length"),
        0
    );

    // All of the page came from the node, and the browser has nothing against any of it.
    let loaded = "performance.getEntriesByType('resource').every(one => one.name.startsWith(location.origin))";
    assert_eq!(browser.value(loaded), true);
    assert_eq!(browser.value("document.cookie"), "");
    let written = browser.value("fetch('action', { method: 'POST', body: 'action=kill&pid=<0.1.0>' }).then(it => it.status)");
    assert_eq!(written, 403);
    // The address was used.
    browser.open(&observing.address);
    browser.shows("body", "This address was used");

    let host = observing.host().to_owned();
    assert_eq!(observing.stop(), Some(0));
    has_gone(&scratch, &name, &host);
    assert_eq!(node.stop(), Some(0));
}

/// Without one on the machine, a line says that the test is left out.
#[expect(
    clippy::print_stderr,
    reason = "whoever runs the test should see that it is left out"
)]
fn browser() -> Option<Browser> {
    let browser = Browser::start();
    if browser.is_none() {
        eprintln!("skipped: Chromium is not installed (`cargo xtask test` installs it)");
    }
    browser
}
