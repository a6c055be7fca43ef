#!/usr/bin/env escript
%% Uses the pool of the application `tasks`. Prints one `key=term` per line.
-mode(compile).
-include("observe.hrl").

main([Ebin]) ->
    begin_with(tasks, Ebin),
    {ok, Client} = client:start_link({}, []),
    say(no_worker, reason_of(Client, {sum, 1})),
    {ok, Other} = client:start_link({}, []),
    {ok, Workers} = workers:start_link(3),
    say(sum, call(Other, {sum, 10000})),
    Pids = [Pid || {_, Pid, _, _} <- supervisor:which_children(Workers)],
    Places = [call(Other, {place, Key}) || Key <- lists:seq(1, 100)],
    say(placed, lists:usort(Places) =:= lists:sort(Pids)),
    say(same_place, Places =:= [call(Other, {place, Key}) || Key <- lists:seq(1, 100)]),
    say(loads, call(Other, {hold, 9})),
    say(released, call(Other, release)),
    {{error, Failed}, Panicked} = fails(Other),
    say(failed, Failed),
    say(panicked, element(1, Panicked)),
    across(Other),
    say(lost, call(Other, {lost, 1})),
    until(fun() -> lists:keymember(undefined, 2, supervisor:which_children(Workers)) =:= false end),
    say(restarted, call(Other, {sum, 1000})),
    say(same_lives, length([Pid || {_, Pid, _, _} <- supervisor:which_children(Workers), lists:member(Pid, Pids)])),
    init:stop().

reason_of(Server, Request) ->
    unlink(Server),
    try call(Server, Request) catch exit:{Reason, _} -> Reason end.

fails(Client) ->
    {Failed, Panicked} = call(Client, fails),
    {{error, Failed}, Panicked}.

%% All sends of a time slice are one message. A task may yield after ten sends, and a slice is
%% longer than that, however slow the machine is.
across(Client) ->
    1 = erlang:trace(Client, true, ['receive']),
    say(across, call(Client, {across, 6, 10000})),
    1 = erlang:trace(Client, false, ['receive']),
    say(batches, batches(0) < 6000).

batches(Count) ->
    receive
        {trace, _, 'receive', {'$otp_rs', to, 0, _}} -> batches(Count + 1);
        {trace, _, 'receive', _} -> batches(Count)
    after 0 -> Count
    end.
