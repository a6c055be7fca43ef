//! `cargo otp package`: a Hex package for people without a Rust toolchain.

use crate::args::PackageArgs;
use crate::build::cargo::Profile;
use crate::build::{BuildOptions, build_and_hold};
use crate::installation::Installation;
use crate::package;
use crate::project::Application;
use crate::report::{Result, Ui, size};

pub(crate) fn execute(options: &PackageArgs, ui: &Ui) -> Result<()> {
    let otp = Installation::find()?;
    let application = Application::find(options.manifest.path.as_deref())?;
    let profile = Profile::named(&options.profile);
    let order = BuildOptions::application(profile.clone());
    let (built, _locks) = build_and_hold(&application, &otp, &order, ui)?;
    let made = package::make(&application, &built, &otp, &profile, ui)?;
    let what = format!("{} ({})", made.archive.display(), size(made.bytes));
    ui.status("Packaged", &what);
    ui.status("Checksum", &format!("SHA-256 {}", made.checksum));
    for key in made.missing {
        ui.note(&format!(
            "hex.pm needs `{key}` under [package] in Cargo.toml"
        ));
    }
    Ok(())
}
