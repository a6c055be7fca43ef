//! No Erlang, or one too old.

use crate::support::{Scratch, cargo_otp, said};

#[test]
fn without_erl_every_command_says_what_to_install() {
    let scratch = Scratch::with_application();
    let before = scratch.everything();
    for arguments in [
        &["new", "other"][..],
        &["add", "counter", "gen_server"],
        &["build"],
        &["run"],
    ] {
        let mut command = cargo_otp(&scratch.path("shop"), arguments);
        command.env("PATH", scratch.path("bin"));
        said(command).refused(&[
            "error[E0820]: there is no `erl` on PATH",
            "apt-get install erlang",
        ]);
        assert_eq!(scratch.everything(), before);
    }
}

#[test]
fn an_old_otp_is_refused_with_its_version() {
    let scratch = Scratch::with_application();
    // It is never run, because the version is read from files.
    scratch.script("otp/bin/erl", "#!/bin/sh\nexit 99\n");
    scratch.write("otp/lib/stdlib-3.17/ebin/lists.beam", "");
    scratch.write("otp/releases/start_erl.data", "12.3 24\n");
    scratch.write("otp/releases/24/OTP_VERSION", "24.3.4\n");
    let before = scratch.everything();
    for arguments in [&["new", "other"][..], &["build"], &["run"]] {
        let mut command = cargo_otp(&scratch.path("shop"), arguments);
        command.env("PATH", scratch.path("otp/bin"));
        said(command).refused(&[
            "error[E0823]: this Erlang is OTP 24.3.4",
            "needs OTP 25 or newer",
            "otp/bin/erl",
        ]);
        assert_eq!(scratch.everything(), before);
    }
}

#[test]
fn a_broken_erl_is_told_with_its_own_words() {
    let scratch = Scratch::with_application();
    scratch.script("bin/erl", "#!/bin/sh\necho 'no emulator' >&2\nexit 1\n");
    let mut command = cargo_otp(&scratch.path("shop"), &["build"]);
    command.env("PATH", scratch.path("bin"));
    said(command).refused(&[
        "error[E0822]: `erl` did not report where OTP is installed",
        "no emulator",
    ]);
}

#[test]
fn a_wrapper_around_erl_is_asked_for_its_root() {
    let scratch = Scratch::new();
    scratch.write("otp/releases/start_erl.data", "12.3 24\n");
    let root = scratch.path("otp");
    scratch.script(
        "bin/erl",
        &format!("#!/bin/sh\nprintf %s '{}'\n", root.display()),
    );
    let mut command = cargo_otp(&scratch.path(""), &["new", "other"]);
    command.env("PATH", scratch.path("bin"));
    said(command).refused(&["this Erlang is OTP 24;"]);
}
