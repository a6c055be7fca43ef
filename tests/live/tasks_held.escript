#!/usr/bin/env escript
%% Kills a server of the application `tasks` while one of its tasks has its turn on a dirty
%% scheduler. Prints one `key=term` per line. The call has two cells of the server among its
%% arguments, and the first one is not its state.
-mode(compile).
-include("observe.hrl").

main([Ebin]) ->
    begin_with(tasks, Ebin),
    {ok, Witness} = hoard:start_link({}, []),
    {ok, Hoard} = hoard:start_link({}, []),
    %% There are so many tasks that another process drops them when this one has ended.
    5000 = call(Hoard, {idle, 5000}),
    Own = self(),
    _ = sys:replace_state(Hoard, fun(State) ->
        {ok, Other} = hoard:init({}),
        put(other, Other),
        Own ! {other, Other},
        State
    end),
    Other = receive {other, Cell} -> Cell end,
    unlink(Hoard),
    Hoard ! {'$gen_call', Other, {hold, lists:seq(1, 100000), 2000}},
    true = until(fun() -> call(Witness, begun) =:= 1 end),
    exit(Hoard, kill),
    timer:sleep(1000),
    say(dropped_while_it_runs, call(Witness, dropped)),
    true = until(fun() -> call(Witness, dropped) > 0 end),
    timer:sleep(1000),
    say(dropped, call(Witness, dropped)),
    init:stop().
