#!/usr/bin/env escript
%%! -upgrades file 5
%% Upgrades the application `upgrades` in this VM from one build to others while it is in use.
%% Prints one `key=term` per line. The argument is the folder with the builds, `1` to `4`.
-mode(compile).
-define(PATIENCE, 120000).

main([Folder]) ->
    Ebin = fun(Build) -> filename:join([Folder, integer_to_list(Build), "ebin"]) end,
    true = code:add_patha(Ebin(1)),
    ok = logger:remove_handler(default),
    ok = application:start(upgrades),
    {ok, Light} = light:start_link({}),
    {ok, Events} = gen_event:start_link(),
    ok = gen_event:add_handler(Events, ear, 7),
    {ok, Purse} = keeper:start(purse, 5),
    {ok, Bridge} = bridge:start_link(self()),
    {ok, _} = pg:start_link(upgrades),
    {ok, _} = otp_rs_registry:start_link(crew_registry, unique),
    Crews = [begin {ok, Crew} = crew:start_link(Number), Crew end || Number <- [0, 1]],
    say(spread, spread(Crews)),
    true = register(told, self()),
    ok = application:set_env(upgrades, mine, 10),
    say(read_before, gen_server:call(counter, read)),
    application(under_load(Ebin(2))),
    say(purse, keeper:keep(Purse, 1)),
    say(light, statem(Light)),
    say(ear, {gen_event:notify(Events, x), gen_event:call(Events, ear, heard)}),
    left(),
    say(first_library, erlang:module_loaded(upgrades_nif)),
    say(registered, registered(Crews)),
    say(worked, worked(Crews)),
    say(crowded, crowded(Crews)),
    kept(crew_kept, Crews, Ebin(1)),
    ordered(Crews, Ebin(2)),
    awaiting(Ebin(1)),
    tasks(Ebin(2)),
    threads(Ebin),
    announced(Ebin),
    careless(Ebin),
    cancelled(Ebin(1)),
    running(Ebin(1)),
    busy(Ebin),
    staying(Ebin(2)),
    reading(),
    many(Ebin),
    impossible(Ebin(1)),
    refused(Ebin(4)),
    panics(Ebin(3), Light),
    converted(Ebin),
    say(crews_converted, spread(Crews)),
    say(registered_and_converted, registered(Crews)),
    say(worked_and_converted, worked(Crews)),
    say(crowded_and_converted, crowded(Crews)),
    not_a_state(Ebin(3), Light),
    say(waited_and_converted, {gen_server:call(another, build), gen_server:call(another, add) - gen_server:call(another, add)}),
    say(purse_converted, keeper:keep(Purse, 1)),
    ok = gen_server:stop(Bridge),
    say(bridge, receive {ended_by, Build} -> Build end),
    opaque(Ebin(2)),
    stopped(),
    init:stop().

