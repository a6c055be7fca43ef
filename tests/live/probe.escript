#!/usr/bin/env escript
%% Makes a server of the application `probe` do everything that a gen_server can do. Prints one
%% `key=term` per line. Each wait ends after two minutes.
-mode(compile).
-define(PATIENCE, 120000).
-export([log/2]).

main([Ebin]) ->
    true = code:add_patha(Ebin),
    ok = logger:add_handler(observer, ?MODULE, #{config => self()}),
    ok = logger:remove_handler(default),
    process_flag(trap_exit, true),
    ok = application:start(probe),
    starts(),
    requests(),
    waits(),
    ends(),
    wrong_terms(),
    init:stop().

starts() ->
    {ok, _} = start(plain),
    {ok, Continued} = start('continue'),
    say(continued, told(Continued)),
    {ok, TimedOut} = start({timeout, 10}),
    say(init_timeout, told(TimedOut)),
    {ok, Asleep} = start(hibernate),
    say(init_hibernate, asleep(Asleep)),
    {ok, Slow} = start({sleep, 20}),
    say(init_sleep, is_pid(Slow)),
    say(init_stop, start({stop, {no, luck}})),
    say(init_ignore, start(ignore)),
    say(init_exit, start({exit, enough})),
    {error, {{panic, #{message := Message}}, _}} = start(panic),
    say(init_panic, Message).

requests() ->
    {ok, Probe} = start(plain),
    say(echo, gen_server:call(Probe, {echo, {any, [term, 1.5, <<"b">>, #{k => v}]}})),
    say(apply, gen_server:call(Probe, {apply, lists, seq, [1, 3]})),
    say(number, gen_server:call(Probe, {number, erlang, '+', [1, 2]})),
    Own = gen_server:call(Probe, {apply, erlang, self, []}),
    say(in_the_process_itself, Own =:= Probe),
    say(join, gen_server:call(Probe, join)),
    say(late, gen_server:call(Probe, late)),
    ok = gen_server:cast(Probe, {tag, 7}),
    Probe ! {some, info},
    say(info, told(Probe)),
    [_, _, _, _, _, _, Cast, Info] = gen_server:call(Probe, seen),
    say(seen, {Cast, Info}),
    Client = self(),
    spawn_link(fun() -> Client ! {later, gen_server:call(echo, later)} end),
    timer:sleep(20),
    ok = gen_server:cast(echo, {release, #{now => then}}),
    receive {later, Reply} -> say(deferred, Reply) after ?PATIENCE -> halt(1) end.

waits() ->
    {ok, Probe} = start(plain),
    ok = gen_server:call(Probe, hibernate),
    say(hibernated, asleep(Probe)),
    say(awake, gen_server:call(Probe, {echo, awake})),
    ok = gen_server:call(Probe, {timeout, 10}),
    say(timeout, told(Probe)),
    %% Checks that the process of a waiting callback waits in Erlang.
    spawn(fun() -> catch gen_server:call(echo, {pause, 300}) end),
    timer:sleep(50),
    say(waiting, process_info(whereis(echo), status)).

ends() ->
    {ok, Stopped} = start(plain),
    say(stop_reply, gen_server:call(Stopped, stop)),
    say(terminate_normal, told(Stopped)),
    say(stop_reason, exit_of(Stopped)),
    {ok, Down} = start(plain),
    ok = gen_server:stop(Down, {shutdown, done}, 5000),
    say(terminate_shutdown, told(Down)),
    say(exit, ending({exit, {own, reason}})),
    {{panic, #{message := Message, file := File}}, _} = ending({panic, <<"oh no">>}),
    say(panic, {Message, File}),
    {{panic, #{message := After}}, _} = ending({panic_after, 10}),
    say(panic_after, After),
    {{never_woken, Callback, _}, _} = ending(foreign),
    say(foreign, Callback),
    {noproc, {gen_server, call, [nobody_there | _]}} = ending(nobody),
    say(nobody, true),
    say(undef, element(1, ending({apply, no_such_module, f, []}))),
    say(badarith, element(1, ending({apply, erlang, '/', [1, 0]}))),
    %% The state that a stop shows is the Rust value.
    {ok, Shown} = start(plain),
    catch gen_server:stop(Shown, shown, 5000),
    Text = report({gen_server, terminate}, <<"shown">>),
    say(shown_state, Text).

wrong_terms() ->
    {ok, Call} = start(plain),
    catch gen_server:call(Call, {echo}),
    say(wrong_request, element(1, exit_of(Call))),
    {ok, Cast} = start(plain),
    gen_server:cast(Cast, {tag, 256}),
    say(wrong_cast, element(1, exit_of(Cast))),
    {ok, Result} = start(plain),
    catch gen_server:call(Result, {number, erlang, node, []}),
    say(wrong_result, element(1, exit_of(Result))),
    {error, {WrongArgs, _}} = probe:start_link({start, self(), sideways}, []),
    say(wrong_args, WrongArgs),
    {ok, Other} = start(plain),
    State = sys:get_state(Other),
    say(foreign_state, (catch probe:handle_cast({tag, 1}, State))),
    say(no_state, (catch probe:handle_cast({tag, 1}, not_a_state))),
    say(still_there, gen_server:call(Other, {echo, still_there})),
    say(bad_id, (catch probe_nif:callback(9999, x))),
    say(bad_arity, (catch probe_nif:callback(0, x, y, z))).

start(How) -> probe:start_link({start, self(), How}, []).

%% Returns the reason with which a server ends after this request.
ending(Request) ->
    {ok, Pid} = start(plain),
    exit_with(Pid, Request).

exit_with(Pid, Request) ->
    catch gen_server:call(Pid, Request),
    exit_of(Pid).

exit_of(Pid) -> receive {'EXIT', Pid, Reason} -> Reason after ?PATIENCE -> halt(1) end.

told(Pid) -> receive {Pid, What} -> What after ?PATIENCE -> halt(1) end.

%% Returns whether the process hibernates within twenty seconds. Since OTP 28, a process can
%% hibernate and keep its stack. The stack then has a function of OTP's behaviours with this name.
asleep(Pid) -> asleep(Pid, 1000).

asleep(_, 0) -> false;
asleep(Pid, Times) ->
    case process_info(Pid, [current_function, status]) of
        [{current_function, {erlang, hibernate, 3}}, _] -> true;
        [{current_function, {_, loop_hibernate, _}}, {status, waiting}] -> true;
        _ -> timer:sleep(20), asleep(Pid, Times - 1)
    end.

%% The callback of the `logger` handler.
log(#{msg := {report, #{label := Label} = Report}, meta := #{report_cb := Format}}, #{config := Pid}) ->
    Text = case is_function(Format, 2) of
        true -> Format(Report, #{single_line => true, depth => unlimited, chars_limit => unlimited});
        false -> {F, A} = Format(Report), io_lib:format(F, A)
    end,
    Pid ! {Label, unicode:characters_to_binary(Text)};
log(_, _) ->
    ok.

report(Label, Part) ->
    receive
        {Label, Text} ->
            case binary:match(Text, Part) of
                nomatch -> report(Label, Part);
                _ -> Text
            end
    after ?PATIENCE -> halt(1)
    end.

say(Key, Value) -> io:format("~s=~0tp~n", [Key, Value]).
