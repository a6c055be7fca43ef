//! The path of this program, for processes that it starts.

use std::env;
use std::io;
use std::path::PathBuf;

/// Linux appends this to the path of a running program that was replaced, for example by `cargo
/// install`. The new program is at the path without it.
const REPLACED: &str = " (deleted)";

/// Returns the path of this program, or of the one that has replaced it.
pub(crate) fn own_program() -> io::Result<PathBuf> {
    env::current_exe().map(now_at)
}

fn now_at(path: PathBuf) -> PathBuf {
    if path.exists() {
        return path;
    }
    let stem = path.to_str().and_then(|path| path.strip_suffix(REPLACED));
    let replacement = stem.map(PathBuf::from).filter(|it| it.exists());
    replacement.unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_program_that_was_replaced_is_the_new_one() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        assert_eq!(now_at(at("tool (deleted)")), at("tool (deleted)"));
        fs::write(at("tool"), "").unwrap();
        assert_eq!(now_at(at("tool (deleted)")), at("tool"));
        assert_eq!(now_at(at("tool")), at("tool"));
        fs::write(at("tool (deleted)"), "").unwrap();
        assert_eq!(now_at(at("tool (deleted)")), at("tool (deleted)"));
    }
}
