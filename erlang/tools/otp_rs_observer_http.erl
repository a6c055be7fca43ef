%% A server of HTTP/1.1 on the loopback address: one request for each connection, and limits on
%% everything. otp_rs_observer_site decides the responses.
-module(otp_rs_observer_http).
-export([listen/1, accept/2, send_event/2]).
-export_type([request/0, response/0]).

%% The maximum number of connections at a time.
-define(CONNECTIONS, 32).
%% Maximum bytes of a request line with all headers, and of a body.
-define(HEAD, 16384).
-define(BODY, 4096).
%% Milliseconds until a whole request has arrived, and until a response has been sent.
-define(RECEIVE, 5000).
-define(SEND, 5000).
%% Maximum bytes that wait for a browser in the system, and in the VM.
-define(BUFFER, 65536).
%% Maximum bytes of a refused request that are read, and milliseconds between two of them.
-define(DRAINED, 1000000).
-define(DRAIN, 200).

%% Names of headers are in lower case.
-type request() :: #{
    method := atom() | binary(), path := binary(), query := binary(), headers := #{binary() => binary()}, body := binary()
}.
%% A body of a media type, or a stream that lasts until the browser closes it: the function receives
%% the socket after the head was sent.
-type response() ::
    {Status :: 200..599, [{Name :: iodata(), Value :: iodata()}], Type :: iodata(), Body :: iodata()}
    | {stream, fun((gen_tcp:socket()) -> ok)}.

-spec listen(inet:port_number()) -> {ok, gen_tcp:socket()} | {error, inet:posix()}.
listen(Port) ->
    gen_tcp:listen(Port, [
        binary, {active, false}, {packet, raw}, {ip, {127, 0, 0, 1}}, {reuseaddr, true}, {backlog, ?CONNECTIONS}, {nodelay, true},
        {send_timeout, ?SEND}, {send_timeout_close, true}, {sndbuf, ?BUFFER}, {high_watermark, ?BUFFER}, {low_watermark, ?BUFFER div 2}
    ]).

