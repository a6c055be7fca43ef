//! All applications that an application needs, each after those that it needs itself.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::located::of_elixir;
use super::resources::ResourceFile;
use super::{Dependency, at_line};
use crate::installation::{Applications, Installation, libraries, name_and_version};
use crate::project::Application;
use crate::report::{Error, Result, catalog};

/// The places in which applications are searched.
struct Search<'a> {
    /// The application being built.
    own: &'a str,
    resources: BTreeMap<&'a str, &'a ResourceFile>,
    otp: Applications,
    libraries: BTreeMap<String, PathBuf>,
}

/// An application on the path from one that otp.toml names.
struct Step<'a> {
    name: &'a str,
    above: Option<&'a Step<'a>>,
}

/// Returns the declared applications and those that they need, without those that every VM finds.
pub(super) fn closure(
    application: &Application,
    own: &str,
    resources: &[ResourceFile],
    otp: &Installation,
) -> Result<Vec<Dependency>> {
    let resources = resources.iter();
    let search = Search {
        own,
        resources: resources.map(|one| (one.name.as_str(), one)).collect(),
        otp: Applications::of(otp),
        libraries: libraries(),
    };
    let mut found = Vec::new();
    for declared in &application.config.dependencies {
        let name = &declared.name;
        let step = Step { name, above: None };
        search
            .add(&step, &mut found)
            .map_err(|error| at_line(error, application, declared.line))?;
        let mut found = found.iter_mut();
        if let Some(dependency) = found.find(|dependency| dependency.name == *name) {
            dependency.is_declared = true;
        }
    }
    Ok(found)
}

impl Search<'_> {
    fn add(&self, step: &Step<'_>, found: &mut Vec<Dependency>) -> Result<()> {
        if found.iter().any(|dependency| dependency.name == step.name) {
            return Ok(());
        }
        let Some(resource) = self.resources.get(step.name) else {
            found.extend(elixirs(step.name));
            return Ok(());
        };
        for name in &resource.needs {
            let is_above = step.names().any(|above| above == name);
            if is_above || name == self.own {
                return Err(step.cycle(name, self.own));
            }
            match self.resources.contains_key(name.as_str()) || of_elixir(name).is_some() {
                true => self.add(&step.to(name), found)?,
                false if self.is_on_every_path(name) || resource.optional.contains(name) => {}
                false => return Err(self.missing(resource, name)),
            }
        }
        found.push(Dependency {
            name: resource.name.clone(),
            version: resource.version.clone(),
            folder: resource.folder().to_owned(),
            modules: resource.modules.clone(),
            is_declared: false,
        });
        Ok(())
    }

    fn is_on_every_path(&self, name: &str) -> bool {
        self.otp.folder(name).is_some() || self.libraries.contains_key(name)
    }

    fn missing(&self, resource: &ResourceFile, name: &str) -> Error {
        catalog::NEEDS_MISSING.with(&[&resource.name, &name])
    }
}

/// Returns an application of Elixir, which a VM does not find by itself.
fn elixirs(name: &str) -> Option<Dependency> {
    let folder = of_elixir(name)?;
    let version = folder.file_name().map(Path::new)?;
    let version = version.to_string_lossy();
    let (_, numbers) = name_and_version(&version);
    Some(Dependency {
        name: name.to_owned(),
        version: numbers
            .iter()
            .map(u64::to_string)
            .collect::<Vec<_>>()
            .join("."),
        folder,
        modules: Vec::new(),
        is_declared: false,
    })
}

impl<'a> Step<'a> {
    fn to(&'a self, name: &'a str) -> Step<'a> {
        Step {
            name,
            above: Some(self),
        }
    }

    /// Returns this application, and those above it.
    fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::successors(Some(self), |step| step.above).map(|step| step.name)
    }

    /// Returns the error for a path from an application to itself, or to the one being built.
    fn cycle(&self, back_to: &str, own: &str) -> Error {
        let mut names: Vec<&str> = vec![back_to];
        for name in self.names() {
            names.push(name);
            if name == back_to {
                break;
            }
        }
        if back_to == own {
            names.push(own);
        }
        names.reverse();
        catalog::DEPENDENCY_CYCLE.with(&[&names.join(" → ")])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cycle_is_shown_from_its_first_application_to_the_same() {
        let (a, b, c) = ("a", "b", "c");
        let first = Step {
            name: a,
            above: None,
        };
        let second = first.to(b);
        let third = second.to(c);
        let shown = |name: &str| third.cycle(name, "shop").what().to_owned();
        assert!(shown("b").ends_with("b → c → b"), "{}", shown("b"));
        assert!(shown("shop").ends_with("shop → a → b → c → shop"));
    }
}
