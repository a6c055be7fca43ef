//! `cargo otp man` and `otp-rs man`: manual pages.

use std::fs;

use crate::args::Pages;
use crate::files::write;
use crate::report::{Error, Result, Ui};

pub(crate) fn execute(pages: &Pages, ui: &Ui) -> Result<()> {
    let folder = &pages.folder;
    fs::create_dir_all(folder).map_err(|error| Error::io("create", folder, &error))?;
    for (name, text) in &pages.pages {
        write(&folder.join(name), text.as_bytes())?;
    }
    let what = format!("{} manual pages in {}", pages.pages.len(), folder.display());
    ui.status("Wrote", &what);
    Ok(())
}
