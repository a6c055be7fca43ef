%% Funs, and things that live in the VM.
-module(callables).
-export([accepted/0, refused/0]).
-export_type([any_fun/0, thunk/0, predicate/0, fold/0, any_to_atom/0, never/0, by_arity/0, handle/0, port_or_ref/0, monitor/0]).

-type any_fun() :: fun().
-type thunk() :: fun(() -> term()).
-type predicate() :: fun((atom()) -> boolean()).
-type fold() :: fun((Element :: term(), Accumulator :: [pid()]) -> {ok, [pid()]} | stop).
-type any_to_atom() :: fun((...) -> atom()).
-type never() :: fun((term()) -> no_return()).
-type by_arity() :: fun(() -> a) | fun((b) -> b) | none.
-type handle() :: identifier().
-type port_or_ref() :: port() | reference().
-type monitor() :: {reference(), pid(), node()}.

accepted() ->
    [{any_fun, fun lists:map/2}, {any_fun, fun() -> ok end}, {thunk, fun erlang:self/0}, {predicate, fun erlang:is_atom/1},
     {fold, fun lists:append/2}, {any_to_atom, fun erlang:node/0}, {any_to_atom, fun erlang:node/1}, {never, fun erlang:exit/1},
     {by_arity, fun erlang:node/0}, {by_arity, fun erlang:node/1}, {by_arity, none}, {handle, self()}, {handle, make_ref()},
     {handle, hd(erlang:ports())}, {port_or_ref, hd(erlang:ports())}, {port_or_ref, make_ref()},
     {monitor, {make_ref(), self(), node()}}].

refused() ->
    [{any_fun, a, "1: expected fun(), got a"},
     {thunk, fun erlang:node/1, "1: expected fun(() -> term()), got fun erlang:node/1"},
     {predicate, fun lists:map/2, "1: expected fun((atom()) -> boolean()), got fun lists:map/2"},
     {fold, fun erlang:abs/1, "1: expected fun((term(), [pid()]) -> "},
     {any_to_atom, self(), "1: expected fun((...) -> atom())"},
     {by_arity, fun lists:map/2, "1: expected"},
     {handle, a, "1: expected identifier(), got a"},
     {port_or_ref, self(), "1: expected"},
     {monitor, {self(), self(), node()}, "1.0: expected reference()"}].
