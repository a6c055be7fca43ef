%% What an upgrade loads of a build (otp_rs_upgrade). The module is the same in every application.
-module(otp_rs_package).
-export([read/3]).

%% What is loaded of a build: its modules with the new name of the library, which they call by its
%% name. It is compiled from the modules' abstract code, in any VM that has the compiler.
-spec read(file:filename(), atom(), {module(), file:filename()}) -> otp_rs_upgrade:package().
read(Ebin, Application, {Name, File}) ->
    Old = list_to_atom(atom_to_list(Application) ++ "_nif"),
    Beams = filelib:wildcard(filename:join(Ebin, "*.beam")),
    Codes = [renamed(Beam, {Old, Name}, "lib" ++ atom_to_list(Application) ++ "-") || Beam <- Beams],
    Moving = [Code || {Module, _, _} = Code <- Codes, not lists:member(Module, otp_rs_upgrade:staying(Application))],
    {value, Library, Others} = lists:keytake(Name, 1, Moving),
    [Native] = natives(Ebin, Beams, Old),
    {ok, Content} = file:read_file(Native),
    #{
        application => Application, library => Library, modules => Others, native => Content, file => File,
        resource => otp_rs_resource:read(Ebin, Application)
    }.

%% The library that the build's own module would load.
-spec natives(file:filename(), [file:filename()], module()) -> [file:filename()].
natives(Ebin, Beams, Old) ->
    Own = filename:join(Ebin, atom_to_list(Old) ++ ".beam"),
    true = lists:member(Own, Beams),
    Folder = filename:join(filename:dirname(filename:absname(Ebin)), "priv"),
    Files = [otp_rs_upgrade:native(filename:join(Folder, Text)) || "lib" ++ _ = Text <- texts(forms(Own))],
    [File || File <- lists:usort(Files), filelib:is_regular(File)].

-spec texts(term()) -> [string()].
texts({string, _, Text}) -> [Text];
texts(Tuple) when is_tuple(Tuple) -> texts(tuple_to_list(Tuple));
texts([Head | Tail]) -> texts(Head) ++ texts(Tail);
texts(_) -> [].

-spec forms(file:filename()) -> [tuple()].
forms(Beam) ->
    {ok, {_, [{abstract_code, {raw_abstract_v1, Forms}}]}} = beam_lib:chunks(Beam, [abstract_code]),
    Forms.

-spec renamed(file:filename(), {module(), module()}, string()) -> otp_rs_upgrade:code().
renamed(Beam, {Old, _} = Names, Library) ->
    {ok, {Module, [{atoms, Atoms}]}} = beam_lib:chunks(Beam, [atoms]),
    case lists:keymember(Old, 2, Atoms) of
        true ->
            Forms = rename(forms(Beam), Names, Library),
            %% An application does not need the compiler where it runs.
            {ok, New, Code} = apply(compile, forms, [Forms, [debug_info, deterministic]]),
            {New, Beam, Code};
        false ->
            {ok, Code} = file:read_file(Beam),
            {Module, Beam, Code}
    end.

%% The library's module finds its file by a path relative to the build's folder. An absolute one
%% takes its place, which is known when it is loaded.
-spec rename(term(), {module(), module()}, string()) -> term().
rename(Old, {Old, New}, _) ->
    New;
rename({string, Location, Text} = Form, _, Prefix) ->
    case lists:prefix(Prefix, Text) of
        true -> {call, Location, {remote, Location, {atom, Location, otp_rs_upgrade}, {atom, Location, loading}}, []};
        false -> Form
    end;
rename(Tuple, Names, Library) when is_tuple(Tuple) ->
    list_to_tuple(rename(tuple_to_list(Tuple), Names, Library));
rename([Head | Tail], Names, Library) ->
    [rename(Head, Names, Library) | rename(Tail, Names, Library)];
rename(Other, _, _) ->
    Other.
