%% Unpacks the archive of another version into the folder of a release, beside the existing version.
-module(otp_rs_unpack).
-export([archive/2, archive/3, extract/2]).

%% The maximum number of bytes of an archive's files.
-define(MOST, 16 * 1024 * 1024 * 1024).

%% `NAME-VERSION` in the archive is the folder of the release. Existing files are kept, because each
%% version of an application has only one content.
-spec archive(file:filename(), string()) -> {ok, string()} | {error, unicode:chardata()}.
archive(Archive, Name) ->
    archive(code:root_dir(), Archive, Name).

%% No archive can write outside the folder, and unless it is a release, it leaves no files.
-spec archive(file:filename(), file:filename(), string()) -> {ok, string()} | {error, unicode:chardata()}.
archive(Root, Archive, Name) ->
    Scratch = filename:join(Root, ".unpack-" ++ os:getpid()),
    try
        made(file:make_dir(Scratch), Root),
        ok = extract(Archive, Scratch),
        {Folder, Version} = release(Archive, Scratch, Name),
        To = filename:join([Root, "releases", Version]),
        filelib:is_dir(To) andalso throw([Version, " is unpacked already"]),
        lists:foreach(fun(Part) -> add(Folder, Root, Part) end, parts(Folder)),
        replace(Folder, Root, filename:join("bin", Name)),
        %% This file is last, because it makes the version visible.
        add(Folder, Root, filename:join("releases", Version)),
        {ok, Version}
    catch
        throw:Text -> {error, Text}
    after
        file:del_dir_r(Scratch)
    end.

%% Extracts an archive into a folder. Throws the reason if the archive is damaged or too large, or
%% if it contains other things than files and folders below that folder.
-spec extract(file:filename(), file:filename()) -> ok.
extract(Archive, Folder) ->
    ok = tar(Archive, fun() -> verify(Archive) end),
    ok = check(Archive, tar(Archive, fun() -> erl_tar:table(Archive, [compressed, verbose]) end)),
    tar(Archive, fun() -> erl_tar:extract(Archive, [compressed, {cwd, Folder}]) end).

%% Unifies the errors of `erl_tar`, which fails in several ways if an archive is damaged.
-spec tar(file:filename(), fun(() -> ok | {ok, Entries} | {error, term()})) -> ok | Entries.
tar(Archive, Fun) ->
    try Fun() of
        ok -> ok;
        {ok, Entries} -> Entries;
        {error, Reason} -> throw([Archive, ": ", erl_tar:format_error(Reason)])
    catch
        error:_ -> throw([Archive, " is damaged"])
    end.

%% Reads the archive to its end, because `erl_tar` does not verify its checksum.
-spec verify(file:filename()) -> ok | {error, term()}.
verify(Archive) ->
    case file:open(Archive, [read, raw, binary]) of
        {ok, File} ->
            Z = zlib:open(),
            try
                ok = zlib:inflateInit(Z, 16 + 15, error),
                ok = verify(Archive, File, Z, 0),
                zlib:inflateEnd(Z)
            after
                zlib:close(Z),
                file:close(File)
            end;
        {error, Reason} -> {error, {Archive, Reason}}
    end.

-spec verify(file:filename(), file:fd(), zlib:zstream(), non_neg_integer()) -> ok.
verify(Archive, _, _, Bytes) when Bytes > ?MOST ->
    throw([Archive, ": its files have more than 16 GiB"]);
verify(Archive, File, Z, Bytes) ->
    case file:read(File, 65536) of
        {ok, Data} -> verify(Archive, File, Z, Bytes + inflated(zlib:safeInflate(Z, Data), Z, 0));
        eof -> ok
    end.

-spec inflated({continue | finished, iolist()}, zlib:zstream(), non_neg_integer()) -> non_neg_integer().
inflated({continue, Data}, Z, Bytes) -> inflated(zlib:safeInflate(Z, []), Z, Bytes + iolist_size(Data));
inflated({finished, Data}, _, Bytes) -> Bytes + iolist_size(Data).

%% A release contains only files and folders. A link is refused, even if it stays within the
%% temporary folder, because it could point elsewhere after the move.
-spec check(file:filename(), [tuple()]) -> ok.
check(Archive, Entries) ->
    lists:foreach(fun(Entry) ->
        Type = element(2, Entry),
        Type =:= regular orelse Type =:= directory
            orelse throw([Archive, ": ", element(1, Entry), " is neither a file nor a folder, and a release has nothing else"])
    end, Entries).

-spec release(file:filename(), file:filename(), string()) -> {file:filename(), string()}.
release(Archive, Scratch, Name) ->
    case [filename:split(File) || File <- filelib:wildcard("*/releases/*/" ++ Name ++ ".rel", Scratch)] of
        [[Top, _, Version, _]] ->
            Folder = filename:join(Scratch, Top),
            IsThere = filelib:is_regular(filename:join([Folder, "bin", Name])) andalso filelib:is_dir(filename:join(Folder, "lib")),
            IsThere orelse throw([Archive, " is not a whole release of ", Name, ": it has no lib, or no bin/", Name]),
            {Folder, Version};
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
