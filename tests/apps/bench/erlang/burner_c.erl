%% Computes for long on a dirty scheduler: handle_cast/2 is C, in c/burner.c.
-module(burner_c).
-behaviour(gen_server).
-export([load/1, start_link/2, init/1, handle_call/3, handle_cast/2]).
-nifs([handle_cast/2]).

load(Library) ->
    erlang:load_nif(Library, 0).

start_link(Args, Options) ->
    gen_server:start_link(?MODULE, Args, Options).

init([]) ->
    {ok, []}.

handle_call(ready, _From, State) ->
    {reply, ok, State}.

handle_cast(_Dirty, _State) ->
    erlang:nif_error(not_loaded).
