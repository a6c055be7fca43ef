//! The features of `otp-bindings`, a part of its manifest.

use std::fs;

use otp_codegen::BINDINGS;

use crate::step::{Outcome, root, say};

const MANIFEST: &str = "bindings/Cargo.toml";
const BEGIN: &str = "# Written by `cargo xtask codegen`: a feature for each module.\n";
const END: &str = "# End of what it writes.\n";

/// Writes the table if it differs.
pub(super) fn write() -> Outcome {
    let (existing, fresh) = both()?;
    if existing != fresh {
        fs::write(root().join(MANIFEST), fresh).map_err(|error| format!("{MANIFEST}: {error}"))?;
        say(&format!("{MANIFEST} has other features now\n"));
    }
    Ok(())
}

/// Returns a line if the table differs.
pub(super) fn check() -> Outcome<Option<String>> {
    let (existing, fresh) = both()?;
    Ok((existing != fresh).then(|| format!("{MANIFEST}: has stale features")))
}

/// Returns the current manifest and the correct one.
fn both() -> Outcome<(String, String)> {
    let existing = fs::read_to_string(root().join(MANIFEST))
        .map_err(|error| format!("{MANIFEST}: {error}"))?;
    let fresh = with_table(&existing).ok_or(format!(
        "{MANIFEST}: the marks around its features are missing"
    ))?;
    Ok((existing, fresh))
}

fn with_table(manifest: &str) -> Option<String> {
    let (before, rest) = manifest.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    let line = |names: &[&str]| {
        names
            .iter()
            .map(|name| format!("    {name:?},\n"))
            .collect::<String>()
    };
    let mut table = format!("all = [\n{}]\n", line(&BINDINGS));
    for module in BINDINGS {
        table.push_str(&format!("{module} = []\n"));
    }
    Some(format!("{before}{BEGIN}{table}{END}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_between_the_marks_is_written() {
        let manifest = format!("[features]\n{BEGIN}old = []\n{END}mine = []\n");
        let fresh = with_table(&manifest).unwrap();
        assert!(fresh.starts_with("[features]\n") && fresh.ends_with("mine = []\n"));
        assert!(fresh.contains("\nets = []\n") && !fresh.contains("old"));
        assert_eq!(with_table(&fresh).as_deref(), Some(fresh.as_str()));
        assert_eq!(with_table("[features]\n"), None);
    }
}
