#!/usr/bin/env escript
%% Writes until it is killed, and prints what was acknowledged.
-mode(compile).

main([Ebin, Folder]) ->
    true = code:add_patha(Ebin),
    ok = application:load(jungle),
    ok = application:set_env(jungle, arguments, [<<"--folder">>, list_to_binary(Folder)]),
    ok = application:start(jungle),
    {ok, Jungle} = jungle:database(),
    Self = self(),
    Names = [<<"a">>, <<"b">>, <<"c">>],
    _ = [jungle:create_tree(Jungle, Name) || Name <- Names],
    compact(),
    spawn_link(fun Compact() -> compact(), Compact() end),
    [spawn_link(fun() -> write(Jungle, Name, Self) end) || Name <- Names, _ <- [1, 2]],
    say().

%% Makes snapshots all the time.
compact() -> {ok, _} = gen_server:call(jungle_compactor, {compact, 0}, infinity).

write(Jungle, Name, To) ->
    {ok, Number} = jungle:update_root_node_with(Jungle, Name, fun(Root) -> jungle:add_child_at(Root, []) end),
    To ! {Name, Number},
    %% One name stays, and another one moves from version to version.
    case Number rem 50 of
        0 -> name(Jungle, Name, integer_to_binary(Number), To);
        7 -> {ok, _} = jungle_versions:name(Jungle, Name, <<"moving">>);
        9 -> jungle_versions:drop(Jungle, Name, <<"moving">>);
        _ -> ok
    end,
    write(Jungle, Name, To).

name(Jungle, Tree, Name, To) ->
    {ok, Number} = jungle_versions:name(Jungle, Tree, Name),
    To ! {named, Tree, Name, Number}.

say() ->
    receive
        {named, Tree, Name, Number} -> io:format("named ~s ~s ~b~n", [Tree, Name, Number]);
        {Name, Number} -> io:format("acknowledged ~s ~b~n", [Name, Number])
    end,
    say().
