#!/usr/bin/env escript
%% Runs three nodes on this machine, which edit one tree, with network splits, kills and a node that
%% joins late. Prints one `key=term` per line.
-mode(compile).

-define(TREE, <<"garden">>).
-record(world, {ebin, folder, peers = #{}}).

main([Ebin, Folder, Edits]) ->
    Port = free_port(),
    os:putenv("ERL_EPMD_PORT", integer_to_list(Port)),
    _ = os:cmd("epmd -daemon -relaxed_command_check -address 127.0.0.1"),
    try run(#world{ebin = Ebin, folder = Folder}, list_to_integer(Edits))
    after
        [catch peer:stop(Peer) || {_, Peer} <- get(), is_pid(Peer)],
        os:cmd("epmd -kill")
    end.

run(World0, Edits) ->
    World1 = start(a, start(b, World0)),
    connect(a, b, World1),
    both_see_both(World1),
    both_sides_of_a_split(World1),
    read_as_others(World1),
    watched(World1),
    forged(World1),
    settled(World1),
    full_disk(World1),
    kept_after_kill(World1),
    World2 = start(a, World1),
    connect(a, b, World2),
    rand:seed(exsss, 7),
    Half = random(World2, Edits div 2, []),
    World3 = start(c, World2),
    connect(a, c, World3),
    connect(b, c, World3),
    Made = random(World3, Edits - Edits div 2, Half),
    heal(World3),
    agree(World3),
    say(made, length(Made) > Edits div 2),
    say(lost, lost(World3, Made)),
    io:format(standard_error, "~b edits~n", [length(Made)]),
    away(World3),
    spread(World3).

%% A node with edits that no other node has is away while the others make more moves than they keep.
%% It takes their tree, and repeats its own edits; nodes that it has created keep their names.
away(World) ->
    [call(c, World, net_kernel, connect_node, [name(Other)]) || Other <- [a, b]],
    {ok, Shared} = edit(a, World, {create, root(), last}),
    agree(World),
    split(c, a, World),
    split(c, b, World),
    {ok, Own} = edit(c, World, {create, Shared, last}),
    {ok, _} = edit(c, World, {put, Own, <<"by">>, <<"c">>}),
    {ok, _} = edit(c, World, {put, Shared, <<"both">>, <<"c">>}),
    {ok, There} = edit(a, World, {create, root(), first}),
    {ok, _} = edit(b, World, {put, Shared, <<"both">>, <<"b">>}),
    %% The snapshot needs several parts.
    [{ok, _} = edit(a, World, {put, Shared, Key, binary:copy(Key, 100000)}) || Key <- [<<"1">>, <<"2">>, <<"3">>]],
    [{ok, _} = edit(a, World, {move, There, root(), Where}) || _ <- lists:seq(1, 150), Where <- [first, last]],
    %% The nodes fold their moves at the next tick.
    timer:sleep(2500),
    heal(World),
    agree(World),
    say(own, ask(b, World, children, [?TREE, Shared]) =:= {ok, [Own]}),
    say(by, ask(a, World, attributes, [?TREE, Own])),
    {ok, Both} = ask(a, World, attributes, [?TREE, Shared]),
    {ok, Overruled} = ask(b, World, overruled, [?TREE]),
    say(values, lists:usort([Value || {<<"both">>, Value} <- Both] ++
        [Value || {overruled, {operation, _, _, _, {put, Node, <<"both">>, Value}}, _} <- Overruled, Node =:= Shared])),
    %% It continues as a new replica, and still exists after a kill.
    {ok, Next} = edit(c, World, {create, Own, last}),
    kill(c, World),
    Again = start(c, World),
    [connect(c, Other, Again) || Other <- [a, b]],
    heal(Again),
    agree(Again),
    say(next, ask(c, Again, children, [?TREE, Own]) =:= {ok, [Next]}).

%% There are four nodes, and each tree has copies on three. The fourth node asks one of the three
%% others.
spread(World0) ->
    World = start(d, World0),
    Nodes = maps:keys(World#world.peers),
    [connect(d, Other, World) || Other <- Nodes, Other =/= d],
    heal(World),
    Names = [integer_to_binary(Number) || Number <- lists:seq(1, 12)],
    say(created, lists:usort([ask(d, World, create_tree, [Name]) || Name <- Names])),
    Have = fun() ->
        Known = lists:append([ask(Node, World, trees, []) || Node <- Nodes]),
        lists:usort([length([Name || Other <- Known, Other =:= Name]) || Name <- Names])
    end,
    wait(fun() -> Have() =:= [3] end),
    Edits = [ask(Node, World, edit, [Name, {create, root(), last}]) || Node <- Nodes, Name <- Names],
    say(asked, lists:usort([element(1, Edit) || Edit <- Edits])),
    wait(fun() -> lists:usort([ask(Node, World, size, [Name]) || Node <- Nodes, Name <- Names]) =:= [{ok, 5}] end),
    say(no_tree, ask(d, World, size, [<<"field">>])),
    say(exists, ask(d, World, create_tree, [<<"1">>])),
    say(no_node, ask(d, World, edit, [<<"1">>, {delete, {7, 7}}])).

both_see_both(World) ->
    say(create, ask(a, World, create_tree, [?TREE])),
    {ok, One} = edit(a, World, {create, root(), last}),
    wait(fun() -> ask(b, World, children, [?TREE, root()]) =:= {ok, [One]} end),
    {ok, Two} = edit(b, World, {create, root(), last}),
    {ok, _} = edit(b, World, {put, One, <<"name">>, <<"oak">>}),
    agree(World),
    say(both, [ask(Node, World, children, [?TREE, root()]) =:= {ok, [One, Two]} || Node <- [a, b]]),
    say(name, ask(a, World, attributes, [?TREE, One])),
    put(nodes, [One, Two]).

both_sides_of_a_split(World) ->
    [One, Two] = get(nodes),
    split(a, b, World),
    {ok, _} = edit(a, World, {move, One, Two, last}),
    {ok, Cycle} = edit(b, World, {move, Two, One, last}),
    {ok, _} = edit(a, World, {put, Two, <<"name">>, <<"elm">>}),
    {ok, _} = edit(b, World, {put, Two, <<"name">>, <<"ash">>}),
    heal(World),
    agree(World),
    {ok, Overruled} = ask(a, World, overruled, [?TREE]),
    Kinds = [case By of {Kind, _} -> Kind; Kind -> Kind end || {overruled, _, By} <- Overruled],
    say(overruled, lists:sort(Kinds)),
    {ok, Names} = ask(a, World, attributes, [?TREE, Two]),
    say(known, lists:sort([Value || {_, Value} <- Names] ++
        [Value || {overruled, {operation, _, _, _, {put, _, _, Value}}, _} <- Overruled])),
    say(is_move, lists:any(fun({overruled, Operation, _}) -> element(1, element(5, Operation)) =:= move end, Overruled)
        andalso is_tuple(Cycle)).

%% Copies can be read like trees of a single node: with queries, ranges, pages, versions, watchers.
read_as_others(World) ->
    Tree = <<"meadow">>,
    say(indexed, ask(a, World, create_tree, [Tree, [<<"colour">>]])),
    Plants = [begin
        {ok, Plant} = ask(Node, World, edit, [Tree, {create, root(), last}]),
        {ok, _} = ask(Node, World, edit, [Tree, {put, Plant, <<"colour">>, Colour}]),
        Plant
    end || {Node, Colour} <- [{a, <<"red">>}, {a, <<"blue">>}, {a, <<"red">>}, {a, <<"green">>}, {a, <<"red">>}]],
    [One, _, Three, _, Five] = Plants,
    Red = #{predicate => {equal, <<"colour">>, <<"red">>}, limit => 2},
    wait(fun() -> ask(b, World, select, [Tree, Red#{limit => 9}]) =:= {ok, #{found => [One, Three, Five], next => undefined}} end),
    {ok, Database} = ask(b, World, database, []),
    Paths = [Path || Plant <- Plants, {ok, Path} <- [ask(b, World, path, [Tree, Plant])]],
    [First, _, Third, _, Fifth] = Paths,
    Select = fun(Query) -> call(b, World, jungle_query, select, [Database, Tree, Query]) end,
    say(page, Select(Red) =:= {ok, #{found => [First, Third], next => Third}}),
    say(next, Select(Red#{'after' => Third}) =:= {ok, #{found => [Fifth], next => undefined}}),
    say(pattern, Select(#{pattern => ['*'], limit => 9}) =:= {ok, #{found => Paths, next => undefined}}),
    {ok, #{found := Range}} = call(b, World, jungle_query, range, [Database, Tree, <<"colour">>, <<"c">>, <<"h">>, 9]),
    say(range, [Value || {Value, _} <- Range]),
    %% Another copy continues with the next page.
    {ok, #{next := Next}} = ask(a, World, select, [Tree, Red]),
    say(copy, ask(b, World, select, [Tree, Red, Next]) =:= {ok, #{found => [Five], next => undefined}}),
    {ok, #{found := Blue}} = ask(b, World, range, [Tree, <<"colour">>, <<"a">>, <<"c">>, 9]),
    say(blue, Blue =:= [{<<"blue">>, lists:nth(2, Plants)}]),
    say(node_at, ask(b, World, node_at, [Tree, Third]) =:= {ok, Three}),
    {ok, {Number, _}} = call(b, World, jungle_versions, newest, [Database, Tree]),
    say(version, is_integer(Number)),
    say(wrong, [Select(#{limit => 100000}), Select(#{pattern => [{range, 2, 1}]}),
        call(b, World, jungle_query, range, [Database, Tree, <<"size">>, <<>>, <<>>, 1]),
        call(b, World, jungle_query, select, [Database, <<"sea">>, #{}]),
        call(b, World, jungle, change, [Database, Tree, [{put, [], <<"a">>, <<"b">>}]]),
        ask(b, World, node_at, [Tree, [7]]), ask(b, World, select, [Tree, #{}, {7, 7}]),
        ask(b, World, edit, [Tree, {drop_index, <<"size">>}]),
        ask(b, World, edit, [Tree, {create, root(), {before, {7, 7}}}]),
        ask(b, World, edit, [Tree, {put, root(), binary:copy(<<"k">>, 2000), <<>>}])]).

%% A subscriber is notified of events below a node, also of those on the other side of a split.
watched(World) ->
    {ok, Top} = edit(a, World, {create, root(), last}),
    {ok, Plant} = edit(a, World, {create, Top, last}),
    agree(World),
    say(watches, evaluate(a, World, "Own = self(), spawn(fun() -> register(watcher, self()),
        {ok, D} = jungle_replica:database(), {ok, _} = jungle_watch:subscribe(D, Tree, []),
        Own ! jungle_replica:subscribe(Tree, Top),
        F = fun(F, All) -> receive {told, To} -> To ! {all, lists:reverse(All)}, F(F, All); M -> F(F, [M | All]) end end,
        F(F, []) end), receive Answer -> element(1, Answer) end.", [{'Tree', ?TREE}, {'Top', Top}])),
    Told = fun() -> evaluate(a, World, "watcher ! {told, self()}, receive {all, All} -> All end.", []) end,
    Events = fun() -> lists:append([Events || {happened, ?TREE, Node, Events} <- Told(), Node =:= Top]) end,
    {ok, New} = edit(b, World, {create, Plant, last}),
    {ok, _} = edit(b, World, {put, New, <<"name">>, <<"elm">>}),
    {ok, _} = edit(b, World, {create, root(), first}),
    wait(fun() -> length(Events()) =:= 2 end),
    say(from_another, Events() =:= [{created, New, Plant}, {put, New, <<"name">>, <<"elm">>}]),
    %% `jungle_watch` reports the change as well.
    wait(fun() -> length([Changed || {changed, _, ?TREE, _, Changed} <- Told()]) >= 3 end),
    split(a, b, World),
    {ok, Written} = edit(a, World, {put, New, <<"name">>, <<"ash">>}),
    {ok, Moved} = edit(a, World, {move, New, Top, first}),
    [{ok, _} = edit(b, World, {put, Top, <<"later">>, <<"than both">>}) || _ <- [1, 2]],
    [{ok, _} = edit(b, World, {delete, Deleted}) || Deleted <- [New, Plant]],
    heal(World),
    agree(World),
    Overruled = fun() -> lists:sort([{Stamp, By} || {overruled, {operation, Stamp, _, _, _}, By} <- Events()]) end,
    wait(fun() -> length(Overruled()) =:= 2 end),
    say(told, [{What, Kind} || {Stamp, {Kind, _}} <- Overruled(), {What, Same} <- [{written, Written}, {moved, Moved}], Same =:= Stamp]),
    say(gone, lists:member({deleted, Plant}, Events())).

%% An edit on any node that has seen both writes settles the conflict, and notifies subscribers.
settled(World) ->
    {ok, Top} = edit(a, World, {create, root(), last}),
    agree(World),
    say(subscribed, evaluate(a, World, "Own = self(), spawn(fun() -> register(settler, self()),
        Own ! jungle_replica:subscribe(Tree, Top),
        F = fun(F, All) -> receive {told, To} -> To ! {all, lists:reverse(All)}, F(F, All); M -> F(F, [M | All]) end end,
        F(F, []) end), receive Answer -> element(1, Answer) end.", [{'Tree', ?TREE}, {'Top', Top}])),
    Told = fun() -> evaluate(a, World, "settler ! {told, self()}, receive {all, All} -> All end.", []) end,
    Settled = fun() -> [Stamp || {happened, ?TREE, _, Events} <- Told(), {settled, Stamp} <- Events] end,
    Listed = fun(Node) ->
        {ok, Overruled} = ask(Node, World, overruled, [?TREE]),
        [Stamp || {overruled, {operation, Stamp, _, _, {put, Of, _, _}}, _} <- Overruled, Of =:= Top]
    end,
    say(settled, [begin
        split(a, b, World),
        {ok, One} = edit(a, World, {put, Top, <<"name">>, <<"fir">>}),
        {ok, Two} = edit(b, World, {put, Top, <<"name">>, <<"yew">>}),
        Earlier = min(One, Two),
        heal(World),
        agree(World),
        [Earlier] = Listed(By),
        false = lists:member(Earlier, Settled()),
        {ok, _} = edit(By, World, {put, Top, <<"name">>, <<"fig">>}),
        wait(fun() -> Settled() =/= [] andalso lists:last(Settled()) =:= Earlier end),
        agree(World),
        {length(Settled()), Listed(a), Listed(b)}
    end || By <- [a, b]]).

%% The disk of one node is full: its files may not grow.
full_disk(World) ->
    {ok, New} = edit(a, World, {create, root(), last}),
    agree(World),
    Folder = filename:join(World#world.folder, a),
    {Before, Process} = {shape(a, World), call(a, World, erlang, whereis, [jungle_replicas])},
    limit(a, World, integer_to_list(filelib:file_size(filename:join(Folder, replicas)))),
    Failed = [edit(a, World, Request) || Request <- [{put, New, <<"large">>, binary:copy(<<"v">>, 20000)},
        {create, root(), first}, {move, New, root(), first}, {delete, New}]]
        ++ [call(a, World, gen_server, call, [jungle_replicas, {create, <<"unwritten">>}])],
    say(full, lists:usort([{What, Kind} || {What, {Kind, Why}} <- Failed, is_binary(Why)])),
    say(failed, length(Failed)),
    %% The other node continues. This node can neither store nor show the edits that arrive from it.
    {ok, _} = edit(b, World, {put, New, <<"there">>, <<"is room">>}),
    timer:sleep(2500),
    say(as_before, {Before =:= shape(a, World), lists:member(<<"unwritten">>, ask(a, World, trees, [])),
        filelib:wildcard("*.unfinished", Folder), Process =:= call(a, World, erlang, whereis, [jungle_replicas])}),
    limit(a, World, "unlimited"),
    {ok, _} = edit(a, World, {put, New, <<"here">>, <<"too">>}),
    agree(World),
    say(room, ask(a, World, attributes, [?TREE, New])),
    After = shape(a, World),
    restart(a, World),
    say(reread, After =:= shape(a, World)),
    heal(World).

limit(Node, World, Bytes) ->
    "" = os:cmd("prlimit --pid " ++ call(Node, World, os, getpid, []) ++ " --fsize=" ++ Bytes ++ ":unlimited").

evaluate(Node, World, Text, Bindings) ->
    {ok, Tokens, _} = erl_scan:string(Text),
    {ok, Forms} = erl_parse:parse_exprs(Tokens),
    {value, Value, _} = call(Node, World, erl_eval, exprs, [Forms, Bindings]),
    Value.

forged(World) ->
    Server = {jungle_replicas, name(b)},
    Before = shape(b, World),
    Process = call(b, World, erlang, whereis, [jungle_replicas]),
    Sent = [nonsense, {have, 1, 2, 3}, {behind, name(a), 1}, {behind, 'stranger@127.0.0.1', ?TREE, undefined}, {behind, name(a), ?TREE, {9, -1}},
        {part, name(a), ?TREE, {9, 5, 0, <<"nobody has asked for it">>}}, {part, name(a), <<"field">>, {9, 0, 0, <<>>}},
        {have, name(a), ?TREE, {known, #{}, 0, #{}, root()}}, {operations, name(a), ?TREE, {batch, #{}, #{}, [bad]}, false}, {hello, x},
        {operations, 'stranger@127.0.0.1', ?TREE, {batch, #{}, #{9 => 1}, [{operation, {1, 9}, 1, #{}, {delete, {0, 0}}}]}, false}],
    [call(a, World, gen_server, cast, [Server, Message]) || Message <- Sent],
    say(malformed, call(b, World, gen_server, call, [jungle_replicas, {look, ?TREE, size}]) =/= undefined
        andalso Process =:= call(b, World, erlang, whereis, [jungle_replicas]) andalso Before =:= shape(b, World)),
    %% The sender of a batch that no correct replica sends is refused, with the reason, until it
    %% reconnects.
    Bad = {batch, #{}, #{9 => 1}, [{operation, {1, 9}, 1, #{}, {delete, {0, 0}}}]},
    call(a, World, gen_server, cast, [Server, {operations, name(a), ?TREE, Bad, false}]),
    wait(fun() -> refused(a, World) =/= none end),
    say(why, refused(a, World)),
    say(unchanged, Before =:= shape(b, World)),
    split(a, b, World),
    heal(World),
    %% Another version of the protocol.
    call(a, World, gen_server, cast, [Server, {hello, 4, name(a), 5, false}]),
    wait(fun() -> refused(a, World) =/= none end),
    say(version, refused(a, World)),
    split(a, b, World),
    heal(World).

refused(Node, World) ->
    case [Why || {_, {refused, Why}} <- ask(Node, World, peers, [])] of [Why | _] -> Why; [] -> none end.

kept_after_kill(World) ->
    %% Kill only the process.
    call(b, World, erlang, exit, [call(b, World, erlang, whereis, [jungle_replicas]), kill]),
    {ok, _} = edit(a, World, {create, root(), first}),
    timer:sleep(300),
    agree(World),
    %% Kill the VM.
    {ok, New} = edit(a, World, {create, root(), first}),
    kill(a, World),
    Again = start(a, World),
    {ok, Children} = ask(a, Again, children, [?TREE, root()]),
    say(kept, lists:member(New, Children)),
    kill(a, Again).

%% Makes random edits, with splits and kills. Returns the acknowledged ones.
random(_, 0, Made) -> Made;
random(World0, Left, Made) ->
    World = World0,
    Nodes = maps:keys(World#world.peers),
    Node = pick(Nodes),
    case rand:uniform(150) of
        1 -> split(Node, pick(Nodes), World);
        2 -> heal(World);
        3 when Left rem 2 =:= 0 -> restart(Node, World);
        _ -> ok
    end,
    Known = get(nodes),
    [One, Two] = [pick(lists:sublist(Known, 30)), pick([root() | Known])],
    Key = pick([<<"a">>, <<"b">>]),
    Request = case rand:uniform(10) of
        N when N < 4 -> {create, Two, pick([first, last])};
        N when N < 6 -> {move, One, Two, last};
        6 when Left rem 5 =:= 0 -> {delete, One};
        _ -> {put, One, Key, integer_to_binary(Left)}
    end,
    case edit(Node, World, Request) of
        {ok, Stamp} ->
            case Request of
                {create, _, _} -> put(nodes, [Stamp | Known]);
                _ -> ok
            end,
            random(World, Left - 1, [{Stamp, Request} | Made]);
        {error, _} ->
            random(World, Left - 1, Made)
    end.

restart(Node, World) ->
    kill(Node, World),
    start(Node, World),
    [connect(Node, Other, World) || Other <- maps:keys(World#world.peers), Other =/= Node].

%% Returns lost edits: acknowledged ones that have no effect, are not listed as overruled, and were
%% not changed by a later edit that may have seen them.
lost(World, Made) ->
    {ok, Overruled} = ask(a, World, overruled, [?TREE]),
    %% A repeated edit has another stamp.
    Listed = maps:from_list([{Stamp, true} || {overruled, {operation, Stamp, _, _, _}, _} <- Overruled] ++
        [{edit_of(Edit), true} || {overruled, {operation, _, _, _, Edit}, _} <- Overruled]),
    Shape = maps:from_list([{Node, {Parent, Attributes}} || {Parent, Node, Attributes} <- shape(a, World)]),
    Later = fun(Stamp, Same) -> lists:any(fun({Other, Request}) -> Other > Stamp andalso Same(Request) end, Made) end,
    IsThere = fun
        ({Stamp, {create, _, _}}) -> maps:is_key(Stamp, Shape) orelse has_deletion(Made);
        ({Stamp, {move, Node, To, _}}) ->
            case Shape of
                #{Node := {To, _}} -> true;
                #{Node := _} -> Later(Stamp, fun(R) -> element(2, R) =:= Node andalso element(1, R) =:= move end);
                _ -> has_deletion(Made)
            end;
        ({_, {delete, _}}) -> true;
        ({Stamp, {put, Node, Key, Value}}) ->
            case Shape of
                #{Node := {_, #{Key := Value}}} -> true;
                #{Node := _} -> Later(Stamp, fun(R) -> is_put(R, Node, Key) end);
                _ -> has_deletion(Made)
            end
    end,
    length([Edit || {Stamp, Request} = Edit <- Made, not maps:is_key(Stamp, Listed),
        not maps:is_key(edit_of(Request), Listed), not IsThere(Edit)]).

edit_of({move, Node, Parent, _}) -> {move, Node, Parent};
edit_of(Edit) -> Edit.

is_put({put, Node, Key, _}, Node, Key) -> true;
is_put(_, _, _) -> false.

has_deletion(Made) -> lists:any(fun({_, Request}) -> element(1, Request) =:= delete end, Made).

%% Waits until all nodes have equal trees.
agree(World) ->
    Nodes = maps:keys(World#world.peers),
    wait(fun() ->
        length(lists:usort([{shape(Node, World), ask(Node, World, overruled, [?TREE])} || Node <- Nodes])) =:= 1
    end),
    say(equal, length(Nodes)).

shape(Node, World) -> shape(Node, World, [{root(), root()}], []).

shape(_, _, [], Found) -> lists:reverse(Found);
shape(Node, World, [{Parent, At} | Left], Found) ->
    {ok, Children} = ask(Node, World, children, [?TREE, At]),
    {ok, Attributes} = ask(Node, World, attributes, [?TREE, At]),
    shape(Node, World, [{At, Child} || Child <- Children] ++ Left, [{Parent, At, maps:from_list(Attributes)} | Found]).

root() -> {0, 0}.
edit(Node, World, Request) -> ask(Node, World, edit, [?TREE, Request]).
ask(Node, World, Function, Arguments) -> call(Node, World, jungle_replica, Function, Arguments).
call(Node, _, Module, Function, Arguments) -> peer:call(get(Node), Module, Function, Arguments, 60000).
name(Node) -> list_to_atom(atom_to_list(Node) ++ "@127.0.0.1").
say(Key, Value) -> io:format("~s=~0tp~n", [Key, Value]).
pick(List) -> lists:nth(rand:uniform(length(List)), List).

start(Node, World = #world{ebin = Ebin, folder = Folder, peers = Peers}) ->
    Arguments = ["-setcookie", "jungle", "-pa", Ebin, "-connect_all", "false"],
    %% Growing a limited file is an error, rather than a signal that ends the VM.
    Shell = {"/bin/sh", ["-c", "trap '' XFSZ; exec erl \"$@\"", "erl"]},
    {ok, Peer, _} = peer:start(#{name => Node, host => "127.0.0.1", longnames => true, connection => standard_io,
        exec => Shell, args => Arguments, wait_boot => 60000}),
    put(Node, Peer),
    ok = call(Node, World, application, load, [jungle]),
    Own = list_to_binary(filename:join(Folder, Node)),
    ok = call(Node, World, application, set_env, [jungle, arguments, [<<"--folder">>, Own,
        <<"--keep-moves">>, <<"100">>, <<"--compact-from">>, <<"20000">>]]),
    ok = call(Node, World, application, start, [jungle]),
    World#world{peers = Peers#{Node => true}}.

%% kill -9
kill(Node, World) ->
    Process = call(Node, World, os, getpid, []),
    Monitor = monitor(process, get(Node)),
    _ = os:cmd("kill -9 " ++ Process),
    receive {'DOWN', Monitor, process, _, _} -> ok after 60000 -> error(not_killed) end.

connect(One, Other, World) ->
    call(One, World, net_kernel, connect_node, [name(Other)]).

%% Disconnects two nodes, and sets wrong cookies, so that they cannot reconnect by themselves.
split(Node, Node, _) -> ok;
split(One, Other, World) ->
    call(One, World, erlang, set_cookie, [name(Other), split]),
    call(Other, World, erlang, set_cookie, [name(One), splat]),
    call(One, World, erlang, disconnect_node, [name(Other)]).

%% Waits until they have reconnected by themselves.
heal(World = #world{peers = Peers}) ->
    Pairs = [{One, Other} || One <- maps:keys(Peers), Other <- maps:keys(Peers), One =/= Other],
    [call(One, World, erlang, set_cookie, [name(Other), jungle]) || {One, Other} <- Pairs],
    wait(fun() ->
        lists:all(fun({One, Other}) ->
            lists:member({name(Other), connected}, ask(One, World, peers, []))
        end, Pairs)
    end).

wait(Until) -> wait(Until, 600).
wait(Until, 0) -> error({never, Until});
wait(Until, Left) ->
    case Until() of
        true -> ok;
        false -> timer:sleep(50), wait(Until, Left - 1)
    end.

free_port() ->
    {ok, Socket} = gen_tcp:listen(0, [{ip, {127, 0, 0, 1}}]),
    {ok, Port} = inet:port(Socket),
    ok = gen_tcp:close(Socket),
    Port.
