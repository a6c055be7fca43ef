#!/usr/bin/env escript
%% Makes the server `scout` of the application `ground` observe another node, and processes that
%% join a group. Prints one `key=term` per line.
-mode(compile).
-include("observe.hrl").

main([Ebin]) ->
    begin_with(Ebin),
    {ok, Scout} = scout:start_link({}, []),
    %% Other nodes can only answer a node with a name.
    say(without_a_name, exit_with(Scout, {at, 'nobody@127.0.0.1'})),
    {ok, Other} = scout:start_link({}, []),
    group(Other),
    other_node(Other, Ebin),
    init:stop().

group(Scout) ->
    {ok, Scope} = pg:start_link(ground_groups),
    {ok, First} = porter:start_link({}, []),
    ok = pg:join(ground_groups, <<"porters">>, First),
    say(members, call(Scout, 'begin') =:= [First]),
    {ok, Second} = porter:start_link({}, []),
    ok = pg:join(ground_groups, <<"porters">>, Second),
    ok = gen_server:stop(First),
    true = until(fun() -> length(call(Scout, heard)) =:= 2 end),
    say(heard, call(Scout, heard) =:= [{join, [Second]}, {leave, [First]}]),
    say(ended, {call(Scout, 'end'), call(Scout, 'end')}),
    ok = gen_server:stop(Second),
    _ = sys:get_state(Scope),
    say(heard_no_more, length(call(Scout, heard))).

other_node(Scout, Ebin) ->
    _ = os:cmd("epmd -daemon"),
    Own = list_to_atom("ground_nodes_" ++ os:getpid() ++ "@127.0.0.1"),
    {ok, _} = net_kernel:start([Own, longnames]),
    {ok, Peer, Node} = peer:start_link(#{
        name => "ground_other_" ++ os:getpid(), host => "127.0.0.1", longnames => true, args => ["-pa", Ebin]}),
    say(connected, call(Scout, {at, Node}) =:= {true, Own, [Node], Node}),
    ok = peer:stop(Peer),
    say(lost, call(Scout, {at, Node}) =:= {false, Own, [], {erpc, noconnection}}).
