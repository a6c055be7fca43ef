//! Builds and runs whole applications, as their users do.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Returns the root of this checkout.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns the manifest of a copy of an application outside the workspace of all applications. The
/// copy has the settings of the workspace, so that both use one build of the run time.
///
/// # Panics
/// If the application has no manifest.
pub fn manifest_of_copy(application: &str) -> String {
    let folder = root().join(application);
    let read = |path: PathBuf| std::fs::read_to_string(path).expect("a manifest");
    let manifest = read(folder.join("Cargo.toml"));
    let own = manifest
        .lines()
        .filter(|line| !line.starts_with("workspace = "));
    let own: String = own.flat_map(|line| [line, "\n"]).collect();
    let paths = format!("path = \"{}/../", folder.display());
    let own = own.replace("path = \"../", &paths);
    let workspace = read(root().join("examples/Cargo.toml"));
    let settings = workspace.find("[profile.").expect("its settings");
    let of_packages = workspace
        .find("[profile.dev.package")
        .expect("more settings");
    format!(
        "{own}\n[workspace]\n\n{}",
        &workspace[settings..of_packages]
    )
}

/// Returns the output of a program as text.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs cargo in the application's folder. The target folder is that of the examples.
///
/// # Panics
/// If cargo cannot be started.
pub fn cargo(application: &str, arguments: &[&str]) -> Output {
    cargo_with(application, arguments, &[])
}

/// Like `cargo`, with environment variables.
fn cargo_with(application: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    run_with(
        Command::new(env!("CARGO")),
        application,
        arguments,
        variables,
    )
}

fn run_with(
    mut program: Command,
    application: &str,
    arguments: &[&str],
    variables: &[(&str, &str)],
) -> Output {
    program
        .args(arguments)
        .current_dir(root().join(application))
        .env_remove("CARGO_TARGET_DIR")
        .envs(variables.iter().copied())
        .output()
        .expect("cargo runs")
}

/// Runs `cargo otp …` of this checkout in the application's folder.
///
/// # Panics
/// If cargo cannot be started.
pub fn cargo_otp(application: &str, arguments: &[&str]) -> Output {
    cargo_otp_with(application, arguments, &[])
}

/// Like [`cargo_otp`], with environment variables.
///
/// # Panics
/// If cargo cannot be started.
pub fn cargo_otp_with(application: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    let arguments = [&["otp"], arguments].concat();
    tool("cargo-otp", application, &arguments, variables)
}

/// Runs `otp-rs …` of this checkout in the application's folder.
///
/// # Panics
/// If cargo cannot be started.
pub fn otp_rs(application: &str, arguments: &[&str]) -> Output {
    tool("otp-rs", application, arguments, &[])
}

/// Returns environment variables that make cargo lint an application of this repository while it
/// builds it, if `cargo xtask test` runs the tests. This saves compiling the application again for
/// its lints.
pub fn lints() -> impl Iterator<Item = (&'static str, OsString)> {
    let names = ["RUSTC_WORKSPACE_WRAPPER", "CLIPPY_ARGS"].into_iter();
    names.filter_map(|name| Some((name, std::env::var_os(format!("OTP_TESTS_{name}"))?)))
}

/// Returns a command of one of the two programs. `CARGO_OTP` names the first one if both were built
/// already; the other one is beside it.
fn tool(name: &str, application: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    if let Some(program) = std::env::var_os("CARGO_OTP") {
        let mut program = Command::new(Path::new(&program).with_file_name(name));
        program.envs(lints());
        return run_with(program, application, arguments, variables);
    }
    let manifest = root().join("Cargo.toml");
    let manifest = manifest.to_str().expect("the path is UTF-8");
    let program = ["run", "--quiet", "--package", "otp-cli"];
    let binary = ["--bin", name, "--manifest-path", manifest];
    let all = [&program[..], &binary, &["--"], arguments].concat();
    cargo_with(application, &all, variables)
}

/// Builds the application. Returns the folder with its Erlang modules.
///
/// # Panics
/// If the build fails, with its output.
pub fn build(application: &str) -> PathBuf {
    build_with(application, &[])
}

/// Like [`build`], with environment variables.
///
/// # Panics
/// If the build fails, with its output.
pub fn build_with(application: &str, variables: &[(&str, &str)]) -> PathBuf {
    let built = cargo_otp_with(application, &["build"], variables);
    assert!(built.status.success(), "{}", text(&built.stderr));
    let name = application.rsplit('/').next().unwrap_or(application);
    root().join(format!("examples/target/otp/debug/{name}/ebin"))
}

/// Builds the application, and runs an escript of `tests/live/` with it. The escript prints
/// `key=value` lines.
///
/// # Panics
/// If the build or the escript fails, with the output.
pub fn observe(application: &str, script: &str) -> BTreeMap<String, String> {
    observe_in(&build(application), script)
}

/// Runs an escript of `tests/live/` with a folder of modules. The escript prints `key=value` lines.
///
/// # Panics
/// If the escript fails, with its output.
pub fn observe_in(folder: &Path, script: &str) -> BTreeMap<String, String> {
    let output = run_in(folder, script);
    let printed = text(&output.stdout);
    let complained = text(&output.stderr);
    let ended = output.status;
    assert!(ended.success(), "{ended}\n{printed}\n{complained}");
    // Cargo compiles an application outside the folder of its workspace with the paths of this
    // machine, and some messages contain them.
    let applications = root().join("tests/apps").canonicalize();
    let applications = applications.expect("the applications' folder");
    pairs(&printed.replace(&format!("{}/", applications.display()), ""))
}

/// Runs an escript of `tests/live/` with a folder of modules. The escript may fail.
///
/// # Panics
/// If `escript` is not installed.
pub fn run_in(folder: &Path, script: &str) -> Output {
    Command::new("escript")
        .arg(root().join("tests/live").join(script))
        .arg(folder)
        .output()
        .expect("escript runs")
}

/// Parses the `key=value` lines of an output.
pub fn pairs(printed: &str) -> BTreeMap<String, String> {
    let pair = |line: &str| {
        line.split_once('=')
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
    };
    printed.lines().filter_map(pair).collect()
}

/// Compares observed values with expected ones.
///
/// # Panics
/// At the first key whose values differ.
pub fn assert_observed(observed: &BTreeMap<String, String>, expected: &[(&str, &str)]) {
    for (key, value) in expected {
        assert_eq!(
            observed.get(*key).map(String::as_str),
            Some(*value),
            "{key}"
        );
    }
}
