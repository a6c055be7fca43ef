#!/usr/bin/env escript
%% Writes, and says what is acknowledged, until it is killed.
-mode(compile).

main([Ebin, Folder]) ->
    true = code:add_patha(Ebin),
    ok = application:load(jungle),
    Arguments = [<<"--folder">>, list_to_binary(Folder), <<"--compact-from">>, <<"1000">>],
    ok = application:set_env(jungle, arguments, Arguments),
    ok = application:start(jungle),
    {ok, Jungle} = jungle:database(),
    Self = self(),
    Names = [<<"a">>, <<"b">>, <<"c">>],
    _ = [jungle:create_tree(Jungle, Name) || Name <- Names],
    [spawn_link(fun() -> write(Jungle, Name, Self) end) || Name <- Names, _ <- [1, 2]],
    say().

write(Jungle, Name, To) ->
    {ok, Number} = jungle:update_root_node_with(Jungle, Name, fun(Root) -> jungle:add_child_at(Root, []) end),
    To ! {Name, Number},
    write(Jungle, Name, To).

say() ->
    receive {Name, Number} -> io:format("acknowledged ~s ~b~n", [Name, Number]) end,
    say().
