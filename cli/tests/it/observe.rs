//! `cargo otp observe`: a page about a node, in a real browser.

use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio, id};
use std::time::Duration;

use serde_json::json;

use crate::browser::Browser;
use crate::nodes::{Node, end_group, in_group};
use crate::observed_application::application;
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
        let path = std::env::var("PATH").expect("PATH");
        command.env("PATH", format!("{}:{path}", scratch.path("bin").display()));
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = in_group(&mut command).spawn().expect("it starts");
        let mut address = String::new();
        let mut out = BufReader::new(child.stdout.take().expect("its output"));
        out.read_line(&mut address).expect("a line");
        assert!(address.starts_with("http://127.0.0.1:"), "{address:?}");
        let address = address.trim_end().to_owned();
        Self { child, address }
    }

    /// Sends Ctrl-C, and returns the command's exit code.
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

/// Makes a process of the node itself log a text. Log entries of a process whose group leader
/// belongs to another node go to that node.
#[track_caller]
fn log(scratch: &Scratch, node: &str, text: &str) {
    let text = json!(text);
    let expression =
        format!("spawn(fun() -> group_leader(whereis(init), self()), logger:error({text}) end)");
    eval(scratch, node, &expression);
}

/// Traces that observing could leave in a node: modules, a handler, a process, a process that waits
/// to remove them.
const TRACES: &str = "{[M || {M, _} <- code:all_loaded(), lists:prefix(\"otp_rs_observe\", atom_to_list(M)) \
    orelse M =:= otp_rs_supervision], lists:member(otp_rs_observer, logger:get_handler_ids()), whereis(otp_rs_observer), \
    [P || P <- processes(), {initial_call, {erl_eval, _, _}} <- [process_info(P, initial_call)]]}";

/// Checks that there are no traces, and that the port is closed.
#[track_caller]
pub(crate) fn has_gone(scratch: &Scratch, node: &str, host: &str) {
    assert_eq!(eval(scratch, node, TRACES), "{[],false,undefined,[]}");
    assert!(TcpStream::connect(host).is_err());
}

/// Shows the details of a process by filtering for its name.
#[track_caller]
fn select(browser: &mut Browser, name: &str) {
    let filter = "document.querySelector('#filter')";
    browser.value(&format!(
        "{filter}.value = '{name}'; {filter}.dispatchEvent(new Event('input'))"
    ));
    browser.until("document.querySelectorAll('#rows tr').length === 1");
    browser.press("#rows tr .name");
    browser.shows("#details-title", name);
}

/// Presses a button of the details, and then one of the confirmation's buttons.
#[track_caller]
fn act(browser: &mut Browser, label: &str, answer: &str) {
    let button = format!(
        "[...document.querySelectorAll('#actions button')].find(one => one.innerText === '{label}')"
    );
    browser.until(&button);
    browser.value(&format!("{button}.click()"));
    browser.until("document.querySelector('#confirm').open");
    browser.press(answer);
    browser.until("!document.querySelector('#confirm').open");
}

#[test]
fn a_browser_shows_an_application_and_what_changes_in_it() {
    let Some(mut browser) = Browser::or_say() else {
        return;
    };
    let scratch = application();
    let name = format!("observed{}", id());
    let is = ["run", "--sname", &name, "--cookie", "ours"];
    let (node, full) = Node::named(cargo_otp(&scratch.path("observed"), &is));
    let observing = Observing::start(&scratch, &name, &[]);

    browser.open(&observing.address);
    browser.shows("#node", full.trim_matches('\''));
    browser.shows("#connection", "live");
    browser.shows("#mode", "read-only");
    browser.shows("#tree .supervisor", "stroot");
    browser.shows("#tree", "counter");
    browser.shows("#figures", "Run queue");
    browser.shows("#cost", "Observing takes");
    states(&mut browser, &scratch, &name);
    browser.picture("observe.webp");
    folds(&mut browser);
    dark(&mut browser);
    held(&mut browser, &scratch, &name);
    waits(&mut browser, &scratch, &name);
    secrets(&mut browser);
    logs(&mut browser, &scratch, &name);

    // The whole page came from the node, and its scripts have no secret.
    let loaded = "performance.getEntriesByType('resource').every(one => one.name.startsWith(location.origin))";
    assert_eq!(browser.value(loaded), true);
    assert_eq!(browser.value("document.cookie"), "");
    assert_eq!(
        browser.value("document.querySelector('#actions').children.length"),
        0
    );
    let written = browser.value(
        "fetch('action', { method: 'POST', body: new URLSearchParams({ action: 'kill', pid: '<0.1.0>' }) }).then(it => it.status)",
    );
    assert_eq!(written, 403);
    browser.open(&observing.address);
    browser.shows("body", "This address was used");
    let host = observing.host().to_owned();
    assert_eq!(observing.stop(), Some(0));
    has_gone(&scratch, &name, &host);

    together(&mut browser, &scratch, &name);
    changes(&mut browser, &scratch, &name);
    assert_eq!(node.stop(), Some(0));
}

