//! `cargo otp completions` and `otp-rs completions`, in bash itself.

use std::process::Command;

use crate::support::{Scratch, otp_rs, said};

/// The words that bash offers for the last word of a line, after it has read a script.
fn offered(script: &str, line: &str) -> Vec<String> {
    let scratch = Scratch::new();
    scratch.write("script", script);
    // bash tells which function completes a program. The shell calls the function as if Tab were
    // pressed.
    let ask = r#"
        source ./script
        _cargo() { COMPREPLY=(cargos-own); }
        IFS=' ' read -ra COMP_WORDS <<< "$1"
        [[ $1 == *' ' ]] && COMP_WORDS+=('')
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        of=$(complete -p "${COMP_WORDS[0]}") || exit 1
        [[ $of =~ -F\ ([^ ]+) ]] || exit 1
        "${BASH_REMATCH[1]}" "${COMP_WORDS[0]}" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        printf '%s\n' "${COMPREPLY[@]}""#;
    let mut bash = Command::new("bash");
    bash.args(["--norc", "-c", ask, "bash", line])
        .current_dir(scratch.path(""));
    let said = said(bash);
    said.succeeded();
    assert_eq!(said.err, "");
    said.out.lines().map(str::to_owned).collect()
}

fn script_of_cargo_otp(shell: &str) -> String {
    let said = Scratch::new().cargo_otp("", &["completions", shell]);
    said.succeeded();
    said.out
}

fn script_of_otp_rs(shell: &str) -> String {
    let said = said(otp_rs(&["completions", shell]));
    said.succeeded();
    said.out
}

#[test]
fn bash_completes_cargo_otp_and_leaves_the_rest_to_cargo() {
    let script = script_of_cargo_otp("bash");
    for (line, words) in [
        ("cargo otp rel", &["release"][..]),
        ("cargo otp run --sn", &["--sname"]),
        ("cargo otp release --do", &["--docker"]),
        ("cargo otp completions fi", &["fish"]),
        ("cargo-otp run --sn", &["--sname"]),
        ("cargo bu", &["cargos-own"]),
        ("cargo build --re", &["cargos-own"]),
    ] {
        assert_eq!(offered(&script, line), words, "{line}");
    }
    let commands = offered(&script, "cargo otp ");
    for verb in ["new", "build", "clean"] {
        assert!(commands.iter().any(|it| it == verb), "{commands:?}");
    }
}

#[test]
fn bash_completes_otp_rs() {
    let script = script_of_otp_rs("bash");
    for (line, words) in [
        ("otp-rs sch", &["schema"][..]),
        ("otp-rs forms --f", &["--format"]),
        ("otp-rs forms --format er", &["erlang"]),
        ("otp-rs gen-types --no", &["--no-config"]),
    ] {
        assert_eq!(offered(&script, line), words, "{line}");
    }
}

#[test]
fn each_shell_gets_a_script_for_the_program_that_it_looks_for() {
    for (shell, cargo, own) in [
        ("zsh", "#compdef cargo-otp\n", "#compdef otp-rs\n"),
        ("fish", "complete -c cargo ", "complete -c otp-rs "),
        ("elvish", "arg-completer[cargo]", "arg-completer[otp-rs]"),
        (
            "powershell",
            "-CommandName 'cargo'",
            "-CommandName 'otp-rs'",
        ),
    ] {
        let script = script_of_cargo_otp(shell);
        assert!(
            script.contains(cargo) && script.contains("docker"),
            "{shell}"
        );
        let script = script_of_otp_rs(shell);
        assert!(
            script.contains(own) && script.contains("gen-types"),
            "{shell}"
        );
    }
    Scratch::new()
        .cargo_otp("", &["completions", "tcsh"])
        .refused(&["tcsh", "bash, elvish, fish, powershell, zsh"]);
}
