#!/usr/bin/env escript
%% Sends terms to the application `roundtrip`, which reads each as its generated type and writes it
%% again. The terms are those of the modules in `tests/expectations/erlang`, and those of a file of
%% external terms. Prints how many came back unchanged, how many were refused as expected, and a
%% line `wrong=…` for each of the others.
-mode(compile).

main([Ebin, Erlang, Samples]) ->
    true = code:add_patha(Ebin),
    ok = logger:remove_handler(default),
    process_flag(trap_exit, true),
    ok = application:start(roundtrip),
    Modules = [load(File) || File <- lists:sort(filelib:wildcard(filename:join(Erlang, "*.erl")))],
    Back = [back(name(Module, Type), Term) || Module <- Modules, {Type, Term} <- Module:accepted()],
    Refused = [refused(name(Module, Type), Term, Text) || Module <- Modules, {Type, Term, Text} <- Module:refused()],
    {ok, Bytes} = file:read_file(Samples),
    Sampled = [back(Name, Term) || {Name, Term} <- binary_to_term(Bytes)],
    say("accepted", length(Back)),
    say("refused", length(Refused)),
    say("sampled", length(Sampled)),
    [say("wrong", Wrong) || Wrong <- Back ++ Refused ++ Sampled, Wrong =/= ok],
    init:stop().

load(File) ->
    {ok, Module, Code} = compile:file(File, [binary, report]),
    {module, Module} = code:load_binary(Module, File, Code),
    Module.

name(Module, Type) ->
    list_to_atom(lists:concat([Module, ":", Type])).

back(Name, Term) ->
    case catch gen_server:call(traveller, {Name, Term}) of
        {Name, Same} when Same =:= Term -> ok;
        Other -> {Name, Term, Other}
    end.

%% A refused term ends the process, so each near miss has a process of its own.
refused(Name, Term, Text) ->
    {ok, Pid} = traveller:start_link({}, []),
    Answer = (catch gen_server:call(Pid, {Name, Term})),
    receive
        {'EXIT', Pid, {{bad_term, #{path := <<"Request.", Path/binary>>, expected := Expected, got := Got}}, _}} ->
            Why = iolist_to_binary([Path, ": expected ", Expected, ", got ", Got]),
            case string:prefix(Why, Text) of
                nomatch -> {Name, Term, Why};
                _ -> ok
            end;
        {'EXIT', Pid, Other} -> {Name, Term, Other}
    after 1000 -> {Name, Term, Answer}
    end.

say(Key, Value) -> io:format("~s=~0tp~n", [Key, Value]).
