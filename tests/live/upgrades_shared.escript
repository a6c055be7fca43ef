#!/usr/bin/env escript
%%! -upgrades file 5
%% Observes shared resources at a start, an upgrade and a stop. Prints one `key=term` per line. The
%% argument is the folder with the builds, `1` and `2`.
-mode(compile).

main([Folder]) ->
    Ebin = fun(Build) -> filename:join([Folder, integer_to_list(Build), "ebin"]) end,
    Scratch = filename:join(Folder, "scratch"),
    ok = filelib:ensure_dir(filename:join(Scratch, "any")),
    true = code:add_patha(Ebin(1)),
    ok = logger:remove_handler(default),
    ok = application:load(upgrades),
    set(journal, filename:join(Scratch, "journal")),
    set(rates, filename:join(Scratch, "rates")),
    not_started(),
    name_taken(),
    Left = abandoned(Scratch),
    started(),
    under_load(Ebin(2)),
    say(swept, Left()),
    comes_back(),
    refused(Ebin(1)),
    given_up(Ebin(1)),
    squatters(Ebin(1)),
    forged(),
    stopped(),
    ended_otherwise(),
    init:stop().

%% If a resource cannot be opened, the application does not start, and the resources before it are
%% closed.
not_started() ->
    say(not_started, [begin
        set(pool_of_first, Wish),
        {error, {{shared, Name, Reason}, _}} = application:start(upgrades),
        {Name, Reason}
    end || Wish <- ["fail", "panic"]]),
    say(closed_again, journal()),
    application:unset_env(upgrades, pool_of_first).

%% Another process has the name of the one that keeps the resources open, and never answers. The
%% application does not start, instead of waiting for ever.
name_taken() ->
    Other = spawn(fun() -> receive after infinity -> ok end end),
    true = register(otp_rs_shared_upgrades, Other),
    {error, {{shared, Name, Reason}, _}} = application:start(upgrades),
    exit(Other, kill),
    until(fun() -> whereis(otp_rs_shared_upgrades) =:= undefined end),
    say(name_taken, {Name, Reason, journal()}).

%% Makes folders like those of VMs that were killed, and returns a function that tells which files
%% are left: the upgrade removes those of this user, and follows no link.
abandoned(Scratch) ->
    true = os:putenv("TMPDIR", Scratch),
    %% No process has this number.
    Killed = filename:join(Scratch, "otp_rs-999999999-"),
    [Kept, Linked, Own] = [filename:join(Scratch, "kept"), Killed ++ "A", Killed ++ "B"],
    Files = [filename:join(Folder, "shop_nif.so") || Folder <- [Kept, Own]],
    _ = [begin ok = filelib:ensure_dir(File), ok = file:write_file(File, <<>>) end || File <- Files],
    ok = file:make_symlink(Kept, Linked),
    fun() -> {[filelib:is_file(File) || File <- Files], filelib:is_dir(Own)} end.

%% The resources are opened in order, and before the root supervisor starts. A resource with `retry`
%% may be away.
started() ->
    ok = application:start(upgrades),
    say(started, journal()),
    {unavailable, Name, {away, _}} = gen_server:call(counter, away),
    say(away, Name).

