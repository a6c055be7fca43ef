#!/usr/bin/env escript
%% Uses children of the application `walls` whose VMs send without end, read nothing, or send too
%% much at once. Prints one `key=term` per line.
-mode(compile).
-define(PATIENCE, 120000).

main([Ebin]) ->
    true = code:add_patha(Ebin),
    ok = logger:remove_handler(default),
    {ok, _} = application:ensure_all_started(walls),
    unread_messages(),
    reason(),
    unfinished(),
    stopped(),
    silent(),
    foreign(),
    output(),
    ok = application:stop(walls).

%% The receiver of the messages never reads one.
unread_messages() ->
    Sink = spawn(fun() -> receive never -> ok end end),
    _ = call({send, Sink, hello}),
    say(unread_messages, failed({forge, messages})),
    {message_queue_len, Waiting} = process_info(Sink, message_queue_len),
    say(waiting, Waiting >= 100000 andalso Waiting < 200000).

%% A reason that is too large is replaced by a part of its text.
reason() ->
    {isolated, Text} = failed({forge, reason}),
    say(reason, byte_size(Text)).

%% The supervisor ends the child, although its VM does not report the end.
unfinished() ->
    {Caller, Monitor} = spawn_monitor(fun() -> call({forge, unfinished}) end),
    ended(fun() -> ok end),
    say(unfinished, receive {'DOWN', Monitor, process, Caller, _} -> told after ?PATIENCE -> waits end).

%% The VM reads nothing, so the process that represents the child waits until it is killed.
stopped() ->
    ended(fun() ->
        {decoder, Os} = otp_rs_isolated:child_of(alone),
        [] = os:cmd("kill -STOP " ++ integer_to_list(Os)),
        lists:foreach(fun(_) -> gen_server:cast(alone, binary:copy(<<"x">>, 1 bsl 20)) end, lists:seq(1, 32))
    end),
    say(stopped, call({double, 4})).

%% While the VM starts, other programs connect in its place, and send nothing or wrong bytes.
silent() ->
    Known = listening(),
    ok = supervisor:terminate_child(stroot, alone),
    Self = self(),
    _ = spawn_link(fun() -> Self ! {restarted, supervisor:restart_child(stroot, alone)} end),
    Port = new(Known),
    Sockets = [Socket || _ <- lists:seq(1, 50), {ok, Socket} <- [gen_tcp:connect({127, 0, 0, 1}, Port, [])]],
    _ = [gen_tcp:send(Socket, <<16#7fffffff:32, "wrong">>) || Socket <- lists:sublist(Sockets, 10)],
    say(connected, length(Sockets) > 0),
    receive {restarted, {ok, _}} -> say(silent, call({double, 4})) end.

%% Returns the ports on which this VM listens.
listening() ->
    [Number || Port <- erlang:ports(), erlang:port_info(Port, name) =:= {name, "tcp_inet"},
        {ok, Number} <- [inet:port(Port)], {error, _} <- [inet:peername(Port)]].

new(Known) ->
    case listening() -- Known of
        [Port | _] -> Port;
        [] -> timer:sleep(1), new(Known)
    end.

ended(Prepare) ->
    {decoder, Os} = otp_rs_isolated:child_of(alone),
    Prepare(),
    ok = supervisor:terminate_child(stroot, alone),
    wait_for_end(Os),
    {ok, _} = supervisor:restart_child(stroot, alone).

wait_for_end(Os) ->
    case filelib:is_dir("/proc/" ++ integer_to_list(Os)) of
        true -> timer:sleep(20), wait_for_end(Os);
        false -> ok
    end.

%% The VM prints without end while the terminal accepts nothing. When the VM is killed, a program
%% that it has started still has the output open.
output() ->
    User = whereis(user),
    true = unregister(user),
    true = register(user, spawn(fun() -> receive never -> ok end end)),
    Before = erlang:memory(total),
    ok = call({forge, output}),
    Answers = [call({double, Number}) || Number <- lists:seq(1, 500)],
    say(answers, lists:sum(Answers)),
    say(queues, lists:max([Length || Pid <- vms(), {message_queue_len, Length} <- [process_info(Pid, message_queue_len)]]) < 1000),
    say(memory, erlang:memory(total) - Before < 256 bsl 20),
    {vm_ended, Why, Words} = failed({fail, {signal, <<"KILL">>}}),
    %% In a group, the program is killed; otherwise the port does not report the status of the VM.
    say(output, {lists:member(Why, [sigkill, disconnected]), binary:part(Words, 0, 4)}),
    true = unregister(user),
    true = register(user, User).

%% A process that has got the number of an ended VM is not killed, whatever its name contains.
foreign() ->
    Program = "printf 'sh) 1 2\\n3' > /proc/$$/comm; echo named; read end",
    Port = open_port({spawn_executable, "/bin/sh"}, [{args, ["-c", Program]}, exit_status, in, out]),
    receive {Port, {data, "named\n"}} -> ok end,
    {os_pid, Number} = erlang:port_info(Port, os_pid),
    {Number, Started} = Process = otp_rs_limits:os_process(Number),
    Others = [{Number, Earlier} || Earlier <- [<<"1">>, ended]],
    lists:foreach(fun otp_rs_limits:kill/1, Others),
    say(foreign, {is_binary(Started), [otp_rs_limits:is_running(Other) || Other <- [Process | Others]]}),
    ok = otp_rs_limits:kill(Process),
    receive {Port, {exit_status, Status}} -> say(own, {Status, otp_rs_limits:is_running(Process)}) end.

%% Returns the processes that watch the other VMs.
vms() ->
    [Pid || Pid <- processes(), {dictionary, Known} <- [process_info(Pid, dictionary)],
        proplists:get_value('$initial_call', Known) =:= {otp_rs_vm, init, 1}].

%% Returns how the call failed, after another child has taken the place.
failed(Request) ->
    Old = whereis(alone),
    Reason = try call(Request) catch exit:{Why, _} -> Why end,
    again(Old),
    Reason.

again(Old) ->
    case whereis(alone) of
        New when is_pid(New), New =/= Old ->
            try call({double, 4}) catch exit:_ -> again(New) end;
        _ -> timer:sleep(10), again(Old)
    end.

call(Request) -> gen_server:call(alone, Request, ?PATIENCE).

say(Key, Value) -> io:format("~s=~0tp~n", [Key, Value]).
