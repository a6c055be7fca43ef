%% Adds: handle_cast/2 is C, in c/counter.c.
-module(counter_c).
-behaviour(gen_server).
-export([load/1, start_link/2, init/1, handle_call/3, handle_cast/2]).
-nifs([handle_cast/2]).

load(Library) ->
    erlang:load_nif(Library, 0).

start_link(Count, Options) ->
    gen_server:start_link(?MODULE, Count, Options).

init(Count) ->
    {ok, Count}.

handle_call({add, By}, _From, Count) ->
    Sum = Count + By,
    {reply, Sum, Sum}.

handle_cast(_Add, _Count) ->
    erlang:nif_error(not_loaded).
