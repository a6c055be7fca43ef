#!/usr/bin/env escript
%% Makes servers of the application `mailbox` watch processes, ports, timers and nodes. Prints one
%% `key=term` per line.
-mode(compile).
-include("observe.hrl").

main([Ebin]) ->
    begin_with(mailbox, Ebin),
    {ok, Watcher} = watcher:start_link({}, []),
    monitors(Watcher),
    links(Watcher),
    aliases(Watcher),
    flags(Watcher),
    timers(),
    requests(),
    tcp(),
    udp(),
    nodes_of(Watcher),
    init:stop().

monitors(Watcher) ->
    [One, Two, Three] = [process() || _ <- [1, 2, 3]],
    true = register(two, Two),
    yes = global:register_name(three, Three),
    say(monitored, [call(Watcher, {monitor, Server}) || Server <- [One, two, {global, three}, {global, nobody}, nobody]]),
    %% The last monitors are of processes that do not exist.
    [end_of(Pid, gone) || Pid <- [Three, Two]],
    say(down, downs(seen(Watcher, 4))),
    say(demonitored, [call(Watcher, {demonitor, Index}) || Index <- [0, 0, 1]]),
    end_of(One, gone),
    say(not_seen, call(Watcher, seen)),
    %% It waits for one of the two, and the message of the other one stays in the mailbox.
    [Four, Five] = [process(), process()],
    [5, 6] = [call(Watcher, {monitor, Pid}) || Pid <- [Four, Five]],
    Waiting = asking(Watcher, {wait, 6}),
    until(fun() -> process_info(Watcher, current_function) =:= {current_function, {mailbox_nif, take, 2}} end),
    end_of(Four, four),
    end_of(Five, five),
    say(waited, answer(Waiting)),
    say(other_one, downs(seen(Watcher, 1))).

%% Returns the object of the monitor: a name if the process was monitored by a name.
downs(Seen) ->
    [{Monitor, case is_pid(Object) of true -> pid; false -> Object end, Reason} || {<<"down">>, Monitor, Object, Reason} <- Seen].

links(Watcher) ->
    say(trap_exit, [call(Watcher, {trap_exit, true}), call(Watcher, {trap_exit, true})]),
    [One, Two] = [process(), process()],
    [ok, ok, ok] = [call(Watcher, {link, Pid}) || Pid <- [One, Two]] ++ [call(Watcher, {unlink, Two})],
    end_of(Two, gone),
    end_of(One, gone),
    Exits = seen(Watcher, 1),
    say(exits, [{exit_of_one, Reason} || [<<"exit">>, From, Reason] <- [tuple_to_list(Exit) || Exit <- Exits], From =:= One]),
    Three = process(),
    Monitor = monitor(process, Three),
    ok = call(Watcher, {exit, Three, {told, to}}),
    say(exit, receive {'DOWN', Monitor, process, Three, Reason} -> Reason end).

aliases(Watcher) ->
    Alias = call(Watcher, alias),
    Alias ! by_alias,
    ok = call(Watcher, {send, Alias, by_itself}),
    say(aliases, seen(Watcher, 2)),
    ok = call(Watcher, {unalias, 0}),
    Alias ! late,
    Watcher ! direct,
    say(unaliased, seen(Watcher, 1)).

flags(Watcher) ->
    ok = call(Watcher, flags),
    {priority, Priority} = process_info(Watcher, priority),
    {min_heap_size, Words} = process_info(Watcher, min_heap_size),
    say(flags, {Priority, Words >= 4000}),
    say(bad_flag, call(Watcher, bad_flag)).

timers() ->
    {ok, Ticker} = ticker:start_link({}, []),
    [0, 1] = [call(Ticker, {send_after, Time}) || Time <- [60000, 0]],
    say(sent, seen(Ticker, 1)),
    say(cancelled, [call(Ticker, {cancel, Index}) || Index <- [0, 0, 1]]),
    [2, 3] = [call(Ticker, {start_timer, Time}) || Time <- [60000, 0]],
    say(started, seen(Ticker, 1)),
    say(start_cancelled, call(Ticker, {cancel, 2})),
    ok = call(Ticker, {plain, 0}),
    say(plain, seen(Ticker, 1)),
    say(fired, call(Ticker, fired)),
    ok = call(Ticker, {interval, 1}),
    say(again, lists:usort(seen(Ticker, 3))),
    ok = call(Ticker, cancel_interval),
    _ = call(Ticker, seen),
    ok = call(Ticker, idle),
    say(idle, seen(Ticker, 1)).

