//! How a child is started, if it is a process of one of the application's own modules.
//!
//! | child spec | `start` |
//! |---|---|
//! | [`ChildSpec::of`](super::ChildSpec::of) | `{counter, start_link, [Args]}`, and what `StartArguments` says |
//! | [`ChildSpec::template`](super::ChildSpec::template) | `{counter, start_link, []}`, which `supervisor:start_child/2` completes by `[Args]` |
//! | a template with options | `{otp_rs, start_child, [counter, Options]}`, the same: OTP adds arguments only at the end |

use super::Mfargs;
use crate::behaviour::start::{StartArguments, StartOptions, StartParts, check_options};
use crate::process::Name;
use crate::runtime::{Behaviour, behaviour_of, protocol};
use crate::{Atom, FromTerm, Term, atoms};

const HELPER: Atom = Atom::of_program(&protocol::HELPER);

/// What is known of a child's start.
pub(super) enum ChildStart<'s> {
    /// `{Module, start_link, Arguments}` of one of the application's modules.
    Process(&'static Behaviour, StartParts<'s>),
    /// A template, of the module with this behaviour.
    Template(&'static Behaviour, Atom),
    /// Any other function.
    Function,
}

impl<'s> ChildStart<'s> {
    pub(super) fn read(start: &'s Mfargs) -> Self {
        let Mfargs {
            m: module,
            f: function,
            a: Some(arguments),
        } = start
        else {
            return ChildStart::Function;
        };
        if *module == HELPER && *function == *"start_child" {
            let of = arguments.first().and_then(|of| Atom::from_term(of).ok());
            let behaviour = of.as_ref().and_then(|of| behaviour_of(of.text()));
            return match (of, behaviour) {
                (Some(of), Some(behaviour)) => ChildStart::Template(behaviour, of),
                _ => ChildStart::Function,
            };
        }
        match behaviour_of(module.text()) {
            Some(behaviour) if *function == *"start_link" => {
                match StartParts::read(behaviour, arguments) {
                    Some(parts) => ChildStart::Process(behaviour, parts),
                    None if arguments.is_empty() => ChildStart::Template(behaviour, module.clone()),
                    None => ChildStart::Function,
                }
            }
            _ => ChildStart::Function,
        }
    }
}

/// `{local, Name}` and the like, if a child that is started so is a process of one of the application's modules and has a name.
pub(super) fn name(start: &Mfargs) -> Option<&Term> {
    // A process without a name is mostly started with its argument alone. That much is seen without looking for its module.
    start.a.as_ref().filter(|arguments| arguments.len() > 1)?;
    match ChildStart::read(start) {
        ChildStart::Process(_, parts) => parts.name,
        ChildStart::Template(..) | ChildStart::Function => None,
    }
}

/// The module of which a child spec that starts a child so is a template.
pub(super) fn template(start: &Mfargs) -> Option<Atom> {
    let arguments = start.a.as_ref()?;
    if !arguments.is_empty() && start.m != HELPER {
        return None;
    }
    match ChildStart::read(start) {
        ChildStart::Template(_, module) => Some(module),
        ChildStart::Process(..) | ChildStart::Function => None,
    }
}

/// Gives a child a name.
///
/// # Errors
/// What is wrong with that.
pub(super) fn register(start: &mut Mfargs, name: &Name) -> Result<(), String> {
    match ChildStart::read(start) {
        ChildStart::Process(behaviour, parts) => {
            let mut arguments = StartArguments::from(parts);
            arguments.register(name)?;
            start.a = Some(arguments.into_list(behaviour));
            Ok(())
        }
        ChildStart::Template(..) => Err(
            "cannot be registered: it is a template of many processes, and a name is of one"
                .to_owned(),
        ),
        ChildStart::Function => Err(format!(
            "cannot be registered: it is started by `{}:{}`, whose arguments say how",
            start.m, start.f
        )),
    }
}

/// Gives a child's start options.
///
/// # Errors
/// What is wrong with that.
pub(super) fn set_options(start: &mut Mfargs, options: &StartOptions) -> Result<(), String> {
    match ChildStart::read(start) {
        ChildStart::Process(behaviour, parts) => {
            let mut arguments = StartArguments::from(parts);
            arguments.set_options(behaviour, options)?;
            start.a = Some(arguments.into_list(behaviour));
            Ok(())
        }
        ChildStart::Template(behaviour, module) => {
            check_options(behaviour)?;
            let arguments = vec![Term::of(&module), Term::of(options)];
            *start = Mfargs {
                m: HELPER,
                f: atoms::start_child.into(),
                a: Some(arguments),
            };
            Ok(())
        }
        ChildStart::Function => Err(format!(
            "takes no start options: it is started by `{}:{}`, whose arguments say how",
            start.m, start.f
        )),
    }
}
