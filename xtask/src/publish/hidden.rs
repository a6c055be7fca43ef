//! Runs programs while this checkout's folder appears empty.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{Outcome, write};
use crate::step::{root, say};

/// Writes a script that runs its arguments in a separate namespace. In this namespace, the checkout
/// is an empty folder. Returns `None` if the system does not allow new namespaces.
pub(super) fn without_checkout(folder: &Path) -> Outcome<Option<PathBuf>> {
    let script = folder.join("without_checkout");
    write(&script, &text(root()))?;
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755))
        .map_err(|error| format!("{}: {error}", script.display()))?;
    let manifest = root().join("Cargo.toml");
    let seen = |program: &mut Command| {
        let test = program.arg("-e").arg(&manifest).stderr(Stdio::null());
        test.status().ok().and_then(|status| status.code())
    };
    // 1: `test` ran, and the file does not exist.
    if seen(Command::new(&script).arg("test")) == Some(1) {
        say("From here on, the folder of this checkout is empty for all that is run.\n");
        return Ok(Some(script));
    }
    say(
        "This system does not let the checkout's folder be hidden (`unshare --user --mount`): what was compiled is \
         looked through for it at the end.\n",
    );
    Ok(None)
}

fn text(checkout: &Path) -> String {
    let checkout = checkout.display().to_string().replace('\'', r"'\''");
    format!(
        "#!/bin/sh\nexec unshare --user --map-root-user --mount sh -c \\\n  \
         'mount -t tmpfs none \"$0\" || exit 126; exec \"$@\"' '{checkout}' \"$@\"\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_sees_the_checkout_only_without_the_script() {
        let folder = std::env::temp_dir().join(format!("otp-rs-hidden-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        if let Some(script) = without_checkout(&folder).unwrap() {
            let listed = Command::new(script).arg("ls").arg(root()).output().unwrap();
            assert!(listed.status.success() && listed.stdout.is_empty());
        }
        assert!(root().join("Cargo.toml").exists());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_folder_with_a_quote_stays_one_word() {
        assert!(text(Path::new("/a b/c'd")).contains(r#"'/a b/c'\''d' "$@""#));
    }
}
