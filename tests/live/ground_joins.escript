#!/usr/bin/env escript
%% Makes servers of the application `ground` await several operations at once, and operations that
%% they drop. Prints one `key=term` per line. It measures no times: desks reply on request.
-mode(compile).
-include("observe.hrl").

main([Ebin]) ->
    begin_with(Ebin),
    joins(),
    losers(),
    harmless(),
    crowds(),
    wakers(),
    init:stop().

joins() ->
    {Runner, One, Other} = {runner(), desk(), desk()},
    %% Both desks get their requests before either of them replies. The second desk replies first.
    Joined = asking(Runner, {join, One, Other}),
    say(under_way, {told(One), told(Other)}),
    answer_to(Other, other, 2, self()),
    answer_to(One, one, 1, self()),
    say(joined, answer(Joined)),
    say(in_time, call(Runner, {in_time, One})),
    say(no_such, call(Runner, {no_such, One})),
    say(nothing_else_came, call(Runner, seen)).

%% The slower call is cancelled. Its desk replies afterwards, and sends one more message. Only that
%% message arrives.
losers() ->
    [lost(Request) || Request <- [race, try_join, late, forgotten, dropped]].

lost(Request) ->
    {Runner, Desk} = {runner(), desk()},
    Asking = asking(Runner, {Request, Desk}),
    {asked, Tag} = told(Desk),
    say(Request, answer(Asking)),
    answer_to(Desk, Tag, 7, Runner),
    until(fun() -> call(Runner, seen) =/= [] end),
    say([atom_to_list(Request), "_sees"], call(Runner, seen)),
    say([atom_to_list(Request), "_left"], process_info(Runner, [message_queue_len, monitors, links])
        =:= [{message_queue_len, 0}, {monitors, []}, {links, [self()]}]).

harmless() ->
    {Runner, Desk} = {runner(), desk()},
    Doubly = asking(Runner, {doubly, Desk}),
    {asked, doubly} = told(Desk),
    answer_to(Desk, doubly, 8, self()),
    say(doubly, answer(Doubly)),
    Kept = asking(Runner, {kept, Desk}),
    {asked, first} = told(Desk),
    {asked, second} = told(Desk),
    answer_to(Desk, first, 1, self()),
    receive {answered, first} -> ok end,
    %% The callback has read the first answer, and waits for the second.
    until(fun() -> process_info(Runner, message_queue_len) =:= {message_queue_len, 0} end),
    answer_to(Desk, second, 2, self()),
    say(kept, answer(Kept)),
    say(work_beside, call(Runner, {work_beside, Desk})),
    {{panic, #{message := Message}}, _} = exit_with(Runner, {after_its_end, Desk}),
    say(after_its_end, Message).

crowds() ->
    {ok, Crowd} = crowd:start_link({}, []),
    Desk = desk(),
    say(calls, call(Crowd, {calls, Desk, 1000})),
    say(each, call(Crowd, {each, [Desk, desk(), Desk]})),
    say(unordered_calls, call(Crowd, {unordered_calls, Desk, 1000})),
    say(unordered_sleeps, call(Crowd, {unordered_sleeps, 1000})),
    say(functions, call(Crowd, {functions, 1000})),
    say(crowd_sees, call(Crowd, seen)),
    say(crowd_left, process_info(Crowd, [message_queue_len, monitors, links])
        =:= [{message_queue_len, 0}, {monitors, []}, {links, [self()]}]).

wakers() ->
    {ok, Opener} = patient:start_link({}, []),
    {ok, Never} = patient:start_link({}, []),
    {{never_woken, Callback, _}, _} = exit_with(Never, never),
    say(never, Callback),
    {ok, Beside} = patient:start_link({}, []),
    {{never_woken, _, _}, _} = exit_with(Beside, never_beside),
    say(never_beside, true),
    {ok, Patient} = patient:start_link({}, []),
    [say(Request, woken(Patient, Request, Gate, Opener)) || {Request, Gate} <- [{thread, 0}, {beside_a_sleep, 1}]],
    ok = call(Patient, {too_late, 2}),
    ok = gen_server:cast(Opener, {open, 2}),
    until(fun() -> call(Patient, seen) =/= [] end),
    say(too_late, call(Patient, seen)).

%% Until the gate is opened, the process waits in the VM, where it can be observed.
woken(Patient, Request, Gate, Opener) ->
    Asking = asking(Patient, {Request, Gate}),
    waiting(Patient),
    ok = gen_server:cast(Opener, {open, Gate}),
    answer(Asking).

runner() ->
    {ok, Runner} = runner:start_link({}, []),
    Runner.

desk() ->
    {ok, Desk} = desk:start_link(self(), []),
    Desk.

answer_to(Desk, Tag, Value, Then) -> gen_server:cast(Desk, {answer, Tag, Value, Then}).
