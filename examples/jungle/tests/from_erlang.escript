#!/usr/bin/env escript
%% Calls the database from Erlang. Prints one `key=term` per line.
-mode(compile).

main([Ebin, Folder]) ->
    true = code:add_patha(Ebin),
    ok = logger:remove_handler(default),
    ok = application:load(jungle),
    ok = application:set_env(jungle, arguments, [<<"--folder">>, list_to_binary(Folder)]),
    ok = application:start(jungle),
    {ok, Jungle} = jungle:database(),
    nodes_and_edits(Jungle),
    errors(Jungle),
    changes(Jungle),
    writers(Jungle),
    versions(Jungle),
    watch(Jungle),
    queries(Jungle),
    unknown_keys(Jungle),
    naming(Jungle),
    documentation(),
    in_memory(),
    ok = application:stop(jungle),
    ok = application:start(jungle),
    {ok, Again} = jungle:database(),
    say(stopped, jungle:create_tree(Jungle, <<"late">>)),
    say(kept, jungle:trees(Again)),
    {ok, Root} = jungle:get_root_node(Again, <<"garden">>),
    say(kept_name, jungle:get_attributes(Root, [0], <<"name">>)),
    say(kept_versions, jungle_versions:list(Again, <<"history">>)),
    {ok, {3, Three}} = jungle_versions:get(Again, <<"history">>, <<"three">>),
    {ok, {5, Five}} = jungle_versions:get(Again, <<"history">>, <<"five">>),
    say(kept_diff, jungle_versions:diff(Three, Five)),
    Path = list_to_binary(Folder),
    {error, {storage, InUse}} = jungle_folder:check(Path),
    say(in_use, binary:match(InUse, <<"another VM, has this folder open">>) =/= nomatch),
    ok = application:stop(jungle),
    {ok, #{findings := [], kept := []}} = jungle_folder:repair(Path),
    ok = file:delete(filename:join(Folder, "trees.manifest")),
    {ok, #{findings := [#{file := Missing}], trees := Trees}} = jungle_folder:check(Path),
    say(missing, {Missing, length(Trees)}),
    {ok, #{kept := [_]}} = jungle_folder:repair(Path),
    ok = application:start(jungle),
    {ok, Repaired} = jungle:database(),
    say(repaired, jungle:trees(Repaired)),
    init:stop().

say(Key, Value) -> io:format("~s=~0tp~n", [Key, Value]).

nodes_and_edits(Jungle) ->
    say(create, jungle:create_tree(Jungle, <<"garden">>)),
    {ok, Root} = jungle:get_root_node(Jungle, <<"garden">>),
    {ok, One} = jungle:add_child_at(Root, []),
    {ok, Two} = jungle:put_attribute(One, [0], <<"name">>, <<"oak">>),
    {ok, Three} = jungle:add_child_at(Two, [0]),
    say(update, jungle:update_root_node(Jungle, <<"garden">>, Three)),
    say(old_size, jungle:size(Root)),
    {ok, Now} = jungle:get_root_node(Jungle, <<"garden">>),
    say(size, jungle:size(Now)),
    say(attribute, jungle:get_attributes(Now, [0], <<"name">>)),
    say(no_attribute, jungle:get_attributes(Now, [], <<"name">>)),
    say(attributes, jungle:assoc_attribute(Now, [0])),
    {ok, [{Position, Child}]} = jungle:assoc_children(Now, []),
    say(child, {Position, jungle:num_of_child(Child, [])}),
    {ok, [_]} = jungle:get_children(Now, []),
    {ok, [{0, _}]} = jungle:assoc_children(Now, [], 0, 10),
    {ok, Newest} = jungle:current_child(Now, []),
    say(newest, jungle:assoc_attribute(Newest, [])),
    say(none, jungle:current_child(Now, [0, 0])),
    {ok, Less} = jungle:delete_child_at(Now, [0], 0),
    say(less, jungle:size(Less)),
    {ok, Bare} = jungle:delete_attribute(Less, [0], <<"name">>),
    say(bare, jungle:assoc_attribute(Bare, [0])),
    Large = binary:copy(<<"x">>, 1000000),
    {ok, Big} = jungle:put_attribute(Bare, [0], <<"large">>, Large),
    {ok, Same} = jungle:get_attributes(Big, [0], <<"large">>),
    say(large, Same =:= Large).

errors(Jungle) ->
    {ok, Root} = jungle:get_root_node(Jungle, <<"garden">>),
    say(no_tree, jungle:get_root_node(Jungle, <<"field">>)),
    say(tree_exists, jungle:create_tree(Jungle, <<"garden">>)),
    say(no_node, jungle:add_child_at(Root, [0, 7, 1])),
    say(no_child, jungle:delete_child_at(Root, [], 7)),
    say(no_key, jungle:delete_attribute(Root, [0], <<"colour">>)),
    say(position, jungle:put_child_at(Root, [], 16#ffffffffffffffff, Root)),
    say(key, jungle:put_attribute(Root, [], binary:copy(<<"k">>, 2000), <<>>)),
    say(value, jungle:put_attribute(Root, [], <<"k">>, binary:copy(<<"v">>, 17 bsl 20))),
    say(badarg, try jungle:add_child_at(Root, [-1]) catch error:badarg -> badarg end),
    say(not_a_node, try jungle:size(make_ref()) catch error:badarg -> badarg end).

%% Changes in the form of watches and differences: all of them are made, or none. A tree is rebuilt
%% from the differences of another one.
changes(Jungle) ->
    ok = jungle:create_tree(Jungle, <<"first">>),
    ok = jungle:create_tree(Jungle, <<"second">>),
    {ok, Empty} = jungle:get_root_node(Jungle, <<"first">>),
    Plant = [{add, [], 0}, {add, [0], 4}, {put, [0, 4], <<"name">>, <<"fig">>}, {add, [], 1}, {delete, [], 1}],
    say(planted, jungle:change(Jungle, <<"first">>, Plant)),
    say(taken, jungle:change(Jungle, <<"first">>, [{put, [0], <<"name">>, <<"elm">>}, {add, [], 0}])),
    say(not_there, jungle:change(Jungle, <<"first">>, [{remove, [0, 4], <<"name">>}, {put, [7], <<"name">>, <<"elm">>}])),
    say(no_change, try jungle:change(Jungle, <<"first">>, [{move, [], 0}]) catch error:badarg -> badarg end),
    %% More than the message limit in one call: the values are not copied to decode them.
    ok = jungle:create_tree(Jungle, <<"heavy">>),
    Heavy = fun(Length) -> [{put, [], integer_to_binary(Number), binary:copy(<<"v">>, Length)} || Number <- lists:seq(1, 5)] end,
    say(heavy, jungle:change(Jungle, <<"heavy">>, Heavy(15 bsl 20))),
    say(too_heavy, jungle:change(Jungle, <<"heavy">>, Heavy(17 bsl 20))),
    ok = jungle:delete_tree(Jungle, <<"heavy">>),
    {ok, Root} = jungle:get_root_node(Jungle, <<"first">>),
    {ok, Differences} = jungle_versions:diff(Empty, Root),
    say(differences, Differences),
    {ok, 1} = jungle:change(Jungle, <<"second">>, Differences),
    {ok, Same} = jungle:get_root_node(Jungle, <<"second">>),
    say(same, jungle_versions:diff(Root, Same)),
    Self = self(),
    Put = fun(Number) -> jungle:change(Jungle, <<"second">>, [{put, [], integer_to_binary(Number), <<"x">>}]) end,
    _ = [spawn(fun() -> Self ! {Number, Put(Number)} end) || Number <- lists:seq(1, 100)],
    Versions = [receive {Number, {ok, Version}} -> Version end || Number <- lists:seq(1, 100)],
    say(versions_of_all, lists:sort(Versions) =:= lists:seq(2, 101)),
    {ok, Full} = jungle:get_root_node(Jungle, <<"second">>),
    {ok, Attributes} = jungle:assoc_attribute(Full, []),
    say(puts, length(Attributes)).

%% Many writers increment a counter. A writer that is killed during its turn loses the turn.
writers(Jungle) ->
    ok = jungle:create_tree(Jungle, <<"counter">>),
    Count = fun(Root) ->
        {ok, Value} = jungle:get_attributes(Root, [], <<"count">>),
        Old = case Value of undefined -> 0; _ -> binary_to_integer(Value) end,
        jungle:put_attribute(Root, [], <<"count">>, integer_to_binary(Old + 1))
    end,
    Self = self(),
    Stuck = spawn(fun() ->
        jungle:update_root_node_with(Jungle, <<"counter">>, fun(_) -> Self ! begun, receive never -> ok end end)
    end),
    receive begun -> ok end,
    say(writer, jungle:writer(Jungle, <<"counter">>) =:= {ok, Stuck}),
    say(busy, jungle:update_root_node_with(Jungle, <<"counter">>, Count, 10) =:= {error, {busy, Stuck}}),
    Writers = [spawn_monitor(fun() -> {ok, _} = jungle:update_root_node_with(Jungle, <<"counter">>, Count) end)
        || _ <- lists:seq(1, 200)],
    %% Other ways of writing need no turn.
    {ok, Other} = jungle:put_attribute(jungle:new_node(), [], <<"other">>, <<"yes">>),
    {ok, 1} = jungle:update_root_node(Jungle, <<"counter">>, Other),
    exit(Stuck, kill),
    Reasons = [receive {'DOWN', Monitor, process, _, Reason} -> Reason end || {_, Monitor} <- Writers],
    say(reasons, lists:usort(Reasons)),
    {ok, Root} = jungle:get_root_node(Jungle, <<"counter">>),
    say(count, jungle:assoc_attribute(Root, [])),
    say(no_writer, jungle:writer(Jungle, <<"counter">>)),
    Nested = fun(R) ->
        {error, nested} = jungle:update_root_node_with(Jungle, <<"counter">>, Count),
        Count(R)
    end,
    say(nested, jungle:update_root_node_with(Jungle, <<"counter">>, Nested)),
    InOther = fun(R) ->
        {ok, _} = jungle:update_root_node_with(Jungle, <<"garden">>, fun(G) -> jungle:put_attribute(G, [], <<"seen">>, <<"yes">>) end),
        Count(R)
    end,
    say(other_tree, jungle:update_root_node_with(Jungle, <<"counter">>, InOther)),
    say(refused, jungle:update_root_node_with(Jungle, <<"counter">>, fun(_) -> {error, not_today} end)),
    Raised = try jungle:update_root_node_with(Jungle, <<"counter">>, fun(_) -> error(oops) end)
    catch error:oops -> raised end,
    say(raised, Raised),
    Wrong = try jungle:update_root_node_with(Jungle, <<"counter">>, fun(_) -> hello end)
    catch error:{bad_term, _} -> wrong; exit:{bad_term, _} -> wrong end,
    say(wrong, Wrong),
    say(after_all, jungle:update_root_node_with(Jungle, <<"counter">>, Count)).

versions(Jungle) ->
    ok = jungle:create_tree(Jungle, <<"history">>),
    Add = fun(Root) -> jungle:add_child_at(Root, []) end,
    ok = jungle_versions:keep(Jungle, <<"history">>, 2),
    [{ok, _} = jungle:update_root_node_with(Jungle, <<"history">>, Add) || _ <- lists:seq(1, 3)],
    say(named, jungle_versions:name(Jungle, <<"history">>, <<"three">>)),
    [{ok, _} = jungle:update_root_node_with(Jungle, <<"history">>, Add) || _ <- lists:seq(1, 2)],
    say(versions, jungle_versions:list(Jungle, <<"history">>)),
    {ok, {3, Before}} = jungle_versions:get(Jungle, <<"history">>, <<"three">>),
    {ok, {5, After}} = jungle_versions:newest(Jungle, <<"history">>),
    say(diff, jungle_versions:diff(Before, After)),
    say(no_version, jungle_versions:get(Jungle, <<"history">>, <<"four">>)),
    {ok, 5} = jungle_versions:name(Jungle, <<"history">>, <<"five">>),
    {ok, 5} = jungle_versions:name(Jungle, <<"history">>, <<"also five">>),
    say(dropped, jungle_versions:drop(Jungle, <<"history">>, <<"also five">>)),
    say(dropped_again, jungle_versions:drop(Jungle, <<"history">>, <<"also five">>)),
    say(long_name, jungle_versions:name(Jungle, <<"history">>, binary:copy(<<"n">>, 2000))).

watch(Jungle) ->
    {ok, Watch} = jungle_watch:subscribe(Jungle, <<"history">>, []),
    Add = fun(Root) -> jungle:add_child_at(Root, [0]) end,
    {ok, 6} = jungle:update_root_node_with(Jungle, <<"history">>, Add),
    receive {changed, Watch, Tree, Number, Changes} -> say(changed, {Tree, Number, Changes}) end,
    ok = jungle_watch:unsubscribe(Watch),
    {ok, 7} = jungle:update_root_node_with(Jungle, <<"history">>, Add),
    say(unsubscribed, receive Message -> Message after 0 -> nothing end).

in_memory() ->
    Jungle = jungle:create_jungle(),
    say(memory, jungle:create_tree(Jungle, <<"a">>, [<<"colour">>])),
    Add = fun(Root) -> jungle:add_child_at(Root, []) end,
    say(memory_update, jungle:update_root_node_with(Jungle, <<"a">>, Add)).

queries(Jungle) ->
    ok = jungle:create_tree(Jungle, <<"orchard">>, [<<"name">>]),
    Plant = fun(Root) ->
        {ok, lists:foldl(fun({At, Name}, Node) ->
            {ok, Added} = jungle:add_child_at(Node, []),
            {ok, Below} = jungle:add_child_at(Added, [At]),
            {ok, Named} = jungle:put_attribute(Below, [At, 0], <<"name">>, Name),
            Named
        end, Root, [{0, <<"pear">>}, {1, <<"apple">>}, {2, <<"pear">>}, {3, <<"fig">>}])}
    end,
    {ok, 1} = jungle:update_root_node_with(Jungle, <<"orchard">>, Plant),
    Select = fun(Query) -> jungle_query:select(Jungle, <<"orchard">>, Query) end,
    say(all, Select(#{})),
    say(pattern, Select(#{pattern => [{range, 1, 2}, '*']})),
    say(having, Select(#{pattern => ['**', {having, <<"name">>, <<"fig">>}]})),
    say(predicate, Select(#{predicate => {'and', [{equal, <<"name">>, <<"pear">>}, {'not', {has, <<"size">>}}]}})),
    say(page, Select(#{pattern => ['*'], limit => 2})),
    say(next_page, Select(#{pattern => ['*'], limit => 3, 'after' => [1]})),
    {ok, Root} = jungle:get_root_node(Jungle, <<"orchard">>),
    say(below, jungle_query:select_below(Root, #{predicate => {prefix, <<"name">>, <<"ap">>}})),
    {ok, #{found := Found, next := Next}} = jungle_query:range(Jungle, <<"orchard">>, <<"name">>, <<"b">>, <<"q">>, 2),
    say(range, Found),
    say(range_limit, jungle_query:range(Jungle, <<"orchard">>, <<"name">>, <<"b">>, <<"q">>, 10001)),
    say(next_range, jungle_query:range(Jungle, <<"orchard">>, <<"name">>, <<"b">>, <<"q">>, Next, 2)),
    say(not_indexed, jungle_query:range(Jungle, <<"orchard">>, <<"size">>, <<>>, <<"q">>, 2)),
    say(bad_pattern, Select(#{pattern => [{range, 2, 1}]})),
    say(not_a_pattern, try Select(#{pattern => [second]}) catch error:badarg -> badarg end).

%% `h(jungle)` and `h(jungle, create_tree)` show the documentation, and `ht(jungle, tree_node)` that of
%% a type. Elixir and editors read it, too.
documentation() ->
    Shown = fun(Rendered) -> iolist_to_binary(Rendered) end,
    Has = fun(Text, Part) -> binary:match(Text, Part) =/= nomatch end,
    Undocumented = [{Module, Name} || Module <- [jungle, jungle_query, jungle_versions, jungle_replica, jungle_folder, jungle_watch],
        {ok, Chunk} <- [code:get_doc(Module)],
        {Name, _, _, none, _} <- element(7, Chunk)],
    say(undocumented, Undocumented),
    {ok, Docs} = code:get_doc(jungle),
    say(module_doc, Has(Shown(shell_docs:render(jungle, Docs)), <<"A database of trees.">>)),
    say(function_doc, Has(Shown(shell_docs:render(jungle, create_tree, 3, Docs)), <<"Creates a tree with indexes of these attributes.">>)),
    say(signature, Has(Shown(shell_docs:render(jungle, size, 1, Docs)), <<"size(Node :: tree_node()) -> non_neg_integer()">>)),
    say(type_doc, Has(Shown(shell_docs:render_type(jungle, tree_node, Docs)), <<"keeps this version of the node alive">>)).

%% An unknown key of a map is an error that names the argument, the key, and the known keys.
unknown_keys(Jungle) ->
    {ok, Root} = jungle:get_root_node(Jungle, <<"orchard">>),
    Query = #{limitt => 1},
    Refusals = [refusal(Function) || Function <- [
        fun() -> jungle_query:select(Jungle, <<"orchard">>, Query) end,
        fun() -> jungle_query:select_below(Root, Query) end,
        fun() -> jungle_replica:select(<<"orchard">>, Query) end,
        fun() -> jungle_replica:select(<<"orchard">>, Query, {0, 0}) end]],
    [say(unknown_key, Refusal) || Refusal <- Refusals],
    say(bad_path, refusal(fun() -> jungle:node_at(Root, [0, -1]) end)).

refusal(Function) ->
    try Function() catch error:badarg:Stack ->
        Text = erl_error:format_exception(error, badarg, Stack),
        {match, [Line]} = re:run(Text, <<"\\*\\*\\* .*">>, [{capture, first, binary}]),
        Line
    end.

%% Trees are renamed and deleted while processes watch them and write. Indexes are added and
%% dropped.
naming(Jungle) ->
    ok = jungle:create_tree(Jungle, <<"old">>),
    Plant = fun(Root) -> {ok, New} = jungle:add_child_at(Root, []), jungle:put_attribute(New, [0], <<"name">>, <<"oak">>) end,
    {ok, 1} = jungle:update_root_node_with(Jungle, <<"old">>, Plant),
    say(add_index, jungle:add_index(Jungle, <<"old">>, <<"name">>)),
    say(indexes, jungle:indexes(Jungle, <<"old">>)),
    say(by_index, jungle_query:range(Jungle, <<"old">>, <<"name">>, <<"a">>, <<"z">>, 9)),
    say(drop_index, jungle:drop_index(Jungle, <<"old">>, <<"name">>)),
    say(drop_again, jungle:drop_index(Jungle, <<"old">>, <<"name">>)),
    {ok, Watch} = jungle_watch:subscribe(Jungle, <<"old">>, []),
    {ok, Held} = jungle:get_root_node(Jungle, <<"old">>),
    say(name_taken, jungle:rename_tree(Jungle, <<"old">>, <<"garden">>)),
    say(rename, jungle:rename_tree(Jungle, <<"old">>, <<"new">>)),
    say(renamed, receive {renamed, Watch, From, To} -> {From, To} end),
    say(old_name, jungle:get_root_node(Jungle, <<"old">>)),
    Self = self(),
    Update = fun(Edit) -> exit(jungle:update_root_node_with(Jungle, <<"new">>, Edit)) end,
    {Busy, _} = spawn_monitor(fun() -> Update(fun(Root) -> Self ! begun, receive 'end' -> Plant(Root) end end) end),
    receive begun -> ok end,
    {Waiting, _} = spawn_monitor(fun() -> Update(fun(_) -> exit(called) end) end),
    say(delete, jungle:delete_tree(Jungle, <<"new">>)),
    say(deleted, receive {deleted, Watch, Name} -> Name end),
    Busy ! 'end',
    [say(writer, receive {'DOWN', _, process, Process, Reason} -> Reason end) || Process <- [Busy, Waiting]],
    say(held, jungle:get_attributes(Held, [0], <<"name">>)),
    {error, Reason} = jungle:delete_tree(Jungle, <<"new">>),
    say(delete_again, jungle:format_error(Reason)),
    {error, NoNode} = jungle:node_at(Held, [0, 97]),
    say(format_error, jungle:format_error(NoNode)).