%% Callers increment the counter all the time, and each number is returned once. A process that
%% stays with the old build keeps the old pool open.
under_load(Ebin) ->
    User = gen_server:call(counter, uses),
    Callers = [spawn_monitor(fun() -> exit({added, added([])}) end) || _ <- lists:seq(1, 8)],
    until(fun() -> gen_server:call(counter, add) > 1000 end),
    {ok, #{left := Left}} = upgrade(Ebin),
    Now = gen_server:call(counter, add),
    until(fun() -> gen_server:call(counter, add) > Now + 1000 end),
    _ = [Pid ! stop || {Pid, _} <- Callers],
    Added = [receive {'DOWN', Monitor, process, _, {added, Numbers}} -> Numbers end || {_, Monitor} <- Callers],
    All = lists:append(Added),
    say(under_load, {Left, length(All) =:= length(lists:usort(All)), gen_server:call(counter, build)}),
    say(stays_open, {otp_rs_upgrade:leave(upgrades), is_process_alive(User)}),
    exit(User, kill),
    left(),
    %% The supervisor of the new build starts when the new resources are open. The old resources are
    %% closed later, because a process still uses them.
    {Uses, Lines} = lists:partition(fun(Line) -> Line =:= <<"uses the pool 1">> end, journal()),
    say(upgraded, {Uses =/= [], Lines}).

added(Numbers) ->
    receive stop -> Numbers
    after 0 -> added([gen_server:call(counter, add) | Numbers])
    end.

%% This resource was away at the start and at the upgrade.
comes_back() ->
    {unavailable, _, {away, _}} = gen_server:call(counter, away),
    {ok, Path} = application:get_env(upgrades, rates),
    ok = file:write_file(Path, "12"),
    until(fun() -> is_integer(gen_server:call(counter, away)) end),
    say(comes_back, gen_server:call(counter, away)),
    %% The running build has the resource open, so a new build that cannot open it is refused.
    ok = file:delete(Path).

%% The new build cannot open a resource, so the upgrade is refused.
refused(Ebin) ->
    Before = as_it_is(),
    {error, {shared, Rates, _}} = upgrade(Ebin),
    {ok, Path} = application:get_env(upgrades, rates),
    ok = file:write_file(Path, "123"),
    say(refused, [Rates | [begin
        set(pool_of_first, Wish),
        {error, {shared, _, Reason}} = upgrade(Ebin),
        Reason
    end || Wish <- ["fail", "panic"]]]),
    say(nothing_changed, {as_it_is() =:= Before, gen_server:call(counter, add) > 0, gen_server:call(counter, away)}),
    _ = journal().

%% The process that requested the upgrade, or the upgrader, is killed while the pool is being
%% opened.
given_up(Ebin) ->
    Before = as_it_is(),
    set(pool_of_first, "hang"),
    Asker = spawn(fun() -> upgrade(Ebin) end),
    until(fun() -> lists:member(<<"waits for the pool 1">>, peek()) end),
    exit(Asker, kill),
    until(fun() -> whereis(otp_rs_upgrade) =:= undefined end),
    left(),
    say(cancelled, {as_it_is() =:= Before, journal()}),
    spawn(fun() -> upgrade(Ebin) end),
    until(fun() -> lists:member(<<"waits for the pool 1">>, peek()) end),
    exit(whereis(otp_rs_upgrade), kill),
    left(),
    %% The version in the resource file does not change.
    say(killed, {setelement(2, as_it_is(), any) =:= setelement(2, Before, any), journal(), gen_server:call(counter, add) > 0}),
    application:unset_env(upgrades, pool_of_first).

%% The process that closes the resources ignores messages of other processes.
forged() ->
    Keeper = whereis(otp_rs_shared_upgrades),
    Forged = [
        any, {otp_rs_shared, self(), make_ref(), close}, {otp_rs_shared, self(), any, are_open}, {otp_rs_shared, any, any, close},
        {'DOWN', make_ref(), process, self(), any}
    ],
    _ = [Keeper ! Message || Message <- Forged],
    receive {otp_rs_shared, any, true} -> ok end,
    until(fun() -> process_info(Keeper, message_queue_len) =:= {message_queue_len, 0} end),
    say(forged, {is_process_alive(Keeper), gen_server:call(counter, add) > 0, journal()}).

%% Other processes have the name of an upgrade, and that of the module that follows busy processes.
squatters(Ebin) ->
    Others = [begin
        Other = spawn(fun() -> receive after infinity -> ok end end),
        true = register(Name, Other),
        Other
    end || Name <- [otp_rs_later, otp_rs_upgrade]],
    Refused = [upgrade(Ebin), otp_rs_upgrade:abandon()],
    [Later, Upgrade] = Others,
    exit(Upgrade, kill),
    until(fun() -> whereis(otp_rs_upgrade) =:= undefined end),
    set(pool_of_first, "fail"),
    {error, {shared, _, _}} = upgrade(Ebin),
    application:unset_env(upgrades, pool_of_first),
    exit(Later, kill),
    _ = journal(),
    say(squatters, Refused).

%% The resources are closed after the last process has ended. That process is not a child of the
%% supervisor.
stopped() ->
    _ = gen_server:call(counter, uses),
    until(fun() -> lists:member(<<"uses the pool 2">>, peek()) end),
    ok = application:stop(upgrades),
    say(stopped, journal()),
    ok = application:start(upgrades),
    %% Returns the build that ran last.
    say(started_again, journal()),
    ok = application:stop(upgrades),
    _ = journal().

%% Either the process that closes the resources is killed, or the application's master.
ended_otherwise() ->
    ok = application:start(upgrades),
    exit(whereis(otp_rs_shared_upgrades), kill),
    ok = application:stop(upgrades),
    say(keeper_killed, journal()),
    ok = application:start(upgrades),
    exit(application_controller:get_master(upgrades), kill),
    until(fun() -> lists:member(<<"closed journal 2">>, peek()) end),
    say(master_killed, journal()).

%% Returns everything that an upgrade changes.
as_it_is() ->
    left(),
    {counter:module_info(md5), application:get_key(upgrades, vsn), libraries(), gen_server:call(counter, build), otp_rs_upgrade:leave(upgrades)}.

libraries() ->
    [Module || {Module, _} <- code:all_loaded(), lists:prefix("upgrades_nif", atom_to_list(Module))].

left() ->
    until(fun() -> otp_rs_upgrade:leave(upgrades) =:= false end).

set(Key, Value) ->
    ok = application:set_env(upgrades, Key, unicode:characters_to_binary(Value)).

%% Returns the recorded lines, without immediate repetitions, and clears the record.
journal() ->
    Lines = peek(),
    {ok, Path} = application:get_env(upgrades, journal),
    _ = file:delete(Path),
    once(Lines).

once([Line, Line | Lines]) -> once([Line | Lines]);
once([Line | Lines]) -> [Line | once(Lines)];
once([]) -> [].

peek() ->
    {ok, Path} = application:get_env(upgrades, journal),
    case file:read_file(Path) of
        {ok, Text} -> binary:split(Text, <<"\n">>, [global, trim_all]);
        {error, enoent} -> []
    end.

upgrade(Ebin) ->
    otp_rs_upgrade:upgrade(otp_rs_package:read(Ebin, upgrades, otp_rs_upgrade:reserve(upgrades)), #{timeout => 60000}).

until(Test) ->
    case Test() of
        true -> ok;
        false -> timer:sleep(1), until(Test)
    end.

say(Key, Value) ->
    io:format("~p=~0tp~n", [Key, Value]).
