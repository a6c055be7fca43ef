//! The arguments of the `start_link` functions that an application's Erlang modules have.
//!
//! | behaviour's function | its module's functions |
//! |---|---|
//! | `start_link(Module, Args)` | `start_link(Args)`, `start_link(Name, Args)` |
//! | `start_link(Module, Args, Options)` | `start_link(Args)`, `start_link(Args, Options)`, `start_link(Name, Args, Options)` |

use otp_contract::manifest::START_ARGUMENT;

use super::StartOptions;
use crate::Term;
use crate::process::Name;
use crate::runtime::Behaviour;

/// The arguments of a `start_link` function, borrowed from its list and read by position.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StartParts<'t> {
    pub(crate) name: Option<&'t Term>,
    pub(crate) argument: &'t Term,
    options: Option<&'t Term>,
}

impl<'t> StartParts<'t> {
    /// Reads the list of arguments. Returns `None` if the module has no function with that arity.
    pub(crate) fn read(behaviour: &Behaviour, list: &'t [Term]) -> Option<Self> {
        let (name, argument, options) = match (list, has_options(behaviour)) {
            ([argument], _) => (None, argument, None),
            ([argument, options], true) => (None, argument, Some(options)),
            ([name, argument], false) => (Some(name), argument, None),
            ([name, argument, options], true) => (Some(name), argument, Some(options)),
            _ => return None,
        };
        Some(StartParts {
            name,
            argument,
            options,
        })
    }
}

/// The arguments of a `start_link` function, to be changed.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::behaviour) struct StartArguments {
    pub(in crate::behaviour) name: Option<Term>,
    pub(in crate::behaviour) argument: Term,
    pub(in crate::behaviour) options: Option<Term>,
}

impl From<StartParts<'_>> for StartArguments {
    fn from(parts: StartParts<'_>) -> Self {
        StartArguments {
            name: parts.name.cloned(),
            argument: parts.argument.clone(),
            options: parts.options.cloned(),
        }
    }
}

impl StartArguments {
    pub(in crate::behaviour) fn new(argument: Term) -> Self {
        StartArguments {
            name: None,
            argument,
            options: None,
        }
    }

    pub(in crate::behaviour) fn list(&self, behaviour: &Behaviour) -> Vec<Term> {
        let no_options = || self.name.as_ref().map(|_| Term::nil());
        let options = self.options.clone().or_else(no_options);
        let options = options.filter(|_| has_options(behaviour));
        let all = [self.name.clone(), Some(self.argument.clone()), options];
        all.into_iter().flatten().collect()
    }

    /// Registers the process under a name.
    ///
    /// # Errors
    /// The reason why it cannot have the name, to be placed after the process in a sentence.
    pub(in crate::behaviour) fn register(&mut self, name: &Name) -> Result<(), String> {
        if let Some(known) = &self.name {
            return Err(format!(
                "is registered as `{known}` already; a process has one name"
            ));
        }
        self.name = Some(Term::of(name));
        Ok(())
    }

    /// Sets the start options of the process.
    ///
    /// # Errors
    /// The reason why it cannot have options, to be placed after the process in a sentence.
    pub(in crate::behaviour) fn set_options(
        &mut self,
        behaviour: &Behaviour,
        options: &StartOptions,
    ) -> Result<(), String> {
        check_options(behaviour)?;
        self.options = Some(Term::of(options));
        Ok(())
    }
}

/// Checks that processes of the behaviour have start options.
///
/// # Errors
/// The reason why they have none, to be placed after the process in a sentence.
pub(in crate::behaviour) fn check_options(behaviour: &Behaviour) -> Result<(), String> {
    let name = behaviour.name;
    if has_options(behaviour) {
        Ok(())
    } else {
        Err(format!(
            "takes no start options: `{name}:start_link` has none"
        ))
    }
}

/// Returns whether its functions have options after the start argument.
fn has_options(behaviour: &Behaviour) -> bool {
    let mut functions = behaviour.start.iter();
    functions.any(|function| function.arguments.last() != Some(&START_ARGUMENT))
}
