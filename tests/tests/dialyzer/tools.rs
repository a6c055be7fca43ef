//! The tools that these tests run, and the folders of the tools.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use otp_tests::application::{root, text};

/// Dialyzer's optional checks. `-Wunknown` requires that every function and type that a module
/// names exists.
const QUESTIONS: [&str; 6] = [
    "-Wunmatched_returns",
    "-Wunderspecs",
    "-Wextra_return",
    "-Wmissing_return",
    "-Werror_handling",
    "-Wunknown",
];

/// OTP modules that the generated modules name, and modules that those name in their types, if a
/// release has them. Analysing all of OTP would take a minute.
const KNOWN: [(&str, &[&str]); 3] = [
    (
        "erts",
        &["erlang", "init", "atomics", "persistent_term", "prim_eval"],
    ),
    (
        "kernel",
        &[
            "application",
            "application_controller",
            "code",
            "erl_epmd",
            "erpc",
            "file",
            "gen_tcp",
            "global",
            "inet",
            "logger",
            "logger_filters",
            "logger_formatter",
            "logger_handler",
            "net_adm",
            "net_kernel",
            "os",
        ],
    ),
    (
        "stdlib",
        &[
            "beam_lib",
            "binary",
            "calendar",
            "erl_parse",
            "erl_scan",
            "ets",
            "filelib",
            "filename",
            "gen",
            "gen_event",
            "gen_server",
            "gen_statem",
            "io",
            "io_lib",
            "lists",
            "maps",
            "proc_lib",
            "proplists",
            "queue",
            "rand",
            "re",
            "string",
            "supervisor",
            "supervisor_bridge",
            "sys",
            "timer",
            "unicode",
        ],
    ),
];

/// Returns the target folder of all applications.
pub(crate) fn target() -> PathBuf {
    root().join("examples/target")
}

/// Returns a command `cargo otp …` of this checkout, in a folder. `CARGO_OTP` names the program if
/// it was built already.
pub(crate) fn cargo_otp(folder: &Path, arguments: &[&str]) -> Command {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    let program = PROGRAM.get_or_init(|| {
        if let Some(program) = env::var_os("CARGO_OTP") {
            return program.into();
        }
        let manifest = root().join("Cargo.toml");
        let built = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--package", "otp-cli"])
            .arg("--manifest-path")
            .arg(manifest)
            .env_remove("CARGO_TARGET_DIR")
            .output()
            .expect("cargo runs");
        assert!(built.status.success(), "{}", text(&built.stderr));
        root().join("target/debug/cargo-otp")
    });
    let mut command = Command::new(program);
    command
        .arg("otp")
        .args(arguments)
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target());
    command
}

/// Compiles modules. Returns the compiler's messages.
pub(crate) fn compile(sources: &[PathBuf], into: &Path, options: &[&str]) -> String {
    let output = Command::new("erlc")
        .arg("+debug_info")
        .args(options)
        .args(no_unknown(options))
        .arg("-pa")
        .arg(into)
        .arg("-o")
        .arg(into)
        .args(sources)
        .env_remove("ERL_COMPILER_OPTIONS")
        .output()
        .expect("erlc runs");
    text(&output.stdout) + &text(&output.stderr)
}

/// Analyses compiled modules, with all optional checks. Returns dialyzer's messages.
pub(crate) fn dialyzer(beams: &[PathBuf]) -> String {
    dialyzer_with(&QUESTIONS, beams)
}

/// Analyses compiled modules with these options. Returns dialyzer's messages. Unknown functions are
/// reported only with `-Wunknown`.
pub(crate) fn dialyzer_with(options: &[&str], beams: &[PathBuf]) -> String {
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    assert!(!beams.is_empty(), "nothing to analyse");
    let number = RUNS.fetch_add(1, Ordering::Relaxed);
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("dialyzer-{number}.txt"));
    // `--quiet` would suppress reports of unknown functions.
    let output = run(Command::new("dialyzer")
        .arg("--output")
        .arg(&file)
        .arg("--plt")
        .arg(table())
        .args(options)
        .args(no_unknown(options))
        .args(beams));
    let mut messages = fs::read_to_string(&file).unwrap_or_default() + &text(&output.stderr);
    // OTP 25 lists them in any case, after the warnings.
    if !options.contains(&"-Wunknown") {
        messages.truncate(messages.find("Unknown ").unwrap_or(messages.len()));
        messages.truncate(messages.trim_end().len());
    }
    // 0: no warnings; 2: warnings.
    let expected = if messages.is_empty() { 0 } else { 2 };
    let all = text(&output.stdout) + &messages;
    assert_eq!(output.status.code(), Some(expected), "{all}");
    messages
}

/// Since OTP 26, dialyzer counts unknown functions as warnings by default.
fn no_unknown(options: &[&str]) -> Option<&'static str> {
    let help = run(Command::new("dialyzer").arg("--help"));
    let is_known = text(&help.stdout).contains("no_unknown");
    (is_known && !options.contains(&"-Wunknown")).then_some("-Wno_unknown")
}

/// Returns dialyzer's knowledge of OTP's modules, its "persistent lookup table". Each run of these
/// tests creates it again, which takes three seconds.
fn table() -> &'static Path {
    static TABLE: OnceLock<PathBuf> = OnceLock::new();
    TABLE.get_or_init(|| {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("dialyzer.plt");
        let output = run(Command::new("dialyzer")
            .args(["--quiet", "--build_plt", "--output_plt"])
            .arg(&path)
            .args(known_beams()));
        // 2 means that the modules name others, which are not analysed.
        assert!(
            matches!(output.status.code(), Some(0 | 2)),
            "{}{}",
            text(&output.stdout),
            text(&output.stderr)
        );
        path
    })
}

fn known_beams() -> Vec<PathBuf> {
    let ask =
        "[io:format(\"~ts~n\", [code:lib_dir(A, ebin)]) || A <- [erts, kernel, stdlib]], halt().";
    let output = Command::new("erl")
        .args(["-noinput", "-eval", ask])
        .output()
        .expect("erl runs");
    let messages = text(&output.stdout);
    let folders: Vec<&str> = messages.lines().collect();
    assert_eq!(folders.len(), KNOWN.len(), "{messages}");
    let of_one = |(folder, (_, modules)): (&&str, &(&str, &[&str]))| -> Vec<PathBuf> {
        let beam = |module: &&str| Path::new(folder).join(format!("{module}.beam"));
        modules.iter().map(beam).filter(|it| it.is_file()).collect()
    };
    folders.iter().zip(&KNOWN).flat_map(of_one).collect()
}

fn run(command: &mut Command) -> Output {
    let program = command.get_program().to_owned();
    command.output().unwrap_or_else(|error| {
        panic!(
            "{} does not run ({error}): install it, on Debian by `apt-get install erlang-dialyzer`",
            OsStr::new(&program).display()
        )
    })
}
