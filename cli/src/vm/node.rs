//! What makes a VM a node: its name, its cookie, the nodes that it connects to.

use std::ffi::OsString;
use std::fs;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::{Path, PathBuf};

use crate::args::Node;
use crate::platform;
use crate::report::{Error, Result, catalog};

/// Flags of `erl` that the module `<application>_run` reads. The cookie itself is in none of them: every user of the
/// machine can read a command line.
pub(crate) fn flags(node: &Node) -> Result<Vec<OsString>> {
    let mut flags: Vec<OsString> = Vec::new();
    for (flag, name) in [("-otp_rs_sname", &node.sname), ("-otp_rs_name", &node.name)] {
        if let Some(name) = name {
            check_name(name)?;
            flags.extend([flag.into(), name.into()]);
        }
    }
    for name in &node.connect {
        check_name(name)?;
        flags.extend(["-otp_rs_connect".into(), name.into()]);
    }
    if let Some(file) = &node.cookie {
        let file = cookie_file(file)?;
        flags.extend(["-otp_rs_cookie".into(), file.into_os_string()]);
        // Until the file is read, a cookie that nobody knows; otherwise the VM would read or make one of its own.
        flags.extend(["-setcookie".into(), nobody_knows().into()]);
    }
    Ok(flags)
}

/// `NAME` or `NAME@HOST`
pub(super) fn check_name(name: &str) -> Result<()> {
    let (short, host) = name
        .split_once('@')
        .map_or((name, None), |(name, host)| (name, Some(host)));
    let is_of = |text: &str, more: &str| {
        let allowed = |c: char| c.is_ascii_alphanumeric() || more.contains(c);
        !text.is_empty() && !text.starts_with('-') && text.len() <= 200 && text.chars().all(allowed)
    };
    match is_of(short, "_-") && host.is_none_or(|host| is_of(host, "-._:")) {
        true => Ok(()),
        false => Err(catalog::NODE_NAME.with(&[&name])),
    }
}

/// The absolute path of a file that holds a cookie, and that nobody but its owner can read.
pub(crate) fn cookie_file(file: &Path) -> Result<PathBuf> {
    let refused = |why: &str| catalog::COOKIE.with(&[&why]).at(file.display());
    let found = fs::metadata(file).map_err(|error| Error::io("read", file, &error))?;
    if !found.is_file() {
        return Err(refused("it is not a file"));
    }
    if !platform::is_private(&found) {
        let help = format!("chmod 600 {}", file.display());
        return Err(refused("others than its owner may read or write it").help(help));
    }
    let content = fs::read_to_string(file).map_err(|error| Error::io("read", file, &error))?;
    let cookie = content.trim();
    if cookie.is_empty()
        || cookie.len() > 255
        || !cookie.bytes().all(|byte| byte.is_ascii_graphic())
    {
        return Err(refused(
            "a cookie is one line of 1 to 255 ASCII characters without spaces",
        ));
    }
    file.canonicalize()
        .map_err(|error| Error::io("read", file, &error))
}

/// The standard library's own random numbers.
pub(super) fn nobody_knows() -> String {
    let random = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", random(), random())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_has_a_name_and_perhaps_a_host() {
        for name in ["a", "a_1-b", "a@host", "a@db.example.org", "a@127.0.0.1"] {
            assert!(check_name(name).is_ok(), "{name}");
        }
        for name in ["", "a@", "@b", "a b", "-a", "a@b@c", "ä"] {
            assert!(check_name(name).is_err(), "{name}");
        }
    }

    #[test]
    fn only_its_owner_may_read_a_cookie() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("cookie");
        let with = |content: &str, mode: u32| {
            fs::write(&file, content).unwrap();
            fs::set_permissions(&file, platform::permissions(mode)).unwrap();
            cookie_file(&file)
        };
        assert!(with("secret\n", 0o600).is_ok());
        assert!(with("secret", 0o400).is_ok());
        assert!(with("secret", 0o640).unwrap_err().remedies()[0].starts_with("chmod 600"));
        for content in ["", "\n", "two words", "two\nlines"] {
            assert!(with(content, 0o600).is_err(), "{content:?}");
        }
        assert!(cookie_file(folder.path()).is_err());
    }
}
