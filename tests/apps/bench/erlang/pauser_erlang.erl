%% Yields.
-module(pauser_erlang).
-behaviour(gen_server).
-export([start_link/2, init/1, handle_call/3, handle_cast/2]).

start_link(Args, Options) ->
    gen_server:start_link(?MODULE, Args, Options).

init([]) ->
    {ok, []}.

handle_call({yields, Times}, _From, State) ->
    yields(Times),
    {reply, ok, State}.

handle_cast(_, State) ->
    {noreply, State}.

yields(0) -> ok;
yields(Left) ->
    erlang:yield(),
    yields(Left - 1).
