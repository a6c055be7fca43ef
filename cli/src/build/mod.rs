//! Builds an application that `erl` can start from its sources.

pub(crate) mod beam;
pub(crate) mod cargo;
mod dependencies;
mod docs;
mod ebin;
mod environment;
pub(crate) use environment::{check_given, check_required};
mod generated;
mod kept;
mod layout;
mod library;
mod loading;
mod manifest;
mod others;
mod related;
mod shared;
pub(crate) mod wrapper;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use otp_codegen::erlang as text;
use otp_contract::manifest::{Manifest, Module};
use otp_contract::modules::{self, TEST};
use serde_json::{Value, json};

use crate::installation::{Applications, Installation};
use crate::project::names::{self, Named};
use crate::project::{Application, ErlangSources};
use crate::report::{Result, Ui};
use cargo::{Package, Profile, Tested};
pub(crate) use dependencies::{Dependency, installed_at};
use ebin::Next;
pub(crate) use ebin::compile_package;
pub(crate) use generated::ErlangTexts;
use generated::needed;
pub(crate) use kept::EarlierBuilds;
use layout::BuildFolder;
pub(crate) use layout::wait_for;
pub(crate) use library::build_for;
pub(crate) use shared::compiled;

/// The folder of releases, in TARGET/otp.
pub(crate) const RELEASES: &str = "releases";

/// The folder of packages, in TARGET/otp.
pub(crate) const PACKAGES: &str = "packages";

/// The suffix of a profile's folder for builds with tests. A profile's name cannot contain a full
/// stop.
pub(crate) const OF_TESTS: &str = ".test";

/// A built application.
pub(crate) struct Built {
    pub(crate) name: String,
    pub(crate) version: String,
    /// `[package] description`; may be empty.
    pub(crate) description: String,
    /// The folder of its compiled modules.
    pub(crate) ebin: PathBuf,
    /// The library that its modules load. Older ones are beside it.
    pub(crate) library: PathBuf,
    /// The target folder of cargo.
    pub(crate) target: PathBuf,
    /// The folder of its workspace, where the compiler runs.
    pub(crate) workspace: PathBuf,
    /// The library's description of its modules.
    pub(crate) manifest: Manifest,
    /// Its Erlang modules.
    pub(crate) modules: Vec<String>,
    /// The modules that were written in Erlang.
    pub(crate) sources: Vec<String>,
    /// The module of its root supervisor.
    pub(crate) root: String,
    /// The applications whose Rust code it uses, directly or indirectly.
    pub(crate) others: Vec<Built>,
    /// The Erlang applications that it uses, in start order: each after those that it needs.
    pub(crate) dependencies: Vec<Dependency>,
}

impl Built {
    /// Returns it and all applications that it needs to run, in the order in which they start.
    pub(crate) fn all(&self) -> Vec<&Built> {
        let mut all: Vec<&Built> = Vec::new();
        for built in self.others.iter().flat_map(Built::all).chain([self]) {
            if all.iter().all(|known| known.name != built.name) {
                all.push(built);
            }
        }
        all
    }

    /// Returns its folder, with `ebin` and `priv`.
    pub(crate) fn folder(&self) -> &Path {
        self.ebin.parent().unwrap_or(&self.ebin)
    }

    /// Returns the Erlang applications that it and the others use.
    pub(crate) fn dependencies(&self) -> Vec<&Dependency> {
        let mut all: Vec<&Dependency> = Vec::new();
        for dependency in self.all().into_iter().flat_map(|one| &one.dependencies) {
            if all.iter().all(|known| known.name != dependency.name) {
                all.push(dependency);
            }
        }
        all
    }

    /// Returns the names of the applications that are started before it.
    pub(crate) fn needed(&self) -> Vec<String> {
        needed(&self.others, &self.dependencies)
    }

