//! Compares otp.toml with the manifest of the built library: both must name the same modules.

use otp_codegen::BRIDGE_BEHAVIOURS;
use otp_codegen::erlang::{START_PHASE, wrong_types};
use otp_contract::erlang::quote_atom as atom;
use otp_contract::manifest::{Callback, Manifest, Module};

use crate::project::config::{Config, Declared, Phase};
use crate::project::names;
use crate::report::{Error, Result, catalog};

/// Refuses all disagreements at once. Each line says what otp.toml has and what the code has. Tests may have modules of
/// their own, which otp.toml does not have.
pub(crate) fn check(config: &Config, manifest: &Manifest, has_tests: bool) -> Result<()> {
    let mut found: Vec<String> = Vec::new();
    for declared in &config.behaviours {
        found.extend(one_side(declared, manifest));
    }
    for module in &manifest.modules {
        if let Some(behaviour) = &module.behaviour
            && config.declared(&module.module).is_none()
            && !has_tests
        {
            found.push(format!(
                "`{module}`: `{rust}` is a {behaviour}, but otp.toml has no `behaviours.{module}`; \
                 add the line {module} = \"{behaviour}\"",
                module = module.module,
                rust = module.rust_path,
            ));
        }
    }
    found.extend(twice(manifest));
    found.extend(applications(manifest));
    found.extend(root(config));
    found.extend(command_line(config, manifest));
    found.extend(phases(config, manifest));
    if found.is_empty() {
        return Ok(());
    }
    let error = catalog::DISAGREEMENT.error().at(config.path.display());
    Err(found.into_iter().fold(error, Error::detail))
}

/// Refuses types whose Erlang text is not a type. The compiler would blame the generated module.
pub(crate) fn check_types(manifest: &Manifest) -> Result<()> {
    for module in &manifest.modules {
        let wrong = wrong_types(module);
        if !wrong.is_empty() {
            let error = catalog::NOT_ERLANG.with(&[&module.rust_path]);
            return Err(wrong.into_iter().fold(error, Error::detail));
        }
    }
    Ok(())
}

fn one_side(declared: &Declared, manifest: &Manifest) -> Option<String> {
    let Declared {
        module,
        behaviour,
        line,
    } = declared;
    match manifest
        .modules
        .iter()
        .find(|built| built.module == *module)
    {
        None => Some(format!(
            "`{module}`: otp.toml:{line} says {behaviour}, but the code has no such module; write \
             `#[{}] impl … for {}` in {} and `pub mod {module};` in src/lib.rs, or remove \
             the line",
            attribute(behaviour),
            names::type_name(module),
            names::source_file(module),
        )),
        Some(Module {
            behaviour: None,
            rust_path,
            ..
        }) => Some(format!(
            "`{module}`: otp.toml:{line} says {behaviour}, but `{rust_path}` has only functions, and its module is not \
             listed; remove the line"
        )),
        Some(Module {
            behaviour: Some(built),
            rust_path,
            ..
        }) if built != behaviour => Some(format!(
            "`{module}`: otp.toml:{line} says {behaviour}, but `{rust_path}` is a {built}; change \
             one of them"
        )),
        Some(_) => None,
    }
}

/// The attribute of a behaviour's `impl`. otp-bridge has some behaviours, and the application may have
/// others.
fn attribute(behaviour: &str) -> String {
    if BRIDGE_BEHAVIOURS.contains(&behaviour) {
        behaviour.to_owned()
    } else {
        format!("behaviour(…::{behaviour})")
    }
}

/// Two Rust types cannot be one Erlang module.
fn twice(manifest: &Manifest) -> Vec<String> {
    let mut modules: Vec<&Module> = manifest.modules.iter().collect();
    modules.sort_by_key(|module| &module.module);
    modules
        .windows(2)
        .filter(|pair| pair[0].module == pair[1].module)
        .map(|pair| {
            format!(
                "`{}`: both `{}` and `{}` are this module; move one into a file of its own",
                pair[0].module, pair[0].rust_path, pair[1].rust_path
            )
        })
        .collect()
}

/// The module with the application's own callbacks, if there is one.
pub(crate) fn application(manifest: &Manifest) -> Option<&Module> {
    manifest
        .modules
        .iter()
        .find(|module| is_application(module))
}

fn is_application(module: &Module) -> bool {
    module.behaviour.as_deref() == Some("application")
}

