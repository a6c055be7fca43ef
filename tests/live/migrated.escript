#!/usr/bin/env escript
%% Calls functions that were written with rustler and are now part of the application `migrated`.
%% Prints one `key=term` per line.
-mode(compile).
-include("observe.hrl").

main([Ebin]) ->
    begin_with(migrated, Ebin),
    Plane = 'Elixir.Plane',
    say(exports, lists:sort(Plane:module_info(exports)) -- [{module_info, 0}, {module_info, 1}]),
    say(loaded, Plane:loaded()),
    say(add, Plane:add(point(1, 2), point(3, 4))),
    say(overflow, raised(fun() -> Plane:add(point(1 bsl 62, 0), point(1 bsl 62, 0)) end)),
    say(badarg, raised(fun() -> Plane:add(point(1, 2), nowhere) end)),
    say(reversed, Plane:reversed(<<"abc">>)),
    say(scheduler, Plane:scheduler()),
    say(panic, raised(fun() -> Plane:falls() end)),
    say(trail, trail(Plane)),
    {ok, Fleet} = fleet:start_link({}, []),
    say(go, [call(Fleet, {go, <<"ark">>, Step}) || Step <- [{by, 2, 3}, {by, 1, 1}, home, {by, 5, 0}]]),
    say(ships, call(Fleet, ships)),
    say(between, 'Elixir.Plane.Distance':between(point(1, 1), point(4, -3))),
    say(refused, raised(fun() -> 'Elixir.Plane.Distance':between(point(1, 1), far) end)),
    unlink(Fleet),
    {{{no_clause, _, [#{path := Path, expected := Expected} | _]}, _}, _} = raised(fun() -> call(Fleet, {go, <<"ark">>, sink}) end),
    say(not_a_step, {Path, Expected}),
    init:stop().

point(X, Y) -> #{'__struct__' => 'Elixir.Plane.Point', x => X, y => Y}.

%% A resource of rustler lives as long as its terms.
trail(Plane) ->
    Trail = Plane:trail(),
    {ok, 1} = Plane:visit(Trail, point(0, 0)),
    {_, Monitor} = spawn_monitor(fun() -> exit(Plane:visit(Trail, point(1, 0))) end),
    receive {'DOWN', Monitor, process, _, Visited} -> {is_reference(Trail), Visited} end.

raised(Call) ->
    try {returned, Call()} catch _:Reason -> Reason end.
