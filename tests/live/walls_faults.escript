#!/usr/bin/env escript
%% Ends the VM of an isolated child in each possible way, many times, while four clients call it
%% without a timeout. Each call must get the right answer or an error. Prints one `way=…` per line.
%% The arguments are the folder, the number of ends for each way, and the minimum number of calls
%% during this.
-mode(compile).
-define(CLIENTS, 4).
-define(PATIENCE, 120000).

main([Ebin, Ends, Calls]) ->
    true = code:add_patha(Ebin),
    ok = logger:remove_handler(default),
    {ok, _} = application:ensure_all_started(walls),
    [way(Way, list_to_integer(Ends), list_to_integer(Calls)) || Way <- [segv, kill, abort, spin]],
    init:stop().

way(Way, Ends, Calls) ->
    Own = self(),
    Counts = counters:new(3, []),
    Clients = [spawn_monitor(fun() -> client(Own, Counts, N * 1000000) end) || N <- lists:seq(1, ?CLIENTS)],
    [ended(Way) || _ <- lists:seq(1, Ends)],
    until(Counts, Calls),
    [Client ! stop || {Client, _} <- Clients],
    %% A client that still waits has lost its call.
    Lost = length([Client || {Client, Monitor} <- Clients, not is_over(Monitor)]),
    [Right, Told, Wrong] = [counters:get(Counts, Index) || Index <- [1, 2, 3]],
    io:format("~s=#{ends => ~b,calls => ~b,told => ~b,wrong => ~b,lost => ~b}~n", [Way, Ends, Right + Told + Wrong, Told, Wrong, Lost]).

is_over(Monitor) ->
    receive {'DOWN', Monitor, process, _, normal} -> true after ?PATIENCE -> false end.

until(Counts, Calls) ->
    case counters:get(Counts, 1) < Calls of
        true -> timer:sleep(10), until(Counts, Calls);
        false -> ok
    end.

client(Own, Counts, Number) ->
    receive stop -> ok
    after 0 ->
        Index = try gen_server:call(limited, {double, Number}, infinity) of
            Double when Double =:= Number * 2 -> 1;
            _ -> 3
        catch exit:_ -> timer:sleep(1), 2
        end,
        counters:add(Counts, Index, 1),
        client(Own, Counts, Number + 1)
    end.

%% Ends the VM once, and waits until another one answers.
ended(Way) ->
    Pid = running(),
    Monitor = monitor(process, Pid),
    _ = spawn(fun() -> catch 'end'(Way) end),
    receive {'DOWN', Monitor, process, _, Reason} -> as_expected(Way, Reason) after ?PATIENCE -> halt(1) end.

'end'(segv) -> gen_server:call(limited, {fail, {signal, <<"SEGV">>}}, infinity);
'end'(kill) -> [os:cmd("kill -KILL " ++ integer_to_list(Vm)) || Vm <- vms()];
'end'(Way) -> gen_server:call(limited, {fail, Way}, infinity).

as_expected(segv, {vm_ended, sigsegv, _}) -> ok;
as_expected(kill, {vm_ended, sigkill, _}) -> ok;
as_expected(abort, {vm_ended, sigabrt, <<"these are the last words">>}) -> ok;
as_expected(spin, {vm_ended, processor_time, _}) -> ok.

running() ->
    try gen_server:call(limited, {double, 1}, infinity) of _ -> whereis(limited)
    catch exit:_ -> timer:sleep(5), running()
    end.

%% Only the VM of one child has the limits.
vms() ->
    [Os || Port <- erlang:ports(), {os_pid, Os} <- [erlang:port_info(Port, os_pid)], is_integer(Os), is_limited(Os)].

is_limited(Os) ->
    {ok, Limits} = file:read_file(["/proc/", integer_to_list(Os), "/limits"]),
    re:run(Limits, "Max data size +[0-9]", [{capture, none}]) =:= match.
