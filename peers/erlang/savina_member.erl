%% A member of a ring: passes a number on.
-module(savina_member).
-behaviour(gen_server).

-export([init/1, handle_call/3, handle_cast/2]).

init(none) -> {ok, none}.

handle_call({next, Next}, _From, _) -> {reply, ok, Next}.

handle_cast({hops, 0}, Next) ->
    gen_server:cast(bench, done),
    {noreply, Next};
handle_cast({hops, Hops}, Next) ->
    gen_server:cast(Next, {hops, Hops - 1}),
    {noreply, Next}.
