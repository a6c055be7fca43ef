//! The applications that otp.toml names in `[application]`.

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
    let mut included = config.related.included_applications.iter();
    let Some(name) = included.find(|name| !is_known(name)) else {
        return Ok(());
    };
    let place = format!("{}:{}", config.path.display(), config.related.included_line);
    Err(catalog::NO_SUCH_APPLICATION.with(&[name]).at(place))
}
