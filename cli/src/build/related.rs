//! The applications that otp.toml names in `[application]`.

use std::fs;
use std::path::Path;

use super::Built;
use super::dependencies::{Dependency, installed_at};
use crate::installation::Applications;
use crate::project::Application;
use crate::project::config::Config;
use crate::report::{Result, catalog};

/// An application that waits for itself would never start.
pub(super) fn check(config: &Config, name: &str) -> Result<()> {
    let related = &config.related;
    let lists = [
        ("applications", &related.applications),
        ("included_applications", &related.included_applications),
    ];
    for (key, names) in lists {
        if names.iter().any(|other| other == name) {
            let expected = format!("a list of other applications, without `{name}` itself");
            let error = catalog::WRONG_VALUE.with(&[&format!("application.{key}"), &expected]);
            return Err(error.at(config.path.display()));
        }
    }
    Ok(())
}

/// Included applications must be installed, because loading an application loads them, and the
/// build could not be loaded without them. Applications that are only started before it may exist
/// only on the machine that runs it.
pub(super) fn check_included(
    application: &Application,
    otp: &Applications,
    dependencies: &[Dependency],
    others: &[Built],
) -> Result<()> {
    let config = &application.config;
    let is_known = |name: &String| {
        dependencies.iter().any(|one| one.name == *name)
            || others.iter().any(|one| one.name == *name)
            || installed_at(name, otp).is_some()
    };
    let mut all = config.related.included_applications.clone();
    let mut next = 0;
    // An included application may include others, which are loaded with it.
    while let Some(name) = all.get(next).filter(|name| is_known(name)) {
        let mut dependencies = dependencies.iter();
        let folder = dependencies
            .find(|one| one.name == *name)
            .map(|one| one.folder.clone())
            .or_else(|| installed_at(name, otp));
        let more = folder.map(|folder| included_by(&folder.join(format!("ebin/{name}.app"))));
        let more = more.unwrap_or_default().into_iter();
        let more: Vec<String> = more.filter(|name| !all.contains(name)).collect();
        all.extend(more);
        next += 1;
    }
    let Some(name) = all.get(next) else {
        return Ok(());
    };
    let place = format!("{}:{}", config.path.display(), config.related.included_line);
    Err(catalog::NO_SUCH_APPLICATION.with(&[name]).at(place))
}

/// Returns the applications that a resource file includes. Of a file that is not one, there are
/// none.
fn included_by(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).unwrap_or_default();
    let list = text
        .split_once("{included_applications")
        .and_then(|(_, rest)| rest.split_once('['))
        .and_then(|(_, rest)| rest.split_once(']'));
    let names = list.map_or("", |(names, _)| names).split(',');
    let names = names.map(|name| name.trim().trim_matches('\'').to_owned());
    names.filter(|name| !name.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resource_file_lists_what_it_includes() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("shop.app");
        let included = |text: &str| {
            fs::write(&file, text).unwrap();
            included_by(&file)
        };
        let text = "{application, shop, [{applications, [kernel]}, {included_applications, [till, 'x-y']}]}.";
        assert_eq!(included(text), ["till", "x-y"]);
        assert!(included("{application, shop, [{included_applications, []}]}.").is_empty());
        assert!(included("{application, shop, []}.").is_empty());
    }
}
