//! `cargo otp new NAME`: a new application in a new folder.

use std::env;
use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::args::New;
use crate::installation::{Applications, Installation};
use crate::platform;
use crate::project::names::{self, Named};
use crate::project::templates;
use crate::report::{Error, Result, Ui, catalog};

pub(crate) fn execute(new: &New, ui: &Ui) -> Result<()> {
    let name = new.name.as_str();
    names::check(Named::Application, name)?;
    let current = env::current_dir().map_err(|error| catalog::CURRENT_FOLDER.with(&[&error]))?;
    let folder = current.join(name);
    if fs::symlink_metadata(&folder).is_ok() {
        return Err(catalog::NAME_TAKEN
            .with(&[&name, &"this file or folder exists"])
            .at(folder.display())
            .help("choose another name, or move what is there"));
    }
    let otp = Applications::of(&Installation::find()?);
    names::check_free(Named::Application, name, &otp)?;
    write(&current, &folder, new)?;
    ui.status("Created", &format!("application `{name}`"));
    ui.note(&format!("run it with `cd {name} && cargo otp run`"));
    Ok(())
}

/// Writes into a temporary folder, which is renamed once it is complete.
fn write(current: &Path, folder: &Path, new: &New) -> Result<()> {
    let refused = |error: std::io::Error| Error::io("write in", current, &error);
    let temporary: TempDir = tempfile::Builder::new()
        .prefix(".otp-rs-")
        .permissions(platform::permissions(platform::NEW_FOLDER))
        .tempdir_in(current)
        .map_err(refused)?;
    fs::create_dir(temporary.path().join("src")).map_err(refused)?;
    for (path, text) in templates::application(&new.name, new.template) {
        fs::write(temporary.path().join(path), text).map_err(refused)?;
    }
    fs::rename(temporary.path(), folder).map_err(|error| Error::io("create", folder, &error))?;
    // The folder was renamed, so the temporary name no longer exists.
    let _ = temporary.keep();
    Ok(())
}
