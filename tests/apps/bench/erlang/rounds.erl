%% Runs one benchmark in rounds: in each, every variant once, in an order that changes from round to
%% round. Each value is a line on standard output: `CASE TAB VARIANT TAB ROUND TAB VALUE`.
%% `cargo xtask bench bridge` starts this and reads it; its table of benchmarks
%% (xtask/src/bench/bridge/benchmarks.rs) says what the values are.
-module(rounds).
-export([main/1, run/3, times/2, nanoseconds/1, ping_pong/2]).
-export_type([group/0, options/0, variant/0]).

-type variant() :: atom().
%% The variants that are compared. Each fun returns one or several values, each for a case.
-type group() :: [{variant(), fun(() -> [{atom() | string(), number()}])}].
-type options() :: #{
    %% The fraction of the work of a whole run, which is 1.0.
    scale := float(),
    %% Only this variant.
    variant => variant(),
    %% Folder of the libraries that do not belong to the application: C, and rustler's.
    libraries => file:filename()
}.

%% How long a single measurement may take.
-define(LONGEST, 120_000).

%% The command line: BENCHMARK ROUNDS KEY=VALUE...
-spec main([string()]) -> no_return().
main([Name, Rounds | Settings]) ->
    Options = lists:foldl(fun setting/2, #{scale => 1.0}, Settings),
    try
        run(list_to_atom(Name), list_to_integer(Rounds), Options),
        halt(0)
    catch
        Class:Reason:Stack ->
            io:format(standard_error, "~s: ~p~n", [Name, {Class, Reason, Stack}]),
            halt(1)
    end.

setting("scale=" ++ Scale, Options) -> Options#{scale => list_to_float(Scale)};
setting("variant=" ++ Variant, Options) -> Options#{variant => list_to_atom(Variant)};
setting("libraries=" ++ Folder, Options) -> Options#{libraries => Folder}.

-spec run(atom(), pos_integer(), options()) -> ok.
run(Name, Rounds, Options) ->
    %% Some clauses are impolite on purpose.
    ok = otp_rs:warn_after(bench_nif, off),
    Groups = [chosen(Group, Options) || Group <- (module_of(Name)):groups(Name, Options)],
    _ = [measure(Measurement) || is_warmed_up(Name), Group <- Groups, {_, Measurement} <- Group],
    _ = [round(Round, Group) || Round <- lists:seq(1, Rounds), Group <- Groups],
    ok.

chosen(Group, #{variant := Only}) -> [Variant || {Name, _} = Variant <- Group, Name =:= Only];
chosen(Group, _) -> Group.

module_of(Name) ->
    Modules = [measure_messages, measure_alone, measure_schedulers, measure_codec],
    [Module] = [Module || Module <- Modules, lists:member(Name, Module:names())],
    Module.

%% Measurements that take seconds are shown one by one.
is_warmed_up(Name) -> not lists:member(Name, [many, memory, storm_beside_sleeper, tickers, burns, burns_spinning]).

round(Round, Group) ->
    {Last, First} = lists:split(Round rem length(Group), Group),
    [say(Variant, Round, Value) || {Variant, Measurement} <- First ++ Last, Value <- measure(Measurement)].

say(Variant, Round, {Case, Value}) ->
    io:format("~s\t~s\t~b\t~.4f~n", [Case, Variant, Round, float(Value)]).

%% Runs in a separate process with a new heap.
measure(Measurement) ->
    {Pid, Monitor} = spawn_monitor(fun() -> exit({measured, Measurement()}) end),
    receive
        {'DOWN', Monitor, process, Pid, {measured, Values}} -> Values;
        {'DOWN', Monitor, process, Pid, Reason} -> exit(Reason)
    after ?LONGEST -> exit(takes_too_long)
    end.

%% Returns how often to repeat something that a whole run repeats this many times.
-spec times(pos_integer(), options()) -> pos_integer().
times(Times, #{scale := Scale}) ->
    max(1, round(Times * Scale)).

-spec nanoseconds(fun(() -> term())) -> non_neg_integer().
nanoseconds(Body) ->
    Start = erlang:monotonic_time(nanosecond),
    _ = Body(),
    erlang:monotonic_time(nanosecond) - Start.

%% Two servers cast a ball back and forth: nanoseconds of a cast.
-spec ping_pong(module(), pos_integer()) -> float().
ping_pong(Module, Times) ->
    {ok, One} = Module:start_link(self(), []),
    {ok, Other} = Module:start_link(self(), []),
    ok = gen_server:call(One, {join, Other}),
    ok = gen_server:call(Other, {join, One}),
    Took = nanoseconds(fun() ->
        gen_server:cast(One, {ball, Times}),
        receive done -> ok end
    end),
    ok = gen_server:stop(One),
    ok = gen_server:stop(Other),
    Took / Times.
