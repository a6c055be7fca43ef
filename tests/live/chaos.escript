#!/usr/bin/env escript
%% Ends servers of the application `chaos` at random points. Prints for each kind of end the number
%% of checks and the wrong ones, one `key=term` per line.
-mode(compile).
-include("chaos.hrl").

main([Ebin]) ->
    begin_with(chaos, Ebin),
    ok = distributed(),
    %% The processes that OTP starts for the first node stay.
    [] = wrong(lost_node(Ebin, 1)),
    Before = erlang:system_info(process_count),
    Root = [whereis(Name) || Name <- [clerk, brood]],
    [begin
        Checks = Run(),
        say(Key, length(Checks)),
        say([atom_to_list(Key), "_wrong"], lists:sublist(wrong(Checks), 5))
    end || {Key, Run} <- [
        {walks, fun walks/0},
        {long_walks, fun() -> long_walks(200) end},
        {holds, fun holds/0},
        {answers, fun answers/0},
        {dropped, fun dropped/0},
        {children, fun() -> children(300) end},
        {resources, fun() -> resources(300) end},
        {timers, fun() -> timers(50) end},
        {mailbox_answered, fun() -> mailbox(100000, answered) end},
        {mailbox_killed, fun() -> mailbox(100000, killed) end},
        {crowd, fun() -> crowd(100000) end},
        {lost_node, fun() -> lost_node(Ebin, 20) end}
    ]],
    settled(Before),
    say(settled, true),
    say(same_root, Root =:= [whereis(Name) || Name <- [clerk, brood]]),
    init:stop().
