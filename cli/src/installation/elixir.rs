//! The installed Elixir, if there is one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::on_path;

/// An application of Elixir.
pub(crate) struct ElixirApplication {
    pub(crate) folder: PathBuf,
    /// Its name and version, such as `elixir-1.14.0`.
    pub(crate) name: String,
}

/// Returns the applications of the Elixir on `PATH`; `None` if there is none.
pub(crate) fn elixir_applications() -> Option<Vec<ElixirApplication>> {
    let lib = library(&on_path("elixir")?)?;
    let mut folders: Vec<PathBuf> = fs::read_dir(lib)
        .ok()?
        .flatten()
        .map(|entry| entry.path())
        .collect();
    folders.sort();
    Some(folders.into_iter().filter_map(application).collect())
}

/// Returns the folder of Elixir's applications: `ROOT/lib` for `ROOT/bin/elixir`. If the program is
/// a script elsewhere, it is run and asked.
fn library(elixir: &Path) -> Option<PathBuf> {
    let program = fs::canonicalize(elixir).ok()?;
    let has_elixir = |lib: &PathBuf| lib.join("elixir/ebin").is_dir();
    let beside = program.parent()?.parent()?.join("lib");
    if has_elixir(&beside) {
        return Some(beside);
    }
    let answer = Command::new(elixir)
        .args(["-e", "IO.write(:code.lib_dir(:elixir))"])
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let application = PathBuf::from(String::from_utf8(answer.stdout).ok()?);
    application.parent().map(Path::to_owned).filter(has_elixir)
}

fn application(folder: PathBuf) -> Option<ElixirApplication> {
    let name = folder.file_name()?.to_str()?;
    let description = fs::read_to_string(folder.join(format!("ebin/{name}.app"))).ok()?;
    let name = match version(&description) {
        Some(version) => format!("{name}-{version}"),
        None => name.to_owned(),
    };
    Some(ElixirApplication { folder, name })
}

/// Returns `1.14.0` for `{vsn, "1.14.0"}`.
fn version(description: &str) -> Option<&str> {
    let (_, rest) = description.split_once("{vsn")?;
    let mut quoted = rest.split('"');
    quoted.nth(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_application_says_its_version() {
        let description = "{application,elixir,\n [{description,\"x\"},{vsn, \"1.14.0\"}]}.";
        assert_eq!(version(description), Some("1.14.0"));
        assert_eq!(version("{application,elixir,[]}."), None);
    }

    #[test]
    fn the_library_lies_beside_the_program() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join("lib/elixir/ebin")).unwrap();
        fs::create_dir_all(root.path().join("bin")).unwrap();
        fs::write(root.path().join("bin/elixir"), "").unwrap();
        let found = library(&root.path().join("bin/elixir")).unwrap();
        assert!(found.ends_with("lib"), "{found:?}");
    }
}
