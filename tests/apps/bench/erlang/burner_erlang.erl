%% Computes for long, as Erlang does it: the VM takes the scheduler away.
-module(burner_erlang).
-behaviour(gen_server).
-export([start_link/2, init/1, handle_call/3, handle_cast/2]).

start_link(Args, Options) ->
    gen_server:start_link(?MODULE, Args, Options).

init([]) ->
    {ok, []}.

handle_call(ready, _From, State) ->
    {reply, ok, State}.

handle_cast({work, Microseconds}, State) ->
    work(erlang:monotonic_time(microsecond) + Microseconds),
    {noreply, State};
handle_cast({burn, Deadline}, State) ->
    burn(Deadline),
    {noreply, State}.

work(End) ->
    case erlang:monotonic_time(microsecond) of
        Now when Now >= End -> ok;
        _ -> step(1000), work(End)
    end.

burn(Deadline) ->
    case os:system_time(microsecond) of
        Now when Now >= Deadline -> ok;
        _ -> step(1000), burn(Deadline)
    end.

%% Some microseconds of work.
step(0) -> ok;
step(Left) -> step(Left - 1).
