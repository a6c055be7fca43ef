%% Sends the requests of a release's program to a running node. The node has this module, too.
-module(otp_rs_release).
-export([prepare/0, main/0, evaluate/1, state/2]).

%% Exit codes: of `ping`, `status` and `pid` if the node is running but refuses the cookie or does
%% not answer, of `status` if the application is not running in it, and of `upgrade` if processes
%% are busy.
-define(REFUSED, 3).
-define(SILENT, 4).
-define(CHANGING, 2).
-define(BUSY, 3).
%% A node that refuses the cookie does so within this time. Erlang waits for one that does not
%% answer for 7 seconds (`net_setuptime`). In milliseconds.
-define(REFUSAL, 6000).
%% The timeout for a node to report its state, in milliseconds.
-define(ANSWER, 10000).
%% The interval between attempts to reach a node, in milliseconds.
-define(PAUSE, 100).

-type failure() :: {busy | error | refused | silent, unicode:chardata()}.

%% Runs in the release's own VM before the application. It restores the library path, so that
%% programs which the VM starts find the system's libraries, not those of the release. The VM itself
%% has read the variable when it began.
-spec prepare() -> ok.
prepare() ->
    case os:getenv("OTP_RS_LIBRARY_PATH") of
        false -> ok;
        Before ->
            true = os:unsetenv("OTP_RS_LIBRARY_PATH"),
            true = case Before of
                "" -> os:unsetenv("LD_LIBRARY_PATH");
                _ -> os:putenv("LD_LIBRARY_PATH", Before)
            end,
            ok
    end.

%% Performs one command, in a separate VM.
-spec main() -> no_return().
main() ->
    [ok, ok] = [io:setopts(Device, [{encoding, unicode}]) || Device <- [standard_io, standard_error]],
    [Command, Name | Arguments] = init:get_plain_arguments(),
    Node = list_to_atom(Name),
    IsCheck = lists:member(Command, ["ping", "status", "pid"]),
    halt(case reached(Command, Node, Arguments) of
        ok -> 0;
        changing -> ?CHANGING;
        {refused, Text} when IsCheck -> failed(Text), ?REFUSED;
        {silent, Text} when IsCheck -> failed(Text), ?SILENT;
        {busy, Text} -> failed(Text), ?BUSY;
        {_, Text} -> failed(Text)
    end).

%% Performs a command after connecting to the node. Some commands do not need a running node.
-spec reached(string(), node(), [string()]) -> ok | changing | failure().
reached(Command, Node, Arguments) ->
    case lists:member(Command, ["await", "unpack", "versions"]) orelse connect(Node) of
        true -> command(Command, Node, Arguments);
        {error, _} = Failure when Command =:= "status" -> io:format("stopped~n"), Failure;
        Failure when Command =:= "status" -> io:format("unknown~n"), Failure;
        Failure -> Failure
    end.

%% Connects to a node. A node that has registered its name with epmd, but cannot be reached, refuses
%% the cookie at once, or does not answer: its process is stopped, for example.
-spec connect(node()) -> true | failure().
connect(Node) ->
    Begun = erlang:monotonic_time(millisecond),
    case net_kernel:connect_node(Node) of
        true -> true;
        _ ->
            Took = erlang:monotonic_time(millisecond) - Begun,
            case is_registered(Node) of
                false -> not_running(Node);
                true when Took < ?REFUSAL ->
                    {refused, io_lib:format("~ts is running, but refuses the connection because its cookie is different", [Node])};
                true -> {silent, io_lib:format("~ts is registered with epmd, but does not answer", [Node])}
            end
    end.

-spec failed(unicode:chardata()) -> 1.
failed(Text) ->
    io:format(standard_error, "~ts~n", [Text]),
    1.

-spec command(string(), node(), [string()]) -> ok | changing | failure().
command("eval", Node, [Text]) ->
    case rpc:call(Node, ?MODULE, evaluate, [Text]) of
        {ok, Value} -> io:format("~tp~n", [Value]);
        {badrpc, nodedown} -> not_running(Node);
        {badrpc, Reason} -> {error, io_lib:format("~tp", [Reason])};
        {error, Text1} -> {error, Text1}
    end;
command("stop", Node, []) ->
    case rpc:call(Node, os, getpid, []) of
        {badrpc, _} -> not_running(Node);
        Pid ->
            _ = rpc:call(Node, init, stop, []),
            until(fun() -> not is_alive(Pid) end)
    end;
command("upgrade", Node, [Version, Timeout, Mode]) ->
    Options = #{timeout => list_to_integer(Timeout), allow_busy => Mode =:= "busy", dry => Mode =:= "dry", asker => self()},
    case rpc:call(Node, otp_rs_relup_text, upgrade, [Version, Options]) of
        {badrpc, nodedown} -> not_running(Node);
        {badrpc, Reason} -> {error, io_lib:format("~tp", [Reason])};
        {ok, Text} -> io:put_chars(Text);
        {left, Text, Count} ->
            ok = io:put_chars(Text),
            {busy, left(Count)};
        {not_started, Text, Why} ->
            ok = io:put_chars(Text),
            {error, Why};
        {busy, Text, Why} ->
            ok = io:put_chars(Text),
            {busy, Why};
        {refused, Text, Why} ->
            ok = io:put_chars(Text),
            {error, Why}
    end;
