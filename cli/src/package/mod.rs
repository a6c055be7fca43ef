//! A Hex package: an archive with an application, for people without a Rust toolchain.
//!
//! Every tool for Erlang can use it: rebar3 and mix compile the generated Erlang and find the
//! native library in `priv`, and `erl -pa` runs the compiled modules in `ebin`. docs/packages.md
//! describes the contents.

mod archive;
mod contents;
mod elf;
mod metadata;
mod modules;
mod native;
mod platform;
mod projects;
mod terms;

use std::fs;
use std::path::PathBuf;

use crate::build::{Built, PACKAGES, build_for, cargo};
use crate::files::{Scratch, write};
use crate::installation::Installation;
use crate::project::Application;
use crate::report::{Error, Result, Ui};
use contents::{Contents, checksum};
use metadata::HexMetadata;
use native::NativeLibrary;
pub(crate) use platform::TargetPlatform;

/// The options of a package.
pub(crate) struct PackageOptions {
    pub(crate) profile: cargo::Profile,
    /// The target of the native library, and how cargo builds for it. `None`: this machine.
    pub(crate) target: Option<(TargetPlatform, cargo::CrossBuild)>,
}

/// A finished package.
pub(crate) struct HexPackage {
    /// `TARGET/otp/packages/NAME-VERSION.tar`
    pub(crate) archive: PathBuf,
    /// The SHA-256 of the archive, as Hex writes it.
    pub(crate) checksum: String,
    /// The number of bytes of the archive.
    pub(crate) bytes: u64,
    /// What the native library needs, such as `x86_64-unknown-linux-gnu with glibc 2.34`.
    pub(crate) needed: String,
    /// Keys of Cargo.toml without which hex.pm refuses the package.
    pub(crate) missing: Vec<&'static str>,
}

/// Creates the package of an application that was built with these options.
pub(crate) fn make(
    application: &Application,
    built: &Built,
    otp: &Installation,
    options: &PackageOptions,
    ui: &Ui,
) -> Result<HexPackage> {
    let packages = built.target.join("otp").join(PACKAGES);
    fs::create_dir_all(&packages).map_err(|error| Error::io("create", &packages, &error))?;
    let publication = cargo::publication(&application.folder)?;
    let mut contents = Contents::default();
    contents.add_crate(application, built)?;
    let inputs = native::Inputs::of(application, &options.profile, contents.digest())?;
    let library = native_library(application, built, options, &inputs.host, ui)?;
    let needed = library.needed();
    modules::add_sources(&mut contents, application, built)?;
    contents.add(
        "priv/native.config",
        native::manifest(built, &[&library], &inputs),
    );
    contents.add(&library.path(), library.content);
    let metadata = HexMetadata::of(application, built, otp, &publication);
    contents.add("rebar.config", projects::rebar_config(&metadata));
    contents.add("mix.exs", projects::mix_exs(&metadata));
    let scratch = Scratch::within(&packages, ".package-")?;
    modules::add_compiled(&mut contents, scratch.path(), built, otp, ui)?;

    let tarball = archive::tarball(&metadata.text(&contents), &contents)?;
    let path = packages.join(format!("{}-{}.tar", built.name, built.version));
    write(&path, &tarball)?;
    Ok(HexPackage {
        archive: path,
        checksum: checksum(&tarball),
        bytes: tarball.len() as u64,
        needed,
        missing: metadata.missing(),
    })
}

/// Returns the library of the build, or builds it again for another target.
fn native_library(
    application: &Application,
    built: &Built,
    options: &PackageOptions,
    host: &str,
    ui: &Ui,
) -> Result<NativeLibrary> {
    let Some((target, cross)) = &options.target else {
        return NativeLibrary::read(built, host.to_owned(), &built.library);
    };
    let path = build_for(&application.folder, &options.profile, cross, ui)?;
    let library = NativeLibrary::read(built, cross.triple.clone(), &path)?;
    target
        .check(library.glibc)
        .map_err(|error| error.at(path.display()))?;
    Ok(library)
}
