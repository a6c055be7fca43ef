%% Adds to a release the files with which a running system can switch to it and back: `priv/upgrade`
%% of each application in Rust, appup files, and the relup, which OTP's `systools` generates from
%% them.
-module(otp_rs_make_relup).
-export([pack/1, earlier/3, make/4]).

-type earlier() :: #{
    path := file:filename(), folder := file:filename(), version := string(), erts := string(),
    applications := #{atom() => string()}
}.

%% Smaller numbers are for names of libraries that a node chooses itself.
-define(FIRST_NUMBER, 1000000000).

%% The maximum number of bytes of a file with a term.
-define(SMALL, 1024 * 1024).

%% Copies the modules that call the library of an application into its folder, with another name for
%% the library, which is derived from its content.
-spec pack(atom()) -> ok.
pack(Application) ->
    is_rust(Application) andalso pack(Application, ebin(Application)),
    ok.

-spec pack(atom(), file:filename()) -> ok.
pack(Application, Ebin) ->
    Private = filename:join(filename:dirname(Ebin), "priv"),
    [Native] = filelib:wildcard("lib*", Private),
    {ok, Content} = file:read_file(filename:join(Private, Native)),
    Number = ?FIRST_NUMBER + erlang:crc32(Content),
    Library = list_to_atom(lists:concat([Application, "_nif_", Number])),
    #{library := Code, modules := Modules} = otp_rs_package:read(Ebin, Application, {Library, ""}),
    lists:foreach(fun({Module, Beam, Binary}) ->
        case Module =/= Library andalso file:read_file(Beam) of
            {ok, Binary} -> ok;
            _ ->
                File = filename:join([Private, "upgrade", atom_to_list(Module) ++ ".beam"]),
                ok = filelib:ensure_dir(File),
                ok = file:write_file(File, Binary)
        end
    end, [Code | Modules]).

-spec ebin(atom()) -> file:filename().
ebin(Application) ->
    filename:dirname(code:where_is_file(atom_to_list(Application) ++ ".app")).

%% Returns an earlier release of this name: its folder, or its archive, which is unpacked into a
%% folder of its own.
-spec earlier(file:filename(), string(), file:filename()) -> earlier().
earlier(Path, Name, Scratch) ->
    Folder = case filelib:is_dir(Path) of
        true -> Path;
        false -> unpacked(Path, Scratch)
    end,
    case filelib:wildcard("releases/*/" ++ Name ++ ".rel", Folder) of
        [_ | _] = Files ->
            try
                Version = version(Folder, Files),
                {release, _, {erts, Erts}, Applications} = term(rel(Folder, Version, Name) ++ ".rel"),
                #{path => Path, folder => Folder, version => Version, erts => text(Erts),
                    applications => maps:from_list([{element(1, One), text(element(2, One))} || One <- Applications])}
            catch
                error:_ -> unfit(Path, "its resource files are damaged")
            end;
        [] ->
            unfit(Path, ["it is not a release of `", Name, "`"])
    end.

-spec unpacked(file:filename(), file:filename()) -> file:filename().
unpacked(Archive, Scratch) ->
    filelib:is_regular(Archive) orelse unfit(Archive, "it is neither a file nor a folder"),
    ok = filelib:ensure_dir(filename:join(Scratch, "file")),
    try otp_rs_unpack:extract(Archive, Scratch)
    catch throw:Text -> throw({unfit, Text})
    end,
    case file:list_dir(Scratch) of
        {ok, [Folder]} -> filename:join(Scratch, Folder);
        _ -> unfit(Archive, "it has not one folder")
    end.

%% Returns the only term of a file of an earlier release, which is small: otherwise, its atoms could
%% fill the table of this VM.
-spec term(file:filename()) -> tuple().
term(File) ->
    true = filelib:is_regular(File) andalso filelib:file_size(File) =< ?SMALL,
    {ok, [Term]} = file:consult(File),
    Term.

%% Returns a text that becomes a part of a path.
-spec text(term()) -> string().
text(Text) ->
    true = io_lib:printable_unicode_list(Text) andalso not lists:member($/, Text),
    Text.

