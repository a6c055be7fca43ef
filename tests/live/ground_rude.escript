#!/usr/bin/env escript
%% Makes servers of the application `ground` misbehave. The application has no unsafe code, so they
%% can harm only their own processes. Prints one `key=term` per line.
-mode(compile).
-include("observe.hrl").

main([Ebin]) ->
    begin_with(Ebin),
    {ok, Listener} = rude:start_link(plain, []),
    [] = call(Listener, listen),
    elsewhere(),
    destructors(Listener),
    wakers(),
    say(listener_lives, is_list(call(Listener, seen))),
    say(the_vm_lives, true),
    init:stop().

%% Uses the context of a callback on another thread.
elsewhere() ->
    {ok, Notices} = rude:start_link(plain, []),
    say(elsewhere, {call(Notices, elsewhere), call(Notices, polled_elsewhere), call(Notices, seen)}),
    {ok, Dies} = rude:start_link(plain, []),
    {{panic, #{message := Message}}, _} = exit_with(Dies, elsewhere_and_die),
    say(elsewhere_and_die, Message).

%% Counts destructors of states: for each kind of end of a process, and for a state that no process
%% ever had.
destructors(Listener) ->
    [begin
        {ok, Tells} = rude:start_link(tells, []),
        End(Tells),
        _ = exit_of(Tells),
        until(fun() -> length(call(Listener, seen)) >= 2 * Count end)
    end || {Count, End} <- [
        {1, fun(Pid) -> ok = gen_server:stop(Pid) end},
        {2, fun(Pid) -> exit(Pid, kill) end}
    ]],
    say(told, lists:sort(call(Listener, seen))),
    {ok, Panics} = rude:start_link(panics, []),
    ok = gen_server:stop(Panics),
    say(panics, exit_of(Panics)),
    {error, {{panic, #{message := Message}}, _}} = rude:start_link(unspeakable, []),
    say(unspeakable, is_binary(Message)),
    {ok, Late} = rude:start_link(plain, []),
    {{panic, #{message := Dropped}}, _} = exit_with(Late, dropped_late),
    say(dropped_late, Dropped).

%% A custom waker panics when it is dropped together with the process, and together with the
%% callback.
wakers() ->
    {ok, Guarded} = rude:start_link(plain, []),
    Guarding = asking(Guarded, guarded),
    waiting(Guarded),
    exit(Guarded, kill),
    say(guarded, exit_of(Guarded)),
    {exit, _} = answer(Guarding),
    {ok, Killed} = rude:start_link(plain, []),
    Asking = asking(Killed, waker),
    waiting(Killed),
    exit(Killed, kill),
    say(waker_killed, exit_of(Killed)),
    {exit, {Reason, _}} = answer(Asking),
    say(waker_call, Reason).
