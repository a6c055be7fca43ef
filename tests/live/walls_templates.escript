#!/usr/bin/env escript
%% Tests isolated children of supervisors with `simple_one_for_one` in the application `walls`. The
%% supervisor `many` has a pool of two VMs, and each child of `single` has its own VM. Prints one
%% `key=term` per line.
-mode(compile).
-define(PATIENCE, 120000).

main([Ebin]) ->
    true = code:add_patha(Ebin),
    ok = logger:remove_handler(default),
    {ok, _} = application:ensure_all_started(walls),
    All = [started(many, Number) || Number <- [1, 2, 3, 4]],
    as_here(All),
    refused(All),
    say(spread, [length([Pid || Pid <- All, os(Pid) =:= Os]) || Os <- lists:usort([os(Pid) || Pid <- All])]),
    crashed(All),
    given_up(),
    ended(),
    alone(),
    stopped(),
    init:stop().

%% An isolated child behaves like a child in this VM.
as_here([First, Second | _] = All) ->
    say(arguments, [call(Pid, decoded) || Pid <- All]),
    say(called, [call(Pid, {double, 2}) || Pid <- All]),
    ok = gen_server:cast(First, {count, 5}),
    say(counted, call(First, decoded)),
    say(asked, call(Second, {ask, First, 30})),
    say(listed, lists:sort([Pid || {undefined, Pid, worker, _} <- supervisor:which_children(many)]) =:= lists:sort(All)).

%% Starts with an argument that `init` refuses, and with a reference, which is an opaque value in
%% the other VM. The other children of that VM continue, even if the reason has an atom that only
%% that VM knows.
refused([First | _]) ->
    say(refused, [element(1, supervisor:start_child(many, [Argument])) || Argument <- [text, make_ref()]]),
    say(same, call(First, decoded)),
    say(active, proplists:get_value(active, supervisor:count_children(many))).

%% The children of the VM end and are restarted. All others continue.
crashed([First | _] = All) ->
    {Behind, Others} = lists:partition(fun(Pid) -> os(Pid) =:= os(First) end, All),
    Linked = spawn_monitor(fun() -> link(First), receive stop -> ok end end),
    Told = reason(fun() -> call(First, {fail, abort}) end),
    Seen = [receive {'DOWN', Monitor, process, Process, Reason} -> Reason after ?PATIENCE -> none end || {Process, Monitor} <- [Linked]],
    say(crashed, {element(2, Told), Seen =:= [Told]}),
    New = until(fun() -> length(running(many)) =:= 4 andalso running(many) -- All end),
    say(restarted, {length(New), Others -- running(many), lists:sort([call(Pid, decoded) || Pid <- New]), length(Behind)}).

%% Three restarts are allowed, and this would be the third and the fourth.
given_up() ->
    Supervisor = whereis(many),
    Monitor = monitor(process, Supervisor),
    Vms = lists:usort([os(Pid) || Pid <- running(many)]),
    _ = reason(fun() -> call(hd(running(many)), {fail, {signal, <<"SEGV">>}}) end),
    say(given_up, receive {'DOWN', Monitor, process, _, Reason} -> Reason after ?PATIENCE -> none end),
    say(left, until(fun() -> [Vm || Vm <- Vms, is_there(Vm)] =:= [] end)),
    say(again, {until(fun() -> is_pid(whereis(many)) andalso whereis(many) =/= Supervisor end), running(many)}).

%% A VM ends with the last of its children.
ended() ->
    [First, Second] = [started(many, Number) || Number <- [1, 2]],
    [One, Two] = [os(First), os(Second)],
    ok = supervisor:terminate_child(many, First),
    say(terminated, {running(many) =:= [Second], until(fun() -> not is_there(One) end), is_there(Two)}),
    %% It is transient.
    ok = sys:terminate(Second, normal),
    say(ended, {until(fun() -> running(many) =:= [] end), until(fun() -> not is_there(Two) end)}).

alone() ->
    Children = [started(single, Number) || Number <- [7, 8]],
    say(alone, {[call(Pid, decoded) || Pid <- Children], length(lists:usort([os(Pid) || Pid <- Children]))}).

stopped() ->
    _ = [started(many, 1), started(many, 2)],
    Vms = [Os || Port <- erlang:ports(), {os_pid, Os} <- [erlang:port_info(Port, os_pid)], is_integer(Os)],
    ok = application:stop(walls),
    say(stopped, until(fun() -> [Vm || Vm <- Vms, is_there(Vm)] =:= [] end)).

started(Supervisor, Argument) ->
    {ok, Pid} = supervisor:start_child(Supervisor, [Argument]),
    Pid.

running(Supervisor) ->
    [Pid || {_, Pid, _, _} <- supervisor:which_children(Supervisor), is_pid(Pid)].

os(Pid) ->
    {decoder, Os} = otp_rs_isolated:child_of(Pid),
    Os.

is_there(Os) -> filelib:is_dir("/proc/" ++ integer_to_list(Os)).

call(Server, Request) -> gen_server:call(Server, Request, ?PATIENCE).

reason(Call) ->
    try Call(), none catch exit:{Reason, _} -> Reason end.

%% Calls the fun until its result is not `false`, and returns this result.
until(Fun) -> until(Fun, ?PATIENCE).

until(Fun, Left) ->
    case Fun() of
        false when Left > 0 -> timer:sleep(20), until(Fun, Left - 20);
        Value -> Value
    end.

say(Key, Value) -> io:format("~s=~0tp~n", [Key, Value]).
