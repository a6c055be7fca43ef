#!/usr/bin/env escript
%% Runs gen_statem with callbacks that return the values in their events. Each line of the input is
%% a list of events. The answer is the list of the effects.
-module(returns).
-behaviour(gen_statem).
-mode(compile).
%% Postponed events can make a machine change its state for ever.
-define(ENOUGH, 60).
-export([main/1, init/1, callback_mode/0, handle_event/4, terminate/3]).

main([]) ->
    %% Otherwise, the ends of machines would be reported here.
    logger:set_primary_config(level, none),
    answer(io:read("")).

answer({ok, Steps}) ->
    io:format("~w~n", [happens(Steps)]),
    answer(io:read(""));
answer(eof) ->
    ok.

happens(Steps) ->
    {ok, Machine} = gen_statem:start(?MODULE, self(), []),
    quiet(Machine),
    %% Handles the enter call of the first state.
    _ = noted(),
    {Happened, _} = lists:foldl(fun(Step, {Happened, Calls}) ->
        Begun = Calls ++ step(Step, Machine),
        quiet(Machine),
        Noted = noted(),
        {Left, Replied} = replies(Begun, Machine),
        {Happened ++ Noted ++ Replied, Left}
    end, {[], []}, Steps),
    exit(Machine, kill),
    [{enter, a, a} | Happened].

step({call, Do}, Machine) -> [gen_statem:send_request(Machine, Do)];
step({cast, Do}, Machine) -> gen_statem:cast(Machine, Do), [];
step({info, Do}, Machine) -> Machine ! Do, [].

%% A machine that has ended leaves no call without an answer.
replies(Calls, Machine) ->
    Time = case is_process_alive(Machine) of true -> 0; false -> infinity end,
    lists:foldl(fun(Call, {Left, Replied}) ->
        case gen_statem:wait_response(Call, Time) of
            timeout -> {Left ++ [Call], Replied};
            {reply, Reply} -> {Left, Replied ++ [{replied, Reply}]};
            {error, {Reason, _}} -> {Left, Replied ++ [{failed, plain(Reason)}]}
        end
    end, {[], []}, Calls).

%% Waits until the machine waits for a message, or has ended.
quiet(Machine) ->
    case process_info(Machine, [status, message_queue_len]) of
        [{status, waiting}, {message_queue_len, 0}] -> ok;
        undefined -> ok;
        _ -> erlang:yield(), quiet(Machine)
    end.

noted() ->
    receive {noted, What} -> [What | noted()] after 0 -> [] end.

init(Owner) -> {ok, a, {Owner, [], 0}}.

callback_mode() -> [handle_event_function, state_enter].

handle_event(enter, Old, State, {Owner, Enters, Events}) ->
    Owner ! {noted, {enter, Old, State}},
    {Enter, Left} = case Enters of
        [] -> {{keep, []}, []};
        [First | Rest] -> {First, Rest}
    end,
    Data = {Owner, Left, Events},
    case Enter of
        {keep, Acts} -> {keep_state, Data, timeouts(Acts)};
        {repeat, Acts} -> {repeat_state, Data, timeouts(Acts)};
        {stop, Reason} -> {stop, Reason, Data};
        {raise, Reason} -> error(Reason)
    end;
handle_event(Type, {do, N, What, Enters}, State, {Owner, _, Events}) ->
    Owner ! {noted, {kind(Type), N, State}},
    Data = {Owner, Enters, Events + 1},
    case What of
        _ when Events >= ?ENOUGH -> {stop, enough};
        {next, Next, Acts} -> {next_state, Next, Data, actions(Acts, Type)};
        {keep, Acts} -> {keep_state, Data, actions(Acts, Type)};
        %% The data has changed. In Erlang, that is `keep_state`; in Rust, the data stays in place
        %% anyway.
        {keep_data, Acts} -> {keep_state, Data, actions(Acts, Type)};
        {repeat, Acts} -> {repeat_state, Data, actions(Acts, Type)};
        {repeat_data, Acts} -> {repeat_state, Data, actions(Acts, Type)};
        stop -> stop;
        {stop_reason, Reason} -> {stop, Reason};
        {stop_and_reply, Reason, Reply} ->
            case Type of
                {call, From} -> {stop_and_reply, Reason, {reply, From, Reply}};
                _ -> {stop, Reason}
            end;
        {raise, Reason} -> error(Reason);
        {exit, Reason} -> exit(Reason)
    end.

terminate(Reason, State, {Owner, _, _}) ->
    Owner ! {noted, {terminated, plain(Reason), State}}.

kind({call, _}) -> call;
kind({timeout, 0}) -> first;
kind({timeout, _}) -> second;
kind(Type) -> Type.

%% A call gets only one reply.
actions([{reply, Reply} | Acts], {call, From}) -> [{reply, From, Reply} | actions(Acts, none)];
actions([{reply, _} | Acts], Type) -> actions(Acts, Type);
actions([postpone | Acts], Type) -> [postpone | actions(Acts, Type)];
actions([{next, Kind, Do} | Acts], Type) -> [{next_event, Kind, Do} | actions(Acts, Type)];
actions([Act | Acts], Type) -> timeouts([Act]) ++ actions(Acts, Type);
actions([], _) -> [].

timeouts(Acts) -> lists:append([timeout(Act) || Act <- Acts]).

timeout({timeout, Timer, Time, Do}) -> [{timer(Timer), time(Time), Do}];
timeout({cancel, Timer}) -> [{timer(Timer), cancel}];
timeout({update, Timer, Do}) -> [{timer(Timer), update, Do}];
timeout(_) -> [].

timer(event) -> timeout;
timer(state) -> state_timeout;
timer({named, Name}) -> {timeout, Name}.

time(zero) -> 0;
time(long) -> 1000000;
time(infinity) -> infinity.

%% Returns the reason without the stacktrace of an error.
plain({Reason, [{_, _, _, _} | _]}) -> {Reason, []};
plain(Reason) -> Reason.
