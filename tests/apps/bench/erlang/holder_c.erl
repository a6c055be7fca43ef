%% Keeps a number in a resource: init/1 is C, in c/holder.c.
-module(holder_c).
-behaviour(gen_server).
-export([load/1, start_link/2, init/1, handle_call/3, handle_cast/2]).
-nifs([init/1]).

load(Library) ->
    erlang:load_nif(Library, 0).

start_link(Count, Options) ->
    gen_server:start_link(?MODULE, Count, Options).

init(_Count) ->
    erlang:nif_error(not_loaded).

handle_call(_, _, State) -> {reply, ok, State}.

handle_cast(_, State) -> {noreply, State}.
