#!/usr/bin/env escript
%% Makes threads of the application `mailbox` call processes. Prints one `key=term` per line.
-mode(compile).
-include("observe.hrl").

main([Ebin]) ->
    begin_with(mailbox, Ebin),
    {ok, Board} = switchboard:start_link(100, []),
    answered(Board),
    fails(Board),
    bounded(),
    told(),
    ends(),
    init:stop().

%% A server whose replies are 1, sent as `Answer` does it.
server(Answer) -> spawn(fun() -> serve(Answer) end).

serve(Answer) ->
    receive
        {'$gen_call', From, count} -> Answer(From), serve(Answer);
        stop -> ok
    end.

answered(Board) ->
    Server = server(fun(From) -> gen_server:reply(From, 1) end),
    say(many, call(Board, {many, Server, 8, 500})),
    say(none_left, call(Board, outstanding)),
    %% Messages of other processes are not taken for an answer.
    Forger = server(fun({Client, _} = From) ->
        Client ! {make_ref(), 666},
        Client ! {[alias | make_ref()], 666},
        Client ! {'$otp_rs', to, 0, make_ref()},
        Client ! {'$otp_rs', wake},
        gen_server:reply(From, 7)
    end),
    say(forged, call(Board, {ask, Forger})),
    say(applied, call(Board, {apply, <<"four">>})),
    %% If a server replies and ends, its caller gets the reply.
    Last = server(fun(From) -> gen_server:reply(From, 5), exit(gone) end),
    say(last_words, call(Board, {ask, Last})),
    say(held, element(1, call(Board, held))).

fails(Board) ->
    Dead = server(fun(_) -> ok end),
    exit(Dead, kill),
    until(fun() -> not is_process_alive(Dead) end),
    say(not_there, element(1, call(Board, {ask, Dead}))),
    Dies = server(fun(_) -> exit(in_the_middle) end),
    say(dies, element(1, call(Board, {ask, Dies}))),
    Killed = server(fun(_) -> exit(self(), kill) end),
    %% Calls after its end fail with `noproc`.
    say(killed, lists:member(element(1, call(Board, {many, Killed, 8, 10})), [killed, noproc])),
    Silent = server(fun(_) -> ok end),
    say(late, element(1, call(Board, {within, Silent, 20}))),
    Wrong = server(fun(From) -> gen_server:reply(From, many) end),
    say(wrong, element(1, call(Board, {ask, Wrong}))),
    %% Dropped calls leave nothing behind.
    say(dropped, call(Board, {dropped, Silent, 50})),
    until(fun() -> call(Board, outstanding) =:= 0 end),
    say(left_behind, process_info(Board, [monitors, messages])).

bounded() ->
    {ok, Board} = switchboard:start_link(2, []),
    Slow = server(fun(From) -> timer:sleep(200), gen_server:reply(From, 1) end),
    say(crowd, call(Board, {crowd, Slow})),
    say(crowd_left, call(Board, outstanding)).

told() ->
    {ok, Board} = switchboard:start_link(1000, []),
    say(tell, call(Board, {tell, self(), 200})),
    say(told, [receive {'$gen_cast', {number, N}} -> N after ?PATIENCE -> gave_up(told, N) end || N <- lists:seq(0, 199)]
        =:= lists:seq(0, 199)).

%% The process of the client ends while its calls are waiting.
ends() ->
    {ok, Board} = switchboard:start_link(100, []),
    {ok, Other} = switchboard:start_link(100, []),
    Observer = self(),
    Silent = server(fun(_) -> Observer ! asked end),
    unlink(Other),
    Asking = asking(Board, {ask_other, Silent}),
    receive asked -> ok end,
    exit(Other, kill),
    say(client_ends, answer(Asking)),
    say(client_has_ended, call(Board, {ask_other, Silent})).
