%% Loads another build of an application beside the one that runs, and has its processes change over, one by one
%% (docs/upgrades.md). Each build's library is loaded by a module of its own and stays until nothing of it is left:
%%
%%   shop_nif     the build that the VM was started with
%%   shop_nif_1   the next one; a name is free again when its library has left
%%
%% The callback modules keep their names. A new one that is given the state of an older build calls that build's library.
%% The module is the same in every application.
-module(otp_rs_upgrade).
-export([owner/2, reserve/1, reserve/2, native/1, plan/2, staying/1, check/1, upgrade/2, run/2, progress/0, leave/1, loading/0, stopped/1]).
-export_type([state_of_module/0, code/0, package/0, change/0, planned/0, report/0, failure/0]).

%% A module, its behaviour, the Erlang type of its state if that is a term, its Rust type, and the types of older states that
%% its `code_change` takes.
-type state_of_module() :: {module(), module(), binary() | none, binary(), [binary()]}.
%% A module that is loaded by this name from this file.
-type code() :: {module(), file:filename(), binary()}.
-type package() :: #{
    application := atom(), library := code(), modules := [code()], native := binary(), file := file:filename(),
    %% One of them. Where OTP's release_handler changes the resource, it is only compared what the environment will be.
    resource => otp_rs_resource:resource(), environment => [{atom(), term()}]
}.
%% How the processes of a module change over. Some go on with the old code until they end: those of a module that the new build does
%% not have (`gone`), that answer no messages of `sys` (`silent`), or whose behaviour has no `code_change`, if their state has another
%% type (`kept`) or is not a term (`opaque`); and processes that run a body (`spawned`, by the library's module).
-type change() :: of_module() | silent | spawned.
-type of_module() ::
    same | converted | supervisor | gone | kept | opaque
  | {changed, binary(), binary()} | {no_term, binary()} | {behaviour, module(), module()}.
-type planned() :: {module(), change(), [pid()]}.
-type plan() :: {[planned()], otp_rs_resource:plan() | none}.
%% What was planned, of processes and of the application; processes that have changed over, by their module; those that go on with the
%% old code, and why; children that supervisors have started because they are new; what `config_change/3` has returned.
-type report() :: #{
    planned := [planned()], resource := otp_rs_resource:plan() | none,
    changed := [{module(), pos_integer()}], left := [{pid(), module(), term()}], started := [{pid(), term(), term()}],
    config_change := ok | {error, term()}
}.
-type failure() ::
    {refused, [planned()]} | {old_code, module(), [pid()]} | {in_use, module()} | {library, term()} | {modules, term()}
  | another_upgrade
  | {missing, [atom(), ...]} | {not_started, {atom(), term()}} | {environment, [otp_rs_resource:mistake(), ...]}.

%% Modules that run an upgrade.
-define(UPGRADING, [?MODULE, otp_rs_processes, otp_rs_resource]).

%% Milliseconds for the first attempts to suspend a process, and later ones.
-define(SOON, 20).
-define(LATER, 500).

%% The versions of an application that are loaded, the newest first, and the files of those libraries that are removed with
%% them.
-define(VERSIONS(Application), {?MODULE, Application}).

%% In the dictionary of the upgrade's process: how far it is, and the file of the library that it is loading.
-define(PROGRESS, {?MODULE, progress}).
-define(LOADING, {?MODULE, loading}).

-spec versions(atom()) -> [{module(), file:filename() | none}, ...].
versions(Application) ->
    persistent_term:get(?VERSIONS(Application), [{library(Application, ""), none}]).

-spec library(atom(), string()) -> module().
library(Application, Number) ->
    list_to_atom(atom_to_list(Application) ++ "_nif" ++ Number).

%% The library that has made a state of the calling process.
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

%% A name for the module of another library, and a file for that library, in a folder that only this user can read.
-spec reserve(atom()) -> {module(), file:filename()}.
reserve(Application) ->
    reserve(Application, temporary()).

