%% Sends frames that no child sends, from a VM of isolated children.
-module(forger).
-export([forge/1, start_link/1]).

%% A start that fails with a process of its VM in the reason, and a start that ends the connection
%% to the other VM.
-spec start_link(process | killed) -> {error, term()}.
start_link(process) ->
    {error, {noproc, {gen_server, call, [pg, {join, self()}]}}};
start_link(killed) ->
    {links, Links} = process_info(self(), links),
    _ = [exit(Link, kill) || Link <- Links, is_pid(Link)],
    receive never -> {error, never} end.

-spec forge(atom()) -> ok.
%% Starts a program that keeps the output of its VM open, and writes without end.
forge(output) ->
    _ = open_port({spawn, "yes"}, [nouse_stdio]),
    ok;
%% Sends messages without end to a process of the other VM, through the process that represents it
%% here.
forge(messages) ->
    [StandIn | _] = [Pid || Pid <- processes(), process_info(Pid, initial_call) =:= {initial_call, {otp_rs_guest, stand_in, 2}}],
    flood(StandIn);
forge(What) ->
    [Socket | _] = [Port || Port <- erlang:ports(), erlang:port_info(Port, name) =:= {name, "tcp_inet"}],
    _ = frame(What, Socket),
    receive after 60000 -> ok end.

frame(kind, Socket) -> send(Socket, <<0:64, 77>>);
frame(nothing, Socket) -> send(Socket, <<>>);
frame(reply, Socket) -> send(Socket, [<<0:64, 2, 12345:64>>, term_to_binary(ok)]);
frame(term, Socket) -> send(Socket, <<0:64, 2, 0:64, 131, 99, 99>>);
frame(atom, Socket) -> send(Socket, [<<0:64, 2, 0:64>>, term_to_binary(list_to_atom("unheard_of_" ++ os:getpid()))]);
frame(compressed, Socket) -> send(Socket, [<<0:64, 2, 0:64>>, term_to_binary(lists:duplicate(1000, 0), [compressed])]);
%% A process of the other VM whose pid this VM has not received: the first one there.
frame(process, Socket) -> send(Socket, [<<0:64, 5, 131, 104, 2>>, first(), <<97, 1>>]);
%% Starts a process that runs already.
frame(started, Socket) -> send(Socket, [<<0:64, 1>>, term_to_binary(ok)]);
%% Sends an end without a reason, and an end whose reason is not encoded.
frame(ended, Socket) -> send(Socket, [<<0:64, 4>>, term_to_binary(bare)]);
%% Calls a process that never answers, until the memory of the other side is full.
frame(asks, Socket) ->
    Asks = [[<<0:64, 6, Number:64>>, term_to_binary({x, '$gen_call', Number})] || Number <- lists:seq(1, 10)],
    lists:foreach(fun(Ask) -> send(Socket, Ask) end, Asks);
frame(large, Socket) -> ok = inet:setopts(Socket, [{packet, 0}]), send(Socket, <<16#7fffffff:32, 0:64>>);

%% Sends a frame whose end never arrives.
frame(unfinished, Socket) -> ok = inet:setopts(Socket, [{packet, 0}]), send(Socket, <<16#04000000:32, 0:64>>);
%% Sends a list that is sixteen times as large in memory.
frame(inflated, Socket) ->
    Size = 32 * 1024 * 1024,
    %% The reply to the call that forges it.
    send(Socket, [<<0:64, 2, 1:64, 131, 108, Size:32>>, binary:copy(<<106>>, Size + 1)]);
%% Sends a large reason, with a large text for a VM that cannot read the reason.
frame(reason, Socket) ->
    Reason = term_to_binary(binary:copy(<<"r">>, 2 * 1024 * 1024)),
    send(Socket, [<<0:64, 4>>, term_to_binary({Reason, binary:copy(<<"t">>, 1024 * 1024)})]).

-spec flood(pid()) -> no_return().
flood(To) ->
    lists:foreach(fun(Number) -> To ! Number end, lists:seq(1, 1000)),
    {monitors, [{process, Relay}]} = process_info(To, monitors),
    lists:foreach(fun wait_for/1, [To, Relay]),
    flood(To).

%% Waits until a process has read its messages.
wait_for(Process) ->
    case process_info(Process, message_queue_len) of
        {message_queue_len, 0} -> ok;
        _ -> timer:sleep(1), wait_for(Process)
    end.

first() ->
    <<88, 100, 13:16, "nonode@nohost", 0:32, 0:32, 0:32>>.

send(Socket, Bytes) ->
    prim_inet:send(Socket, iolist_to_binary(Bytes)).
