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
        "impl<State> rt::Returned for Init<State> {",
        "pub enum Run {",
        "impl rt::Returned for Run {",
        "pub enum PrepStop {",
        "impl rt::Returned for PrepStop {",
        "impl PrepStopReturn for () {",
        "impl<State> rt::Returned for CodeChange<State> {",
    ];
    insta::assert_snapshot!(shown.map(found).join("\n"), @r"
    pub enum Init<State> {
        /// `{ok, State}`
        Ok(State),
        /// `{pair, {State, pid()}, Old}`
        Pair((State, rt::Pid), rt::Term),
    }
    impl<State> rt::Returned for Init<State> {
        fn to_term<H: rt::Heap>(&self, heap: H, state: H::Term) -> H::Term {
            match self {
                Self::Ok(_) => heap.tuple([rt::ToTerm::to_term(&atoms::ok, heap), state]),
                Self::Pair(element1, element2) => {
                    heap.tuple([
                        rt::ToTerm::to_term(&atoms::pair, heap),
                        heap.tuple([state, rt::ToTerm::to_term(&element1.1, heap)]),
                        rt::ToTerm::to_term(element2, heap),
                    ])
                }
            }
        }
    }
    pub enum Run {
        /// `{pair, {pid(), NewState}}`
        Pair((rt::Pid,)),
        /// `{only, {NewState}}`
        Only(()),
        /// `{1, NewState}`
        Tuple(rt::Literal<1>),
        /// `{stop, Reason}`
        Stop(rt::Term),
    }
    impl rt::Returned for Run {
        fn to_term<H: rt::Heap>(&self, heap: H, state: H::Term) -> H::Term {
            match self {
                Self::Pair(element1) => {
                    heap.tuple([
                        rt::ToTerm::to_term(&atoms::pair, heap),
                        heap.tuple([rt::ToTerm::to_term(&element1.0, heap), state]),
                    ])
                }
                Self::Only(_) => {
                    heap.tuple([
                        rt::ToTerm::to_term(&atoms::only, heap),
                        heap.tuple([state]),
                    ])
                }
                Self::Tuple(element1) => {
                    heap.tuple([rt::ToTerm::to_term(element1, heap), state])
                }
                Self::Stop(element1) => {
                    heap.tuple([
                        rt::ToTerm::to_term(&atoms::stop, heap),
                        rt::ToTerm::to_term(element1, heap),
                    ])
                }
            }
        }
    }
    pub enum PrepStop {
        /// `term()`
        State,
    }
    impl rt::Returned for PrepStop {
        fn to_term<H: rt::Heap>(&self, _: H, state: H::Term) -> H::Term {
            match self {
                Self::State => state,
            }
        }
    }
    impl PrepStopReturn for () {
        fn into_return(self) -> Result<PrepStop, rt::Exit> {
            Ok(PrepStop::State)
        }
    }
    impl<State> rt::Returned for CodeChange<State> {
        fn to_term<H: rt::Heap>(&self, heap: H, state: H::Term) -> H::Term {
            match self {
                Self::Ok(_) => heap.tuple([rt::ToTerm::to_term(&atoms::ok, heap), state]),
                Self::Twice(_, element2) => {
                    heap.tuple([
                        rt::ToTerm::to_term(&atoms::twice, heap),
                        state,
                        rt::ToTerm::to_term(element2, heap),
                    ])
                }
            }
        }
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
        "ends;",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
}
