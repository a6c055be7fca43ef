%% Loads another build of an application beside the running one, and makes its processes switch to
%% it, all of them or none (docs/upgrades.md). Each build's library is loaded by a module of its own
%% and stays loaded until nothing of it is used:
%%
%%   shop_nif     the build that the VM was started with
%%   shop_nif_1   the next one; a name is free again when its library has left
%%
%% The callback modules keep their names. If a new callback module receives the state of an older
%% build, it calls that build's library. The module is the same in every application.
-module(otp_rs_upgrade).
-export([owner/2, goes_back/3, builds/1, libraries/1, reserve/1, reserve/2, native/1, plan/2, staying/1, check/1, upgrade/2, hold/2, commit/1, abandon/0, run/2, progress/0, leave/1, loading/0, stopped/1]).
-export_type([state_of_module/0, code/0, package/0, change/0, planned/0, report/0, failure/0]).

%% A module, its behaviour, the Erlang type of its state if that is a term, its Rust type, and the
%% types of older states that its `code_change` takes.
-type state_of_module() :: {module(), module(), binary() | none, binary(), [binary()]}.
%% A module that is loaded under this name from this file.
-type code() :: {module(), file:filename(), binary()}.
-type package() :: #{
    application := atom(), library := code(), modules := [code()], native := binary(), file := file:filename(),
    %% One of these two. If OTP's release_handler changes the resource, only the future environment
    %% is checked.
    resource => otp_rs_resource:resource(), environment => [{atom(), term()}]
}.
%% How the processes of a module switch. Some keep running the old code until they end: processes of
%% a module that the new build does not have (`gone`); processes that do not answer messages of
%% `sys` (`silent`); processes whose behaviour has no `code_change`, if their state has another type
%% (`retyped`) or is not a term (`opaque`); processes that run a body (`spawned`, by the library's
%% module); and children in VMs of their own (`isolated`).
-type change() :: of_module() | silent | spawned | isolated.
-type of_module() ::
    same | converted | converted_back | supervisor | gone | retyped | opaque
  | {changed, binary(), binary()} | {no_term, binary()} | {behaviour, module(), module()}.
-type planned() :: {module(), change(), [pid()]}.
-type plan() :: {[planned()], otp_rs_resource:plan() | none}.
%% The plan for the processes and for the application; processes that have switched, by their
%% module; processes that keep running the old code, with the reasons; new children that supervisors
%% have started; the result of `config_change/3`.
-type report() :: #{
    planned := [planned()], resource := otp_rs_resource:plan() | none,
    changed := [{module(), pos_integer()}], left := [{pid(), module(), term()}], started := [{pid(), term(), term()}],
    config_change := ok | {error, term()}
}.
%% `failed`: processes that could not switch. `busy`: processes that could not switch now.
-type failure() ::
    {refused, [planned()]} | {failed | busy, [otp_rs_change:not_changed(), ...]} | {old_code, module(), [pid()]} | {in_use, module()} | {library, term()} | {modules, term()}
  | another_upgrade | cancelled
  | otp_rs_shared:failure() | {missing, [atom(), ...]} | {not_started, {atom(), term()}} | {environment, [otp_rs_resource:mistake(), ...]}.

%% Modules that run an upgrade.
-define(UPGRADING, [?MODULE, otp_rs_processes, otp_rs_change, otp_rs_later, otp_rs_states, otp_rs_announce, otp_rs_resource, otp_rs_shared]).

%% Milliseconds for processes that started while all others were switching.
-define(LATER, 500).

%% The key of the loaded versions of an application, newest first, with the files of the libraries
%% that are deleted with them.
-define(VERSIONS(Application), {?MODULE, Application}).

%% The key of the file of a library whose upgrade has begun. If the upgrade is killed, other
%% processes remove the library and the file.
-define(BEGUN(Application, Library), {?MODULE, begun, Application, Library}).

%% The key of the build that an application ran before its last upgrade.
-define(BEFORE(Application), {?MODULE, before, Application}).

%% Keys in the dictionary of the upgrade's process: its progress, and the file of the library that
%% it is loading.
-define(PROGRESS, {?MODULE, progress}).
-define(LOADING, {?MODULE, loading}).

-spec versions(atom()) -> [{module(), file:filename() | none}, ...].
versions(Application) ->
    persistent_term:get(?VERSIONS(Application), [{library(Application, ""), none}]).

%% Returns the libraries of its versions, newest first.
-spec libraries(atom()) -> [module(), ...].
libraries(Application) ->
    [Library || {Library, _} <- versions(Application)].

