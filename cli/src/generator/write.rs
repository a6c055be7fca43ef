//! Writes generated files to a folder, or as one text to standard output.

use std::fs;
use std::path::{Path, PathBuf};

use otp_codegen::Files;

use crate::files::Transaction;
use crate::report::{Error, Result, catalog};

/// A word in the first line of every generated file.
pub(crate) const MARK: &str = "@generated";

/// Returns mod.rs, in which the text of each module replaces its `mod` line.
pub(crate) fn one_file(files: &Files) -> String {
    let mut whole = files.get("mod.rs").unwrap_or_default().to_owned();
    for (file, text) in files.iter() {
        if let Some(module) = file.strip_suffix(".rs").filter(|module| *module != "mod") {
            let declared = format!("pub mod {module};\n");
            whole = whole.replacen(&declared, &format!("pub mod {module} {{\n{text}}}\n"), 1);
        }
    }
    whole
}

/// Writes all files or none. Returns whether any of them has changed.
pub(crate) fn write(files: &Files, folder: &Path) -> Result<bool> {
    let mut transaction = Transaction::default();
    for (file, text) in files.iter() {
        let path = folder.join(file);
        match fs::read_to_string(&path) {
            Ok(before) if before == text => {}
            Ok(before) if before.lines().next().unwrap_or_default().contains(MARK) => {
                transaction.replace(path, before, text.to_owned());
            }
            Ok(_) => {
                return Err(catalog::NOT_GENERATED.error().at(path.display()));
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                transaction.create(path, text.to_owned());
            }
            Err(error) => return Err(Error::io("read", &path, &error)),
        }
    }
    if transaction.is_empty() {
        return Ok(false);
    }
    let made = make_folders(folder)?;
    let written = transaction.commit().inspect_err(|_| {
        for folder in made.iter().rev() {
            let _ = fs::remove_dir(folder);
        }
    });
    written.map(|()| true)
}

/// Creates the folder and those above it. Returns the new ones, the outermost first.
fn make_folders(folder: &Path) -> Result<Vec<PathBuf>> {
    let new = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
    let mut made: Vec<PathBuf> = folder
        .ancestors()
        .take_while(new)
        .map(Path::to_owned)
        .collect();
    made.reverse();
    fs::create_dir_all(folder).map_err(|error| Error::io("create", folder, &error))?;
    Ok(made)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_file_holds_every_module() {
        let mut files = Files::default();
        files.insert("mod.rs", "// head\npub mod a;\npub mod atoms;\n");
        files.insert("a.rs", "use super::atoms;\n");
        files.insert("atoms.rs", "x!();\n");
        assert_eq!(
            one_file(&files),
            "// head\npub mod a {\nuse super::atoms;\n}\npub mod atoms {\nx!();\n}\n"
        );
    }

    #[test]
    fn files_of_others_stay_and_nothing_is_half_written() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = scratch.path().join("deep/er");
        let mut files = Files::default();
        files.insert("a.rs", "// @generated a\n");
        files.insert("mod.rs", "// @generated m\n");
        write(&files, &folder).unwrap();
        files.insert("a.rs", "// @generated b\n");
        write(&files, &folder).unwrap();
        assert_eq!(
            fs::read_to_string(folder.join("a.rs")).unwrap(),
            "// @generated b\n"
        );

        fs::write(folder.join("mod.rs"), "// mine\n").unwrap();
        files.insert("a.rs", "// @generated c\n");
        assert!(
            write(&files, &folder)
                .unwrap_err()
                .what()
                .contains("not written by otp-rs")
        );
        assert_eq!(
            fs::read_to_string(folder.join("a.rs")).unwrap(),
            "// @generated b\n"
        );
    }

    #[test]
    fn a_folder_that_cannot_be_made_leaves_nothing() {
        let scratch = tempfile::tempdir().unwrap();
        fs::write(scratch.path().join("file"), "").unwrap();
        let mut files = Files::default();
        files.insert("a.rs", "// @generated\n");
        assert!(write(&files, &scratch.path().join("file/below")).is_err());
        assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 1);
    }
}
