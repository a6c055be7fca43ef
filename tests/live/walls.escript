#!/usr/bin/env escript
%% Uses isolated children of the application `walls`, and ends their VMs. Prints one `key=term` per
%% line. The tests read the lines and then kill this VM; none of the other VMs may be left.
-mode(compile).
-define(PATIENCE, 120000).

main([Ebin]) ->
    true = code:add_patha(Ebin),
    ok = logger:remove_handler(default),
    {ok, _} = application:ensure_all_started(walls),
    as_here(),
    other_processes(),
    [say(Key, failing(Name, Way)) || {Key, Name, Way} <- [
        {panic, alone, panic}, {abort, alone, abort}, {overflow, alone, overflow}, {memory, limited, memory},
        {spin, limited, spin}, {segv, alone, {signal, <<"SEGV">>}}, {killed, alone, {signal, <<"KILL">>}}, {status, alone, {exit, 3}}
    ]],
    say(forged, [{What, short(forged(What))} || What <- [kind, nothing, reply, term, atom, compressed, process, started, ended, asks, large, inflated]]),
    say(failed_starts, [failed_start(How) || How <- [process, killed]]),
    group(),
    stopped(),
    {ok, _} = application:ensure_all_started(walls),
    _ = spawn(fun() -> call(limited, {fail, spin}) end),
    _ = spawn(fun() -> call(alone, {fail, spin}) end),
    timer:sleep(100),
    say(left, [list_to_integer(os:getpid()) | vms()]),
    _ = os:cmd("kill -KILL " ++ os:getpid()).

%% An isolated child behaves like a process of this VM.
as_here() ->
    say(works, [call(alone, {double, 21}), call(alone, decoded)]),
    ok = gen_server:cast(alone, {count, 5}),
    say(counted, call(alone, decoded)),
    say(others, [call(Name, decoded) || Name <- [local, left, right, limited]]),
    say(children, [whereis(Id) =:= Pid || {Id, Pid, worker, _} <- supervisor:which_children(stroot), is_atom(Id)]),
    say(linked, linked()),
    shown().

%% Checks the node's information about an isolated child, whose state comes from the other VM.
shown() ->
    [Alone, Left] = [whereis(Name) || Name <- [alone, left]],
    #{module := decoder, isolated := Os, state := State} = idle(Alone),
    #{isolated := Other} = idle(Left),
    say(shown, {State, lists:member(Os, vms()), Os =/= Other, otp_rs_isolated:child_of(Alone) =:= {decoder, Os}}),
    say(not_isolated, is_map_key(isolated, otp_rs_status:of_process(whereis(local)))),
    say(state, {otp_rs:state(Alone), otp_rs:replace_state(alone, fun(Same) -> Same end)}).

%% On a busy machine, the other VM may not answer in time.
idle(Process) ->
    case otp_rs_status:of_process(Process) of
        #{activity := idle} = Status -> Status;
        _ -> timer:sleep(100), idle(Process)
    end.

%% Tests a process that is linked to the child.
linked() ->
    Old = whereis(alone),
    {Pid, Monitor} = spawn_monitor(fun() -> link(Old), receive stop -> exit(enough) end end),
    Down = monitor(process, Old),
    Pid ! stop,
    Reasons = [receive {'DOWN', One, process, _, Reason} -> Reason after ?PATIENCE -> none end || One <- [Monitor, Down]],
    {Reasons, again(alone, Old)}.

%% The child uses processes of this VM.
other_processes() ->
    Own = whereis(alone),
    say(itself, call(alone, {send, self(), {hello, [self()]}}) =:= Own),
    say(message, receive {hello, [Self]} when Self =:= self() -> got after ?PATIENCE -> none end),
    say(asked, call(alone, {ask, whereis(local), 50})),
    say(asked_other, call(left, {ask, whereis(alone), 60})),
    say(asked_itself, call(right, {ask, whereis(left), 70})),
    Gone = spawn(fun() -> ok end),
    say(asked_gone, reason(fun() -> call(alone, {ask, Gone, 1}) end)),
    again(alone, Own),
    Watched = spawn(fun() -> receive stop -> exit(done) end end),
    say(watching, call(alone, {watch, Watched, self()}) =:= Watched),
    Watched ! stop,
    say(watched, receive {'DOWN', _, process, Watched, Reason} -> Reason after ?PATIENCE -> none end).

%% Returns the reason that the caller gets, whether monitors get the same reason, and whether
%% another process has replaced the child.
failing(Name, Way) ->
    Pid = whereis(Name),
    Monitor = monitor(process, Name),
    Told = short(reason(fun() -> call(Name, {fail, Way}) end)),
    Down = receive {'DOWN', Monitor, process, _, Ended} -> short(Ended) after ?PATIENCE -> none end,
    {Told, Down =:= Told, again(Name, Pid)}.

failed_start(How) ->
    process_flag(trap_exit, true),
    {error, Reason} = otp_rs_isolated:start_link(#{}, forger, [How]),
    case Reason of
        {Why, _} -> Why;
        Why -> Why
    end.

forged(What) ->
    Pid = whereis(alone),
    Told = reason(fun() -> call(alone, {forge, What}) end),
    again(alone, Pid),
    Told.

%% Children of a group share a VM.
group() ->
    [Left, Right] = [whereis(Name) || Name <- [left, right]],
    Monitor = monitor(process, Right),
    Told = reason(fun() -> call(left, {fail, abort}) end),
    Down = receive {'DOWN', Monitor, process, _, Reason} -> Reason after ?PATIENCE -> none end,
    say(group, {short(Told), Down =:= Told, again(left, Left), again(right, Right)}).

%% When the application has stopped, its VMs have ended.
stopped() ->
    Vms = vms(),
    ok = application:stop(walls),
    say(stopped, {length(Vms), wait_for_end(Vms, ?PATIENCE)}).

wait_for_end(Vms, Time) ->
    case [Vm || Vm <- Vms, filelib:is_dir("/proc/" ++ integer_to_list(Vm))] of
        [_ | _] when Time > 0 -> timer:sleep(20), wait_for_end(Vms, Time - 20);
        Left -> Left
    end.

%% Returns the OS processes of the VMs of isolated children.
vms() ->
    [Os || Port <- erlang:ports(), {os_pid, Os} <- [erlang:port_info(Port, os_pid)], is_integer(Os)].

call(Server, Request) -> gen_server:call(Server, Request, ?PATIENCE).

reason(Call) ->
    try Call() catch exit:{Reason, _} -> Reason end.

%% Returns the reason without the stack of the process that failed first.
short({{panic, #{message := Message}}, _}) -> {panic, Message};
%% Depending on the moment, the operating system or the other VM reports first.
short({vm_ended, memory, _}) -> {vm_ended, memory};
short({vm_ended, sigabrt, <<"memory allocation of 67108864 bytes failed", _/binary>>}) -> {vm_ended, memory};
short({vm_ended, Why, Words}) -> {vm_ended, Why, hd(binary:split(Words, <<"\n">>))};
short(Reason) -> Reason.

again(Name, Old) ->
    case whereis(Name) of
        New when is_pid(New), New =/= Old ->
            try call(New, {double, 4}) catch exit:_ -> again(Name, New) end;
        _ -> timer:sleep(10), again(Name, Old)
    end.

say(Key, Value) -> io:format("~s=~0tp~n", [Key, Value]).
