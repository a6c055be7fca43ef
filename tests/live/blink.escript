#!/usr/bin/env escript
%% Runs Erlang functions as tasks of the receptor of `blink`. Prints one `key=term` per line.
-mode(compile).
-define(PATIENCE, 120000).
-export([log/2]).

main([Ebin]) ->
    true = code:add_patha(Ebin),
    ok = logger:remove_handler(default),
    ok = logger:add_handler(observer, ?MODULE, #{config => self()}),
    ok = application:load(blink),
    ok = application:set_env(blink, arguments, []),
    ok = application:start(blink),
    Self = self(),
    receptor ! {spawn, fun(Id) -> Self ! {foo, Id} end},
    receptor ! {spawn, fun(Id) -> Self ! {bar, Id} end},
    say(order, [receive {Name, Id} -> {Name, Id} end || Name <- [foo, bar]]),
    receptor ! {spawn, fun(Id) -> 3 = Id end},
    say(failed, {receive {failed, Reason} -> Reason after ?PATIENCE -> nothing end, goes_on()}),
    say(spawned, gen_server:call(receptor, spawned)),
    init:stop().

goes_on() ->
    case is_process_alive(whereis(receptor)) of true -> goes_on; false -> ended end.

log(Event, #{config := Pid}) ->
    Text = lists:flatten(logger_formatter:format(Event, #{single_line => true})),
    case string:find(Text, "badmatch,2") of
        nomatch -> ok;
        _ -> Pid ! {failed, {badmatch, 2}}
    end.

say(Key, Value) -> io:format("~s=~0tp~n", [Key, Value]).
