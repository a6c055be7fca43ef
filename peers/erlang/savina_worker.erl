%% Computes for a millisecond for each message, and sends itself the next one.
-module(savina_worker).
-behaviour(gen_server).

-export([init/1, handle_call/3, handle_cast/2]).

init(none) ->
    gen_server:cast(self(), work),
    {ok, none}.

handle_call(_, _, State) -> {reply, ok, State}.

handle_cast(work, State) ->
    compute(erlang:monotonic_time(microsecond) + 1000),
    gen_server:cast(self(), work),
    {noreply, State}.

compute(End) ->
    case erlang:monotonic_time(microsecond) < End of
        true -> compute(End);
        false -> ok
    end.
