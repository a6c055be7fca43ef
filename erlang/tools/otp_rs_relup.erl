%% Installs versions of a release in a running node. OTP's `release_handler` does the installation,
%% and its relup calls this module, which switches the processes of an application in Rust
%% (otp_rs_upgrade).
-module(otp_rs_relup).
-export([check/2, change/2, upgrade/2, remove/1, versions/0, unpacked/1]).

-type failure() ::
    running | absent | another | {read_only, file:filename()} | {erts, string(), string()}
  | {refused, atom(), otp_rs_upgrade:failure()} | {not_permanent, term()} | (Of_release_handler :: term()).

%% The key of the options for the relup of the current upgrade: how processes switch, if the version
%% is installed and not only checked.
-define(INSTALLING, {?MODULE, installing}).

%% Modules that run an upgrade, each after those that it calls.
-define(UPGRADING, [otp_rs_states, otp_rs_processes, otp_rs_change, otp_rs_announce, otp_rs_later, otp_rs_resource, otp_rs_shared, otp_rs_upgrade]).

%% Called in the relup before the point of no return: the node is unchanged if this fails. If the
%% version is being installed, the processes prepare their new states here, and wait. If a user at a
%% shell installs it, this only compares.
-spec check(atom(), string()) -> ok.
check(Application, Version) ->
    ok = renew(Application, Version),
    Checked = case persistent_term:get(?INSTALLING, none) of
        none -> otp_rs_upgrade:check(package(Application, Version));
        Options ->
            ok = keep_settings(Version),
            otp_rs_upgrade:hold(package(Application, Version), Options)
    end,
    case Checked of
        {ok, {Plan, none}} -> tell({planned, Plan});
        {error, Failure} -> throw({error, {refused, Application, Failure}})
    end.

%% Called in the relup after the point of no return.
-spec change(atom(), string()) -> ok.
change(Application, Version) ->
    {ok, Report} = case persistent_term:get(?INSTALLING, none) of
        none ->
            ok = keep_settings(Version),
            otp_rs_upgrade:upgrade(package(Application, Version), #{anyway => true});
        _ -> otp_rs_upgrade:commit(Application)
    end,
    tell({changed, Report}).

%% Sends a message to the process that requested the upgrade, unless it was a user at a shell.
-spec tell(term()) -> ok.
tell(What) ->
    case whereis(?MODULE) of
        undefined -> ok;
        Pid -> Pid ! {?MODULE, What}, ok
    end.

%% Loads the modules that perform the upgrade from the new version, because each version contains
%% the modules that it needs itself.
-spec renew(atom(), string()) -> ok.
renew(Application, Version) ->
    Ebin = filename:join(folder(Application, Version), "ebin"),
    Files = [{Module, filename:join(Ebin, atom_to_list(Module) ++ ".beam")} || Module <- ?UPGRADING],
    %% If a release has several applications in Rust, the first one provides them.
    lists:foreach(fun({Module, File}) -> filelib:is_regular(File) andalso renew(Module, File, read(File)) end, Files).

-spec renew(module(), file:filename(), binary()) -> ok.
renew(Module, File, Beam) ->
    {ok, {Module, Md5}} = beam_lib:md5(Beam),
    case erlang:module_loaded(Module) andalso Module:module_info(md5) of
        Md5 -> ok;
        _ ->
            {module, Module} = code:load_binary(Module, File, Beam),
            ok
    end.

%% Returns the parts of a version to load. The modules that call the library are also in
%% `priv/upgrade`, with a name for the library that only this version has.
-spec package(atom(), string()) -> otp_rs_upgrade:package().
package(Application, Version) ->
    Folder = folder(Application, Version),
    Own = beams(filename:join(Folder, "ebin")),
    Renamed = beams(filename:join([Folder, "priv", "upgrade"])),
    {Replaced, [{Name, Library}]} = lists:partition(fun({Module, _}) -> lists:keymember(Module, 1, Own) end, Renamed),
    Prefix = atom_to_list(Application),
    Left = [list_to_atom(Prefix ++ "_nif") | otp_rs_upgrade:staying(Application)],
    Modules = [{Module, File, read(proplists:get_value(Module, Replaced, File))}
        || {Module, File} <- Own, not lists:member(Module, Left)],
    Private = filename:join(Folder, "priv"),
    [Native] = filelib:wildcard("lib" ++ Prefix ++ "-*", Private),
    {_, Reserved} = otp_rs_upgrade:reserve(Application),
    File = filename:join(filename:dirname(Reserved), atom_to_list(Name) ++ filename:extension(Reserved)),
    #{application => Application, library => {Name, Library, read(Library)}, modules => Modules,
        native => read(filename:join(Private, Native)), file => File, environment => environment(Application, Version)}.

