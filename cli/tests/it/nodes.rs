//! `cargo otp run` as a node: its name, its cookie, the nodes that it connects to.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio, id};

use crate::settings::{application, run};
use crate::support::{Scratch, cargo_otp, said};

/// A node that is killed if the test ends early.
pub(crate) struct Node(Child);

impl Node {
    /// Starts it, and waits until its worker is running.
    fn start(command: Command) -> Self {
        Self::named(command).0
    }

    /// Starts it, and also returns the node's name as reported by its worker. Its later output is
    /// discarded.
    pub(crate) fn named(mut command: Command) -> (Self, String) {
        let mut child = in_group(&mut command)
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let out = BufReader::new(child.stdout.take().expect("its output"));
        let mut lines = out.lines().map_while(Result::ok);
        let name = lines.find_map(|line| Some(line.strip_prefix("node ")?.to_owned()));
        std::thread::spawn(move || lines.for_each(drop));
        (Node(child), name.expect("it runs"))
    }

    /// Stops it like a service manager.
    pub(crate) fn stop(mut self) -> Option<i32> {
        let kill = Command::new("kill").arg(self.0.id().to_string()).status();
        assert!(kill.expect("kill").success());
        self.0.wait().expect("a status").code()
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        end_group(&mut self.0);
    }
}

/// Makes a program the leader of a process group, which includes a VM that it starts.
pub(crate) fn in_group(command: &mut Command) -> &mut Command {
    command.process_group(0)
}

/// Kills the rest of a process group, so that a failing test leaves no VM, which would hold its
/// pipes open.
pub(crate) fn end_group(child: &mut Child) {
    // The number belongs to the group as long as its first process has not been waited for.
    if child.try_wait().is_ok_and(|status| status.is_none()) {
        let group = format!("-{}", child.id());
        let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
        let _ = child.wait();
    }
}

/// A file with a cookie.
pub(crate) fn cookie(scratch: &Scratch, file: &str, content: &str) {
    scratch.write(file, content);
    let mode = fs::Permissions::from_mode(0o600);
    fs::set_permissions(scratch.path(file), mode).expect("mode");
}

#[test]
fn nodes_with_one_cookie_are_connected() {
    let scratch = application("joined", "[env]\nport = 1\n");
    let folder = scratch.path("joined");
    cookie(&scratch, "joined/ours", "a_secret_of_this_test\n");
    cookie(&scratch, "joined/theirs", "another_secret\n");
    let (left, right) = (format!("left{}", id()), format!("right{}", id()));
    let with_variable = |arguments: &[&str]| {
        let mut command = cargo_otp(&folder, arguments);
        command.env("OTP_RS_COOKIE", "a_secret_of_this_test");
        command
    };
    let node = Node::start(with_variable(&["run", "--sname", &left, "--", "stay"]));

    let processes = Command::new("ps")
        .args(["-A", "-o", "args"])
        .output()
        .expect("ps");
    let processes = String::from_utf8_lossy(&processes.stdout).into_owned();
    assert!(processes.contains(&left), "{processes}");
    assert!(!processes.contains("a_secret_of_this_test"));

    let connect = |cookie: &str, to: &str| {
        run(
            &folder,
            &["--sname", &right, "--cookie", cookie, "--connect", to],
        )
    };
    let connected = connect("ours", &left);
    connected.succeeded();
    let nodes = connected
        .out
        .lines()
        .find(|line| line.starts_with("nodes "));
    assert!(
        nodes.is_some_and(|nodes| nodes.contains(&left)),
        "{}",
        connected.out
    );
    // Without a host, it accepts only connections of this machine.
    let addresses = "{node(), lists:usort([A || P <- erlang:ports(), {name, \"tcp_inet\"} =:= erlang:port_info(P, name), \
         {ok, {A, _}} <- [inet:sockname(P)]])}";
    let listens = said(with_variable(&["shell", &left, "--eval", addresses]));
    let expected = format!("{{{left}@localhost,[{{127,0,0,1}}]}}\n");
    assert_eq!(listens.out, expected, "{}", listens.err);
    let evaluate = ["shell", &left, "--eval", "os:getenv(\"OTP_RS_COOKIE\")"];
    let evaluated = said(with_variable(&evaluate));
    evaluated.succeeded();
    assert_eq!(evaluated.out, "false\n", "the application got the variable");
    // A file has precedence over the variable.
    let theirs = [&evaluate[..], &["--cookie", "theirs"]].concat();
    said(with_variable(&theirs)).failed(&["check its cookie"]);
    let mut empty = cargo_otp(&folder, &evaluate);
    empty.env("OTP_RS_COOKIE", "");
    said(empty).refused(&["error[E0809]: this cannot be the cookie", "OTP_RS_COOKIE"]);

    connect("theirs", &left).failed(&["cannot connect to", "check its cookie"]);
    connect("ours", "x@no-such-host.invalid").failed(&["there is no host no-such-host.invalid"]);
    run(&folder, &["--sname", &left, "--cookie", "ours"]).failed(&["a node of this name runs"]);
    assert_eq!(node.stop(), Some(0));
}

/// Stops the epmd at a port when the test ends.
struct Epmd(u16);

impl Drop for Epmd {
    fn drop(&mut self) {
        let mut stop = Command::new("epmd");
        let stop = stop.args(["-port", &self.0.to_string(), "-kill"]);
        let _ = stop.stdout(Stdio::null()).status();
    }
}

/// The command `epmd -daemon` ends before the daemon listens, so the node has to wait for it.
#[test]
fn first_node_of_a_machine_starts_epmd_and_waits_for_it() {
    let scratch = application("first", "[env]\nport = 1\n");
    let folder = scratch.path("first");
    let free = TcpListener::bind(("127.0.0.1", 0)).and_then(|it| it.local_addr());
    let epmd = Epmd(free.expect("a free port").port());
    TcpStream::connect(("127.0.0.1", epmd.0)).expect_err("no epmd runs here");
    let name = format!("first{}", id());
    let as_node = |arguments: &[&str]| {
        let mut command = cargo_otp(&folder, arguments);
        command.env("ERL_EPMD_PORT", epmd.0.to_string());
        command
    };
    let (node, named) = Node::named(as_node(&["run", "--sname", &name, "--", "stay"]));
    assert_eq!(named, format!("{name}@localhost"));
    TcpStream::connect(("127.0.0.1", epmd.0)).expect("the node has started epmd");
    // The next node finds the running one.
    let found = said(as_node(&["run", "--sname", &name]));
    found.failed(&["a node of this name runs"]);
    assert_eq!(node.stop(), Some(0));
}
