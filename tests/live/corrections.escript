#!/usr/bin/env escript
%% Runs the evidence of xtask/src/codegen/corrections.txt: a file with one expression per line,
%% whose last part is `Pattern = Module:Function(Arguments)`. Writes
%% `{Module, Function, Arguments, Result}` for each, in the external term format.
-mode(compile).

main([File, Made]) ->
    [{ok, _} = application:ensure_all_started(Needed) || Needed <- [ssl, inets]],
    {ok, Text} = file:read_file(File),
    Lines = string:lexemes(unicode:characters_to_list(Text), "\n"),
    ok = file:write_file(Made, term_to_binary([in_own_process(Line) || Line <- Lines])).

%% Each expression runs in a new process, because it may change flags of its process.
in_own_process(Line) ->
    {Pid, Monitor} = spawn_monitor(fun() -> exit({called, called(Line)}) end),
    receive
        {'DOWN', Monitor, process, Pid, {called, Called}} -> Called;
        {'DOWN', Monitor, process, Pid, Reason} -> error({Line, Reason})
    end.

called(Line) ->
    {ok, Tokens, _} = erl_scan:string(Line ++ "."),
    {ok, Expressions} = erl_parse:parse_exprs(Tokens),
    {Before, [{match, At, Pattern, Call}]} = lists:split(length(Expressions) - 1, Expressions),
    Bindings = lists:foldl(fun evaluate/2, erl_eval:new_bindings(), Before),
    {call, _, {remote, _, {atom, _, Module}, {atom, _, Function}}, Written} = Call,
    {Arguments, _} = erl_eval:expr_list(Written, Bindings),
    Result = apply(Module, Function, Arguments),
    Match = {match, At, Pattern, {var, At, 'Result'}},
    {value, Result, _} = erl_eval:expr(Match, erl_eval:add_binding('Result', Result, Bindings)),
    {Module, Function, Arguments, Result}.

evaluate(Expression, Bindings) ->
    {value, _, After} = erl_eval:expr(Expression, Bindings),
    After.
