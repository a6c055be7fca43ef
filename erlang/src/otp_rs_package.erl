%% Reads the parts of a build that an upgrade loads (otp_rs_upgrade). The module is the same in
%% every application.
-module(otp_rs_package).
-export([read/3, prepare/2, code/4]).
-export_type([assembler/0]).

%% The compiler's intermediate result for forms, before it writes the code. The key is the digest of
%% the forms and of the VM's version, because another compiler may not read the result. It takes
%% twenty times as long to create as the rest, and the forms of two builds often differ only in
%% names.
-type assembler() :: #{binary() => term()}.

%% The key in the process dictionary of the intermediate results for the last build of a library
%% that the process has read.
-define(LAST(Library), {?MODULE, Library}).

%% The number of digits of a library's name in `build/0`.
-define(BUILD, 8).

%% Reads a build's modules, in which the library has its new name. Modules call the library by its
%% name, so they are compiled again from their abstract code; this works in any VM that has the
%% compiler.
-spec read(file:filename(), atom(), {module(), file:filename()}) -> otp_rs_upgrade:package().
read(Ebin, Application, {Name, File}) ->
    Old = old(Application),
    Beams = beams(Ebin),
    Library = library(Ebin, Beams, Old),
    Codes = all_renamed(Beams, {Old, Name}, filename:basename(Library)),
    Moving = [Code || {Module, _, _} = Code <- Codes, not lists:member(Module, otp_rs_upgrade:staying(Application))],
    {value, Own, Others} = lists:keytake(Name, 1, Moving),
    {ok, Content} = file:read_file(otp_rs_upgrade:native(Library)),
    #{
        application => Application, library => Own, modules => Others, native => Content, file => File,
        resource => otp_rs_resource:read(Ebin, Application)
    }.

%% Creates intermediate results that make reading a later build faster.
-spec prepare(file:filename(), atom()) -> ok.
prepare(Ebin, Application) ->
    Old = old(Application),
    Beams = beams(Ebin),
    _ = all_renamed(Beams, {Old, Old}, filename:basename(library(Ebin, Beams, Old))),
    ok.

-spec old(atom()) -> module().
old(Application) ->
    list_to_atom(atom_to_list(Application) ++ "_nif").

-spec beams(file:filename()) -> [file:filename()].
beams(Ebin) ->
    filelib:wildcard(filename:join(Ebin, "*.beam")).

%% Returns the library that the build's own module would load, without its extension.
-spec library(file:filename(), [file:filename()], module()) -> file:filename().
library(Ebin, Beams, Old) ->
    Own = filename:join(Ebin, atom_to_list(Old) ++ ".beam"),
    true = lists:member(Own, Beams),
    Folder = filename:join(filename:dirname(filename:absname(Ebin)), "priv"),
    Files = [filename:join(Folder, Text) || "lib" ++ _ = Text <- texts(forms(Own))],
    [File] = [File || File <- lists:usort(Files), filelib:is_regular(otp_rs_upgrade:native(File))],
    File.

-spec texts(term()) -> [string()].
texts({string, _, Text}) -> [Text];
texts(Tuple) when is_tuple(Tuple) -> texts(tuple_to_list(Tuple));
texts([Head | Tail]) -> texts(Head) ++ texts(Tail);
texts(_) -> [].

-spec forms(file:filename()) -> [tuple()].
forms(Beam) ->
    {ok, {_, [{abstract_code, {raw_abstract_v1, Forms}}]}} = beam_lib:chunks(Beam, [abstract_code]),
    Forms.

