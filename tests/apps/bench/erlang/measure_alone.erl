%% Measures a callback's function without its gen_server: the process that owns the state calls it
%% in a loop.
-module(measure_alone).
-export([names/0, groups/2]).

names() ->
    [handle_cast, handle_call, state].

-spec groups(atom(), rounds:options()) -> [rounds:group()].
groups(handle_cast, Options) ->
    Times = rounds:times(100_000, Options),
    C = [{c, counter_c} || native:load(counter_c, Options)],
    [[{Variant, fun() -> [{handle_cast, casts(Module, 0, Times)}] end}
      || {Variant, Module} <- [{erlang, counter_erlang} | C] ++ [{'otp-rs', counter}]]];
groups(handle_call, Options) ->
    Times = rounds:times(100_000, Options),
    [[{Variant, fun() -> [{handle_call, calls(Module, Times)}] end}
      || {Variant, Module} <- [{erlang, counter_erlang}, {'otp-rs', counter}]]];
groups(state, Options) ->
    [Alone, Casts] = [rounds:times(Times, Options) || Times <- [100_000, 20_000]],
    [[{Variant, fun() -> [{handle_cast, casts(Module, self(), Alone)}] end} || {Variant, Module} <- sized()],
     [{Variant, fun() -> [{cast, rounds:ping_pong(Module, Casts)}] end} || {Variant, Module} <- sized()]].

sized() ->
    [{'8 B', sized_8}, {'1 KiB', sized_1024}, {'16 KiB', sized_16256}].

casts(Module, Args, Times) ->
    {ok, State} = Module:init(Args),
    net(fun() -> cast(Module, State, Times) end, Times).

calls(Module, Times) ->
    {ok, State} = Module:init(0),
    From = {self(), [alias | erlang:alias()]},
    net(fun() -> call(Module, From, State, Times) end, Times).

%% Without the time of the loop itself.
net(Body, Times) ->
    Loop = rounds:nanoseconds(fun() -> loop(Times) end),
    (rounds:nanoseconds(Body) - Loop) / Times.

cast(_, _, 0) -> ok;
cast(Module, State, Left) ->
    {noreply, New} = Module:handle_cast({add, 1}, State),
    cast(Module, New, Left - 1).

call(_, _, _, 0) -> ok;
call(Module, From, State, Left) ->
    {reply, _, New} = Module:handle_call({add, 1}, From, State),
    call(Module, From, New, Left - 1).

loop(0) -> ok;
loop(Left) -> loop(Left - 1).
