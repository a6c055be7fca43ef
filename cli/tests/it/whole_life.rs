//! The whole life of an application on real VMs: new, add, test, run, calls from another node, an
//! upgrade during these calls, a release in a bare system, the end. The test has one application,
//! and one folder in which it is built.

use std::fs;
use std::process::{Command, Stdio, id};

use crate::nodes::cookie;
use crate::release::unpack;
use crate::running::Running;
use crate::support::{Said, Scratch, cargo_otp, said, target};

/// A module of each behaviour.
const MODULES: [(&str, &str); 6] = [
    ("counter", "gen_server"),
    ("below", "supervisor"),
    ("switch", "gen_statem"),
    ("tally", "gen_event"),
    ("outside", "supervisor_bridge"),
    ("itself", "application"),
];

/// A request that changes the counter's state. Each build adds its own number to the reply.
const ADD: &str = "
/// `add`: one more, which is in the reply with the number of the build.
#[derive(Debug, Term)]
#[reply((u64, u64))]
pub struct Add;
";

const HANDLE_ADD: &str = "
    fn handle_call(&mut self, _: Add) -> HandleCall<(u64, u64)> {
        self.count += 1;
        reply((1, self.count))
    }
";

const INTEGRATION_TEST: &str = "\
//! Links the library as it is built for users.
use otp_bridge_novm as _;

