#!/usr/bin/env escript
%% Makes a server of the application `functions` call OTP's functions through their bindings. Prints
%% one `key=term` per line. Each wait ends after two minutes.
-mode(compile).
-define(PATIENCE, 120000).

main([Ebin]) ->
    true = code:add_patha(Ebin),
    {ok, _} = application:ensure_all_started(functions),
    Folder = filename:join("/tmp", "otp_rs_functions_" ++ os:getpid()),
    ok = file:make_dir(Folder),
    said(ets),
    said(file, {file, list_to_binary(Folder)}),
    ok = file:del_dir(Folder),
    said(timer),
    timer:sleep(50),
    say(timer_messages, gen_server:call(caller, seen)),
    said(tcp),
    said(persistent_term),
    say(persistent_term_left, persistent_term:get({<<"functions">>, 1}, none)),
    said(others),
    said(first),
    said(written),
    said(corrected),
    opaque(),
    sockets(),
    #{modules := Modules} = gen_server:call(caller, examples),
    [example(Module) || Module <- Modules],
    init:stop().

%% An iterator has the form of the release for which the bindings were generated. Any other form is
%% refused.
opaque() ->
    #{first := First} = Answers = gen_server:call(caller, opaque),
    Refused = case First of
        {bad_term, #{expected := <<"maybe_improper_list(term(), term())">>}} -> true;
        1 -> false
    end,
    IsList = is_list(gb_sets:iterator(gb_sets:new())),
    told(opaque, Answers#{first := Refused =:= not IsList}).

%% Two clients connect, one after the other. Then the server closes the socket on which it waits.
sockets() ->
    Port = gen_server:call(acceptor, listens_on),
    say(socket_welcomed, [welcomed(Port), welcomed(Port)]),
    say(socket_beside, gen_server:call(acceptor, connect)),
    acceptor_still_is(gen_server:call(acceptor, accepted)),
    gen_server:cast(acceptor, close),
    say(socket_accepted, ended(50)),
    Before = whereis(acceptor),
    Monitor = monitor(process, Before),
    acceptor ! {'$socket', forged, select, forged},
    receive {'DOWN', Monitor, process, _, Reason} -> say(socket_forged, element(1, element(1, Reason))) after ?PATIENCE -> say(socket_forged, alive) end.

acceptor_still_is({2, []}) -> ok.

welcomed(Port) ->
    {ok, Socket} = gen_tcp:connect({127, 0, 0, 1}, Port, [binary, {active, false}]),
    {ok, Text} = gen_tcp:recv(Socket, 7, 5000),
    ok = gen_tcp:close(Socket),
    Text.

%% The message about the end arrives a little after the end.
ended(0) -> gen_server:call(acceptor, accepted);
ended(Tries) ->
    case gen_server:call(acceptor, accepted) of
        {_, []} -> timer:sleep(100), ended(Tries - 1);
        Other -> Other
    end.

%% An example that fails ends the server, so the call fails as well.
example(Module) ->
    Example = fun() -> gen_server:call(caller, {example, Module}, 30000) end,
    try Example() of
        #{done := Module} -> say(["example_", Module], ok)
    catch
        _:Reason -> say(["example_", Module], Reason)
    end.

said(Request) -> said(Request, Request).

said(Name, Request) -> told(Name, gen_server:call(caller, Request)).

told(Name, Answers) ->
    [say(io_lib:format("~s_~s", [Name, Key]), Value) || {Key, Value} <- maps:to_list(Answers)].

say(Key, Value) -> io:format("~s=~0tp~n", [Key, Value]).
