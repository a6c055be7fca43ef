%% Unpacks the archive of another version into the folder of a release, beside the version that is
%% there.
-module(otp_rs_unpack).
-export([archive/2]).

%% `NAME-VERSION` in the archive is the folder of the release. What is there already stays: an
%% application's version has one content.
-spec archive(file:filename(), string()) -> {ok, string()} | {error, unicode:chardata()}.
archive(Archive, Name) ->
    Root = code:root_dir(),
    Scratch = filename:join(Root, ".unpack-" ++ os:getpid()),
    try
        made(file:make_dir(Scratch), Root),
        case erl_tar:extract(Archive, [compressed, {cwd, Scratch}]) of
            ok -> ok;
            {error, Reason} -> throw([Archive, ": ", erl_tar:format_error(Reason)])
        end,
        {Folder, Version} = release(Archive, Scratch, Name),
        To = filename:join([Root, "releases", Version]),
        filelib:is_dir(To) andalso throw([Version, " is unpacked already"]),
        lists:foreach(fun(Part) -> add(Folder, Root, Part) end, parts(Folder)),
        replace(Folder, Root, filename:join("bin", Name)),
        %% The last one: now it is there.
        add(Folder, Root, filename:join("releases", Version)),
        {ok, Version}
    catch
        throw:Text -> {error, Text}
    after
        file:del_dir_r(Scratch)
    end.

-spec release(file:filename(), file:filename(), string()) -> {file:filename(), string()}.
release(Archive, Scratch, Name) ->
    case [filename:split(File) || File <- filelib:wildcard("*/releases/*/" ++ Name ++ ".rel", Scratch)] of
        [[Folder, _, Version, _]] -> {filename:join(Scratch, Folder), Version};
        _ ->
            throw([Archive, " is not a release of ", Name])
    end.

-spec parts(file:filename()) -> [file:filename()].
parts(Folder) ->
    {ok, Applications} = file:list_dir(filename:join(Folder, "lib")),
    {ok, All} = file:list_dir(Folder),
    [filename:join("lib", Application) || Application <- Applications] ++ [Part || "erts-" ++ _ = Part <- All].

-spec add(file:filename(), file:filename(), file:filename()) -> ok.
add(From, To, Part) ->
    filelib:is_dir(filename:join(To, Part)) orelse replace(From, To, Part),
    ok.

-spec replace(file:filename(), file:filename(), file:filename()) -> ok.
replace(From, To, Part) ->
    made(file:rename(filename:join(From, Part), filename:join(To, Part)), filename:join(To, Part)).

-spec made(ok | {error, file:posix()}, file:filename()) -> ok.
made(ok, _) -> ok;
made({error, Reason}, Path) -> throw([Path, ": ", file:format_error(Reason)]).
