%% Responses and access control of the page's server. A browser opens the address with a command's
%% token, which works once, and receives a session. Everything else requires this session, below a
%% folder with a secret name: a browser sends its cookies to every port of a machine, but only to
%% the folder that they are for.
-module(otp_rs_observer_site).
-export([new/1, let_in/2, keep_out/2, answer/2]).
-export_type([site/0]).

%% Milliseconds between two signs of life of a stream.
-define(ALIVE, 15000).

-type order() :: #{
    port := inet:port_number(),
    pages := #{binary() => {Type :: binary(), Content :: binary()}},
    sampler := pid()
}.
%% A viewer: the folder of its command's page, its secrets, whether its address was used, and
%% whether processes may be changed.
-type viewer() :: {
    Folder :: binary(), Token :: binary(), Session :: binary(), Uses :: atomics:atomics_ref(), MayWrite :: boolean()
}.
-opaque site() :: {order(), Viewers :: ets:tid()}.

%% The table belongs to the caller.
-spec new(order()) -> site().
new(Order) ->
    {Order, ets:new(?MODULE, [{read_concurrency, true}])}.

-spec let_in(#{folder := binary(), token := binary(), session := binary(), may_write := boolean(), _ => _}, site()) -> ok.
let_in(#{folder := Folder, token := Token, session := Session, may_write := MayWrite}, {_, Viewers}) ->
    true = ets:insert(Viewers, {Folder, Token, Session, atomics:new(1, []), MayWrite}),
    ok.

%% Removes a viewer. The pages in that folder end at the next event.
-spec keep_out(binary(), site()) -> ok.
keep_out(Folder, {_, Viewers}) ->
    true = ets:delete(Viewers, Folder),
    ok.

%% Answers a request. A request with another host name may come from a page whose own name resolves
%% to this machine (DNS rebinding). A request from another page has another origin, or the browser
%% marks it as cross-site. Only the address that the command has printed may be a link on another
%% page.
-spec answer(otp_rs_observer_http:request(), site()) -> otp_rs_observer_http:response().
answer(#{method := Method, headers := Headers} = Request, {#{port := Port}, _} = Site) ->
    Host = maps:get(<<"host">>, Headers, <<>>),
    Hosts = [<<Name/binary, $:, (integer_to_binary(Port))/binary>> || Name <- [<<"127.0.0.1">>, <<"localhost">>]],
    Own = <<"http://", Host/binary>>,
    IsForeign = is_foreign(Request),
    case {lists:member(Host, Hosts), maps:get(<<"origin">>, Headers, none), Method} of
        {false, _, _} -> text(421, "This server has another name.");
        {true, none, 'GET'} when not IsForeign -> named(Request, Site);
        {true, Own, 'GET'} when not IsForeign -> named(Request, Site);
        {true, Own, 'POST'} when not IsForeign -> named(Request, Site);
        {true, _, Other} when Other =:= 'GET'; Other =:= 'POST' -> text(403, "This is asked from another page.");
        {true, _, _} -> text(405, "Only GET and POST are served.")
    end.

-spec is_foreign(otp_rs_observer_http:request()) -> boolean().
is_foreign(#{headers := #{<<"sec-fetch-mode">> := <<"navigate">>}, method := 'GET', path := <<"/">>}) -> false;
is_foreign(#{headers := #{<<"sec-fetch-site">> := From}}) -> not lists:member(From, [<<"same-origin">>, <<"none">>]);
is_foreign(#{}) -> false.

-spec named(otp_rs_observer_http:request(), site()) -> otp_rs_observer_http:response().
named(#{method := 'GET', path := <<"/">>, query := Query}, Site) ->
    entered(parameters(Query), Site);
named(#{path := <<$/, Path/binary>>, headers := Headers} = Request, {Order, Viewers} = Site) ->
    Given = cookie(maps:get(<<"cookie">>, Headers, <<>>), name(Order)),
    case binary:split(Path, <<"/">>) of
        [Folder, Name] ->
            case ets:lookup(Viewers, Folder) of
                [{_, _, Session, _, _} = Viewer] ->
                    case is_equal(Given, Session) of
                        true -> inside(Name, Request, Viewer, Site);
                        false -> nobody()
                    end;
                [] -> nobody()
            end;
        [_] -> nobody()
    end.

-spec nobody() -> otp_rs_observer_http:response().
nobody() ->
    text(403, "Open the address that `cargo otp observe` has printed.").

%% The page that sets the session redirects by a refresh, because a browser does not send a cookie
%% of this kind with a redirection that another page has begun, for example by a link to the
%% address.
-spec entered(#{binary() => binary()}, site()) -> otp_rs_observer_http:response().
entered(#{<<"token">> := Given}, {Order, Viewers}) ->
    case [Viewer || {_, Token, _, _, _} = Viewer <- ets:tab2list(Viewers), is_equal(Given, Token)] of
        [Viewer] -> entering(Viewer, Order);
        [] -> text(403, "This is not the address that `cargo otp observe` has printed.")
    end;
entered(_, _) ->
    nobody().

-spec entering(viewer(), order()) -> otp_rs_observer_http:response().
entering({Folder, _, Session, Uses, _}, Order) ->
    case atomics:compare_exchange(Uses, 1, 0, 1) of
        ok ->
            Cookie = [name(Order), $=, Session, "; Path=/", Folder, "/; HttpOnly; SameSite=Strict"],
            Page = ["<!doctype html><meta charset=utf-8><meta http-equiv=refresh content=\"0;url=/", Folder, "/\">"
                "<title>Observer</title><p><a href=\"/", Folder, "/\">Go on</a>"],
            {200, [{<<"Set-Cookie">>, Cookie}], <<"text/html; charset=utf-8">>, Page};
        _ ->
            text(403, "This address was used, which is possible once. Start `cargo otp observe` again for another one.")
    end.

%% Two observers on one machine have two cookies.
-spec name(order()) -> binary().
name(#{port := Port}) ->
    <<"otp_rs_observe_", (integer_to_binary(Port))/binary>>.

-spec inside(binary(), otp_rs_observer_http:request(), viewer(), site()) -> otp_rs_observer_http:response().
inside(<<"events">>, #{method := 'GET'}, {Folder, _, _, _, _}, {#{sampler := Sampler}, Viewers}) ->
    case otp_rs_observer_sampler:subscribe(Sampler) of
        ok -> {stream, fun(Socket) -> stream(Socket, Sampler, fun() -> ets:member(Viewers, Folder) end) end};
        {error, full} -> text(503, "The page is open too many times.")
    end;
inside(<<"process">>, #{method := 'GET', query := Query}, _, {#{sampler := Sampler}, _}) ->
    case parameters(Query) of
        #{<<"pid">> := Text, <<"since">> := Since} ->
            json(otp_rs_observer_process:details(Text, Since, otp_rs_observer_sampler:questions(Sampler)));
        _ -> text(400, "Which process?")
    end;
inside(<<"action">>, #{method := 'POST'}, {_, _, _, _, false}, _) ->
    text(403, "Nothing is changed: `cargo otp observe --write` allows it.");
inside(<<"action">>, #{method := 'POST', body := Body}, _, _) ->
    case otp_rs_observer_action:perform(parameters(Body)) of
        {ok, Text} -> json(#{done => Text});
        {error, Why} -> text(409, Why)
    end;
inside(Name, #{method := 'GET'}, {_, _, _, _, MayWrite}, {#{pages := Pages}, _}) ->
    case Pages of
        #{Name := {Type, Content}} -> {200, [], Type, Content};
        _ when Name =:= <<"about">> -> json(#{node => node(), may_write => MayWrite});
        _ -> text(404, "There is no such page.")
    end;
inside(_, _, _, _) ->
    text(404, "There is no such page.").

%% Sends events until the browser or its command is gone. The sampler sends the next event when this
%% one has been sent: if a browser does not read, its connection is closed after a timeout.
-spec stream(gen_tcp:socket(), pid(), fun(() -> boolean())) -> ok.
stream(Socket, Sampler, MayStay) ->
    _ = inet:setopts(Socket, [{active, once}]),
    Sent =
        receive
            {event, Event} -> otp_rs_observer_http:send_event(Socket, {data, Event});
            {tcp, Socket, _} -> ok;
            {tcp_closed, Socket} -> closed;
            {tcp_error, Socket, _} -> closed
        after ?ALIVE -> otp_rs_observer_http:send_event(Socket, alive)
        end,
    case Sent =:= ok andalso MayStay() of
        true ->
            otp_rs_observer_sampler:ready(Sampler),
            stream(Socket, Sampler, MayStay);
        false ->
            ok
    end.

-spec parameters(binary()) -> #{binary() => binary()}.
parameters(Query) ->
    case uri_string:dissect_query(Query) of
        Parameters when is_list(Parameters) -> maps:from_list([{Key, Value} || {Key, Value} <- Parameters, is_binary(Value)]);
        {error, _, _} -> #{}
    end.

-spec cookie(binary(), binary()) -> binary().
cookie(Header, Name) ->
    Size = byte_size(Name),
    Cookies = [string:trim(Cookie) || Cookie <- binary:split(Header, <<";">>, [global])],
    iolist_to_binary([Value || <<Key:Size/binary, $=, Value/binary>> <- Cookies, Key =:= Name]).

%% Compares in a time that does not reveal where two texts differ.
-spec is_equal(binary(), binary()) -> boolean().
is_equal(One, Other) when byte_size(One) =:= byte_size(Other) ->
    0 =:= lists:foldl(fun({A, B}, Before) -> Before bor (A bxor B) end, 0, lists:zip(binary_to_list(One), binary_to_list(Other)));
is_equal(_, _) ->
    false.

-spec json(otp_rs_observer_json:json()) -> otp_rs_observer_http:response().
json(Json) ->
    {200, [], <<"application/json">>, otp_rs_observer_json:encode(Json)}.

-spec text(200..599, iodata()) -> otp_rs_observer_http:response().
text(Status, Text) ->
    {Status, [], <<"text/plain; charset=utf-8">>, [Text, $\n]}.
