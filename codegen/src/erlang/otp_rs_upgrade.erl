%% Loads another build of an application beside the one that runs, and has its processes change over, one by one
%% (docs/upgrading.md). Each build's library is loaded by a module of its own and stays until nothing of it is left:
%%
%%   shop_nif     the build that the VM was started with
%%   shop_nif_1   the next one; a name is free again when its library has left
%%
%% The callback modules keep their names. A new one that is given the state of an older build calls that build's library.
%% The module is the same in every application.
-module(otp_rs_upgrade).
-export([owner/2, reserve/1, reserve/2, package/3, plan/2, check/1, upgrade/2, progress/0, leave/1, loading/0]).
-export_type([state_of_module/0, package/0, change/0, planned/0, report/0, failure/0]).

%% A module, its behaviour, the Erlang type of its state if that is a term, its Rust type, and the types of older states that
%% its `code_change` takes.
-type state_of_module() :: {module(), module(), binary() | none, binary(), [binary()]}.
%% A module that is loaded by this name from this file.
-type code() :: {module(), file:filename(), binary()}.
-type package() :: #{
    application := atom(), library := code(), modules := [code()], native := binary(), file := file:filename()
}.
%% How the processes of a module change over. `kept` and `gone`: they go on with the old code until they end.
-type change() ::
    same | converted | supervisor | kept | gone
  | {changed, binary(), binary()} | {no_term, binary()} | {behaviour, module(), module()}.
-type planned() :: {module(), change(), [pid()]}.
%% What was planned; processes that have changed over, by their module; those that go on with the old code, and why; children that supervisors
%% have started because they are new.
-type report() :: #{
    planned := [planned()],
    changed := [{module(), pos_integer()}], left := [{pid(), module(), term()}], started := [{pid(), term(), term()}]
}.
-type failure() ::
    {refused, [planned()]} | {old_code, module(), [pid()]} | {in_use, module()} | {library, term()} | {modules, term()}
  | another_upgrade.

%% Milliseconds for a process that is suspended to make its new state; for the first attempts to suspend one, and later ones.
-define(CHANGE, 60000).
-define(SOON, 20).
-define(LATER, 500).

%% The versions of an application that are loaded, the newest first, and the files of those libraries that are removed with
%% them.
-define(VERSIONS(Application), {?MODULE, Application}).

%% How far the upgrade is, in the dictionary of its process.
-define(PROGRESS, {?MODULE, progress}).

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

-spec discard(file:filename() | none) -> ok.
discard(none) ->
    ok;
discard(File) ->
    _ = file:delete(File),
    _ = file:del_dir(filename:dirname(File)),
    ok.

%% What is loaded of a build: its modules with the new name of the library, which they call by its name. It is compiled from
%% the modules' abstract code, in any VM that has the compiler.
-spec package(file:filename(), atom(), {module(), file:filename()}) -> package().
package(Ebin, Application, {Name, File}) ->
    Old = library(Application, ""),
    Beams = filelib:wildcard(filename:join(Ebin, "*.beam")),
    Codes = [renamed(Beam, {Old, Name}, "lib" ++ atom_to_list(Application) ++ "-") || Beam <- Beams],
    %% What has started the application waits for its end in the module `_run`, and this module runs the upgrade.
    Run = list_to_atom(atom_to_list(Application) ++ "_run"),
    {value, Library, Others} = lists:keytake(Name, 1, [Code || {Module, _, _} = Code <- Codes, Module =/= Run, Module =/= ?MODULE]),
    [Native] = natives(Ebin, Beams, Old),
    {ok, Content} = file:read_file(Native),
    #{application => Application, library => Library, modules => Others, native => Content, file => File}.

%% The library that the build's own module would load.
-spec natives(file:filename(), [file:filename()], module()) -> [file:filename()].
natives(Ebin, Beams, Old) ->
    Own = filename:join(Ebin, atom_to_list(Old) ++ ".beam"),
    true = lists:member(Own, Beams),
    Folder = filename:join(filename:dirname(filename:absname(Ebin)), "priv"),
    Files = [native(filename:join(Folder, Text)) || "lib" ++ _ = Text <- texts(forms(Own))],
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

-spec renamed(file:filename(), {module(), module()}, string()) -> code().
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

