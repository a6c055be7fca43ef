//! `cargo otp tree --live`: the supervision trees of running nodes.

use std::process::{Child, Command, Stdio, id};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::nodes::{Node, cookie};
use crate::settings::application;
use crate::support::{Said, Scratch, cargo_otp, said};

fn tree(scratch: &Scratch, node: &str, more: &[&str]) -> Said {
    let asked = ["tree", "--live", node, "--cookie", "ours"];
    said(cargo_otp(&scratch.path(""), &[&asked, more].concat()))
}

#[test]
fn an_application_that_runs_shows_its_processes() {
    let scratch = application("grown", "[env]\nport = 1\n");
    for file in ["grown/ours", "ours"] {
        cookie(&scratch, file, "a_secret_of_this_tree\n");
    }
    cookie(&scratch, "theirs", "another_secret\n");
    let name = format!("grown{}", id());
    let is = ["run", "--sname", &name, "--cookie", "ours", "--", "stay"];
    let (node, full) = Node::named(cargo_otp(&scratch.path("grown"), &is));
    let full = full.trim_matches('\'');

    let text = tree(&scratch, &name, &[]);
    text.succeeded();
    let lines: Vec<&str> = text.out.lines().collect();
    assert_eq!(lines[..2], [full, "└── grown"], "{}", text.out);
    assert!(
        lines[2].starts_with("    └── stroot supervisor, <0."),
        "{}",
        text.out
    );
    assert!(
        lines[3].starts_with("        └── worker worker, <0."),
        "{}",
        text.out
    );
    assert!(lines[3].contains(", 0 messages, "), "{}", text.out);
    assert!(lines[3].ends_with("KiB") && lines.len() == 4);

    let json = tree(&scratch, full, &["--format", "json", "grown"]);
    json.succeeded();
    let json: Value = serde_json::from_str(&json.out).expect("JSON");
    assert_eq!(json["node"], full);
    let root = &json["applications"][0]["root"];
    assert_eq!(
        (&root["name"], &root["type"]),
        (&"stroot".into(), &"supervisor".into())
    );
    let worker = &root["children"][0];
    assert_eq!(
        (&worker["module"], &worker["type"]),
        (&"worker".into(), &"worker".into())
    );
    assert!(worker["memory"].as_u64().is_some_and(|bytes| bytes > 1000));
    assert_eq!(worker["mailbox"], 0);

    let kernel = tree(&scratch, &name, &["--format", "dot", "kernel"]);
    kernel.succeeded();
    assert!(kernel.out.starts_with("digraph tree {") && kernel.out.contains("kernel_sup"));
    tree(&scratch, &name, &["grwon"]).refused(&["E1041", "no application `grwon`", &name]);
    let other = ["tree", "--live", &name, "--cookie", "theirs"];
    scratch
        .cargo_otp("", &other)
        .refused(&["E1040", "check its cookie"]);
    tree(&scratch, "nobody_is_called_so", &[]).refused(&["E1040", "no node"]);
    tree(&scratch, "b@d node", &[]).refused(&["cannot name a node"]);
    assert_eq!(node.stop(), Some(0));
}

/// An application with more children than are shown, a supervisor that never answers, a restarting
/// child, and a child with an odd name.
const CROWD: &str = r#"
-module(crowd).
-behaviour(supervisor).
-export([boot/0, start/2, stop/1, init/1, idle/0, never/0]).

boot() ->
    ok = application:load({application, crowd, [{mod, {crowd, []}}, {applications, [kernel, stdlib]}]}),
    ok = application:start(crowd),
    [{ok, _} = supervisor:start_child(many, []) || _ <- lists:seq(1, 10001)],
    {ok, Odd} = supervisor:start_child(top, #{id => {"odd\t\n", 'Ä'}, start => {crowd, idle, []}}),
    [Odd ! message || _ <- lists:seq(1, 3)],
    spawn(fun() -> supervisor:start_child(stuck, #{id => never, start => {crowd, never, []}}) end),
    io:format("ready~n").

start(_, _) -> supervisor:start_link({local, top}, ?MODULE, top).
stop(_) -> ok.

idle() -> {ok, proc_lib:spawn_link(fun() -> receive stop -> ok end end)}.
never() -> receive never -> ok end.

init(top) ->
    Sup = fun(Id) -> #{id => Id, type => supervisor, start => {supervisor, start_link, [{local, Id}, ?MODULE, Id]}} end,
    {ok, {#{}, [Sup(many), Sup(stuck)]}};
init(many) ->
    {ok, {#{strategy => simple_one_for_one}, [#{id => one, start => {crowd, idle, []}}]}};
init(stuck) ->
    {ok, {#{}, []}}.
"#;

/// A VM that is killed when the test ends.
struct Erlang(Child);

impl Drop for Erlang {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn what_is_too_much_or_does_not_answer_is_left_out_and_said() {
    let scratch = Scratch::new();
    scratch.write("crowd.erl", CROWD);
    cookie(&scratch, "ours", "crowded");
    let name = format!("crowd{}", id());
    let mut erl = Command::new("erl");
    erl.args(["-noinput", "-sname", &name, "-setcookie", "crowded"]);
    erl.args(["-eval", "{ok, crowd} = compile:file(crowd), crowd:boot()."]);
    erl.current_dir(scratch.path("")).stdout(Stdio::piped());
    let mut child = Erlang(erl.spawn().expect("erl"));
    let out = child.0.stdout.take().expect("its output");
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(out));
    assert_eq!(lines.next().expect("a line").expect("UTF-8"), "ready");

    let begin = Instant::now();
    let said = tree(&scratch, &name, &["crowd"]);
    said.succeeded();
    assert!(begin.elapsed() < Duration::from_mins(2), "it is bounded");
    for part in [
        "└── top (crowd) supervisor, ",
        "├── many (crowd) supervisor, ",
        "│   └── … 10001 children\n",
        "├── stuck (crowd) supervisor, ",
        "│   └── … children unknown\n",
        "└── {\"odd\\t\\n\",'Ä'} (crowd) worker, ",
        ", 3 messages, ",
    ] {
        assert!(said.out.contains(part), "no `{part}` in:\n{}", said.out);
    }
    assert_eq!(said.out.lines().count(), 8, "{}", said.out);
}
