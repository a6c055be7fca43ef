//! `cargo otp doctor`: findings about a machine, and missing things.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use serde_json::Value;

use crate::support::{Said, Scratch, cargo_otp, said};

fn doctor(scratch: &Scratch, folder: &str, change: impl FnOnce(&mut Command)) -> Said {
    let mut command = cargo_otp(&scratch.path(folder), &["doctor"]);
    command
        .env("LC_ALL", "C.UTF-8")
        .env_remove("CARGO_TARGET_DIR");
    change(&mut command);
    said(command)
}

/// The line about a thing.
#[track_caller]
fn line<'a>(said: &'a Said, name: &str) -> &'a str {
    let mut lines = said.out.lines();
    let found = lines.find(|line| line.split_whitespace().nth(1) == Some(name));
    found.unwrap_or_else(|| panic!("no {name} in:\n{}", said.out))
}

#[test]
fn a_machine_that_runs_these_tests_has_what_is_needed() {
    let scratch = Scratch::with_application();
    let found = doctor(&scratch, "shop", |_| {});
    found.succeeded();
    for name in [
        "erlang",
        "erlc",
        "rustc",
        "cargo",
        "linker",
        "epmd",
        "locale",
        "otp-bridge",
    ] {
        assert!(
            line(&found, name).starts_with("       ok  "),
            "{}",
            found.out
        );
    }
    assert!(line(&found, "erlang").contains("OTP "), "{}", found.out);
    assert_eq!(found.err, "");
}

#[test]
fn what_is_wrong_is_said_with_what_to_do() {
    let scratch = Scratch::with_application();
    scratch.write("home/.erlang.cookie", "secret");
    let mode = fs::Permissions::from_mode(0o644);
    fs::set_permissions(scratch.path("home/.erlang.cookie"), mode).expect("mode");
    scratch.write(
        "shop/target/otp/debug/shop/.otp",
        "24.3 /opt/otp /opt/otp/bin/erlc",
    );
    let config = scratch.read("shop/otp.toml");
    let config = format!("{config}\n[application]\napplications = [\"not_anywhere\"]\n");
    scratch.write("shop/otp.toml", &config);
    let found = doctor(&scratch, "shop", |command| {
        let home = scratch.path("home");
        let of_cargo = |name: &str, folder: &str| {
            std::env::var_os(name).unwrap_or_else(|| {
                let home = std::env::home_dir().expect("a home");
                home.join(folder).into_os_string()
            })
        };
        command
            .env("CARGO_HOME", of_cargo("CARGO_HOME", ".cargo"))
            .env("RUSTUP_HOME", of_cargo("RUSTUP_HOME", ".rustup"))
            .env("HOME", home)
            .env("LC_ALL", "C");
    });
    found.failed(&["error[E1050]: this machine lacks `application`"]);
    for (name, state, text) in [
        (
            "cookie",
            "warning",
            "others than its owner may read or write it",
        ),
        ("locale", "warning", "LC_ALL=C, which is not UTF-8"),
        ("build", "warning", "was compiled by OTP 24.3"),
        (
            "application",
            "missing",
            "`not_anywhere` of OTP is not installed",
        ),
    ] {
        let line = line(&found, name);
        assert!(line.contains(state) && line.contains(text), "{line}");
    }
    for help in [
        "chmod 600 ",
        "export LANG=C.UTF-8",
        "cargo otp clean",
        "erlang-not-anywhere",
    ] {
        assert!(found.out.contains(help), "no {help} in:\n{}", found.out);
    }
}

#[test]
fn without_erl_and_rust_it_says_what_to_install() {
    let scratch = Scratch::new();
    let mut command = cargo_otp(&scratch.path(""), &["doctor", "--message-format", "json"]);
    command.env("PATH", scratch.path("bin")).env_remove("CARGO");
    let found = said(command);
    assert_eq!((found.code, found.err.as_str()), (Some(1), ""));
    let lines: Vec<Value> = found
        .out
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let states: Vec<(&str, &str)> = lines
        .iter()
        .filter(|line| line["reason"] == "otp-check")
        .filter_map(|line| Some((line["name"].as_str()?, line["state"].as_str()?)))
        .collect();
    for name in ["erlang", "rustc", "cargo", "linker"] {
        assert!(states.contains(&(name, "missing")), "{states:?}");
    }
    let erlang = lines.iter().find(|line| line["name"] == "erlang");
    let help = erlang.expect("a line")["help"].to_string();
    assert!(help.contains("apt-get install erlang"), "{help}");
    let [.., error, end] = lines.as_slice() else {
        panic!("{}", found.out);
    };
    assert_eq!(
        (&error["code"], &end["exit_code"]),
        (&"E1050".into(), &1.into())
    );
}
