//! `[vm]` of otp.toml: `cargo otp run` and `cargo otp test` start the VM with these flags.
//! `release.rs` tests releases.

use crate::settings::{application, run};

/// Powers of two, because the VM would round other numbers up.
const OTP_TOML: &str = "\
[env]
port = 1
arguments = [\"stay\"]

[vm]
schedulers = 1
processes = 32_768
busy_wait = \"none\"
args = [\"-shelf\", \"a b\"]
";

const TESTS: &str = r#"
#[cfg(test)]
mod tests {
    use super::*;

    #[otp_bridge::test]
    async fn a_test_has_the_flags(cx: &Cx<'_>) -> Result<()> {
        assert_eq!(limit(cx).await?, 32_768);
        Ok(())
    }
}

async fn limit(cx: &Cx<'_>) -> Result<u64> {
    cx.apply("erlang", "system_info", (atom!("process_limit"),)).await
}
"#;

#[test]
fn an_application_runs_and_is_tested_with_its_flags() {
    let scratch = application("flagged", OTP_TOML);
    let worker = scratch.read("flagged/src/worker.rs");
    let flags = "println!(\"flags {} {:?}\", limit(cx).await?, cx.apply::<Term, _>(\"init\", \"get_argument\", \
                 (atom!(\"shelf\"),)).await?.to_string());\n        println!(\"node";
    let worker = worker.replace("println!(\"node", flags) + TESTS;
    scratch.write("flagged/src/worker.rs", &worker);
    let said = run(&scratch.path("flagged"), &[]);
    said.succeeded();
    let line = said.out.lines().find(|line| line.starts_with("flags"));
    assert_eq!(
        line,
        Some(r#"flags 32768 "{ok,[[\"a b\"]]}""#),
        "{}",
        said.out
    );
    let tested = scratch.cargo_otp("flagged", &["test"]);
    tested.succeeded();
    assert!(
        tested.out.contains("a_test_has_the_flags ... ok"),
        "{}",
        tested.out
    );
}

#[test]
fn a_flag_that_the_vm_would_refuse_is_refused_with_its_line() {
    let scratch = application("misflagged", "[vm]\nprocesses = 10\n");
    let refused = |texts: &[&str]| scratch.cargo_otp("misflagged", &["build"]).refused(texts);
    refused(&[
        "error[E0905]",
        "a number from 1024 to 134217727",
        "otp.toml:6:13",
    ]);
    for (line, texts) in [
        (
            "busy_wait = \"never\"",
            ["`vm.busy_wait` must be `none`", "otp.toml:6:13"],
        ),
        (
            "proceses = 2000",
            ["error[E0902]", "did you mean `processes`?"],
        ),
        (
            "args = [\"-setcookie\", \"x\"]",
            ["a list without `-setcookie`", "use --cookie"],
        ),
        (
            "args = [\"true\"]",
            [
                "`vm.args` must be a list that begins with a flag",
                "otp.toml:6:8",
            ],
        ),
    ] {
        let config = scratch.read("misflagged/otp.toml");
        let (before, _) = config.split_once("[vm]").expect("the table");
        scratch.write("misflagged/otp.toml", &format!("{before}[vm]\n{line}\n"));
        refused(&texts);
    }
}
