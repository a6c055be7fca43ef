#!/usr/bin/env escript
%% Sends messages that no clause matches to processes of the application `ground`, as from an Erlang
%% shell. Prints one `key=term` per line.
-mode(compile).
-export([log/2]).
-include("observe.hrl").

main([Ebin]) ->
    begin_with(Ebin),
    ok = logger:add_handler(observer, ?MODULE, #{config => self()}),
    calls(),
    messages(),
    machine(),
    not_its_own(),
    init:stop().

calls() ->
    {ok, Porter} = porter:start_link({}, []),
    say(carried, gen_server:call(Porter, {carry, #{weight => 7}})),
    {exit, {{bad_request, {no_clause, Callback, [Carry, _]}}, {gen_server, call, [Porter, _, infinity]}}} =
        caught(fun() -> gen_server:call(Porter, {carry, #{weight => heavy}}, infinity) end),
    say(ill_typed, {Callback, Carry}),
    {exit, {{bad_request, {no_clause, Callback, Unknown}}, _}} =
        caught(fun() -> gen_server:call(Porter, no_such_request) end),
    say(unknown, [Got || #{got := Got} <- Unknown]),
    Request = gen_server:send_request(Porter, no_such_request),
    {error, {{bad_request, _}, _}} = gen_server:receive_response(Request, ?PATIENCE),
    {ok, Other} = porter:start_link({}, []),
    {{bad_request, {no_clause, _, [#{expected := Expected} | _]}}, {gen_server, call, _}} =
        call(Other, {mistake, Porter}),
    say(rust_caller, Expected),
    say(nothing_left, {process_info(self(), messages), process_info(Other, messages)}),
    say(state_after_calls, {is_process_alive(Porter), otp_rs:state(Porter)}),
    say(calls_logged, logged()),
    [gen_server:stop(Each) || Each <- [Porter, Other]].

%% A flood of such messages causes one log entry per second.
messages() ->
    {ok, Porter} = porter:start_link({}, []),
    7 = gen_server:call(Porter, {carry, #{weight => 7}}),
    [gen_server:cast(Porter, {drop, heavy}) || _ <- lists:seq(1, 1000)],
    [Porter ! no_such_message || _ <- lists:seq(1, 1000)],
    Porter ! {drop, 2},
    say(state_after_messages, otp_rs:state(Porter)),
    [First | More] = logged(),
    say(logged, First),
    say(logged_rarely, length(More) < 100),
    ok = gen_server:stop(Porter).

machine() ->
    {ok, Barrier} = barrier:start_link({}, []),
    1 = gen_statem:call(Barrier, {open, 1}),
    {exit, {{bad_request, {no_clause, _, _}}, {gen_statem, call, _}}} =
        caught(fun() -> gen_statem:call(Barrier, {open, often}) end),
    ok = gen_statem:cast(Barrier, {open, 1}),
    Barrier ! close,
    say(machine, sys:get_state(Barrier) =/= none andalso {element(1, sys:get_state(Barrier)), otp_rs:state(Barrier)}),
    _ = logged(),
    ok = gen_statem:stop(Barrier).

%% An error in a clause itself still ends its process. So does a call of the module with the state
%% of another process.
not_its_own() ->
    {ok, Barrier} = barrier:start_link({}, []),
    ok = gen_statem:cast(Barrier, close),
    say(own_end, exit_of(Barrier)),
    {error, {Refused, _, _}} = caught(fun() -> porter:handle_call(no_such_request, {self(), make_ref()}, state) end),
    say(no_state, Refused),
    {ok, Porter} = porter:start_link({}, []),
    {{panic, _}, _} = exit_with(Porter, {carry, #{weight => 1}}, {drop, 2}).

exit_with(Porter, Call, Cast) ->
    _ = gen_server:call(Porter, Call),
    ok = gen_server:cast(Porter, Cast),
    exit_of(Porter).

caught(Body) ->
    try Body() catch Class:Reason -> {Class, Reason} end.

%% The callback of the `logger` handler.
log(#{level := warning, msg := {report, #{label := {otp_rs, bad_message}} = Report}, meta := #{report_cb := Format}},
    #{config := Observer}) ->
    {Text, Arguments} = Format(Report),
    Observer ! {logged, unicode:characters_to_binary(io_lib:format(ordered(Text), Arguments))};
log(_, _) ->
    ok.

logged() ->
    receive {logged, Text} -> [Text | logged()] after 0 -> [] end.