%% Accepts connections until the listening socket is closed. They end with this process.
-spec accept(gen_tcp:socket(), fun((request()) -> response())) -> no_return().
accept(Listener, Answer) ->
    process_flag(trap_exit, true),
    accept(Listener, Answer, #{}).

%% The state of a connection: its request has arrived, or it is waiting since this time.
-type connections() :: #{pid() => served | {waiting, integer()}}.

-spec accept(gen_tcp:socket(), fun((request()) -> response()), connections()) -> no_return().
accept(Listener, Answer, Open) ->
    case gen_tcp:accept(Listener) of
        {ok, Socket} ->
            accept(Listener, Answer, connect(Socket, Answer, changed(Open)));
        {error, Reason} when Reason =:= emfile; Reason =:= enfile; Reason =:= econnaborted ->
            timer:sleep(100),
            accept(Listener, Answer, Open);
        {error, _} ->
            exit(shutdown)
    end.

-spec changed(connections()) -> connections().
changed(Open) ->
    receive
        {'EXIT', Connection, _} -> changed(maps:remove(Connection, Open));
        {served, Connection} when is_map_key(Connection, Open) -> changed(Open#{Connection := served});
        %% Other processes have no reason to send a message.
        _ -> changed(Open)
    after 0 -> Open
    end.

%% Adds a connection. Connections whose requests do not arrive are closed to make room, the oldest
%% one first.
-spec connect(gen_tcp:socket(), fun((request()) -> response()), connections()) -> connections().
connect(Socket, Answer, Open) when map_size(Open) >= ?CONNECTIONS ->
    case lists:sort([{Since, Connection} || {Connection, {waiting, Since}} <- maps:to_list(Open)]) of
        [{_, Oldest} | _] ->
            true = exit(Oldest, kill),
            connect(Socket, Answer, maps:remove(Oldest, Open));
        [] ->
            gen_tcp:close(Socket),
            Open
    end;
connect(Socket, Answer, Open) ->
    Server = self(),
    Connection = spawn_link(fun() -> receive go -> serve(Socket, Server, Answer) end end),
    _ = gen_tcp:controlling_process(Socket, Connection),
    Connection ! go,
    Open#{Connection => {waiting, erlang:unique_integer([monotonic])}}.

-spec serve(gen_tcp:socket(), pid(), fun((request()) -> response())) -> ok.
serve(Socket, Server, Answer) ->
    case head(Socket, <<>>, now_ms() + ?RECEIVE) of
        {ok, Request} ->
            Server ! {served, self()},
            respond(Socket, Answer(Request));
        {refused, Status} ->
            respond(Socket, {Status, [], <<"text/plain">>, <<"This request is not understood.\n">>}),
            _ = gen_tcp:shutdown(Socket, write),
            drain(Socket, ?DRAINED, now_ms() + ?RECEIVE);
        closed -> ok
    end,
    gen_tcp:close(Socket).

%% Reads the rest of a request. Otherwise the response could be lost, because a socket that is
%% closed with unread data is reset.
-spec drain(gen_tcp:socket(), integer(), integer()) -> ok.
drain(Socket, Left, Deadline) ->
    case gen_tcp:recv(Socket, 0, max(0, min(?DRAIN, Deadline - now_ms()))) of
        {ok, Bytes} when byte_size(Bytes) < Left -> drain(Socket, Left - byte_size(Bytes), Deadline);
        _ -> ok
    end.

-spec respond(gen_tcp:socket(), response()) -> ok.
respond(Socket, {Status, Headers, Type, Body}) ->
    Length = integer_to_binary(iolist_size(Body)),
    All = [{<<"Content-Type">>, Type}, {<<"Content-Length">>, Length} | Headers],
    _ = gen_tcp:send(Socket, [first(Status, All), Body]),
    ok;
respond(Socket, {stream, Go}) ->
    case gen_tcp:send(Socket, first(200, [{<<"Content-Type">>, <<"text/event-stream">>}])) of
        ok -> Go(Socket);
        {error, _} -> ok
    end.

%% Sends an event of a stream (server-sent events): a text on one line, or a sign of life.
-spec send_event(gen_tcp:socket(), {data, iodata()} | alive) -> ok | {error, term()}.
send_event(Socket, {data, Line}) -> gen_tcp:send(Socket, [<<"data: ">>, Line, <<"\n\n">>]);
send_event(Socket, alive) -> gen_tcp:send(Socket, <<":\n\n">>).

%% Returns the status line and headers. All responses forbid the browser everything that such a page
%% does not need.
-spec first(200..599, [{iodata(), iodata()}]) -> iodata().
first(Status, Headers) ->
    Own = [
        {<<"Connection">>, <<"close">>},
        {<<"Cache-Control">>, <<"no-store">>},
        {<<"X-Content-Type-Options">>, <<"nosniff">>},
        {<<"Referrer-Policy">>, <<"no-referrer">>},
        {<<"Cross-Origin-Opener-Policy">>, <<"same-origin">>},
        {<<"Cross-Origin-Resource-Policy">>, <<"same-origin">>},
        {<<"Content-Security-Policy">>, <<
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; "
            "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
        >>}
    ],
    Line = [<<"HTTP/1.1 ">>, integer_to_binary(Status), $\s, reason(Status), <<"\r\n">>],
    [Line, [[Name, <<": ">>, Value, <<"\r\n">>] || {Name, Value} <- Headers ++ Own], <<"\r\n">>].

-spec reason(200..599) -> binary().
reason(200) -> <<"OK">>;
reason(400) -> <<"Bad Request">>;
reason(403) -> <<"Forbidden">>;
reason(404) -> <<"Not Found">>;
reason(405) -> <<"Method Not Allowed">>;
reason(409) -> <<"Conflict">>;
reason(413) -> <<"Content Too Large">>;
reason(421) -> <<"Misdirected Request">>;
reason(431) -> <<"Request Header Fields Too Large">>;
reason(503) -> <<"Service Unavailable">>.

-spec head(gen_tcp:socket(), binary(), integer()) -> {ok, request()} | {refused, 400..599} | closed.
head(Socket, Before, Deadline) ->
    case binary:split(Before, <<"\r\n\r\n">>) of
        [Head | _] when byte_size(Head) > ?HEAD -> {refused, 431};
        [Head, Body] -> request(erlang:decode_packet(http_bin, <<Head/binary, "\r\n\r\n">>, []), Body, {Socket, Deadline});
        [_] -> more(Socket, Before, Deadline, fun(All) -> head(Socket, All, Deadline) end)
    end.

-spec more(gen_tcp:socket(), binary(), integer(), fun((binary()) -> Result)) -> Result | closed.
more(Socket, Before, Deadline, Next) ->
    case gen_tcp:recv(Socket, 0, max(0, Deadline - now_ms())) of
        {ok, Bytes} -> Next(<<Before/binary, Bytes/binary>>);
        {error, _} -> closed
    end.

request({ok, {http_request, Method, {abs_path, Target}, {1, Minor}}, Rest}, Body, From) when Minor =:= 0; Minor =:= 1 ->
    case headers(erlang:decode_packet(httph_bin, Rest, []), #{}) of
        {ok, Headers} ->
            [Path | Query] = binary:split(Target, <<"?">>),
            Request = #{method => Method, path => Path, query => iolist_to_binary(Query), headers => Headers},
            body(length_of(Headers), Body, Request, From);
        error ->
            {refused, 400}
    end;
request(_, _, _) ->
    {refused, 400}.

%% A repeated header would be ambiguous.
headers({ok, http_eoh, _}, Headers) ->
    {ok, Headers};
headers({ok, {http_header, _, Name, _, Value}, Rest}, Headers) ->
    Key = string:lowercase(name(Name)),
    case is_map_key(Key, Headers) of
        true -> error;
        false -> headers(erlang:decode_packet(httph_bin, Rest, []), Headers#{Key => Value})
    end;
headers(_, _) ->
    error.

-spec name(atom() | binary()) -> binary().
name(Name) when is_atom(Name) -> atom_to_binary(Name);
name(Name) -> Name.

-spec length_of(#{binary() => binary()}) -> non_neg_integer() | error.
length_of(#{<<"transfer-encoding">> := _}) ->
    error;
length_of(#{<<"content-length">> := Length}) ->
    try binary_to_integer(Length) of
        Bytes when Bytes >= 0, Bytes =< ?BODY -> Bytes;
        _ -> error
    catch
        error:badarg -> error
    end;
length_of(_) ->
    0.

body(error, _, _, _) ->
    {refused, 413};
body(Length, Body, Request, _) when byte_size(Body) >= Length ->
    {ok, Request#{body => binary:part(Body, 0, Length)}};
body(Length, Body, Request, {Socket, Deadline} = From) ->
    more(Socket, Body, Deadline, fun(All) -> body(Length, All, Request, From) end).

-spec now_ms() -> integer().
now_ms() ->
    erlang:monotonic_time(millisecond).
