%% A server for Redis's protocol in plain Erlang, in the fastest design that we found: a process for
%% each connection, gen_tcp with `{active, N}`, and a public table of ets. It knows GET, SET and
%% PING. For `cargo xtask bench redis`.
-module(redis_plain).
-export([main/0]).

-define(ACTIVE, 100).

main() ->
    [Port] = init:get_plain_arguments(),
    keys = ets:new(keys, [named_table, public, {read_concurrency, true}, {write_concurrency, true}]),
    {ok, Listener} = gen_tcp:listen(list_to_integer(Port), [
        binary,
        {ip, {127, 0, 0, 1}},
        {active, false},
        {nodelay, true},
        {reuseaddr, true},
        {backlog, 1024},
        {buffer, 65536}
    ]),
    accept(Listener).

accept(Listener) ->
    {ok, Socket} = gen_tcp:accept(Listener),
    Pid = spawn(fun() ->
        receive go -> inet:setopts(Socket, [{active, ?ACTIVE}]), serve(Socket, <<>>) end
    end),
    ok = gen_tcp:controlling_process(Socket, Pid),
    Pid ! go,
    accept(Listener).

serve(Socket, Before) ->
    receive
        {tcp, Socket, Data} ->
            All = case Before of <<>> -> Data; _ -> <<Before/binary, Data/binary>> end,
            case commands(All, []) of
                {Replies, Rest} ->
                    _ = Replies =/= [] andalso gen_tcp:send(Socket, lists:reverse(Replies)),
                    serve(Socket, Rest);
                error ->
                    gen_tcp:close(Socket)
            end;
        {tcp_passive, Socket} ->
            inet:setopts(Socket, [{active, ?ACTIVE}]),
            serve(Socket, Before);
        {tcp_closed, Socket} ->
            ok;
        {tcp_error, Socket, _} ->
            gen_tcp:close(Socket)
    end.

%% Returns the replies to all complete commands, and the remaining bytes.
commands(<<>>, Replies) ->
    {Replies, <<>>};
commands(<<"*", Rest/binary>> = All, Replies) ->
    case number(Rest, 0) of
        more -> {Replies, All};
        error -> error;
        {Count, After} ->
            case words(Count, After, []) of
                more -> {Replies, All};
                error -> error;
                {Words, Left} -> commands(Left, [reply(Words) | Replies])
            end
    end;
commands(_, _) ->
    error.

words(0, Rest, Words) ->
    {lists:reverse(Words), Rest};
words(Count, <<"$", Rest/binary>>, Words) ->
    case number(Rest, 0) of
        {Length, After} ->
            case After of
                <<Word:Length/binary, "\r\n", Left/binary>> -> words(Count - 1, Left, [Word | Words]);
                _ -> more
            end;
        Other -> Other
    end;
words(_, <<>>, _) ->
    more;
words(_, _, _) ->
    error.

number(<<Digit, Rest/binary>>, Number) when Digit >= $0, Digit =< $9 -> number(Rest, Number * 10 + Digit - $0);
number(<<"\r\n", Rest/binary>>, Number) -> {Number, Rest};
number(Rest, _) when Rest =:= <<>>; Rest =:= <<"\r">> -> more;
number(_, _) -> error.

reply([Command | Words]) ->
    case {string:uppercase(Command), Words} of
        {<<"GET">>, [Key]} ->
            case ets:lookup(keys, Key) of
                [{_, Value}] -> [<<"$">>, integer_to_binary(byte_size(Value)), <<"\r\n">>, Value, <<"\r\n">>];
                [] -> <<"$-1\r\n">>
            end;
        {<<"SET">>, [Key, Value]} ->
            %% Copies the words, so that a small one does not keep a whole packet in memory.
            ets:insert(keys, {binary:copy(Key), binary:copy(Value)}),
            <<"+OK\r\n">>;
        {<<"PING">>, []} ->
            <<"+PONG\r\n">>;
        _ ->
            [<<"-ERR unknown command '">>, Command, <<"'\r\n">>]
    end.
