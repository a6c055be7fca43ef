//! Manifests that are refused.

use std::fs;

use super::*;
use otp_contract::manifest::Location;
use std::path::PathBuf;

fn config(stroot: &str) -> Config {
    Config {
        path: PathBuf::from("otp.toml"),
        text: String::new(),
        stroot: stroot.into(),
        stroot_line: 2,
        related: crate::project::config::Related::default(),
        vm: crate::project::config::Vm::default(),
        release: crate::project::config::ReleaseConfig::default(),
        environment: Vec::new(),
        dependencies: Vec::new(),
    }
}

pub(in super::super) fn manifest(modules: &[(&str, &str)]) -> Manifest {
    let module = |(module, behaviour): &(&str, &str)| Module {
        module: (*module).into(),
        behaviour: Some((*behaviour).into()),
        doc: String::new(),
        protocol: None,
        rust_path: format!("app::{module}::{}", module.to_uppercase()),
        location: Location {
            file: format!("src/{module}.rs"),
            line: 3,
            column: 1,
        },
        callbacks: Vec::new(),
        start: Vec::new(),
        left_out: Vec::new(),
        state: None,
        types: Vec::new(),
        refuses_command_line: None,
        used_names: Vec::new(),
    };
    Manifest {
        modules: modules.iter().map(module).collect(),
    }
}

fn differences(stroot: &str, manifest: &Manifest) -> Vec<String> {
    let errors = check(&config(stroot), manifest, &Package::default());
    let texts = |error: &Error| [error.details(), &[error.what().to_owned()]].concat();
    errors.iter().flat_map(texts).collect()
}

#[test]
fn agreement() {
    let both = [("stroot", "supervisor"), ("counter", "gen_server")];
    assert!(differences("stroot", &manifest(&both)).is_empty());
}

#[test]
fn who_is_given_the_command_line_takes_it() {
    let root = [("stroot", "supervisor"), ("other", "supervisor")];
    let mut built = manifest(&root);
    let refusal = || Some("expected non_neg_integer(), got []".to_owned());
    built.modules[1].refuses_command_line = refusal();
    assert!(differences("stroot", &built).is_empty());
    built.modules[0].refuses_command_line = refusal();
    let errors = check(&config("stroot"), &built, &Package::default());
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(
        errors[0].what().contains("app::stroot::STROOT"),
        "{errors:?}"
    );
    assert_eq!(errors[0].location(), Some("src/stroot.rs:3:1"));
    assert!(errors[0].details()[0].contains("got []"), "{errors:?}");
    assert!(errors[0].remedies()[0].contains("type Args = Vec<String>;"));
    // The application's own callbacks may start the root supervisor with any argument.
    let mut built = manifest(&[("stroot", "supervisor"), ("own", "application")]);
    built.modules[0].refuses_command_line = refusal();
    assert!(differences("stroot", &built).is_empty());
    built.modules[1].refuses_command_line = refusal();
    let errors = check(&config("stroot"), &built, &Package::default());
    assert!(
        errors[0].remedies()[0].contains("type StartArgs"),
        "{errors:?}"
    );
}

#[test]
fn an_application_starts_one_way() {
    let built = manifest(&[
        ("a", "application"),
        ("b", "supervisor"),
        ("c", "application"),
    ]);
    let found = differences("b", &built);
    for part in [
        "src/a.rs:3:1: `app::a::A`",
        "src/c.rs:3:1: `app::c::C`",
        "2 modules",
    ] {
        assert!(found.iter().any(|line| line.contains(part)), "{found:?}");
    }
}

#[test]
fn the_root_is_a_supervisor_of_the_code() {
    let says = |stroot: &str, modules: &[(&str, &str)]| {
        let found = differences(stroot, &manifest(modules));
        assert!(found[0].contains("otp.toml:2"), "{found:?}");
        found[0].clone()
    };
    assert!(
        says("a", &[("a", "gen_server")]).contains("`app::a::A` is of the behaviour `gen_server`")
    );
    assert!(says("root", &[("a", "gen_server")]).contains("no supervisor at all"));
    assert!(says("root", &[("rot", "supervisor")]).contains("did you mean `rot`?"));
    let other = [("everything", "supervisor"), ("b", "supervisor")];
    assert!(says("root", &other).contains("`everything`"));
}

#[test]
fn two_types_are_not_one_module() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("src")).unwrap();
    fs::write(folder.path().join("src/a.rs"), "\n\n#[supervisor]\n").unwrap();
    let package = Package {
        workspace: folder.path().to_owned(),
        ..Package::default()
    };
    let modules = manifest(&[
        ("a", "supervisor"),
        ("b", "gen_server"),
        ("a", "supervisor"),
    ]);
    let found = twice(&modules, &package);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].what().contains("both `app::a::A`"), "{found:?}");
    assert_eq!(found[0].location(), Some("src/a.rs:3:1"));
    assert_eq!(found[0].details(), ["#[supervisor]\n^"]);
    // The message is the same if a source no longer exists.
    fs::remove_file(folder.path().join("src/a.rs")).unwrap();
    let found = twice(&modules, &package);
    assert!(found[0].details().is_empty(), "{found:?}");
}
