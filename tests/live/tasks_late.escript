#!/usr/bin/env escript
%% The timer of a task and the answer for a waiting callback arrive together, while the process
%% cannot run. Prints one `key=term` per line.
-mode(compile).
-include("observe.hrl").

main([Ebin]) ->
    begin_with(tasks, Ebin),
    {ok, Ticker} = ticker:start_link({}, []),
    say(goes_on, lists:all(fun(Late) -> goes_on(Ticker, Late) end, lists:seq(1, 20))),
    init:stop().

%% Returns whether the task continues after that. The process is suspended at a different moment of
%% its tick each time.
goes_on(Ticker, Late) ->
    Asking = asking(Ticker, pause),
    timer:sleep(Late),
    true = erlang:suspend_process(Ticker),
    timer:sleep(60),
    true = erlang:resume_process(Ticker),
    {ok, ok} = answer(Asking),
    Before = call(Ticker, ticks),
    true = until(fun() -> call(Ticker, ticks) > Before + 1 end),
    true.