%% Callers increment the counter all the time, and each number is returned once.
under_load(Ebin) ->
    Callers = [spawn_monitor(fun() -> exit({added, added([])}) end) || _ <- lists:seq(1, 8)],
    until(fun() -> gen_server:call(counter, add) > 1000 end),
    say(before, gen_server:call(counter, build)),
    {ok, #{changed := Changed, left := Left, started := Started} = Report} = upgrade(Ebin),
    say(changed, Changed),
    say(left, Left),
    say(started, [{Id, element(1, Result)} || {_, Id, Result} <- Started]),
    say(later, gen_server:call(counter, build)),
    say(another, gen_server:call(another, add)),
    Now = gen_server:call(counter, add),
    until(fun() -> gen_server:call(counter, add) > Now + 1000 end),
    _ = [Pid ! stop || {Pid, _} <- Callers],
    Added = [receive {'DOWN', Monitor, process, _, {added, Numbers}} -> Numbers end || {_, Monitor} <- Callers],
    All = lists:append(Added),
    say(each_once, length(All) =:= length(lists:usort(All))),
    say(in_order, lists:all(fun(Numbers) -> lists:sort(Numbers) =:= lists:reverse(Numbers) end, Added)),
    Report.

%% Prints the effects of an upgrade on the application itself.
application(#{resource := #{changed := Changed, new := New, removed := Removed, kept := Kept, starting := Starting}}) ->
    say(environment, {Changed, New, Removed, lists:sort(Kept)}),
    say(read, gen_server:call(counter, read)),
    say(told, receive Told when element(1, Told) =:= told -> Told end),
    say(version, [Value || Key <- [vsn, applications], {ok, Value} <- [application:get_key(upgrades, Key)]]),
    say(dependency, {Starting, lists:keymember(compiler, 1, application:which_applications())}).

%% Processes that cannot change over do not prevent an upgrade.
staying(Ebin) ->
    Silent = spawn(fun() -> {ok, State} = purse:init(1), receive stop -> purse:keep(1, State) end end),
    Body = gen_server:call(counter, body),
    {ok, #{planned := Plan, left := []}} = upgrade(Ebin),
    say(staying, [{Change, Pids =:= [Silent], Pids =:= [Body]} || {_, Change, Pids} <- Plan, lists:member(Change, [silent, spawned])]),
    say(not_disturbed, [process_info(Pid, message_queue_len) || Pid <- [Silent, Body]]),
    Silent ! stop,
    Body ! stop,
    left().

%% A process that reads the environment always finds it, however often it changes.
reading() ->
    Main = self(),
    Reader = spawn_link(fun() -> read(Main, 0, 0) end),
    {ok, Keys} = application:get_all_key(upgrades),
    Other = lists:keystore(vsn, 1, Keys, {vsn, "another"}),
    Change = #{before => {application, upgrades, Other}, resource => {application, upgrades, Keys}},
    _ = [ok = otp_rs_resource:change(Change) || _ <- lists:seq(1, 300)],
    Reader ! stop,
    say(reading, receive {Reader, Missing, Reads} -> {Missing, Reads > 0} end).

read(Main, Missing, Reads) ->
    receive stop -> Main ! {self(), Missing, Reads}
    after 0 ->
        IsThere = lists:keymember(port, 1, otp_rs_resource:environment(upgrades)),
        read(Main, Missing + case IsThere of true -> 0; false -> 1 end, Reads + 1)
    end.

%% If a needed application is missing, or the environment does not fit, nothing is loaded.
impossible(Ebin) ->
    Before = libraries(),
    Package = #{resource := {application, upgrades, Keys}} = package(Ebin),
    Needing = {application, upgrades, lists:keystore(applications, 1, Keys, {applications, [kernel, stdlib, nowhere]})},
    say(missing, otp_rs_upgrade:upgrade(Package#{resource := Needing}, #{})),
    ok = application:set_env(upgrades, mine, many),
    {error, {environment, [{Key, Kind, _, _}]}} = upgrade(Ebin),
    say(does_not_fit, {Key, Kind}),
    ok = application:set_env(upgrades, mine, 10),
    say(as_before, {libraries() =:= Before, application:get_key(upgrades, vsn), application:get_env(upgrades, port)}).

added(Numbers) ->
    receive stop -> Numbers
    after 0 -> added([gen_server:call(counter, add) | Numbers])
    end.

statem(Light) ->
    gen_statem:cast(Light, push),
    {gen_statem:call(Light, seen), element(1, sys:get_state(Light))}.

%% A waiting callback ends in the build in which it started. The next callback runs in the new
%% build.
awaiting(Ebin) ->
    Rests = gen_server:send_request(counter, {rest, 300}),
    {ok, #{left := Left}} = upgrade(Ebin),
    {reply, Rested} = gen_server:wait_response(Rests, 5000),
    say(awaiting, {Rested, gen_server:call(counter, build), Left}).

%% Crews that wait for messages continue to wait in the new build: for a timer, a monitored process,
%% and a reply. So does the caller of a crew.
kept(Key, [Crew | _] = Crews, Ebin) ->
    Watched = spawn(fun() -> receive stop -> ok end end),
    Request = gen_server:send_request(Crew, {begin_with, Watched, 300}),
    {ok, #{left := Left}} = upgrade(Ebin),
    Watched ! stop,
    {reply, Heard} = gen_server:wait_response(Request, 20000),
    say(Key, {Left, Heard, spread(Crews)}).

%% Returns whether the registry finds each crew by its number, and how many entries it has.
registered(Crews) ->
    [gen_server:call(Crew, {find, Number}) || {Number, Crew} <- lists:zip([0, 1], Crews)].

%% Returns what each crew finds in the table of hours, which an older build may have written.
worked(Crews) ->
    [gen_server:call(Crew, {work, Number}) || {Number, Crew} <- lists:zip([0, 1], Crews)].

%% Returns how many of three tasks a pool for two accepts, and how many it has afterwards.
crowded(Crews) ->
    [gen_server:call(Crew, crowd) || Crew <- Crews].

%% Returns in how many processes tasks of the pool run, and how many processes are in the group.
spread(Crews) ->
    [gen_server:call(Crew, spread) || Crew <- Crews].

%% Every task that a worker of the pool has received and not started yet is done.
ordered([Crew, Suspended], Ebin) ->
    ok = sys:suspend(Suspended),
    Orders = gen_server:call(Crew, {order, self()}),
    {messages, Messages} = process_info(Suspended, messages),
    {ok, #{left := Left}} = upgrade(Ebin),
    say(ordered, {Messages =/= [], Left, [receive done -> done after ?PATIENCE -> lost end || _ <- lists:seq(1, Orders)]}).

%% A task also ends in the build in which it started.
tasks(Ebin) ->
    Before = gen_server:call(counter, {work, 300}),
    {ok, #{left := Left}} = upgrade(Ebin),
    say(tasks, {Before, gen_server:call(counter, build), Left}).

%% Threads of the old build that call through a process get an error, because the process has
%% changed over. When they have ended, the old library is unloaded.
threads(Ebin) ->
    {ok, Dialer} = dialer:start_link(whereis(counter)),
    timer:sleep(50),
    {ok, #{left := Left}} = upgrade(Ebin(1)),
    until(fun() -> gen_server:call(Dialer, how) =/= undefined end),
    Ended = gen_server:call(Dialer, how),
    say(threads, {Left, lists:all(fun({Replies, _}) -> Replies > 0 end, Ended), lists:usort([Why || {_, Why} <- Ended])}),
    ok = gen_server:stop(Dialer),
    {ok, #{left := []}} = upgrade(Ebin(2)),
    left().

%% Processes with threads get messages: at the beginning of the upgrade, in the reverse order of
%% their start, and at its end, in the order of their start. They also get them if the upgrade
%% changes nothing, and if the upgrader is killed. Forged messages in between have no effect.
announced(Ebin) ->
    Hands = [begin {ok, Hand} = hand:start_link({Number, self()}), Hand end || Number <- [1, 2]],
    {ok, #{left := []}} = upgrade(Ebin(1)),
    say(announced, heard(4)),
    Holds = gen_server:send_request(counter, hold),
    {error, {busy, [_]}} = upgrade(Ebin(2), #{timeout => 100}),
    say(announced_in_vain, heard(4)),
    left(),
    Before = {libraries(), temporary()},
    spawn(fun() -> upgrade(Ebin(2), #{timeout => 60000}) end),
    Begun = heard(2),
    exit(whereis(otp_rs_upgrade), kill),
    say(announced_and_killed, Begun ++ heard(2)),
    %% The remains of the killed upgrade are removed by themselves.
    until(fun() -> {libraries(), temporary()} =:= Before end),
    say(killed_and_left, whereis(otp_rs_upgrade)),
    counter ! go_on,
    {reply, _} = gen_server:wait_response(Holds, 20000),
    _ = [hd(Hands) ! Message || Message <- [upgrade_ended, upgrade_begins, upgrade_begins]],
    say(forged, heard(3)),
    {ok, #{left := []}} = upgrade(Ebin(2)),
    say(announced_again, heard(4)),
    left(),
    lists:foreach(fun gen_server:stop/1, Hands).

%% A thread that ignores the message keeps its library loaded, and has no other effect.
careless(Ebin) ->
    File = filename:join(os:getenv("TMPDIR", "/tmp"), "careless-" ++ os:getpid()),
    ok = file:write_file(File, ""),
    [Library] = libraries(),
    {ok, Hand} = hand:start_link({0, self()}),
    ok = gen_server:stop(Hand),
    _ = [{ok, #{left := []}} = upgrade(Ebin(Build)) || Build <- [1, 2]],
    until(fun() -> length(libraries()) =:= 2 end),
    say(careless, {lists:member(Library, libraries()), Library:end_threads(), otp_rs_upgrade:leave(upgrades)}),
    ok = file:delete(File),
    left(),
    say(careless_ended, lists:member(Library, libraries())).

heard(Count) ->
    [receive {heard, What} -> What after ?PATIENCE -> nothing end || _ <- lists:seq(1, Count)].

%% The process that requested an upgrade ends while the upgrade waits. Nothing changes, and the next
%% upgrade does not wait for the busy process either.
cancelled(Ebin) ->
    Holds = gen_server:send_request(counter, hold),
    Before = {as_it_is(), temporary()},
    Asker = spawn(fun() -> upgrade(Ebin, #{timeout => 600000}) end),
    until(fun() -> otp_rs_upgrade:progress() =/= none end),
    exit(Asker, kill),
    until(fun() -> whereis(otp_rs_upgrade) =:= undefined end),
    say(cancelled, {as_it_is(), temporary()} =:= Before),
    counter ! go_on,
    {reply, Held} = gen_server:wait_response(Holds, ?PATIENCE),
    say(cancelled_build, {Held, gen_server:call(counter, build), gen_server:call(another, build)}).

%% While an upgrade waits for one process, it does not suspend the others again and again.
running(Ebin) ->
    Holds = gen_server:send_request(counter, hold),
    1 = erlang:trace(whereis(another), true, ['receive']),
    Asker = spawn(fun() -> upgrade(Ebin, #{timeout => 600000}) end),
    until(fun() -> otp_rs_upgrade:progress() =/= none end),
    ok = timer:sleep(3000),
    exit(Asker, kill),
    until(fun() -> whereis(otp_rs_upgrade) =:= undefined end),
    1 = erlang:trace(whereis(another), false, ['receive']),
    say(stopped_at_most_twice, suspends() =< 2),
    counter ! go_on,
    {reply, _} = gen_server:wait_response(Holds, ?PATIENCE).

suspends() ->
    receive
        {trace, _, 'receive', {system, _, suspend}} -> 1 + suspends();
        {trace, _, 'receive', _} -> suspends()
    after 0 -> 0
    end.

%% A process that is busy for longer keeps the old code, its state and its messages. It changes over
%% when it has finished its work.
busy(Ebin) ->
    Holds = gen_server:send_request(counter, hold),
    Before = as_it_is(),
    say(at_work, {upgrade(Ebin(1), #{timeout => 200}) =:= {error, {busy, [{whereis(counter), counter, busy}]}}, as_it_is() =:= Before}),
    {ok, #{left := [{Pid, counter, Why}]}} = upgrade(Ebin(1), #{timeout => 200, allow_busy => true}),
    say(busy, {Pid =:= whereis(counter), Why}),
    {ok, #{left := Still}} = upgrade(Ebin(2), #{timeout => 200, allow_busy => true}),
    say(busy_again, {Still =:= [{Pid, counter, busy}], length(libraries()) =< 3}),
    counter ! go_on,
    {reply, Held} = gen_server:wait_response(Holds, 20000),
    until(fun() -> gen_server:call(counter, build) =:= <<"2">> end),
    Number = gen_server:call(counter, add),
    say(on_old_code, {Held, gen_server:call(counter, build), gen_server:call(another, build)}),
    counter ! unexpected,
    Status = lists:flatten(io_lib:format("~0p", [sys:get_status(counter)])),
    say(shown, string:find(Status, "Counter { count: " ++ integer_to_list(Number) ++ " }") =/= nomatch),
    say(state_in_a_shell, maps:get(count, otp_rs:state(counter)) =:= Number),
    left(),
    say(one_library, length(libraries())),
    {ok, #{left := []}} = upgrade(Ebin(2)),
    say(changed_later, {gen_server:call(counter, build), gen_server:call(counter, add) =:= Number + 1}),
    left().

%% Nothing grows with the number of upgrades.
many(Ebin) ->
    Two = fun() ->
        {ok, #{left := []}} = upgrade(Ebin(1)),
        left(),
        {ok, #{left := []}} = upgrade(Ebin(2)),
        left()
    end,
    Two(),
    Before = counts(),
    Number = gen_server:call(counter, add),
    _ = [Two() || _ <- lists:seq(1, 25)],
    After = counts(),
    say(fifty, {gen_server:call(counter, add) - Number, [{Key, maps:get(Key, After) - maps:get(Key, Before)} || Key <- [modules, libraries, mappings, atoms, files]],
        %% A thread that has been idle until now may have allocated its stack in the meantime.
        maps:get(stacks, After) - maps:get(stacks, Before) < 50}).

counts() ->
    {ok, Maps} = file:read_file("/proc/self/maps"),
    Files = [Line || Line <- binary:split(Maps, <<"\n">>, [global]), binary:match(Line, <<"upgrades_nif">>) =/= nomatch],
    #{
        stacks => length(binary:matches(Maps, <<"\n">>)), modules => length(code:all_loaded()), libraries => length(libraries()), mappings => length(Files),
        atoms => erlang:system_info(atom_count), files => length(temporary())
    }.

%% Returns the folders of libraries that upgrades have loaded.
temporary() ->
    filelib:wildcard(filename:join(os:getenv("TMPDIR", "/tmp"), "otp_rs-" ++ os:getpid() ++ "-*")).

libraries() ->
    [Module || {Module, _} <- code:all_loaded(), lists:prefix("upgrades_nif", atom_to_list(Module))].

%% Waits until the libraries of older builds have been unloaded.
left() ->
    until(fun() -> otp_rs_upgrade:leave(upgrades) =:= false end).

%% The type of a state has changed, and no clause converts it, so nothing is loaded.
refused(Ebin) ->
    Before = libraries(),
    {error, {refused, Plan}} = upgrade(Ebin),
    {counter, Change, Pids} = lists:keyfind(counter, 1, Plan),
    say(refused, {Change, lists:sort(Pids) =:= lists:sort([whereis(counter), whereis(another)])}),
    say(others, [{Module, How} || {Module, How, _} <- Plan, Module =/= counter, Module =/= opaque]),
    say(not_loaded, {libraries() =:= Before, gen_server:call(counter, build)}).

%% Returns everything that an upgrade changes: the modules, the version, the environment and the
%% libraries. The threads of a library that was loaded in vain may still be ending.
as_it_is() ->
    left(),
    Modules = [{Module, Module:module_info(md5)} || Module <- [counter, stroot, light, ear, purse, bridge]],
    {Modules, [application:get_key(upgrades, vsn), lists:sort(application:get_all_env(upgrades))], lists:sort(libraries())}.

%% One of the states cannot be converted, because the clause of `code_change` panics. All others
%% could be.
panics(Ebin, Light) ->
    {{_, _}, off} = statem(Light),
    Before = {as_it_is(), statem(Light), gen_server:call(counter, build)},
    {_, off} = statem(Light),
    Number = gen_server:call(another, add),
    ok = otp_rs:replace_state(another, fun(State) -> State#{count := 13} end),
    {error, {failed, Failed}} = upgrade(Ebin),
    [{Pid, counter, {raised, error, {panic, #{message := Message}}, Place}}] = Failed,
    say(panics, {Pid =:= whereis(another), Message, filename:basename(lists:takewhile(fun(C) -> C =/= $: end, Place))}),
    {AsItWas, {{Pushed, Answers}, _}, Build} = Before,
    say(as_it_was, {as_it_is() =:= AsItWas, gen_server:call(counter, build) =:= Build, gen_server:call(another, add)}),
    {{Again, Answers}, on} = statem(Light),
    say(pushed, Again - Pushed),
    say(nothing_kept, [process_info(One, dictionary) || One <- [whereis(counter), whereis(another)],
        {dictionary, Known} <- [process_info(One, dictionary)], lists:keymember({otp_rs_states, prepared}, 1, Known)]),
    ok = otp_rs:replace_state(another, fun(State) -> State#{count := Number} end).

converted(Ebin) ->
    Number = gen_server:call(counter, add),
    {error, {busy, [{_, light, Why}]}} = upgrade(Ebin(3), #{timeout => 100}),
    say(not_now, {Why, gen_server:call(counter, build)}),
    %% The process is busy during two upgrades. Its state belongs to the second build, and has to be
    %% converted for the last one.
    Holds = gen_server:send_request(another, hold),
    {ok, #{left := [{_, counter, busy}]}} = upgrade(Ebin(1), #{timeout => 100, allow_busy => true}),
    {ok, #{left := Left}} = upgrade(Ebin(3), #{timeout => 100, allow_busy => true}),
    say(converted, {gen_server:call(counter, build), gen_server:call(counter, add) - Number}),
    say(not_a_state, [{Module, How} || {_, Module, How} <- Left]),
    another ! go_on,
    {reply, Held} = gen_server:wait_response(Holds, 20000),
    until(fun() -> gen_server:call(another, build) =:= <<"3">> end),
    say(waited_twice, {Held, gen_server:call(another, build)}).

%% A state machine is in a state that the new build does not have. It keeps the old code, and
%% changes over when it enters another state.
not_a_state(Ebin, Light) ->
    Before = statem(Light),
    {ok, #{left := Left}} = upgrade(Ebin),
    say(another_state, {Before, statem(Light), Left}).

%% The state of a process is not a term, so no process can change over.
opaque(Ebin) ->
    {ok, Opaque} = opaque:start_link({}),
    1 = gen_server:call(Opaque, add),
    {error, {refused, Plan}} = upgrade(Ebin),
    say(opaque, lists:keyfind(opaque, 1, [{Module, Change} || {Module, Change, _} <- Plan])),
    say(downgrade, lists:keyfind(counter, 1, [{Module, Change} || {Module, Change, _} <- Plan])).

%% The libraries are still loaded.
stopped() ->
    Before = length(temporary()),
    ok = application:stop(upgrades),
    say(stopped, {Before, temporary(), length(libraries())}).

upgrade(Ebin) ->
    upgrade(Ebin, #{timeout => 10000}).

upgrade(Ebin, Options) ->
    otp_rs_upgrade:upgrade(package(Ebin), Options).

package(Ebin) ->
    otp_rs_package:read(Ebin, upgrades, otp_rs_upgrade:reserve(upgrades)).

until(Test) ->
    case Test() of
        true -> ok;
        false -> until(Test)
    end.

say(Key, Value) ->
    io:format("~p=~0tp~n", [Key, Value]).
