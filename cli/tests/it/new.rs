//! `cargo otp new`

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;

use crate::running::Running;
use crate::support::{Scratch, cargo_otp};

#[test]
fn a_new_application_is_complete() {
    let scratch = Scratch::new();
    let said = scratch.cargo_otp("", &["new", "counting"]);
    said.succeeded();
    assert!(
        said.err.contains("cd counting && cargo otp run"),
        "{}",
        said.err
    );
    for file in [
        "Cargo.toml",
        "otp.toml",
        ".gitignore",
        "src/lib.rs",
        "src/stroot.rs",
    ] {
        assert!(scratch.path("counting").join(file).is_file(), "{file}");
    }
    let mode = fs::metadata(scratch.path("counting"))
        .expect("a folder")
        .permissions()
        .mode();
    assert_eq!(mode & 0o500, 0o500);
    assert_eq!(
        fs::read_dir(scratch.path("")).expect("a folder").count(),
        1,
        "nothing else"
    );
}

#[test]
fn a_name_that_is_no_atom_is_refused_and_nothing_written() {
    let scratch = Scratch::new();
    for (name, text) in [
        ("Counting", "for example `counting`"),
        ("my-app", "for example `my_app`"),
        ("../up", "not an Erlang atom"),
        ("1st", "not an Erlang atom"),
        ("", "not an Erlang atom"),
        ("fn", "keyword of Rust"),
        ("receive", "reserved word of Erlang"),
        ("std", "cargo gives this name a meaning"),
    ] {
        scratch
            .cargo_otp("", &["new", name])
            .refused(&["cannot name an application", text]);
    }
    assert!(scratch.everything().is_empty());
}

#[test]
fn a_name_of_otp_is_refused() {
    let scratch = Scratch::new();
    scratch
        .cargo_otp("", &["new", "stdlib"])
        .refused(&["OTP has an application `stdlib`"]);
    scratch
        .cargo_otp("", &["new", "lists"])
        .refused(&["OTP has a module `lists`", "lists.beam"]);
    assert!(scratch.everything().is_empty());
}

#[test]
fn what_is_there_is_never_touched() {
    let scratch = Scratch::new();
    scratch.write("mine/file", "text");
    scratch.write("other", "text");
    fs::create_dir(scratch.path("empty")).expect("a folder");
    std::os::unix::fs::symlink("/nowhere/at/all", scratch.path("dangling")).expect("a link");
    let before = || {
        let mut names: Vec<_> = fs::read_dir(scratch.path(""))
            .expect("a folder")
            .flatten()
            .map(|e| e.path())
            .collect();
        names.sort();
        names
    };
    let names = before();
    for name in ["mine", "other", "empty", "dangling"] {
        scratch
            .cargo_otp("", &["new", name])
            .refused(&["is taken", name]);
    }
    assert_eq!(before(), names);
    assert_eq!(scratch.read("mine/file"), "text");
}

#[test]
fn an_application_inside_another_is_its_own() {
    let scratch = Scratch::with_application();
    scratch.cargo_otp("shop", &["new", "inner"]).succeeded();
    assert!(scratch.path("shop/inner/otp.toml").is_file());
}

/// The reply of the server on this port of 127.0.0.1.
fn get(port: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).expect("it listens");
    let request = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("it is sent");
    let mut reply = String::new();
    stream.read_to_string(&mut reply).expect("a reply");
    reply
}

#[test]
fn a_service_answers_after_two_commands() {
    let scratch = Scratch::new();
    let made = scratch.cargo_otp("", &["new", "shop", "--template", "service"]);
    made.succeeded();
    scratch.lock("shop");
    let command = cargo_otp(&scratch.path("shop"), &["run", "--", "0"]);
    let mut running = Running::start(command);
    let line = running.line_with("the HTTP server listens at http://127.0.0.1:");
    let (_, port) = line.trim_end().rsplit_once(':').expect("an address");
    assert!(get(port, "/health").ends_with("\r\n\r\nok"));
    // Nothing listens at the port of the database that otp.toml has.
    assert!(get(port, "/ready").starts_with("HTTP/1.1 503"));
    assert!(get(port, "/nothing").starts_with("HTTP/1.1 404"));
    drop(running);
    scratch.cargo_otp("shop", &["test"]).succeeded();
    scratch.cargo_otp("shop", &["check"]).succeeded();
}
