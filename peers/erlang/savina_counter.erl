%% Reports when it has received all messages.
-module(savina_counter).
-behaviour(gen_server).

-export([init/1, handle_call/3, handle_cast/2]).

init(Missing) ->
    said(Missing),
    {ok, Missing}.

handle_call(_, _, Missing) -> {reply, ok, Missing}.

handle_cast(note, Missing) ->
    said(Missing - 1),
    {noreply, Missing - 1}.

said(0) -> gen_server:cast(bench, done);
said(_) -> ok.
