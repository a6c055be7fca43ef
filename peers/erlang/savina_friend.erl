%% Sends a message to all others, and reports when it has received theirs.
-module(savina_friend).
-behaviour(gen_server).

-export([init/1, handle_call/3, handle_cast/2]).

init(Missing) -> {ok, {[], Missing}}.

handle_call({friends, All}, _From, {_, Missing}) -> {reply, ok, {All -- [self()], Missing}}.

handle_cast('begin', {Others, _} = State) ->
    [gen_server:cast(Other, note) || Other <- Others],
    {noreply, State};
handle_cast(note, {Others, 1}) ->
    gen_server:cast(bench, done),
    {noreply, {Others, 0}};
handle_cast(note, {Others, Missing}) ->
    {noreply, {Others, Missing - 1}}.
