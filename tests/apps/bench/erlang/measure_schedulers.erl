%% Measures how long work delays other processes.
-module(measure_schedulers).
-export([names/0, groups/2]).

names() ->
    [yield, checkpoint, storm_beside_sleeper, tickers, burns, burns_spinning].

%% Number of tickers, and the period of each in milliseconds.
-define(TICKERS, 8).
-define(TICK, 5).
-define(BURNERS, 4).
%% Duration of a burning clause, and number of repetitions after the first time.
-define(BURN, 2_000).
-define(BURNS, 2).

-spec groups(atom(), rounds:options()) -> [rounds:group()].
groups(yield, Options) ->
    Times = rounds:times(20_000, Options),
    [[{Variant, fun() -> [{yield, yields(Module, Times)}] end}
      || {Variant, Module} <- [{erlang, pauser_erlang}, {'otp-rs', pauser}]]];
groups(checkpoint, _) ->
    %% Fewer than the first slice holds, a tenth of a millisecond: nothing yields.
    [[{'otp-rs', fun() -> [{checkpoint, checkpoints(1_000)}] end}]];
groups(storm_beside_sleeper, Options) ->
    Casts = rounds:times(1_500, Options),
    [[{Variant, fun() -> lateness(storm_beside_sleeper(Module, Casts)) end}
      || {Variant, Module} <- [{erlang, burner_erlang}, {'otp-rs', burner}]]];
groups(tickers, Options) ->
    C = [burners(c, {burner_c, dirty}, Options) || native:load(burner_c, Options)],
    [[burners(impolite, {burner, impolite}, Options),
      burners(idle, none, Options),
      burners(erlang, {burner_erlang, burn}, Options),
      burners(polite, {burner, polite}, Options),
      burners(dirty, {burner, dirty}, Options) | C]];
groups(Burns, Options) when Burns =:= burns; Burns =:= burns_spinning ->
    Time = rounds:times(?BURN, Options),
    Variants = [{erlang, {burner_erlang, burn}}, {'otp-rs', {burner, impolite}}],
    [[{Variant, fun() -> burning(Servers, Burner, Time) end} || {Variant, Burner} <- Variants]
     || Servers <- [1, 2, 4]].

burners(Variant, Burners, Options) ->
    {Variant, fun() -> lateness(tickers(Burners, rounds:times(10_000, Options))) end}.

yields(Module, Times) ->
    {ok, Server} = Module:start_link(nothing(Module), []),
    Took = rounds:nanoseconds(fun() -> ok = gen_server:call(Server, {yields, Times}, infinity) end),
    ok = gen_server:stop(Server),
    Took / Times.

checkpoints(Times) ->
    {ok, Server} = pauser:start_link(nothing(pauser), []),
    Took = gen_server:call(Server, {checkpoints, Times}),
    ok = gen_server:stop(Server),
    Took / Times.

%% How late each of a process's sleeps of 10 ms was while a server worked through its messages of 1
%% ms each.
storm_beside_sleeper(Module, Casts) ->
    {ok, Server} = Module:start_link(nothing(Module), []),
    Own = self(),
    [gen_server:cast(Server, {work, 1000}) || _ <- lists:seq(1, Casts)],
    Sleeper = spawn_link(fun() -> Own ! {late, sleep(10, [])} end),
    ok = gen_server:call(Server, ready, infinity),
    Sleeper ! stop,
    ok = gen_server:stop(Server),
    receive {late, Late} -> Late end.

sleep(Time, Late) ->
    Start = erlang:monotonic_time(),
    receive stop when Late =/= [] -> Late after Time -> sleep(Time, [late(Start, Time) | Late]) end.

late(Start, Time) ->
    Took = erlang:monotonic_time() - Start,
    erlang:convert_time_unit(Took, native, nanosecond) - Time * 1_000_000.

%% How late the ticks of all tickers were.
tickers(Burners, Time) ->
    Deadline = os:system_time(microsecond) + Time * 1000,
    Own = self(),
    Tickers = [spawn_link(fun() -> Own ! {late, tick(Deadline, [])} end) || _ <- lists:seq(1, ?TICKERS)],
    Servers = burn(Burners, Deadline),
    Late = lists:append([receive {late, Late} -> Late end || _ <- Tickers]),
    [ok = gen_server:call(Server, ready, infinity) || Server <- Servers],
    [ok = gen_server:stop(Server) || Server <- Servers],
    Late.

burn(none, _) ->
    [];
burn({Module, Manner}, Deadline) ->
    Servers = [element(2, {ok, _} = Module:start_link(nothing(Module), [])) || _ <- lists:seq(1, ?BURNERS)],
    [gen_server:cast(Server, {Manner, Deadline}) || Server <- Servers],
    Servers.

%% How late ticks are while servers run clauses that burn repeatedly. All clauses burn once without
%% tickers first, because the VM cannot know in advance how long they take.
burning(Count, {Module, Manner}, Time) ->
    Servers = [element(2, {ok, _} = Module:start_link(nothing(Module), [])) || _ <- lists:seq(1, Count)],
    ok = burn_together(Servers, Manner, Time, 1),
    Own = self(),
    Deadline = os:system_time(microsecond) + ?BURNS * Time * 1000,
    Tickers = [spawn_link(fun() -> Own ! {late, tick(Deadline, [])} end) || _ <- lists:seq(1, ?TICKERS)],
    ok = burn_together(Servers, Manner, Time, ?BURNS),
    Late = lists:append([receive {late, Late} -> Late end || _ <- Tickers]),
    [ok = gen_server:stop(Server) || Server <- Servers],
    [{lists:concat([Count, ", ", Case]), Value} || {Case, Value} <- lateness(Late)].

%% Every server burns this many times.
burn_together(Servers, Manner, Time, Times) ->
    Own = self(),
    Burn = fun(Server) ->
        [begin
            gen_server:cast(Server, {Manner, os:system_time(microsecond) + Time * 1000}),
            ok = gen_server:call(Server, ready, infinity)
        end || _ <- lists:seq(1, Times)],
        Own ! burnt
    end,
    _ = [spawn_link(fun() -> Burn(Server) end) || Server <- Servers],
    _ = [receive burnt -> ok end || _ <- Servers],
    ok.

tick(Deadline, Late) ->
    case os:system_time(microsecond) of
        Now when Now >= Deadline, Late =/= [] -> Late;
        _ ->
            Start = erlang:monotonic_time(),
            receive after ?TICK -> tick(Deadline, [late(Start, ?TICK) | Late]) end
    end.

lateness(Late) ->
    Ordered = lists:sort(Late),
    [{worst, lists:last(Ordered)}, {'99 %', lists:nth(max(1, length(Ordered) * 99 div 100), Ordered)}].

%% The start argument of a server that takes none, in either language.
nothing(burner) -> {};
nothing(pauser) -> {};
nothing(_) -> [].
