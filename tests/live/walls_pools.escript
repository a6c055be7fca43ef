#!/usr/bin/env escript
%% Tests the pool of two VMs of the application `walls`: both VMs are killed while calls of
%% start_child wait, and other processes forge messages of a VM. Prints one `key=term` per line.
-mode(compile).
-define(PATIENCE, 120000).

main([Ebin]) ->
    true = code:add_patha(Ebin),
    ok = logger:remove_handler(default),
    name_taken(),
    {ok, _} = application:ensure_all_started(walls),
    All = [started(Number) || Number <- [1, 2, 3, 4]],
    forged(All),
    waiting(All),
    starting(),
    ok = application:stop(walls),
    init:stop().

%% Another process has the name of a VM's process, and never answers. The application does not
%% start, instead of waiting for ever.
name_taken() ->
    Other = spawn(fun() -> receive after infinity -> ok end end),
    true = register(otp_rs_vm_pair_1, Other),
    {error, {walls, Reason}} = application:ensure_all_started(walls),
    exit(Other, kill),
    until(fun() -> whereis(otp_rs_vm_pair_1) =:= undefined end),
    say(name_taken, string:find(io_lib:format("~p", [Reason]), "{name_taken,otp_rs_vm_pair_1}") =/= nomatch).

%% Forged messages are not taken for messages of the VM, so no process and no VM ends.
forged(All) ->
    Vms = [os(Pid) || Pid <- All],
    [First | _] = All,
    _ = [First ! {Tag, Kind, Bytes} || Tag <- [otp_rs_vm, First, make_ref(), 0], Kind <- lists:seq(0, 11), Bytes <- [
        <<>>, <<0:64>>, <<0:64, 131, 97, 1>>, term_to_binary({term_to_binary(forged), <<"forged">>}),
        term_to_binary({self(), forged}), not_bytes
    ]],
    _ = [First ! Message || Message <- [
        {'DOWN', make_ref(), process, self(), forged}, {make_ref(), forged}, {ack, self(), forged}
    ]],
    _ = [Vm ! Message || Vm <- named(), Message <- [
        look, timeout, {timeout, make_ref(), look}, {tcp, forged, <<0:64, 4>>}, {tcp_closed, forged}, {forged, {exit_status, 139}},
        {'DOWN', make_ref(), process, First, forged}, {'EXIT', First, forged}, {'$gen_cast', bad_frame},
        {'$gen_cast', {bad_frame, make_ref()}}, {'$gen_call', {self(), make_ref()}, forged}
    ]],
    %% When a child answers, it has handled all forged messages.
    say(forged, [call(Pid, {double, 2}) || Pid <- All]),
    _ = [sys:get_state(Vm, ?PATIENCE) || Vm <- named()],
    say(same, {running() =:= lists:sort(All), [os(Pid) || Pid <- All] =:= Vms, length(named())}),
    %% This process got no reply to the forged messages.
    say(told, receive {forged, _} = Told -> Told; {_, forged} = Told -> Told after 0 -> nothing end).

%% Both VMs are stopped. One start waits for its VM, and the others wait for the supervisor.
waiting(All) ->
    Supervisor = whereis(many),
    Vms = lists:usort([os(Pid) || Pid <- All]),
    _ = [signal("STOP", Vm) || Vm <- Vms],
    Callers = [spawn_monitor(fun() -> exit({told, supervisor:start_child(many, [Number])}) end) || Number <- [11, 12, 13, 14]],
    until(fun() -> process_info(Supervisor, message_queue_len) =:= {message_queue_len, 3} end),
    until(fun() -> length(stand_ins()) =:= 5 end),
    _ = [signal("KILL", Vm) || Vm <- Vms],
    Told = [receive {'DOWN', Monitor, process, _, {told, Result}} -> Result after ?PATIENCE -> lost end || {_, Monitor} <- Callers],
    %% A caller that waited for a VM gets an error with the end of that VM. The other callers get
    %% children in new VMs, unless their start came before the end of the second VM was known.
    {Failed, Started} = lists:partition(fun(Result) -> element(1, Result) =:= error end, Told),
    say(waiting, {lists:usort(Failed), [Other || Other <- Started, not is_pid(element(2, Other))], length(Failed) =< 2}),
    %% Four ends exceed the intensity, so the supervisor gives up, and is restarted.
    say(given_up, until(fun() -> is_pid(whereis(many)) andalso whereis(many) =/= Supervisor end)),
    say(again, call(started(21), decoded)).

%% The only VM is killed before the child has started in it.
starting() ->
    Before = vms(),
    {Caller, Monitor} = spawn_monitor(fun() -> exit({told, supervisor:start_child(single, [31])}) end),
    [Vm] = until(fun() -> vms() -- Before =/= [] andalso vms() -- Before end),
    signal("KILL", Vm),
    Told = receive {'DOWN', Monitor, process, Caller, {told, Result}} -> Result after ?PATIENCE -> lost end,
    say(starting, case Told of
        {error, {vm_ended, sigkill, _}} -> told;
        %% The child had already started.
        {ok, Pid} when is_pid(Pid) -> told;
        Other -> Other
    end),
    {ok, Next} = supervisor:start_child(single, [32]),
    say(next, call(Next, decoded)).

started(Argument) ->
    {ok, Pid} = supervisor:start_child(many, [Argument]),
    Pid.

running() ->
    lists:sort([Pid || {_, Pid, _, _} <- supervisor:which_children(many), is_pid(Pid)]).

%% Returns the processes that watch the VMs of the pool.
named() ->
    [Name || Name <- registered(), lists:prefix("otp_rs_vm_many_", atom_to_list(Name))].

%% Returns the processes that represent children of the pool: those that the supervisor is linked
%% to.
stand_ins() ->
    {links, Links} = process_info(whereis(many), links),
    [Pid || Pid <- Links, is_pid(Pid), otp_rs_isolated:child_of(Pid) =/= none].

os(Pid) ->
    {decoder, Os} = otp_rs_isolated:child_of(Pid),
    Os.

vms() ->
    [Os || Port <- erlang:ports(), {os_pid, Os} <- [erlang:port_info(Port, os_pid)], is_integer(Os)].

signal(Name, Vm) -> os:cmd("kill -" ++ Name ++ " " ++ integer_to_list(Vm)).

call(Server, Request) -> gen_server:call(Server, Request, ?PATIENCE).

%% Calls the fun until its result is not `false`, and returns this result.
until(Fun) -> until(Fun, ?PATIENCE).

until(Fun, Left) ->
    case Fun() of
        false when Left > 0 -> timer:sleep(20), until(Fun, Left - 20);
        Value -> Value
    end.

say(Key, Value) -> io:format("~s=~0tp~n", [Key, Value]).
