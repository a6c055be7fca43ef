#!/usr/bin/env escript
%%! -env RUST_BACKTRACE 1
%% Makes callbacks of the application `ground` panic, and reads their Rust stacks in the log. Prints
%% one `key=term` per line.
-mode(compile).
-export([log/2]).

main([Ebin]) ->
    true = code:add_patha(Ebin),
    ok = logger:remove_handler(default),
    ok = application:load(ground),
    ok = application:set_env(ground, long_callback, 30),
    ok = application:start(ground),
    ok = logger:add_handler(seen, ?MODULE, #{config => self()}),
    say(backtraces, [fails() || _ <- [1, 2, 3]]),
    say(held, receive {held, Report} -> Report after 1000 -> none end).

%% Returns whether the Rust stack contains the user's code, and no code of the VM.
fails() ->
    {ok, Heavy} = gen_server:start(heavy, self(), []),
    try gen_server:call(Heavy, fail, 60000) catch exit:_ -> ok end,
    receive {backtrace, Text} -> {has("heavy", Text), has("beam_jit", Text)}
    after 60000 -> none
    end.

has(Part, Text) ->
    string:find(Text, Part) =/= nomatch.

%% The callback of the `logger` handler.
log(#{msg := {report, #{label := {otp_rs, panic}, backtrace := Text}}}, #{config := Pid}) ->
    Pid ! {backtrace, Text};
log(#{msg := {report, #{label := {otp_rs, long_callback}} = Report}}, #{config := Pid}) ->
    Pid ! {held, Report};
log(_, _) ->
    ok.

say(Key, Value) ->
    io:format("~p=~0tp~n", [Key, Value]).
