//! `--message-format json`, `--quiet` and `--verbose`.

use serde_json::Value;

use crate::support::{Said, Scratch, cargo_otp, said};

/// The lines of a command that speaks JSON.
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

    // What the compiler says is cargo's.
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

    // What is ours has its position.
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
    // Errors are said however quiet.
    scratch.write("hushed/otp.toml", "[system]\n");
    scratch
        .cargo_otp("hushed", &["-q", "build"])
        .refused(&["error[E0904]"]);
}