%% Returns the build of an application that runs, and the one that ran before its last upgrade.
-spec builds(atom()) -> {binary(), binary() | none}.
builds(Application) ->
    {build(hd(libraries(Application))), persistent_term:get(?BEFORE(Application), none)}.

%% A build may be loaded twice.
-spec remember(atom(), binary(), binary()) -> ok.
remember(_, Same, Same) -> ok;
remember(Application, Before, _) -> persistent_term:put(?BEFORE(Application), Before).

-spec build(module()) -> binary().
build(Library) ->
    {_, _, Build} = Library:build(),
    Build.

-spec library(atom(), string()) -> module().
library(Application, Number) ->
    list_to_atom(atom_to_list(Application) ++ "_nif" ++ Number).

%% Returns the library that has made a state of the calling process.
-spec owner(module(), term()) -> {ok, module()} | none.
owner(Library, Cell) when is_reference(Cell) ->
    {Application, _, _} = Library:build(),
    Libraries = [Library | [Other || {Other, _} <- versions(Application), Other =/= Library]],
    case lists:search(fun(One) -> owns(One, Cell) end, Libraries) of
        {value, Owner} -> {ok, Owner};
        false -> none
    end;
owner(_, _) ->
    none.

-spec owns(module(), reference()) -> boolean().
owns(Library, Cell) ->
    try Library:owns(Cell) catch error:_ -> false end.

%% Returns a free name for the module of another library, and a file for that library, in a folder
%% that only this user can read. The upgrade creates the folder, so that no folder is left behind if
%% there is no upgrade.
-spec reserve(atom()) -> {module(), file:filename()}.
reserve(Application) ->
    reserve(Application, temporary()).

%% Like `reserve/1`, but the new folder is inside `Parent`.
-spec reserve(atom(), file:filename()) -> {module(), file:filename()}.
reserve(Application, Parent) ->
    Name = free(Application, 1),
    Random = integer_to_list(rand:uniform(1 bsl 48), 36),
    Folder = filename:join(Parent, "otp_rs-" ++ os:getpid() ++ "-" ++ Random),
    {Name, native(filename:join(Folder, atom_to_list(Name)))}.

%% Elements of a `file:file_info()`. Its header is not installed everywhere.
-define(TYPE, 3).
-define(USER, 13).

