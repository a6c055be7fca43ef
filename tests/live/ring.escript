#!/usr/bin/env escript
%% Starts thread_ring from the given folder, makes a member panic, and reports the effects. Prints
%% one `key=term` per line, and gives up after two minutes.
-mode(compile).
-define(PATIENCE, 120000).
-export([log/2]).

main([Ebin]) ->
    true = code:add_patha(Ebin),
    ok = logger:add_handler(observer, ?MODULE, #{config => self()}),
    ok = logger:remove_handler(default),
    ok = application:load(thread_ring),
    %% The ring has enough hops to be busy until long after the end of this test.
    ok = application:set_env(thread_ring, arguments, [<<"5">>, <<"1000000000">>]),
    ok = application:start(thread_ring),
    Before = whereis(chain_3),
    Others = [whereis(N) || N <- [chain_0, chain_1, chain_2, chain_4, aggregator]],
    Monitor = monitor(process, Before),
    %% This is more hops than the token can have by now.
    ok = gen_server:cast(chain_3, {token, 99999999999}),
    receive {'DOWN', Monitor, process, Before, {Reason, _}} -> say(reason, Reason)
    after ?PATIENCE -> halt(1) end,
    say(crash_report, report({proc_lib, crash})),
    say(server_report, report({gen_server, terminate})),
    say(supervisor_report, report({supervisor, child_terminated})),
    After = restarted(Before, 2400),
    say(restarted, is_pid(After) andalso After =/= Before),
    say(others_alive, lists:all(fun is_process_alive/1, Others)),
    {status, After, _, [_, _, _, _, Shown]} = sys:get_status(After),
    say(shown_state, Shown),
    init:stop().

%% The callback of the `logger` handler.
log(#{msg := {report, #{label := Label} = Report}} = Event, #{config := Pid}) ->
    Pid ! {Label, text(Event, Report)};
log(_, _) ->
    ok.

text(#{meta := #{report_cb := Format}}, Report) when is_function(Format, 2) ->
    unicode:characters_to_binary(Format(Report, #{single_line => true, depth => unlimited, chars_limit => unlimited}));
text(#{meta := #{report_cb := Format}}, Report) ->
    {Text, Arguments} = Format(Report),
    unicode:characters_to_binary(io_lib:format(Text, Arguments)).

report(Label) ->
    receive {Label, Text} -> Text after ?PATIENCE -> halt(1) end.

restarted(_, 0) ->
    undefined;
restarted(Before, Left) ->
    case whereis(chain_3) of
        After when is_pid(After), After =/= Before -> After;
        _ -> timer:sleep(50), restarted(Before, Left - 1)
    end.

say(Key, Value) ->
    io:format("~s=~0tp~n", [Key, Value]).
