//! The tools around an application are missing or broken: cargo, the compilers, the files that the
//! VM loads.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use crate::build::without_dependencies;
use crate::support::{Said, Scratch, cargo_otp, on_path, otp_rs, said, target};

/// `cargo otp build` of `shop` with another program for cargo.
fn with_cargo(scratch: &Scratch, cargo: &str) -> Said {
    let mut command = cargo_otp(&scratch.path("shop"), &["build"]);
    command.env("CARGO", cargo);
    said(command)
}

#[test]
fn a_cargo_that_does_not_do_its_work_is_told() {
    let scratch = Scratch::with_application();
    with_cargo(&scratch, "/nowhere/cargo").refused(&[
        "error[E1001]: cannot run `cargo`: ",
        "--> /nowhere/cargo",
        "the variable CARGO",
    ]);
    scratch.script("mumbling", "#!/bin/sh\necho 'not JSON'\n");
    let mumbling = scratch.path("mumbling").display().to_string();
    with_cargo(&scratch, &mumbling)
        .is_ours("error[E0899]: otp-rs failed: `cargo metadata` is not understood");
    let real = env!("CARGO");
    let idle = format!("#!/bin/sh\ncase \"$1\" in metadata) exec '{real}' \"$@\" ;; esac\n");
    scratch.script("idle", &idle);
    let idle = scratch.path("idle").display().to_string();
    with_cargo(&scratch, &idle).is_ours("error[E1004]: cargo built the library");
}

/// No call of it ever returns, but the VM does not get beyond this name.
const UNLINKED: &str = "\
unsafe extern \"C\" {
    fn nowhere_at_all();
}

#[unsafe(no_mangle)]
pub extern \"C\" fn nif_init() {
    unsafe { nowhere_at_all() }
}
";

const ABORTING: &str = "\
#[unsafe(no_mangle)]
pub extern \"C\" fn nif_init() {
    std::process::abort()
}
";

#[test]
fn a_library_that_the_vm_cannot_load_is_told_in_the_vms_words() {
    let scratch = without_dependencies("unlinked", UNLINKED);
    let said = scratch.cargo_otp("unlinked", &["build"]);
    said.is_ours("error[E1008]: the Erlang VM cannot load the library");
    assert!(said.err.contains("nowhere_at_all"), "{}", said.err);
    scratch.write("unlinked/src/lib.rs", ABORTING);
    let said = scratch.cargo_otp("unlinked", &["build"]);
    said.is_ours("error[E1009]: loading the library ended the Erlang VM with signal 6");
}

/// Some distributions have the compiler in a separate package.
#[test]
fn an_erl_without_an_erlc_is_told() {
    let scratch = without_dependencies("uncompiled", "");
    // The library exists, so the VM fails at no other name.
    scratch
        .cargo_otp("uncompiled", &["build"])
        .refused(&["error[E1007]"]);
    scratch.script("otp/bin/erl", "#!/bin/sh\nexit 99\n");
    scratch.write("otp/lib/stdlib-4.0/ebin/lists.beam", "");
    scratch.write("otp/releases/25/OTP_VERSION", "25.0\n");
    symlink(on_path("rustc"), scratch.path("otp/bin/rustc")).expect("a link");
    let mut command = cargo_otp(&scratch.path("uncompiled"), &["build"]);
    command.env("PATH", scratch.path("otp/bin"));
    said(command).refused(&["error[E0821]: there is no `erlc` on PATH", "otp/bin/erl"]);
}

#[test]
fn a_folder_that_is_no_otp_is_told_by_what_it_lacks() {
    let scratch = Scratch::with_application();
    scratch.script("otp/bin/erl", "#!/bin/sh\nexit 99\n");
    scratch.write("otp/lib/stdlib-4.0/ebin/lists.beam", "");
    scratch.write("otp/releases/RELEASES", "");
    let build = || {
        let mut command = cargo_otp(&scratch.path("shop"), &["build"]);
        command.env("PATH", scratch.path("otp/bin"));
        said(command)
    };
    build().refused(&[
        "error[E0825]: this folder holds no release of OTP",
        "otp/releases",
    ]);
    scratch.write("otp/releases/25/OTP_VERSION", "master\n");
    build().refused(&["error[E0824]: `master` is not a version of OTP"]);
}

#[test]
fn a_module_of_elixir_needs_elixir() {
    let scratch = Scratch::new();
    symlink(on_path("erl"), scratch.path("erl")).expect("a link");
    let mut command = otp_rs(&["types", "Plug.Conn"]);
    command.env("PATH", scratch.path(""));
    said(command).refused(&["error[E0828]: there is no module `Plug.Conn`, nor an `elixir`"]);
}

/// Errors after a build. The test that has built the application calls this function.
pub(crate) fn an_application_that_was_built_is_told_what_is_wrong(scratch: &Scratch, name: &str) {
    let built = target().join("otp/debug").join(name);
    let build = || scratch.cargo_otp(name, &["build"]);
    // A foreign file in the folder is reported, and the next build replaces it.
    let answer = built.join(".manifest");
    let known = fs::read_to_string(&answer).expect("what the library has said");
    let (question, _) = known.split_once('\n').expect("a question and its answer");
    fs::write(&answer, format!("{question}\nnot JSON")).expect("it is written");
    build().is_ours("error[E1011]: cannot read the library's description of itself");
    fs::remove_file(&answer).expect("it is removed");
    build().succeeded();

    // An Erlang like the installed one, except for a compiler that always fails.
    let erl = on_path("erl").canonicalize().expect("it is there");
    let root = erl.parent().and_then(Path::parent).expect("its root");
    for name in ["lib", "releases"] {
        fs::create_dir_all(scratch.path("otp")).expect("a folder");
        symlink(root.join(name), scratch.path("otp").join(name)).expect("a link");
    }
    scratch.script(
        "otp/bin/erl",
        &format!("#!/bin/sh\nexec '{}' \"$@\"\n", erl.display()),
    );
    scratch.script("otp/bin/erlc", "#!/bin/sh\necho 'out of ink'\nexit 1\n");
    let mut command = cargo_otp(&scratch.path(name), &["build"]);
    let path = std::env::var("PATH").expect("PATH");
    command.env(
        "PATH",
        format!("{}:{path}", scratch.path("otp/bin").display()),
    );
    let said = said(command);
    said.is_ours("error[E1006]: the generated Erlang does not compile");
    assert!(said.err.contains("out of ink"), "{}", said.err);
}
