//! Erlang/OTP: its release, its compiler, its applications.

use std::path::Path;

use super::{Finding, State};
use crate::installation::{Applications, Installation, NEWEST, on_path};
use crate::report::Error;

/// The application with the compiler, which every build needs.
const COMPILER: &str = "compiler";
/// The application with `systools`.
const RELEASES: &str = "sasl";

pub(super) fn findings(otp: &Result<Installation, Error>) -> Vec<Finding> {
    let otp = match otp {
        Ok(otp) => otp,
        Err(error) => return vec![Finding::refused("erlang", State::Missing, error)],
    };
    let applications = Applications::of(otp);
    vec![
        release(otp),
        compiler(otp, &applications),
        systools(&applications),
        epmd(otp, &applications),
    ]
}

fn release(otp: &Installation) -> Finding {
    let found = format!("OTP {} in {}", otp.version, otp.root.display());
    if otp.release > NEWEST {
        Finding::warning(
            "erlang",
            format!("{found}; otp-rs was tried with up to OTP {NEWEST}"),
        )
    } else {
        Finding::fine("erlang", found)
    }
}

fn compiler(otp: &Installation, applications: &Applications) -> Finding {
    match otp.erlc() {
        Err(error) => Finding::refused("erlc", State::Missing, &error),
        Ok(erlc) if applications.folder(COMPILER).is_some() => {
            Finding::fine("erlc", erlc.display().to_string())
        }
        Ok(_) => lacks("erlc", State::Missing, COMPILER),
    }
}

fn systools(applications: &Applications) -> Finding {
    match applications.folder(RELEASES) {
        Some(_) => Finding::fine("systools", "`cargo otp release` has it"),
        None => lacks("systools", State::Warning, RELEASES)
            .help("without it there is no `cargo otp release`"),
    }
}

/// Returns a finding about a missing application of OTP.
pub(super) fn lacks(name: &'static str, state: State, application: &str) -> Finding {
    let found = format!("the application `{application}` of OTP is not installed");
    let package = application.replace('_', "-");
    Finding::new(name, state, found).help(format!(
        "install it; on Debian: apt-get install erlang-{package}, or erlang-base, which has the smallest ones"
    ))
}

/// Checks epmd, which knows the nodes of a machine. It is started with the first node.
fn epmd(otp: &Installation, applications: &Applications) -> Finding {
    // In an installation, the folder in `lib` contains only the modules.
    let erts = applications.folder("erts").and_then(Path::file_name);
    let beside = erts.map(|erts| otp.root.join(erts).join("bin/epmd"));
    let found = beside
        .into_iter()
        .chain([otp.root.join("bin/epmd")])
        .find(|path| path.is_file())
        .or_else(|| on_path("epmd"));
    match found {
        Some(path) => Finding::fine("epmd", path.display().to_string()),
        None => Finding::warning("epmd", "it is neither beside the VM nor on PATH")
            .help("without it there are no nodes: --sname, --live, `cargo otp shell`"),
    }
}
