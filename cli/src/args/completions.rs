//! Completion of command lines: generates a script for a shell from the definition of the command
//! line.

use clap::{Args, Command};
use clap_complete::{Shell, generate};

/// Print a script that completes this program's command lines in a shell.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo otp completions bash > ~/.cargo_otp.bash
  cargo otp completions zsh > ~/.zfunc/_cargo-otp
  cargo otp completions fish > ~/.config/fish/conf.d/cargo-otp.fish
  otp-rs completions bash > ~/.otp_rs.bash
  otp-rs completions zsh > ~/.zfunc/_otp-rs

`cargo otp completions` prints the script for `cargo otp`, and `otp-rs completions` the one for `otp-rs`.
Create the scripts again after an update.
  bash        source the file in ~/.bashrc, after cargo's own completion
  zsh         in ~/.zshrc: fpath=(~/.zfunc $fpath), then: autoload -Uz compinit _cargo-otp; compinit
  fish        otp-rs: ~/.config/fish/completions/otp-rs.fish
  elvish      append to ~/.config/elvish/rc.elv; untried
  powershell  append to $PROFILE; untried
In the last two shells, the script replaces other completions of `cargo`.")]
pub(crate) struct Completions {
    /// Shell to print the script for
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// bash has one function for each program. This one calls cargo's own for everything but
/// `cargo otp`.
const BASH: &str = r#"
_cargo_otp_in_cargo() {
    if [[ ${COMP_WORDS[1]-} == otp && $COMP_CWORD -ge 2 ]]; then
        local previous=$3
        [[ $COMP_CWORD -eq 2 ]] && previous=cargo-otp
        COMP_WORDS=(cargo-otp "${COMP_WORDS[@]:2}")
        COMP_CWORD=$((COMP_CWORD - 1))
        _cargo_otp cargo-otp "$2" "$previous"
    elif declare -F _cargo >/dev/null; then
        _cargo "$@"
    fi
}
complete -F _cargo_otp_in_cargo -o bashdefault -o default cargo
"#;

/// Returns the script for `cargo otp`. zsh's completion of cargo looks for a function
/// `_cargo-NAME`. fish adds up all completions of cargo. In the other two shells, only this script
/// completes `cargo otp`.
pub(super) fn cargo_otp(completions: &Completions, command: Command) -> String {
    match completions.shell {
        Shell::Bash => bash(command, "cargo_otp", "cargo-otp") + BASH,
        Shell::Zsh => script(Shell::Zsh, command, "cargo-otp"),
        shell => {
            let otp = command.name("otp");
            let cargo = Command::new("cargo").disable_help_flag(true);
            let cargo = cargo.disable_help_subcommand(true).subcommand(otp);
            script(shell, cargo, "cargo")
        }
    }
}

/// Returns the script for `otp-rs`.
pub(super) fn otp_rs(completions: &Completions, command: Command) -> String {
    match completions.shell {
        Shell::Bash => bash(command, "otp_rs", "otp-rs"),
        shell => script(shell, command, "otp-rs"),
    }
}

/// Generates the script under a name without `-`, because with one, clap completes nothing after a
/// subcommand (clap's issue 6421).
fn bash(command: Command, function: &'static str, program: &str) -> String {
    let script = script(Shell::Bash, command, function);
    script.replace(
        &format!("default {function}\n"),
        &format!("default {program}\n"),
    )
}

fn script(shell: Shell, command: Command, program: &'static str) -> String {
    let mut script = Vec::new();
    // The definition's own name for `cargo otp` contains a space.
    let mut command = command.name(program).bin_name(program);
    generate(shell, &mut command, program, &mut script);
    String::from_utf8_lossy(&script).into_owned()
}
