//! Fingerprints that tell whether dependencies, or the code generated for them, are unchanged since
//! the last build.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::rebar3::LOCK;
use super::{Dependency, FoundIn, Located};
use crate::files::entries;
use crate::installation::Installation;
use crate::platform;
use crate::project::Application;
use crate::report::Result;

/// Files and folders of a dependency from which its modules are compiled.
const SOURCES: [&str; 9] = [
    "src",
    "include",
    "asn1",
    "c_src",
    "priv",
    "rebar.config",
    "rebar.config.script",
    "rebar.lock",
    "Makefile",
];

/// Returns a text that changes with the contents of otp.toml, the compiler, and each file of a
/// dependency.
pub(super) fn of_sources(
    application: &Application,
    located: &[Located<'_>],
    otp: &Installation,
) -> Result<String> {
    let mut hasher = DefaultHasher::new();
    env!("CARGO_PKG_VERSION").hash(&mut hasher);
    otp.compiler()?.hash(&mut hasher);
    std::env::var_os("ERL_LIBS").hash(&mut hasher);
    // The versions that rebar3 has resolved.
    fs::read(application.folder.join(LOCK))
        .ok()
        .hash(&mut hasher);
    for Located {
        dependency,
        location,
    } in located
    {
        dependency.name.hash(&mut hasher);
        format!("{location:?}").hash(&mut hasher);
        match location {
            FoundIn::Source(folder) => {
                for part in SOURCES {
                    add(&folder.join(part), &mut hasher)?;
                }
            }
            FoundIn::Compiled(folder) => add(&folder.join("ebin"), &mut hasher)?,
            FoundIn::Package(_) => {}
        }
    }
    Ok(format!("{:016x}", hasher.finish()))
}

/// Returns a text that changes with each module of a dependency, the generated code, the user's
/// overrides, and this program, whose generator may write other code than an older build of it.
pub(super) fn of_generated(
    application: &Application,
    dependencies: &[Dependency],
    otp: &Installation,
    generated: &Path,
) -> Result<String> {
    let mut hasher = DefaultHasher::new();
    let program = platform::own_program().ok();
    program.map_or(Ok(()), |program| add(&program, &mut hasher))?;
    otp.version.hash(&mut hasher);
    application.config.text.hash(&mut hasher);
    for dependency in dependencies {
        add(&dependency.ebin(), &mut hasher)?;
    }
    for path in entries(generated)? {
        path.hash(&mut hasher);
        fs::read(&path).ok().hash(&mut hasher);
    }
    Ok(format!("{:016x}", hasher.finish()))
}

/// Adds the name, size and time of a file, or of all files below a folder.
fn add(path: &Path, hasher: &mut DefaultHasher) -> Result<()> {
    let mut left: Vec<PathBuf> = fs::canonicalize(path).into_iter().collect();
    while let Some(path) = left.pop() {
        let Ok(found) = fs::metadata(&path) else {
            continue;
        };
        if found.is_dir() {
            // It is empty for a link, because a link to a folder above would be endless.
            left.extend(entries(&path)?);
            continue;
        }
        let time = found.modified().ok();
        let since = time.and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
        (path, found.len(), since).hash(hasher);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_comes_or_changes_is_seen() {
        let scratch = tempfile::tempdir().unwrap();
        let of = || {
            let mut hasher = DefaultHasher::new();
            add(scratch.path(), &mut hasher).unwrap();
            hasher.finish()
        };
        let empty = of();
        fs::create_dir(scratch.path().join("src")).unwrap();
        fs::write(scratch.path().join("src/a.erl"), "1").unwrap();
        let one = of();
        assert_eq!(of(), one);
        fs::write(scratch.path().join("src/a.erl"), "12").unwrap();
        assert!(empty != one && one != of());
    }
}
