%% Calls another server before it replies.
-module(asker_erlang).
-behaviour(gen_server).
-export([start_link/2, init/1, handle_call/3, handle_cast/2]).

start_link(Counter, Options) ->
    gen_server:start_link(?MODULE, Counter, Options).

init(Counter) ->
    {ok, Counter}.

handle_call({ask, By}, _From, Counter) ->
    {reply, gen_server:call(Counter, {add, By}), Counter}.

handle_cast(_, Counter) ->
    {noreply, Counter}.
