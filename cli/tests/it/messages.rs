//! `--message-format json`, `--quiet` and `--verbose`.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use serde_json::Value;

use crate::nodes::in_group;
use crate::support::{self, Said, Scratch, cargo_otp, said, target};
use crate::terminal::Terminal;

/// The lines of a command with JSON output.
fn lines(said: &Said) -> Vec<Value> {
    said.out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("not JSON: {line}")))
        .collect()
}

/// The lines with a reason.
fn of<'a>(lines: &'a [Value], reason: &str) -> Vec<&'a Value> {
    lines
        .iter()
        .filter(|line| line["reason"] == reason)
        .collect()
}

#[test]
fn a_build_says_json_lines_beside_those_of_cargo() {
    let scratch = Scratch::with_application_named("spoken");
    let json = ["build", "--message-format", "json"];
    let said = scratch.cargo_otp("spoken", &json);
    said.succeeded();
    let all = lines(&said);
    assert!(!of(&all, "compiler-artifact").is_empty());
    assert_eq!(of(&all, "build-finished").len(), 1);
    let built = of(&all, "otp-built");
    assert_eq!((built.len(), &built[0]["name"]), (1, &"spoken".into()));
    let library = built[0]["library"].as_str().expect("a path");
    assert!(std::path::Path::new(library).is_file(), "{library}");
    let end = all.last().expect("lines");
    let end = [&end["reason"], &end["success"], &end["exit_code"]];
    assert_eq!(end, [&Value::from("otp-finished"), &true.into(), &0.into()]);

    // The compiler's messages are cargo's.
    let root = scratch.read("spoken/src/stroot.rs");
    scratch.write(
        "spoken/src/stroot.rs",
        &format!("{root}\nconst A: u8 = \"a\";\n"),
    );
    let said = scratch.cargo_otp("spoken", &json);
    assert_eq!(said.code, Some(1), "{}", said.err);
    let all = lines(&said);
    let errors = of(&all, "compiler-message");
    assert!(
        errors
            .iter()
            .any(|it| it["message"]["code"]["code"] == "E0308")
    );
    let [ours] = of(&all, "otp-message")[..] else {
        panic!("{}", said.out);
    };
    assert_eq!(
        (&ours["code"], &ours["level"]),
        (&"E1003".into(), &"error".into())
    );
    assert!(!said.err.contains("error[E1003]"), "{}", said.err);

    // Messages of this program have a position.
    scratch.write("spoken/src/stroot.rs", &root);
    let config = scratch.read("spoken/otp.toml");
    scratch.write(
        "spoken/otp.toml",
        &format!("{config}\n[vm]\nschedulars = 1\n"),
    );
    let said = scratch.cargo_otp("spoken", &json);
    let all = lines(&said);
    let [ours] = of(&all, "otp-message")[..] else {
        panic!("{}", said.out);
    };
    let line = config.lines().count() + 3;
    assert_eq!(
        (&ours["code"], &ours["line"]),
        (&"E0902".into(), &line.into())
    );
    let file = ours["file"].as_str().expect("a file");
    assert!(file.ends_with("otp.toml"), "{file}");
    assert!(ours["help"].to_string().contains("schedulers"), "{ours}");
    let rendered = ours["rendered"].as_str().expect("a text");
    assert!(
        rendered.starts_with("error[E0902]: unknown key"),
        "{rendered}"
    );
}

#[test]
fn nothing_is_said_with_quiet_and_more_with_verbose() {
    let scratch = Scratch::with_application_named("hushed");
    let quiet = scratch.cargo_otp("hushed", &["build", "--quiet"]);
    quiet.succeeded();
    assert_eq!((quiet.out.as_str(), quiet.err.as_str()), ("", ""));
    let normal = scratch.cargo_otp("hushed", &["build"]);
    assert!(normal.err.contains("Built `hushed`") && !normal.err.contains("Running"));
    let root = scratch.read("hushed/src/stroot.rs");
    scratch.write("hushed/src/stroot.rs", &format!("{root}\n// More.\n"));
    let verbose = said(cargo_otp(&scratch.path("hushed"), &["-v", "build"]));
    verbose.succeeded();
    for text in [
        "Running `",
        "build --lib --profile dev",
        "Running `rustc --crate-name hushed",
    ] {
        let has = verbose.err.lines().any(|line| line.contains(text));
        assert!(
            has || text.contains("rustc"),
            "no {text} in:\n{}",
            verbose.err
        );
    }
    assert!(
        verbose.err.contains("--crate-name hushed"),
        "{}",
        verbose.err
    );
    scratch
        .cargo_otp("hushed", &["build", "-q", "-v"])
        .refused(&["cannot be used with"]);
    // The compiler's messages are enough.
    let wrong = format!("{root}\nconst A: u8 = \"a\";\n");
    scratch.write("hushed/src/stroot.rs", &wrong);
    let refused = scratch.cargo_otp("hushed", &["build"]);
    assert_eq!(refused.code, Some(1));
    assert!(refused.err.contains("E0308"), "{}", refused.err);
    assert!(!refused.err.contains("E1003"), "{}", refused.err);
    // Errors are printed in spite of `-q`.
    scratch.write("hushed/otp.toml", "[system]\n");
    scratch
        .cargo_otp("hushed", &["-q", "build"])
        .refused(&["error[E0904]"]);
}

