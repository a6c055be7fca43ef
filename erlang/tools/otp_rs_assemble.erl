%% Runs OTP's `systools`, which creates a release, and packs its folder. `cargo otp release` runs
%% this module.
-module(otp_rs_assemble).
-export([make/0, pack/0]).

%% The bytes of an archive, and so its checksum, must not depend on when and by whom it was packed.
-define(OWNER, 0).

%% Modules that are part of each application of otp-rs, and are the same in all.
-define(SHARED, [otp_rs, otp_rs_helper, otp_rs_output, otp_rs_upgrade, otp_rs_package, otp_rs_processes, otp_rs_change, otp_rs_states, otp_rs_later, otp_rs_announce, otp_rs_resource, otp_rs_shared, otp_rs_status, otp_rs_vm, otp_rs_limits, otp_rs_isolated, otp_rs_guest, otp_rs_registry, otp_rs_dynamic, otp_rs_table, otp_rs_spans, otp_rs_telemetry]).

%% Arguments: a temporary folder with sys.config, the folder of the release, NAME, VERSION, and
%% applications in addition to those that NAME needs. `load:OTHER` is not started at boot.
%% `from:PATH` is a release that can be upgraded to this one. The code path contains all
%% applications.
-spec make() -> no_return().
make() ->
    answer(fun([Scratch, Folder, Name, Version | More]) ->
        Own = list_to_atom(Name),
        Loaded = [Own | [list_to_atom(Other) || "load:" ++ Other <- More]],
        Others = [list_to_atom(Other) || Other <- More, not lists:prefix("load:", Other), not lists:prefix("from:", Other)],
        Earlier = [otp_rs_make_relup:earlier(Path, Name, filename:join(Scratch, integer_to_list(Number)))
            || {Number, "from:" ++ Path} <- lists:enumerate(More)],
        lists:foreach(fun otp_rs_make_relup:pack/1, Loaded),
        share(Loaded),
        Client = [kernel, stdlib, otp_rs_release],
        %% release_handler is in sasl.
        Applications = closure(Client ++ [sasl] ++ Others ++ lists:reverse(Loaded), []),
        release(Scratch, "start_clean", Version, Client, []),
        release(Scratch, Name, Version, Applications, Loaded),
        otp_rs_make_relup:make(Scratch, Name, [otp_rs_release | Loaded], Earlier),
        Options = [{path, code:get_path()}, {outdir, Scratch}, silent],
        done(systools:make_tar(filename:join(Scratch, Name), [{erts, code:root_dir()} | Options])),
        Archive = filename:join(Scratch, Name ++ ".tar.gz"),
        ok = erl_tar:extract(Archive, [compressed, {cwd, Folder}]),
        Clean = filename:join([Folder, "releases", Version, "start_clean.boot"]),
        {ok, _} = file:copy(filename:join(Scratch, "start_clean.boot"), Clean),
        remember(Folder, Name, Version),
        io:format("~ts ~ts~n", [erlang:system_info(version), erlang:system_info(otp_release)])
    end).

%% Writes the files that `release_handler` reads when the release is started, and the file with the
%% version for the program.
-spec remember(file:filename(), string(), string()) -> ok.
remember(Folder, Name, Version) ->
    Releases = filename:join(Folder, "releases"),
    %% Without a root, its folders are relative, so that the release can be in any folder.
    ok = release_handler:create_RELEASES("", Releases, filename:join([Releases, Version, Name ++ ".rel"]), []),
    Text = [erlang:system_info(version), " ", Version, "\n"],
    ok = file:write_file(filename:join(Releases, "start_erl.data"), Text).

%% Removes the shared modules from all applications except the first, because systools refuses a
%% module that two applications have.
-spec share([atom()]) -> ok.
share([_ | Others]) ->
    lists:foreach(fun(Application) ->
        File = code:where_is_file(atom_to_list(Application) ++ ".app"),
        {ok, [{application, Application, Keys}]} = file:consult(File),
        Modules = proplists:get_value(modules, Keys, []),
        case Modules -- ?SHARED of
            Modules -> ok;
            Own ->
                Left = lists:keyreplace(modules, 1, Keys, {modules, Own}),
                Text = io_lib:format("~tp.~n", [{application, Application, Left}]),
                ok = file:write_file(File, unicode:characters_to_binary(Text))
        end
    end, Others).

