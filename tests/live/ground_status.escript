#!/usr/bin/env escript
%% Reads the reports of `otp_rs_status` about processes of the application `ground`, and checks that
%% none of them contains a secret state. Prints one `key=term` per line.
-mode(compile).
-export([log/2]).
-include("observe.hrl").

%% The secret, and its form in a term that is printed as numbers.
-define(KEY, <<"open sesame">>).
-define(NUMBERS, <<"111,112,101,110,32">>).

main([Ebin]) ->
    begin_with(Ebin),
    ok = logger:set_primary_config(level, all),
    ok = logger:add_handler(observer, ?MODULE, #{config => self()}),
    states(),
    handlers(),
    others(),
    activities(),
    stack(),
    long(),
    secret(),
    init:stop().

states() ->
    {ok, Keeper} = keeper:start_link({start, self(), 2}, []),
    #{module := keeper, behaviour := gen_server, activity := idle, tasks := 0, long := []} = Status = of_process(Keeper),
    say(debug, has(<<"asked: 0, numbers: [0, 1] }">>, Status)),
    {ok, Large} = keeper:start_link({start, self(), 2000000}, []),
    #{state := {text, Cut}} = of_process(Large),
    say(large, {byte_size(Cut) =< 16 * 1024 + 20, has(<<"numbers: [0, 1, 2">>, Cut), has(<<"[truncated]">>, Cut)}),
    {ok, Mill} = mill:start_link(5, []),
    say(term, about(Mill)),
    {ok, Vault} = vault(),
    say(secret, about(Vault)).

%% From outside, it is not known which handlers of a gen_event are in Rust.
handlers() ->
    {ok, Events} = gen_event:start_link(),
    say(no_handler, of_process(Events)),
    ok = gen_event:add_handler(Events, ear, 7),
    say(handler, about(Events)),
    ok = gen_event:add_handler(Events, {wall, 1}, {}),
    ok = gen_event:add_handler(Events, spy, {key, ?KEY}),
    #{state := {text, Text}} = of_process(Events),
    say(handlers, lists:sort(binary:split(Text, <<"\n">>, [global]))).

others() ->
    say(supervisor, about(whereis(stroot))),
    Ended = spawn(fun() -> ok end),
    true = until(fun() -> not is_process_alive(Ended) end),
    Spawned = spawn_link(fun() -> receive stop -> ok end end),
    say(not_rust, lists:usort([of_process(Pid) || Pid <- [whereis(kernel_sup), whereis(logger), whereis(init), Ended, Spawned]])).

%% A process that works is not interrupted.
activities() ->
    {ok, Vault} = vault(),
    ok = gen_server:cast(Vault, {wait, 3600000}),
    true = until(fun() -> maps:get(activity, of_process(Vault)) =:= awaiting end),
    #{state := State, tasks := Tasks, callback := Callback} = of_process(Vault),
    say(awaiting, {State, Tasks}),
    say(callback_awaiting, {maps:without([ms], Callback), maps:get(ms, Callback) < 3600000}),
    say(undisturbed, process_info(Vault, message_queue_len)),
    {ok, Holding} = vault(),
    %% The occupied scheduler may be the one of this process.
    say(native, until(fun() ->
        %% If there is work for many processes, no scheduler sleeps.
        Soon = erlang:monotonic_time(millisecond) + 100,
        _ = [spawn(fun() -> spin(Soon) end) || _ <- lists:seq(1, 8)],
        ok = gen_server:cast(Holding, {held, 1000}),
        spin(erlang:monotonic_time(millisecond) + 100),
        Told = of_process(Holding),
        All = maps:get(Holding, otp_rs_status:callbacks(), none),
        _ = call(Holding, length),
        is_running(Told, running) andalso is_map(All) andalso maps:get(callback, All) =:= maps:get(callback, maps:get(callback, Told))
    end)),
    say(callback_idle, {maps:get(callback, of_process(Holding)), is_map_key(Holding, otp_rs_status:callbacks())}),
    calling(),
    dirty().

%% Another scheduler takes over the processes that wait for this one. A timer of this scheduler
%% would wait, too.
spin(Until) ->
    erlang:monotonic_time(millisecond) > Until orelse spin(Until).

is_running(#{activity := running, state := unknown, callback := #{callback := <<"vault:handle_cast/2 of Held">>, place := Place, ms := Time}}, Place) ->
    Time >= 10;
is_running(_, _) ->
    false.

%% Tests a callback that waits for a reply, and a callback that was called on a dirty scheduler.
calling() ->
    {ok, Post} = post:start_link(self(), []),
    true = register(quiet, spawn(fun() -> receive stop -> ok end end)),
    Asking = asking(Post, {far_call, quiet, node(), 1}),
    waiting(Post),
    #{activity := awaiting, callback := #{callback := Callback, place := waiting, awaits := Awaits}} = of_process(Post),
    Quiet = unicode:characters_to_binary(io_lib:format("a reply of quiet ~w", [whereis(quiet)])),
    say(callback_calling, {Callback, Awaits =:= Quiet orelse Awaits}),
    say(callbacks, maps:with([callback, place], maps:get(Post, otp_rs_status:callbacks()))),
    exit(whereis(quiet), kill),
    {exit, _} = answer(Asking),
    say(callback_over, is_map_key(Post, otp_rs_status:callbacks())).

%% Tests each kind of dirty scheduler, and a part of a callback that runs there.
dirty() ->
    say(callback_dirty, [on_dirty(Request, Gate) || {Request, Gate} <- [{cpu, 1}, {io, 2}, {dirty, 3}]]).

on_dirty(Request, Gate) ->
    {ok, Heavy} = heavy:start_link(self(), []),
    Asking = asking(Heavy, {Request, Gate}),
    spinning = told(Heavy),
    #{activity := Activity, callback := #{callback := Callback, place := Place}} = of_process(Heavy),
    {ok, Opener} = patient:start_link({}, []),
    ok = gen_server:cast(Opener, {open, Gate}),
    {ok, released} = answer(Asking),
    {Activity, Place, Callback}.

%% The name of a waiting callback is on the stack of its process, in a module that an upgrade does
%% not replace.
stack() ->
    {ok, Post} = post:start_link(self(), []),
    true = register(silent, spawn(fun() -> receive stop -> ok end end)),
    Asking = asking(Post, {far_call, silent, node(), 1}),
    waiting(Post),
    {current_stacktrace, Stack} = process_info(Post, current_stacktrace),
    say(stack, [Module || {Module, Function, _, _} <- Stack, Function =:= handle_call]),
    exit(whereis(silent), kill),
    {exit, _} = answer(Asking).

%% Only the process that held its scheduler is reported.
long() ->
    ok = otp_rs:warn_after(ground_nif, 20),
    {ok, Vault} = vault(),
    {ok, Other} = vault(),
    %% After many short calls, a long call is only measured the next time.
    true = until(fun() -> call(Vault, {hold, 150}), maps:get(long, of_process(Vault)) =/= [] end),
    [#{callback := Callback, ms := Milliseconds, times := Before}] = maps:get(long, of_process(Vault)),
    say(long, {Callback, Milliseconds >= 150, Before}),
    Times = fun() -> [#{times := Now}] = maps:get(long, of_process(Vault)), Now end,
    true = until(fun() -> call(Vault, {hold, 150}), Times() > Before end),
    say(long_again, Times() - Before),
    say(long_elsewhere, maps:get(long, of_process(Other))),
    ok = otp_rs:warn_after(ground_nif, off).

secret() ->
    {ok, Vault} = vault(),
    {ok, Safe} = safe:start_link({key, ?KEY}, []),
    {ok, Events} = gen_event:start_link(),
    ok = gen_event:add_handler(Events, spy, {key, ?KEY}),
    %% Reads the log of a server, and an event that waits.
    ok = sys:log(Vault, true),
    ok = gen_server:cast(Vault, {key, ?KEY}),
    ok = gen_statem:cast(Safe, {key, ?KEY}),
    11 = call(Vault, length),
    11 = gen_statem:call(Safe, turn),
    Shown = [begin {status, _, _, [_, _, _, _, Status]} = sys:get_status(Pid), Status end || Pid <- [Vault, Safe, Events]],
    say(statuses, [{has(<<"secret">>, Status), is_told(Status)} || Status <- Shown]),
    say(in_a_shell, {otp_rs:state(Vault), otp_rs:replace_state(Vault, fun(State) -> State end), otp_rs:state(Safe)}),
    {{panic, #{message := Message}}, _} = Panic = exit_with(Vault, panic),
    say(panic, {Message, is_told(Panic)}),
    {ok, Other} = vault(),
    _ = call(Other, task),
    say(task, {is_logged(<<"panic,">>), of_process(Other) =/= not_rust}),
    say(linked, is_told(exit_with(Other, linked))),
    {ok, Third} = vault(),
    ok = gen_server:cast(Third, {lock, ?KEY}),
    say(refused, is_told(exit_of(Third))),
    {ok, Fourth} = safe:start_link({key, ?KEY}, []),
    ok = gen_statem:cast(Fourth, {key, ?KEY}),
    ok = gen_statem:cast(Fourth, {lock, ?KEY}),
    say(refused_event, is_told(exit_of(Fourth))),
    ok = gen_event:notify(Events, {lock, ?KEY}),
    say(reported, lists:all(fun is_logged/1, [<<"Generic server">>, <<"State machine">>, <<"event handler">>])),
    say(logged, lists:any(fun is_told/1, logged())).

vault() -> vault:start_link({key, ?KEY}, []).

about(Pid) ->
    #{module := Module, behaviour := Behaviour, state := State} = of_process(Pid),
    {Module, Behaviour, State}.

of_process(Pid) -> otp_rs_status:of_process(Pid).

has(Part, Term) -> binary:match(unicode:characters_to_binary(io_lib:format("~0tp", [Term])), Part) =/= nomatch.

is_told(Term) -> has(?KEY, Term) orelse has(?NUMBERS, Term).

%% Returns whether a text that contains this is logged, and keeps the other texts.
is_logged(Part) ->
    until(fun() ->
        put(logged, logged()),
        lists:any(fun(Text) -> binary:match(Text, Part) =/= nomatch end, get(logged))
    end).

logged() ->
    receive {logged, Text} -> [Text | logged()]
    after 0 -> case get(logged) of undefined -> []; Texts -> Texts end
    end.

%% The callback of the `logger` handler.
log(#{msg := {report, #{label := {_, progress}}}}, _) ->
    ok;
log(Event, #{config := Observer}) ->
    Format = #{single_line => true, depth => unlimited, chars_limit => unlimited},
    Observer ! {logged, unicode:characters_to_binary(logger_formatter:format(Event, Format))}.