#[test]
fn a_build_that_waits_for_another_one_says_so() {
    let scratch = Scratch::with_application_named("blocked");
    let folder = target().join("otp/debug/blocked");
    fs::create_dir_all(&folder).expect("folders");
    let lock = File::create(folder.join(".lock")).expect("a file");
    lock.lock().expect("nobody builds here");
    let mut command = cargo_otp(&scratch.path("blocked"), &["build"]);
    let mut child = in_group(command.stderr(Stdio::piped()))
        .spawn()
        .expect("it starts");
    let mut lines = BufReader::new(child.stderr.take().expect("its messages")).lines();
    let says = |line: &Result<String, _>| {
        line.as_ref()
            .is_ok_and(|line| line.contains("Blocking waiting for another build in "))
    };
    let waits = lines.any(|line| says(&line));
    lock.unlock().expect("it was locked");
    let ends = lines.any(|line| line.is_ok_and(|line| line.contains("Built `blocked`")));
    let status = child.wait().expect("a status");
    assert!(waits && ends && status.success(), "{waits} {ends} {status}");
}

#[test]
fn work_over_a_second_is_shown_on_a_terminal() {
    let scratch = Scratch::new();
    let erl = support::on_path("erl");
    // The VM that connects waits until the test continues it.
    let script =
        "#!/bin/sh\ncase \"$*\" in *otp_rs_shell*) while [ ! -e go ]; do sleep 0.1; done ;; esac\n";
    let script = format!("{script}exec {} \"$@\"\n", erl.display());
    scratch.script("bin/erl", &script);
    let path = format!("PATH={}:$PATH", scratch.path("bin").display());
    let mut terminal = Terminal::with(&scratch.path(""), &path, "shell nobody_is_called_so");
    terminal.shows("Connecting");
    terminal.shows("`nobody_is_called_so` [");
    terminal.shows("] 1s");
    scratch.write("go", "");
    terminal.shows("E1040");
    assert_eq!(terminal.ends(), Some(1));
}

#[test]
fn a_terminal_has_colours_unless_they_are_not_wanted() {
    let scratch = Scratch::new();
    let all = |variables: &str, arguments: &str| {
        let mut terminal = Terminal::with(&scratch.path(""), variables, arguments);
        let shown = terminal.rest();
        (shown, terminal.ends())
    };
    let (made, status) = all("", "new shop");
    assert_eq!(status, Some(0), "{made}");
    for text in [
        "\u{1b}[1;32m     Created\u{1b}[0m application",
        "\u{1b}[1;36mnote:\u{1b}[0m run it",
    ] {
        assert!(made.contains(text), "{made:?}");
    }
    let (refused, status) = all("", "new shop");
    assert_eq!(status, Some(1), "{refused}");
    assert!(
        refused.contains("\u{1b}[1;31merror[E0916]:\u{1b}[0m the name `shop` is taken"),
        "{refused:?}"
    );
    for variables in ["NO_COLOR=1", "TERM=dumb"] {
        let (plain, status) = all(variables, "new shop");
        assert_eq!(status, Some(1), "{plain}");
        assert!(
            plain.contains("error[E0916]: ") && !plain.contains('\u{1b}'),
            "{plain:?}"
        );
    }
    // Not on a terminal.
    let said = scratch.cargo_otp("", &["new", "shop"]);
    assert!(
        said.err.contains("error[E0916]: ") && !said.err.contains('\u{1b}'),
        "{}",
        said.err
    );
}