%% Returns the future environment: the resource file, sys.config and later files, and the command
%% line, each with precedence over those before it.
-spec environment(atom(), string()) -> [{atom(), term()}].
environment(Application, Version) ->
    File = filename:join([folder(Application, Version), "ebin", atom_to_list(Application) ++ ".app"]),
    {ok, [{application, Application, Keys}]} = file:consult(File),
    Given = lists:append(case init:get_argument(Application) of {ok, Lists} -> Lists; error -> [] end),
    Configured = configuration(filename:join([releases(), Version, "sys"])) ++ later(),
    maps:to_list(maps:from_list(
        proplists:get_value(env, Keys, [])
            ++ [{Key, Value} || {One, Key, Value} <- Configured, One =:= Application]
            ++ [One || {Key, _} = One <- application:get_all_env(Application), lists:member(atom_to_list(Key), Given)])).

-spec beams(file:filename()) -> [{module(), file:filename()}].
beams(Folder) ->
    Names = lists:sort(filelib:wildcard("*.beam", Folder)),
    [{list_to_atom(filename:basename(Name, ".beam")), filename:join(Folder, Name)} || Name <- Names].

-spec read(file:filename()) -> binary().
read(File) ->
    {ok, Content} = file:read_file(File),
    Content.

-spec folder(atom(), string()) -> file:filename().
folder(Application, Version) ->
    filename:join([code:root_dir(), "lib", lists:concat([Application, "-", Version])]).

%% Restores settings: `release_handler` sets each application's variables from its new resource file
%% and from sys.config, and so removes settings that the release's program has added: the arguments,
%% and configuration files before and after sys.config.
-spec keep_settings(string()) -> ok.
keep_settings(Version) ->
    Folder = filename:join(releases(), Version),
    System = configuration(filename:join(Folder, "sys")),
    case init:get_argument(otp_rs_logs) of
        {ok, _} -> set([One || {Name, Key, _} = One <- configuration(filename:join(Folder, "logs")), not is_set(Name, Key, System)]);
        error -> ok
    end,
    set(later()),
    {Name, _} = init:script_id(),
    set([{list_to_atom(Name), arguments, [unicode:characters_to_binary(One) || One <- init:get_plain_arguments()]}]).

%% Returns the contents of the files that the program's variable names.
-spec later() -> [{atom(), atom(), term()}].
later() ->
    Files = case init:get_argument(otp_rs_config) of {ok, Lists} -> lists:append(Lists); error -> [] end,
    lists:append([configuration(File) || File <- Files]).

-spec is_set(atom(), atom(), [{atom(), atom(), term()}]) -> boolean().
is_set(Application, Key, Settings) ->
    lists:any(fun({One, Other, _}) -> One =:= Application andalso Other =:= Key end, Settings).

-spec set([{atom(), atom(), term()}]) -> ok.
set(Settings) ->
    lists:foreach(fun({Application, Key, Value}) -> application:set_env(Application, Key, Value) end, Settings).

-spec configuration(file:filename()) -> [{atom(), atom(), term()}].
configuration(File) ->
    case file:consult(filename:rootname(File, ".config") ++ ".config") of
        {ok, [Settings]} -> [{Application, Key, Value} || {Application, Variables} <- Settings, {Key, Value} <- Variables];
        {error, _} -> []
    end.

