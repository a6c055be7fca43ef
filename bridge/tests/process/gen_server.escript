#!/usr/bin/env escript
%% Runs gen_server with callbacks that return the values in their messages. Each line of the input
%% is a list of messages. The answer is the list of the effects.
-module(returns).
-behaviour(gen_server).
-mode(compile).
-export([main/1, init/1, handle_call/3, handle_cast/2, handle_info/2, handle_continue/2, terminate/2]).

main([]) ->
    %% Otherwise, the ends of servers would be reported here.
    logger:set_primary_config(level, none),
    answer(io:read("")).

answer({ok, Steps}) ->
    io:format("~w~n", [happens(Steps)]),
    answer(io:read(""));
answer(eof) ->
    ok.

happens(Steps) ->
    {ok, Server} = gen_server:start(?MODULE, self(), []),
    lists:foreach(fun(Step) -> step(Step, Server), quiet(Server) end, Steps),
    exit(Server, kill),
    noted().

step({call, Do}, Server) ->
    self() ! {noted, try {replied, gen_server:call(Server, Do)} catch exit:{Reason, _} -> {failed, plain(Reason)} end};
step({cast, Do}, Server) ->
    gen_server:cast(Server, Do);
step({info, Do}, Server) ->
    Server ! Do.

%% Waits until the server waits for a message, or has ended.
quiet(Server) ->
    case process_info(Server, [status, message_queue_len]) of
        [{status, waiting}, {message_queue_len, 0}] -> ok;
        undefined -> ok;
        _ -> erlang:yield(), quiet(Server)
    end.

noted() ->
    receive {noted, What} -> [What | noted()] after 0 -> [] end.

init(Owner) -> {ok, Owner}.

handle_call({do, N, What}, _, Owner) ->
    Owner ! {noted, {call, N}},
    case What of
        {reply, Reply} -> {reply, Reply, Owner};
        {reply_with, Reply, Then} -> {reply, Reply, Owner, then(Then)};
        {stop_reply, Reason, Reply} -> {stop, Reason, Reply, Owner};
        _ -> noreply(What, Owner)
    end.

handle_cast({do, N, What}, Owner) ->
    Owner ! {noted, {cast, N}},
    noreply(What, Owner).

handle_info(timeout, Owner) ->
    Owner ! {noted, timeout},
    {noreply, Owner};
handle_info({do, N, What}, Owner) ->
    Owner ! {noted, {info, N}},
    noreply(What, Owner).

handle_continue({do, N, What}, Owner) ->
    Owner ! {noted, {continued, N}},
    noreply(What, Owner).

terminate(Reason, Owner) ->
    Owner ! {noted, {terminated, plain(Reason)}}.

noreply(noreply, Owner) -> {noreply, Owner};
noreply({noreply_with, Then}, Owner) -> {noreply, Owner, then(Then)};
noreply({stop, Reason}, Owner) -> {stop, Reason, Owner};
noreply({raise, Reason}, _) -> error(Reason);
noreply({exit, Reason}, _) -> exit(Reason).

then(timeout) -> 0;
then({continue, _} = Continue) -> Continue;
then(Then) -> Then.

%% Returns the reason without the stacktrace of an error.
plain({Reason, [{_, _, _, _} | _]}) -> {Reason, []};
plain(Reason) -> Reason.
