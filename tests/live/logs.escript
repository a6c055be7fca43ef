#!/usr/bin/env escript
%% Makes a server of the application `logs` log and print from all kinds of code. Prints one
%% `key=term` per line. The events reach a `logger` handler that sends them to this process.
-mode(compile).
-export([log/2]).
-define(PATIENCE, 120000).
-include("say.hrl").

main([Ebin]) ->
    true = code:add_patha(Ebin),
    ok = logger:remove_handler(default),
    ok = logger:set_primary_config(level, info),
    ok = logger:add_handler(?MODULE, ?MODULE, #{config => self()}),
    process_flag(trap_exit, true),
    ok = application:load(logs),
    ok = application:set_env(logs, long_callback, off),
    ok = application:start(logs),
    {ok, Scribe} = scribe:start_link(<<"one">>, []),
    say(begins, message(Scribe)),
    say(loaded, call(Scribe, loaded)),
    event(Scribe),
    spans(Scribe),
    levels(Scribe),
    metadata(),
    in_order(),
    elsewhere(Scribe),
    prints(),
    ends(),
    flood(Scribe),
    run_time(Scribe),
    init:stop().

%% The callback of the `logger` handler.
log(Event, #{config := Pid}) -> Pid ! {event, Event}, ok.

event(Scribe) ->
    Before = logger:timestamp(),
    ok = call(Scribe, {line, <<"a line">>}),
    #{level := Level, msg := Message, meta := Metadata} = next(Scribe),
    say(line, {Level, Message}),
    #{mfa := Callback, file := File, line := Line, target := Target, module := Module, time := Time,
      pid := Pid, gl := Leader} = Metadata,
    say(line_metadata, {Callback, File, is_integer(Line), Target, Module}),
    say(line_process, {Pid =:= Scribe, Leader =:= group_leader(), Before =< Time, Time =< logger:timestamp()}),
    say(line_keys, lists:sort(maps:keys(Metadata))),
    ok = call(Scribe, fields),
    Fields = next(Scribe),
    #{msg := {report, Report}} = Fields,
    say(fields, Report),
    say(fields_text, text(Fields)).

spans(Scribe) ->
    ok = call(Scribe, spans),
    Within = next(Scribe),
    #{msg := {report, Report}, meta := #{spans := Spans, target := Target}} = Within,
    say(spans, Spans),
    say(span_fields, {Report, Target}),
    say(span_text, text(Within)),
    #{level := Level, msg := After, meta := #{spans := Later}} = next(Scribe),
    say(span_recorded, {Level, After, Later}),
    Forged = [forged, [a | b], [{x, y}], lists:duplicate(100, {<<"a">>, #{}})],
    [Same, Same, Same, Same] = [spans_under(Scribe, Label) || Label <- Forged],
    say(spans_forged, Same),
    say(spans_carried, spans_under(Scribe, [{<<"outer">>, #{n => 1}}])).

%% Returns the spans of an event of a server that is called with these spans.
spans_under(Scribe, Spans) ->
    _ = seq_trace:set_token(label, {'$otp_rs_spans', Spans}),
    ok = call(Scribe, spans),
    _ = seq_trace:set_token([]),
    [#{meta := #{spans := Within}}, _] = [next(Scribe) || _ <- [within, later]],
    Within.

levels(Scribe) ->
    ok = call(Scribe, levels),
    say(levels_info, [level_of(next(Scribe)) || _ <- [error, warn, info]]),
    follows(Scribe, notice, warn),
    ok = call(Scribe, levels),
    say(levels_notice, [level_of(next(Scribe)) || _ <- [error, warn]]),
    %% A single module with a more verbose level.
    ok = logger:set_module_level(scribe, debug),
    until(Scribe, debug),
    ok = call(Scribe, levels),
    say(levels_module, [level_of(next(Scribe)) || _ <- [error, warn, info, debug]]),
    ok = logger:set_module_level(scribe, error),
    ok = call(Scribe, levels),
    say(levels_quiet_module, level_of(next(Scribe))),
    ok = logger:unset_module_level(scribe),
    follows(Scribe, none, off),
    ok = call(Scribe, levels),
    follows(Scribe, all, trace),
    ok = call(Scribe, levels),
    say(levels_all, [level_of(next(Scribe)) || _ <- [error, warn, info, debug, trace]]),
    follows(Scribe, info, info),
    say(levels_left, left(Scribe)).

follows(Scribe, Level, Followed) ->
    ok = logger:set_primary_config(level, Level),
    until(Scribe, Followed).

until(Scribe, Level) ->
    case call(Scribe, level) of
        Level -> ok;
        _ -> timer:sleep(10), until(Scribe, Level)
    end.

level_of(#{level := Level}) -> Level.

%% Events contain the metadata of the process, on each kind of scheduler.
metadata() ->
    {ok, Scribe} = scribe:start_link(<<"two">>, []),
    _ = next(Scribe),
    ok = call(Scribe, metadata),
    Own = fun(#{meta := Metadata}) -> maps:with([request], Metadata) end,
    say(metadata, Own(next(Scribe))),
    ok = call(Scribe, {dirty, 1}),
    say(metadata_dirty, Own(next(Scribe))),
    ok = call(Scribe, task),
    Task = next(Scribe),
    say(metadata_task, Own(Task)),
    say(task, [element(2, maps:get(msg, Event)) || Event <- [Task, next(Scribe)]]),
    unlink(Scribe).

%% Logs from one process: on normal and dirty schedulers in turn, and around operations.
in_order() ->
    {ok, Scribe} = scribe:start_link(<<"three">>, []),
    _ = next(Scribe),
    Numbers = lists:seq(1, 400),
    _ = [gen_server:send_request(Scribe, {element(1 + N rem 2, {number, dirty}), N}) || N <- Numbers],
    say(in_order, [number(next(Scribe)) || _ <- Numbers] =:= Numbers),
    ok = call(Scribe, {around, 20}),
    say(around, [number(next(Scribe)) || _ <- lists:seq(1, 20)] =:= lists:seq(0, 19)),
    unlink(Scribe).

number(#{msg := {string, Text}}) -> binary_to_integer(Text).

%% Logs from a thread, and from a callback that holds a dirty scheduler.
elsewhere(Scribe) ->
    ok = call(Scribe, {thread, 100}),
    Helper = whereis(otp_rs),
    Events = [next(Helper) || _ <- lists:seq(1, 100)],
    say(thread, [number(Event) || Event <- Events] =:= lists:seq(0, 99)),
    #{meta := Metadata} = hd(Events),
    say(thread_metadata, maps:with([thread, mfa, target], Metadata)),
    {ok, Holding} = scribe:start_link(<<"four">>, []),
    _ = next(Holding),
    Request = gen_server:send_request(Holding, hold),
    #{msg := {string, Text}} = next(Holding),
    say(while_it_holds, {Text, gen_server:wait_response(Request, 0)}),
    ok = call(Scribe, open),
    say(after_it_held, gen_server:wait_response(Request, ?PATIENCE)),
    unlink(Holding).

%% Prints to the group leader of the process. Output and log entries stay in order.
prints() ->
    Main = self(),
    Leader = spawn_link(fun() -> leads(Main) end),
    Own = group_leader(),
    true = group_leader(Leader, self()),
    {ok, Scribe} = scribe:start_link(<<"five">>, []),
    true = group_leader(Own, self()),
    _ = next(Scribe),
    ok = call(Scribe, print),
    say(printed, receive {printed, From, Text} -> {From =:= Scribe, iolist_to_binary(Text)} end),
    say(printed_first, received_in_order(Scribe)),
    true = call(Scribe, hold),
    say(printed_by_another, receive {printed, Another, Held} -> {Another =/= Scribe, iolist_to_binary(Held)} end),
    unlink(Scribe).

received_in_order(Scribe) ->
    #{msg := {string, Text}, meta := #{gl := Leader}} = next(Scribe),
    {Text, {group_leader, Leader} =:= process_info(Scribe, group_leader)}.

leads(Main) ->
    receive
        {io_request, From, Tag, {put_chars, unicode, Text}} ->
            Main ! {printed, From, Text},
            From ! {io_reply, Tag, ok},
            leads(Main)
    end.

%% Checks the log entries of a process before it panics, and those of its destructor after it was
%% killed.
ends() ->
    {ok, Panics} = scribe:start_link(<<"six">>, []),
    _ = next(Panics),
    _ = try call(Panics, panic) catch exit:_ -> ok end,
    say(before_the_panic, message(Panics)),
    {ok, Killed} = scribe:start_link(<<"seven">>, []),
    _ = next(Killed),
    exit(Killed, kill),
    #{msg := {string, Text}, meta := #{pid := Pid}} = next(Killed),
    say(destructor, {Text, Pid =:= Killed}).

%% Logs more entries than the helper accepts. The log reports how many are missing.
flood(Scribe) ->
    Helper = whereis(otp_rs),
    true = erlang:suspend_process(Helper),
    ok = call(Scribe, {thread, 30000}),
    {message_queue_len, Waiting} = process_info(Helper, message_queue_len),
    %% Two timers may have sent messages as well.
    say(flood_bounded, Waiting =< 10002),
    true = erlang:resume_process(Helper),
    {Written, Lost} = drained(0, 0),
    say(flood, {Written + Lost, Lost > 0}),
    say(helper_lives, whereis(otp_rs) =:= Helper).

%% The threads of Tokio end when the library is going to be unloaded, and start again when they are
%% needed.
run_time(Scribe) ->
    say(run_time, [{call(Scribe, task), threads(?PATIENCE)} || _ <- [1, 2]]).

threads(Left) ->
    case logs_nif:end_threads() of
        Threads when Threads =:= []; Left =< 0 -> Threads;
        _ ->
            timer:sleep(10),
            threads(Left - 10)
    end.

drained(Written, Lost) when Written + Lost >= 30000 -> {Written, Lost};
drained(Written, Lost) ->
    case next(whereis(otp_rs)) of
        #{msg := {string, _}} -> drained(Written + 1, Lost);
        #{level := warning, msg := {_, [Number]}} -> drained(Written, Lost + Number)
    end.

%% Returns the next event of a process.
next(Pid) ->
    receive {event, #{meta := #{pid := Pid}} = Event} -> Event
    after ?PATIENCE -> io:format(standard_error, "gave up waiting for an event of ~p~n", [Pid]), halt(1)
    end.

message(Pid) ->
    #{level := Level, msg := {string, Text}} = next(Pid),
    {Level, Text}.

%% Returns the remaining events of a process.
left(Pid) -> receive {event, #{meta := #{pid := Pid}} = Event} -> [Event | left(Pid)] after 0 -> [] end.

text(Event) ->
    iolist_to_binary(logger_formatter:format(Event, #{template => [msg], single_line => true})).

call(Pid, Request) -> gen_server:call(Pid, Request, ?PATIENCE).