/// A secret state is not shown anywhere on the page.
fn secrets(browser: &mut Browser) {
    select(browser, "vault");
    browser.shows("#state", "declares its state secret");
    let sent = "fetch('process?' + new URLSearchParams({ pid: document.querySelector('#details').dataset.pid, since: '' }))\
        .then(it => it.text())";
    let sent = browser.value(sent);
    let sent = sent.as_str().expect("a text");
    assert!(
        sent.contains("\"word\":\"secret\"") && !sent.contains("sesame"),
        "{sent}"
    );
}

/// The state of a process as it changes, and long callbacks.
fn states(browser: &mut Browser, scratch: &Scratch, node: &str) {
    select(browser, "counter");
    browser.shows("#state", "Counter { count: 1 }");
    browser.shows("#details", "gen_server:loop/");
    eval(
        scratch,
        node,
        "gen_server:call(counter, {add, 41}), [gen_server:call(counter, {hold, 150}) || _ <- [1, 2, 3]]",
    );
    browser.shows("#state", "Counter { count: 42 }");
    browser.shows("#details", "Long callbacks");
    browser.shows("#details", "counter:handle_call/3 of Hold");
}

/// The display of a large state: a line for each part, and closed parts stay closed. Beside the
/// details, all columns of the processes are visible if the page is 1,400 pixels wide.
fn folds(browser: &mut Browser) {
    let state = "Shop { name: \"a {b, c\", orders: [Order { id: 1, lines: [(1, 2.5), (3, 4.0)] }, Order { id: 2, lines: [] }] }";
    let state = json!(state);
    let shown = "const shown = document.createElement('div'); shown.append(...it.pretty(text, folds)); return shown;";
    let ask = |what: &str| {
        format!(
            "import('./state.js').then(it => {{ const text = {state}; const folds = new Map(); \
             const show = () => {{ {shown} }}; {what} }})"
        )
    };
    let lines = "const first = [...show().querySelector('.parts').children]; \
        return first.map(line => line.textContent.slice(0, 12)).join('|');";
    assert_eq!(browser.value(&ask(lines)), "name: \"a {b,|orders: [Ord");
    let closed = "const one = show(); one.querySelector('.parts summary').click(); \
        return show().querySelector('.parts details').open;";
    assert_eq!(browser.value(&ask(closed)), false);
    browser.width(1400);
    let fits = "[...document.querySelectorAll('#processes th, #processes td')].every(one => \
        one.getBoundingClientRect().right <= document.querySelector('#processes .scrolls').getBoundingClientRect().right + 1)";
    browser.until(fits);
    let last = "document.querySelector('th.function').getBoundingClientRect().width > 60";
    browser.until(last);
}

/// In light and dark mode, texts of each kind are readable: their contrast meets WCAG's requirement
/// for texts.
fn dark(browser: &mut Browser) {
    let light = "(() => { \
        const parts = (color) => color.match(/[\\d.]+/g).slice(0, 3).map(Number); \
        const linear = (it) => it / 255 <= 0.04045 ? it / 255 / 12.92 : ((it / 255 + 0.055) / 1.055) ** 2.4; \
        const light = (color) => { const [r, g, b] = parts(color).map(linear); return 0.2126 * r + 0.7152 * g + 0.0722 * b; }; \
        const behind = (one) => { const color = getComputedStyle(one).backgroundColor; \
            return color === 'rgba(0, 0, 0, 0)' ? behind(one.parentElement) : color; }; \
        const contrast = (one) => { const [a, b] = [light(getComputedStyle(one).color), light(behind(one))]; \
            return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05); }; \
        const texts = ['h1', '.quiet', '#rows td', '#rows .name', '.badge', '#state', '.facts dt', '.mark', 'thead button']; \
        const bad = texts.filter((text) => contrast(document.querySelector(text)) < 4.5); \
        return [light(getComputedStyle(document.body).backgroundColor) > 0.5, bad.join(' ')].join('|'); })()";
    for (scheme, expected) in [("light", "true|"), ("dark", "false|")] {
        browser.media("prefers-color-scheme", scheme);
        assert_eq!(browser.value(light), expected, "{scheme}");
    }
}