%% The library's module finds its file by a path relative to the build's folder. An absolute one takes its place, which is known
%% when it is loaded.
-spec rename(term(), {module(), module()}, string()) -> term().
rename(Old, {Old, New}, _) ->
    New;
rename({string, Location, Text} = Form, _, Prefix) ->
    case lists:prefix(Prefix, Text) of
        true -> {call, Location, {remote, Location, {atom, Location, ?MODULE}, {atom, Location, loading}}, []};
        false -> Form
    end;
rename(Tuple, Names, Library) when is_tuple(Tuple) ->
    list_to_tuple(rename(tuple_to_list(Tuple), Names, Library));
rename([Head | Tail], Names, Library) ->
    [rename(Head, Names, Library) | rename(Tail, Names, Library)];
rename(Other, _, _) ->
    Other.

%% How the processes of each module would change over to a build with these states.
-spec plan(atom(), [state_of_module()]) -> [planned()].
plan(Application, New) ->
    [{Library, _} | _] = versions(Application),
    Old = Library:states(),
    Living = living([{Module, Behaviour} || {Module, Behaviour, _, _, _} <- Old]),
    [{Module, change(State, lists:keyfind(Module, 1, New)), [Pid || {Pid, One, _} <- Living, One =:= Module]}
        || {Module, _, _, _, _} = State <- Old].

-spec change(state_of_module(), state_of_module() | false) -> change().
change(_, false) ->
    gone;
change({_, One, _, _, _}, {_, Other, _, _, _}) when One =/= Other ->
    {behaviour, One, Other};
change({_, supervisor, _, _, _}, _) ->
    supervisor;
change({_, Behaviour, _, _, _}, _) when Behaviour =/= gen_server, Behaviour =/= gen_statem, Behaviour =/= gen_event ->
    kept;
change({_, _, none, Type, _}, _) ->
    {no_term, Type};
change({_, _, Form, _, _}, {_, _, Form, _, _}) ->
    same;
change({_, _, Form, _, _}, {_, _, New, Type, Taken}) ->
    case lists:any(fun(One) -> One =:= Form orelse One =:= <<"term()">> end, Taken) of
        true -> converted;
        false when New =:= none -> {changed, Form, Type};
        false -> {changed, Form, New}
    end.

-spec is_refused(planned()) -> boolean().
is_refused({_, _, []}) -> false;
is_refused({_, Change, _}) -> is_tuple(Change).

%% The processes of these modules. A gen_event is one of each module that it has a handler of.
-spec living([{module(), module()}]) -> [{pid(), module(), module()}].
living(Modules) ->
    [{Pid, Module, Behaviour}
        || Pid <- processes(), One <- modules_of(Pid), {Module, Behaviour} <- Modules, Module =:= One].

-spec modules_of(pid()) -> [module()].
modules_of(Pid) ->
    case proc_lib:translate_initial_call(Pid) of
        {supervisor, Module, _} -> [Module];
        {gen_event, _, _} -> handlers(Pid);
        {Module, _, _} -> [Module]
    end.

%% One that does not answer is not a reason to wait: its handlers go on with the old code.
-spec handlers(pid()) -> [module()].
handlers(Pid) ->
    try erpc:call(node(), gen_event, which_handlers, [Pid], ?LATER) of
        Handlers -> lists:usort([case Handler of {Module, _} -> Module; Module -> Module end || Handler <- Handlers])
    catch _:_ -> []
    end.

