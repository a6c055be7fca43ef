//! The installed Erlang/OTP, and the applications of any OTP.

mod applications;
mod elixir;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::platform::{self, System};
use crate::report::{Error, Result, catalog};
pub(crate) use applications::{Applications, libraries, name_and_version, newest_applications};
pub(crate) use elixir::elixir_applications;

/// The oldest OTP that applications can run on.
pub(crate) const OLDEST: u32 = 25;

/// The newest OTP that otp-rs has been tested with.
pub(crate) const NEWEST: u32 = 29;

const INSTALL: &str = "install Erlang/OTP 25 or newer, for example `apt-get install erlang-base erlang-dev` on Debian";

/// The Erlang/OTP on `PATH`.
#[derive(Debug)]
pub(crate) struct Installation {
    /// The `erl` program.
    pub(crate) erl: PathBuf,
    /// The folder that holds `lib` and `releases`.
    pub(crate) root: PathBuf,
    /// The full version, such as `25.2.3`.
    pub(crate) version: String,
    /// Its first number.
    pub(crate) release: u32,
}

impl Installation {
    /// Finds `erl` on `PATH` and checks that it is new enough.
    pub(crate) fn find() -> Result<Self> {
        let erl = on_path("erl")
            .ok_or_else(|| catalog::NO_ERL.error().detail(shown_path()).help(INSTALL))?;
        let root = root_of(&erl)?;
        let version = version(&root)?;
        let release = release_of(&version).ok_or_else(|| {
            catalog::NOT_A_VERSION
                .with(&[&version])
                .at(root.join("releases").display())
                .help(INSTALL)
        })?;
        if release < OLDEST {
            return Err(catalog::TOO_OLD
                .with(&[&version, &OLDEST])
                .at(erl.display())
                .help(INSTALL));
        }
        Ok(Self {
            erl,
            root,
            version,
            release,
        })
    }

    /// Returns the Erlang compiler of the same installation.
    pub(crate) fn erlc(&self) -> Result<PathBuf> {
        let beside = program_in(&self.root.join("bin"), "erlc");
        beside.or_else(|| on_path("erlc")).ok_or_else(|| {
            catalog::NO_ERLC
                .error()
                .at(self.erl.display())
                .help(INSTALL)
        })
    }

    /// Returns a text that differs for every compiler. An `erlc` that was found elsewhere may
    /// belong to another release.
    pub(crate) fn compiler(&self) -> Result<String> {
        let (root, erlc) = (self.root.display(), self.erlc()?);
        Ok(format!("{} {root} {}", self.version, erlc.display()))
    }
}

/// Returns the first executable file of that name on `PATH`.
pub(crate) fn on_path(program: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?)
        .filter(|folder| folder.is_absolute())
        .find_map(|folder| program_in(&folder, program))
}

fn program_in(folder: &Path, program: &str) -> Option<PathBuf> {
    let files = System::host().programs(program);
    let mut paths = files.iter().map(|file| folder.join(file));
    paths.find(|path| is_program(path))
}

fn is_program(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|file| file.is_file() && platform::is_executable(&file))
}

fn shown_path() -> String {
    format!(
        "PATH is {}",
        env::var_os("PATH").unwrap_or_default().to_string_lossy()
    )
}

/// Returns the root for `ROOT/bin/erl`. If the program is a script elsewhere, it is run and asked.
fn root_of(erl: &Path) -> Result<PathBuf> {
    let program = fs::canonicalize(erl).map_err(|error| Error::io("find", erl, &error))?;
    if let Some(root) = program.parent().and_then(Path::parent)
        && root.join("releases").is_dir()
        && root.join("lib").is_dir()
    {
        return Ok(root.to_owned());
    }
    let answer = Command::new(erl)
        .args(["-noinput", "-boot", "start_clean", "-eval"])
        .arg("io:put_chars(code:root_dir()), halt().")
        .stdin(Stdio::null())
        .output()
        .map_err(|error| Error::io("run", erl, &error))?;
    let root = PathBuf::from(String::from_utf8_lossy(&answer.stdout).trim());
    if answer.status.success() && root.join("releases").is_dir() {
        return Ok(root);
    }
    Err(catalog::NO_ROOT
        .error()
        .at(erl.display())
        .detail(String::from_utf8_lossy(&answer.stderr).trim().to_owned()))
}

/// Returns the first number of a version.
pub(crate) fn release_of(version: &str) -> Option<u32> {
    let digits = version.split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().ok()
}

/// Returns the contents of the version file of the current release, or otherwise the name of the
/// release.
pub(crate) fn version(root: &Path) -> Result<String> {
    let releases = root.join("releases");
    let started = fs::read_to_string(releases.join("start_erl.data")).unwrap_or_default();
    let release = match started.split_whitespace().nth(1) {
        Some(release) => release.to_owned(),
        None => newest_release(&releases).ok_or_else(|| {
            catalog::NO_RELEASE
                .error()
                .at(releases.display())
                .help(INSTALL)
        })?,
    };
    let text = fs::read_to_string(releases.join(&release).join("OTP_VERSION"));
    Ok(text.map_or(release, |text| text.trim().to_owned()))
}

fn newest_release(releases: &Path) -> Option<String> {
    fs::read_dir(releases)
        .ok()?
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok())
        .max()
        .map(|number| number.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_comes_from_the_current_release() {
        let root = tempfile::tempdir().unwrap();
        let releases = root.path().join("releases");
        fs::create_dir_all(releases.join("25")).unwrap();
        fs::create_dir_all(releases.join("9")).unwrap();
        assert_eq!(version(root.path()).unwrap(), "25");
        fs::write(releases.join("25/OTP_VERSION"), "25.2.3\n").unwrap();
        assert_eq!(version(root.path()).unwrap(), "25.2.3");
        fs::write(releases.join("start_erl.data"), "9.0 9\n").unwrap();
        assert_eq!(version(root.path()).unwrap(), "9");
    }

    #[test]
    fn a_compiler_from_elsewhere_is_another_one() {
        let root = tempfile::tempdir().unwrap();
        let otp = Installation {
            erl: root.path().join("bin/erl"),
            root: root.path().to_owned(),
            version: "25".into(),
            release: 25,
        };
        let elsewhere = otp.compiler().unwrap();
        let own = root.path().join("bin/erlc");
        fs::create_dir_all(root.path().join("bin")).unwrap();
        fs::write(&own, "").unwrap();
        fs::set_permissions(&own, platform::permissions(platform::PROGRAM)).unwrap();
        assert!(otp.compiler().unwrap().ends_with(own.to_str().unwrap()));
        assert_ne!(otp.compiler().unwrap(), elsewhere);
    }
}
