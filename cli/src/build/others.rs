//! Applications whose Rust code an application uses: dependencies with a `path` to a folder that
//! has an otp.toml.
//!
//! Each of them is a separate application in the same VM: it has its own library, and is started
//! before the application that needs it. The library of the latter contains the Rust code of both,
//! so that both know the types of messages, but none of its modules are generated from the other's.

use otp_contract::manifest::Manifest;
use otp_contract::modules::{self, SHARED};

use super::Built;
use super::cargo::Package;
use crate::project::{Application, config};
use crate::report::{Result, catalog};

/// Returns the applications among the packages that the package uses by a `path`.
pub(super) fn found(package: &Package) -> Result<Vec<Application>> {
    let folders = package.local.iter();
    let folders = folders.filter(|folder| folder.join(config::FILE).is_file());
    folders
        .map(|folder| Application::at(folder.clone()))
        .collect()
}

/// Removes the modules of other applications that the library contains as well.
pub(super) fn without(manifest: Manifest, others: &[Built]) -> Manifest {
    let mut modules = manifest.modules;
    modules.retain(|module| {
        let of = module.rust_path.split("::").next().unwrap_or_default();
        others
            .iter()
            .flat_map(Built::all)
            .all(|other| other.name != of)
    });
    Manifest { modules }
}

/// Refuses two applications with modules of the same name, because a VM can load only one of them.
/// The modules in [`SHARED`] are the same in all.
pub(super) fn check_modules(own: &str, modules: &[String], others: &[Built]) -> Result<()> {
    for other in others.iter().flat_map(Built::all) {
        let of_both = modules
            .iter()
            .filter(|module| !SHARED.contains(&module.as_str()))
            .find(|module| other.modules.contains(module));
        if let Some(module) = of_both {
            let who = format!("the applications `{own}` and `{}` both have it", other.name);
            let help = if *module == modules::library(own) {
                "rename one of the packages"
            } else {
                "rename one of the Rust types, or write `module = \"…\"` into its attribute"
            };
            return Err(catalog::NAME_TAKEN.with(&[module, &who]).help(help));
        }
    }
    Ok(())
}
