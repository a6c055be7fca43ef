%% Connects a separate VM to a running node, which a module of `cargo otp` then asks. The node needs
%% only OTP.
-module(otp_rs_node).
-export([ask/3, say/1, end_with_command/0]).

%% Exit codes.
-define(UNREACHABLE, 3).

%% Asks the node, and ends the VM: with 0, or with the code and the text that `Ask` throws. The
%% cookie is in a file; an empty text means Erlang's own cookie.
-spec ask(string(), string(), fun((node()) -> ok)) -> no_return().
ask(Name, Cookie, Ask) ->
    [ok, ok] = [io:setopts(Device, [{encoding, unicode}]) || Device <- [standard_io, standard_error]],
    try
        Ask(connect(Name, Cookie))
    of
        ok -> halt(0)
    catch
        throw:{Code, Text} -> end_with(Code, Text);
        error:{erpc, Reason} -> end_with(?UNREACHABLE, io_lib:format("it is gone: ~tp", [Reason]))
    end.

%% Sends lines to the command, each in a frame. The frames are needed because compilers and
%% libraries also print to this output, possibly incomplete lines.
-spec say(unicode:chardata()) -> ok.
say(Lines) ->
    Frames = [["\n\x{1e}", Line, "\n"] || Line <- string:split(unicode:characters_to_list(Lines), "\n", all), Line =/= ""],
    io:put_chars(Frames).

%% Ends the VM when its standard input ends, because the command has then ended, or was killed.
-spec end_with_command() -> ok.
end_with_command() ->
    _ = spawn(fun ended/0),
    ok.

-spec ended() -> no_return().
ended() ->
    case io:get_line("") of
        Line when is_list(Line) -> ended();
        _ -> halt(1)
    end.

-spec end_with(1..255, unicode:chardata()) -> no_return().
end_with(Code, Text) ->
    io:put_chars(standard_error, Text),
    halt(Code).

%% A name without a host means a node that `cargo otp run` has started on this machine, or otherwise
%% a node with the machine's name.
-spec connect(string(), string()) -> node().
connect(Name, Cookie) ->
    case string:split(Name, "@") of
        [Short, Host] -> connect(Short, Host, Cookie);
        [Short] ->
            try connect(Short, "localhost", Cookie)
            catch throw:{?UNREACHABLE, _} ->
                _ = net_kernel:stop(),
                connect(Short, element(2, inet:gethostname()), Cookie)
            end
    end.

%% Starts a node that accepts no connections. Its own name has the other node's host, because this
%% machine may have no long name.
-spec connect(string(), string(), string()) -> node().
connect(Short, Host, Cookie) ->
    Domain =
        case lists:any(fun(C) -> C =:= $. orelse C =:= $: end, Host) of
            true -> longnames;
            false -> shortnames
        end,
    Own = list_to_atom("otp_rs_" ++ os:getpid() ++ "@" ++ Host),
    case net_kernel:start(Own, #{name_domain => Domain, dist_listen => false, hidden => true}) of
        {ok, _} -> ok;
        {error, Reason} -> throw({?UNREACHABLE, io_lib:format("no node can be started here: ~tp", [Reason])})
    end,
    Node = list_to_atom(Short ++ "@" ++ Host),
    set_cookie(Node, Cookie),
    case net_kernel:connect_node(Node) of
        true -> Node;
        _ -> throw({?UNREACHABLE, unreached(Short, Host)})
    end.

-spec set_cookie(node(), string()) -> true.
set_cookie(_, "") ->
    true;
set_cookie(Node, File) ->
    case file:read_file(File) of
        {ok, Content} ->
            erlang:set_cookie(Node, list_to_atom(string:trim(binary_to_list(Content))));
        {error, Reason} ->
            throw({?UNREACHABLE, ["cannot read ", File, ": ", file:format_error(Reason)]})
    end.

-spec unreached(string(), string()) -> unicode:chardata().
unreached(Short, Host) ->
    case net_adm:names(list_to_atom(Host)) of
        {error, nxdomain} ->
            ["there is no host ", Host];
        {error, _} ->
            ["no epmd answers on ", Host, ", so no node runs there"];
        {ok, []} ->
            ["no node runs on ", Host];
        {ok, Known} ->
            case lists:keymember(Short, 1, Known) of
                true -> "the node runs, but refuses the connection: check its cookie";
                false -> ["no node ", Short, " runs there; these do: ", lists:join(", ", [N || {N, _} <- Known])]
            end
    end.