%% The same, in a new folder of this one.
-spec reserve(atom(), file:filename()) -> {module(), file:filename()}.
reserve(Application, Parent) ->
    Name = free(Application, 1),
    Random = integer_to_list(rand:uniform(1 bsl 48), 36),
    Folder = filename:join(Parent, "otp_rs-" ++ os:getpid() ++ "-" ++ Random),
    ok = file:make_dir(Folder),
    ok = file:change_mode(Folder, 8#700),
    {Name, native(filename:join(Folder, atom_to_list(Name)))}.

%% The file that `erlang:load_nif/2` opens for a path without ending.
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

%% The application is stopped, and perhaps the VM: the files of its libraries are not needed any more, also if they stay loaded.
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

%% Modules that are not loaded: what has started the application waits for its end in the module `_run`, and others run the upgrade.
-spec staying(atom()) -> [module(), ...].
staying(Application) ->
    [list_to_atom(atom_to_list(Application) ++ "_run") | ?UPGRADING].

%% How the processes of each module would change over to a build with these states.
-spec plan(atom(), [state_of_module()]) -> [planned()].
plan(Application, New) ->
    Libraries = [Library || {Library, _} <- versions(Application)],
    Old = (hd(Libraries)):states(),
    Living = otp_rs_processes:living(Libraries, [{Module, Behaviour} || {Module, Behaviour, _, _, _} <- Old]),
    {Answering, Silent} = lists:partition(fun otp_rs_processes:answers/1, Living),
    Planned = [{Module, change(State, lists:keyfind(Module, 1, New)), of_module(Module, Answering)}
        || {Module, _, _, _, _} = State <- Old],
    Others = [{Module, silent, of_module(Module, Silent)} || {Module, _, _, _, _} <- Old]
        ++ [{Library, spawned, otp_rs_processes:spawned([Library])} || Library <- Libraries],
    Planned ++ [One || {_, _, [_ | _]} = One <- Others].

-spec of_module(module(), [otp_rs_processes:process()]) -> [pid()].
of_module(Module, Processes) ->
    [Pid || {Pid, One, _} <- Processes, One =:= Module].

-spec change(state_of_module(), state_of_module() | false) -> of_module().
change(_, false) ->
    gone;
change({_, One, _, _, _}, {_, Other, _, _, _}) when One =/= Other ->
    {behaviour, One, Other};
change({_, supervisor, _, _, _}, _) ->
    supervisor;
change({_, Behaviour, none, Type, _}, _) ->
    case otp_rs_processes:has_code_change(Behaviour) of
        true -> {no_term, Type};
        false -> opaque
    end;
change({_, _, Form, _, _}, {_, _, Form, _, _}) ->
    same;
change({_, Behaviour, Form, _, _}, {_, _, New, Type, Taken}) ->
    case lists:any(fun(One) -> One =:= Form orelse One =:= <<"term()">> end, Taken) of
        true -> converted;
        false ->
            case otp_rs_processes:has_code_change(Behaviour) of
                false -> kept;
                true when New =:= none -> {changed, Form, Type};
                true -> {changed, Form, New}
            end
    end.

-spec is_refused(planned()) -> boolean().
is_refused({_, _, []}) -> false;
is_refused({_, Change, _}) -> is_tuple(Change).

%% Whether the package can be loaded now, and how the processes would change over. Nothing of it stays.
-spec check(package()) -> {ok, plan()} | {error, failure()}.
check(#{file := File} = Package) ->
    alone(Package, fun() ->
        Checked = loaded(Package, check),
        discard(File),
        Checked
    end).

%% Loads the package. `timeout`: milliseconds in which callbacks and tasks that are under way may end. `anyway`: nothing is a reason
%% to load nothing, and processes that cannot change over go on with the old code.
-spec upgrade(package(), #{timeout => non_neg_integer(), anyway => boolean()}) -> {ok, report()} | {error, failure()}.
upgrade(#{file := File} = Package, Options) ->
    Until = now_ms() + maps:get(timeout, Options, 5000),
    Mode = case Options of #{anyway := true} -> anyway; #{} -> fitting end,
    alone(Package, fun() ->
        case loaded(Package, Mode) of
            {ok, Plan} -> {ok, change_over(Package, Plan, Until)};
            Refused ->
                discard(File),
                Refused
        end
    end).

%% A process of its own does it, and ends what it has begun whatever becomes of the caller. Its name says that there is an upgrade.
-spec alone(package(), fun(() -> {ok, Result} | {error, failure()})) -> {ok, Result} | {error, failure()}.
alone(#{file := File}, Body) ->
    {Process, Monitor} = spawn_monitor(?MODULE, run, [File, Body]),
    receive
        {'DOWN', Monitor, process, Process, {?MODULE, Result}} -> Result;
        {'DOWN', Monitor, process, Process, Reason} -> exit(Reason)
    end.

-spec run(file:filename(), fun(() -> {ok, term()} | {error, failure()})) -> no_return().
run(File, Body) ->
    Result = case catch register(?MODULE, self()) of
        true -> Body();
        _ ->
            discard(File),
            {error, another_upgrade}
    end,
    exit({?MODULE, Result}).

%% `check`: it is unloaded again. `fitting`: only if everything fits. `anyway`: whatever does not.
-type mode() :: check | fitting | anyway.

-spec loaded(package(), mode()) -> {ok, plan()} | {error, failure()}.
loaded(#{application := Application, library := {Name, _, _}, modules := Modules} = Package, Mode) ->
    _ = leave(Application),
    Changed = [Code || {Module, _, Binary} = Code <- Modules, is_changed(Module, Binary)],
    case {resource(Package), [Module || {Module, _, _} <- Changed, not code:soft_purge(Module)], is_free(Name)} of
        {#{missing := [_ | _] = Missing}, _, _} -> {error, {missing, Missing}};
        {Planned, [], true} -> with_library(Package#{modules := Changed}, Planned, Mode);
        {_, [], false} -> {error, {in_use, Name}};
        {_, [Module | _], _} -> {error, {old_code, Module, [Pid || Pid <- processes(), check_process_code(Pid, Module)]}}
    end.

-spec resource(package()) -> otp_rs_resource:plan() | none.
resource(#{resource := Resource}) -> otp_rs_resource:plan(Resource);
resource(#{}) -> none.

-spec is_changed(module(), binary()) -> boolean().
is_changed(Module, Binary) ->
    {ok, {_, Md5}} = beam_lib:md5(Binary),
    not erlang:module_loaded(Module) orelse Module:module_info(md5) =/= Md5.

%% The library calls nobody, and nobody it, before the callback modules are loaded.
-spec with_library(package(), otp_rs_resource:plan() | none, mode()) -> {ok, plan()} | {error, failure()}.
with_library(#{library := {Name, From, Code}, native := Native, file := File} = Package, Resource, Mode) ->
    ok = file:write_file(File, Native),
    _ = put(?LOADING, filename:rootname(File)),
    Loaded = code:load_binary(Name, From, Code),
    _ = erase(?LOADING),
    case Loaded of
        {module, Name} ->
            Done = with_modules(Package, Resource, Mode),
            element(1, Done) =:= ok andalso Mode =/= check orelse unload(Name),
            Done;
        {error, Reason} ->
            {error, {library, Reason}}
    end.

%% The file of the library that the upgrade is loading, without its ending. `on_load` has a process of its own.
-spec loading() -> file:filename().
loading() ->
    {dictionary, Known} = process_info(whereis(?MODULE), dictionary),
    {?LOADING, File} = lists:keyfind(?LOADING, 1, Known),
    File.

-spec with_modules(package(), otp_rs_resource:plan() | none, mode()) -> {ok, plan()} | {error, failure()}.
with_modules(#{application := Application, library := {Name, _, _}} = Package, Resource, Mode) ->
    Plan = {plan(Application, Name:states()), Resource},
    case Mode =:= anyway orelse fits(Package, Plan) of
        {error, Failure} -> {error, Failure};
        _ when Mode =:= check -> {ok, Plan};
        _ ->
            case otp_rs_resource:start(Resource) of
                ok -> with_resource(Package, Plan);
                {error, Reason} -> {error, {not_started, Reason}}
            end
    end.

%% Whether all processes can change over, and the environment is one of the new build.
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

%% From the first moment of the new modules, states of older builds are found, and the environment is theirs.
-spec with_resource(package(), plan()) -> {ok, plan()} | {error, failure()}.
with_resource(#{application := Application, library := {Name, _, _}, modules := Modules, file := File}, {_, Resource} = Plan) ->
    Before = versions(Application),
    persistent_term:put(?VERSIONS(Application), [{Name, File} | Before]),
    ok = otp_rs_resource:change(Resource),
    case code:atomic_load(Modules) of
        ok ->
            ok = otp_rs_helper:ensure_started(Name),
            {ok, Plan};
        {error, Reason} ->
            ok = otp_rs_resource:undo(Resource),
            persistent_term:put(?VERSIONS(Application), Before),
            {error, {modules, Reason}}
    end.

-spec unload(module()) -> ok.
unload(Library) ->
    true = code:delete(Library),
    _ = code:soft_purge(Library),
    ok.

-spec change_over(package(), plan(), integer()) -> report().
change_over(#{application := Application, library := {Name, _, _}, modules := Modules}, {Plan, Resource}, Until) ->
    Behaviours = [{Module, Behaviour} || {Module, Behaviour, _, _, _} <- Name:states()],
    Moving = [One || {Module, _} = One <- Behaviours, {Same, Change, _} <- Plan, Same =:= Module, not is_staying(Change)],
    Libraries = [Library || {Library, _} <- versions(Application)],
    Living = lists:filter(fun otp_rs_processes:answers/1, otp_rs_processes:living(tl(Libraries), Moving)),
    _ = put(?PROGRESS, {0, length(Living)}),
    {Changed, Left, Started} = rounds(Living, Libraries, ?SOON, Until, {[], [], []}),
    _ = erase(?PROGRESS),
    _ = [code:soft_purge(Module) || {Module, _, _} <- Modules],
    ok = otp_rs_helper:leave(Application),
    #{
        planned => Plan, resource => Resource, config_change => otp_rs_resource:tell(Resource),
        changed => counted(lists:sort(Changed)), left => lists:reverse(Left), started => Started
    }.

-spec is_staying(change()) -> boolean().
is_staying(Change) ->
    lists:member(Change, [gone, silent, kept, opaque, spawned]).

-spec counted([module()]) -> [{module(), pos_integer()}].
counted([]) -> [];
counted([Module | _] = All) ->
    {Same, Others} = lists:splitwith(fun(One) -> One =:= Module end, All),
    [{Module, length(Same)} | counted(Others)].

-type outcome() :: {[module()], [{pid(), module(), term()}], [{pid(), term(), term()}]}.

%% Those that are busy have their turn again, until the time is over.
-spec rounds([otp_rs_processes:process()], [module(), ...], pos_integer(), integer(), outcome()) -> outcome().
rounds([], _, _, _, Outcome) ->
    Outcome;
rounds(Processes, Libraries, Limit, Until, Outcome) ->
    Turn = fun({Pid, Module, _} = Process, {Busy, {Changed, Left, Started}}) ->
        Answer = otp_rs_processes:change(Process, Libraries, Limit),
        Answer =:= busy orelse advance(),
        case Answer of
            {ok, New} -> {Busy, {[Module | Changed], Left, [{Pid, Id, Result} || {Id, Result} <- New] ++ Started}};
            ended -> {Busy, {Changed, Left, Started}};
            busy -> {[Process | Busy], {Changed, Left, Started}};
            {error, Reason} -> {Busy, {Changed, [{Pid, Module, Reason} | Left], Started}}
        end
    end,
    {Busy, {Changed, Left, Started}} = lists:foldl(Turn, {[], Outcome}, Processes),
    case now_ms() < Until of
        true ->
            %% A task that is under way lets its process be suspended at once.
            Busy =:= [] orelse timer:sleep(min(Limit, max(0, Until - now_ms()))),
            rounds(lists:reverse(Busy), Libraries, min(2 * Limit, ?LATER), Until, {Changed, Left, Started});
        false ->
            {Changed, [{Pid, Module, busy} || {Pid, Module, _} <- Busy] ++ Left, Started}
    end.

-spec advance() -> {non_neg_integer(), non_neg_integer()}.
advance() ->
    {Done, All} = get(?PROGRESS),
    put(?PROGRESS, {Done + 1, All}).

%% How many processes the upgrade that is under way has done with, and of how many.
-spec progress() -> {non_neg_integer(), non_neg_integer()} | none.
progress() ->
    Process = whereis(?MODULE),
    case is_pid(Process) andalso process_info(Process, dictionary) of
        {dictionary, Known} -> proplists:get_value(?PROGRESS, Known, none);
        _ -> none
    end.

%% Unloads the libraries of older builds that nothing is left of. Returns whether there are others.
-spec leave(atom()) -> boolean().
leave(Application) ->
    [Newest | Older] = All = versions(Application),
    Staying = [Version || Version <- Older, not has_left(Version)],
    _ = [Newest | Staying] =:= All orelse persistent_term:put(?VERSIONS(Application), [Newest | Staying]),
    Staying =/= [].

-spec has_left({module(), file:filename() | none}) -> boolean().
has_left({Library, File}) ->
    IsUsed = erlang:module_loaded(Library) andalso (Library:users() > 0 orelse not code:delete(Library)),
    case not IsUsed andalso code:soft_purge(Library) of
        true ->
            otp_rs_helper:forget(Library),
            forget_modules(Library),
            discard(File),
            true;
        false ->
            false
    end.

%% Modules that no later build has had.
-spec forget_modules(module()) -> ok.
forget_modules(Library) ->
    lists:foreach(fun(Module) ->
        _ = code:delete(Module),
        code:soft_purge(Module)
    end, [Module || {Module, _} <- code:all_loaded(), is_of(Library, Module)]).

-spec is_of(module(), module()) -> boolean().
is_of(Library, Module) ->
    %% Some modules of the VM itself, and one that another process unloads, have no attributes.
    Attributes = try Module:module_info(attributes) catch error:undef -> [] end,
    lists:member({otp_rs, [Library]}, Attributes).

-spec now_ms() -> integer().
now_ms() ->
    erlang:monotonic_time(millisecond).