%% The clerks reply on request.
requests() ->
    {ok, Courier} = courier:start_link({}, []),
    Clerks = [One, Two, Three] = [clerk() || _ <- [1, 2, 3]],
    All = asking(Courier, {all, Clerks}),
    [{asked, count} = told(Clerk) || Clerk <- Clerks],
    [Clerk ! {reply, Number} || {Clerk, Number} <- [{Three, 3}, {One, 1}, {Two, 2}]],
    say(all, answer(All)),
    Some = asking(Courier, {some, Clerks}),
    [{asked, count} = told(Clerk) || Clerk <- Clerks],
    %% Like this process, the courier is first notified of the end.
    Ended = monitor(process, One),
    exit(One, gone),
    receive {'DOWN', Ended, process, One, gone} -> ok end,
    Two ! {reply, 20},
    say(some, answer(Some)),
    %% The reply to the dropped request does not arrive.
    Three ! {reply, 30},
    {asked, now} = begin Three ! {tell, now}, told(Three) end,
    say(dropped, call(Courier, seen)),
    Four = clerk(),
    [ok, ok, ok, ok] = [call(Courier, {keep, Clerk}) || Clerk <- [Two, Three, Four, One]],
    [{asked, count} = told(Clerk) || Clerk <- [Two, Three, Four]],
    say(nobody, seen(Courier, 1)),
    Three ! {reply, 33},
    exit(Four, gone),
    say(kept, lists:sort(seen(Courier, 2))),
    Two ! {reply, many},
    {{bad_term, Wrong}, _} = exit_of(Courier),
    say(wrong_reply, lists:sort(maps:to_list(Wrong))).

clerk() ->
    Observer = self(),
    spawn(fun() -> clerk(Observer, none) end).

clerk(Observer, Caller) ->
    receive
        {'$gen_call', From, Request} -> Observer ! {self(), {asked, Request}}, clerk(Observer, From);
        {tell, What} -> Observer ! {self(), {asked, What}}, clerk(Observer, Caller);
        {reply, Reply} -> gen_server:reply(Caller, Reply), clerk(Observer, none)
    end.

tcp() ->
    {ok, Meter} = meter:start_link({}, []),
    {ok, Listen} = gen_tcp:listen(0, [{ip, {127, 0, 0, 1}}, {active, false}, binary]),
    {ok, Port} = inet:port(Listen),
    {ok, Client} = gen_tcp:connect({127, 0, 0, 1}, Port, [binary]),
    {ok, Socket} = gen_tcp:accept(Listen),
    ok = gen_tcp:controlling_process(Socket, Meter),
    ok = inet:setopts(Socket, [{active, 1}]),
    ok = gen_tcp:send(Client, "one"),
    say(tcp, all_seen(Meter, 2)),
    ok = inet:setopts(Socket, [list, {active, true}]),
    ok = gen_tcp:send(Client, "two"),
    ok = gen_tcp:close(Client),
    say(tcp_list, lists:nthtail(2, all_seen(Meter, 4))).

udp() ->
    {ok, Meter} = meter:start_link({}, []),
    {ok, Socket} = gen_udp:open(0, [{ip, {127, 0, 0, 1}}, binary, {active, false}]),
    ok = gen_udp:controlling_process(Socket, Meter),
    {ok, Port} = inet:port(Socket),
    ok = inet:setopts(Socket, [{active, 1}]),
    {ok, Sender} = gen_udp:open(0, [binary]),
    ok = gen_udp:send(Sender, {127, 0, 0, 1}, Port, "packet"),
    say(udp, all_seen(Meter, 2)),
    ok = inet:setopts(Socket, [{recvtos, true}, {active, true}]),
    ok = gen_udp:send(Sender, {127, 0, 0, 1}, Port, "other"),
    say(udp_ancillary, lists:nthtail(2, all_seen(Meter, 3))).

nodes_of(Watcher) ->
    _ = os:cmd("epmd -daemon"),
    until(fun() -> element(1, erl_epmd:names({127, 0, 0, 1})) =:= ok end),
    Own = list_to_atom("mailbox_" ++ os:getpid() ++ "@127.0.0.1"),
    {ok, _} = net_kernel:start([Own, longnames]),
    ok = call(Watcher, {nodes, true, false}),
    {Node, Plain} = {came_and_went(), seen(Watcher, 2)},
    say(nodes, Plain =:= [{<<"up">>, Node}, {<<"down">>, Node}]),
    ok = call(Watcher, {nodes, false, false}),
    ok = call(Watcher, {nodes, true, true}),
    Other = came_and_went(),
    [{<<"up">>, Up, visible}, {<<"down">>, Down, Reason}] = seen(Watcher, 2),
    say(nodes_with_info, {Up =:= Other, Down =:= Other, is_atom(Reason) orelse is_tuple(Reason)}).

came_and_went() ->
    Name = "mailbox_peer_" ++ os:getpid() ++ integer_to_list(erlang:unique_integer([positive])),
    {ok, Peer, Node} = peer:start_link(#{name => Name, host => "127.0.0.1", longnames => true}),
    ok = peer:stop(Peer),
    Node.

process() -> spawn(fun() -> receive {'end', Reason} -> exit(Reason) end end).

%% Ends a process, and waits for its end.
end_of(Pid, Reason) ->
    Monitor = monitor(process, Pid),
    Pid ! {'end', Reason},
    receive {'DOWN', Monitor, process, Pid, Reason} -> ok after ?PATIENCE -> gave_up(end_of, Pid) end.

%% Returns the next messages that the server sees, at least this many.
seen(Server, Count) -> seen(Server, Count, []).

seen(Server, Count, Before) when length(Before) < Count ->
    receive after 5 -> ok end,
    seen(Server, Count, Before ++ call(Server, seen));
seen(_, _, Seen) -> Seen.

%% Returns the messages of a server that keeps them.
all_seen(Server, Count) ->
    until(fun() -> length(call(Server, seen)) >= Count end),
    call(Server, seen).