%% Switches the node to another unpacked version, now and after a restart. `timeout`: milliseconds
%% for current callbacks and tasks to finish. `allow_busy`: a process that is busy after that keeps
%% running the old code. `dry`: only reports how the processes would switch.
-spec upgrade(string(), #{timeout := non_neg_integer(), allow_busy := boolean(), dry := boolean()}) ->
    {ok, [term()], [term()]} | {error, failure()}.
upgrade(Version, #{dry := Dry} = Options) ->
    alone(fun() ->
        known(Version),
        _ = handled(release_handler:check_install_release(Version)),
        Plans = told(planned),
        {ok, Plans, case Dry of true -> []; false -> install(Version, maps:remove(dry, Options)) end}
    end).

-spec alone(fun(() -> Result)) -> Result | {error, failure()}.
alone(Body) ->
    try register(?MODULE, self()) of
        true ->
            try Body()
            catch throw:{failure, Failure} -> {error, Failure}
            after unregister(?MODULE)
            end
    catch
        error:badarg -> {error, another}
    end.

-spec install(string(), map()) -> [term()].
install(Version, Options) ->
    is_writable() orelse throw({failure, {read_only, releases()}}),
    Before = resources(),
    persistent_term:put(?INSTALLING, Options),
    Installed = release_handler:install_release(Version),
    _ = persistent_term:erase(?INSTALLING),
    _ = element(1, Installed) =:= error andalso back(Before),
    _ = handled(Installed),
    case release_handler:make_permanent(Version) of
        ok -> ok;
        {error, Reason} -> throw({failure, {not_permanent, Reason}})
    end,
    _ = told(planned),
    told(changed).

%% Returns the resource files and the environments of applications.
-spec resources() -> [otp_rs_resource:resource()].
resources() ->
    [{application, Application, Keys}
        || {Application, _, _} <- application:loaded_applications(), {ok, Keys} <- [application:get_all_key(Application)]].

%% `release_handler` changes resources before it evaluates the relup, and does not restore them if
%% that refuses.
-spec back([otp_rs_resource:resource()]) -> ok.
back(Before) ->
    ok = otp_rs_upgrade:abandon(),
    lists:foreach(fun({application, Application, Keys} = Resource) ->
        case application:get_all_key(Application) of
            {ok, Same} when Same =:= Keys -> ok;
            {ok, Others} -> otp_rs_resource:undo(#{before => Resource, resource => {application, Application, Others}});
            undefined -> ok
        end
    end, Before).

-spec handled(ok | tuple()) -> ok | tuple().
handled({error, Reason}) -> throw({failure, Reason});
handled(Done) -> Done.

-spec told(planned | changed) -> [term()].
told(Kind) ->
    receive {?MODULE, {Kind, What}} -> [What | told(Kind)] after 0 -> [] end.

%% `release_handler` must know the version, and must have unpacked it.
-spec known(string()) -> ok.
known(Version) ->
    Known = release_handler:which_releases(),
    case lists:keyfind(Version, 2, Known) of
        {_, _, _, Status} when Status =:= current -> throw({failure, running});
        {_, _, _, permanent} ->
            lists:keymember(current, 4, Known) orelse throw({failure, running}),
            ok;
        {_, _, _, _} -> ok;
        false -> add(Version)
    end.

-spec add(string()) -> ok.
add(Version) ->
    {Name, _} = init:script_id(),
    File = filename:join([releases(), Version, Name ++ ".rel"]),
    case file:consult(File) of
        {ok, [{release, _, {erts, Erts}, Applications}]} ->
            Running = erlang:system_info(version),
            Erts =:= Running orelse throw({failure, {erts, Running, Erts}}),
            is_writable() orelse throw({failure, {read_only, releases()}}),
            %% The folders are relative, so that the folder of the release can be moved.
            Folders = [{element(1, One), element(2, One), "lib"} || One <- Applications],
            _ = handled(release_handler:set_unpacked(File, Folders)),
            ok;
        {error, _} ->
            throw({failure, absent})
    end.

-spec releases() -> file:filename().
releases() ->
    filename:join(code:root_dir(), "releases").

-spec is_writable() -> boolean().
is_writable() ->
    File = filename:join(releases(), ".otp_rs-" ++ os:getpid()),
    case file:write_file(File, "") of
        ok -> file:delete(File) =:= ok;
        {error, _} -> false
    end.

%% Removes the files of a version that is not running, except for those that other versions need.
-spec remove(string()) -> ok | {error, failure()}.
remove(Version) ->
    alone(fun() ->
        known(Version),
        is_writable() orelse throw({failure, {read_only, releases()}}),
        handled(release_handler:remove_release(Version))
    end).

%% Returns the versions of the release, with their state in `release_handler`.
-spec versions() -> [{string(), atom()}].
versions() ->
    {Name, _} = init:script_id(),
    Known = [{Version, Status} || {_, Version, _, Status} <- release_handler:which_releases()],
    merged(Known, unpacked(Name)).

%% Returns the versions in the folder, if no node is running.
-spec unpacked(string()) -> [{string(), atom()}].
unpacked(Name) ->
    Known = case file:consult(filename:join(releases(), "RELEASES")) of
        {ok, [Releases]} -> [{element(3, One), element(6, One)} || One <- Releases];
        {error, _} -> []
    end,
    Files = filelib:wildcard("*/" ++ Name ++ ".rel", releases()),
    merged(Known, [{filename:dirname(File), unpacked} || File <- Files]).

-spec merged([{string(), atom()}], [{string(), atom()}]) -> [{string(), atom()}].
merged(Known, More) ->
    lists:sort(Known ++ [One || {Version, _} = One <- More, not lists:keymember(Version, 1, Known)]).
