//! `cargo otp clean` removes build results, and no other files.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use crate::support::{Said, Scratch, cargo_otp, said};

/// Runs a command in an application that has its own target folder.
fn in_application(scratch: &Scratch, arguments: &[&str]) -> Said {
    let mut command = cargo_otp(&scratch.path("tidied"), arguments);
    command.env_remove("CARGO_TARGET_DIR");
    said(command)
}

/// An application that uses the target folder of all tests, through the configuration of cargo.
fn application() -> Scratch {
    let scratch = Scratch::with_application_named("tidied");
    let target = format!("[build]\ntarget-dir = {:?}\n", crate::support::target());
    scratch.write("tidied/.cargo/config.toml", &target);
    scratch
}

#[test]
fn what_was_built_is_removed_and_what_a_link_leads_to_stays() {
    let scratch = application();
    in_application(&scratch, &["build"]).succeeded();
    in_application(&scratch, &["release", "--profile", "dev"]).succeeded();
    let otp = crate::support::target().join("otp");
    let built = otp.join("debug/tidied");
    let releases = || {
        let all = fs::read_dir(otp.join("releases")).expect("releases");
        let names = all.map(|entry| entry.expect("an entry").file_name());
        names
            .filter(|name| name.to_string_lossy().starts_with("tidied-"))
            .count()
    };
    assert!(built.join("ebin/tidied.app").is_file());
    assert_eq!(releases(), 2, "a folder and an archive");
    scratch.write("precious/file", "kept");
    scratch.write("precious/tidied/file", "kept");
    symlink(scratch.path("precious"), built.join("ebin/link")).expect("a link");
    let profile = otp.join("linked_profile");
    let _ = fs::remove_file(&profile);
    symlink(scratch.path("precious"), &profile).expect("a link");

    let removed = |arguments: &[&str]| {
        let said = in_application(&scratch, &[&["clean"], arguments].concat());
        said.succeeded();
        assert_eq!(said.out, "");
        said.err
    };
    let none = removed(&["--release"]);
    assert!(none.contains("Removed 0 files, 0B of `tidied`"), "{none}");
    assert!(built.is_dir());
    let one = removed(&["--profile", "dev"]);
    assert!(!one.contains(" 0 files"), "{one}");
    assert!(!built.exists());
    assert_eq!(releases(), 2, "releases are of no profile");
    // An interrupted release has left a folder, and a node has written data.
    let left = otp.join("releases/.release-tidied.Left");
    fs::create_dir(&left).expect("a folder");
    let data = otp.join("releases/tidied-0.1.0/var");
    fs::create_dir(&data).expect("a folder");
    fs::write(data.join("ledger"), "precious").expect("a file");
    let rest = removed(&[]);
    assert!(rest.contains("MiB of `tidied`"), "{rest}");
    assert!(rest.contains("what nodes have written stays: "), "{rest}");
    assert!(!left.exists());
    assert_eq!(releases(), 1);
    fs::remove_file(data.join("ledger")).expect("it stays");
    let last = removed(&[]);
    assert!(last.contains("Removed 0 files"), "{last}");
    assert_eq!(releases(), 0);
    for file in ["precious/file", "precious/tidied/file"] {
        assert_eq!(scratch.read(file), "kept");
    }
    fs::remove_file(profile).expect("the link is there");
    assert!(removed(&[]).contains("Removed 0 files"));
}

#[test]
fn it_works_where_cargo_does_not() {
    let scratch = Scratch::with_application_named("tidied");
    scratch.write("tidied/otp.toml", "not [toml");
    let manifest = scratch.read("tidied/Cargo.toml");
    let manifest = format!("{manifest}\nnone = {{ path = \"/nowhere\" }}\n");
    scratch.write("tidied/Cargo.toml", &manifest);
    for target in ["tidied", ""] {
        // The last one belongs to another profile.
        for profile in ["fast.test", "fast-test"] {
            let file = format!("target/otp/{profile}/tidied/ebin/a.beam");
            let file = Path::new(target).join(file);
            scratch.write(file.to_str().expect("UTF-8"), "1234");
        }
        let other = Path::new(target).join("target/otp/fast/other/ebin/a.beam");
        scratch.write(other.to_str().expect("UTF-8"), "1234");
    }
    scratch.write("Cargo.toml", "[workspace]\nmembers = [\"tidied\"]\n");
    let mut command = cargo_otp(&scratch.path("tidied/src"), &["clean", "--profile", "fast"]);
    command.env_remove("CARGO_TARGET_DIR").env("PATH", "");
    let own = said(command);
    own.succeeded();
    assert!(own.err.contains("Removed 1 file, 4B"), "{}", own.err);
    assert!(scratch.path("tidied/target/otp/fast-test/tidied").is_dir());
    assert!(scratch.path("target/otp/fast.test/tidied").is_dir());
    fs::remove_dir_all(scratch.path("tidied/target")).expect("removed");
    let workspace = in_application(&scratch, &["clean"]);
    workspace.succeeded();
    assert!(!scratch.path("target/otp/fast.test/tidied").exists());
    assert!(!scratch.path("target/otp/fast-test/tidied").exists());
    assert!(scratch.path("target/otp/fast/other/ebin/a.beam").is_file());
}

#[test]
fn outside_an_application_there_is_nothing_to_remove() {
    let scratch = Scratch::new();
    scratch.write("target/otp/debug/a/file", "kept");
    scratch
        .cargo_otp("", &["clean"])
        .refused(&["not inside an application"]);
    assert_eq!(scratch.read("target/otp/debug/a/file"), "kept");
}
