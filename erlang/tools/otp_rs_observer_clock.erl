%% Sends `look` at a given time. A timer belongs to the scheduler that has set it, and while native
%% code occupies that scheduler, neither the timer nor the processes in its queue make progress.
%% Therefore each scheduler has a process that wakes up twice a second. An idle scheduler that is
%% awake takes over work that waits for others.
-module(otp_rs_observer_clock).
-export([start/0, processes/1, after_ms/2, stop/1]).
-export_type([clock/0]).

-define(TICK, 500).
%% The value for no time.
-define(NEVER, (1 bsl 60)).

-opaque clock() :: {atomics:atomics_ref(), [pid()]}.

%% Starts the processes for the caller. They end with it.
-spec start() -> clock().
start() ->
    Due = atomics:new(1, []),
    atomics:put(Due, 1, ?NEVER),
    Caller = self(),
    Tick = fun() -> tick(Due, Caller) end,
    {Due, [bound(Tick, Scheduler) || Scheduler <- lists:seq(1, erlang:system_info(schedulers_online))]}.

%% Spawns a process that is bound to a scheduler. The option is undocumented, so a release may not
%% have it. In that case, all clocks may run on one scheduler.
-spec bound(fun(() -> no_return()), pos_integer()) -> pid().
bound(Tick, Scheduler) ->
    try
        spawn_opt(Tick, [link, {scheduler, Scheduler}])
    catch
        error:badarg -> spawn_link(Tick)
    end.

-spec processes(clock()) -> [pid()].
processes({_, Clocks}) -> Clocks.

-spec after_ms(clock(), non_neg_integer()) -> ok.
after_ms({Due, _}, Milliseconds) ->
    atomics:put(Due, 1, erlang:monotonic_time(millisecond) + Milliseconds).

-spec stop(clock()) -> ok.
stop({_, Clocks}) ->
    lists:foreach(fun(Clock) -> unlink(Clock), exit(Clock, kill) end, Clocks).

%% The first process that notices the time sends the message.
-spec tick(atomics:atomics_ref(), pid()) -> no_return().
tick(Due, Caller) ->
    At = atomics:get(Due, 1),
    case erlang:monotonic_time(millisecond) >= At andalso atomics:compare_exchange(Due, 1, At, ?NEVER) of
        ok -> Caller ! look;
        _ -> ok
    end,
    receive after ?TICK -> tick(Due, Caller) end.
