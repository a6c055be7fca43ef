//! The application of the current folder, if there is one.

use std::fs;
use std::path::Path;

use super::{Finding, State, erlang};
use crate::files::entries;
use crate::installation::{
    Applications, Installation, elixir_applications, libraries, name_and_version,
};
use crate::project::{Application, folder, lock, target};

pub(super) fn findings(otp: Option<&Installation>, manifest: Option<&Path>) -> Vec<Finding> {
    let folder = match folder(manifest) {
        Err(error) if manifest.is_some() => {
            return vec![Finding::refused("otp.toml", State::Missing, &error)];
        }
        Err(_) => return Vec::new(),
        Ok(folder) => folder,
    };
    let application = match Application::at(folder) {
        Ok(application) => application,
        Err(error) => return vec![Finding::refused("otp.toml", State::Missing, &error)],
    };
    let mut findings = vec![bridge(&application.folder)];
    if let Some(otp) = otp {
        findings.extend(needed(&application, otp));
        findings.extend(builds(&application, otp));
    }
    findings
}

/// This program and otp-bridge must agree on the format of a library's manifest.
fn bridge(folder: &Path) -> Finding {
    let own = env!("CARGO_PKG_VERSION");
    match lock::version_of(folder, "otp-bridge") {
        None => Finding::fine("otp-bridge", format!("not built yet; `cargo otp` is {own}")),
        Some(version) if version == own => Finding::fine("otp-bridge", version),
        Some(version) => Finding::warning(
            "otp-bridge",
            format!("{version} in Cargo.lock, but `cargo otp` is {own}"),
        )
        .help("`cargo update --package otp-bridge`, then `cargo otp upgrading`"),
    }
}

/// Checks the applications that otp.toml names: of OTP, of a folder of `ERL_LIBS`, of Elixir, or a
/// crate.
fn needed(application: &Application, otp: &Installation) -> Vec<Finding> {
    let related = &application.config.related;
    let names = related.applications.iter();
    let names = names.chain(&related.included_applications);
    let (installed, libraries) = (Applications::of(otp), libraries());
    let missing = names.filter(|name| {
        installed.folder(name).is_none()
            && !libraries.contains_key(*name)
            && lock::version_of(&application.folder, name).is_none()
    });
    let missing: Vec<_> = missing.collect();
    if missing.is_empty() {
        return Vec::new();
    }
    let elixir = elixir_applications().unwrap_or_default();
    let is_elixirs = |name: &str| elixir.iter().any(|it| name_and_version(&it.name).0 == name);
    missing
        .into_iter()
        .filter(|name| !is_elixirs(name))
        .map(|name| erlang::lacks("application", State::Missing, name))
        .collect()
}

/// Checks for builds by another Erlang.
fn builds(application: &Application, otp: &Installation) -> Vec<Finding> {
    let Ok(name) = target::package_name(&application.folder) else {
        return Vec::new();
    };
    let Ok(compiler) = otp.compiler() else {
        return Vec::new();
    };
    let folder = target::target_folder(&application.folder).join("otp");
    let profiles = entries(&folder).unwrap_or_default().into_iter();
    let others = profiles.filter_map(|profile| {
        let built = profile.join(&name);
        let by = fs::read_to_string(built.join(".otp")).ok()?;
        (by != compiler).then_some((built, by))
    });
    others
        .map(|(built, by)| {
            let version = by.split(' ').next().unwrap_or_default();
            let found = format!("{} was compiled by OTP {version}", built.display());
            Finding::warning("build", found)
                .help("the next build compiles it anew; `cargo otp clean` removes it")
        })
        .collect()
}
