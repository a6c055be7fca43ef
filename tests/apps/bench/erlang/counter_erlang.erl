%% Adds.
-module(counter_erlang).
-behaviour(gen_server).
-export([start_link/2, init/1, handle_call/3, handle_cast/2]).

start_link(Count, Options) ->
    gen_server:start_link(?MODULE, Count, Options).

init(Count) ->
    {ok, Count}.

handle_call({add, By}, _From, Count) ->
    Sum = Count + By,
    {reply, Sum, Sum}.

handle_cast({add, By}, Count) ->
    {noreply, Count + By}.
