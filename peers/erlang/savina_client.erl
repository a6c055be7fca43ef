%% Calls the clerk every 10 ms. At the end, reports for each call the time from when it was due to
%% its answer.
-module(savina_client).
-behaviour(gen_server).

-export([init/1, handle_continue/2, handle_call/3, handle_cast/2]).

-define(CALLS, 200).
-define(PERIOD, 10_000_000).

%% Each client starts a little later than the one before it.
init({Clerk, Index, Clients}) ->
    First = erlang:monotonic_time(nanosecond) + ?PERIOD * Index div Clients,
    {ok, {Clerk, First}, {continue, call}}.

handle_continue(call, {Clerk, First}) ->
    gen_server:cast(bench, {times, [call(Clerk, First + ?PERIOD * Call) || Call <- lists:seq(1, ?CALLS)]}),
    {noreply, none}.

handle_call(_, _, State) -> {reply, ok, State}.

handle_cast(_, State) -> {noreply, State}.

call(Clerk, Due) ->
    timer:sleep(max(0, (Due - erlang:monotonic_time(nanosecond) + 999_999) div 1_000_000)),
    _ = gen_server:call(Clerk, ask, infinity),
    erlang:monotonic_time(nanosecond) - Due.
