%% The connection of a client that asks for a page, which a store keeps.
-module(pager_erlang).
-behaviour(gen_server).
-export([start_link/2, init/1, handle_call/3, handle_cast/2, handle_info/2]).

start_link(Store, Options) ->
    gen_server:start_link(?MODULE, Store, Options).

init(Store) ->
    {ok, Store}.

handle_call(_, _From, Store) ->
    {reply, ok, Store}.

handle_cast(_, Store) ->
    {noreply, Store}.

handle_info({tcp, Socket, _}, Store) ->
    ok = gen_tcp:send(Socket, gen_server:call(Store, get)),
    {noreply, Store}.
