//! The texts of an application's generated Erlang: its modules, and its resource file.

use otp_codegen::erlang::{self as text, Resource};
use otp_contract::manifest::Manifest;
use otp_contract::modules;

use super::cargo::Package;
use super::{Built, Dependency, manifest};
use crate::project::config::Config;

/// The inputs of generated Erlang.
pub(crate) struct ErlangTexts<'a> {
    /// The name of the application.
    pub(crate) name: &'a str,
    pub(crate) version: &'a str,
    pub(crate) description: &'a str,
    /// otp.toml.
    pub(crate) config: &'a Config,
    /// The library's description of its modules.
    pub(crate) manifest: &'a Manifest,
    /// The oldest release of OTP that compiles the modules.
    pub(crate) release: u32,
}

impl<'a> ErlangTexts<'a> {
    /// Returns the texts of the package that is being built.
    pub(super) fn of(
        package: &'a Package,
        config: &'a Config,
        manifest: &'a Manifest,
        release: u32,
    ) -> Self {
        ErlangTexts {
            name: &package.name,
            version: &package.version,
            description: &package.description,
            config,
            manifest,
            release,
        }
    }

    /// Returns the names and texts of the modules that only this application has, except for that
    /// of its library.
    pub(crate) fn modules(&self) -> Vec<(String, String)> {
        let format = text::Documentation::of_release(self.release);
        let (name, stroot) = (self.name, self.config.stroot.as_str());
        let modules = self.manifest.modules.iter();
        let modules = modules.map(|module| {
            let text = text::callback_module(name, module, format);
            (module.module.clone(), text)
        });
        let callbacks = manifest::application(self.manifest);
        let variables = variables(self.config);
        let application = text::application_module(name, stroot, callbacks, &variables);
        let own = [
            (modules::application(name), application),
            (modules::run(name), text::run_module(name, stroot)),
        ];
        modules.chain(own).collect()
    }

    /// Returns the text of the resource file of an application with these modules, which needs
    /// these other applications.
    pub(crate) fn resource_file(&self, modules: &[String], needed: &[String]) -> String {
        let related = &self.config.related;
        let included = &related.included_applications;
        let mut applications = related.applications.clone();
        let needed = needed.iter().filter(|name| !included.contains(name));
        for name in needed {
            if !applications.contains(name) {
                applications.push(name.clone());
            }
        }
        let root = [self.config.stroot.clone()];
        let others = related
            .registered
            .iter()
            .filter(|name| !root.contains(name));
        let phases = related.start_phases.iter();
        text::resource_file(&Resource {
            application: self.name.to_owned(),
            version: self.version.to_owned(),
            description: self.description.to_owned(),
            release: self.release,
            modules: modules.to_vec(),
            registered: root.iter().chain(others).cloned().collect(),
            applications,
            included_applications: included.clone(),
            environment: variables(self.config),
            start_phases: phases
                .map(|it| (it.name.clone(), it.arguments.clone()))
                .collect(),
        })
    }
}

/// Returns the environment for the resource file.
fn variables(config: &Config) -> Vec<(String, String)> {
    let variables = config.environment.iter();
    variables
        .map(|it| (it.key.clone(), it.value.clone()))
        .collect()
}

/// Returns the names of the applications that are started before one with these dependencies.
pub(super) fn needed(others: &[Built], dependencies: &[Dependency]) -> Vec<String> {
    let declared = dependencies.iter().filter(|one| one.is_declared);
    let declared = declared.map(|dependency| dependency.name.clone());
    let others = others.iter().map(|other| other.name.clone());
    declared.chain(others).collect()
}
