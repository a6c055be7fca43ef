#!/usr/bin/env escript
%%! +sbwt none +sbwtdcpu none +sbwtdio none
%% Compares the database with khepri; both are called from Erlang, and both write to the disk.
%% Prints a line `case TAB variant TAB round TAB value` per figure.
%% `khepri.escript EBIN SOURCES FOLDER ROUNDS`: the modules of `jungle`, the sources of khepri and
%% its dependencies, a folder for files, and the number of rounds.
-mode(compile).

-define(APPLICATIONS, [gen_batch_server, aten, seshat, ra, horus, khepri]).
%% Number of nodes in a tree, of puts of one process, of puts of each of several, and of queries.
-define(NODES, 20000).
-define(PUTS, 1000).
-define(WRITERS, 16).
-define(QUERIES, 100).

main([Ebin, Sources, Folder, Rounds]) ->
    ok = logger:set_primary_config(level, error),
    [compiled(Application, Sources, Folder) || Application <- ?APPLICATIONS],
    {ok, _} = application:ensure_all_started(khepri),
    {ok, _} = khepri:start(filename:join(Folder, "khepri")),
    true = code:add_patha(Ebin),
    ok = application:load(jungle),
    Data = unicode:characters_to_binary(filename:join(Folder, "jungle")),
    ok = application:set_env(jungle, arguments, [<<"--folder">>, Data]),
    ok = application:start(jungle),
    {ok, Jungle} = jungle:database(),
    [round(Round, Jungle) || Round <- lists:seq(0, list_to_integer(Rounds) - 1)],
    ok = application:stop(jungle).

%% Compiles an application.
compiled(Application, Sources, Folder) ->
    Source = filename:join(Sources, Application),
    Ebin = filename:join([Folder, Application, "ebin"]),
    ok = filelib:ensure_path(Ebin),
    true = code:add_patha(Ebin),
    %% Other applications include these.
    [begin
        Include = filename:join([Folder, Application, "include", filename:basename(File)]),
        ok = filelib:ensure_dir(Include),
        {ok, _} = file:copy(File, Include)
    end || File <- filelib:wildcard(filename:join([Source, "include", "*.hrl"]))],
    Options = [{outdir, Ebin}, {i, Source}, {i, filename:join(Source, "src")}, {i, filename:join(Source, "include")}],
    Modules = [begin
        {ok, Module} = compile:file(File, Options),
        Module
    end || File <- filelib:wildcard(filename:join([Source, "src", "*.erl"]))],
    {ok, [{application, Application, Keys}]} = file:consult(filename:join([Source, "src", atom_to_list(Application) ++ ".app.src"])),
    Resource = {application, Application, lists:keystore(modules, 1, Keys, {modules, Modules})},
    ok = file:write_file(filename:join(Ebin, atom_to_list(Application) ++ ".app"), io_lib:format("~p.~n", [Resource])).

say(Case, Variant, Round, Count, Work) ->
    {Micros, _} = timer:tc(Work),
    io:format("~s\t~s\t~b\t~p~n", [Case, Variant, Round, Micros * 1000 / Count]).

%% Measures both alternately, each with a new tree.
round(Round, Jungle) ->
    Tree = integer_to_binary(Round),
    ok = jungle:create_tree(Jungle, Tree, [<<"kind">>]),
    Both = fun(Case, Count, Works) -> [say(Case, Variant, Round, Count, Work) || {Variant, Work} <- Works] end,
    Changes = lists:append([[{add, [], Number}, {put, [Number], <<"kind">>, kind(Number)}] || Number <- numbers()]),
    Both("on the disk, from Erlang: nodes declared, ns a node", ?NODES, [
        {"jungle, in one version", fun() -> {ok, 1} = jungle:change(Jungle, Tree, Changes) end},
        {"khepri, asynchronous", fun() -> declared_in_khepri(Tree) end}
    ]),
    Jungles = fun(Writer) -> puts_in_jungle(Jungle, Tree, Writer) end,
    Funs = fun(Writer) -> funs_in_jungle(Jungle, Tree, Writer) end,
    Khepris = fun(Writer) -> puts_in_khepri(Tree, Writer) end,
    Puts = [{"jungle", Jungles}, {"jungle, with a function", Funs}, {"khepri", Khepris}],
    Both("on the disk, from Erlang: a put, one process, ns", ?PUTS, [{Variant, fun() -> Put(0) end} || {Variant, Put} <- Puts]),
    Both("on the disk, from Erlang: a put, 16 processes, ns", ?WRITERS * ?PUTS,
        [{Variant, fun() -> together(Put) end} || {Variant, Put} <- Puts]),
    Both("from Erlang: an attribute of one of 20,000 nodes, ns", ?NODES, [
        {"jungle", fun() -> [attribute(Jungle, Tree, Number) || Number <- numbers()] end},
        {"khepri", fun() -> [{ok, _} = khepri:get(path(Tree, Number)) || Number <- numbers()] end}
    ]),
    Query = #{predicate => {equal, <<"kind">>, <<"7">>}, limit => 100},
    %% A record of khepri.
    Condition = {if_data_matches, #{kind => <<"7">>}, [], undefined},
    Times = lists:seq(1, ?QUERIES),
    Both("from Erlang: the 20 nodes of 20,000 with a value, ns", ?QUERIES, [
        {"jungle", fun() -> [begin {ok, #{found := Found}} = jungle_query:select(Jungle, Tree, Query), 20 = length(Found) end || _ <- Times] end},
        {"khepri", fun() -> [begin {ok, Found} = khepri:get_many([Tree, Condition]), 20 = map_size(Found) end || _ <- Times] end}
    ]).

numbers() -> lists:seq(0, ?NODES - 1).

kind(Number) -> integer_to_binary(Number rem (?NODES div 20)).

path(Tree, Number) -> [Tree, integer_to_binary(Number)].

%% Asynchronous puts, which are faster than a transaction.
declared_in_khepri(Tree) ->
    [ok = khepri:put(khepri, path(Tree, Number), #{kind => kind(Number)}, #{async => true}) || Number <- numbers()],
    ok = khepri:fence(60000).

puts_in_jungle(Jungle, Tree, Writer) ->
    [begin
        {ok, _} = jungle:change(Jungle, Tree, [{put, [Number], <<"count">>, integer_to_binary(Number)}])
    end || Number <- numbers_of(Writer)].

funs_in_jungle(Jungle, Tree, Writer) ->
    [begin
        Put = fun(Root) -> jungle:put_attribute(Root, [Number], <<"count">>, <<"fun">>) end,
        {ok, _} = jungle:update_root_node_with(Jungle, Tree, Put)
    end || Number <- numbers_of(Writer)].

puts_in_khepri(Tree, Writer) ->
    [begin
        Data = #{kind => kind(Number), count => integer_to_binary(Number)},
        ok = khepri:put(path(Tree, Number), Data)
    end || Number <- numbers_of(Writer)].

numbers_of(Writer) -> lists:seq(Writer * ?PUTS, Writer * ?PUTS + ?PUTS - 1).

together(Work) ->
    Monitors = [element(2, spawn_monitor(fun() -> Work(Writer) end)) || Writer <- lists:seq(0, ?WRITERS - 1)],
    [receive {'DOWN', Monitor, process, _, normal} -> ok end || Monitor <- Monitors].

attribute(Jungle, Tree, Number) ->
    {ok, Root} = jungle:get_root_node(Jungle, Tree),
    {ok, Value} = jungle:get_attributes(Root, [Number], <<"kind">>),
    true = is_binary(Value).
