//! `cargo otp add NAME BEHAVIOUR`: a module from a template, with its line in lib.rs.

use std::fs;
use std::path::{Path, PathBuf};

use otp_codegen::BRIDGE_BEHAVIOURS;

use crate::args::Add;
use crate::build::cargo;
use crate::files::Transaction;
use crate::installation::{Applications, Installation};
use crate::project::names::{self, Named};
use crate::project::templates::FUNCTIONS;
use crate::project::{Application, erlang_sources, templates};
use crate::report::{Error, Result, Ui, catalog, nearest};

pub(crate) fn execute(add: &Add, ui: &Ui) -> Result<()> {
    let (name, behaviour) = (add.name.as_str(), add.behaviour.as_str());
    names::check(Named::Module, name)?;
    let Some(module) = templates::module(name, behaviour) else {
        return Err(unknown_behaviour(behaviour));
    };
    let application = Application::find(add.manifest.path.as_deref())?;
    check_free(name, &application)?;

    let library = application.folder.join("src/lib.rs");
    let before =
        fs::read_to_string(&library).map_err(|error| Error::io("read", &library, &error))?;
    let after = templates::with_module(&before, name).ok_or_else(|| {
        taken(
            name,
            &format!("there is a `mod {name};`"),
            library.display().to_string(),
        )
    })?;
    let mut transaction = Transaction::default();
    transaction.create(application.folder.join(names::source_file(name)), module);
    transaction.replace(&library, before, after);
    transaction.commit()?;

    ui.status(
        "Added",
        &format!("{behaviour} `{name}` in {}", names::source_file(name)),
    );
    if let Some(next) = next_step(name, behaviour) {
        ui.note(&next);
    }
    Ok(())
}

/// Returns the error for a behaviour without a template.
fn unknown_behaviour(behaviour: &str) -> Error {
    let error = catalog::UNKNOWN_BEHAVIOUR.with(&[&behaviour]);
    error
        .suggest(&nearest(
            behaviour,
            BRIDGE_BEHAVIOURS.iter().copied().chain([FUNCTIONS]),
            1,
        ))
        .help(format!(
            "known behaviours: `{}`",
            BRIDGE_BEHAVIOURS.join("`, `")
        ))
        .help(format!(
            "functions without a behaviour: `{FUNCTIONS}` (docs/modules.md)"
        ))
        .help(
            "a module of any other behaviour is written without a template: see docs/behaviours.md",
        )
}

/// Returns how to start the new process, or call the new function. OTP starts an `application`.
fn next_step(name: &str, behaviour: &str) -> Option<String> {
    let module = format!("crate::{name}::{}", names::type_name(name));
    match behaviour {
        "application" => None,
        FUNCTIONS => Some(format!(
            "to call it, after `cargo otp build`:\n    {name}:greet(<<\"joe\">>)."
        )),
        "gen_event" => Some(format!(
            "to add it to an event manager, put this into a callback, and \
             `Manager::child_spec(manager)` into a supervisor's child specs:\n    \
             cx.add_handler::<{module}>(&Manager::local(manager), ()).await?;"
        )),
        _ => Some(format!(
            "to start it, put this into a supervisor's child specs:\n    \
             ChildSpec::of::<{module}>(()),"
        )),
    }
}

/// Refuses a name that OTP, a file of the application or a generated module already has.
fn check_free(name: &str, application: &Application) -> Result<()> {
    if let Some(path) = source_of(name, &application.folder) {
        return Err(taken(
            name,
            "this file or folder exists",
            path.display().to_string(),
        ));
    }
    let otp = Applications::of(&Installation::find()?);
    names::check_free(Named::Module, name, &otp)?;
    let package = cargo::package(&application.folder)?;
    if names::generated_modules(&package.name)
        .iter()
        .any(|module| module == name)
    {
        let what = "`cargo otp build` writes an Erlang module of this name";
        let location = application.folder.join("Cargo.toml");
        return Err(taken(name, what, location.display().to_string()));
    }
    Ok(())
}

fn source_of(name: &str, folder: &Path) -> Option<PathBuf> {
    let erlang = format!("{}/{name}.erl", erlang_sources::FOLDER);
    [names::source_file(name), format!("src/{name}"), erlang]
        .into_iter()
        .map(|path| folder.join(path))
        .find(|path| fs::symlink_metadata(path).is_ok())
}

fn taken(name: &str, what: &str, location: String) -> Error {
    catalog::NAME_TAKEN
        .with(&[&name, &what])
        .at(location)
        .help("choose another name, or remove what is there")
}