/// An application starts one way.
fn applications(manifest: &Manifest) -> Option<String> {
    let modules = manifest
        .modules
        .iter()
        .filter(|module| is_application(module));
    let names: Vec<&str> = modules.map(|module| module.rust_path.as_str()).collect();
    (names.len() > 1).then(|| {
        format!(
            "`{}` are both `application`, and only one may be; remove the others",
            names.join("` and `")
        )
    })
}

/// The root supervisor must be one of the modules, and a supervisor.
fn root(config: &Config) -> Option<String> {
    let Config {
        stroot,
        stroot_line,
        ..
    } = config;
    match config.declared(stroot) {
        None => Some(format!(
            "`{stroot}`: otp.toml:{stroot_line} says that it is the root supervisor \
             (`system.stroot`), but `[behaviours]` has no `{stroot}`"
        )),
        Some(declared) if declared.behaviour != "supervisor" => Some(format!(
            "`{stroot}`: otp.toml:{stroot_line} says that it is the root supervisor \
             (`system.stroot`), but otp.toml:{} says {}",
            declared.line, declared.behaviour
        )),
        Some(_) => None,
    }
}

/// Who is given the command line must take one: the application's own callbacks, or else the root
/// supervisor.
fn command_line(config: &Config, manifest: &Manifest) -> Option<String> {
    let root = |module: &&Module| module.module == config.stroot;
    let (module, who, argument) = match application(manifest) {
        Some(module) => (module, "the application's `start/2`", "StartArgs"),
        None => (
            manifest.modules.iter().find(root)?,
            "the root supervisor",
            "Args",
        ),
    };
    let refusal = module.refuses_command_line.as_ref()?;
    Some(format!(
        "`{}`: {who} is given the command line, a list of texts, and `{}` does not take that: {refusal}; write \
         `type {argument} = Vec<String>;`",
        module.module, module.rust_path
    ))
}

/// Each phase of the start has a clause, and each clause a phase.
fn phases(config: &Config, manifest: &Manifest) -> Vec<String> {
    let phases = &config.related.start_phases;
    let module = application(manifest);
    let callback = module.and_then(|it| it.callbacks.iter().find(|it| it.name == START_PHASE));
    let (Some(module), Some(callback)) = (module, callback) else {
        let without = |phase: &Phase| {
            format!(
                "`{}`: otp.toml:{} says that it is a phase of the start, but the code has no `start_phase`; write \
                 `fn start_phase(…)` into the block `impl Application for …`",
                phase.name, phase.line
            )
        };
        return phases.iter().map(without).collect();
    };
    let Some(taken) = atoms_of_first(module, callback) else {
        return Vec::new();
    };
    let rust = &module.rust_path;
    let missing = phases
        .iter()
        .filter(|phase| !taken.contains(&atom(&phase.name).as_str()));
    let missing = missing.map(|phase| {
        format!(
            "`{}`: otp.toml:{} says that it is a phase of the start, but `start_phase` of `{rust}` has no clause for it",
            phase.name, phase.line
        )
    });
    let unknown = taken
        .iter()
        .filter(|text| !phases.iter().any(|phase| atom(&phase.name) == **text));
    let unknown = unknown.map(|text| {
        format!(
            "`{text}`: `start_phase` of `{rust}` has a clause for it, but `application.start_phases` in otp.toml does \
             not name it"
        )
    });
    missing.chain(unknown).collect()
}

