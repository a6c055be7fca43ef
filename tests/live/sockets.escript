#!/usr/bin/env escript
%% Connects to the servers of the application `sockets`. Prints one `key=term` per line.
-mode(compile).
-include("observe.hrl").

main([Ebin]) ->
    begin_with(sockets, Ebin),
    {ok, Echo} = echo:start_link(0, []),
    Port = call(Echo, port),
    say(one, echoed(Port, <<"hello">>)),
    say(many, lists:usort(parallel(200, fun(N) -> echoed(Port, binary:copy(<<N:16>>, 20000)) end))),
    say(gone, settled(fun() -> call(Echo, live) =:= 0 end)),
    in_a_callback(Echo, Port),
    slow_reader(Echo, Port),
    burning(Echo, Port),
    idle(Echo, Port),
    say(unix, call(Echo, {local, path()})),
    say(in_use, call(Echo, {second, Port})),
    shared(Port),
    datagrams(),
    killed(Echo, Port),
    init:stop().

path() ->
    iolist_to_binary(["/tmp/otp_rs_sockets_", os:getpid()]).

%% The server returns exactly the bytes that it received.
echoed(Port, Bytes) ->
    {ok, Socket} = gen_tcp:connect({127, 0, 0, 1}, Port, [binary, {active, false}]),
    Parent = self(),
    Sender = spawn_link(fun() -> ok = gen_tcp:send(Socket, Bytes), unlink(Parent) end),
    {ok, Back} = gen_tcp:recv(Socket, byte_size(Bytes), 20000),
    _ = Sender,
    ok = gen_tcp:close(Socket),
    Back =:= Bytes.

parallel(Count, Fun) ->
    Self = self(),
    Pids = [spawn_link(fun() -> Self ! {self(), Fun(N)} end) || N <- lists:seq(1, Count)],
    [receive {Pid, Result} -> Result after ?PATIENCE -> late end || Pid <- Pids].

settled(Condition) -> settled(Condition, 6000).

settled(_, 0) -> false;
settled(Condition, Left) ->
    case Condition() of
        true -> true;
        false -> timer:sleep(10), settled(Condition, Left - 1)
    end.

%% A callback awaits a socket while the tasks of its own process serve the other side.
in_a_callback(Echo, Port) ->
    {ok, Free} = gen_tcp:listen(0, [{ip, {127, 0, 0, 1}}]),
    {ok, Closed} = inet:port(Free),
    ok = gen_tcp:close(Free),
    Bytes = binary:copy(<<"x">>, 300000),
    {ok, Back} = call(Echo, {fetch, Port, binary_to_list(Bytes)}),
    say(in_a_callback, {iolist_to_binary(Back) =:= Bytes, call(Echo, {fetch, Closed, "x"})}).

%% A client that does not read delays no other client, and its server keeps only as many bytes as
%% the operating system accepts.
slow_reader(Echo, Port) ->
    {ok, Slow} = gen_tcp:connect({127, 0, 0, 1}, Port, [binary, {active, false}, {send_timeout, 500}, {linger, {true, 0}}]),
    Sent = fill(Slow, binary:copy(<<"y">>, 65536), 0),
    Meanwhile = echoed(Port, <<"meanwhile">>),
    say(slow_reader, {Sent < 64 bsl 20, Meanwhile, settled(fun() -> call(Echo, live) =:= 1 end)}),
    gen_tcp:close(Slow),
    say(slow_reader_gone, settled(fun() -> call(Echo, live) =:= 0 end)).

fill(Socket, Piece, Sent) ->
    case gen_tcp:send(Socket, Piece) of
        ok -> fill(Socket, Piece, Sent + byte_size(Piece));
        {error, timeout} -> Sent
    end.

%% A task that computes beside the connections yields. It has started before them, and continues
%% until it gets a message.
burning(Echo, Port) ->
    ok = call(Echo, {burn, true}),
    Begun = settled(fun() -> call(Echo, burned) > 0 end),
    Echoed = echoed(Port, <<"beside">>),
    Burned = call(Echo, burned),
    Goes = settled(fun() -> call(Echo, burned) > Burned end),
    ok = call(Echo, {burn, false}),
    say(burning, {Begun, Echoed, Goes}).

%% An unused connection costs a task and a slot.
idle(Echo, Port) ->
    Sockets = [begin {ok, S} = gen_tcp:connect({127, 0, 0, 1}, Port, []), S end || _ <- lists:seq(1, 300)],
    All = settled(fun() -> call(Echo, live) =:= 300 end),
    say(idle, {All, echoed(Port, <<"among many">>)}),
    lists:foreach(fun gen_tcp:close/1, Sockets),
    say(idle_gone, settled(fun() -> call(Echo, live) =:= 0 end)).

%% Two servers listen on one port.
shared(Port) ->
    {ok, Other} = echo:start_link(Port, []),
    say(shared, {call(Other, port) =:= Port, lists:usort(parallel(50, fun(_) -> echoed(Port, <<"either">>) end))}),
    unlink(Other),
    exit(Other, kill).

datagrams() ->
    {ok, Server} = datagrams:start_link({}, []),
    Port = call(Server, port),
    {ok, Socket} = gen_udp:open(0, [binary, {active, false}, {ip, {127, 0, 0, 1}}]),
    Back = [begin
        ok = gen_udp:send(Socket, {127, 0, 0, 1}, Port, <<N:32>>),
        {ok, {_, Port, Datagram}} = gen_udp:recv(Socket, 0, 5000),
        Datagram =:= <<N:32>>
    end || N <- lists:seq(1, 100)],
    say(datagrams, lists:usort(Back)).

%% The sockets of a process are closed when it ends, and leave nothing behind.
killed(Echo, Port) ->
    {ok, Socket} = gen_tcp:connect({127, 0, 0, 1}, Port, [binary, {active, false}]),
    true = settled(fun() -> call(Echo, live) =:= 1 end),
    unlink(Echo),
    exit(Echo, kill),
    Closed = gen_tcp:recv(Socket, 0, 5000),
    Refused = settled(fun() -> gen_tcp:connect({127, 0, 0, 1}, Port, []) =:= {error, econnrefused} end),
    gen_tcp:close(Socket),
    garbage_collect(),
    say(killed, {Closed, Refused}),
    Open = fun() -> length(filelib:wildcard("/proc/self/fd/*")) end,
    Before = Open(),
    lists:foreach(
        fun(_) ->
            {ok, Pid} = echo:start_link(0, []),
            true = echoed(call(Pid, port), <<"short">>),
            unlink(Pid),
            exit(Pid, kill)
        end, lists:seq(1, 50)),
    say(no_descriptor_is_left, settled(fun() -> Open() =< Before + 2 end)).
