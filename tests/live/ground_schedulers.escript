#!/usr/bin/env escript
%%! +S 1:1 +SDcpu 1:1 +SDio 1
%% Makes servers of the application `ground` compute for long in a VM with one scheduler of each
%% kind. Prints one `key=term` per line. It measures no times: a computation runs until another
%% process ends it, and that process needs a scheduler.
-mode(compile).
-export([log/2]).
-include("observe.hrl").

main([Ebin]) ->
    begin_with(Ebin),
    ok = logger:add_handler(observer, ?MODULE, #{config => self()}),
    [say(Key, beside(Key, Gate)) || {Key, Gate} <- [
        {cpu, 0}, {io, 1}, {across, 2}, {dirty, 3}, {blocking, 4}, {checkpoint, 5}, {politely, 6}, {yielding, 7}
    ]],
    long_message(),
    [say(Key, long_result(Request, Gate)) || {Key, Request, Gate} <- [
        {long_result, alone, 12}, {long_result_beside, beside, 13}, {long_received, received, 14}
    ]],
    long_reply(),
    kinds(),
    killed(),
    storm(),
    warned(),
    init:stop().

%% While a server computes, a thousand calls of others run on the only normal scheduler.
beside(Key, Gate) ->
    {ok, Heavy} = heavy:start_link(self(), []),
    {ok, Desk} = desk:start_link(self(), []),
    Asking = asking(Heavy, {Key, Gate}),
    spinning = told(Heavy),
    Echoes = [call(Desk, {echo, Value}) || Value <- lists:seq(1, 1000)],
    open(Gate),
    {lists:sum(Echoes), answer(Asking)}.

%% A message that takes long to decode is decoded on the dirty scheduler, because the process that
%% opens the gate needs the normal one.
long_message() ->
    {ok, Heavy} = heavy:start_link(self(), []),
    {ok, Desk} = desk:start_link(self(), []),
    Reading = asking(Heavy, {read, lists:duplicate(1000, lists:seq(1001, 1100)) ++ [[11]]}),
    Echoes = [call(Desk, {echo, Value}) || Value <- lists:seq(1, 1000)],
    open(11),
    say(long_message, {lists:sum(Echoes), answer(Reading)}),
    say(short_message, call(Heavy, {read, [[1001, 1002], [11]]})).

%% The result of an awaited operation is also decoded there.
long_result(Request, Gate) ->
    Numbers = {numbers, lists:duplicate(1000, lists:seq(1001, 1100)) ++ [[Gate]]},
    persistent_term:put(numbers, Numbers),
    {ok, Heavy} = heavy:start_link(self(), []),
    {ok, Desk} = desk:start_link(self(), []),
    Reading = asking(Heavy, Request),
    Request =:= received andalso begin receiving = told(Heavy), Heavy ! Numbers end,
    Echoes = [call(Desk, {echo, Value}) || Value <- lists:seq(1, 1000)],
    open(Gate),
    {lists:sum(Echoes), answer(Reading)}.

%% A long reply is encoded there, too.
long_reply() ->
    {ok, Heavy} = heavy:start_link(self(), []),
    {ok, Desk} = desk:start_link(self(), []),
    Writing = asking(Heavy, {write, 100000, 15}),
    Echoes = [call(Desk, {echo, Value}) || Value <- lists:seq(1, 1000)],
    open(15),
    {ok, Written} = answer(Writing),
    say(long_reply, {lists:sum(Echoes), length(Written), lists:usort(Written)}),
    say(short_reply, call(Heavy, {write, 2, 15})).

%% A process that computes does not delay a process that waits for the operating system.
kinds() ->
    [{ok, First}, {ok, Second}, {ok, Other}] = [heavy:start_link(self(), []) || _ <- [1, 2, 3]],
    open(9),
    One = asking(First, {cpu, 8}),
    spinning = told(First),
    Two = asking(Second, {cpu, 9}),
    Three = asking(Other, {io, 9}),
    say(other_kind, answer(Three)),
    say(same_kind_waits, receive {Second, spinning} -> false after 0 -> true end),
    open(8),
    say(same_kind, {answer(One), answer(Two)}).

%% The computation continues when its process is killed. Afterwards, the state is dropped once.
killed() ->
    {ok, Heavy} = gen_server:start(heavy, self(), []),
    {ok, Witness} = heavy:start_link(self(), []),
    Before = call(Witness, dropped),
    spawn(fun() -> catch call(Heavy, {dirty, 10}) end),
    spinning = told(Heavy),
    Monitor = monitor(process, Heavy),
    exit(Heavy, kill),
    receive {'DOWN', Monitor, process, Heavy, Reason} -> say(killed, Reason)
    after ?PATIENCE -> gave_up(killed, Heavy) end,
    say(state_is_there, call(Witness, dropped) =:= Before),
    open(10),
    until(fun() -> call(Witness, dropped) > Before end),
    [garbage_collect(Pid) || Pid <- processes()],
    say(state_dropped, call(Witness, dropped) - Before).

%% Queues 1,500 milliseconds of work. Another process gets its turns during this time.
storm() ->
    {ok, Storm} = storm:start_link(self(), []),
    Turns = counters:new(1, []),
    Sleeper = spawn_link(fun() -> turn(Turns) end),
    [gen_server:cast(Storm, {work, Left}) || Left <- lists:seq(1499, 0, -1)],
    Before = counters:get(Turns, 1),
    done = told(Storm),
    say(turns, counters:get(Turns, 1) - Before >= 10),
    unlink(Sleeper),
    exit(Sleeper, kill).

turn(Turns) ->
    timer:sleep(10),
    counters:add(Turns, 1, 1),
    turn(Turns).

%% A warning names a callback that holds its scheduler, unless warnings are off.
warned() ->
    {ok, Heavy} = heavy:start_link(self(), []),
    ok = call(Heavy, {hold, 150}),
    say(warned_when_off, warning(0)),
    ok = otp_rs:warn_after(ground_nif, 20),
    ok = call(Heavy, {hold, 300}),
    {Report, Text} = warning(?PATIENCE),
    say(warned, maps:with([module, function, arity, message], Report)),
    say(warned_time, maps:get(milliseconds, Report) >= 140),
    say(warned_text, Text),
    #{worked := Worked, waited := Waited} = Report,
    say(warned_worked, Worked >= 20 andalso Waited < Worked),
    ok = otp_rs:warn_after(ground_nif, off),
    ok = call(Heavy, {hold, 150}),
    say(warned_when_off_again, warning(0)),
    ok = otp_rs:warn_after(ground_nif, 100),
    say(interrupted, interrupted(Heavy, 4)),
    ok = call(Heavy, {rest, 300}),
    {_, Rested} = warning(?PATIENCE),
    say(warned_rest, Rested),
    ok = otp_rs:warn_after(ground_nif, off).

%% The operating system stops the whole VM for 300 milliseconds while a clause computes for 40. The
%% clause must not be blamed.
interrupted(_, 0) ->
    warning(0);
interrupted(Heavy, Times) ->
    Signal = fun(Name) -> "kill -" ++ Name ++ " " ++ os:getpid() end,
    Stop = "(sleep 0.1; " ++ Signal("STOP") ++ "; sleep 0.3; " ++ Signal("CONT") ++ ") > /dev/null 2>&1 &",
    _ = os:cmd(Stop),
    Until = erlang:monotonic_time(millisecond) + 1000,
    until(fun() -> call(Heavy, {hold, 40}) =:= ok andalso erlang:monotonic_time(millisecond) > Until end),
    interrupted(Heavy, Times - 1).

warning(Patience) ->
    receive {warning, Report, Text} -> {Report, Text}
    after Patience -> none
    end.

%% The callback of the `logger` handler.
log(#{msg := {report, #{label := {otp_rs, long_callback}} = Report}, meta := #{report_cb := Format}}, #{config := Pid}) ->
    {Text, Arguments} = Format(Report),
    Said = unicode:characters_to_binary(io_lib:format(Text, Arguments)),
    Pid ! {warning, Report, re:replace(Said, "[0-9]+ ms", "N ms", [global, {return, binary}])};
log(_, _) ->
    ok.

%% Opens a gate through a server of another module. The computing server cannot handle calls, and
%% states of its type are counted.
open(Gate) ->
    {ok, Opener} = patient:start_link({}, []),
    ok = gen_server:cast(Opener, {open, Gate}),
    ok = gen_server:stop(Opener).