%% In a folder with several unpacked versions, the permanent one is recorded.
-spec version(file:filename(), [file:filename(), ...]) -> string().
version(_, [File]) ->
    filename:basename(filename:dirname(File));
version(Folder, _) ->
    {ok, Text} = file:read_file(filename:join([Folder, "releases", "start_erl.data"])),
    [_, Version] = string:lexemes(binary_to_list(Text), " \n"),
    Version.

-spec rel(file:filename(), string(), string()) -> file:filename().
rel(Folder, Version, Name) ->
    filename:join([Folder, "releases", Version, Name]).

-spec unfit(file:filename(), unicode:chardata()) -> no_return().
unfit(Path, Why) ->
    throw({unfit, [Path, ": ", Why]}).

%% Writes the appup files and the relup. `Own` are applications that do not belong to OTP. Without
%% an earlier release, the relup is empty, but it is needed:
%% `release_handler:check_install_release/1` looks for the way back to a version only if that
%% version has a relup.
-spec make(file:filename(), string(), [atom()], [earlier()]) -> ok.
make(Scratch, Name, Own, Earlier) ->
    lists:foreach(fun(#{path := Path} = One) ->
        try check(list_to_atom(Name), Own, One) catch error:_ -> unfit(Path, "its applications are damaged") end
    end, Earlier),
    lists:foreach(fun(Application) -> appup(Application, Earlier) end, Own),
    Rels = [rel(Folder, Version, Name) || #{folder := Folder, version := Version} <- Earlier],
    Paths = [Ebin || #{folder := Folder} <- Earlier, Ebin <- filelib:wildcard(filename:join([Folder, "lib", "*", "ebin"]))],
    Options = [{path, code:get_path() ++ Paths}, {outdir, Scratch}, silent],
    case systools:make_relup(filename:join(Scratch, Name), Rels, Rels, Options) of
        {ok, _, _, _} -> ok;
        {error, Module, Error} -> throw({said, Module:format_error(Error)})
    end.

-spec check(atom(), [atom()], earlier()) -> ok.
check(Name, Own, #{path := Path, erts := Erts, applications := Applications} = Earlier) ->
    Running = erlang:system_info(version),
    Erts =:= Running orelse
        unfit(Path, ["it has ERTS ", Erts, ", and this one ", Running, ": a running system cannot change its VM"]),
    is_map_key(sasl, Applications) orelse unfit(Path, "it was made by a version of otp-rs whose releases have no upgrades"),
    version(Name) =/= maps:get(Name, Applications) orelse
        unfit(Path, ["it has the version ", version(Name), ", too: raise `version` in Cargo.toml"]),
    lists:foreach(fun(Application) ->
        case Applications of
            #{Application := Version} ->
                Version =/= version(Application) orelse is_same(Application, Earlier) orelse
                    unfit(Path, io_lib:format("`~ts` ~ts is another one there: raise its version", [Application, Version]));
            #{} -> true
        end
    end, Own).

-spec version(atom()) -> string().
version(Application) ->
    {ok, [{application, Application, Keys}]} = file:consult(code:where_is_file(atom_to_list(Application) ++ ".app")),
    proplists:get_value(vsn, Keys).

%% Returns whether an application has the same libraries there, and modules with the same code.
-spec is_same(atom(), earlier()) -> boolean().
is_same(Application, Earlier) ->
    New = filename:dirname(ebin(Application)),
    Old = folder(Application, Earlier),
    modules(Application, New) =:= modules(Application, Old) andalso libraries(New) =:= libraries(Old).

-spec folder(atom(), earlier()) -> file:filename().
folder(Application, #{folder := Folder, applications := Applications}) ->
    filename:join([Folder, "lib", lists:concat([Application, "-", maps:get(Application, Applications)])]).

%% Returns the modules in its resource file: `systools` accepts no others.
-spec modules(atom(), file:filename()) -> [{module(), binary()}].
modules(Application, Folder) ->
    Ebin = filename:join(Folder, "ebin"),
    {application, Application, Keys} = term(filename:join(Ebin, atom_to_list(Application) ++ ".app")),
    Modules = lists:sort(proplists:get_value(modules, Keys, [])),
    [Known || Module <- Modules, {ok, Known} <- [beam_lib:md5(filename:join(Ebin, atom_to_list(Module) ++ ".beam"))]].

-spec libraries(file:filename()) -> [{file:filename(), {ok, binary()}}].
libraries(Folder) ->
    [{File, file:read_file(filename:join([Folder, "priv", File]))}
        || File <- lists:sort(filelib:wildcard("*.{so,dll}", filename:join(Folder, "priv")))].

%% Writes the appup of an application with other versions in earlier releases. An appup of a
%% dependency's author is kept.
-spec appup(atom(), [earlier()]) -> ok.
appup(Application, Earlier) ->
    Version = version(Application),
    Old = maps:from_list([{Other, folder(Application, One)}
        || #{applications := #{Application := Other}} = One <- Earlier, Other =/= Version]),
    File = filename:join(ebin(Application), atom_to_list(Application) ++ ".appup"),
    case map_size(Old) > 0 andalso not filelib:is_regular(File) of
        true ->
            Scripts = [{Other, instructions(Application, Version, Other, Folder)} || {Other, Folder} <- lists:sort(maps:to_list(Old))],
            Up = [{Other, One} || {Other, {One, _}} <- Scripts],
            Down = [{Other, One} || {Other, {_, One}} <- Scripts],
            ok = file:write_file(File, unicode:characters_to_binary(io_lib:format("~tp.~n", [{Version, Up, Down}])));
        false ->
            ok
    end.

%% Returns the instructions for an upgrade, and for the way back.
-spec instructions(atom(), string(), string(), file:filename()) -> {[tuple() | atom()], [tuple() | atom()]}.
instructions(Application, Version, Other, Folder) ->
    case is_rust(Application) of
        true -> {change_over(Application, Version), change_over(Application, Other)};
        false ->
            {Before, After} = {modules(Application, Folder), modules(Application, filename:dirname(ebin(Application)))},
            Up = [{add_module, Module} || {Module, _} <- After, not lists:keymember(Module, 1, Before)],
            Changed = [change(Module) || {Module, Md5} <- After, {Same, Old} <- Before, Same =:= Module, Old =/= Md5],
            Down = [{add_module, Module} || {Module, _} <- Before, not lists:keymember(Module, 1, After)],
            Delete = fun(Added) -> [{delete_module, Module} || {add_module, Module} <- Added] end,
            {Up ++ Changed ++ Delete(Down), Down ++ Changed ++ Delete(Up)}
    end.

-spec is_rust(atom()) -> boolean().
is_rust(Application) ->
    filelib:is_regular(filename:join(ebin(Application), atom_to_list(Application) ++ "_nif.beam")).

%% Returns instructions for otp_rs_relup, which refuses before anything has changed, or switches the
%% processes.
-spec change_over(atom(), string()) -> [tuple() | atom(), ...].
change_over(Application, Version) ->
    [{apply, {otp_rs_relup, check, [Application, Version]}}, point_of_no_return,
        {apply, {otp_rs_relup, change, [Application, Version]}}].

%% Returns the instruction for a module in Erlang: processes that a supervisor has started with it
%% switch by its `code_change`.
-spec change(module()) -> tuple().
change(Module) ->
    {ok, {Module, [{attributes, Attributes}, {exports, Exports}]}} =
        beam_lib:chunks(code:where_is_file(atom_to_list(Module) ++ ".beam"), [attributes, exports]),
    Behaviours = lists:append([Names || {Key, Names} <- Attributes, Key =:= behaviour orelse Key =:= behavior]),
    HasCodeChange = lists:any(fun(Export) -> lists:member(Export, Exports) end, [{code_change, 3}, {code_change, 4}]),
    case lists:member(supervisor, Behaviours) of
        true -> {update, Module, supervisor};
        false when HasCodeChange -> {update, Module, {advanced, []}, soft_purge, soft_purge, []};
        false -> {load_module, Module, soft_purge, soft_purge, []}
    end.
