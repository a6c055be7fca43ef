//! The Erlang module `jungle_folder`, with which an operator checks and repairs a folder.

use otp_bridge::{Term, module};

/// A defect of a file: `#{file, what}`.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
pub struct FindingTerm {
    /// The name of the file.
    pub file: String,
    /// The defect.
    pub what: String,
}

/// The readable content of a folder: `#{findings, trees, replicas, kept}`.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
pub struct FolderReport {
    /// The defects. A folder without findings can be opened.
    pub findings: Vec<FindingTerm>,
    /// The trees that can be read, with the numbers of their versions.
    pub trees: Vec<(String, u64)>,
    /// The replicated trees that can be read.
    pub replicas: Vec<String>,
    /// The folders with the old files after a repair.
    pub kept: Vec<String>,
}

impl FolderReport {
    fn of(trees: crate::log::repair::Report, replicas: jungle_merge::repair::Report) -> Self {
        let findings = trees.findings.into_iter().chain(replicas.findings);
        let kept = trees.kept.into_iter().chain(replicas.kept);
        FolderReport {
            findings: findings
                .map(|found| FindingTerm {
                    file: found.file,
                    what: found.what,
                })
                .collect(),
            trees: trees.trees,
            replicas: replicas.trees,
            kept: kept.map(|folder| folder.display().to_string()).collect(),
        }
    }
}

/// Checks and repairs the folder of a database that is not running.
///
/// ```text
/// 1> {ok, #{findings := Findings}} = jungle_folder:check(<<"data">>).
/// 2> {ok, #{kept := Kept}} = jungle_folder:repair(<<"data">>).
/// ```
#[module("jungle_folder")]
pub mod functions {
    use std::path::Path;

    use super::FolderReport;
    use crate::error::Result;
    use crate::log::repair as trees;
    use jungle_merge::repair as replicas;

    /// Checks a folder without changing it.
    #[dirty(io)]
    pub fn check(folder: &str) -> Result<FolderReport> {
        let folder = Path::new(folder);
        Ok(FolderReport::of(
            trees::check(folder)?,
            replicas::check(folder)?,
        ))
    }

    /// Writes everything that can be read of a folder, also after damaged bytes, to new files. The
    /// old files are kept in a folder beside them. A folder without findings stays as it is.
    #[dirty(io)]
    pub fn repair(folder: &str) -> Result<FolderReport> {
        let folder = Path::new(folder);
        Ok(FolderReport::of(
            trees::repair(folder)?,
            replicas::repair(folder)?,
        ))
    }
}
