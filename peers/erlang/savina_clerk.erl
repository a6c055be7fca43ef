%% Counts the calls.
-module(savina_clerk).
-behaviour(gen_server).

-export([init/1, handle_call/3, handle_cast/2]).

init(none) -> {ok, 0}.

handle_call(ask, _, Count) -> {reply, Count + 1, Count + 1}.

handle_cast(_, Count) -> {noreply, Count}.
