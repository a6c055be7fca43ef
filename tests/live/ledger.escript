#!/usr/bin/env escript
%% Two nodes on this machine keep one ledger (tests/apps/ledger), while they are killed, separated,
%% paused and upgraded, and while their disks are slow. After each round, both must agree with a
%% model. The arguments are: the folder with the builds `1` and `2`, a folder for the nodes, the
%% library of slow_sync.c, and the number of minutes during which rounds begin. There is at least
%% one round.
-mode(compile).
-define(WORKERS, 6).
%% The number of faults in a round.
-define(BLOWS, 40).
%% The time that the nodes have to agree, in ms.
-define(PATIENCE, 120000).
-record(world, {builds, folder, library}).

main([Builds, Folder, Library, Minutes]) ->
    ok = logger:set_primary_config(level, none),
    _ = ets:new(model, [public, named_table, ordered_set]),
    os:putenv("ERL_EPMD_PORT", integer_to_list(free_port())),
    _ = os:cmd("epmd -daemon -relaxed_command_check -address 127.0.0.1"),
    {Number, []} = case string:to_float(Minutes) of {error, _} -> string:to_integer(Minutes); Read -> Read end,
    World = #world{builds = Builds, folder = Folder, library = Library},
    Wrong = try
        [start(Node, World) || Node <- nodes_of()],
        End = erlang:monotonic_time(millisecond) + round(Number * 60000),
        rounds(1, #{}, End, World)
    after
        [try peer:stop(peer(Node)) catch _:_ -> ended end || Node <- nodes_of()],
        os:cmd("epmd -kill")
    end,
    Counts = maps:from_list([{Key, Value} || {{count, Key}, Value} <- ets:tab2list(model)]),
    say(wrong, Wrong),
    [say(Key, maps:get(Key, Counts, 0)) || Key <- counted()],
    erlang:halt(case Wrong of [] -> 0; _ -> 1 end).

nodes_of() -> [north, south].

counted() ->
    [rounds, entered, acknowledged, unknown, kept_although_unknown, vm_killed, process_killed, upgraded, upgrade_refused,
        killed_in_upgrade, split, healed, slow, stalled].

%% Runs rounds until the time is over, or a check fails.
rounds(Number, Before, End, World) ->
    Workers = [spawn_monitor(fun work/0) || _ <- lists:seq(1, ?WORKERS)],
    [begin blow(rand:uniform(16), pick(nodes_of()), World), timer:sleep(rand:uniform(400)) end || _ <- lists:seq(1, ?BLOWS)],
    [Worker ! stop || {Worker, _} <- Workers],
    Ends = [receive {'DOWN', Monitor, process, _, Reason} -> Reason end || {_, Monitor} <- Workers],
    quick(World),
    [start(Node, World) || Node <- nodes_of(), not is_up(Node)],
    count(rounds),
    {Book, Wrong} = judge(Before, World),
    All = [{worker, Reason} || Reason <- Ends, Reason =/= normal] ++ Wrong,
    io:format(standard_error, "round ~b: ~b entries, ~b wrong~n", [Number, entries(Book), length(All)]),
    case All =:= [] andalso erlang:monotonic_time(millisecond) < End of
        true -> rounds(Number + 1, Book, End, World);
        false -> lists:sublist(All, 20)
    end.

%% Enters amounts at random nodes, until it gets a message to stop. Only acknowledged amounts must
%% be kept.
work() ->
    Reference = count(entered),
    Amount = rand:uniform(201) - 101,
    ets:insert(model, {{asked, Reference}, Amount}),
    try call(pick(nodes_of()), gen_server, call, [keeper, {enter, Reference, Amount}, ?PATIENCE]) of
        {ok, _} -> ets:insert(model, {{kept, Reference}, Amount}), count(acknowledged);
        {error, Why} -> exit({disk, Why})
    catch
        _:_ -> count(unknown), timer:sleep(20)
    end,
    receive stop -> ok after 0 -> work() end.

%% The faults of a node.
blow(1, Node, World) ->
    count(vm_killed),
    kill(Node),
    timer:sleep(rand:uniform(500)),
    start(Node, World);
blow(Kind, Node, _) when Kind < 5 ->
    count(process_killed),
    kill_keeper(Node);
blow(Kind, Node, World) when Kind < 8 ->
    upgrade(Node, other(Node), World);
blow(8, Node, World) ->
    count(killed_in_upgrade),
    Killer = spawn(fun() -> timer:sleep(rand:uniform(60)), kill_keeper(Node) end),
    Monitor = monitor(process, Killer),
    _ = upgrade(Node, other(Node), World),
    receive {'DOWN', Monitor, process, _, _} -> ok end;
blow(Kind, _, World) when Kind < 11 ->
    count(split),
    split(World);
blow(Kind, _, World) when Kind < 13 ->
    count(healed),
    heal(World);
blow(13, _, World) ->
    count(slow),
    ok = file:write_file(slow(World), <<>>);
blow(Kind, Node, _) when Kind < 15 ->
    count(stalled),
    Pid = system_pid(Node),
    _ = os:cmd("kill -STOP " ++ Pid),
    timer:sleep(rand:uniform(800)),
    _ = os:cmd("kill -CONT " ++ Pid);
blow(_, _, World) ->
    quick(World).

kill_keeper(Node) ->
    case call(Node, erlang, whereis, [keeper]) of
        undefined -> ok;
        Keeper -> call(Node, erlang, exit, [Keeper, kill])
    end.

other(Node) ->
    case ets:lookup_element(model, {build, Node}, 2) of 1 -> 2; 2 -> 1 end.

%% Either all processes change over, or none does.
upgrade(Node, Build, World) ->
    Text = "otp_rs_upgrade:upgrade(otp_rs_package:read(Ebin, ledger, otp_rs_upgrade:reserve(ledger)), #{timeout => 5000}).",
    case eval(Node, Text, [{'Ebin', ebin(Build, World)}]) of
        {ok, #{left := []}} ->
            count(upgraded),
            ets:insert(model, {{build, Node}, Build});
        {ok, #{left := [_ | _]}} ->
            %% The process was killed in the meantime.
            ets:insert(model, {{build, Node}, Build});
        {error, _} ->
            count(upgrade_refused)
    end.

%% Returns the entries that both nodes have at the end, and the mistakes in them.
judge(Before, World) ->
    heal(World),
    wait(fun() ->
        Now = [try eval(Node, "erlang:phash2(element(2, gen_server:call(keeper, look))).", []) catch _:_ -> Node end || Node <- nodes_of()],
        length(lists:usort(Now)) =:= 1
    end),
    [{Sum, Book} | _] = Looks = [call(Node, gen_server, call, [keeper, look, ?PATIENCE]) || Node <- nodes_of()],
    Entries = [{Reference, Amount} || Written <- maps:values(Book), {entry, Reference, Amount} <- Written],
    Found = maps:from_list(Entries),
    Known = ets:select(model, [{{{kept, '$1'}, '$2'}, [], [{{'$1', '$2'}}]}]),
    Unknown = length(Entries) - length(Known),
    ets:insert(model, {{count, kept_although_unknown}, Unknown}),
    {Book, lists:append([
        [{different, Looks} || length(lists:usort(Looks)) =/= 1],
        [{twice, length(Entries) - map_size(Found)} || length(Entries) =/= map_size(Found)],
        [{lost, Entry} || Entry = {Reference, Amount} <- Known, maps:get(Reference, Found, none) =/= Amount],
        [{invented, Entry} || Entry = {Reference, Amount} <- Entries, ets:lookup(model, {asked, Reference}) =/= [{{asked, Reference}, Amount}]],
        [{sum, Sum} || Sum =/= lists:sum([Amount || {_, Amount} <- Entries])],
        [{changed, Name} || {Name, Old} <- maps:to_list(Before), not lists:prefix(Old, maps:get(Name, Book, []))],
        [{build, Node, Got} || Node <- nodes_of(), Got <- [call(Node, gen_server, call, [keeper, build])],
            binary_to_integer(Got) =/= ets:lookup_element(model, {build, Node}, 2)]
    ])}.

entries(Book) -> lists:sum([length(Entries) || Entries <- maps:values(Book)]).

%% The nodes.

start(Node, World) ->
    Build = rand:uniform(2),
    {ok, Peer, _} = peer:start(#{name => Node, host => "127.0.0.1", longnames => true, connection => standard_io,
        args => ["-setcookie", "ledger", "-pa", ebin(Build, World)], wait_boot => ?PATIENCE,
        env => [{"LD_PRELOAD", World#world.library}, {"SLOW_SYNC", slow(World)}]}),
    ets:insert(model, [{{peer, Node}, Peer}, {{build, Node}, Build}]),
    ets:insert(model, {{system_pid, Node}, call(Node, os, getpid, [])}),
    ok = call(Node, logger, remove_handler, [default]),
    ok = call(Node, application, load, [ledger]),
    Folder = list_to_binary(filename:join(World#world.folder, Node)),
    ok = call(Node, application, set_env, [ledger, arguments, [Folder]]),
    ok = call(Node, application, start, [ledger]),
    [call(Node, net_kernel, connect_node, [name(Other)]) || Other <- nodes_of(), Other =/= Node].

kill(Node) ->
    Monitor = monitor(process, peer(Node)),
    _ = os:cmd("kill -9 " ++ system_pid(Node)),
    receive {'DOWN', Monitor, process, _, _} -> ok after ?PATIENCE -> error(not_killed) end.

is_up(Node) -> is_process_alive(peer(Node)).

%% Each node has a wrong cookie for the other one, so they cannot reconnect by themselves.
split(_) ->
    [North, South] = nodes_of(),
    call(North, erlang, set_cookie, [name(South), split]),
    call(South, erlang, set_cookie, [name(North), splat]),
    call(North, erlang, disconnect_node, [name(South)]).

heal(_) ->
    [North, South] = nodes_of(),
    call(North, erlang, set_cookie, [name(South), ledger]),
    call(South, erlang, set_cookie, [name(North), ledger]),
    call(North, net_kernel, connect_node, [name(South)]).

slow(#world{folder = Folder}) -> filename:join(Folder, "slow").
quick(World) -> file:delete(slow(World)).
ebin(Build, #world{builds = Builds}) -> filename:join([Builds, integer_to_list(Build), "ebin"]).
name(Node) -> list_to_atom(atom_to_list(Node) ++ "@127.0.0.1").
peer(Node) -> ets:lookup_element(model, {peer, Node}, 2).
system_pid(Node) -> ets:lookup_element(model, {system_pid, Node}, 2).
call(Node, Module, Function, Arguments) -> peer:call(peer(Node), Module, Function, Arguments, ?PATIENCE).

%% Large terms stay there.
eval(Node, Text, Bindings) ->
    {ok, Tokens, _} = erl_scan:string(Text),
    {ok, Expressions} = erl_parse:parse_exprs(Tokens),
    {value, Value, _} = call(Node, erl_eval, exprs, [Expressions, Bindings]),
    Value.

count(Key) -> ets:update_counter(model, {count, Key}, 1, {{count, Key}, 0}).
say(Key, Value) -> io:format("~s=~0tp~n", [Key, Value]).
pick(List) -> lists:nth(rand:uniform(length(List)), List).

wait(Until) -> wait(Until, erlang:monotonic_time(millisecond) + ?PATIENCE).
wait(Until, End) ->
    case Until() of
        true -> ok;
        false ->
            erlang:monotonic_time(millisecond) < End orelse error(the_nodes_never_agree),
            timer:sleep(100),
            wait(Until, End)
    end.

free_port() ->
    {ok, Socket} = gen_tcp:listen(0, [{ip, {127, 0, 0, 1}}]),
    {ok, Port} = inet:port(Socket),
    ok = gen_tcp:close(Socket),
    Port.
