#!/usr/bin/env escript
%% Sends forged answers to processes of the application `tasks`. Prints one `key=term` per line.
%% Real answers have a reference that no other process knows. Other messages to tasks are dropped.
-mode(compile).
-include("observe.hrl").

main([Ebin]) ->
    begin_with(tasks, Ebin),
    {ok, Owner} = owner:start_link({}, []),
    Call = gen_server:send_request(Owner, {beside, self(), 200}),
    timer:sleep(50),
    forge(Owner),
    strange(Owner),
    say(not_forged, gen_server:wait_response(Call, ?PATIENCE)),
    forge(Owner),
    say(not_forged_in_a_task, receive {returned, Returned} -> Returned after ?PATIENCE -> gave_up(forged, Owner) end),
    forge(Owner),
    strange(Owner),
    say(forged_serves, call(Owner, ping)),
    {ok, Other} = lamp:start_link({}, []),
    forge(Other),
    say(forged_machine, element(1, sys:get_state(Other, ?PATIENCE))),
    init:stop().

%% The numbers of operations can be guessed: they consist of the number of earlier operations, and
%% the index among the pending ones.
forge(Process) ->
    _ = [Process ! {'$otp_rs', Count bsl 24 + Index, {ok, forged}} || Count <- lists:seq(0, 9), Index <- lists:seq(0, 3)],
    _ = [Process ! {'$otp_rs', Word} || Word <- [wake, tasks, x, 1, make_ref(), self(), {alone, x, y}]],
    _ = [Process ! {'$otp_rs', to, Number, x} || Number <- [0, 1, 7, -1, x, 1 bsl 70, make_ref()]],
    _ = [Process ! Message || Message <- [{'$otp_rs'}, {'$otp_rs', 1, x}, {'$otp_rs', 1, x, y, z}, {timeout, make_ref(), '$otp_rs'}]],
    ok.

%% If there is no such operation, these are messages of another process.
strange(Process) ->
    _ = [Process ! Message || Message <- [{[alias | make_ref()], forged}, {[alias | x], forged}, {timeout, x, '$otp_rs'},
        {'DOWN', make_ref(), process, self(), {'$otp_rs', {ok, forged}}}, {'DOWN', x, process, x, x}]],
    ok.
