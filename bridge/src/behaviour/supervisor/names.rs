//! The name that a child registers under: the first argument of its module's `start_link`.

use otp_contract::manifest::MODULE_ARGUMENT;

use super::Mfargs;
use crate::behaviour::start::local_name;
use crate::runtime::{StartFunction, behaviour_of};
use crate::{Atom, Term};

/// Gives a child a name.
///
/// # Errors
/// What is wrong with that.
pub(super) fn register(start: &mut Mfargs, name: Atom) -> Result<(), String> {
    if let Some(known) = registered_name(start) {
        return Err(format!(
            "is registered as `{known}` already; a process has one name"
        ));
    }
    let forms = functions(start);
    if !forms.is_empty() && !forms.iter().any(|form| has_name(form)) {
        let module = &start.m;
        return Err(format!(
            "cannot be registered: the behaviour of `{module}` starts no process with a name"
        ));
    }
    if let Some(arguments) = &mut start.a {
        arguments.insert(0, local_name(name));
    }
    Ok(())
}

/// `{local, Name}` and the like, if the child is a process of one of the application's modules and has
/// a name.
pub(super) fn registered_name(start: &Mfargs) -> Option<&Term> {
    let arguments = start.a.as_ref()?;
    // The module is not among the arguments of its own function.
    let fits = |form: &&StartFunction| form.arguments.len() == arguments.len() + 1;
    let forms = functions(start);
    let form = forms.into_iter().find(|form| fits(form))?;
    arguments.first().filter(|_| has_name(form))
}

/// Whether the function takes a name before the module.
fn has_name(form: &StartFunction) -> bool {
    form.arguments.first() != Some(&MODULE_ARGUMENT)
}

/// The functions that may start the child, if it is of one of the application's modules.
fn functions(start: &Mfargs) -> Vec<&'static StartFunction> {
    let Mfargs { m, f, .. } = start;
    let forms = behaviour_of(m.text()).map_or(&[][..], |behaviour| behaviour.start);
    let of_name = |form: &&StartFunction| *f == form.name;
    forms.iter().filter(of_name).collect()
}
