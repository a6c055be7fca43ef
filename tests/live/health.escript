#!/usr/bin/env escript
%% Lets the application `health` watch a port that is opened and closed: one `key=term` a line. Each
%% wait ends after ten seconds.
-mode(compile).

main([Ebin]) ->
    true = code:add_patha(Ebin),
    ok = logger:remove_handler(default),
    {ok, Socket} = gen_tcp:listen(0, [{ip, {127, 0, 0, 1}}]),
    {ok, Port} = inet:port(Socket),
    Address = iolist_to_binary(io_lib:format("127.0.0.1:~b", [Port])),
    ok = application:load(health),
    ok = application:set_env(health, arguments, [Address]),
    {ok, _} = application:ensure_all_started(health),
    say(listening, becomes(Address, up)),
    ok = gen_tcp:close(Socket),
    say(closed, becomes(Address, down)),
    ok = application:stop(health),
    init:stop().

becomes(Address, Wanted) -> becomes(Address, Wanted, 500).

becomes(_, _, 0) -> gen_server:call(board, all);
becomes(Address, Wanted, Times) ->
    case gen_server:call(board, all) of
        [{Address, Wanted}] -> Wanted;
        _ -> timer:sleep(20), becomes(Address, Wanted, Times - 1)
    end.

say(Key, Value) -> io:format("~s=~0tp~n", [Key, Value]).
