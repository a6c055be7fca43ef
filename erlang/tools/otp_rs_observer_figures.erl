%% Figures of the node as a whole, and the cost of observing it.
-module(otp_rs_observer_figures).
-export([read/2, json/3]).
-export_type([figures/0]).

%% Figures that are shown directly, and counters that only grow, with the time at which they were
%% read.
-record(figures, {
    at :: integer(),
    now :: map(),
    reductions :: non_neg_integer(),
    own :: #{pid() => non_neg_integer()},
    spent :: non_neg_integer(),
    schedulers :: [{pos_integer(), non_neg_integer(), non_neg_integer()}]
}).

-opaque figures() :: #figures{}.

%% Reads the figures. `Own` are the processes that observe, `Spent` the reductions of those that
%% have ended. This waits for all schedulers.
-spec read([pid()], non_neg_integer()) -> figures().
read(Own, Spent) ->
    {Reductions, _} = statistics(reductions),
    #figures{
        at = erlang:monotonic_time(millisecond),
        now = now_figures(),
        reductions = Reductions,
        own = maps:from_list([{Pid, Count} || Pid <- Own, {_, Count} <- [process_info(Pid, reductions)]]),
        spent = Spent,
        schedulers = schedulers()
    }.

%% Returns the figures of the time between two readings. The first reading has none. `More` is
%% included.
-spec json(figures() | none, figures(), map()) -> otp_rs_observer_json:json().
json(Before, Now, More) ->
    maps:merge(Now#figures.now, since(Before, Now, More)).

%% Dirty schedulers come after the normal ones.
-spec schedulers() -> [{pos_integer(), non_neg_integer(), non_neg_integer()}].
schedulers() ->
    case statistics(scheduler_wall_time) of
        undefined -> [];
        Times -> lists:sort(Times)
    end.

-spec since(figures() | none, figures(), map()) -> map().
since(none, _, More) ->
    #{schedulers => [], dirty => [], reductions => null, own => More#{reductions => null, processes => null}};
since(Before, Now, More) ->
    Elapsed = max(1, Now#figures.at - Before#figures.at),
    Rate = fun(From, To) -> max(0, To - From) * 1000 div Elapsed end,
    Online = erlang:system_info(schedulers_online),
    Normal = erlang:system_info(schedulers),
    Use = [{Id, use(Active - ActiveBefore, Total - TotalBefore)}
        || {{Id, ActiveBefore, TotalBefore}, {Id, Active, Total}} <- pairs(Before#figures.schedulers, Now#figures.schedulers)],
    Spent = Now#figures.spent - Before#figures.spent
        + lists:sum([Count - maps:get(Pid, Before#figures.own, 0) || {Pid, Count} <- maps:to_list(Now#figures.own)]),
    #{
        schedulers => [Share || {Id, Share} <- Use, Id =< Online],
        dirty => [Share || {Id, Share} <- Use, Id > Normal],
        reductions => Rate(Before#figures.reductions, Now#figures.reductions),
        own => More#{reductions => Rate(0, Spent), processes => map_size(Now#figures.own)}
    }.

pairs(Before, Now) when length(Before) =:= length(Now) -> lists:zip(Before, Now);
pairs(_, _) -> [].

%% Returns the use in thousandths.
-spec use(integer(), integer()) -> non_neg_integer().
use(_, 0) -> 0;
use(Active, Total) -> max(0, min(1000, Active * 1000 div Total)).

-spec now_figures() -> map().
now_figures() ->
    Memory = maps:from_list(erlang:memory()),
    {Uptime, _} = statistics(wall_clock),
    #{
        uptime => Uptime,
        run_queue => statistics(total_run_queue_lengths),
        processes => erlang:system_info(process_count),
        process_limit => erlang:system_info(process_limit),
        ports => erlang:system_info(port_count),
        atoms => erlang:system_info(atom_count),
        tables => erlang:system_info(ets_count),
        memory => maps:with([total, processes, binary, ets, code, atom], Memory)
    }.
