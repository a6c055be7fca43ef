//! Turns a VM into a node: its name, its cookie, the nodes that it connects to.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::{Path, PathBuf};

use crate::args::Node;
use crate::files::Scratch;
use crate::platform;
use crate::report::{Error, Result, catalog};

/// The variable with the cookie, used if `--cookie` does not name a file. VMs do not inherit it.
pub(super) const VARIABLE: &str = "OTP_RS_COOKIE";

/// A cookie of the user, in a file that only its owner can read.
pub(crate) struct Cookie {
    file: PathBuf,
    /// The folder of the file, unless it is the user's file.
    _folder: Option<Scratch>,
}

impl Cookie {
    /// Returns the cookie in the file, or otherwise in the variable. `None`: Erlang's own cookie is
    /// used.
    pub(crate) fn given(file: Option<&Path>) -> Result<Option<Self>> {
        match (file, env::var_os(VARIABLE)) {
            (Some(file), _) => Ok(Some(Cookie {
                file: cookie_file(file)?,
                _folder: None,
            })),
            (None, Some(cookie)) => Self::of(&cookie).map(Some),
            (None, None) => Ok(None),
        }
    }

    fn of(cookie: &OsStr) -> Result<Self> {
        let text = cookie.to_str().unwrap_or_default();
        check_cookie(text).map_err(|why| catalog::COOKIE.with(&[&why]).at(VARIABLE))?;
        let folder = Scratch::new()?;
        let file = folder.path().join("cookie");
        platform::write_secret(&file, text).map_err(|error| Error::io("write", &file, &error))?;
        Ok(Cookie {
            file,
            _folder: Some(folder),
        })
    }

    /// Returns the absolute path of the file.
    pub(crate) fn file(&self) -> &Path {
        &self.file
    }
}

/// Returns the cookie for the application's node. A VM without a name has none.
pub(crate) fn cookie(node: &Node) -> Result<Option<Cookie>> {
    if node.sname.is_some() || node.name.is_some() {
        Cookie::given(node.cookie.as_deref())
    } else {
        Ok(None)
    }
}

/// Returns flags of `erl` that the module `<application>_run` reads. They never contain the cookie
/// itself, because every user of the machine can read a command line.
pub(crate) fn flags(node: &Node, cookie: Option<&Cookie>) -> Result<Vec<OsString>> {
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
    if let Some(cookie) = cookie {
        flags.extend(["-otp_rs_cookie".into(), cookie.file().into()]);
        // Until the file is read, the node has a random cookie; otherwise the VM would read or
        // create its default one.
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
    if is_of(short, "_-") && host.is_none_or(|host| is_of(host, "-._:")) {
        Ok(())
    } else {
        Err(catalog::NODE_NAME.with(&[&name]))
    }
}

/// Returns the absolute path of a file that contains a cookie, and that only its owner can read.
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
    check_cookie(content.trim()).map_err(refused)?;
    file.canonicalize()
        .map_err(|error| Error::io("read", file, &error))
}

fn check_cookie(cookie: &str) -> std::result::Result<(), &'static str> {
    let is_one =
        (1..=255).contains(&cookie.len()) && cookie.bytes().all(|it| it.is_ascii_graphic());
    if is_one {
        Ok(())
    } else {
        Err("a cookie is one line of 1 to 255 ASCII characters without spaces")
    }
}

/// Returns a random cookie, from the standard library's own random numbers.
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

    #[test]
    fn a_cookie_of_the_environment_is_in_a_file_meanwhile() {
        let given = Cookie::of(OsStr::new("secret")).unwrap();
        let file = given.file().to_owned();
        assert_eq!(cookie_file(&file).unwrap(), file);
        assert_eq!(fs::read_to_string(&file).unwrap(), "secret");
        drop(given);
        assert!(!file.exists());
        for wrong in ["", "two words", "two\nlines", "ä"] {
            let error = Cookie::of(OsStr::new(wrong)).err().unwrap();
            assert!(!format!("{error:?}").contains("words"), "{error:?}");
        }
    }
}
