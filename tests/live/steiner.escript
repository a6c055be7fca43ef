#!/usr/bin/env escript
%% Calls the functions of `steiner` from Erlang. Prints one `key=term` per line.
-mode(compile).

main([Ebin]) ->
    true = code:add_patha(Ebin),
    ok = application:start(steiner),
    Star = #{nodes => 4, edges => [{0, 1, 2}, {1, 2, 2}, {0, 3, 1}, {1, 3, 1}, {2, 3, 1}]},
    [say(Function, steiner:Function(Star, [0, 1, 2])) || Function <- [solve, solve_dirty, solve_impolitely]],
    say(nothing, steiner:solve(Star, [])),
    say(outside, steiner:solve(Star, [0, 4])),
    say(negative, steiner:solve(Star#{edges := [{0, 1, -2}]}, [0, 1])),
    say(apart, steiner:solve(Star#{edges := []}, [0, 1])),
    say(large, steiner:solve(Star#{nodes := 30}, lists:seq(0, 29))),
    say(no_graph, refused(fun() -> steiner:solve(Star#{edges := [{0, 1, heavy}]}, [0]) end)),
    say(no_list, refused(fun() -> steiner:solve(Star, none) end)),
    say(all, steiner:solve_all([{Star, [0, 1, 2]}, {Star, [0, 4]}, {Star, []}])),
    say(all_of_many, lists:usort([Weight || {ok, #{weight := Weight}} <- steiner:solve_all(
        lists:duplicate(1000, {Star, [0, 1, 2]}))])),
    say(left, process_info(self(), messages)),
    say(beside, beside(16)),
    init:stop().

say(Key, Value) -> io:format("~s=~0tp~n", [Key, Value]).

refused(Fun) ->
    try Fun()
    catch error:Reason:Stack ->
        #{} = Explained = explained(Reason, Stack),
        {Reason, maps:map(fun(_, Text) -> iolist_to_binary(Text) end, Explained)}
    end.

explained(Reason, [{_, _, _, Info} | _] = Stack) ->
    #{module := Module} = maps:get(error_info, maps:from_list(Info)),
    Module:format_error(Reason, Stack).

%% As many processes as there are schedulers compute for longer than a second. Another process wakes
%% up every ten milliseconds.
beside(Nodes) ->
    Path = #{nodes => Nodes, edges => [{Node - 1, Node, 1} || Node <- lists:seq(1, Nodes - 1)]},
    Owner = self(),
    Solvers = [spawn_link(fun() -> Owner ! {self(), steiner:solve(Path, lists:seq(0, Nodes - 1))} end)
        || _ <- lists:seq(1, erlang:system_info(schedulers_online))],
    Woken = ticks(Solvers, 0),
    Weights = [receive {Solver, {ok, #{weight := Weight}}} -> Weight end || Solver <- Solvers],
    {lists:usort(Weights), Woken >= 10}.

%% Returns how often this process has woken up when the first of them has found a tree.
ticks(Solvers, Number) ->
    timer:sleep(10),
    case process_info(self(), message_queue_len) of
        {message_queue_len, 0} -> ticks(Solvers, Number + 1);
        _ -> Number
    end.
