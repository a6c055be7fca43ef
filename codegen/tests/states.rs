//! The position of the state in return values, and the callbacks that make it.

mod support;

use otp_codegen::{Reason, generate};
use support::{installed_behaviours, options, output, rust};

const PLACES: &str = "\
-callback init(Args :: term()) -> {ok, State :: term()} | {pair, {State :: term(), pid()}, Old :: term()}.
-callback run(Event :: term(), State :: term()) ->
    {pair, {pid(), NewState :: term()}} | {only, {NewState :: term()}} | {1, NewState :: term()} |
    {stop, Reason :: term()} | {stop, Reason :: term(), NewState :: term()}.
-callback prep_stop(State :: term()) -> NewState :: term().
-callback info(State :: term()) -> [atom()].
-callback code_change(State :: term()) -> {ok, NewState :: term()} | {twice, NewState :: term(), NewState :: term()}.";

/// The state is left out of all values except those of callbacks that make it. In the term, it is
/// in its position in the form.
#[test]
fn places_of_the_state() {
    let text = rust(PLACES);
    let found = |start: &str| {
        let (_, rest) = text.split_once(start).expect(start);
        let (found, _) = rest.split_once("\n}\n").expect("its end");
        format!("{start}{found}\n}}")
    };
    let shown = [
        "pub enum Init<State> {",
        "pub enum Run {",
        "pub enum PrepStop {",
        "impl PrepStopReturn for () {",
        "pub enum CodeChange<State> {",
    ];
    insta::assert_snapshot!(shown.map(found).join("\n"), @r"
    pub enum Init<State> {
        /// `{ok, State}`
        #[returned(atoms::ok, state)]
        Ok(State),
        /// `{pair, {State, pid()}, Old}`
        #[returned(atoms::pair, [state, self.0.1], self.1)]
        Pair((State, rt::Pid), rt::Term),
    }
    pub enum Run {
        /// `{pair, {pid(), NewState}}`
        #[returned(atoms::pair, [self.0.0, state])]
        Pair((rt::Pid,)),
        /// `{only, {NewState}}`
        #[returned(atoms::only, [state])]
        Only(()),
        /// `{1, NewState}`
        #[returned(self.0, state)]
        N1State(rt::Literal<1>),
        /// `{stop, Reason}`
        #[returned(atoms::stop, self.0)]
        Stop(rt::Term),
    }
    pub enum PrepStop {
        /// `term()`
        #[returned(state)]
        State,
    }
    impl PrepStopReturn for () {
        fn into_return(self) -> Result<PrepStop, rt::Exit> {
            Ok(PrepStop::State)
        }
    }
    pub enum CodeChange<State> {
        /// `{ok, NewState}`
        #[returned(atoms::ok, state)]
        Ok(State),
        /// `{twice, NewState, NewState}`
        #[returned(atoms::twice, state, self.1)]
        Twice(State, rt::Term),
    }
    ");
}

/// If no callback returns a state that it receives, the state is the one that the first callback
/// makes.
#[test]
fn a_state_that_is_only_made_and_ended() {
    let text = rust(
        "-callback start(Type :: normal | down, Args :: term()) -> {ok, pid()} | {ok, pid(), State :: term()}.\n\
         -callback stop(State :: term()) -> term().",
    );
    for line in [
        "arguments = [fixed Type, args Args];",
        "arguments = [state State];",
        "kind = end;",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
}

/// `cowboy_websocket` and similar behaviours, reduced: callbacks receive a state that none of them
/// makes.
const PASSED: &str = "\
-callback init(Req, any()) -> {ok | module(), Req, any()} when Req :: binary().
-callback info(Info :: any(), Req :: binary(), State) -> {ok, State} | {reply, binary(), State} when
    State :: any().
-callback terminate(Reason :: any(), Req :: binary(), State :: any()) -> ok.";

#[test]
fn a_state_that_no_callback_makes_is_an_ordinary_argument() {
    let output = output(PASSED);
    let text = output.files.get("m.rs").expect("the module's file");
    for line in [
        "arguments = [fixed Req, fixed SecondArgument];",
        "arguments = [open Info, fixed Req, args State];",
        "arguments = [open Reason, fixed Req, args State];",
        "    type State: rt::IsTerm;",
        "    Ok(rt::Term),",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    assert!(!text.contains("&mut self"), "{text}");
    assert!(!text.contains("kind = init;"), "{text}");
    let report = output.report.modules["m"].fallbacks.iter();
    let reasons: Vec<(&str, Reason)> = report
        .map(|one| (one.position.as_str(), one.reason))
        .collect();
    let expected = ["Info.State", "Terminate.State"].map(|at| (at, Reason::StateNotMade));
    assert_eq!(reasons, expected);
}

/// Arguments that look like a state in one position of the form, but are none.
#[test]
fn what_processes_do_not_have_is_not_their_state() {
    for forms in [
        // A codec: one callback receives the result of the other.
        "-callback encode(T :: atom()) -> R :: term().
         -callback decode(R :: term(), Version :: integer()) -> atom().",
        // A handle that any process may use.
        "-callback open(Name :: atom()) -> {ok, Table :: term()}.
         -callback read(Table :: term(), Key :: term()) -> {value, term()} | false.
         -callback close(Table :: term()) -> ok.",
        // It is made in a position that Rust cannot support.
        "-callback init() -> #{state := State :: term()} | [State :: term()].
         -callback run(State :: term()) -> {ok, NewState :: term()}.",
        // Only a state of another version is converted.
        "-callback code_change(State :: term()) -> {ok, NewState :: term()}.
         -callback run(State :: term()) -> {ok, NewState :: term()}.",
        // Another variable is made.
        "-callback init() -> {ok, Other :: term()}.
         -callback run(Context :: term()) -> {ok, NewContext :: term()}.",
    ] {
        let text = rust(forms);
        assert!(!text.contains("&mut self"), "{forms}\n{text}");
    }
}

/// Of several variables that callbacks receive and return, the one that is made is the state.
#[test]
fn the_state_is_what_a_callback_makes() {
    let text = rust(
        "-callback init() -> {ok, State :: term()}.\n\
         -callback run(Context :: term(), State :: term()) -> {ok, Context :: term(), NewState :: term()}.",
    );
    let line = "arguments = [args Context, state State];";
    assert!(text.contains(line), "{text}");
}

/// `riak_core_vnode`, reduced: one callback receives the reason that others only return.
#[test]
fn a_reason_beside_the_state_is_an_ordinary_argument() {
    let text = rust(
        "-callback init() -> {ok, S :: term()} | {error, Reason :: term()}.\n\
         -callback exited(pid(), Reason :: term(), S :: term()) -> {stop, Reason :: term(), NewS :: term()}.\n\
         -callback handle(S :: term()) -> {ok, NewS :: term()}.",
    );
    for line in [
        "arguments = [fixed FirstArgument, open Reason, state S];",
        "    Error(rt::Term),",
        "    Stop(rt::Term),",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
}

#[test]
fn only_the_first_mention_in_a_value_is_the_state() {
    let text = rust(
        "-callback init() -> {ok, State :: term()}.\n\
         -callback run(State :: term()) -> {both, OldState :: term(), NewState :: term()}.",
    );
    for line in [
        "#[returned(atoms::both, state, self.0)]",
        "    Both(rt::Term),",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
}

/// In every behaviour of the installed OTP whose callbacks have a state, one of them makes it.
#[test]
fn no_behaviour_of_otp_has_a_state_that_nothing_makes() {
    let mut with_state = Vec::new();
    for module in installed_behaviours() {
        let name = module.name.clone();
        let output = generate(&[module], &options());
        assert_eq!(output.diagnostics, [], "{name}");
        let text: String = output.files.iter().map(|(_, text)| text).collect();
        let is_given = text.contains("&mut self");
        // `code_change` makes it from another one.
        let makes = text.split("#[new_state(").skip(1);
        let of_other_state = |rest: &&str| {
            let name = rest.split_once("pub enum ").map(|(_, name)| name);
            name.is_some_and(|name| name.starts_with("CodeChange"))
        };
        let mut makers = makes.filter(|rest| !of_other_state(rest));
        assert_eq!(is_given, makers.next().is_some(), "{name}");
        if is_given {
            with_state.push(name);
        }
    }
    for name in [
        "gen_server",
        "gen_statem",
        "gen_event",
        "application",
        "supervisor_bridge",
    ] {
        assert!(
            with_state.iter().any(|one| one == name),
            "{name}: {with_state:?}"
        );
    }
}
