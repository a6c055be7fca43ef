//! Where the state stands in what callbacks return, and which of them make it.

mod support;

use support::rust;

const PLACES: &str = "\
-callback init(Args :: term()) -> {ok, State :: term()} | {pair, {State :: term(), pid()}, Old :: term()}.
-callback run(Event :: term(), State :: term()) ->
    {pair, {pid(), NewState :: term()}} | {only, {NewState :: term()}} | {1, NewState :: term()} |
    {stop, Reason :: term()} | {stop, Reason :: term(), NewState :: term()}.
-callback prep_stop(State :: term()) -> NewState :: term().
-callback info(State :: term()) -> [atom()].
-callback code_change(State :: term()) -> {ok, NewState :: term()} | {twice, NewState :: term(), NewState :: term()}.";

/// The state is left out of every value but those of callbacks that make it, and stands in the term
/// where the form has it.
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

/// Without a callback that returns what it is given, the state is what the first one makes.
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
