//! The steps of a new user who has the registry, but not this checkout.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Outcome, Package, hidden, make, write};
use crate::demo;
use crate::step::{heading, root, run, say};

/// Builds the documentation, installs the tools, and makes, tests and runs an application. All
/// files are in the folder.
pub(super) fn try_all(folder: &Path, configuration: &str, packages: &[Package]) -> Outcome {
    let newcomer = Newcomer {
        home: folder.join("cargo"),
        tools: folder.join("tools"),
        without_checkout: hidden::without_checkout(folder)?,
        folder,
    };
    make(&newcomer.home)?;
    write(&newcomer.home.join("config.toml"), configuration)?;
    heading("The libraries' documentation, without Erlang");
    newcomer.document(packages)?;
    heading("The tools");
    newcomer.install()?;
    heading("An application");
    newcomer.application()
}

struct Newcomer<'f> {
    folder: &'f Path,
    /// `CARGO_HOME`, so that cargo does not read the configuration of this machine's user.
    home: PathBuf,
    /// The folder of the installed tools.
    tools: PathBuf,
    /// A script that runs each program without the checkout, if the system supports it.
    without_checkout: Option<PathBuf>,
}

impl Newcomer<'_> {
    /// Returns a command that runs a program of this machine, with the registry's crates and
    /// without a network.
    fn command(&self, program: impl AsRef<OsStr>, folder: &Path) -> Command {
        let mut command = match &self.without_checkout {
            Some(script) => {
                let mut command = Command::new(script);
                command.arg(program);
                command
            }
            None => Command::new(program),
        };
        command
            .current_dir(folder)
            .env("CARGO_HOME", &self.home)
            .env("CARGO_NET_OFFLINE", "true")
            .env("CARGO_TARGET_DIR", self.folder.join("target"));
        command
    }

    /// Builds the documentation like docs.rs: each package separately, with the features in its
    /// manifest.
    fn document(&self, packages: &[Package]) -> Outcome {
        let path = without_erlang(&self.folder.join("bin"))?;
        for package in packages {
            let name = format!("{}-{}", package.name, package.version);
            let folder = self.folder.join("registry").join(name);
            let features = documented_features(&folder)?;
            let mut arguments = vec!["doc", "--no-deps", "--lib", "--quiet"];
            if !has_library(&folder) {
                continue;
            }
            if !features.is_empty() {
                arguments.extend(["--features", &features]);
            }
            let mut cargo = self.command("cargo", &folder);
            run(cargo
                .args(&arguments)
                .env("PATH", &path)
                .env("DOCS_RS", "1"))?;
        }
        Ok(())
    }

    fn install(&self) -> Outcome {
        let tools = self.tools.display().to_string();
        let mut cargo = self.command("cargo", self.folder);
        run(cargo.args(["install", "--quiet", "otp-cli", "--root", &tools]))
    }

    fn application(&self) -> Outcome {
        run(&mut self.otp(self.folder, &["new", "hello"]))?;
        let hello = self.folder.join("hello");
        for module in ["counter", "visitor"] {
            run(&mut self.otp(&hello, &["add", module, "gen_server"]))?;
        }
        demo::edit(&hello)?;
        let manifest = read(&hello.join("Cargo.toml"))?;
        if manifest.contains("path =") {
            return Err(format!(
                "the new application depends on a path:\n{manifest}"
            ));
        }
        run(&mut self.otp(&hello, &["test"]))?;
        run(&mut self.otp(&hello, &["run", "--", "1", "20", "300"]))?;
        self.names_no_checkout()
    }

    fn otp(&self, folder: &Path, arguments: &[&str]) -> Command {
        let mut command = self.command(self.tools.join("bin/cargo-otp"), folder);
        command.arg("otp").args(arguments);
        command
    }

    /// Checks that all compiled code came from the registry: no source that cargo recorded is in
    /// this checkout.
    fn names_no_checkout(&self) -> Outcome {
        let checkout = format!("{}/", root().display());
        let mut grep = Command::new("grep");
        grep.args(["-rlF", "--include=*.d", &checkout])
            .arg(self.folder.join("target"));
        let found = grep
            .output()
            .map_err(|error| format!("cannot run grep: {error}"))?;
        match found.stdout.is_empty() {
            true => {
                say("No source of this checkout was read.\n");
                Ok(())
            }
            false => Err(format!(
                "these were compiled of sources in the checkout:\n{}",
                String::from_utf8_lossy(&found.stdout)
            )),
        }
    }
}

fn read(path: &Path) -> Outcome<String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn has_library(package: &Path) -> bool {
    package.join("src/lib.rs").is_file()
}

/// Returns `package.metadata.docs.rs.features`, in cargo's syntax.
fn documented_features(package: &Path) -> Outcome<String> {
    let text = read(&package.join("Cargo.toml"))?;
    let (_, section) = text
        .split_once("[package.metadata.docs.rs]")
        .unwrap_or_default();
    let section = section.split("\n[").next().unwrap_or_default();
    let list = section.split_once("features = [").map(|(_, list)| list);
    let list = list.and_then(|list| list.split(']').next());
    let names = list.unwrap_or_default().split('"').skip(1).step_by(2);
    Ok(names.collect::<Vec<_>>().join(","))
}

/// Returns a `PATH` with all programs of the current one except Erlang's.
fn without_erlang(folder: &Path) -> Outcome<OsString> {
    make(folder)?;
    let path = env::var_os("PATH").unwrap_or_default();
    for from in env::split_paths(&path) {
        let Ok(entries) = fs::read_dir(&from) else {
            continue;
        };
        for entry in entries.flatten() {
            let name = entry.file_name();
            if !ERLANG.iter().any(|one| name == *one) {
                // Only the first program of each name counts.
                let _ = symlink(entry.path(), folder.join(name));
            }
        }
    }
    let erl = Command::new("sh")
        .args(["-c", "command -v erl erlc"])
        .env("PATH", folder)
        .output();
    match erl {
        Ok(found) if found.stdout.is_empty() => Ok(folder.into()),
        Ok(found) => Err(format!(
            "there is still an Erlang: {}",
            String::from_utf8_lossy(&found.stdout)
        )),
        Err(error) => Err(format!("cannot run sh: {error}")),
    }
}

/// Erlang's programs.
const ERLANG: [&str; 7] = [
    "erl", "erlc", "escript", "epmd", "dialyzer", "typer", "ct_run",
];
