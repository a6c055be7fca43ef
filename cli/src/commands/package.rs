//! `cargo otp package`: a Hex package for people without a Rust toolchain.

use crate::args::PackageArgs;
use crate::build::cargo::{self, Profile};
use crate::build::{BuildOptions, build_and_hold};
use crate::installation::Installation;
use crate::package::{self, PackageOptions, TargetPlatform};
use crate::project::Application;
use crate::report::{Result, Ui, size};

pub(crate) fn execute(options: &PackageArgs, ui: &Ui) -> Result<()> {
    let otp = Installation::find()?;
    let application = Application::find(options.manifest.path.as_deref())?;
    let order = PackageOptions {
        profile: Profile::named(&options.profile),
        target: match &options.target {
            Some(name) => Some(target(name, &application)?),
            None => None,
        },
    };
    let build = BuildOptions::application(order.profile.clone());
    let (built, _locks) = build_and_hold(&application, &otp, &build, ui)?;
    let made = package::make(&application, &built, &otp, &order, ui)?;
    let what = format!("{} ({})", made.archive.display(), size(made.bytes));
    ui.status("Packaged", &what);
    ui.status("Checksum", &format!("SHA-256 {}", made.checksum));
    ui.note(&format!("the native library is for {}", made.needed));
    for key in made.missing {
        ui.note(&format!(
            "hex.pm needs `{key}` under [package] in Cargo.toml"
        ));
    }
    Ok(())
}

/// Finds out how to build for a target before anything is built.
fn target(name: &str, application: &Application) -> Result<(TargetPlatform, cargo::CrossBuild)> {
    let target = TargetPlatform::parse(name)?;
    let (_, host) = cargo::compiler(&application.folder)?;
    let cross = target.cross_build(&host)?;
    Ok((target, cross))
}
