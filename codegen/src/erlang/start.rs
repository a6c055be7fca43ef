//! `handle_start`, which OTP does not have: the Erlang module has OTP call it after `init/1` and before any message.
//!
//! | behaviour | `init/1` returns besides | OTP then calls | which calls |
//! |---|---|---|---|
//! | `gen_server` | `{continue, Start}` | `handle_continue(Start, State)` | `handle_start(Args, State)` |
//! | `gen_statem` | `{next_event, internal, Start}` | the function for the event `internal` with `Start` | `handle_start(Args, State, Data)` |
//!
//! `Start` is `{'$otp_rs', {start, Args}}`, which nobody else makes.

use otp_contract::library::MARK;
use otp_contract::manifest::{Callback, Module, Signature};

use super::specification::spec;
use crate::text::atom;

/// The callback.
pub(super) const HANDLE_START: &str = "handle_start";
/// The functions of OTP's behaviours by which it is reached.
const HANDLE_CONTINUE: &str = "handle_continue";
/// The callback that makes a state.
pub(super) const INIT: &str = "init";
pub(super) const HANDLE_EVENT: &str = "handle_event";
/// The other function of a `gen_statem` with as many arguments as that of a state.
pub(super) const TERMINATE: &str = "terminate";
pub(super) const OF_STATE: usize = 3;

/// A module with `handle_start`.
pub(super) struct Start<'m> {
    module: &'m Module,
    callback: &'m Callback,
    is_statem: bool,
}

impl<'m> Start<'m> {
    /// `None` if the module does not have it.
    pub(super) fn of(module: &'m Module) -> Option<Self> {
        let is_statem = match module.behaviour.as_deref()? {
            "gen_server" => false,
            "gen_statem" => true,
            _ => return None,
        };
        let callback = module.callbacks.iter().find(|it| it.name == HANDLE_START)?;
        Some(Start {
            module,
            callback,
            is_statem,
        })
    }

    /// Whether it is this callback: nobody else calls it.
    pub(super) fn is_it(&self, callback: &Callback) -> bool {
        callback.name == HANDLE_START
    }

    /// What the body of `init/1` does with the value that the library returned.
    pub(super) fn after_init(&self, returned: &str) -> String {
        let start = start("A1");
        let clauses = match self.is_statem {
            false => format!(
                "{{ok, State}} -> {{ok, State, {{continue, {start}}}}};
        {{ok, _, _}} -> error({{bad_return_value, <<\"handle_start/2 comes next: init/1 returns {{ok, State}}\">>}});"
            ),
            true => format!(
                "{{ok, State, Data}} -> {{ok, State, Data, [{{next_event, internal, {start}}}]}};
        {{ok, State, Data, Actions}} when is_list(Actions) ->
            {{ok, State, Data, [{{next_event, internal, {start}}} | Actions]}};
        {{ok, State, Data, Action}} -> {{ok, State, Data, [{{next_event, internal, {start}}}, Action]}};"
            ),
        };
        format!(
            "Returned = {returned},\n    case Returned of\n        {clauses}\n        Other -> Other\n    end"
        )
    }

    /// The clause of `callback` that calls it, if OTP calls that function.
    pub(super) fn clause(&self, callback: &Callback) -> Option<String> {
        let (name, start) = (atom(&callback.name), start("Args"));
        let text = match (self.is_statem, callback.name.as_str(), callback.arity) {
            (false, HANDLE_CONTINUE, _) => {
                format!("{name}({start}, State) ->\n    {HANDLE_START}(Args, State);\n")
            }
            (true, HANDLE_EVENT, _) => format!(
                "{name}(internal, {start}, State, Data) ->\n    {HANDLE_START}(Args, State, Data);\n"
            ),
            (true, other, OF_STATE) if other != TERMINATE && other != HANDLE_START => {
                format!(
                    "{name}(internal, {start}, Data) ->\n    {HANDLE_START}(Args, {name}, Data);\n"
                )
            }
            _ => return None,
        };
        Some(text)
    }

    /// The types of such a function with that clause.
    pub(super) fn signature(&self, callback: &Callback) -> Signature {
        let own = &self.callback.signature;
        let args = own.arguments.first().map_or("term()", String::as_str);
        let mut arguments = vec![start(args)];
        if self.is_statem {
            arguments.insert(0, "internal".to_owned());
        }
        let others = callback.signature.arguments.iter().skip(arguments.len());
        arguments.extend(others.cloned());
        let clause = Signature {
            arguments,
            returns: own.returns.clone(),
        };
        Signature::union([&clause, &callback.signature])
    }

    /// Whether the module has no function of its own by which OTP could call it.
    pub(super) fn is_alone(&self) -> bool {
        let mut callbacks = self.module.callbacks.iter();
        !self.is_statem && !callbacks.any(|it| it.name == HANDLE_CONTINUE)
    }

    /// The function by which OTP calls it, if the module has none of its own.
    pub(super) fn function(&self) -> Option<String> {
        let signature = &self.callback.signature;
        let [args, state] = signature.arguments.as_slice() else {
            return None;
        };
        let signature = Signature {
            arguments: vec![start(args), state.clone()],
            returns: signature.returns.clone(),
        };
        self.is_alone().then(|| {
            format!(
                "\n{spec}{HANDLE_CONTINUE}({start}, State) ->\n    {HANDLE_START}(Args, State).\n",
                spec = spec(HANDLE_CONTINUE, &signature),
                start = start("Args"),
            )
        })
    }
}

/// What OTP keeps between `init/1` and `handle_start`.
fn start(args: &str) -> String {
    format!("{{{}, {{start, {args}}}}}", atom(MARK))
}
