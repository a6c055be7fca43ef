#!/usr/bin/env escript
%% Makes desks of the application `ground` keep their callers, pass them to others and drop them,
%% and reads the states of running processes. Prints one `key=term` per line.
-mode(compile).
-export([log/2]).
-include("observe.hrl").

main([Ebin]) ->
    begin_with(Ebin),
    ok = logger:add_handler(observer, ?MODULE, #{config => self()}),
    kept(),
    ended(),
    forgotten(),
    received(),
    machines(),
    unhelped(),
    looked_at(),
    states(),
    init:stop().

%% The reply comes from another callback, or from another process.
kept() ->
    {One, Other} = {desk(), desk()},
    Asking = asking(One, {ask, kept}),
    {asked, kept} = told(One),
    gen_server:cast(One, {answer, kept, 3, self()}),
    say(kept, answer(Asking)),
    %% The other desk gets the caller in a message. From this moment, the first desk is not
    %% responsible for the caller any more.
    say(handed, call(One, {hand, Other})),
    Ended = asking(One, {ask, ended}),
    {asked, ended} = told(One),
    ok = gen_server:stop(One),
    {exit, {Reason, _}} = answer(Ended),
    say(server_ended, Reason),
    say(handed_without_a_word, logged()).

%% A caller gets only the reason why its server has ended.
ended() ->
    [say([atom_to_list(End), "_seen"], seen(answer(asking(desk(), End)))) || End <- [panic, nobody, stop]],
    say(ended_without_a_word, logged()).

seen({exit, {{{panic, _}, _}, {gen_server, call, _}}}) -> panic;
seen({exit, {{noproc, _}, {gen_server, call, _}}}) -> noproc;
seen({exit, {Reason, {gen_server, call, _}}}) -> Reason.

%% If a caller is dropped, its call fails at once, whatever its timeout is, and an error is logged.
forgotten() ->
    Desk = desk(),
    Other = desk(),
    [begin
        {exit, {Reason, {gen_server, call, [Desk | _]}}} = caught(Call),
        say(Key, Reason),
        say([atom_to_list(Key), "_logged"], error_of(Desk))
    end || {Key, Call} <- [
        {forgotten, fun() -> gen_server:call(Desk, forget) end},
        {forgotten_without_end, fun() -> gen_server:call(Desk, forget, infinity) end},
        {forgotten_untyped, fun() -> gen_server:call(Desk, untype, infinity) end},
        {forgotten_in_a_message, fun() -> gen_server:call(Desk, {mislay, Other}, infinity) end}
    ]],
    Request = gen_server:send_request(Desk, forget),
    {error, {Reason, _}} = gen_server:receive_response(Request, ?PATIENCE),
    say(forgotten_request, Reason),
    _ = error_of(Desk),
    Kept = asking(Desk, {ask, kept}),
    {asked, kept} = told(Desk),
    ok = gen_server:cast(Desk, clear),
    {exit, {Cleared, _}} = answer(Kept),
    say(forgotten_later, Cleared),
    _ = error_of(Desk),
    %% A Rust caller gets an error, for a single call and for one of several. It gets no message
    %% about the end of the desk.
    {ok, Runner} = runner:start_link({}, []),
    say(rust_caller, call(Runner, {forgetful, Desk})),
    ok = gen_server:stop(Desk),
    say(rust_caller_sees, call(Runner, seen)),
    %% A caller whose request ends in a clause gets that message, and no second one about the end of
    %% the desk.
    Another = desk(),
    _ = call(Runner, {pending, Another}),
    1 = call(Another, {echo, 1}),
    ok = gen_server:stop(Another),
    say(pending_sees, [Seen || {'DOWN', _, process, Pid, Seen} <- call(Runner, seen), Pid =:= Another]).

%% A process that is not a server receives calls from its mailbox itself, and has to reply like a
%% clause.
received() ->
    _ = logged(),
    Counter = call(desk(), counter),
    {exit, {Lost, {gen_server, call, [Counter | _]}}} = caught(fun() -> gen_server:call(Counter, lose, infinity) end),
    say(received, Lost),
    say(received_logged, error_of(Counter)),
    say(received_answered, gen_server:call(Counter, answer)),
    {exit, {Burnt, _}} = caught(fun() -> gen_server:call(Counter, burn, infinity) end),
    say(received_end, Burnt),
    say(received_without_a_word, logged()).

%% Tests dropped callers of a state machine. A postponed event keeps its caller.
machines() ->
    _ = logged(),
    {ok, Mill} = mill:start_link(1, []),
    {exit, {Reason, {gen_statem, call, _}}} = caught(fun() -> gen_statem:call(Mill, lose) end),
    say(machine, Reason),
    say(machine_logged, error_of(Mill)),
    {exit, {Swept, _}} = caught(fun() -> gen_statem:call(Mill, {sweep, false}) end),
    say(machine_enum, Swept),
    say(machine_enum_logged, error_of(Mill)),
    say(machine_enum_answered, gen_statem:call(Mill, {sweep, true})),
    Own = self(),
    spawn_link(fun() -> Own ! {waited, gen_statem:call(Mill, wait, ?PATIENCE)} end),
    true = until(fun() -> postponed(Mill) end),
    2 = gen_statem:call(Mill, turn),
    say(machine_waits, receive {waited, Turns} -> Turns after ?PATIENCE -> gave_up(waited, Mill) end),
    {exit, {Ended, _}} = caught(fun() -> gen_statem:call(Mill, stop) end),
    say(machine_ended, Ended),
    say(machine_without_a_word, logged()).

postponed(Mill) ->
    {status, _, _, [_, _, _, _, Shown]} = sys:get_status(Mill),
    Said = [Value || {data, Data} <- Shown, {"Postponed", Value} <- Data],
    Said =/= [] andalso hd(Said) =/= [].

%% A server reports a dropped caller itself, even if the helper is suspended.
unhelped() ->
    Helper = whereis(otp_rs),
    true = erlang:suspend_process(Helper),
    {exit, {Reason, _}} = caught(fun() -> gen_server:call(desk(), forget) end),
    say(unhelped, Reason),
    _ = error_of(desk),
    true = erlang:resume_process(Helper).

%% A state keeps its callers when it is displayed or replaced.
looked_at() ->
    Desk = desk(),
    Own = self(),
    Asking = asking(Desk, {ask, waiting}),
    {asked, waiting} = told(Desk),
    #{observer := Own, waiting := [{waiting, waiting, {_, _}}]} = otp_rs:state(Desk),
    ok = otp_rs:replace_state(Desk, fun(State) -> State end),
    gen_server:cast(Desk, {answer, waiting, 4, self()}),
    say(looked_at, answer(Asking)),
    _ = logged(),
    say(waiting_no_more, maps:get(waiting, otp_rs:state(Desk))).

states() ->
    Desk = desk(),
    Wrong = otp_rs:replace_state(Desk, fun(_) -> wrong end),
    say(wrong_state, named(Wrong)),
    say(failing_fun, element(1, otp_rs:replace_state(Desk, fun(_) -> error(no) end))),
    say(desk_lives, call(Desk, {echo, 5})),
    {ok, Keeper} = keeper:start_link({start, self(), 2}, []),
    Text = otp_rs:state(Keeper),
    say(opaque, binary:match(Text, <<"asked: 0, numbers: [0, 1] }">>) =/= nomatch),
    {error, Why} = otp_rs:replace_state(Keeper, fun(State) -> State end),
    say(opaque_stays, Why),
    {ok, Mill} = mill:start_link(5, []),
    6 = gen_statem:call(Mill, turn),
    say(data, otp_rs:state(Mill)),
    ok = otp_rs:replace_state(Mill, fun({mill, Turns}) -> {mill, Turns * 10} end),
    say(new_data, gen_statem:call(Mill, turn)),
    {ok, Events} = gen_event:start_link(),
    ok = gen_event:add_handler(Events, ear, 7),
    ok = gen_event:add_handler(Events, {wall, 1}, {}),
    say(handlers, lists:sort(otp_rs:state(Events))),
    [{ear, ok}, {wall, {error, _}}] =
        lists:sort(otp_rs:replace_state(Events, fun({ear, Heard}) -> {ear, Heard + 1} end)),
    say(new_handlers, gen_event:call(Events, ear, heard)),
    say(no_rust, caught(fun() -> otp_rs:state(kernel_sup) end)).

named({error, {bad_term, #{got := Got}}}) -> {bad_term, Got}.

caught(Body) ->
    try Body() catch Class:Reason -> {Class, Reason} end.

%% The callback of the `logger` handler.
log(#{level := Level, msg := {report, #{label := {otp_rs, Label}} = Report}, meta := #{report_cb := Format}},
    #{config := Observer}) ->
    {Text, Arguments} = Format(Report),
    Observer ! {logged, Level, Label, unicode:characters_to_binary(io_lib:format(Text, Arguments))};
log(_, _) ->
    ok.

%% Returns the log entries up to now. The helper has handled all earlier messages by then.
logged() ->
    ok = gen_server:call(otp_rs, pass),
    receive {logged, _, unanswered, Text} -> [Text | logged()] after 0 -> [] end.

%% Returns the error that names the clause, without the caller.
error_of(_) ->
    receive
        {logged, error, unanswered, Text} -> re:replace(Text, "<[0-9.]+>", "PID", [{return, binary}])
    after ?PATIENCE -> gave_up(error_of, desk)
    end.

desk() ->
    {ok, Desk} = desk:start_link(self(), []),
    Desk.
