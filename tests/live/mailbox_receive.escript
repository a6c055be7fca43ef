#!/usr/bin/env escript
%% Makes a server of the application `mailbox` receive messages in its callbacks. Prints one
%% `key=term` per line.
-mode(compile).
-include("observe.hrl").

main([Ebin]) ->
    begin_with(mailbox, Ebin),
    [in_order(How) || How <- [alone, beside]],
    [among_thousands(How) || How <- [alone, beside]],
    [wrong_inside(How) || How <- [alone, beside]],
    [unions(How) || How <- [either, either_beside]],
    several(),
    limits(),
    losers(),
    [wide(How) || How <- [wide, wide_beside]],
    init:stop().

reader() ->
    {ok, Reader} = reader:start_link({}, []),
    Reader.

%% The other messages in the mailbox are handled after the callback, in order.
seen(Reader) -> call(Reader, seen).

named(What, How) -> io_lib:format("~s_~s", [What, How]).

in_order(How) ->
    Reader = reader(),
    Asking = asking(Reader, {How, 3}),
    receiving(Reader),
    [Reader ! Message || Message <- [{other, 1}, {number, 1}, {other, 2}, {number, 2, 2}, {number, 2}, number,
                                     {other, 3}, {number, 3}, {number, 4}, {other, 4}]],
    say(named(in_order, How), answer(Asking)),
    say(named(left, How), seen(Reader)).

%% The messages are in the mailbox before the callback begins to receive.
among_thousands(How) ->
    Reader = reader(),
    ok = sys:suspend(Reader),
    Asking = asking(Reader, {How, 100}),
    until(fun() -> process_info(Reader, message_queue_len) =:= {message_queue_len, 1} end),
    [begin Reader ! {other, N}, N rem 200 =:= 0 andalso (Reader ! {number, N}) end || N <- lists:seq(1, 20000)],
    ok = sys:resume(Reader),
    {ok, Numbers} = answer(Asking),
    say(named(thousands, How), Numbers =:= lists:seq(200, 20000, 200)),
    say(named(thousands_left, How), seen(Reader) =:= [{other, N} || N <- lists:seq(1, 20000)]).

wrong_inside(How) ->
    Reader = reader(),
    Asking = asking(Reader, {How, 1}),
    receiving(Reader),
    Reader ! {other, 1},
    Reader ! {number, one},
    Reader ! {number, 2},
    {exit, {{{bad_term, Wrong}, _}, _}} = answer(Asking),
    say(named(wrong_inside, How), lists:sort(maps:to_list(Wrong))),
    {{bad_term, _}, _} = exit_of(Reader).

unions(How) ->
    Reader = reader(),
    Asking = asking(Reader, {How, 4}),
    receiving(Reader),
    [Reader ! Message || Message <- [{word, one}, {other, 1}, {number, 2}, stop, {word, two}, {number, 3}]],
    say(How, answer(Asking)),
    say([atom_to_list(How), "_left"], seen(Reader)).

several() ->
    Reader = reader(),
    Both = asking(Reader, both),
    receiving(Reader),
    Reader ! {word, first},
    Reader ! {word, second},
    Reader ! {number, 1},
    say(both, answer(Both)),
    Two = asking(Reader, two),
    receiving(Reader),
    Reader ! {number, 1},
    Reader ! {number, 2},
    Reader ! {number, 3},
    say(two, answer(Two)),
    say(several_left, seen(Reader)).

limits() ->
    Reader = reader(),
    Reader ! {other, 1},
    say(within, call(Reader, within)),
    say(limited, call(Reader, limited)),
    say(limits_left, seen(Reader)).

%% Another future is ready in the same poll, and is polled first.
losers() ->
    Reader = reader(),
    Loses = asking(Reader, loses),
    receiving(Reader),
    [Reader ! Message || Message <- [{other, 1}, {number, 1}, {other, 2}, {number, 2}]],
    say(loses, answer(Loses)),
    say(loses_left, seen(Reader)),
    Alone = asking(Reader, loses_alone),
    receiving(Reader),
    Reader ! {number, 3},
    say(loses_alone, answer(Alone)),
    say(loses_alone_left, seen(Reader)),
    Kept = asking(Reader, kept),
    receiving(Reader),
    [Reader ! {number, N} || N <- [4, 5, 6]],
    say(kept, answer(Kept)),
    say(kept_left, seen(Reader)).

wide(How) ->
    Reader = reader(),
    Asking = asking(Reader, How),
    receiving(Reader),
    Reader ! #{any => thing},
    say(How, answer(Asking)).

%% Waits until the process waits for a message.
receiving(Pid) ->
    until(fun() ->
        {current_function, {Module, Function, _}} = process_info(Pid, current_function),
        lists:member({Module, Function}, [{mailbox_nif, take}, {prim_eval, 'receive'}])
            andalso process_info(Pid, status) =:= {status, waiting}
    end).
