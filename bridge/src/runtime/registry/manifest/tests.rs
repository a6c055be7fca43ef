//! The types of modules

use super::*;
use crate::runtime::CallbackKind;
use crate::runtime::registry::LibraryModules;

mod server {
    use crate::atoms::ok;
    use crate::gen_server::prelude::*;

    #[derive(Debug)]
    pub(super) struct Account;

    #[derive(Debug, Term)]
    #[reply(Vec<Entry>)]
    pub(super) enum Read {
        History,
        Balance,
    }

    #[derive(Debug, Term)]
    pub(super) struct Entry {
        amount: i64,
        state: State,
    }

    /// Has the name of the server's state on purpose.
    #[derive(Debug, Term)]
    pub(super) enum State {
        Open,
        Settled,
    }

    #[derive(Debug, Term)]
    #[reply(State)]
    pub(super) struct Add(Entry);

    #[derive(Debug, Term)]
    #[reply(u64)]
    pub(super) struct Later;

    #[gen_server(module = "typed_account")]
    impl GenServer for Account {
        type Args = (u64, String);

        fn init(_: (u64, String)) -> impl InitReturn<Self> {
            (ok, Account)
        }

        fn handle_call(&mut self, _: Read) -> HandleCall<Vec<Entry>> {
            reply(Vec::new())
        }

        fn handle_call(&mut self, _: Add) -> HandleCall<State> {
            reply(State::Open)
        }

        fn handle_call(&mut self, _: Later, caller: Caller<u64>, cx: &Cx<'_>) -> HandleCallNoreply {
            caller.reply(cx, 1);
            noreply()
        }
    }
}

mod machine {
    use crate::atoms::ok;
    use crate::gen_statem::prelude::*;

    #[derive(Debug)]
    pub(super) struct Switch;

    #[derive(Debug, Clone, PartialEq, Term)]
    pub(super) enum Level {
        Off,
        On,
    }

    #[derive(Debug, Term)]
    #[reply(u64)]
    pub(super) struct Count;

    #[gen_statem(module = "typed_switch")]
    impl GenStatem for Switch {
        type Args = ();
        type State = Level;

        fn init(_: ()) -> impl InitReturn<Level, Self> {
            (ok, Level::Off, Switch)
        }

        #[state_name]
        fn off(&mut self, (_, caller): (call, Caller<u64>), _: Count) -> StateName<Level> {
            next_state_actions(Level::On, reply(caller, 1))
        }

        #[state_name]
        fn off(&mut self, _: cast, _: Atom) -> StateName<Level> {
            next_state(Level::On)
        }

        #[state_name_enter]
        fn off(&mut self, _: Level) -> StateNameEnter {
            keep_state()
        }

        #[state_name_enter]
        fn on(&mut self, _: Level) -> StateNameEnter {
            keep_state()
        }
    }
}

/// Returns the types of a module, one in each line.
fn types_of(name: &str) -> String {
    let modules = LibraryModules::get().modules().iter();
    let entry = *modules.clone().find(|it| it.name == name).expect(name);
    let module = module(entry, 0);
    let mut text = format!("state {:?}\n", module.state);
    for TypeDefinition {
        name, text: body, ..
    } in &module.types
    {
        text += &format!("-type {}() :: {body}.\n", quote_atom(name));
    }
    let line = |name: &str, signature: &Signature| {
        let Signature { arguments, returns } = signature;
        format!(
            "{name}({}) -> {}\n",
            arguments.join(", "),
            returns.join(" | ")
        )
    };
    for start in &module.start {
        text += &line(&start.name, &start.signature);
    }
    for callback in &module.callbacks {
        text += &line(&callback.name, &callback.signature);
    }
    let mut left_out = module.left_out.iter();
    if let Some(shown) = left_out.find(|it| it.facts.kind == CallbackKind::Status && it.arity == 1)
    {
        text += &line(&shown.name, &shown.signature);
    }
    text
}

