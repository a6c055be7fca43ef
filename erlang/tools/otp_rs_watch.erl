%% Runs in the VM of `cargo otp run --watch`, beside the application. It connects to the command by
%% a socket in a folder of the command's own, and upgrades an application when the command announces
%% a new build. It ends with the command.
-module(otp_rs_watch).
-export([main/2]).

%% The maximum number of characters of an unexpected reason.
-define(REASON, 2000).

%% Arguments: the folder that has the socket, and receives the loaded libraries; the folder of each
%% application's modules.
-spec main(file:filename(), [file:filename()]) -> ok.
main(Folder, Ebins) ->
    File = unicode:characters_to_binary(filename:join(Folder, "socket")),
    {ok, Socket} = gen_tcp:connect({local, File}, 0, [local, binary, {packet, 4}, {active, false}]),
    lists:foreach(fun prepare/1, Ebins),
    answer(Socket, Folder).

%% Makes the first upgrade faster. If this fails, the upgrade itself reports the reason.
-spec prepare(file:filename()) -> ok.
prepare(Ebin) ->
    _ = process_flag(priority, low),
    _ = try otp_rs_package:prepare(Ebin, application(Ebin)) catch _:_ -> failed end,
    _ = process_flag(priority, normal),
    ok.

-spec application(file:filename()) -> atom().
application(Ebin) ->
    list_to_atom(filename:basename(filename:dirname(Ebin))).

%% Handles a request: the application, the folder of the build's modules, and the milliseconds that
%% a process may be busy, separated by zeros. The answer is the result on one line, followed by the
%% lines of otp_rs_upgrader, or by the reason of a failure.
-spec answer(gen_tcp:socket(), file:filename()) -> ok.
answer(Socket, Folder) ->
    case gen_tcp:recv(Socket, 0) of
        {ok, Request} ->
            {Outcome, Text} = upgrade(binary:split(Request, <<0>>, [global]), Folder),
            ok = gen_tcp:send(Socket, unicode:characters_to_binary([atom_to_list(Outcome), "\n", Text])),
            answer(Socket, Folder);
        {error, _} ->
            ok
    end.

-spec upgrade([binary()], file:filename()) -> {ok | refused | failed, unicode:chardata()}.
upgrade([Name, Ebin, Timeout], Folder) ->
    try
        Application = binary_to_existing_atom(Name, utf8),
        otp_rs_upgrader:here(Application, unicode:characters_to_list(Ebin), Folder, binary_to_integer(Timeout))
    catch
        Class:Reason -> {failed, io_lib:format("~0tp: ~0tp", [Class, Reason], [{chars_limit, ?REASON}])}
    end.