%% Whether the package can be loaded now, and how the processes would change over. Nothing of it stays.
-spec check(package()) -> {ok, [planned()]} | {error, failure()}.
check(#{file := File} = Package) ->
    alone(Package, fun() ->
        Checked = loaded(Package, fun(#{library := {Name, _, _}}, Plan) -> unload(Name), refused(Plan) end),
        discard(File),
        Checked
    end).

%% Loads the package. `timeout`: milliseconds in which callbacks and tasks that are under way may end. `anyway`: processes that
%% cannot change over go on with the old code; without it they are a reason to load nothing.
-spec upgrade(package(), #{timeout => non_neg_integer(), anyway => boolean()}) -> {ok, report()} | {error, failure()}.
upgrade(#{file := File} = Package, Options) ->
    Until = now_ms() + maps:get(timeout, Options, 5000),
    Load = fun(#{library := {Name, _, _}} = Changed, Plan) ->
        case maps:get(anyway, Options, false) orelse refused(Plan) of
            {error, _} = Refused ->
                unload(Name),
                Refused;
            _ ->
                with_modules(Changed, Plan)
        end
    end,
    alone(Package, fun() ->
        case loaded(Package, Load) of
            {ok, Plan} -> {ok, change_over(Package, Plan, Until)};
            {error, Failure} ->
                discard(File),
                {error, Failure}
        end
    end).

-spec refused([planned()]) -> {ok, [planned()]} | {error, failure()}.
refused(Plan) ->
    case lists:any(fun is_refused/1, Plan) of
        true -> {error, {refused, Plan}};
        false -> {ok, Plan}
    end.

%% One upgrade at a time.
-spec alone(package(), fun(() -> Result)) -> Result | {error, failure()}.
alone(#{file := File}, Body) ->
    try register(?MODULE, self()) of
        true -> try Body() after unregister(?MODULE) end
    catch
        error:badarg ->
            discard(File),
            {error, another_upgrade}
    end.

-type next() :: fun((package(), [planned()]) -> {ok, [planned()]} | {error, failure()}).

-spec loaded(package(), next()) -> {ok, [planned()]} | {error, failure()}.
loaded(#{application := Application, library := {Name, _, _}, modules := Modules} = Package, Next) ->
    _ = leave(Application),
    Changed = [Code || {Module, _, Binary} = Code <- Modules, is_changed(Module, Binary)],
    case [Module || {Module, _, _} <- Changed, not code:soft_purge(Module)] of
        [] ->
            case is_free(Name) of
                true -> with_library(Package#{modules := Changed}, Next);
                false -> {error, {in_use, Name}}
            end;
        [Module | _] ->
            {error, {old_code, Module, [Pid || Pid <- processes(), check_process_code(Pid, Module)]}}
    end.

-spec is_changed(module(), binary()) -> boolean().
is_changed(Module, Binary) ->
    {ok, {_, Md5}} = beam_lib:md5(Binary),
    not erlang:module_loaded(Module) orelse Module:module_info(md5) =/= Md5.

%% The library calls nobody, and nobody it, before the callback modules are loaded.
-spec with_library(package(), next()) -> {ok, [planned()]} | {error, failure()}.
with_library(#{application := Application, library := {Name, From, Code}, native := Native, file := File} = Package, Next) ->
    ok = file:write_file(File, Native),
    _ = put(?MODULE, filename:rootname(File)),
    Loaded = code:load_binary(Name, From, Code),
    _ = erase(?MODULE),
    case Loaded of
        {module, Name} -> Next(Package, plan(Application, Name:states()));
        {error, Reason} -> {error, {library, Reason}}
    end.

%% The file of the library that the upgrade is loading, without its ending. `on_load` has a process of its own.
-spec loading() -> file:filename().
loading() ->
    {dictionary, Known} = process_info(whereis(?MODULE), dictionary),
    {?MODULE, File} = lists:keyfind(?MODULE, 1, Known),
    File.

%% From the first moment of the new modules, states of older builds are found.
-spec with_modules(package(), [planned()]) -> {ok, [planned()]} | {error, failure()}.
with_modules(#{application := Application, library := {Name, _, _}, modules := Modules, file := File}, Plan) ->
    Before = versions(Application),
    persistent_term:put(?VERSIONS(Application), [{Name, File} | Before]),
    case code:atomic_load(Modules) of
        ok ->
            ok = otp_rs:ensure_started(Name),
            {ok, Plan};
        {error, Reason} ->
            persistent_term:put(?VERSIONS(Application), Before),
            unload(Name),
            {error, {modules, Reason}}
    end.

-spec unload(module()) -> ok.
unload(Library) ->
    true = code:delete(Library),
    _ = code:soft_purge(Library),
    ok.

-spec change_over(package(), [planned()], integer()) -> report().
change_over(#{application := Application, library := {Name, _, _}, modules := Modules}, Plan, Until) ->
    Behaviours = [{Module, Behaviour} || {Module, Behaviour, _, _, _} <- Name:states()],
    Moving = [One || {Module, _} = One <- Behaviours, {Planned, Change, _} <- Plan, Planned =:= Module, Change =/= kept],
    Living = living(Moving),
    _ = put(?PROGRESS, {0, length(Living)}),
    {Changed, Left, Started} = rounds(Living, ?SOON, Until, {[], [], []}),
    _ = erase(?PROGRESS),
    _ = [code:soft_purge(Module) || {Module, _, _} <- Modules],
    otp_rs ! {leave, Application},
    #{planned => Plan, changed => counted(lists:sort(Changed)), left => lists:reverse(Left), started => Started}.

-spec counted([module()]) -> [{module(), pos_integer()}].
counted([]) -> [];
counted([Module | _] = All) ->
    {Same, Others} = lists:splitwith(fun(One) -> One =:= Module end, All),
    [{Module, length(Same)} | counted(Others)].

-type outcome() :: {[module()], [{pid(), module(), term()}], [{pid(), term(), term()}]}.

%% Those that are busy have their turn again, until the time is over.
-spec rounds([{pid(), module(), module()}], pos_integer(), integer(), outcome()) -> outcome().
rounds([], _, _, Outcome) ->
    Outcome;
rounds(Processes, Limit, Until, Outcome) ->
    Turn = fun({Pid, Module, Behaviour} = Process, {Busy, {Changed, Left, Started}}) ->
        Answer = change_process(Process, Limit),
        Answer =:= busy orelse advance(),
        case Answer of
            {ok, New} -> {Busy, {[Module | Changed], Left, [{Pid, Id, Result} || {Id, Result} <- New] ++ Started}};
            ended -> {Busy, {Changed, Left, Started}};
            busy -> {[{Pid, Module, Behaviour} | Busy], {Changed, Left, Started}};
            {error, Reason} -> {Busy, {Changed, [{Pid, Module, Reason} | Left], Started}}
        end
    end,
    {Busy, {Changed, Left, Started}} = lists:foldl(Turn, {[], Outcome}, Processes),
    case now_ms() < Until of
        true ->
            %% A task that is under way lets its process be suspended at once.
            Busy =:= [] orelse timer:sleep(min(Limit, max(0, Until - now_ms()))),
            rounds(lists:reverse(Busy), min(2 * Limit, ?LATER), Until, {Changed, Left, Started});
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

-spec change_process({pid(), module(), module()}, pos_integer()) ->
    {ok, [{term(), term()}]} | ended | busy | {error, term()}.
change_process({Pid, Module, Behaviour}, Limit) ->
    Before = children(Behaviour, Pid),
    try sys:suspend(Pid, Limit) of
        ok ->
            Changed = try sys:change_code(Pid, Module, undefined, [], ?CHANGE) after resume(Pid) end,
            case Changed of
                ok ->
                    %% The old state goes with what is left of it.
                    true = garbage_collect(Pid) orelse not is_process_alive(Pid),
                    {ok, [{Id, supervisor:restart_child(Pid, Id)} || Id <- children(Behaviour, Pid) -- Before]};
                {error, {error, Reason}} -> not_changed(Reason);
                %% gen_event takes no error from a handler.
                {error, {'EXIT', {{code_change, Reason}, _}}} -> not_changed(Reason);
                {error, Reason} -> {error, Reason}
            end
    catch
        exit:{timeout, _} ->
            resume(Pid),
            busy;
        exit:_ ->
            ended
    end.

-spec not_changed(term()) -> busy | {error, term()}.
not_changed(busy) -> busy;
not_changed(Reason) -> {error, Reason}.

%% Does not wait for it: a process that was too slow is suspended later, and then resumed at once.
-dialyzer({no_improper_lists, resume/1}).
-spec resume(pid()) -> ok.
resume(Pid) ->
    Nobody = alias(),
    true = unalias(Nobody),
    Pid ! {system, {self(), [alias | Nobody]}, resume},
    ok.

-spec children(module(), pid()) -> [term()].
children(supervisor, Pid) ->
    try [Id || {Id, _, _, _} <- supervisor:which_children(Pid), Id =/= undefined] catch exit:_ -> [] end;
children(_, _) ->
    [].

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
            otp_rs:forget(Library),
            discard(File),
            true;
        false ->
            false
    end.

-spec now_ms() -> integer().
now_ms() ->
    erlang:monotonic_time(millisecond).
