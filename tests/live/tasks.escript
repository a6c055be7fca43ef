#!/usr/bin/env escript
%% Tasks in a server of the application `tasks`: one `key=term` a line.
-mode(compile).
-include("observe.hrl").

main([Ebin]) ->
    begin_with(tasks, Ebin),
    {ok, Owner} = owner:start_link({}, []),
    say(sum, call(Owner, {sum, 1000})),
    say(panics, element(1, call(Owner, panics))),
    ok = call(Owner, {tell, self(), late, 20}),
    ok = call(Owner, {tell, self(), soon, 1}),
    say(told, [receive Message -> Message after ?PATIENCE -> gave_up(told, Owner) end || _ <- [1, 2]]),
    serves(Owner),
    exchange(Owner),
    asks(Owner),
    linked(Owner),
    init:stop().

%% Calls and system messages are served while tasks go on for ever.
serves(Owner) ->
    ok = call(Owner, {spin, 1000}),
    say(called, [call(Owner, ping) || _ <- lists:seq(1, 20)]),
    {status, Owner, {module, gen_server}, [_, _, _, _, Status]} = sys:get_status(Owner, ?PATIENCE),
    say(status, has(" with 1000 tasks: ", Status)),
    ok = sys:suspend(Owner, ?PATIENCE),
    ok = sys:resume(Owner, ?PATIENCE),
    ok = call(Owner, {tell, self(), beside, 1}),
    say(beside, receive Message -> Message after ?PATIENCE -> gave_up(beside, Owner) end),
    say(aborted, call(Owner, abort)),
    say(mailbox, begin _ = call(Owner, ping), timer:sleep(50), process_info(Owner, message_queue_len) end).

exchange(Owner) ->
    say(chain, call(Owner, {chain, 100, 50})),
    say(many, call(Owner, {many, 100000})),
    say(sleepers, call(Owner, {sleepers, 20000, 200})),
    say(bounded, call(Owner, bounded)),
    say(broadcast, call(Owner, broadcast)),
    say(raced, call(Owner, raced)).

%% A thousand calls are under way at once, and each answer finds its task, in a callback and between two of them.
asks(Owner) ->
    Echo = spawn_link(fun() -> echo([]) end),
    say(asks, call(Owner, {asks, Echo, 1000})).

%% Replies when it has a thousand calls, the last one first.
echo(Calls) when length(Calls) =:= 1000 ->
    [gen_server:reply(From, Number) || {From, Number} <- Calls],
    echo([]);
echo(Calls) ->
    receive {'$gen_call', From, {echo, Number}} -> echo([{From, Number} | Calls]) end.

linked(Owner) ->
    ok = call(Owner, {linked, 5}),
    {Panic, _} = exit_of(Owner),
    say(linked, element(1, Panic)).

has(Text, Status) ->
    string:find(io_lib:format("~tp", [Status]), Text) =/= nomatch.
