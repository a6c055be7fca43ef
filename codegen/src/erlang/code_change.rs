//! `code_change` of every module with a state: turns the state of another version into one of this
//! version.
//!
//! The library module converts the state by itself if its form is unchanged. Otherwise it calls the
//! clauses of the module's own `code_change` with the old state as a term.

use otp_contract::callback::{CallbackFacts, CallbackKind};
use otp_contract::manifest::{Callback, Module, Signature};
use otp_contract::modules::STATES;

use super::specification::spec;
use crate::text::atom;

/// Returns the expression for the result of the module's own callback with these arguments.
type Convert<'c> = dyn Fn(&[String]) -> String + 'c;

/// The signature of `code_change` in a behaviour.
pub(super) struct CodeChange<'m> {
    module: &'m Module,
    library: &'m str,
    name: &'m str,
    /// The number of its arguments. The old state is the argument before the last one, `Extra`.
    arity: usize,
    facts: CallbackFacts,
    is_implemented: bool,
}

impl<'m> CodeChange<'m> {
    /// Returns `None` if the behaviour does not have it, or calls it in another way than OTP's
    /// behaviours: with the state before the last argument, behind `OldVsn`, or behind that and
    /// another state.
    pub(super) fn of(module: &'m Module, library: &'m str) -> Option<Self> {
        let implemented = module.callback(CallbackKind::Change);
        let left_out = module.left_out(CallbackKind::Change);
        let of = |name: &'m str, arity, facts| CodeChange {
            module,
            library,
            name,
            arity,
            facts,
            is_implemented: implemented.is_some(),
        };
        let found = match (implemented, left_out) {
            (Some(it), _) => of(&it.name, it.arity, it.facts),
            (None, it) => it.map(|it| of(&it.name, it.arity, it.facts))?,
        };
        let before_state = 1 + usize::from(found.facts.chosen.is_some());
        let is_otps = found.facts.state == Some(before_state) && found.arity == before_state + 2;
        is_otps.then_some(found)
    }

    /// Returns whether this callback is `code_change`.
    pub(super) fn is_it(&self, callback: &Callback) -> bool {
        callback.name == self.name && callback.arity == self.arity
    }

    /// Returns its name and arity, if the module does not implement it.
    pub(super) fn added(&self) -> Option<(&'m str, usize)> {
        (!self.is_implemented).then_some((self.name, self.arity))
    }

    /// Returns the function. `convert` returns the expression for the result of the module's own
    /// callback.
    pub(super) fn function(&self, convert: Option<&Convert<'_>>) -> String {
        let mut arguments: Vec<String> = (1..=self.arity).map(|n| format!("A{n}")).collect();
        let old = std::mem::replace(&mut arguments[self.arity - 2], "Old".to_owned());
        let named = |old: &str| {
            let mut arguments = arguments.clone();
            old.clone_into(&mut arguments[self.arity - 2]);
            arguments
        };
        // A gen_statem has a state in addition to its data.
        let has_chosen = self.facts.chosen.is_some();
        let beside = if has_chosen { "A2, " } else { "" };
        let (form, changed) = match convert {
            Some(convert) => (
                "_",
                convert(&named("State")).replace('\n', "\n            "),
            ),
            None => ("Form", self.refused("{changed, Form}")),
        };
        let term = if convert.is_some() { "State" } else { "_" };
        let unused = |name: &str| {
            let is_used = convert.is_some() || name == old || (name == "A2" && has_chosen);
            if is_used {
                name.to_owned()
            } else {
                format!("_{name}")
            }
        };
        let taken: Vec<String> = named(&old).iter().map(|name| unused(name)).collect();
        format!(
            "
{spec}{name}({taken}) ->
    case {STATES}:prepared({old}) of
        {prepared}none ->
            case {library}:succeed(?MODULE, {beside}{old}) of
                {{ok, New}} -> {{ok, {beside}New}};
                {{convert, {form}, {term}}} ->
                    {changed};
                {{error, Reason}} -> {error}
            end
    end.
",
            prepared = self.prepared(),
            error = self.refused("Reason"),
            name = atom(self.name),
            spec = spec(self.name, &self.signature()),
            taken = taken.join(", "),
            library = self.library,
        )
    }

    /// Returns the clauses for the requests of an upgrade that makes the process prepare. In a loop
    /// that is not OTP's, the other state is beside the state.
    fn prepared(&self) -> &'static str {
        match self.facts.chosen {
            Some(_) => {
                "{ok, {ok, Prepared}} -> {ok, A2, Prepared};\n        {ok, Prepared} -> Prepared;\n        "
            }
            None => "{ok, Prepared} -> Prepared;\n        ",
        }
    }

    /// Returns the result, or the exception, for the case that there is no new state.
    fn refused(&self, reason: &str) -> String {
        if self.facts.has_error {
            format!("{{error, {reason}}}")
        } else {
            format!("error({{code_change, {reason}}})")
        }
    }

    /// Returns its types. The old state may be any term.
    fn signature(&self) -> Signature {
        let state = format!("{}()", atom(self.module.state.as_deref().unwrap_or("term")));
        let beside = match self.facts.chosen {
            Some(_) => "term(), ",
            None => "",
        };
        let error = self.facts.has_error.then(|| "{error, term()}".to_owned());
        let new = format!("{{ok, {beside}{state}}}");
        Signature {
            arguments: vec!["term()".to_owned(); self.arity],
            returns: std::iter::once(new).chain(error).collect(),
        }
    }
}