/// A process repeatedly occupies a scheduler in native code: the page keeps working, and shows it.
fn held(browser: &mut Browser, scratch: &Scratch, node: &str) {
    let begin = "register(holder, spawn(fun H() -> gen_server:call(counter, {hold, 2000}, infinity), H() end))";
    eval(scratch, node, begin);
    browser.shows("#rows", "no answer");
    browser.shows("#details-body", "This process does not answer");
    browser.shows(
        "#details-body",
        "counter:handle_call/3 of Hold runs, begun at ",
    );
    browser.shows("#rows", "counter:handle_call/3 of Hold runs, begun at ");
    eval(scratch, node, "exit(whereis(holder), kill)");
    browser.shows("#state", "Counter { count: 42 }");
}

/// A waiting callback is shown as waiting until it has ended.
fn waits(browser: &mut Browser, scratch: &Scratch, node: &str) {
    let begin =
        "register(napping, spawn(fun() -> gen_server:call(counter, {nap, 600000}, infinity) end))";
    eval(scratch, node, begin);
    browser.shows(
        "#details",
        "counter:handle_call/3 of Nap waits for a timer, begun at ",
    );
    browser.shows("#details", "awaits in a callback");
    browser.shows("#rows", "counter:handle_call/3 of Nap waits, begun at ");
    eval(scratch, node, "exit(whereis(counter), kill)");
    browser.until("!document.querySelector('#rows').innerText.includes('Nap waits')");
    select(browser, "counter");
    eval(scratch, node, "gen_server:call(counter, {add, 41})");
    browser.shows("#state", "Counter { count: 42 }");
}

/// Two commands, each with a browser: both see the same data, each has its own filter, and ending
/// one does not end the other.
fn together(browser: &mut Browser, scratch: &Scratch, node: &str) {
    let mut other = Browser::or_say().expect("there was one");
    let first = Observing::start(scratch, node, &[]);
    let second = Observing::start(scratch, node, &["--write"]);
    assert_eq!(first.host(), second.host());
    for (browser, observing) in [(&mut *browser, &first), (&mut other, &second)] {
        browser.open(&observing.address);
        browser.shows("#connection", "live");
    }
    select(browser, "counter");
    select(&mut other, "vault");
    browser.shows("#state", "Counter { count: 42 }");
    other.shows("#state", "declares its state secret");
    eval(scratch, node, "gen_server:call(counter, {add, 1})");
    browser.shows("#state", "Counter { count: 43 }");
    other.until("document.querySelectorAll('#rows tr').length === 1");
    assert_eq!(first.stop(), Some(0));
    browser.until("document.querySelector('#connection').dataset.state === 'lost'");
    select(&mut other, "counter");
    other.shows("#state", "Counter { count: 43 }");
    other.shows("#connection", "live");
    let host = second.host().to_owned();
    assert_eq!(second.stop(), Some(0));
    has_gone(scratch, node, &host);
}

/// Log entries of the node appear on the page as plain text.
fn logs(browser: &mut Browser, scratch: &Scratch, node: &str) {
    log(scratch, node, "<img src=x onerror=alert(1)>");
    browser.shows("#events", "<img src=x onerror=alert(1)>");
    assert_eq!(browser.value("document.images.length"), 0);
    browser.press("th[data-key=memory] button");
    browser.until("document.querySelector('th[data-key=memory]').ariaSort === 'descending'");
}

/// With `--write`, processes are changed after the user's confirmation. `--open` opens the browser.
fn changes(browser: &mut Browser, scratch: &Scratch, node: &str) {
    scratch.script(
        "bin/xdg-open",
        "#!/bin/sh\ncp \"$1\" opened.html.new && mv opened.html.new opened.html\n",
    );
    let observing = Observing::start(scratch, node, &["--write", "--open"]);
    let file = scratch.path("opened.html");
    while !file.exists() {
        std::thread::sleep(Duration::from_millis(20));
    }
    browser.open(&format!("file://{}", file.display()));
    browser.shows("#mode", "may change processes");
    select(browser, "counter");
    browser.shows("#state", "Counter { count: 43 }");
    let before = eval(scratch, node, "whereis(counter)");
    act(browser, "Kill", "#confirm-no");
    act(browser, "Collect garbage", "#confirm-yes");
    browser.shows("#done", "its garbage is collected");
    assert_eq!(eval(scratch, node, "whereis(counter)"), before);
    act(browser, "Kill", "#confirm-yes");
    browser.shows("#details-body", "This process has ended");
    browser.shows("#events", "observer: kill of <0.");
    select(browser, "counter");
    browser.shows("#state", "Counter { count: 1 }");
    let killed = eval(scratch, node, "whereis(counter)");
    assert_ne!(killed, before);
    act(browser, "Restart", "#confirm-yes");
    browser.shows("#done", "it runs again");
    assert_ne!(eval(scratch, node, "whereis(counter)"), killed);
    crate::observe_refused::refused(browser, scratch, node);
    let host = observing.host().to_owned();
    assert_eq!(observing.stop(), Some(0));
    has_gone(scratch, node, &host);
}