#[test]
fn several_requests_are_a_union_and_none_are_any_term() {
    insta::assert_snapshot!(types_of("typed_account"), @r#"
    state Some("state")
    -type read() :: history | balance.
    -type entry() :: #{amount := integer(), state := server_state()}.
    -type server_state() :: open | settled.
    -type add() :: {add, entry()}.
    -type later() :: later.
    start_link({non_neg_integer(), binary()}, [gen_server:start_opt()]) -> gen_server:start_ret()
    start_link(gen_server:server_name(), {non_neg_integer(), binary()}, [gen_server:start_opt()]) -> gen_server:start_ret()
    init({non_neg_integer(), binary()}) -> {ok, state()} | {ok, state(), timeout() | hibernate | {continue, term()}} | {stop, term()} | ignore
    handle_call(read() | add() | later(), gen_server:from(), state()) -> {reply, [entry()], state()} | {reply, [entry()], state(), timeout() | hibernate | {continue, term()}} | {stop, term(), [entry()], state()} | {reply, server_state(), state()} | {reply, server_state(), state(), timeout() | hibernate | {continue, term()}} | {stop, term(), server_state(), state()} | {noreply, state()} | {noreply, state(), timeout() | hibernate | {continue, term()}} | {stop, term(), state()}
    handle_cast(term(), state()) -> {noreply, state()} | {noreply, state(), timeout() | hibernate | {continue, term()}} | {stop, term(), state()}
    format_status(gen_server:format_status()) -> gen_server:format_status()
    "#);
}

#[test]
fn state_functions_have_the_types_of_their_clauses() {
    insta::assert_snapshot!(types_of("typed_switch"), @r#"
    state Some("data")
    -type level() :: off | on.
    -type count() :: count.
    start_link({}, [gen_statem:start_opt()]) -> gen_statem:start_ret()
    start_link(gen_statem:server_name(), {}, [gen_statem:start_opt()]) -> gen_statem:start_ret()
    init({}) -> {ok, level(), data()} | {ok, level(), data(), [gen_statem:action()] | gen_statem:action()} | ignore | {stop, term()}
    callback_mode() -> [state_functions | state_enter, ...]
    off(enter | {call, gen_statem:from()} | cast, level() | count() | atom(), data()) -> {keep_state, data()} | {keep_state, data(), [gen_statem:enter_action()] | gen_statem:enter_action()} | keep_state_and_data | {keep_state_and_data, [gen_statem:enter_action()] | gen_statem:enter_action()} | {repeat_state, data()} | {repeat_state, data(), [gen_statem:enter_action()] | gen_statem:enter_action()} | repeat_state_and_data | {repeat_state_and_data, [gen_statem:enter_action()] | gen_statem:enter_action()} | stop | {stop, term()} | {stop, term(), data()} | {stop_and_reply, term(), [gen_statem:reply_action()] | gen_statem:reply_action()} | {stop_and_reply, term(), [gen_statem:reply_action()] | gen_statem:reply_action(), data()} | {next_state, level(), data()} | {next_state, level(), data(), [gen_statem:action()] | gen_statem:action()} | {keep_state, data(), [gen_statem:action()] | gen_statem:action()} | {keep_state_and_data, [gen_statem:action()] | gen_statem:action()} | {repeat_state, data(), [gen_statem:action()] | gen_statem:action()} | {repeat_state_and_data, [gen_statem:action()] | gen_statem:action()}
    on(enter, level(), data()) -> {keep_state, data()} | {keep_state, data(), [gen_statem:enter_action()] | gen_statem:enter_action()} | keep_state_and_data | {keep_state_and_data, [gen_statem:enter_action()] | gen_statem:enter_action()} | {repeat_state, data()} | {repeat_state, data(), [gen_statem:enter_action()] | gen_statem:enter_action()} | repeat_state_and_data | {repeat_state_and_data, [gen_statem:enter_action()] | gen_statem:enter_action()} | stop | {stop, term()} | {stop, term(), data()} | {stop_and_reply, term(), [gen_statem:reply_action()] | gen_statem:reply_action()} | {stop_and_reply, term(), [gen_statem:reply_action()] | gen_statem:reply_action(), data()}
    format_status(gen_statem:format_status()) -> gen_statem:format_status()
    "#);
}
