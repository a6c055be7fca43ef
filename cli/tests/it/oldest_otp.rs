//! A build reports its oldest OTP, and refuses to start on an older one.

use std::fs;
use std::process::Command;

use crate::support::{Said, Scratch, said, target};

#[test]
fn a_build_for_a_newer_otp_says_so_when_it_is_started() {
    let scratch = Scratch::with_application_named("aged");
    scratch.cargo_otp("aged", &["build"]).succeeded();
    let ebin = target().join("otp/debug/aged/ebin");
    let file = ebin.join("aged.app");
    let resource = fs::read_to_string(&file).expect("the resource file");
    let starts = |arguments: &[&str]| -> Said {
        let mut erl = Command::new("erl");
        erl.args(["-noinput", "-pa"]).arg(&ebin).args(arguments);
        said(erl)
    };
    let plainly = [
        "-eval",
        "io:format(\"~0p\", [application:start(aged)]), halt().",
    ];
    assert_eq!(starts(&plainly).out, "ok");

    let newer = "{runtime_dependencies, [\"erts-99.3.1\"]}";
    let (before, rest) = resource
        .split_once("{runtime_dependencies, [\"erts-")
        .expect("the ERTS");
    let (_, after) = rest.split_once("]}").expect("its end");
    fs::write(&file, format!("{before}{newer}{after}")).expect("the resource file");
    // The crash report may come first.
    let plain = starts(&plainly);
    assert!(
        plain.out.contains("{error,{{otp_release,111,"),
        "{}",
        plain.out
    );
    let run = starts(&["-s", "aged_run", "main"]);
    run.failed(&["aged did not start: it was built for OTP 111 or newer, and this is OTP "]);

    fs::write(&file, resource).expect("the resource file");
    assert_eq!(starts(&plainly).out, "ok");
}
