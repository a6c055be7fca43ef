//! `code_change`, which every module with a state has: the state of another version becomes one of this version.
//!
//! The library module does that by itself if the form of the state is the same. If it is not, the clauses of the module's own
//! `code_change` are given the old state as a term.

use otp_contract::manifest::{Callback, Module, Signature};
use otp_contract::modules::STATES;

use super::specification::spec;
use crate::text::atom;

/// The callback.
const CODE_CHANGE: &str = "code_change";

/// The expression of what the module's own callback returns for these arguments.
type Convert<'c> = dyn Fn(&[String]) -> String + 'c;

/// The arity of the module's `code_change`, if the behaviour calls it as OTP's do: with the state before the last argument, which
/// is `Extra`, and behind `OldVsn`, or that and another state.
fn arity_of_other(module: &Module) -> Option<usize> {
    let mut callbacks = module.callbacks.iter();
    let found = callbacks.find(|it| it.name == CODE_CHANGE)?;
    matches!(found.arity, 3 | 4).then_some(found.arity)
}

/// How a behaviour calls it.
pub(super) struct CodeChange<'m> {
    module: &'m Module,
    library: &'m str,
    /// The number of its arguments. The old state is before the last one.
    arity: usize,
}

impl<'m> CodeChange<'m> {
    /// `None` if the behaviour does not have it. One that is not OTP's has it if the module implements it.
    pub(super) fn of(module: &'m Module, library: &'m str) -> Option<Self> {
        let arity = match module.behaviour.as_deref()? {
            "gen_server" | "gen_event" => 3,
            "gen_statem" => 4,
            _ => arity_of_other(module)?,
        };
        Some(CodeChange {
            module,
            library,
            arity,
        })
    }

    /// Whether it is this callback.
    pub(super) fn is_it(&self, callback: &Callback) -> bool {
        callback.name == CODE_CHANGE && callback.arity == self.arity
    }

    /// Its name and arity, if the module itself does not have it.
    pub(super) fn added(&self) -> Option<(&'static str, usize)> {
        let mut callbacks = self.module.callbacks.iter();
        (!callbacks.any(|it| self.is_it(it))).then_some((CODE_CHANGE, self.arity))
    }

    /// The function. `convert` is the expression of what the module's own callback returns for these arguments.
    pub(super) fn function(&self, convert: Option<&Convert<'_>>) -> String {
        let mut arguments: Vec<String> = (1..=self.arity).map(|n| format!("A{n}")).collect();
        let old = std::mem::replace(&mut arguments[self.arity - 2], "Old".to_owned());
        let named = |old: &str| {
            let mut arguments = arguments.clone();
            old.clone_into(&mut arguments[self.arity - 2]);
            arguments
        };
        // A gen_statem has its state beside its data.
        let beside = if self.arity == 4 { "A2, " } else { "" };
        let (form, changed) = match convert {
            Some(convert) => (
                "_",
                convert(&named("State")).replace('\n', "\n            "),
            ),
            None => ("Form", self.refused("{changed, Form}")),
        };
        let term = if convert.is_some() { "State" } else { "_" };
        let unused = |name: &str| {
            let is_used = convert.is_some() || name == old || (name == "A2" && self.arity == 4);
            if is_used {
                name.to_owned()
            } else {
                format!("_{name}")
            }
        };
        let taken: Vec<String> = named(&old).iter().map(|name| unused(name)).collect();
        format!(
            "
{spec}{CODE_CHANGE}({taken}) ->
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
            spec = spec(CODE_CHANGE, &self.signature()),
            taken = taken.join(", "),
            library = self.library,
        )
    }

    /// The clauses for what an upgrade has the process prepare. A loop that is not OTP's has its other state beside it.
    fn prepared(&self) -> &'static str {
        match self.arity {
            4 => {
                "{ok, {ok, Prepared}} -> {ok, A2, Prepared};\n        {ok, Prepared} -> Prepared;\n        "
            }
            _ => "{ok, Prepared} -> Prepared;\n        ",
        }
    }

    /// What it returns, or raises, if there is no new state.
    fn refused(&self, reason: &str) -> String {
        match self.has_error() {
            true => format!("{{error, {reason}}}"),
            false => format!("error({{code_change, {reason}}})"),
        }
    }

    /// Whether the behaviour takes an error: a gen_event does not.
    fn has_error(&self) -> bool {
        self.module.behaviour.as_deref() != Some("gen_event")
    }

    /// The old state may be any term.
    fn signature(&self) -> Signature {
        let state = format!("{}()", atom(self.module.state.as_deref().unwrap_or("term")));
        let (beside, more) = match self.arity {
            4 => ("term(), ", 1),
            _ => ("", 0),
        };
        let error = self.has_error().then(|| "{error, term()}".to_owned());
        let new = format!("{{ok, {beside}{state}}}");
        Signature {
            arguments: vec!["term()".to_owned(); 3 + more],
            returns: std::iter::once(new).chain(error).collect(),
        }
    }
}
