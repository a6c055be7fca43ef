//! The start functions of children that are processes of the application's own modules.
//!
//! | child spec | `start` |
//! |---|---|
//! | [`ChildSpec::of`](super::ChildSpec::of) | `{counter, start_link, [Args]}`, or another of the lists in `StartArguments` |
//! | [`ChildSpec::template`](super::ChildSpec::template) | `{counter, start_link, []}`; `supervisor:start_child/2` appends `[Args]` |
//! | [`ChildSpec::isolated`](super::ChildSpec::isolated) | `{otp_rs_isolated, start_link, [Isolation, counter, [Args]]}` |
//! | [`ChildSpec::isolated_template`](super::ChildSpec::isolated_template) | `{otp_rs_isolated, start_child, [Isolation, counter, Options]}`; `supervisor:start_child/2` appends `[Args]` |
//! | a template with options | `{otp_rs, start_child, [counter, Options]}`; `supervisor:start_child/2` appends `[Args]`, and can append arguments only at the end |

use super::Mfargs;
use super::isolation::{self, IsolatedStart, set_arguments};
use crate::behaviour::start::{StartArguments, StartOptions, StartParts, check_options};
use crate::process::Name;
use crate::runtime::{Behaviour, behaviour_of, protocol};
use crate::{Atom, FromTerm, Term, atoms};

/// The start function of a child, as far as it is known.
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
        if let Some(isolated) = IsolatedStart::read(start) {
            return Self::process(&isolated.module, isolated.arguments);
        }
        if let Some((_, module)) = isolation::template(start) {
            let behaviour = behaviour_of(module.text());
            return behaviour.map_or(ChildStart::Function, |behaviour| {
                ChildStart::Template(behaviour, module)
            });
        }
        let Mfargs {
            m: module,
            f: function,
            a: Some(arguments),
        } = start
        else {
            return ChildStart::Function;
        };
        if *module == Atom::of_program(&protocol::HELPER) && *function == *"start_child" {
            let of = arguments.first().and_then(|of| Atom::from_term(of).ok());
            let behaviour = of.as_ref().and_then(|of| behaviour_of(of.text()));
            return match (of, behaviour) {
                (Some(of), Some(behaviour)) => ChildStart::Template(behaviour, of),
                _ => ChildStart::Function,
            };
        }
        if *function == *"start_link" {
            Self::process(module, arguments)
        } else {
            ChildStart::Function
        }
    }

    /// `Module:start_link(Arguments...)`
    fn process(module: &Atom, arguments: &'s [Term]) -> Self {
        let Some(behaviour) = behaviour_of(module.text()) else {
            return ChildStart::Function;
        };
        match StartParts::read(behaviour, arguments) {
            Some(parts) => ChildStart::Process(behaviour, parts),
            None if arguments.is_empty() => ChildStart::Template(behaviour, module.clone()),
            None => ChildStart::Function,
        }
    }

    /// Returns `{local, Name}` or another name, if the child is a process of one of the
    /// application's modules and has one.
    pub(super) fn name(&self) -> Option<&'s Term> {
        match self {
            ChildStart::Process(_, parts) => parts.name,
            ChildStart::Template(..) | ChildStart::Function => None,
        }
    }

    /// Returns the module whose processes a template starts.
    pub(super) fn template(&self) -> Option<&Atom> {
        match self {
            ChildStart::Template(_, module) => Some(module),
            ChildStart::Process(..) | ChildStart::Function => None,
        }
    }
}

/// Returns the module whose process the child is, in whichever VM it runs.
pub(super) fn module_of(start: &Mfargs) -> Atom {
    let isolated = IsolatedStart::read(start).map(|it| it.module);
    let template = || ChildStart::read(start).template().cloned();
    isolated
        .or_else(template)
        .unwrap_or_else(|| start.m.clone())
}

/// Registers the child under a name.
///
/// # Errors
/// The reason why it cannot have the name.
pub(super) fn register(start: &mut Mfargs, name: &Name) -> Result<(), String> {
    match ChildStart::read(start) {
        ChildStart::Process(behaviour, parts) => {
            let mut arguments = StartArguments::from(parts);
            arguments.register(name)?;
            let arguments = arguments.list(behaviour);
            set_arguments(start, arguments);
            Ok(())
        }
        ChildStart::Template(..) => Err(
            "cannot be registered: it is a template for many processes, but a name refers to one process"
                .to_owned(),
        ),
        ChildStart::Function => Err(format!(
            "cannot be registered: it is started by `{}:{}`, whose arguments say how",
            start.m, start.f
        )),
    }
}

/// Sets the start options of the child.
///
/// # Errors
/// The reason why it cannot have them.
pub(super) fn set_options(start: &mut Mfargs, options: &StartOptions) -> Result<(), String> {
    match ChildStart::read(start) {
        ChildStart::Process(behaviour, parts) => {
            let mut arguments = StartArguments::from(parts);
            arguments.set_options(behaviour, options)?;
            let arguments = arguments.list(behaviour);
            set_arguments(start, arguments);
            Ok(())
        }
        ChildStart::Template(behaviour, module) => {
            check_options(behaviour)?;
            *start = match isolation::template(start) {
                Some((isolation, _)) => isolation::template_start(isolation, &module, options),
                None => Mfargs {
                    m: Atom::of_program(&protocol::HELPER),
                    f: atoms::start_child.into(),
                    a: Some(vec![Term::of(&module), Term::of(options)]),
                },
            };
            Ok(())
        }
        ChildStart::Function => Err(format!(
            "takes no start options: it is started by `{}:{}`, whose arguments say how",
            start.m, start.f
        )),
    }
}
