//! `cargo otp build`: the library, and the Erlang application around it.

use std::path::PathBuf;

use otp_codegen::erlang as text;
use otp_contract::library::HELPER;
use otp_contract::manifest::Manifest;

use crate::agreement;
use crate::application::Application;
use crate::args::Build;
use crate::cargo::{self, Package, Profile};
use crate::erlang;
use crate::error::{Error, Result};
use crate::installation::Installation;
use crate::names::{self, Named};
use crate::output::Output;
use crate::own_erlang::OwnErlang;
use crate::ui::Ui;

/// A built application.
pub(super) struct Built {
    /// Its name.
    pub(super) name: String,
    /// The folder of its compiled modules.
    pub(super) ebin: PathBuf,
    /// Its Erlang modules.
    pub(super) modules: Vec<String>,
}

pub(super) fn execute(options: &Build, ui: &Ui) -> Result<()> {
    let otp = Installation::find()?;
    let built = build(&Application::here()?, &otp, profile(options.release), ui)?;
    let folder = built
        .ebin
        .parent()
        .unwrap_or(&built.ebin)
        .display()
        .to_string();
    ui.status("Built", &format!("`{}` in {folder}", built.name));
    Ok(())
}

/// The profile that `--release` chooses.
pub(super) fn profile(release: bool) -> Profile {
    if release {
        Profile::Release
    } else {
        Profile::Debug
    }
}

/// From the sources to an application that `erl` can start.
pub(super) fn build(
    application: &Application,
    otp: &Installation,
    profile: Profile,
    ui: &Ui,
) -> Result<Built> {
    let package = cargo::package(&application.folder)?;
    check_names(application, &package, otp)?;
    let own = OwnErlang::find(&application.folder)?;
    own.check_names(
        written(application, &package).iter().map(String::as_str),
        otp,
    )?;
    let library = cargo::build_library(&application.folder, profile)?;

    let folder = package
        .target
        .join("otp")
        .join(profile.folder())
        .join(&package.name);
    let output = Output::open(folder)?;
    output.compiled_by(&otp.compiler()?)?;
    let library = output.add_library(&package.name, &library)?;
    let manifest = manifest(otp, &output, &package, &library, ui)?;
    agreement::check(&application.config, &manifest)?;
    agreement::check_types(&manifest)?;

    let written = write_modules(&output, &package, &application.config.stroot, &manifest)?;
    let modules = [own.modules.as_slice(), &written].concat();
    write_resource_file(&output, &package, &application.config.stroot, &modules)?;
    output.keep_only(&package.name, &modules)?;
    erlang::compile_own(otp, &output, &own, ui)?;
    erlang::compile(otp, &output, &written, ui)?;
    Ok(Built {
        name: package.name,
        ebin: output.ebin(),
        modules,
    })
}

/// The names of the modules that a build writes.
fn written(application: &Application, package: &Package) -> Vec<String> {
    let declared = application.config.behaviours.iter();
    let declared = declared.map(|declared| declared.module.clone());
    declared
        .chain(names::generated_modules(&package.name))
        .collect()
}

/// otp.toml and Cargo.toml may have been edited by hand since `new` and `add` checked the names.
fn check_names(application: &Application, package: &Package, otp: &Installation) -> Result<()> {
    let manifest = application.folder.join("Cargo.toml");
    names::check(Named::Application, &package.name)
        .map_err(|error| error.at(manifest.display()))?;
    names::check_free(Named::Application, &package.name, otp)?;
    let config = &application.config;
    for declared in &config.behaviours {
        names::check_free(Named::Module, &declared.module, otp)?;
        if names::generated_modules(&package.name).contains(&declared.module) {
            return Err(
                Error::user(format!("the name `{}` is taken", declared.module))
                    .at(format!("{}:{}", config.path.display(), declared.line))
                    .help("`cargo otp build` writes an Erlang module of this name; choose another"),
            );
        }
    }
    Ok(())
}

/// Asks the library what it holds.
fn manifest(
    otp: &Installation,
    output: &Output,
    package: &Package,
    library: &str,
    ui: &Ui,
) -> Result<Manifest> {
    let module = text::library_module_name(&package.name);
    output.write(
        &format!("src/{module}.erl"),
        &text::library_module(&package.name, library),
    )?;
    erlang::compile(otp, output, std::slice::from_ref(&module), ui)?;
    let manifest = erlang::manifest(otp, output, library, &module)?;
    Manifest::from_json(&manifest).map_err(Error::ours)
}

/// Writes the Erlang texts; gives the names of their modules.
fn write_modules(
    output: &Output,
    package: &Package,
    stroot: &str,
    manifest: &Manifest,
) -> Result<Vec<String>> {
    let name = package.name.as_str();
    let mut modules = vec![text::library_module_name(name)];
    let mut write = |module: String, text: String| {
        output.write(&format!("src/{module}.erl"), &text)?;
        modules.push(module);
        Ok(())
    };
    for module in &manifest.modules {
        write(module.module.clone(), text::callback_module(name, module))?;
    }
    let callbacks = agreement::application(manifest);
    write(
        format!("{name}_app"),
        text::application_module(name, stroot, callbacks),
    )?;
    write(format!("{name}_run"), text::run_module(name, stroot))?;
    write(HELPER.to_owned(), text::helper_module())?;
    Ok(modules)
}

fn write_resource_file(
    output: &Output,
    package: &Package,
    stroot: &str,
    modules: &[String],
) -> Result<()> {
    let name = package.name.as_str();
    let registered = [stroot.to_owned()];
    let resource = text::resource_file(
        name,
        &package.version,
        &package.description,
        modules,
        &registered,
    );
    output.write(&format!("ebin/{name}.app"), &resource)
}
