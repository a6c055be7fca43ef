%% Evaluates Erlang in a running node, from a separate VM. The node needs only OTP.
-module(otp_rs_shell).
-export([main/1]).

%% Exit codes.
-define(RAISED, 5).
-define(SYNTAX, 6).

%% Arguments: the node, a file with its cookie or an empty text, and expressions. Without
%% expressions, it only prints the node's full name.
-spec main([string()]) -> no_return().
main([Name, Cookie]) ->
    otp_rs_node:ask(Name, Cookie, fun(Node) -> otp_rs_node:say(atom_to_list(Node)) end);
main([Name, Cookie, Text]) ->
    otp_rs_node:ask(Name, Cookie, fun(Node) -> evaluate(Node, parsed(Text)) end).

-spec parsed(string()) -> [erl_parse:abstract_expr()].
parsed(Text) ->
    case erl_scan:string(Text) of
        {ok, Tokens, End} ->
            case erl_parse:parse_exprs(with_full_stop(Tokens, End)) of
                {ok, Expressions} -> Expressions;
                {error, {_, Module, Reason}} -> throw({?SYNTAX, Module:format_error(Reason)})
            end;
        {error, {_, Module, Reason}, _} ->
            throw({?SYNTAX, Module:format_error(Reason)})
    end.

%% The last full stop may be missing.
-spec with_full_stop([erl_scan:token()], erl_anno:location()) -> [erl_scan:token()].
with_full_stop(Tokens, End) ->
    case lists:reverse(Tokens) of
        [{dot, _} | _] -> Tokens;
        _ -> Tokens ++ [{dot, End}]
    end.

%% The output of the expressions arrives here, because the evaluating process has this one's group
%% leader.
-spec evaluate(node(), [erl_parse:abstract_expr()]) -> ok.
evaluate(Node, Expressions) ->
    try erpc:call(Node, erl_eval, exprs, [Expressions, []]) of
        {value, Value, _} -> io:format("~ts~n", [as_there(Node, io_lib:format("~tp", [Value]))])
    catch
        throw:Value -> raised(Node, throw, Value, []);
        exit:{exception, Reason} -> raised(Node, exit, Reason, []);
        exit:{signal, Reason} -> raised(Node, exit, Reason, []);
        error:{exception, Reason, Stack} -> raised(Node, error, Reason, Stack)
    end.

%% Formats an exception like an Erlang shell.
-spec raised(node(), error | exit | throw, term(), [tuple()]) -> no_return().
raised(Node, Class, Reason, Stack) ->
    Options = #{stack_trim_fun => fun(Module, _, _) -> Module =:= erl_eval orelse Module =:= erpc end},
    throw({?RAISED, as_there(Node, erl_error:format_exception(Class, Reason, Stack, Options))}).

%% Returns a text with the node's pids, ports and references as the node itself prints them: this VM
%% prints a number for the node, and the node prints 0.
-spec as_there(node(), unicode:chardata()) -> unicode:chardata().
as_there(Node, Text) ->
    Init = pid_to_list(erpc:call(Node, erlang, whereis, [init])),
    [Number, _] = string:split(Init, "."),
    string:replace(Text, Number ++ ".", "<0.", all).