    /// Returns the library's description of a module.
    pub(crate) fn module(&self, name: &str) -> Option<&Module> {
        let mut modules = self.manifest.modules.iter();
        modules.find(|module| module.module == name)
    }

    /// Returns a message for programs: the application, and its location.
    fn message(&self) -> Value {
        let folder = self.ebin.parent().unwrap_or(&self.ebin);
        json!({
            "reason": "otp-built",
            "name": self.name,
            "version": self.version,
            "folder": folder.display().to_string(),
            "library": self.library.display().to_string(),
            "modules": self.modules,
        })
    }

    /// Makes a VM load it, with all others that it needs.
    pub(crate) fn load_into(&self, erl: &mut Command) {
        // +fnu: arguments are UTF-8, whatever the locale.
        erl.args(["+fnu", "-pa"]);
        let all = self.all();
        erl.args(all.iter().map(|one| &one.ebin));
        let dependencies = self.dependencies();
        erl.args(dependencies.iter().map(|dependency| dependency.ebin()));
        for one in all {
            // The library reads variables of the application when it is loaded. An application that
            // includes it loads it as well.
            let load = format!(
                "case application:load({name}) of ok -> ok; {{error, {{already_loaded, _}}}} -> ok; \
                 {{error, Reason}} -> io:format(standard_error, \"{name} cannot be loaded: ~tp~n\", [Reason]), halt(1) end.",
                name = one.name
            );
            erl.arg("-eval").arg(load);
            // All modules are loaded at once, because a module that is loaded later could belong to
            // a newer build than the library.
            erl.args(["-s", "code", "ensure_modules_loaded"])
                .args(&one.modules);
        }
    }
}

/// Options of a build.
pub(crate) struct BuildOptions<'a> {
    pub(crate) profile: Profile,
    /// The crate whose tests are added to the library.
    pub(crate) tests: Option<Tested<'a>>,
}

impl BuildOptions<'_> {
    /// Returns the options for the application without tests.
    pub(crate) fn application(profile: Profile) -> Self {
        BuildOptions {
            profile,
            tests: None,
        }
    }

    /// Returns `TARGET/otp/PROFILE/NAME`
    fn folder(&self, package: &Package) -> PathBuf {
        let profile = self.profile.folder();
        let profile = match &self.tests {
            None => profile.to_owned(),
            Some(Tested { test: None, .. }) => format!("{profile}{OF_TESTS}"),
            Some(Tested {
                test: Some(test), ..
            }) => format!("{profile}{OF_TESTS}.{test}"),
        };
        package.target.join("otp").join(profile).join(&package.name)
    }
}

/// Builds the library and the Erlang application around it.
pub(crate) fn build(
    application: &Application,
    otp: &Installation,
    order: &BuildOptions<'_>,
    ui: &Ui,
) -> Result<Built> {
    let built = stages(application, otp, order, ui)?;
    ui.record(&built.message());
    Ok(built)
}

/// Builds it, and locks its folders against other builds as long as the locks are held.
pub(crate) fn build_and_hold(
    application: &Application,
    otp: &Installation,
    order: &BuildOptions<'_>,
    ui: &Ui,
) -> Result<(Built, Vec<File>)> {
    loop {
        let built = build(application, otp, order, ui)?;
        let locks = built.all().into_iter();
        let locks = locks.filter_map(|one| wait_for(one.folder(), ui).transpose());
        let locks = locks.collect::<Result<Vec<_>>>()?;
        let mut all = built.all().into_iter();
        if all.all(|one| layout::is_newest(one.folder(), &one.library)) {
            return Ok((built, locks));
        }
        // Another build came in between. The modules now load its library.
    }
}

