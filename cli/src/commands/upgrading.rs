//! `cargo otp upgrading`: describes the changes that an application of an older version needs.

use std::path::Path;

use crate::args::Upgrading;
use crate::project::{self, lock};
use crate::report::{Result, Ui, catalog, plain};

/// It has a section `## VERSION` for each version, the newest first.
const UPGRADING: &str = include_str!("../../UPGRADING.md");

/// Three numbers. An unreleased version counts as newer than all others.
type Version = [u64; 3];

pub(crate) fn execute(options: &Upgrading, ui: &Ui) -> Result<()> {
    let from = match &options.from {
        Some(from) => Some(version(from).ok_or_else(|| catalog::VERSION.with(&[from]))?),
        None => locked(options.manifest.path.as_deref())?,
    };
    let sections = sections_after(UPGRADING, from);
    if sections.is_empty() {
        ui.note("nothing has to be changed")
    } else {
        ui.output(&plain(&sections, ui.width()))
    }
    Ok(())
}

/// Returns the version of otp-bridge with which the application is built. The current folder may be
/// outside of any application.
fn locked(manifest: Option<&Path>) -> Result<Option<Version>> {
    let folder = match project::folder(manifest) {
        Err(error) if manifest.is_some() => return Err(error),
        folder => folder.ok(),
    };
    let locked = folder.and_then(|folder| lock::version_of(&folder, "otp-bridge"));
    Ok(locked.and_then(|text| version(&text)))
}

fn version(text: &str) -> Option<Version> {
    let release = text.split(['-', '+']).next()?;
    let numbers: Option<Vec<u64>> = release.split('.').map(|part| part.parse().ok()).collect();
    numbers?.try_into().ok()
}

/// Returns the sections of versions after `from`, or all of them.
fn sections_after(text: &str, from: Option<Version>) -> String {
    let sections = text.split("\n## ").skip(1).filter(|section| {
        let title = section.lines().next().unwrap_or_default();
        version(title).is_none_or(|version| from.is_none_or(|from| version > from))
    });
    sections
        .map(|section| format!("## {}\n\n", section.trim_end()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# Upgrading\n\nIntroduction.\n\n## Unreleased\n\nnew\n\n## 0.10.0\n\nten\n\n\
                        ## 0.9.0\n\nnine\n";

    #[test]
    fn the_sections_after_a_version_are_shown() {
        let after = |version| sections_after(TEXT, version);
        assert_eq!(after(Some([0, 10, 0])), "## Unreleased\n\nnew\n\n");
        assert_eq!(
            after(Some([0, 9, 1])),
            "## Unreleased\n\nnew\n\n## 0.10.0\n\nten\n\n"
        );
        assert!(after(None).ends_with("## 0.9.0\n\nnine\n\n"));
    }

    #[test]
    fn a_version_is_three_numbers() {
        assert_eq!(version("0.2.1-rc.1"), Some([0, 2, 1]));
        assert_eq!(version("0.2"), None);
    }

    #[test]
    fn the_text_has_a_section_for_what_is_next() {
        assert!(UPGRADING.contains("\n## Unreleased\n"));
    }
}
