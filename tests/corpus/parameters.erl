%% Types with the names of type parameters that generated code declares.
-module(parameters).
-export([get/3, put/2]).
-export_type([state/1, box_of/2, many/0, any_tuple/0]).

-type value(V) :: {value, V}.
-type value() :: v | {v, pid()}.
-type value1() :: a | b.
-type value2() :: c | {c, value1()}.
-type reply() :: {r, integer()} | none.
-type reply1() :: {r1, integer()}.
-type event() :: up | {down, term()}.
-type state() :: on | off.
-type data() :: {data, state()}.
-type args() :: {args, binary()}.
-type term_() :: t.
-type 'Self'() :: s.
-type name() :: n.
-type key() :: k.
-type state(State) :: {external, State} | [state(State)] | state().
-type box_of(BoxOf, V) :: {V, BoxOf} | none.
-type t() :: {t, value()}.
-type r() :: {r, term(), value1()} | {p, value2(), term()} | {q, reply1(), value(atom()), [term()]}.
-type many() :: {x, r(), term(), value1()} | {y, value2(), value1(), term()} | {z, reply(), event()} | t().
-type any_tuple() :: tuple() | value1() | {value2(), value1()}.
-type into_many() :: many() | into.
-type run_return() :: ok.
-type run_result() :: ok.

-callback init(Args :: term()) -> {ok, State :: term()} | {ok, State :: term(), value1()} | {value, value()} | ignore.
-callback event(Event :: term(), event(), State :: term()) ->
    {reply, Reply :: term(), NewState :: term()} | {reply, reply(), value1(), NewState :: term()} | {event, event()} |
    {state, state(), NewState :: term()} | {ok, NewState :: term()}.
-callback run(value(), Name :: term(), State :: term()) ->
    {x, term(), value1(), NewState :: term()} | {y, value2(), term()} | many() | {z, [value(atom())]}.
-callback all(args(), Key :: term()) -> [{key(), value(any())}].
-callback result(Ok :: term()) ->
    {ok, Result :: any()} | {some, Option :: term(), value1()} | {into, Into :: term(), Value1 :: term(), value1()} |
    {into, Value1 :: term(), [value1()]} | {own, ResultReturn :: term()} | {error, Reason :: term()}.
-callback one() -> value(term()).
-callback any(into_many(), run_return(), run_result()) -> any().

-spec get(Value, Value1, key()) -> {Value, value(), Value1, value1(), term_(), name(), 'Self'()}.
get(_, _, _) -> error(badarg).

-spec put(Term :: term(), State :: state()) -> {term(), state(), data(), Event, event()} when Event :: term().
put(_, _) -> error(badarg).
