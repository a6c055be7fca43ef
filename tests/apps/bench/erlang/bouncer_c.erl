%% Casts a ball back and forth: handle_cast/2 is C, in c/bouncer.c.
-module(bouncer_c).
-behaviour(gen_server).
-export([load/1, start_link/2, init/1, handle_call/3, handle_cast/2]).
-nifs([handle_cast/2]).

load(Library) ->
    erlang:load_nif(Library, 0).

start_link(Observer, Options) ->
    gen_server:start_link(?MODULE, Observer, Options).

init(Observer) ->
    {ok, {undefined, Observer}}.

handle_call({join, Peer}, _From, {_, Observer}) ->
    {reply, ok, {Peer, Observer}}.

handle_cast(_Ball, _State) ->
    erlang:nif_error(not_loaded).
