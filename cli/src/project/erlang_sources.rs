//! Hand-written Erlang: modules in the application's folder `erlang/`, compiled as they are.
//!
//! They are compiled before the generated modules, because they may define the behaviours of those.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::names::{self, Named};
use crate::files::read_regular;
use crate::installation::Applications;
use crate::report::{Error, Result};

/// Their folder, in the folder of the application.
pub(crate) const FOLDER: &str = "erlang";

/// The hand-written Erlang modules of an application.
#[derive(Debug)]
pub(crate) struct ErlangSources {
    /// Their names, in the order of compilation.
    pub(crate) modules: Vec<String>,
    /// The working folder of the compiler.
    application: PathBuf,
    /// The modification time of the newest header.
    headers: Option<SystemTime>,
}

impl ErlangSources {
    /// Finds the modules. Without the folder, there are none.
    pub(crate) fn find(application: &Path) -> Result<Self> {
        let folder = application.join(FOLDER);
        let mut found: Vec<(bool, String)> = Vec::new();
        let mut headers = None;
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries.flatten().map(|entry| entry.path()).collect(),
            Err(_) => Vec::new(),
        };
        for path in entries {
            let ending = path.extension().and_then(|ending| ending.to_str());
            let stem = path.file_stem().and_then(|stem| stem.to_str());
            match (ending, stem) {
                (Some("erl"), Some(module)) => {
                    found.push((!is_used_by_others(&path)?, module.to_owned()));
                }
                (Some("hrl"), _) => headers = headers.max(modified(&path)),
                _ => {}
            }
        }
        found.sort();
        Ok(ErlangSources {
            modules: found.into_iter().map(|(_, module)| module).collect(),
            application: application.to_owned(),
            headers,
        })
    }

    /// Refuses names that OTP or one of `others` already has.
    pub(crate) fn check_names(&self, others: &[String], otp: &Applications) -> Result<()> {
        for module in &self.modules {
            names::check_free(Named::Module, module, otp)?;
            if others.contains(module) {
                return Err(names::taken_by_build(module)
                    .at(self.application.join(self.file(module)).display()));
            }
        }
        Ok(())
    }

    /// Returns the modules whose .beam is older than their source, or than a header.
    pub(crate) fn stale(&self, ebin: &Path) -> Vec<&String> {
        let is_stale = |module: &&String| {
            let source = modified(&self.application.join(self.file(module)));
            let beam = modified(&ebin.join(format!("{module}.beam")));
            beam.is_none() || beam <= source.max(self.headers)
        };
        self.modules.iter().filter(is_stale).collect()
    }

    /// Returns the path of the module's source in the application's folder.
    pub(crate) fn file(&self, module: &str) -> String {
        format!("{FOLDER}/{module}.erl")
    }

    /// Returns the working folder of the compiler.
    pub(crate) fn application(&self) -> &Path {
        &self.application
    }
}

/// Returns whether the compiler needs the module to compile others, because it is a behaviour or a
/// parse transform.
pub(crate) fn is_used_by_others(path: &Path) -> Result<bool> {
    let text = read_regular(path).map_err(|error| Error::io("read", path, &error))?;
    let text = String::from_utf8_lossy(&text);
    Ok(["-callback", "behaviour_info", "parse_transform"]
        .iter()
        .any(|word| text.contains(word)))
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).ok()?.modified().ok()
}
