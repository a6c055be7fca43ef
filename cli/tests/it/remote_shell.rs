//! `cargo otp shell`: an Erlang shell in a running node, and the evaluation of expressions in it.

use std::process::id;

use crate::nodes::{Node, cookie};
use crate::settings::application;
use crate::support::{Said, Scratch, cargo_otp, on_path, said};
use crate::terminal::Terminal;

fn eval(scratch: &Scratch, node: &str, expressions: &str) -> Said {
    let arguments = ["shell", node, "--cookie", "ours", "--eval", expressions];
    said(cargo_otp(&scratch.path(""), &arguments))
}

#[test]
fn a_node_is_looked_into_and_left_running() {
    let scratch = application("visited", "[env]\nport = 1\n");
    for file in ["visited/ours", "ours"] {
        cookie(&scratch, file, "a_secret_of_this_shell\n");
    }
    let name = format!("visited{}", id());
    let is = ["run", "--sname", &name, "--cookie", "ours", "--", "stay"];
    let (node, full) = Node::named(cargo_otp(&scratch.path("visited"), &is));
    // Erlang quotes the name of some hosts.
    let printed = full.as_str();
    let full = printed.trim_matches('\'');

    let value = eval(
        &scratch,
        &name,
        "X = node(), io:format(\"ä ~p~n\", [X]), {X, \"ä\"}",
    );
    value.succeeded();
    assert_eq!(value.out, format!("ä {printed}\n{{{printed},\"ä\"}}\n"));
    assert_eq!(
        eval(&scratch, full, "is_pid(whereis(stroot)).").out,
        "true\n"
    );
    // As the node itself prints it.
    let pid = eval(&scratch, &name, "whereis(init)");
    assert_eq!(pid.out, "<0.0.0>\n");
    for (expressions, text) in [
        (
            "1 + a",
            "exception error: an error occurred when evaluating an arithmetic expression",
        ),
        ("throw(up)", "exception throw: up"),
        ("exit(down)", "exception exit: down"),
    ] {
        let failed = eval(&scratch, &name, expressions);
        failed.refused(&[
            "error[E1042]: the expression raises an exception on the node",
            text,
        ]);
    }
    eval(&scratch, &name, "foo(").refused(&["error[E1043]: this is not an expression of Erlang"]);
    eval(&scratch, "nobody_is_called_so", "1").refused(&["error[E1040]", "no node"]);
    scratch
        .cargo_otp("", &["shell", &name, "--cookie", "ours"])
        .refused(&[
            "error[E1044]: a shell needs a terminal: standard input is not one",
            "--eval",
        ]);

    let mut terminal = Terminal::run(&scratch.path(""), &format!("shell {name} --cookie ours"));
    terminal.shows_all(&mut vec!["Connected", "Ctrl-G, then q", "Eshell"]);
    terminal.types("{node(), is_pid(whereis(stroot)), 6 * 7}.\r");
    terminal.shows(",true,42}");
    // Ctrl-C interrupts the shell's evaluation. The terminal also shows the keys themselves, once
    // or twice.
    terminal.types("io:format(\"~p~n\", [{waits, 2 * 4}]), timer:sleep(infinity).\r");
    terminal.shows("{waits,8}");
    terminal.types("\u{3}");
    terminal.shows("** exception");
    terminal.types("{again, 6 * 8}.\r");
    terminal.shows("{again,48}");
    terminal.types("\u{7}");
    terminal.shows("User switch command");
    terminal.types("q\r");
    assert_eq!(terminal.ends(), Some(0));

    // The node keeps running, and sees no other node.
    assert_eq!(eval(&scratch, &name, "{1 + 1, nodes()}").out, "{2,[]}\n");
    assert_eq!(node.stop(), Some(0));
}

#[test]
fn a_shell_that_ends_by_itself_is_told() {
    let scratch = Scratch::new();
    // It responds like the node, but has no shell.
    let script = format!(
        "#!/bin/sh\ncase \"$*\" in\n\
         *otp_rs_shell.erl*) printf %s there@host; exit 0 ;;\n*-remsh*) exit 7 ;;\n\
         esac\nexec '{}' \"$@\"\n",
        on_path("erl").display()
    );
    scratch.script("bin/erl", &script);
    let path = format!("PATH={}:$PATH", scratch.path("bin").display());
    let mut terminal = Terminal::with(&scratch.path(""), &path, "shell there");
    terminal.shows("E1045");
    terminal.shows("the VM of the shell ended with exit status: 7");
    assert_eq!(terminal.ends(), Some(1));
}
