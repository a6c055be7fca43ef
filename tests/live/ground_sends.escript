#!/usr/bin/env escript
%% Makes a server of the application `ground` send messages to processes of this node and of another
%% one, which is on this machine. Prints one `key=term` per line.
-mode(compile).
-include("observe.hrl").

main([Ebin]) ->
    begin_with(Ebin),
    {ok, Post} = post:start_link(self(), []),
    in_order(Post),
    lost(Post),
    timed(Post),
    far(Post, Ebin),
    init:stop().

%% Sends by the pid, by names and by a global name. Messages that only Erlang can send alternate
%% with messages that native code sends directly.
in_order(Post) ->
    true = register(ground_observer, self()),
    yes = global:register_name(ground_observer, self()),
    0 = call(Post, {mixed, self(), ground_observer, node(), 600}),
    say(in_order, [number(next()) || _ <- lists:seq(1, 600)] =:= lists:seq(1, 600)),
    0 = call(Post, {thread, 100}),
    say(from_a_thread, [told(Post) || _ <- lists:seq(1, 100)] =:= lists:seq(1, 100)).

%% Messages to processes that do not exist have no effect.
lost(Post) ->
    {Dead, Monitor} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', Monitor, process, Dead, _} -> ok end,
    say(lost, call(Post, {nobody, Dead, node()})),
    say(nothing_came, receive Any -> Any after 0 -> none end).

timed(Post) ->
    0 = call(Post, {later, 10}),
    say(later, told(Post)),
    {ok, Again} = post:start_link(self(), []),
    0 = call(Again, {'again', 5}),
    say('again', [told(Again) || _ <- [1, 2, 3]]),
    ok = gen_server:stop(Again),
    normal = exit_of(Again).

far(Post, Ebin) ->
    _ = os:cmd("epmd -daemon"),
    Own = list_to_atom("ground_" ++ os:getpid() ++ "@127.0.0.1"),
    {ok, _} = net_kernel:start([Own, longnames]),
    {ok, Peer, Node} = peer:start_link(#{
        name => "ground_peer_" ++ os:getpid(), host => "127.0.0.1", longnames => true,
        args => ["-pa", Ebin]}),
    ok = erpc:call(Node, application, start, [ground]),
    {ok, Other} = erpc:call(Node, gen_server, start, [post, self(), []]),
    true = erpc:call(Node, erlang, register, [far_post, Other]),
    0 = call(Post, {far, Other, far_post, Node}),
    say(far, [told(Other) || _ <- [1, 2, 3, 4, 5]]),
    {ok, Desk} = erpc:call(Node, gen_server, start, [desk, self(), []]),
    true = erpc:call(Node, erlang, register, [far_desk, Desk]),
    say(far_call, call(Post, {far_call, far_desk, Node, 7})),
    ok = peer:stop(Peer),
    {{Gone, Node}, _} = exit_with(Post, {far_call, far_desk, Node, 7}),
    say(far_gone, Gone).

%% Returns the next message, cast or sent.
next() -> receive Message -> Message after ?PATIENCE -> gave_up(next, number) end.

number({'$gen_cast', Number}) -> Number;
number(Number) -> Number.