%% Writes the library into its folder, and removes the folders of VMs that were killed.
-spec write(file:filename(), binary()) -> ok | {error, atom()}.
write(File, Native) ->
    Folder = filename:dirname(File),
    ok = sweep(filename:dirname(Folder)),
    ok = file:make_dir(Folder),
    ok = file:change_mode(Folder, 8#700),
    file:write_file(File, Native).

%% Removes such folders on Linux, the only system on which it can find out which processes are
%% running. A loaded library no longer needs its file.
-spec sweep(file:filename()) -> ok.
sweep(Parent) ->
    lists:foreach(fun(Folder) ->
        ["otp_rs", Number, _] = string:split(filename:basename(Folder), "-", all),
        case is_own(Folder) andalso not filelib:is_dir(filename:join("/proc", Number)) of
            true -> lists:foreach(fun discard/1, filelib:wildcard(filename:join(Folder, "*_nif*"))), _ = file:del_dir(Folder);
            false -> ok
        end
    end, filelib:wildcard(filename:join(Parent, "otp_rs-[0-9]*-[0-9A-Z]*"))).

%% Returns whether it is a folder of this user. Other users may make links with such names, behind
%% which are files of this user.
-spec is_own(file:filename()) -> boolean().
is_own(Folder) ->
    case {file:read_link_info(Folder), file:read_file_info("/proc/self")} of
        {{ok, Found}, {ok, Self}} -> element(?TYPE, Found) =:= directory andalso element(?USER, Found) =:= element(?USER, Self);
        _ -> false
    end.

%% Returns the file that `erlang:load_nif/2` opens for a path without extension.
-spec native(file:filename()) -> file:filename().
native(Path) ->
    case os:type() of
        {win32, _} -> Path ++ ".dll";
        _ -> Path ++ ".so"
    end.

-spec temporary() -> file:filename().
temporary() ->
    os:getenv("TMPDIR", "/tmp").

-spec free(atom(), pos_integer()) -> module().
free(Application, Number) ->
    Name = library(Application, "_" ++ integer_to_list(Number)),
    case is_free(Name) of
        true -> Name;
        false -> free(Application, Number + 1)
    end.

-spec is_free(module()) -> boolean().
is_free(Name) ->
    not (erlang:module_loaded(Name) orelse erlang:check_old_code(Name)).

%% The application is stopped, and possibly the VM: the files of its libraries are no longer needed,
%% even if the libraries stay loaded.
-spec stopped(atom()) -> ok.
stopped(Application) ->
    lists:foreach(fun({_, File}) -> discard(File) end, versions(Application)).

-spec discard(file:filename() | none) -> ok.
discard(none) ->
    ok;
discard(File) ->
    _ = file:delete(File),
    _ = file:del_dir(filename:dirname(File)),
    ok.

%% Returns modules that are not loaded: the starter of the application waits in the module `_run`
%% for its end, and the other modules run the upgrade.
-spec staying(atom()) -> [module(), ...].
staying(Application) ->
    [list_to_atom(atom_to_list(Application) ++ "_run") | ?UPGRADING].

%% Returns how the processes of each module would switch to a build with these states.
-spec plan(atom(), [state_of_module()]) -> [planned()].
plan(Application, New) ->
    Libraries = libraries(Application),
    Old = (hd(Libraries)):states(),
    Living = otp_rs_processes:living(Libraries, [{Module, Behaviour} || {Module, Behaviour, _, _, _} <- Old]),
    {Answering, Silent} = lists:partition(fun otp_rs_processes:answers/1, Living),
    Back = going_back(Libraries),
    Planned = [{Module, change(State, lists:keyfind(Module, 1, New), Back), of_module(Module, Answering)}
        || {Module, _, _, _, _} = State <- Old],
    Isolated = otp_rs_processes:isolated(),
    Others = [{Module, silent, of_module(Module, Silent)} || {Module, _, _, _, _} <- Old]
        ++ [{Module, isolated, [Pid || {Pid, Same} <- Isolated, Same =:= Module]} || {Module, _, _, _, _} <- Old]
        ++ [{Library, spawned, otp_rs_processes:spawned([Library])} || Library <- Libraries],
    Planned ++ [One || {_, _, [_ | _]} = One <- Others].

-spec of_module(module(), [otp_rs_processes:process()]) -> [pid()].
of_module(Module, Processes) ->
    [Pid || {Pid, One, _} <- Processes, One =:= Module].

%% Returns the older states to which clauses of the running build go back, by their module. The
%% libraries of earlier releases of otp-rs have none.
-spec going_back([module(), ...]) -> #{module() => [binary()]}.
going_back([Running | _]) ->
    case erlang:function_exported(Running, older_states, 0) of
        true -> maps:from_list(Running:older_states());
        false -> #{}
    end.

%% Returns whether a clause of the running build makes the state of the newest library's module from
%% a state of this type, because no clause of the newest one does.
-spec goes_back(module(), module(), {module(), binary()}) -> boolean().
goes_back(Newest, Running, {Module, Form}) ->
    case going_back([Running]) of
        #{Module := Back} ->
            {Module, _, New, _, Taken} = lists:keyfind(Module, 1, Newest:states()),
            not takes(Form, Taken) andalso lists:member(New, Back);
        #{} -> false
    end.

%% Returns whether a clause of `code_change` that takes these types takes a state of this type.
-spec takes(binary(), [binary()]) -> boolean().
takes(Form, Taken) ->
    lists:any(fun(One) -> One =:= Form orelse One =:= <<"term()">> end, Taken).

-spec change(state_of_module(), state_of_module() | false, #{module() => [binary()]}) -> of_module().
change(_, false, _) ->
    gone;
change({_, One, _, _, _}, {_, Other, _, _, _}, _) when One =/= Other ->
    {behaviour, One, Other};
change({_, supervisor, _, _, _}, _, _) ->
    supervisor;
change({_, Behaviour, none, Type, _}, _, _) ->
    case otp_rs_processes:has_code_change(Behaviour) of
        true -> {no_term, Type};
        false -> opaque
    end;
change({_, _, Form, _, _}, {_, _, Form, _, _}, _) ->
    same;
change({Module, Behaviour, Form, _, _}, {_, _, New, Type, Taken}, Back) ->
    case {takes(Form, Taken), lists:member(New, maps:get(Module, Back, []))} of
        {true, _} -> converted;
        {false, true} -> converted_back;
        {false, false} ->
            case otp_rs_processes:has_code_change(Behaviour) of
                false -> retyped;
                true when New =:= none -> {changed, Form, Type};
                true -> {changed, Form, New}
            end
    end.

-spec is_refused(planned()) -> boolean().
is_refused({_, _, []}) -> false;
is_refused({_, Change, _}) -> is_tuple(Change).

%% Returns whether the package can be loaded now, and how the processes would switch. Everything is
%% undone.
-spec check(package()) -> {ok, plan()} | {error, failure()}.
check(#{application := Application, library := {Name, _, _}, file := File} = Package) ->
    alone(Package, fun() ->
        Checked = loaded(Package, fun(Changed, Resource) ->
            Plan = {plan(Application, Name:states()), Resource},
            case fits(Changed, Plan) of
                %% The error makes `loaded/2` unload it again.
                ok -> {error, {checked, Plan}};
                Refused -> Refused
            end
        end),
        discard(File),
        case Checked of
            {error, {checked, Plan}} -> {ok, Plan};
            Refused -> Refused
        end
    end).

%% `timeout`: milliseconds for current callbacks and tasks to finish. `allow_busy`: a process that
%% is busy after that keeps running the old code, and switches when it has finished. `anyway`: loads
%% the package whatever processes cannot switch. `asker`: if this process ends before the switch,
%% the upgrade is cancelled. By default it is the caller; set it if the caller acts for another
%% process.
-type options() :: #{timeout => non_neg_integer(), allow_busy => boolean(), anyway => boolean(), asker => pid()}.

%% Loads the package if all processes can switch, and makes them switch.
-spec upgrade(package(), options()) -> {ok, report()} | {error, failure()}.
upgrade(Package, Options) ->
    Asker = maps:get(asker, Options, self()),
    alone(Package, fun() ->
        case begun(Package, Options#{asker => Asker}) of
            {ok, Begun} -> finished(Begun);
            Refused -> Refused
        end
    end).

%% The first part only: suspends the processes and prepares their new states, until the caller calls
%% `commit/1`, or ends. It can hold several applications at once.
-spec hold(package(), options()) -> {ok, plan()} | {error, failure()}.
hold(Package, Options) ->
    case current() of
        none ->
            Owner = self(),
            {Process, Monitor} = spawn_monitor(?MODULE, run, [file(Package), fun() -> held(Owner, #{}) end]),
            ask(Process, Monitor, {hold, Package, Options});
        taken ->
            {error, another_upgrade};
        Process ->
            ask(Process, monitor(process, Process), {hold, Package, Options})
    end.

-spec commit(atom()) -> {ok, report()} | {error, failure()}.
commit(Application) ->
    Process = whereis(?MODULE),
    ask(Process, monitor(process, Process), {commit, Application}).

%% Gives up held upgrades. The processes have not changed.
-spec abandon() -> ok.
abandon() ->
    case current() of
        Process when is_pid(Process) ->
            Monitor = monitor(process, Process),
            Process ! {?MODULE, self(), Monitor, abandon},
            receive {'DOWN', Monitor, process, Process, _} -> ok end;
        _ -> ok
    end.

%% Returns the process of the current upgrade.
-spec current() -> pid() | none | taken.
current() ->
    otp_rs_processes:own(?MODULE, [{?MODULE, run, 2}]).

-spec ask(pid(), reference(), term()) -> term().
ask(Process, Monitor, Request) ->
    Process ! {?MODULE, self(), Monitor, Request},
    receive
        {?MODULE, Monitor, Answer} -> demonitor(Monitor, [flush]), Answer;
        {'DOWN', Monitor, process, Process, {?MODULE, Result}} -> Result;
        {'DOWN', Monitor, process, Process, Reason} -> exit(Reason)
    end.

-spec held(pid(), #{atom() => begun()}) -> {ok, done} | {error, failure()}.
held(Owner, All) ->
    Monitor = monitor(process, Owner),
    receive
        {?MODULE, Owner, Asking, {hold, #{application := Application} = Package, Options}} ->
            demonitor(Monitor, [flush]),
            case begun(Package, maps:merge(#{asker => Owner}, Options)) of
                {ok, #{plan := Plan} = Begun} ->
                    Owner ! {?MODULE, Asking, {ok, Plan}},
                    held(Owner, All#{Application => Begun});
                Refused ->
                    given_up(All),
                    Refused
            end;
        {?MODULE, Owner, Asking, {commit, Application}} when is_map_key(Application, All) ->
            demonitor(Monitor, [flush]),
            {Begun, Others} = maps:take(Application, All),
            Owner ! {?MODULE, Asking, finished(Begun)},
            case map_size(Others) of
                0 -> {ok, done};
                _ -> held(Owner, Others)
            end;
        {?MODULE, _, _, abandon} ->
            given_up(All),
            {ok, done};
        {?MODULE, Other, Asking, _} when is_pid(Other) ->
            demonitor(Monitor, [flush]),
            Other ! {?MODULE, Asking, {error, another_upgrade}},
            held(Owner, All);
        {'DOWN', Monitor, process, Owner, _} ->
            given_up(All),
            {ok, done}
    end.

-spec given_up(#{atom() => begun()}) -> ok.
given_up(All) ->
    lists:foreach(fun undone/1, maps:values(All)).

-spec file(package()) -> file:filename().
file(#{file := File}) -> File.

%% Runs the body in a process of its own, which completes its work whatever happens to the caller.
%% Its registered name shows that there is an upgrade.
-spec alone(package(), fun(() -> {ok, Result} | {error, failure()})) -> {ok, Result} | {error, failure()}.
alone(#{file := File}, Body) ->
    {Process, Monitor} = spawn_monitor(?MODULE, run, [File, Body]),
    receive
        {'DOWN', Monitor, process, Process, {?MODULE, Result}} -> Result;
        {'DOWN', Monitor, process, Process, Reason} -> exit(Reason)
    end.

-spec run(file:filename(), fun(() -> {ok, term()} | {error, failure()})) -> no_return().
run(File, Body) ->
    Result = try register(?MODULE, self()) of
        true ->
            ok = otp_rs_helper:stop_leaving(),
            ok = otp_rs_later:stop(),
            Body()
    catch
        error:badarg ->
            discard(File),
            {error, another_upgrade}
    end,
    exit({?MODULE, Result}).

%% An upgrade in progress: everything is ready, but only the resource has changed.
-type begun() :: #{
    package := package(), plan := plan(), held => otp_rs_change:held(), started := [atom()], libraries := [module(), ...],
    moving := [{module(), module()}], told => otp_rs_announce:processes()
}.

%% Runs the body with the library loaded under its free name. If the body refuses, everything is
%% undone.
-spec loaded(package(), fun((package(), otp_rs_resource:plan() | none) -> {ok, Result} | {error, Failure})) ->
    {ok, Result} | {error, Failure | failure()}.
loaded(#{application := Application, library := {Name, _, _}, modules := Modules, file := File} = Package, Body) ->
    _ = leave(Application),
    Changed = [Code || {Module, _, Binary} = Code <- Modules, is_changed(Module, Binary)],
    Done = case {resource(Package), [Module || {Module, _, _} <- Changed, not code:soft_purge(Module)], is_free(Name)} of
        {#{missing := [_ | _] = Missing}, _, _} -> {error, {missing, Missing}};
        {Planned, [], true} -> with_library(Package#{modules := Changed}, Planned, Body);
        {_, [], false} -> {error, {in_use, Name}};
        {_, [Module | _], _} -> {error, {old_code, Module, [Pid || Pid <- processes(), check_process_code(Pid, Module)]}}
    end,
    _ = element(1, Done) =:= ok orelse discard(File),
    Done.

-spec resource(package()) -> otp_rs_resource:plan() | none.
resource(#{resource := Resource}) -> otp_rs_resource:plan(Resource);
resource(#{}) -> none.

-spec is_changed(module(), binary()) -> boolean().
is_changed(Module, Binary) ->
    {ok, {_, Md5}} = beam_lib:md5(Binary),
    not erlang:module_loaded(Module) orelse Module:module_info(md5) =/= Md5.

-spec with_library(package(), otp_rs_resource:plan() | none, fun((package(), otp_rs_resource:plan() | none) -> {ok, Result} | {error, Failure})) ->
    {ok, Result} | {error, Failure | failure()}.
with_library(#{application := Application, library := {Name, From, Code}, native := Native, file := File} = Package, Resource, Body) ->
    ok = persistent_term:put(?BEGUN(Application, Name), File),
    ok = otp_rs_helper:leave(Application),
    ok = write(File, Native),
    _ = put(?LOADING, filename:rootname(File)),
    Loaded = code:load_binary(Name, From, Code),
    _ = erase(?LOADING),
    case Loaded of
        {module, Name} ->
            Done = Body(Package, Resource),
            _ = element(1, Done) =:= ok orelse unload(Application, Name),
            Done;
        {error, Reason} ->
            _ = persistent_term:erase(?BEGUN(Application, Name)),
            {error, {library, Reason}}
    end.

%% Returns the file of the library that the upgrade is loading, without its extension. `on_load`
%% runs in a process of its own, so it cannot read the dictionary directly.
-spec loading() -> file:filename().
loading() ->
    {dictionary, Known} = process_info(whereis(?MODULE), dictionary),
    {?LOADING, File} = lists:keyfind(?LOADING, 1, Known),
    File.

-spec begun(package(), options()) -> {ok, begun()} | {error, failure()}.
begun(Package, Options) ->
    loaded(Package, fun(#{application := Application, library := {Name, _, _}} = Changed, Resource) ->
        Plan = {plan(Application, Name:states()), Resource},
        case maps:get(anyway, Options, false) orelse fits(Changed, Plan) of
            {error, Failure} -> {error, Failure};
            _ ->
                Before = running(),
                case otp_rs_resource:start(Resource) of
                    ok -> prepared(Changed, Plan, running() -- Before, Options);
                    {error, Reason} ->
                        stop(running() -- Before),
                        {error, {not_started, Reason}}
                end
        end
    end).

-spec running() -> [atom()].
running() ->
    [Application || {Application, _, _} <- application:which_applications(infinity)].

%% Stops the applications. The list begins with the one that was started last.
-spec stop([atom()]) -> ok.
stop(Applications) ->
    lists:foreach(fun application:stop/1, Applications).

%% Makes the processes prepare their new states. The code that they call sees the environment of the
%% new build.
-spec prepared(package(), plan(), [atom()], options()) -> {ok, begun()} | {error, failure()}.
prepared(#{application := Application, library := {Name, _, _}} = Package, {Processes, Resource} = Plan, Started, Options) ->
    Behaviours = [{Module, Behaviour} || {Module, Behaviour, _, _, _} <- Name:states()],
    Moving = [One || {Module, _} = One <- Behaviours, {Same, Change, _} <- Processes, Same =:= Module, not is_staying(Change)],
    Older = libraries(Application),
    Begun = #{package => Package, plan => Plan, started => Started, libraries => [Name | Older], moving => Moving},
    ok = otp_rs_resource:change(Resource),
    ok = otp_rs_helper:ensure_started(Name),
    Asker = monitor(process, maps:get(asker, Options)),
    case otp_rs_shared:open_new(Application, Name, hd(Older), Asker) of
        ok ->
            suspended(Begun, Asker, Options);
        Failed ->
            true = demonitor(Asker, [flush]),
            back(Begun),
            case Failed of
                cancelled -> {error, cancelled};
                {error, _} -> Failed
            end
    end.

%% Of the new build, only the code that opens its shared resources has run before this.
-spec suspended(begun(), reference(), options()) -> {ok, begun()} | {error, failure()}.
suspended(#{libraries := Libraries} = Begun, Asker, Options) ->
    Living = living(Begun),
    _ = put(?PROGRESS, {0, length(Living)}),
    Until = now_ms() + maps:get(timeout, Options, 5000),
    Told = otp_rs_announce:begins(Living, Until, Asker),
    IsAnyway = maps:get(anyway, Options, false),
    Prepared = prepare(Living, Libraries, Until, IsAnyway, #{
        asker => Asker, allow_busy => IsAnyway orelse maps:get(allow_busy, Options, false),
        progress => fun(Done) -> put(?PROGRESS, {Done, length(Living)}) end
    }),
    _ = erase(?PROGRESS),
    true = demonitor(Asker, [flush]),
    case Prepared of
        {ok, Held} -> {ok, Begun#{held => Held, told => Told}};
        Failed ->
            back(Begun),
            ok = otp_rs_announce:ended(Told),
            {error, Failed}
    end.

%% `anyway`: processes that cannot switch keep running the old code.
-spec prepare([otp_rs_processes:process()], [module(), ...], integer(), boolean(), otp_rs_change:options()) ->
    {ok, otp_rs_change:held()} | {failed | busy, [otp_rs_change:not_changed(), ...]} | cancelled.
prepare(Living, Libraries, Until, IsAnyway, Options) ->
    case otp_rs_change:prepare(Living, Libraries, Until, Options) of
        {failed, NotChanged} when IsAnyway ->
            Others = [One || {Pid, _, _} = One <- Living, not lists:keymember(Pid, 1, NotChanged)],
            case prepare(Others, Libraries, Until, IsAnyway, Options) of
                {ok, Held} -> {ok, otp_rs_change:without(Held, NotChanged)};
                Other -> Other
            end;
        Prepared -> Prepared
    end.

-spec living(begun()) -> [otp_rs_processes:process()].
living(#{libraries := [_ | Older], moving := Moving}) ->
    lists:filter(fun otp_rs_processes:answers/1, otp_rs_processes:living(Older, Moving)).

%% Restores the environment and the applications.
-spec back(begun()) -> ok.
back(#{plan := {_, Resource}, started := Started}) ->
    ok = otp_rs_resource:undo(Resource),
    stop(Started).

%% Undoes the upgrade.
-spec undone(begun()) -> ok.
undone(#{held := Held, told := Told, package := #{application := Application, library := {Name, _, _}, file := File}} = Begun) ->
    ok = otp_rs_change:undo(Held),
    back(Begun),
    ok = otp_rs_announce:ended(Told),
    unload(Application, Name),
    discard(File).

%% Returns whether all processes can switch, and the environment is valid for the new build.
-spec fits(package(), plan()) -> ok | {error, failure()}.
fits(#{application := Application, library := {Name, _, _}} = Package, {Processes, Resource}) ->
    Environment = case Resource of
        #{resource := {_, _, Keys}} -> proplists:get_value(env, Keys);
        none -> maps:get(environment, Package)
    end,
    case {lists:any(fun is_refused/1, Processes), Name:environment(Application, Environment)} of
        {true, _} -> {error, {refused, Processes}};
        {false, {[_ | _] = Mistakes, _}} -> {error, {environment, Mistakes}};
        {false, {[], _}} -> ok
    end.

%% Loads the new modules and commits. The new version is registered first, so that the new modules
%% can find states of older builds at once.
-spec finished(begun()) -> {ok, report()} | {error, failure()}.
finished(#{package := #{application := Application, library := {Name, _, _}, modules := Modules, file := File}, held := Held} = Begun) ->
    Before = versions(Application),
    persistent_term:put(?VERSIONS(Application), [{Name, File} | Before]),
    case code:atomic_load(Modules) of
        ok ->
            _ = persistent_term:erase(?BEGUN(Application, Name)),
            ok = remember(Application, build(element(1, hd(Before))), build(Name)),
            Outcome = otp_rs_change:commit(Held),
            ok = otp_rs_shared:keep(Application),
            {ok, reported(Begun, Outcome)};
        {error, Reason} ->
            persistent_term:put(?VERSIONS(Application), Before),
            undone(Begun),
            {error, {modules, Reason}}
    end.

%% If threads still run in the library, it stays loaded, and is unloaded later.
-spec unload(atom(), module()) -> ok.
unload(Application, Library) ->
    ok = otp_rs_shared:close(Library),
    case has_threads(Library) of
        true -> ok;
        false ->
            true = code:delete(Library),
            _ = code:soft_purge(Library),
            _ = persistent_term:erase(?BEGUN(Application, Library)),
            ok
    end.

-spec reported(begun(), otp_rs_change:outcome()) -> report().
reported(#{package := #{application := Application, modules := Modules}, plan := {Plan, Resource}, told := Told} = Begun, {Changed, Left, Started}) ->
    ok = otp_rs_announce:ended(Told),
    {Later, StillLeft, More} = late(Begun, Left),
    _ = [code:soft_purge(Module) || {Module, _, _} <- Modules],
    ok = otp_rs_helper:leave(Application),
    ok = otp_rs_later:start(Application, maps:get(libraries, Begun), busy(Left ++ StillLeft, Begun)),
    #{
        planned => Plan, resource => Resource, config_change => otp_rs_resource:tell(Resource),
        changed => counted(lists:sort(Later ++ Changed)), left => Left ++ StillLeft, started => Started ++ More
    }.

%% Returns processes that keep running the old code only until they have finished their current
%% work.
-spec busy([otp_rs_change:not_changed()], begun()) -> [otp_rs_processes:process()].
busy(Left, #{moving := Moving}) ->
    [{Pid, Module, Behaviour} || {Pid, Module, Why} <- Left, otp_rs_change:is_for_now(Why), {Same, Behaviour} <- Moving, Same =:= Module].

%% Switches processes that started with the old code while the others were being asked.
-spec late(begun(), [otp_rs_change:not_changed()]) -> otp_rs_change:outcome().
late(#{libraries := Libraries, held := Held} = Begun, Left) ->
    Known = [Pid || {Pid, _, _} <- Left] ++ otp_rs_change:processes(Held),
    case [One || {Pid, _, _} = One <- living(Begun), not lists:member(Pid, Known)] of
        [] -> {[], [], []};
        Late ->
            Options = #{asker => make_ref(), allow_busy => true, progress => fun(_) -> ok end},
            Until = now_ms() + ?LATER,
            Told = otp_rs_announce:begins(Late, Until, make_ref()),
            Outcome = case prepare(Late, Libraries, Until, true, Options) of
                {ok, Others} -> otp_rs_change:commit(Others);
                {_, NotChanged} -> {[], NotChanged, []}
            end,
            ok = otp_rs_announce:ended(Told),
            Outcome
    end.

-spec is_staying(change()) -> boolean().
is_staying(Change) ->
    lists:member(Change, [gone, silent, retyped, opaque, spawned, isolated]).

-spec counted([module()]) -> [{module(), pos_integer()}].
counted([]) -> [];
counted([Module | _] = All) ->
    {Same, Others} = lists:splitwith(fun(One) -> One =:= Module end, All),
    [{Module, length(Same)} | counted(Others)].

%% Returns how many processes the current upgrade has finished, and their total number.
-spec progress() -> {non_neg_integer(), non_neg_integer()} | none.
progress() ->
    Process = whereis(?MODULE),
    case is_pid(Process) andalso process_info(Process, dictionary) of
        {dictionary, Known} -> proplists:get_value(?PROGRESS, Known, none);
        _ -> none
    end.

%% Unloads the libraries of older builds and of killed upgrades that are no longer used. Returns
%% whether others remain.
-spec leave(atom()) -> boolean().
leave(Application) ->
    case whereis(?MODULE) of
        %% An upgrade is using these libraries. `run/2` waits for a call of this function that is
        %% already running.
        Upgrade when is_pid(Upgrade), Upgrade =/= self() -> true;
        _ -> has_staying(Application)
    end.

-spec has_staying(atom()) -> boolean().
has_staying(Application) ->
    [Newest | Older] = All = versions(Application),
    Staying = [Version || Version <- Older, not has_left(Version)],
    _ = [Newest | Staying] =:= All orelse left(Application, Newest, Staying),
    Killed = [{Library, File} || {?BEGUN(Of, Library), File} <- persistent_term:get(), Of =:= Application] -- All,
    Staying =/= [] orelse not lists:all(fun(Version) -> is_removed(Application, Version) end, Killed).

%% Returns whether the library of a killed upgrade has been unloaded.
-spec is_removed(atom(), {module(), file:filename()}) -> boolean().
is_removed(Application, {Library, _} = Version) ->
    has_left(Version) andalso persistent_term:erase(?BEGUN(Application, Library)).

%% Configures the newest library again, because an older one may have had a thing that only one
%% library of the VM can have.
-spec left(atom(), {module(), file:filename() | none}, [{module(), file:filename() | none}]) -> ok.
left(Application, {Library, _} = Newest, Staying) ->
    ok = persistent_term:put(?VERSIONS(Application), [Newest | Staying]),
    Library:configure().

-spec has_left({module(), file:filename() | none}) -> boolean().
has_left({Library, File}) ->
    IsUsed = erlang:module_loaded(Library) andalso is_used(Library),
    case not IsUsed andalso code:soft_purge(Library) of
        true ->
            forget_modules(Library),
            discard(File),
            true;
        false ->
            false
    end.

%% Returns whether the library is used. Its shared resources are closed after the last process of
%% the build has switched or ended, and before their run time ends.
-spec is_used(module()) -> boolean().
is_used(Library) ->
    Library:users() > 0 orelse not otp_rs_shared:is_closed(Library) orelse has_threads(Library) orelse not code:delete(Library).

%% Returns whether threads run in the library, which would lose their code. Their names are logged
%% once.
-spec has_threads(module()) -> boolean().
has_threads(Library) ->
    %% Libraries of an earlier release of otp-rs lack the function.
    case erlang:function_exported(Library, end_threads, 0) andalso Library:end_threads() of
        Threads when is_list(Threads), Threads =/= [] ->
            _ = put({?MODULE, Library}, Threads) =:= Threads orelse
                logger:notice("~ts stays loaded while threads of it run: ~ts", [Library, lists:join(", ", Threads)]),
            true;
        _ -> false
    end.

%% Unloads modules that no later build has.
-spec forget_modules(module()) -> ok.
forget_modules(Library) ->
    lists:foreach(fun(Module) ->
        _ = code:delete(Module),
        code:soft_purge(Module)
    end, [Module || {Module, _} <- code:all_loaded(), is_of(Library, Module)]).

-spec is_of(module(), module()) -> boolean().
is_of(Library, Module) ->
    %% Some modules of the VM itself have no attributes, nor does one that another process is
    %% unloading.
    Attributes = try Module:module_info(attributes) catch error:undef -> [] end,
    lists:member({otp_rs, [Library]}, Attributes).

-spec now_ms() -> integer().
now_ms() ->
    erlang:monotonic_time(millisecond).