#[test]
fn it_links_from_outside() {
    assert!(std::any::type_name::<lived::stroot::Stroot>().ends_with(\"Stroot\"));
}
";

/// Four processes of another node call until each has received 250 replies of the second build. The
/// program then prints whether each number has come once, and the numbers of the builds.
const CALLERS: &str = "
    Call = fun Call(Seen, 250) -> exit({seen, Seen});
               Call(Seen, New) ->
                   {Build, Number} = gen_server:call({counter, NODE}, add),
                   Call([{Build, Number} | Seen], New + Build - 1)
           end,
    Callers = [spawn_monitor(fun() -> Call([], 0) end) || _ <- lists:seq(1, 4)],
    Wait = fun Wait() -> case gen_server:call({counter, NODE}, get) > 1000 of true -> ok; false -> Wait() end end,
    Wait(),
    io:format(\"many calls~n\"),
    Seen = lists:append([receive {'DOWN', Caller, process, _, {seen, Of}} -> Of end || {_, Caller} <- Callers]),
    Numbers = lists:sort([Number || {_, Number} <- Seen]),
    EachOnce = Numbers =:= lists:seq(1, length(Seen)),
    io:format(\"~p~n\", [{EachOnce, lists:usort([Build || {Build, _} <- Seen])}]),
    halt().";

const SECRET: &str = "a_secret_of_a_life";

struct Life {
    scratch: Scratch,
}

#[test]
fn an_application_is_made_tested_run_called_upgraded_released_and_stopped() {
    let life = Life::new();
    let lines = life.adds_modules();
    life.passes_its_lints();
    life.has_children(&lines);
    life.passes_its_tests();
    life.is_upgraded_while_it_is_called();
    life.runs_in_a_bare_system();
}

impl Life {
    fn new() -> Self {
        let scratch = Scratch::with_application_named("lived");
        cookie(&scratch, "lived/cookie", SECRET);
        Life { scratch }
    }

    fn says(&self, arguments: &[&str]) -> Said {
        self.scratch.cargo_otp("lived", arguments)
    }

    fn change(&self, file: &str, changes: &[(&str, &str)]) {
        let file = format!("lived/{file}");
        let mut text = self.scratch.read(&file);
        for (from, to) in changes {
            assert_eq!(text.matches(from).count(), 1, "`{from}` in {text}");
            text = text.replace(from, to);
        }
        self.scratch.write(&file, &text);
    }

    /// Returns the lines that `add` has printed for the supervisor.
    fn adds_modules(&self) -> String {
        let mut lines = String::new();
        for (name, behaviour) in MODULES {
            let said = self.says(&["add", name, behaviour]);
            said.succeeded();
            let line = said.err.lines().find(|line| line.contains("ChildSpec::of"));
            // Handlers and the application itself are not children.
            let is_child = !["gen_event", "application"].contains(&behaviour);
            assert_eq!(line.is_some(), is_child, "{}", said.err);
            lines.extend(line.map(|line| format!("{line}\n")));
        }
        let lib = self.scratch.read("lived/src/lib.rs");
        let with_test = format!("{lib}\n#[test]\nfn it_links() {{}}\n");
        self.scratch.write("lived/src/lib.rs", &with_test);
        let test = "lived/tests/outside.rs";
        self.scratch.write(test, INTEGRATION_TEST);
        lines
    }

    fn passes_its_lints(&self) {
        let clippy = ["clippy", "--all-targets", "--", "-D", "warnings"];
        for arguments in [&["fmt", "--check"][..], &clippy] {
            let mut cargo = Command::new(env!("CARGO"));
            cargo.args(arguments);
            cargo.current_dir(self.scratch.path("lived"));
            cargo.env("CARGO_TARGET_DIR", target());
            said(cargo).succeeded();
        }
    }

    /// Does the user's part after `add`: inserts the printed lines into the supervisor.
    fn has_children(&self, lines: &str) {
        let children = format!("vec![\n{lines}]");
        let named = "Counter>(()).registered(&otp_bridge::gen_server::Server::<crate::counter::Counter>::registered())";
        self.change("src/stroot.rs", &[("vec![]", &children)]);
        self.change("src/stroot.rs", &[("Counter>(())", named)]);
    }

    /// Runs the tests without a VM, with replacements of its functions, and on a VM.
    fn passes_its_tests(&self) {
        let tested = self.says(&["test"]);
        tested.succeeded();
        for test in [
            "it_links",
            "tests::it_begins_with_zero",
            "tests::it_goes_on_and_off",
            "tests::it_answers_on_the_vm",
            "stroot::tests::all_children_run",
            "it_links_from_outside",
        ] {
            let passed = format!("{test} ... ok");
            assert!(tested.out.contains(&passed), "{}", tested.out);
        }
        for words in ["`lived` (lib) generated", "erlc says"] {
            assert!(!tested.err.contains(words), "{}", tested.err);
        }
    }

    fn is_upgraded_while_it_is_called(&self) {
        let request = format!("{ADD}\n#[gen_server]\n");
        let clause = format!("    }}\n{HANDLE_ADD}}}\n\n#[cfg(test)]");
        let counter = [
            ("\n#[gen_server]\n", request.as_str()),
            ("    }\n}\n\n#[cfg(test)]", &clause),
        ];
        self.change("src/counter.rs", &counter);
        let root = [
            ("(_args: ", "(args: "),
            (
                "        (ok, (",
                "        println!(\"args {args:?}\");\n        (ok, (",
            ),
        ];
        self.change("src/stroot.rs", &root);
        self.change(
            "otp.toml",
            &[(
                "[system]",
                "[application]\napplications = [\"crypto\"]\n\n[system]",
            )],
        );

        let node = format!("lived{}@127.0.0.1", id());
        let run = ["run", "--name", &node, "--cookie", "cookie", "--"];
        let words = ["1", "é b", "", "--help"];
        let folder = self.scratch.path("lived");
        let mut running = Running::start(cargo_otp(&folder, &[&run[..], &words].concat()));
        assert_eq!(running.line_with("args "), format!("args {words:?}\n"));

        let mut callers = Running::start(callers(&node));
        callers.line_with("many calls");
        self.change("src/counter.rs", &[("reply((1,", "reply((2,")]);
        let upgrade = ["upgrade", &node, "--cookie", "cookie"];
        self.says(&upgrade).succeeded();
        assert_eq!(callers.line_with("{"), "{true,[1,2]}\n");
        callers.end().succeeded();

        running.signal("-INT");
        let said = running.end();
        said.succeeded();
        let stops = said.err.contains("Stopping `lived`");
        assert!(stops, "{}", said.err);
        // A user who stopped it by another signal does not see the message about the VM's own
        // signal.
        assert!(!said.out.contains("SIGTERM received"), "{}", said.out);
    }

    /// A folder that contains only a shell, six programs and the C library. In it, the release is
    /// process 1 of a user without files.
    #[expect(
        clippy::print_stderr,
        reason = "who runs the tests should know what was left out"
    )]
    fn runs_in_a_bare_system(&self) {
        let may_try = "[ $(id -u) = 0 ] && unshare --pid --fork true";
        if said(shell(may_try)).code != Some(0) {
            eprintln!("left out: only root can change the root folder");
            return;
        }
        self.says(&["release", "--profile", "dev"]).succeeded();
        let bare = self.scratch.path("bare");
        unpack("lived", &bare.join("opt"));
        said(shell(&format!("bare='{}'\n{BARE}", bare.display()))).succeeded();

        let node = format!("bare{}@127.0.0.1", id());
        let mut command = Command::new("unshare");
        command
            .args(["--pid", "--fork", "chroot", "--userspec=10001:10001"])
            .arg(&bare)
            .args(["/opt/lived-0.1.0/bin/lived", "foreground", "stay"])
            .env_clear()
            .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
            .env("LIVED_DATA", "/var/data")
            .env("LIVED_NODE", &node)
            .stdin(Stdio::null());
        let mut running = Running::start(command);
        running.line_with("args [\"stay\"]");
        let first = first_process(running.id());
        let secret = fs::read_to_string(bare.join("var/data/.erlang.cookie")).expect("the cookie");
        cookie(&self.scratch, "lived/its_cookie", &secret);
        let add = [
            "--cookie",
            "its_cookie",
            "--eval",
            "gen_server:call(counter, add)",
        ];
        let called = self.says(&[&["shell", &node][..], &add].concat());
        assert_eq!(called.out, "{2,1}\n", "{}", called.err);
        said(shell(&format!("kill -TERM {first}"))).succeeded();
        running.end().succeeded();
        assert!(!bare.join("opt/lived-0.1.0/var").exists());
    }
}

/// The release's program in the bare system, by its process number outside. It passes signals on to
/// the VM.
fn first_process(parent: u32) -> String {
    let children = format!("/proc/{parent}/task/{parent}/children");
    let first = fs::read_to_string(children).expect("its child");
    let first = first.trim().to_owned();
    let status = fs::read_to_string(format!("/proc/{first}/status")).expect("its status");
    let of = |key: &str| {
        let mut lines = status.lines();
        lines
            .find_map(|line| line.strip_prefix(key))
            .unwrap_or_default()
    };
    assert_eq!(of("Name:").trim(), "lived");
    assert_eq!(of("Uid:").split_whitespace().next(), Some("10001"));
    assert_eq!(of("NSpid:").split_whitespace().last(), Some("1"));
    first
}

/// A node that calls another one.
fn callers(node: &str) -> Command {
    let mut erl = Command::new("erl");
    let own = format!("callers{}@127.0.0.1", id());
    let callers = CALLERS.replace("NODE", &format!("'{node}'"));
    erl.args(["-noinput", "-hidden", "-name", &own, "-setcookie", SECRET])
        .args(["-kernel", "inet_dist_use_interface", "{127,0,0,1}"])
        .args(["-eval", &callers])
        .env("ERL_EPMD_ADDRESS", "127.0.0.1")
        .stdin(Stdio::null());
    erl
}

/// Copies each program with the libraries with which it is linked, and other files that the release
/// needs.
const BARE: &str = r#"
mkdir -p "$bare/bin" "$bare/dev" "$bare/var/data"
for program in sh mkdir cat od chmod mv rm; do
    path=$(readlink -f "$(command -v $program)")
    cp "$path" "$bare/bin/$program"
    for library in $(ldd "$path" | grep -o '/[^ ]*'); do
        mkdir -p "$bare/$(dirname $library)"
        cp -L "$library" "$bare/$library"
    done
done
for library in $(ldd "$bare"/opt/*/erts-*/bin/beam.smp | grep -o '/[^ ]*/\(libc\|libm\)\.so[^ ]*'); do
    mkdir -p "$bare/$(dirname $library)"
    cp -L "$library" "$bare/$library"
done
mknod "$bare/dev/null" c 1 3
mknod "$bare/dev/urandom" c 1 9
chmod 666 "$bare/dev/null" "$bare/dev/urandom"
chmod 755 "$bare"
chown 10001:10001 "$bare/var/data"
"#;

fn shell(script: &str) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-e", "-c", script]);
    shell
}