command("remove", Node, [Version]) ->
    case rpc:call(Node, otp_rs_relup, remove, [Version]) of
        {badrpc, nodedown} -> not_running(Node);
        ok -> ok;
        {error, Failure} -> {error, otp_rs_relup_text:failure(Version, Failure)}
    end;
command("versions", Node, [Name]) ->
    Versions = case rpc:call(Node, otp_rs_relup, versions, []) of
        {badrpc, _} -> otp_rs_relup:unpacked(Name);
        Known -> Known
    end,
    lists:foreach(fun({Version, Status}) -> io:format("~ts ~ts~n", [Version, Status]) end, Versions);
command("unpack", _, [Name, Archive]) ->
    case otp_rs_unpack:archive(Archive, Name) of
        {ok, Version} -> io:format("unpacked ~ts ~ts~n", [Name, Version]);
        {error, Text} -> {error, Text}
    end;
command("ping", Node, []) ->
    case net_adm:ping(Node) of
        pong -> io:format("pong~n");
        pang -> not_running(Node)
    end;
command("pid", Node, []) ->
    case rpc:call(Node, os, getpid, [], ?ANSWER) of
        {badrpc, nodedown} -> not_running(Node);
        {badrpc, Reason} -> {error, io_lib:format("~tp", [Reason])};
        Pid -> io:format("~ts~n", [Pid])
    end;
command("status", Node, [Application]) ->
    case rpc:call(Node, application, info, [], ?ANSWER) of
        {badrpc, nodedown} ->
            ok = io:format("stopped~n"),
            not_running(Node);
        {badrpc, Reason} ->
            {silent, io_lib:format("~ts does not answer: ~tp", [Node, Reason])};
        Known ->
            IsIn = fun(Key) -> lists:keymember(list_to_atom(Application), 1, proplists:get_value(Key, Known)) end,
            case IsIn(running) of
                true -> io:format("running~n");
                false -> io:format("~ts~n", [case IsIn(starting) of true -> "starting"; false -> "stopping" end]), changing
            end
    end;
command("await", Node, [Application, Pid]) ->
    Running = fun() ->
        case rpc:call(Node, ?MODULE, state, [list_to_atom(Application), Pid]) of
            running -> true;
            _ -> not is_alive(Pid)
        end
    end,
    ok = until(Running),
    case is_alive(Pid) of
        true -> ok;
        false -> {error, "it did not start"}
    end.

-spec left(pos_integer()) -> unicode:chardata().
left(1) -> "1 process keeps the old code";
left(Count) -> io_lib:format("~b processes keep the old code", [Count]).

-spec not_running(node()) -> failure().
not_running(Node) ->
    {error, io_lib:format("~ts is not running", [Node])}.

-spec is_registered(node()) -> boolean().
is_registered(Node) ->
    [Name, Host] = string:split(atom_to_list(Node), "@"),
    case net_adm:names(list_to_atom(Host)) of
        {ok, Known} -> lists:keymember(Name, 1, Known);
        {error, _} -> false
    end.

-spec until(fun(() -> boolean())) -> ok.
until(Condition) ->
    case Condition() of
        true -> ok;
        false -> timer:sleep(?PAUSE), until(Condition)
    end.

-spec is_alive(string()) -> boolean().
is_alive(Pid) ->
    _ = list_to_integer(Pid),
    os:cmd("kill -0 " ++ Pid ++ " 2>/dev/null && echo yes") =:= "yes\n".

%% Runs in the node: returns whether the OS process with this id is the node's, and whether the
%% application is running in it.
-spec state(atom(), string()) -> running | starting | other.
state(Application, Pid) ->
    IsRunning = lists:keymember(Application, 1, application:which_applications()),
    case os:getpid() of
        Pid when IsRunning -> running;
        Pid -> starting;
        _ -> other
    end.

%% Runs in the node: returns the value of expressions in Erlang. Their output goes to the caller.
-spec evaluate(string()) -> {ok, term()} | {error, unicode:chardata()}.
evaluate(Text) ->
    try
        {ok, Tokens, _} = scan(Text),
        {ok, Expressions} = erl_parse:parse_exprs(Tokens),
        {value, Value, _} = erl_eval:exprs(Expressions, erl_eval:new_bindings()),
        {ok, Value}
    catch
        error:{badmatch, {error, {Location, Module, Reason}}} ->
            {error, io_lib:format("~tp: ~ts", [Location, Module:format_error(Reason)])};
        error:{badmatch, {error, {Location, Module, Reason}, _}} ->
            {error, io_lib:format("~tp: ~ts", [Location, Module:format_error(Reason)])};
        Class:Reason ->
            {error, io_lib:format("~tp: ~tp", [Class, Reason])}
    end.

%% The last full stop may be missing.
-spec scan(string()) -> term().
scan(Text) ->
    case erl_scan:string(Text) of
        {ok, Tokens, End} ->
            case lists:reverse(Tokens) of
                [{dot, _} | _] -> {ok, Tokens, End};
                _ -> {ok, Tokens ++ [{dot, End}], End}
            end;
        Error -> Error
    end.
