#!/usr/bin/env escript
%%! -upgrades file 5
%% Upgrades the application `upgrades` in this VM, and goes back to the older build, whose states
%% have other types. Prints one `key=term` per line. The argument is the folder with the builds, `1`
%% to `5`.
-mode(compile).
-define(PATIENCE, 120000).

main([Folder]) ->
    Ebin = fun(Build) -> filename:join([Folder, integer_to_list(Build), "ebin"]) end,
    true = code:add_patha(Ebin(2)),
    ok = logger:remove_handler(default),
    {ok, _} = application:ensure_all_started(upgrades),
    {ok, Light} = light:start_link({}),
    {ok, Events} = gen_event:start_link(),
    ok = gen_event:add_handler(Events, ear, 7),
    {ok, Purse} = keeper:start(purse, 5),
    {ok, _} = pg:start_link(upgrades),
    {ok, _} = otp_rs_registry:start_link(crew_registry, unique),
    Crews = [Crew | _] = [begin {ok, One} = crew:start_link(Number), One end || Number <- [0, 1]],
    say(builds_at_first, element(2, otp_rs_upgrade:builds(upgrades))),
    {First, _} = otp_rs_upgrade:builds(upgrades),
    _ = [gen_server:call(counter, add) || _ <- lists:seq(1, 3)],
    {ok, #{planned := Up, left := []}} = upgrade(Ebin(5)),
    say(up, changes(Up)),
    say(up_states, {gen_server:call(counter, add), statem(Light), keeper:keep(Purse, 1)}),
    {_, Before} = otp_rs_upgrade:builds(upgrades),
    say(remembered, Before =:= First),
    %% The light is in a state that the older build does not have.
    {error, {busy, [{Light, light, Why}]}} = upgrade(Ebin(2), #{timeout => 100}),
    say(not_a_state, Why),
    _ = statem(Light),
    panics(Ebin(2)),
    refuses(Ebin(2)),
    killed(Ebin(2)),
    Watched = spawn(fun() -> receive stop -> ok end end),
    Request = gen_server:send_request(Crew, {begin_with, Watched, 300}),
    Pids = [whereis(counter), Light, Purse, Events | Crews],
    {ok, #{planned := Down, left := [], changed := Changed}} = upgrade(Ebin(2)),
    Watched ! stop,
    {reply, Heard} = gen_server:wait_response(Request, ?PATIENCE),
    say(down, changes(Down)),
    say(changed, Changed),
    say(same_processes, Pids =:= [whereis(counter), Light, Purse, Events | Crews]),
    say(down_states, {maps:get(count, otp_rs:state(counter)), map_size(otp_rs:state(counter)), gen_server:call(counter, build),
        statem(Light), keeper:keep(Purse, 1), gen_event:call(Events, ear, heard)}),
    say(heard, Heard),
    left(),
    say(one_library, length(libraries())),
    %% The previous build is now the one that the node has left.
    {Now, After} = otp_rs_upgrade:builds(upgrades),
    say(there_and_back, {Now =:= First, After =/= First}),
    %% The third build lacks the state of the light.
    ok = gen_statem:stop(Light),
    without_clause(Ebin),
    init:stop().

%% The third build has the same states as the fifth, but no clause that goes back.
without_clause(Ebin) ->
    {ok, #{left := []}} = upgrade(Ebin(3)),
    left(),
    AsItWas = as_it_is(),
    {error, {refused, Plan}} = upgrade(Ebin(2)),
    say(refused, [{Module, element(1, Change)} || {Module, Change, [_ | _]} <- Plan, is_tuple(Change)]),
    say(not_loaded, {as_it_is() =:= AsItWas, gen_server:call(counter, build)}).

%% One clause panics: no process goes back.
panics(Ebin) ->
    AsItWas = as_it_is(),
    {Number, ok} = {gen_server:call(another, add), otp_rs:replace_state(another, fun(State) -> State#{count := 17} end)},
    {error, {failed, [{Pid, counter, {raised, error, {panic, #{message := Message}}, Place}}]}} = upgrade(Ebin),
    File = filename:basename(lists:takewhile(fun(C) -> C =/= $: end, Place)),
    say(panics, {Pid =:= whereis(another), Message, File}),
    say(as_it_was, {as_it_is() =:= AsItWas, gen_server:call(counter, build), maps:get(count, otp_rs:state(another))}),
    ok = otp_rs:replace_state(another, fun(State) -> State#{count := Number} end).

%% One clause returns an error: no process goes back.
refuses(Ebin) ->
    AsItWas = as_it_is(),
    ok = otp_rs:replace_state(another, fun(State) -> State#{count := 19} end),
    {error, {failed, Failed}} = upgrade(Ebin),
    say(refuses, {Failed =:= [{whereis(another), counter, <<"a bad number">>}], as_it_is() =:= AsItWas}),
    ok = otp_rs:replace_state(another, fun(State) -> State#{count := 1} end).

%% First, the process that requested the change ends while one process is busy. Then the upgrader
%% itself is killed, so that it cannot restore the version and the environment.
killed(Ebin) ->
    AsItWas = as_it_is(),
    Parts = fun({Modules, _, Libraries}) -> {Modules, Libraries} end,
    lists:foreach(fun({Key, Kill, Of}) ->
        Holds = gen_server:send_request(counter, hold),
        Asker = spawn(fun() -> upgrade(Ebin, #{timeout => 600000}) end),
        until(fun() -> otp_rs_upgrade:progress() =/= none end),
        Kill(Asker),
        until(fun() -> whereis(otp_rs_upgrade) =:= undefined end),
        counter ! go_on,
        {reply, Held} = gen_server:wait_response(Holds, ?PATIENCE),
        say(Key, {Of(as_it_is()) =:= Of(AsItWas), Held, gen_server:call(another, build)})
    end, [
        {asker_killed, fun(Asker) -> exit(Asker, kill) end, fun(All) -> All end},
        {upgrade_killed, fun(_) -> exit(whereis(otp_rs_upgrade), kill) end, Parts}
    ]).

statem(Light) ->
    gen_statem:cast(Light, push),
    {gen_statem:call(Light, seen), element(1, sys:get_state(Light))}.

changes(Plan) ->
    [{Module, Change} || {Module, Change, [_ | _]} <- Plan].

%% Returns everything that an upgrade changes: the modules, the version, the environment and the
%% libraries.
as_it_is() ->
    left(),
    Modules = [{Module, Module:module_info(md5)} || Module <- [counter, stroot, light, ear, purse, crew]],
    {Modules, [application:get_key(upgrades, vsn), lists:sort(application:get_all_env(upgrades))], lists:sort(libraries())}.

libraries() ->
    [Module || {Module, _} <- code:all_loaded(), lists:prefix("upgrades_nif", atom_to_list(Module))].

%% Waits until the libraries of older builds have been unloaded.
left() ->
    until(fun() -> otp_rs_upgrade:leave(upgrades) =:= false end).

upgrade(Ebin) ->
    upgrade(Ebin, #{timeout => 10000}).

upgrade(Ebin, Options) ->
    otp_rs_upgrade:upgrade(otp_rs_package:read(Ebin, upgrades, otp_rs_upgrade:reserve(upgrades)), Options).

until(Test) ->
    case Test() of
        true -> ok;
        false -> until(Test)
    end.

say(Key, Value) ->
    io:format("~p=~0tp~n", [Key, Value]).
