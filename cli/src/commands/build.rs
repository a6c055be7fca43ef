//! `cargo otp build`: the library, and the Erlang application around it.

use std::fs;
use std::path::Path;

use crate::args::Build;
use crate::build::{BuildOptions, Built, build};
use crate::files::replace_link;
use crate::installation::Installation;
use crate::project::Application;
use crate::report::{Error, Result, Ui};

pub(crate) fn execute(options: &Build, ui: &Ui) -> Result<()> {
    let otp = Installation::find()?;
    let application = Application::find(options.built.manifest.path.as_deref())?;
    let order = BuildOptions::application(super::profile(&options.built));
    let built = build(&application, &otp, &order, ui)?;
    ui.status(
        "Built",
        &format!("`{}` in {}", built.name, built.folder().display()),
    );
    if let Some(folder) = &options.link {
        link(&built, &otp, folder)?;
        ui.status(
            "Linked",
            &format!("`{}` in {}", built.name, folder.display()),
        );
    }
    Ok(())
}

/// Fills the folder with links to applications, like the folders in `ERL_LIBS` and rebar3's
/// `_checkouts`.
fn link(built: &Built, otp: &Installation, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).map_err(|error| Error::io("create", folder, &error))?;
    for one in built.all() {
        replace_link(one.folder(), &folder.join(&one.name))?;
    }
    for dependency in built.dependencies() {
        if !dependency.is_of(otp) {
            replace_link(&dependency.folder, &folder.join(&dependency.name))?;
        }
    }
    Ok(())
}
