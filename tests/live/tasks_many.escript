#!/usr/bin/env escript
%% Very many tasks in a server of the application `tasks`: one `key=term` a line.
-mode(compile).
-include("observe.hrl").

main([Ebin]) ->
    begin_with(tasks, Ebin),
    {ok, Owner} = owner:start_link({}, []),
    say(many, call(Owner, {many, 100000})),
    say(sleepers, call(Owner, {sleepers, 20000, 200})),
    million(Owner),
    init:stop().

%% A million tasks, which the process does not notice. Then their memory is back.
million(Owner) ->
    Before = erlang:memory(system),
    ok = call(Owner, {idle, 1000000}),
    ok = call(Owner, ping),
    Each = (erlang:memory(system) - Before) / 1000000,
    say(million_each, Each > 80 andalso Each < 208),
    Status = io_lib:format("~tp", [sys:get_status(Owner, ?PATIENCE)]),
    say(million_status, string:find(Status, " with 1000000 tasks: ") =/= nomatch),
    say(million_ended, call(Owner, abort)),
    %% The VM takes back memory that another scheduler has given when that one comes to it.
    until(fun() -> erlang:memory(system) - Before < 1000000 end),
    say(million_back, true),
    %% What they have is dropped with the process, too.
    ok = call(Owner, {idle, 100000}),
    unlink(Owner),
    exit(Owner, kill),
    until(fun() -> not is_process_alive(Owner) end),
    until(fun() -> erlang:memory(system) - Before < 1000000 end),
    say(million_killed, true).
