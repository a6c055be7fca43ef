//! The files of a release that do not belong to OTP: its program, its configuration, and files for
//! containers and systemd.

use std::fs;
use std::path::Path;

use super::Extras;
use super::assemble::Versions;
use crate::build::Built;
use crate::project::config::Config;
use crate::report::{Error, Result};

/// The values for the templates.
pub(super) struct Facts<'a> {
    pub(super) built: &'a Built,
    pub(super) config: &'a Config,
    pub(super) versions: &'a Versions,
    pub(super) extras: Extras,
}

/// Returns the program's path in the release.
pub(super) fn program(application: &str) -> String {
    format!("bin/{application}")
}

pub(super) fn write(folder: &Path, facts: &Facts<'_>) -> Result<()> {
    let name = &facts.built.name;
    let release = format!("releases/{}", facts.built.version);
    let mut files = vec![
        (
            program(name),
            include_str!("../../templates/release/program.sh.in").to_owned(),
        ),
        (
            format!("{release}/vm.args"),
            facts.config.vm.arguments_file(),
        ),
        (format!("{release}/logs.config"), logs(facts)),
    ];
    if facts.extras.docker {
        let text = include_str!("../../templates/release/Dockerfile.in");
        files.push(("Dockerfile".to_owned(), text.to_owned()));
    }
    if facts.extras.systemd {
        let text = include_str!("../../templates/release/unit.service.in");
        files.push((format!("{name}.service"), text.to_owned()));
    }
    for (file, text) in files {
        let path = folder.join(file);
        let parent = path.parent().unwrap_or(folder);
        fs::create_dir_all(parent).map_err(|error| Error::io("create", parent, &error))?;
        fs::write(&path, fill(&text, facts)).map_err(|error| Error::io("write", &path, &error))?;
    }
    Ok(())
}

fn fill(template: &str, facts: &Facts<'_>) -> String {
    let Facts {
        built, versions, ..
    } = facts;
    let description = if built.description.is_empty() {
        &built.name
    } else {
        &built.description
    };
    let base = base_image(&fs::read_to_string("/etc/os-release").unwrap_or_default());
    // A percent sign has a meaning in a unit.
    let description = description.replace(['\n', '\r'], " ").replace('%', "%%");
    let values = [
        ("@NAME@", built.name.as_str()),
        ("@PREFIX@", &built.name.to_uppercase()),
        ("@VERSION@", &built.version),
        ("@ERTS@", &versions.erts),
        ("@OTP@", &versions.otp),
        ("@BASE@", &base),
        (
            "@ADD_USER@",
            &add_user(&base).replace("@NAME@", &built.name),
        ),
        // The description comes last, so that no placeholder in it is replaced.
        ("@DESCRIPTION@", &description),
    ];
    let filled = |text: String, (name, value): (&str, &str)| text.replace(name, value);
    values.into_iter().fold(template.to_owned(), filled)
}

/// Returns the handler of `logger` for a VM in the background. Its files are in the VM's working
/// folder.
fn logs(facts: &Facts<'_>) -> String {
    let release = &facts.config.release;
    format!(
        "%% The log files of `bin/@NAME@ start`. Settings in sys.config override these.\n\
         [{{kernel, [{{logger, [{{handler, default, logger_std_h, #{{config => #{{\n    \
         file => \"log/@NAME@.log\",\n    max_no_bytes => {},\n    max_no_files => {}}}}}}}]}}]}}].\n",
        release.log_bytes, release.log_files
    )
}

/// Returns the commands that add the user to an image. Alpine uses those of busybox.
fn add_user(base: &str) -> &'static str {
    if base.starts_with("alpine") {
        "addgroup -S -g 10001 @NAME@ \\\n    \
             && adduser -S -D -H -u 10001 -G @NAME@ -s /sbin/nologin @NAME@"
    } else {
        "groupadd --system --gid 10001 @NAME@ \\\n    \
             && useradd --system --uid 10001 --gid 10001 --no-create-home --shell /usr/sbin/nologin @NAME@"
    }
}

/// Returns the image with the C library of this machine.
fn base_image(os_release: &str) -> String {
    let value = |key: &str| {
        let lines = os_release.lines().filter_map(|line| line.split_once('='));
        let mut found = lines.filter(|(name, _)| *name == key);
        Some(found.next()?.1.trim_matches('"').to_owned())
    };
    match (
        value("ID").as_deref(),
        value("VERSION_CODENAME"),
        value("VERSION_ID"),
    ) {
        (Some("debian"), Some(codename), _) => format!("debian:{codename}-slim"),
        (Some("ubuntu"), _, Some(version)) => format!("ubuntu:{version}"),
        (Some("fedora"), _, Some(version)) => format!("fedora:{version}"),
        (Some("alpine"), _, Some(version)) => format!("alpine:{version}"),
        _ => "debian:stable-slim".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_image_is_of_the_system_that_builds() {
        let debian = "PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nVERSION_ID=\"12\"\nVERSION_CODENAME=bookworm\nID=debian\n";
        assert_eq!(base_image(debian), "debian:bookworm-slim");
        assert_eq!(
            base_image("ID=ubuntu\nVERSION_ID=\"24.04\"\n"),
            "ubuntu:24.04"
        );
        assert_eq!(
            base_image("ID=alpine\nVERSION_ID=3.20.3\n"),
            "alpine:3.20.3"
        );
        assert!(add_user("alpine:3.20.3").starts_with("addgroup -S"));
        assert_eq!(base_image(""), "debian:stable-slim");
    }
}
