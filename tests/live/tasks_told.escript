#!/usr/bin/env escript
%% A callback that ends at once is reported, or a message is refused. In both cases, the task beside
%% it continues. Prints one `key=term` per line.
-mode(compile).
-include("observe.hrl").

main([Ebin]) ->
    begin_with(tasks, Ebin),
    %% Callbacks that hold their scheduler are reported.
    ok = application:unset_env(tasks, long_callback),
    ok = application:stop(tasks),
    ok = application:start(tasks),
    {ok, Ticker} = ticker:start_link({}, []),
    say(held, goes_on(Ticker, fun() -> call(Ticker, hold) end)),
    say(cast_refused, goes_on(Ticker, fun() -> gen_server:cast(Ticker, forged) end)),
    say(message_refused, goes_on(Ticker, fun() -> Ticker ! forged end)),
    say(call_refused, goes_on(Ticker, fun() -> call(Ticker, forged) end)),
    init:stop().

%% Returns whether the task continues after that.
goes_on(Ticker, Disturb) ->
    _ = (catch Disturb()),
    Ends = erlang:monotonic_time(millisecond) + 20000,
    ticks(Ticker, call(Ticker, ticks) + 1, Ends).

ticks(Ticker, After, Ends) ->
    case {call(Ticker, ticks) > After, erlang:monotonic_time(millisecond) > Ends} of
        {true, _} -> true;
        {false, true} -> false;
        {false, false} -> timer:sleep(10), ticks(Ticker, After, Ends)
    end.