/// The atoms that a callback's clauses take as their first arguments. `None` if one takes another term.
fn atoms_of_first<'m>(module: &'m Module, callback: &'m Callback) -> Option<Vec<&'m str>> {
    let mut atoms = Vec::new();
    for member in callback.signature.arguments.first()?.split(" | ") {
        let named = member
            .strip_suffix("()")
            .and_then(|name| module.types.iter().find(|it| it.name == name));
        let text = named.map_or(member, |named| &named.text);
        let members = text.split(" | ").map(str::trim);
        atoms.extend(members);
    }
    let is_atom = |text: &&str| {
        let first = text.chars().next();
        !text.contains(['(', '{', '[', '#'])
            && first.is_some_and(|it| it == '\'' || it.is_ascii_lowercase())
    };
    atoms.iter().all(is_atom).then_some(atoms)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn config(stroot: &str, behaviours: &[(&str, &str)]) -> Config {
        Config {
            path: PathBuf::from("otp.toml"),
            text: String::new(),
            stroot: stroot.into(),
            stroot_line: 2,
            related: crate::project::config::Related::default(),
            vm: crate::project::config::Vm::default(),
            release: crate::project::config::Release::default(),
            environment: Vec::new(),
            dependencies: Vec::new(),
            behaviours: behaviours
                .iter()
                .zip(5..)
                .map(|((module, behaviour), line)| Declared {
                    module: (*module).into(),
                    behaviour: (*behaviour).into(),
                    line,
                })
                .collect(),
        }
    }

    fn manifest(modules: &[(&str, &str)]) -> Manifest {
        Manifest {
            modules: modules
                .iter()
                .map(|(module, behaviour)| Module {
                    module: (*module).into(),
                    behaviour: Some((*behaviour).into()),
                    doc: String::new(),
                    protocol: None,
                    rust_path: format!("app::{module}::{}", names::type_name(module)),
                    callbacks: Vec::new(),
                    start: Vec::new(),
                    shows_state: None,
                    state: None,
                    types: Vec::new(),
                    refuses_command_line: None,
                })
                .collect(),
        }
    }

    fn disagreements(config: &Config, manifest: &Manifest) -> Vec<String> {
        check(config, manifest, false)
            .err()
            .map_or(Vec::new(), |error| error.details().to_vec())
    }

    #[test]
    fn agreement() {
        let both = [("stroot", "supervisor"), ("counter", "gen_server")];
        assert!(disagreements(&config("stroot", &both), &manifest(&both)).is_empty());
    }

    #[test]
    fn every_disagreement_names_both_sides() {
        let config = config(
            "stroot",
            &[
                ("stroot", "supervisor"),
                ("a", "gen_server"),
                ("b", "gen_server"),
            ],
        );
        let built = [
            ("stroot", "supervisor"),
            ("b", "supervisor"),
            ("c", "gen_server"),
        ];
        let found = disagreements(&config, &manifest(&built));
        assert_eq!(found.len(), 3, "{found:#?}");
        assert!(
            found[0].contains("otp.toml:6") && found[0].contains("src/a.rs"),
            "{}",
            found[0]
        );
        assert!(
            found[1].contains("otp.toml:7") && found[1].contains("app::b::B"),
            "{}",
            found[1]
        );
        assert!(found[2].contains("app::c::C") && found[2].contains("c = \"gen_server\""));
    }

    #[test]
    fn who_is_given_the_command_line_takes_it() {
        let root = [("stroot", "supervisor"), ("other", "supervisor")];
        let mut built = manifest(&root);
        let refusal = || Some("expected non_neg_integer(), got []".to_owned());
        built.modules[1].refuses_command_line = refusal();
        assert!(disagreements(&config("stroot", &root), &built).is_empty());
        built.modules[0].refuses_command_line = refusal();
        let found = disagreements(&config("stroot", &root), &built);
        assert_eq!(found.len(), 1, "{found:?}");
        for part in ["app::stroot::Stroot", "got []", "type Args = Vec<String>;"] {
            assert!(found[0].contains(part), "{found:?}");
        }
        // The application's own callbacks start the root supervisor with what they like.
        let both = [("stroot", "supervisor"), ("own", "application")];
        let mut built = manifest(&both);
        built.modules[0].refuses_command_line = refusal();
        assert!(disagreements(&config("stroot", &both), &built).is_empty());
        built.modules[1].refuses_command_line = refusal();
        let found = disagreements(&config("stroot", &both), &built);
        assert!(found[0].contains("type StartArgs"), "{found:?}");
    }

    #[test]
    fn two_types_are_not_one_module() {
        let config = config("a", &[("a", "supervisor")]);
        let found = disagreements(
            &config,
            &manifest(&[("a", "supervisor"), ("a", "supervisor")]),
        );
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("both `app::a::A`"), "{found:?}");
    }

    #[test]
    fn the_root_must_be_a_declared_supervisor() {
        let modules = [("a", "gen_server")];
        let found = disagreements(&config("root", &modules), &manifest(&modules));
        assert!(found[0].contains("has no `root`"), "{found:?}");
        let found = disagreements(&config("a", &modules), &manifest(&modules));
        assert!(found[0].contains("otp.toml:5 says gen_server"), "{found:?}");
    }
}
