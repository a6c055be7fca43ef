%% Reads resource files of applications (app(4)), and writes those of compiled ones.
%% `cargo otp build` runs it.
-module(otp_rs_resources).
-export([main/1]).

%% The maximum number of bytes of a resource file: the atoms of a larger one could fill the table of
%% this VM.
-define(MOST, 1024 * 1024).

%% Each line of the first file is `IN`, or `IN<tab>OUT<tab>MODULE,...`: OUT becomes the resource
%% file of these modules. Each line of the second is
%% `ok<tab>IN<tab>NAME<tab>VERSION<tab>MODULES<tab>NEEDED<tab>OPTIONAL`, or `wrong<tab>IN<tab>WHY`.
-spec main([file:filename()]) -> no_return().
main([Questions, Answers]) ->
    {ok, Bytes} = file:read_file(Questions),
    Lines = string:lexemes(unicode:characters_to_list(Bytes), "\n"),
    Texts = [[lists:join($\t, answer(string:split(Line, "\t", all))), $\n] || Line <- Lines],
    ok = file:write_file(Answers, unicode:characters_to_binary(Texts)),
    halt(0).

-spec answer([string()]) -> [string()].
answer([In | Write]) ->
    Read = case filelib:file_size(In) > ?MOST of
        true -> too_large;
        false -> file:consult(In)
    end,
    case Read of
        too_large ->
            ["wrong", In, "it has more than 1 MiB"];
        {ok, [{application, Name, Keys}]} when is_atom(Name), is_list(Keys) ->
            try described(Name, written(Write, Name, Keys)) of
                Words -> ["ok", In | Words]
            catch
                throw:Why -> ["wrong", In, Why];
                _:_ -> ["wrong", In, "a key has a value of another kind than app(4) says"]
            end;
        {ok, _} ->
            ["wrong", In, "it is not one term {application, Name, Keys}"];
        {error, Reason} ->
            ["wrong", In, plain(file:format_error(Reason))]
    end.

%% Returns the keys of a compiled application. If it has no version, that is 0.0.0.
-spec written([string()], atom(), [{atom(), term()}]) -> [{atom(), term()}].
written([], _, Keys) ->
    Keys;
written([Out, Modules], Name, Keys) ->
    Version = case proplists:get_value(vsn, Keys) of
        [_ | _] = Own -> Own;
        _ -> "0.0.0"
    end,
    Atoms = [list_to_atom(Module) || Module <- string:lexemes(Modules, ",")],
    All = lists:keystore(modules, 1, lists:keystore(vsn, 1, Keys, {vsn, Version}), {modules, Atoms}),
    Text = io_lib:format("~tp.~n", [{application, Name, All}]),
    ok = file:write_file(Out, unicode:characters_to_binary(Text)),
    All.

-spec described(atom(), [{atom(), term()}]) -> [string()].
described(Name, Keys) ->
    Key = fun(Key) -> proplists:get_value(Key, Keys, []) end,
    Version = lists:flatten(io_lib:format("~ts", [Key(vsn)])),
    Needed = Key(applications) ++ Key(included_applications),
    Lists = [[atom_to_list(One) || One <- Names] || Names <- [Key(modules), Needed, Key(optional_applications)]],
    lists:foreach(fun part_of_path/1, [Version, atom_to_list(Name) | lists:append(Lists)]),
    [atom_to_list(Name), Version | [lists:flatten(lists:join($,, Names)) || Names <- Lists]].

%% Throws an error unless the text can be a part of the name of a file or folder: `NAME-VERSION`
%% and `MODULE.beam` stay within the folder of a build or release.
-spec part_of_path(string()) -> ok.
part_of_path(Text) ->
    lists:all(fun(Letter) -> Letter > $\s andalso not lists:member(Letter, "/\\,") end, Text)
        orelse throw(io_lib:format("~tp cannot be part of the name of a file", [Text])),
    ok.

%% Returns the text on one line.
-spec plain(unicode:chardata()) -> string().
plain(Text) ->
    [case lists:member(Letter, "\t\r\n") of true -> $\s; false -> Letter end
     || Letter <- unicode:characters_to_list(Text)].
