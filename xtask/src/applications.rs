//! The workspace of all applications: the examples, and the applications of tests with a VM.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::step::{self, Outcome, applications_target, cargo, root};

/// The folder with the manifest of the workspace.
const WORKSPACE: &str = "examples";

/// The parts of a dependency that determine which features it enables.
const ENABLING: [&str; 6] = [
    "name",
    "kind",
    "features",
    "uses_default_features",
    "optional",
    "target",
];

/// An application with the packages in its folder.
#[derive(Debug, PartialEq)]
pub(crate) struct Application {
    pub(crate) folder: PathBuf,
    packages: Vec<String>,
    /// The dependencies of the packages, without versions.
    dependencies: Vec<Value>,
}

/// Returns the path of the workspace.
pub(crate) fn workspace() -> PathBuf {
    root().join(WORKSPACE)
}

/// Returns a cargo command in the workspace.
pub(crate) fn in_workspace(arguments: &[&str]) -> Command {
    let mut cargo = cargo(&workspace(), arguments);
    cargo.env("CARGO_TARGET_DIR", applications_target());
    cargo
}

/// Returns the applications in a folder, in the order of their names.
pub(crate) fn below(parent: &str) -> Outcome<Vec<Application>> {
    Ok(of(&step::metadata(&workspace())?, &root().join(parent)))
}

fn of(metadata: &Value, parent: &Path) -> Vec<Application> {
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let mut packages: Vec<(PathBuf, &Value)> = packages
        .filter_map(|package| {
            let manifest = Path::new(package["manifest_path"].as_str()?);
            Some((manifest.parent()?.to_owned(), package))
        })
        .filter(|(folder, _)| folder.starts_with(parent))
        .collect();
    packages.sort_by(|(one, _), (other, _)| one.cmp(other));
    let mut found: Vec<Application> = Vec::new();
    for (folder, package) in packages {
        match found.last_mut() {
            Some(last) if folder.starts_with(&last.folder) => last.add(package),
            _ => {
                let mut application = Application {
                    folder,
                    packages: Vec::new(),
                    dependencies: Vec::new(),
                };
                application.add(package);
                found.push(application);
            }
        }
    }
    found
}

impl Application {
    /// Returns the names of the packages.
    pub(crate) fn packages(&self) -> Vec<&str> {
        self.packages.iter().map(String::as_str).collect()
    }

    fn add(&mut self, package: &Value) {
        let name = package["name"].as_str().unwrap_or_default();
        self.packages.push(name.to_owned());
        let dependencies = package["dependencies"].as_array().into_iter().flatten();
        self.dependencies
            .extend(dependencies.map(|it| json!(ENABLING.map(|part| it[part].clone()))));
    }
}

/// Returns the names of packages, grouped for runs of cargo. Applications in one group have equal
/// dependencies. In one run, cargo enables the features of all packages; if these differed, `cargo
/// otp` would build the run time once more for an application alone.
pub(crate) fn groups(applications: &[Application]) -> Vec<Vec<&str>> {
    let mut groups: Vec<(&[Value], Vec<&str>)> = Vec::new();
    for application in applications {
        let names = application.packages();
        let same = groups
            .iter_mut()
            .find(|(dependencies, _)| **dependencies == application.dependencies);
        match same {
            Some((_, group)) => group.extend(names),
            None => groups.push((&application.dependencies, names)),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// Returns the arguments that select packages.
pub(crate) fn selecting<'name>(packages: &[&'name str]) -> Vec<&'name str> {
    packages
        .iter()
        .flat_map(|name| ["--package", name])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(folder: &str, features: &[&str]) -> Value {
        let name = folder.rsplit('/').next().unwrap();
        let bridge = json!({ "name": "otp-bridge", "kind": null, "features": features });
        json!({ "name": name, "manifest_path": format!("/p/{folder}/Cargo.toml"),
            "dependencies": [bridge] })
    }

    #[test]
    fn packages_inside_an_application_are_built_with_it() {
        let packages = ["examples/b", "examples/b/inner", "apps/z", "examples/a"];
        let packages = packages.map(|folder| package(folder, &[]));
        let found = of(&json!({ "packages": packages }), Path::new("/p/examples"));
        let names: Vec<&[String]> = found.iter().map(|it| &it.packages[..]).collect();
        assert_eq!(names, [&["a"][..], &["b", "inner"]]);
    }

    #[test]
    fn one_run_of_cargo_builds_applications_with_the_same_features() {
        let with = |name: &str, features: &[&str]| package(&format!("apps/{name}"), features);
        let packages = [with("a", &[]), with("b", &["net"]), with("c", &[])];
        let found = of(&json!({ "packages": packages }), Path::new("/p/apps"));
        assert_eq!(groups(&found), [&["a", "c"][..], &["b"]]);
    }

    #[test]
    fn most_applications_of_tests_use_only_the_run_time() {
        let found = below("tests/apps").unwrap();
        let groups = groups(&found);
        assert!(groups.iter().any(|group| group.len() > 5), "{groups:?}");
        let jungle = below("examples").unwrap();
        let jungle = jungle.iter().find(|it| it.folder.ends_with("jungle"));
        assert_eq!(jungle.unwrap().packages.len(), 4);
    }
}
