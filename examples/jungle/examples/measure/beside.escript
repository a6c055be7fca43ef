#!/usr/bin/env escript
%%! +sbwt none +sbwtdcpu none +sbwtdio none
%% Measures plain Erlang for comparison, and the cost of calling the database from Erlang. Prints a
%% line `case TAB variant TAB round TAB value` per figure.
-mode(compile).

main([Ebin, Rounds, Tasks]) ->
    true = code:add_patha(Ebin),
    ok = application:load(jungle),
    %% The functions need only the library, and no processes.
    Widths = [7, 7, 7, 7, 7, 7, 6],
    Map = map(Widths),
    Table = ets:new(nodes, [public, {read_concurrency, true}]),
    fill(Table, [], Widths),
    [round(Round, list_to_integer(Tasks), Map, Table) || Round <- lists:seq(0, list_to_integer(Rounds) - 1)],
    ok.

%% Returns the nanoseconds for each of `Count` items: elapsed time and processor time.
say(Case, Variant, Round, Count, Work) ->
    {Before, _} = statistics(runtime),
    {Micros, _} = timer:tc(Work),
    {Later, _} = statistics(runtime),
    io:format("~s\t~s\t~b\t~p~n", [Case, Variant, Round, Micros * 1000 / Count]),
    io:format("~s, processor\t~s\t~b\t~p~n", [Case, Variant, Round, (Later - Before) * 1.0e6 / Count]).

%% With 1,000 tasks, counting a tree in ets would take ten minutes per round, so there are ten.
round(Round, Tasks, Map, Table) ->
    Size = 843151,
    say("read, ns a node", "Erlang maps, one process", Round, Tasks * Size,
        fun() -> [Size = count_map(Map) || _ <- lists:seq(1, Tasks)] end),
    Few = min(Tasks, 10),
    say("read, ns a node", io_lib:format("ets, one process, ~b tasks", [Few]), Round, Few * Size,
        fun() -> [Size = count_ets(Table, []) || _ <- lists:seq(1, Few)] end),
    say("write, ns an edit", "Erlang maps, one process", Round, Tasks * 9330,
        fun() -> [build(5, [], #{}, fun add_map/2) || _ <- lists:seq(1, Tasks)] end),
    say("write, ns an edit", "ets, one process", Round, Tasks * 9330,
        fun() -> [begin
            New = ets:new(nodes, []),
            ets:insert(New, {[], 0}),
            build(5, [], New, fun add_ets/2),
            ets:delete(New)
        end || _ <- lists:seq(1, Tasks)] end),
    from_erlang(Round, Table).

from_erlang(Round, Table) ->
    Jungle = jungle:create_jungle(),
    ok = jungle:create_tree(Jungle, <<"a">>),
    Add = fun(Root) -> jungle:add_child_at(Root, []) end,
    Times = 20000,
    say("from Erlang: 10,000 nodes declared, ns a node", "jungle", Round, 10000,
        fun() -> [{ok, _} = jungle:update_root_node_with(Jungle, <<"a">>, Add) || _ <- lists:seq(1, 10000)] end),
    short_reads(Round, Jungle),
    {ok, Root} = jungle:get_root_node(Jungle, <<"a">>),
    {ok, Node} = jungle:put_attribute(Root, [77], <<"name">>, <<"value">>),
    say("from Erlang: an attribute, ns", "jungle", Round, Times,
        fun() -> [{ok, <<"value">>} = jungle:get_attributes(Node, [77], <<"name">>) || _ <- lists:seq(1, Times)] end),
    ets:insert(Table, {{[77], <<"name">>}, <<"value">>}),
    say("from Erlang: an attribute, ns", "ets", Round, Times,
        fun() -> [[{_, <<"value">>}] = ets:lookup(Table, {[77], <<"name">>}) || _ <- lists:seq(1, Times)] end).

%% Measures short reads in one process, and in two at the same time. They take seconds: the time
%% until another scheduler has taken the second process must not count.
short_reads(Round, Jungle) ->
    Reads = [{"get_root_node", fun() -> {ok, _} = jungle:get_root_node(Jungle, <<"a">>) end},
             {"get_root_node and get_attributes", fun() ->
                 {ok, Node} = jungle:get_root_node(Jungle, <<"a">>),
                 {ok, undefined} = jungle:get_attributes(Node, [77], <<"name">>)
             end},
             {"indexes", fun() -> {ok, []} = jungle:indexes(Jungle, <<"a">>) end}],
    Schedulers = erlang:system_info(schedulers_online),
    [begin
        Times = 2000000 div Processes,
        Body = fun() -> repeat(Read, Times) end,
        say("from Erlang, short reads: " ++ Name, io_lib:format("jungle ~b", [Processes]), Round, 2000000,
            fun() -> in_processes(Processes, Body) end)
    end || {Name, Read} <- Reads, Processes <- lists:seq(1, Schedulers)],
    ok.

repeat(_, 0) -> ok;
repeat(Read, Times) ->
    _ = Read(),
    repeat(Read, Times - 1).

in_processes(Count, Body) ->
    Started = [spawn_monitor(Body) || _ <- lists:seq(1, Count)],
    [receive {'DOWN', Monitor, process, _, normal} -> ok end || {_, Monitor} <- Started].

map([]) -> #{};
map([Width | Rest]) -> maps:from_list([{Position, map(Rest)} || Position <- lists:seq(0, Width - 1)]).

count_map(Map) -> maps:fold(fun(_, Child, Sum) -> Sum + count_map(Child) end, 1, Map).

fill(Table, Path, []) -> ets:insert(Table, {Path, 0});
fill(Table, Path, [Width | Rest]) ->
    ets:insert(Table, {Path, Width}),
    [fill(Table, [Position | Path], Rest) || Position <- lists:seq(0, Width - 1)].

count_ets(Table, Path) ->
    [{_, Width}] = ets:lookup(Table, Path),
    lists:foldl(fun(Position, Sum) -> Sum + count_ets(Table, [Position | Path]) end, 1, lists:seq(0, Width - 1)).

build(0, _, Tree, _) -> Tree;
build(Levels, Path, Tree, Add) ->
    lists:foldl(fun(Position, Old) ->
        build(Levels - 1, Path ++ [Position], Add(Old, Path), Add)
    end, Tree, lists:seq(0, 5)).

add_map(Tree, []) -> Tree#{maps:size(Tree) => #{}};
add_map(Tree, [Position | Path]) -> maps:update_with(Position, fun(Child) -> add_map(Child, Path) end, Tree).

add_ets(Table, Path) ->
    Position = ets:update_counter(Table, Path, 1) - 1,
    ets:insert(Table, {Path ++ [Position], 0}),
    Table.
