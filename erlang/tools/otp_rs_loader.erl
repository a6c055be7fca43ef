%% Loads the library of a build and asks it for its manifest, in a VM of its own, which may be
%% started before the library exists.
-module(otp_rs_loader).
-export([main/0]).

%% The compiler's intermediate result for the last library's module.
-define(ASSEMBLER, ".assembler").

%% The exit code for a module that was not compiled.
-define(NOT_COMPILED, 3).

%% Reads a line: the library's module, its file without extension, the folder of compiled modules,
%% and the file for the answer. The answer goes to a file because the library may print anything
%% while it is loaded. If there is no line, the build has failed.
-spec main() -> no_return().
main() ->
    Known = known(),
    case io:get_line("") of
        Line when is_list(Line) ->
            [Module, Library, Folder, Answer] = string:lexemes(Line, " \n"),
            answered(compiled(Module, Library, Folder, Known), Answer);
        _ ->
            halt(0)
    end.

%% Returns the known intermediate results, after the compiler has been loaded.
-spec known() -> otp_rs_package:assembler().
known() ->
    try
        {ok, Content} = file:read_file(?ASSEMBLER),
        {Known, Forms, Library} = binary_to_term(Content),
        _ = otp_rs_package:code(Forms, {[], Library}, [], Known),
        Known
    catch
        _:_ -> #{}
    end.

-spec compiled(string(), string(), file:filename(), otp_rs_package:assembler()) -> module().
compiled(Module, Library, Folder, Known) ->
    Source = filename:join("src", Module ++ ".erl"),
    try
        {ok, Forms} = epp:parse_file(Source, [{location, {1, 1}}]),
        {Code, Made} = otp_rs_package:code(Forms, {[], Library}, [{source, filename:absname(Source)}], Known),
        ok = file:write_file(filename:join(Folder, Module ++ ".beam"), Code),
        Made =:= Known orelse remember({Made, Forms, Library}, Folder),
        true = code:add_patha(Folder),
        list_to_atom(Module)
    catch
        Class:Reason ->
            io:format("~0tp: ~0tp~n", [Class, Reason]),
            halt(?NOT_COMPILED)
    end.

%% The file is replaced by rename, because another build may be reading it.
-spec remember(term(), file:filename()) -> ok.
remember(Term, Folder) ->
    New = filename:join(Folder, ?ASSEMBLER),
    ok = file:write_file(New, term_to_binary(Term)),
    ok = file:rename(New, ?ASSEMBLER).

%% After a failure, the VM is stopped in order, so that its logger still prints the reason.
-spec answered(module(), file:filename()) -> no_return().
answered(Module, Answer) ->
    try
        ok = file:write_file(Answer, Module:manifest()),
        halt(0)
    catch
        Class:Reason ->
            io:format(standard_error, "~tp:~tp~n", [Class, Reason]),
            init:stop(1)
    end.