%% Arguments: the folder, its name in the archive, the archive, the time of all files in seconds.
%% After each file, prints the number of bytes packed.
-spec pack() -> no_return().
pack() ->
    answer(fun([Folder, Prefix, Archive, Seconds]) ->
        Time = list_to_integer(Seconds),
        Options = [{atime, Time}, {mtime, Time}, {ctime, Time}, {uid, ?OWNER}, {gid, ?OWNER}],
        {ok, Tar} = erl_tar:open(Archive, [write, compressed]),
        lists:foldl(
            fun(File, Before) ->
                Path = filename:join(Folder, File),
                ok = erl_tar:add(Tar, Path, filename:join(Prefix, File), Options),
                Bytes = Before + filelib:file_size(Path),
                io:format("~b~n", [Bytes]),
                Bytes
            end, 0, files(Folder, "")),
        ok = erl_tar:close(Tar)
    end).

%% Returns the files below a folder, in order of name.
-spec files(file:filename(), file:filename()) -> [file:filename()].
files(Folder, Relative) ->
    {ok, Names} = file:list_dir(filename:join(Folder, Relative)),
    lists:append([
        case filelib:is_dir(filename:join(Folder, Path)) of
            true -> files(Folder, Path);
            false -> [Path]
        end
        || Name <- lists:sort(Names),
           Path <- [case Relative of "" -> Name; _ -> filename:join(Relative, Name) end]]).

%% Returns the applications with all that they need, each after those that it needs.
-spec closure([atom()], [atom()]) -> [atom()].
closure(Applications, Found) ->
    lists:foldl(fun(Application, Sofar) -> add(Application, [], Sofar) end, Found, Applications).

%% Adds an application. `Above` are applications that need it; systools refuses an application that
%% needs itself.
-spec add(atom(), [atom()], [atom()]) -> [atom()].
add(Application, Above, Found) ->
    case lists:member(Application, Above ++ Found) of
        true -> Found;
        false ->
            Add = fun(Needed, Sofar) -> add(Needed, [Application | Above], Sofar) end,
            lists:foldl(Add, Found, needed(Application)) ++ [Application]
    end.

-spec needed(atom()) -> [atom()].
needed(Application) ->
    Keys = keys(Application),
    Key = fun(Key) -> proplists:get_value(Key, Keys, []) end,
    Optional = [Name || Name <- Key(optional_applications), code:lib_dir(Name) =:= {error, bad_name}],
    (Key(applications) ++ Key(included_applications)) -- Optional.

-spec version(atom()) -> string().
version(Application) ->
    proplists:get_value(vsn, keys(Application)).

-spec keys(atom()) -> [{atom(), term()}].
keys(Application) ->
    File = atom_to_list(Application) ++ ".app",
    case code:where_is_file(File) of
        non_existing -> throw({missing, Application});
        Path ->
            {ok, [{application, Application, Keys}]} = file:consult(Path),
            Keys
    end.

%% Writes NAME.rel and creates NAME.boot. An application that is only loaded is started by the
%% module NAME_run, which reports why a start failed.
-spec release(file:filename(), string(), string(), [atom()], [atom()]) -> ok.
release(Scratch, Name, Version, Applications, Loaded) ->
    Release = {release, {Name, Version}, {erts, erlang:system_info(version)},
        [case lists:member(Application, Loaded) of
            true -> {Application, version(Application), load};
            false -> {Application, version(Application)}
        end || Application <- Applications]},
    Base = filename:join(Scratch, Name),
    ok = file:write_file(Base ++ ".rel", unicode:characters_to_binary(io_lib:format("~tp.~n", [Release]))),
    Options = [{path, code:get_path()}, {outdir, Scratch}, silent, no_warn_sasl, no_dot_erlang],
    done(systools:make_script(Base, Options)).

-spec done(term()) -> ok.
done(ok) -> ok;
done({ok, _, []}) -> ok;
done({ok, Module, Warnings}) -> io:format(standard_error, "~ts", [Module:format_warning(Warnings)]);
done({error, Module, Error}) -> throw({said, Module:format_error(Error)}).

-spec answer(fun(([string()]) -> term())) -> no_return().
answer(Body) ->
    try Body(init:get_plain_arguments()) of
        _ -> halt(0)
    catch
        throw:{missing, Application} ->
            io:format(standard_error, "missing ~ts~n", [Application]),
            halt(3);
        throw:{said, Text} ->
            io:format(standard_error, "~ts", [Text]),
            halt(4);
        throw:{unfit, Text} ->
            io:format(standard_error, "~ts", [Text]),
            halt(5);
        Class:Reason:Stack ->
            io:format(standard_error, "~tp:~tp~n~tp~n", [Class, Reason, Stack]),
            halt(1)
    end.
