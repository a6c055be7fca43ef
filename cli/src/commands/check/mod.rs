//! `cargo otp check`: builds the application, then reports what would fail when it runs.

mod calls;
mod checked;
mod functions;
mod mentions;
mod names;
mod pools;
mod rules;
mod shown;
mod tokens;
mod unregistered;

use crate::args::Check;
use crate::build::{BuildOptions, build, check_required};
use crate::installation::{Applications, Installation};
use crate::project::Application;
use crate::report::{Error, Result, Ui};
use crate::vm::configuration;
use crate::vm::declared::Question;
use calls::RustSources;
use checked::{Checked, has_others};
use rules::RULES;

pub(crate) fn execute(options: &Check, ui: &Ui) -> Result<()> {
    let arguments = super::texts(&options.arguments)?;
    let otp = Installation::find()?;
    let application = Application::find(options.built.manifest.path.as_deref())?;
    if let Some(file) = &application.config.release.config {
        configuration::check(&otp, &application.folder.join(file))?;
    }
    let order = BuildOptions::application(super::profile(&options.built));
    let built = build(&application, &otp, &order, ui)?;
    check_required(&otp, &built, &application.config)?;
    let sources = RustSources::below(&application.folder.join("src"), &built.workspace);
    let asked = functions::asked(&sources);
    let questions: Vec<Question> = asked.iter().map(|it| it.question.clone()).collect();
    let declared = super::declared(&application, &built, &otp, &arguments, &questions, ui)?;
    let checked = Checked {
        built: &built,
        declared: &declared,
        application: &application,
        shown: shown::names(&sources),
        sources: &sources,
        asked: &asked,
        otp: Applications::of(&otp),
        has_others: has_others(&application, &built, &otp),
    };
    let warnings = found(&checked, false);
    warnings.iter().for_each(|warning| ui.warning(warning));
    ui.all(found(&checked, true))?;
    ui.status("Checked", &checked.summary(warnings.len()));
    Ok(())
}

/// Returns the findings of rules with this severity.
fn found(checked: &Checked<'_>, is_error: bool) -> Vec<Error> {
    let rules = RULES.iter().filter(|rule| rule.is_error == is_error);
    rules.flat_map(|rule| rule.find.of(checked)).collect()
}
