//! Locations of an application: in a folder whose name has a space and a non-ASCII letter, in a
//! workspace, and below the current folder or elsewhere.

use std::fs;

use crate::support::{Said, Scratch, cargo_otp, said, target};

/// The package of the workspace.
const OWN: &str = "ä b/members/placed";

fn workspace() -> Scratch {
    let scratch = Scratch::new();
    scratch.write(
        "ä b/Cargo.toml",
        "[workspace]\nresolver = \"3\"\nmembers = [\"members/*\"]\n",
    );
    fs::create_dir(scratch.path("ä b/members")).expect("a folder");
    scratch
        .cargo_otp("ä b/members", &["new", "placed"])
        .succeeded();
    let manifest = scratch.read(&format!("{OWN}/Cargo.toml"));
    let member = manifest
        .split("[profile.release]")
        .next()
        .expect("its text");
    scratch.write(&format!("{OWN}/Cargo.toml"), member);
    scratch.lock("ä b");
    scratch
}

#[test]
fn every_command_finds_its_application() {
    let scratch = workspace();
    let manifest = scratch.path(OWN).join("Cargo.toml");
    let manifest = manifest.to_str().expect("UTF-8");
    let relative = "../ä b/members/placed/Cargo.toml";
    fs::create_dir(scratch.path("elsewhere")).expect("a folder");
    let by = |manifest: &str, arguments: &[&str]| -> Said {
        let arguments = [arguments, &["--manifest-path", manifest]].concat();
        said(cargo_otp(&scratch.path("elsewhere"), &arguments))
    };
    by(relative, &["add", "counter", "gen_server"]).succeeded();
    for (arguments, text) in [
        (&["build"][..], "Built `placed`"),
        (&["check"], "nothing starts `placed::counter::Counter`"),
        (&["tree"], "stroot"),
        (&["schema", "--format", "asyncapi"], "\"counter\""),
        (&["test"], "all_children_run ... ok"),
        (&["doctor"], "otp-bridge"),
        (&["upgrading"], ""),
        (&["release", "--profile", "dev"], "placed-0.1.0.tar.gz"),
        (&["upgrade", "nobody_is_called_so"], "error[E1040]"),
        (&["clean"], "Removed"),
    ] {
        for manifest in [manifest, relative] {
            let said = by(manifest, arguments);
            let expected = i32::from(text.starts_with("error"));
            assert_eq!(said.code, Some(expected), "{arguments:?}: {}", said.err);
            let all = said.out + &said.err;
            assert!(all.contains(text), "{arguments:?} without {text}: {all}");
            if !["test", "check", "upgrade"].contains(&arguments[0]) {
                break;
            }
        }
    }
    let above = scratch.cargo_otp("ä b", &["build"]);
    above.refused(&["error[E0910]", "`members/placed`"]);
    // The sources are below the current folder's.
    let inside = scratch.cargo_otp(&format!("{OWN}/src"), &["schema", "counter"]);
    inside.succeeded();
    assert!(
        !scratch.path("elsewhere/target").exists() && target().join("otp/debug/placed").exists()
    );
}

#[test]
fn a_manifest_path_is_that_of_a_cargo_toml() {
    let scratch = Scratch::with_application();
    scratch.write("other/Cargo.toml", "[package]\nname = \"other\"\n");
    for (path, text) in [
        ("shop", "error[E0922]"),
        ("shop/otp.toml", "error[E0922]"),
        ("none/Cargo.toml", "error[E0922]"),
        ("other/Cargo.toml", "error[E0910]"),
    ] {
        for verb in ["build", "clean", "upgrading"] {
            scratch
                .cargo_otp("", &[verb, "--manifest-path", path])
                .refused(&[text]);
        }
    }
}

#[test]
fn two_checkouts_with_one_target_folder_have_each_their_own_library() {
    let scratch = Scratch::new();
    for (folder, answer) in [("one", "first"), ("two", "second")] {
        fs::create_dir(scratch.path(folder)).expect("a folder");
        scratch.new_application(folder, "twins");
        let root = format!("{folder}/twins/src/stroot.rs");
        let text = scratch.read(&root);
        let said = format!(
            "fn init(_args: Vec<String>) -> impl InitReturn {{\n        println!(\"the {answer} checkout\");"
        );
        let changed = text.replace("fn init(_args: Vec<String>) -> impl InitReturn {", &said);
        assert!(changed != text, "{text}");
        scratch.write(&root, &changed);
    }
    let check = |folder: &str, answer: &str| {
        let folder = scratch.path(&format!("{folder}/twins"));
        said(cargo_otp(&folder, &["build"])).succeeded();
        let mut erl = std::process::Command::new("erl");
        erl.args(["-noinput", "-pa"])
            .arg(target().join("otp/debug/twins/ebin"))
            .args([
                "-eval",
                "{ok, _} = application:ensure_all_started(twins), init:stop().",
            ]);
        let printed = said(erl).out;
        assert!(
            printed.contains(&format!("the {answer} checkout")),
            "{printed}"
        );
    };
    for (folder, answer) in [
        ("one", "first"),
        ("two", "second"),
        ("one", "first"),
        ("two", "second"),
    ] {
        check(folder, answer);
    }
}
