%% Calls one callback again and again, and once more after a marker: a debugger that stops at the
%% marker can follow a call whose code and data are in the processor's caches.
-module(single_call).
-export([main/1]).

-define(WARM, 20_000).

main([Name, More]) ->
    Call = call(list_to_existing_atom(Name)),
    Calls = lists:seq(1, ?WARM + list_to_integer(More)),
    State = lists:foldl(fun(_, State) -> Call(State) end, initial(), Calls),
    marker(),
    Call(State),
    halt().

%% `os:getpid/0` is a function of the VM that is not called anywhere else here.
marker() ->
    os:getpid().

initial() ->
    {ok, State} = counter:init(0),
    State.

call(handle_cast) ->
    fun(State) ->
        {noreply, New} = counter:handle_cast({add, 1}, State),
        New
    end;
call(handle_call) ->
    From = {self(), [alias | erlang:alias()]},
    fun(State) ->
        {reply, _, New} = counter:handle_call({add, 1}, From, State),
        New
    end.
