%% A handler of `logger` that keeps the last events, and counts those that come too fast to be kept.
%% It runs in the logging process, so it does little work: it sends no message, and never waits.
-module(otp_rs_observer_log).
-export([start/1, since/2, log/2]).
-export_type([log/0]).

%% The number of events that are kept, the number taken in each second, and the maximum number of
%% characters and the depth of an event.
-define(KEPT, 500).
-define(PER_SECOND, 100).
-define(CHARACTERS, 4000).
-define(DEPTH, 30).

%% Indices in `counters`.
-define(LAST, 1).
-define(SECOND, 2).
-define(TAKEN, 3).
-define(LOST, 4).

-opaque log() :: {ets:tid(), atomics:atomics_ref()}.

%% Starts the log. The table belongs to the caller. The handler gets this name.
-spec start(logger:handler_id()) -> log().
start(Handler) ->
    Log = {ets:new(?MODULE, [ordered_set, public, {write_concurrency, true}]), atomics:new(4, [])},
    ok = logger:add_handler(Handler, ?MODULE, #{
        config => #{log => Log},
        filter_default => log,
        filters => [{remote_gl, {fun logger_filters:remote_gl/2, stop}}],
        formatter => {logger_formatter, #{
            template => [msg], chars_limit => ?CHARACTERS, depth => ?DEPTH, legacy_header => false, single_line => false
        }}
    }),
    Log.

%% Returns the events after a given one, the oldest first, the number of the last, and the number of
%% lost events.
-spec since(log(), non_neg_integer()) -> {[otp_rs_observer_json:json()], non_neg_integer(), non_neg_integer()}.
since({Table, Numbers}, After) ->
    Found = ets:select(Table, [{{'$1', '_'}, [{'>', '$1', After}], ['$_']}]),
    Last = lists:foldl(fun({Number, _}, Highest) -> max(Number, Highest) end, After, Found),
    {[Event || {_, Event} <- Found], Last, atomics:get(Numbers, ?LOST)}.

-spec log(logger:log_event(), logger:handler_config()) -> ok.
log(Event, #{config := #{log := {Table, Numbers}}, formatter := {Formatter, Format}}) ->
    case is_taken(Numbers) of
        true ->
            Number = atomics:add_get(Numbers, ?LAST, 1),
            true = ets:insert(Table, {Number, event(Event, Formatter:format(Event, Format))}),
            true = ets:delete(Table, Number - ?KEPT),
            ok;
        false ->
            atomics:add(Numbers, ?LOST, 1)
    end.

-spec is_taken(atomics:atomics_ref()) -> boolean().
is_taken(Numbers) ->
    Now = erlang:monotonic_time(second),
    case atomics:exchange(Numbers, ?SECOND, Now) of
        Now -> ok;
        _ -> atomics:put(Numbers, ?TAKEN, 0)
    end,
    atomics:add_get(Numbers, ?TAKEN, 1) =< ?PER_SECOND.

-spec event(logger:log_event(), unicode:chardata()) -> otp_rs_observer_json:json().
event(#{level := Level, meta := Meta}, Text) ->
    #{
        time => milliseconds(Meta),
        level => Level,
        pid => pid(maps:get(pid, Meta, undefined)),
        text => otp_rs_observer_json:characters(Text)
    }.

%% `logger` removes a handler that fails.
-spec milliseconds(logger:metadata()) -> integer().
milliseconds(#{time := Microseconds}) when is_integer(Microseconds) -> Microseconds div 1000;
milliseconds(_) -> 0.

-spec pid(term()) -> otp_rs_observer_json:json().
pid(Pid) when is_pid(Pid), node(Pid) =:= node() -> list_to_binary(pid_to_list(Pid));
pid(_) -> null.
