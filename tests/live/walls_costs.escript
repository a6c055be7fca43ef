#!/usr/bin/env escript
%% Measures the cost of isolation: a call of a child in this VM and of an isolated one, the start of
%% a VM, and its memory.
-mode(compile).
-define(CALLS, 20000).
-define(ROUNDS, 11).
-define(STARTS, 11).

main([Ebin]) ->
    ok = io:setopts([{encoding, unicode}]),
    true = code:add_patha(Ebin),
    ok = logger:remove_handler(default),
    {ok, _} = application:ensure_all_started(walls),
    [io:format("call of ~s: ~.1f µs~n", [Name, median([call(Name) || _ <- lists:seq(1, ?ROUNDS)])]) || Name <- [local, alone]],
    [io:format("call of ~s with 64 KiB: ~.1f µs~n", [Name, median([large(Name) || _ <- lists:seq(1, ?ROUNDS)])]) || Name <- [local, alone]],
    io:format("start of ~s: ~.1f ms~n", [alone, median([start(alone) || _ <- lists:seq(1, ?STARTS)])]),
    io:format("start of ~s: ~.3f ms~n", [local, median([start(local) || _ <- lists:seq(1, ?STARTS)])]),
    io:format("memory of a VM: ~b KiB proportional, ~b KiB private, ~b KiB of data~n", [memory(Key) || Key <- ["smaps_rollup", "Private", "VmData"]]),
    init:stop().

call(Name) -> per_call(Name, {double, 1}, ?CALLS).
large(Name) -> per_call(Name, {size, binary:copy(<<0>>, 65536)}, ?CALLS div 20).

per_call(Name, Request, Calls) ->
    Pid = whereis(Name),
    {Time, _} = timer:tc(fun() -> [gen_server:call(Pid, Request) || _ <- lists:seq(1, Calls)] end),
    Time / Calls.

start(Id) ->
    ok = supervisor:terminate_child(stroot, Id),
    {Time, {ok, _}} = timer:tc(supervisor, restart_child, [stroot, Id]),
    Time / 1000.

%% The memory of the last VM, which has handled some calls.
memory(Key) ->
    Vm = lists:max([Os || Port <- erlang:ports(), {os_pid, Os} <- [erlang:port_info(Port, os_pid)], is_integer(Os)]),
    Folder = "/proc/" ++ integer_to_list(Vm) ++ "/",
    case Key of
        "smaps_rollup" -> sum(Folder ++ "smaps_rollup", "^Pss: ");
        "Private" -> sum(Folder ++ "smaps_rollup", "^Private_");
        "VmData" -> sum(Folder ++ "status", "^VmData")
    end.

sum(File, Pattern) ->
    {ok, Text} = file:read_file(File),
    Lines = [Line || Line <- binary:split(Text, <<"\n">>, [global]), re:run(Line, Pattern) =/= nomatch],
    lists:sum([binary_to_integer(Number) || Line <- Lines, {match, [Number]} <- [re:run(Line, "([0-9]+) kB", [{capture, all_but_first, binary}])]]).

median(Values) -> lists:nth((length(Values) + 1) div 2, lists:sort(Values)) * 1.0.