-spec all_renamed([file:filename()], {module(), module()}, string()) -> [otp_rs_upgrade:code()].
all_renamed(Beams, {Old, _} = Names, Library) ->
    Known = case get(?LAST(Old)) of
        undefined -> #{};
        Last -> Last
    end,
    {Codes, Made} = lists:unzip([renamed(Beam, Names, Library, Known) || Beam <- Beams]),
    _ = put(?LAST(Old), lists:foldl(fun maps:merge/2, #{}, Made)),
    Codes.

-spec renamed(file:filename(), {module(), module()}, string(), assembler()) -> {otp_rs_upgrade:code(), assembler()}.
renamed(Beam, {Old, _} = Names, Library, Known) ->
    {ok, {Module, [{atoms, Atoms}]}} = beam_lib:chunks(Beam, [atoms]),
    case lists:keymember(Old, 2, Atoms) of
        true ->
            Forms = relocated(forms(Beam), Library),
            {Code, Made} = code(Forms, {[Names], Library}, [deterministic], Known),
            {{replaced(Module, [Names]), Beam, Code}, Made};
        false ->
            {ok, Code} = file:read_file(Beam),
            {{Module, Beam, Code}, #{}}
    end.

%% Replaces the path of the library's file, which is relative to the build's folder, by an absolute
%% path, which is only known at load time.
-spec relocated([tuple()], string()) -> [tuple()].
relocated(Forms, Library) ->
    Loading = fun(Location) -> {call, Location, {remote, Location, {atom, Location, otp_rs_upgrade}, {atom, Location, loading}}, []} end,
    [relocated(Form, Library, Loading) || Form <- Forms].

-spec relocated(term(), string(), fun((term()) -> tuple())) -> term().
relocated({string, Location, Library}, Library, Loading) -> Loading(Location);
relocated(Tuple, Library, Loading) when is_tuple(Tuple) -> list_to_tuple(relocated(tuple_to_list(Tuple), Library, Loading));
relocated([Head | Tail], Library, Loading) -> [relocated(Head, Library, Loading) | relocated(Tail, Library, Loading)];
relocated(Other, _, _) -> Other.

%% Compiles forms in which atoms are replaced. Also returns the intermediate result from which forms
%% that differ only in the library are compiled faster.
-spec code([tuple()], {[{atom(), atom()}], string()}, [term()], assembler()) -> {binary(), assembler()}.
code(Forms, {Names, Library}, Options, Known) ->
    Texts = [{Text, "\0" ++ Kind} || {Kind, Text} <- [{"library", Library}, {"build", build(Library)}]],
    Alike = replaced(Forms, Texts),
    Digest = erlang:md5(term_to_binary({erlang:system_info(version), Alike})),
    Assembler = case Known of
        #{Digest := Made} -> Made;
        _ -> compiled(Alike, [to_asm, report])
    end,
    Own = lists:append([[{Mark, Text}, {list_to_binary(Mark), list_to_binary(Text)}] || {Text, Mark} <- Texts]),
    DebugInfo = {debug_info, {erl_abstract_code, {replaced(Forms, Names), [debug_info]}}},
    {compiled(replaced(Assembler, Own ++ Names), [from_asm, DebugInfo | Options]), #{Digest => Assembler}}.

%% Calls the compiler dynamically, because an application does not need the compiler where it runs.
-spec compiled(term(), [term()]) -> term().
compiled(Forms, Options) ->
    {ok, _, Compiled} = apply(compile, noenv_forms, [Forms, [binary | Options]]),
    Compiled.

-spec build(string()) -> string().
build(Library) ->
    [_, Content] = string:split(Library, "-", trailing),
    lists:sublist(Content, ?BUILD).

%% Returns a term in which some inner terms are replaced by others.
-spec replaced(term(), [{term(), term()}]) -> term().
replaced(Term, Words) ->
    case lists:keyfind(Term, 1, Words) of
        {Term, Word} -> Word;
        false when is_tuple(Term) -> list_to_tuple(replaced(tuple_to_list(Term), Words));
        false when is_map(Term) -> maps:from_list(replaced(maps:to_list(Term), Words));
        false ->
            case Term of
                [Head | Tail] -> [replaced(Head, Words) | replaced(Tail, Words)];
                _ -> Term
            end
    end.
