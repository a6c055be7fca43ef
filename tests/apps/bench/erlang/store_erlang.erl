%% Keeps a large binary.
-module(store_erlang).
-behaviour(gen_server).
-export([start_link/2, init/1, handle_call/3, handle_cast/2]).

start_link(Binary, Options) ->
    gen_server:start_link(?MODULE, Binary, Options).

init(Binary) ->
    {ok, Binary}.

handle_call(get, _From, Binary) ->
    {reply, Binary, Binary};
handle_call({put, Binary}, _From, _) ->
    {reply, ok, Binary}.

handle_cast(_, Binary) ->
    {noreply, Binary}.
