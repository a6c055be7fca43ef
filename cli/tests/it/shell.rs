//! `cargo otp run --shell` on a terminal, and `--profile`.

use crate::settings::application;
use crate::support::{Scratch, cargo_otp, said, target};
use crate::terminal::Terminal;

#[test]
fn an_erlang_shell_is_beside_the_application() {
    let scratch = application("shelled", "[env]\nport = 1\n");
    let mut terminal = Terminal::run(&scratch.path("shelled"), "run --shell -- stay");
    // Keys are lost until the shell has the terminal.
    terminal.shows_all(&mut vec!["Settings { port: 1", "Eshell"]);
    terminal.types("{is_pid(whereis(stroot)), 6 * 7}.\r");
    terminal.shows("{true,42}");
    // Ctrl-C interrupts the shell's evaluation, not the application. The terminal also shows the
    // keys themselves, once or twice.
    terminal.types("io:format(\"~p~n\", [{waits, 2 * 4}]), timer:sleep(infinity).\r");
    terminal.shows("{waits,8}");
    terminal.types("\u{3}");
    terminal.shows("** exception");
    terminal.types("{again, is_pid(whereis(stroot)), 6 * 8}.\r");
    terminal.shows("{again,true,48}");
    terminal.types("q().\r");
    assert_eq!(terminal.ends(), Some(0));
}

#[test]
fn an_application_is_built_with_the_profile_that_is_named() {
    let scratch = Scratch::with_application_named("profiled");
    let built = said(cargo_otp(
        &scratch.path("profiled"),
        &["build", "--profile", "test"],
    ));
    built.succeeded();
    assert!(built.err.contains("`test` profile"), "{}", built.err);
    assert!(
        target()
            .join("otp/debug/profiled/ebin/profiled.app")
            .is_file()
    );
    scratch
        .cargo_otp("profiled", &["build", "--profile", "large"])
        .refused(&["error[E1014]", "profile `large` is not defined"]);
    scratch
        .cargo_otp("profiled", &["build", "--profile", "test", "--release"])
        .refused(&["cannot be used with"]);
}