/// Performs all stages of a build, in order.
fn stages(
    application: &Application,
    otp: &Installation,
    order: &BuildOptions<'_>,
    ui: &Ui,
) -> Result<Built> {
    let package = cargo::package(&application.folder)?;
    let sources = ErlangSources::find(&application.folder)?;
    let installed = Applications::of(otp);
    check_names(application, &package, &sources, &installed)?;
    let dependencies = dependencies::build(application, &package, otp, ui)?;
    let others = build_others(&package, otp, &order.profile, ui)?;
    related::check_included(application, &installed, &dependencies.all, &others)?;
    let (library, loading) = loading::compile(application, &package, otp, order, ui)?;

    let folder = BuildFolder::open(order.folder(&package), ui)?;
    let next = Next::begin(&folder, otp.compiler()? + &dependencies.fingerprint)?;
    let library = folder.add_library(&package.name, &library)?;
    let manifest = loading.manifest(&next, &package, &library, ui)?;
    let manifest = others::without(manifest, &others);
    let taken = manifest::check_modules(&manifest, &package, &sources, &installed);
    let differences = manifest::check(&application.config, &manifest, &package);
    ui.all([taken, differences].concat())?;
    manifest::check_types(&manifest)?;
    let config = &application.config;
    environment::check(otp, &next, (&package, &library), config)?;
    let texts = ErlangTexts::of(&package, config, &manifest, otp.release);
    let generated = write_modules(&folder, &texts, order)?;
    let shared = shared::add(otp, &next, &package.target, ui)?;
    let modules = [sources.modules.as_slice(), &generated, &shared].concat();
    others::check_modules(&package.name, &modules, &others)?;
    dependencies::check_modules(&package.name, &modules, &dependencies.all)?;
    let needed = needed(&others, &dependencies.all);
    next.write_resource_file(&package.name, &texts.resource_file(&modules, &needed))?;
    ebin::compile_sources(otp, &next, &sources, &dependencies.all, ui)?;
    ebin::compile_generated(otp, &next, &generated, ui)?;
    next.finish(&package.name, &modules, &library)?;
    docs::update(&folder, otp.release, &manifest)?;
    Ok(Built {
        name: package.name,
        version: package.version,
        description: package.description,
        ebin: folder.ebin(),
        library: folder.library(&library),
        target: package.target,
        workspace: package.workspace,
        manifest,
        modules,
        sources: sources.modules,
        root: application.config.stroot.clone(),
        others,
        dependencies: dependencies.all,
    })
}

/// Builds the applications whose Rust code a package uses. In a build with tests, the application's
/// tests run with them.
fn build_others(
    package: &Package,
    otp: &Installation,
    profile: &Profile,
    ui: &Ui,
) -> Result<Vec<Built>> {
    let alone = BuildOptions::application(profile.clone());
    let others = others::found(package)?;
    let others = others.iter().map(|other| build(other, otp, &alone, ui));
    others.collect()
}

/// Checks names. `new` has checked them, but Cargo.toml may have been edited since. Names of
/// modules in the library are checked when it is built.
fn check_names(
    application: &Application,
    package: &Package,
    sources: &ErlangSources,
    otp: &Applications,
) -> Result<()> {
    let manifest = application.folder.join("Cargo.toml");
    names::check(Named::Application, &package.name)
        .map_err(|error| error.at(manifest.display()))?;
    names::check_free(Named::Application, &package.name, otp)?;
    related::check(&application.config, &package.name)?;
    sources.check_names(&names::generated_modules(&package.name), otp)
}

/// Writes the Erlang modules that are generated for this application and returns their names.
fn write_modules(
    folder: &BuildFolder,
    texts: &ErlangTexts<'_>,
    order: &BuildOptions<'_>,
) -> Result<Vec<String>> {
    let mut modules = vec![modules::library(texts.name)];
    let of_tests = order.tests.iter();
    let of_tests = of_tests.map(|_| (TEST.to_owned(), text::test_module()));
    for (module, text) in texts.modules().into_iter().chain(of_tests) {
        folder.write(&format!("src/{module}.erl"), &text)?;
        modules.push(module);
    }
    Ok(modules)
}
