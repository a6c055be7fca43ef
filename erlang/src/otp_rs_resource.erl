%% The parts of an upgrade beside code: the contents of the new build's resource file (its version,
%% its modules, the applications that it needs), and the environment (docs/upgrades.md). They are
%% set through application_controller, as OTP's release_handler does it. Variables that were set
%% while the application was running are kept, because an upgrade is not a new start (ADR 34). The
%% module is the same in every application.
-module(otp_rs_resource).
-export([read/2, plan/1, start/1, change/1, undo/1, tell/1, environment/1]).
-export_type([resource/0, plan/0, mistake/0]).

-type variables() :: [{atom(), term()}].
%% The contents of a resource file (app(4)).
-type resource() :: {application, atom(), [{atom(), term()}]}.
%% The running and the new resource, each with its whole environment, and the changes to the
%% environment. `kept`: variables with another value in the new build that keep their value, because
%% they were set elsewhere. `starting` are needed applications that are not running yet, `missing`
%% those that the node does not have. `gone` are modules that the new build does not have.
-type plan() :: #{
    before := resource(), resource := resource(),
    changed := variables(), new := variables(), removed := [atom()], kept := [atom()],
    starting := [atom()], missing := [atom()], gone := [module()]
}.
%% A variable that does not fit the structs of the new build that describe the environment: the key
%% and whether it is missing, the text of the mistake, and the struct.
-type mistake() :: {binary(), wrong | missing, binary(), binary()}.

%% A counter of changes of environments. It is odd during a change.
-define(CHANGES, {?MODULE, changes}).
%% The maximum number of checks whether a change is finished, one each millisecond.
-define(LOOKS, 1000).

%% Reads the resource file of a build.
-spec read(file:filename(), atom()) -> resource().
read(Ebin, Application) ->
    {ok, [Resource]} = file:consult(filename:join(Ebin, atom_to_list(Application) ++ ".app")),
    Resource.

%% Plans the change for a running application. If OTP's release_handler makes the change, there is
%% no plan: `none`.
-spec plan(resource()) -> plan().
plan({application, Application, Keys}) ->
    {ok, Before} = application:get_all_key(Application),
    Now = value(env, Before, []),
    {Declared, New, Above} = {declared(Application), value(env, Keys, []), above(Application)},
    Given = merged(Declared, Above),
    %% Variables that were set, and removed, since the application was loaded.
    Set = [One || {Key, _} = One <- Now, lists:keyfind(Key, 1, Given) =/= One],
    Unset = [Key || {Key, _} <- Given, not lists:keymember(Key, 1, Now)],
    Next = [One || {Key, _} = One <- merged(merged(New, Above), Set), not lists:member(Key, Unset)],
    {Starting, Missing} = needed(Keys),
    #{
        before => {application, Application, Before},
        resource => {application, Application, lists:keystore(env, 1, Keys, {env, Next})},
        changed => [One || {Key, _} = One <- Next, lists:keymember(Key, 1, Now), not lists:member(One, Now)],
        new => [One || {Key, _} = One <- Next, not lists:keymember(Key, 1, Now)],
        removed => [Key || {Key, _} <- Now, not lists:keymember(Key, 1, Next)],
        kept => [Key || {Key, _} = One <- New, not lists:member(One, Declared), not lists:member(One, Next)],
        starting => Starting, missing => Missing,
        gone => value(modules, Before, []) -- value(modules, Keys, [])
    }.

%% Returns the environment in the resource file of the running build. A build of an older otp-rs
%% does not provide it; then all variables are kept.
-spec declared(atom()) -> variables().
declared(Application) ->
    Module = list_to_atom(atom_to_list(Application) ++ "_app"),
    try Module:environment() catch error:undef -> [] end.

%% Returns the values with precedence over a resource file: those of configuration files, and above
%% them those of the command line.
-spec above(atom()) -> variables().
above(Application) ->
    Flags = case init:get_argument(Application) of
        {ok, Lists} -> lists:append([pairs(List) || List <- Lists]);
        error -> []
    end,
    merged(value(Application, configured(), []), Flags).

-spec pairs([string()]) -> variables().
pairs([Key, Value | Others]) -> [{term(Key), term(Value)} | pairs(Others)];
pairs(_) -> [].

%% The VM has already parsed the text, so it is a term.
-spec term(string()) -> term().
term(Text) ->
    {ok, Tokens, End} = erl_scan:string(Text),
    {ok, Term} = erl_parse:parse_term(Tokens ++ [{dot, End}]),
    Term.

%% Returns the variables of each application in configuration files. OTP has no function for that.
%% The release handler reads the files again, but their contents may have changed since.
-spec configured() -> [{atom(), variables()}].
configured() ->
    State = sys:get_state(application_controller, infinity),
    case element(tuple_size(State), State) of
        All when is_list(All) -> All;
        _ -> []
    end.

%% Merges variables; the second list has precedence.
-spec merged(variables(), variables()) -> variables().
merged(Below, Above) ->
    Above ++ [One || {Key, _} = One <- Below, not lists:keymember(Key, 1, Above)].

%% Returns needed applications that are not running, or not loaded if they are included, and those
%% that the node does not have.
-spec needed([{atom(), term()}]) -> {[atom()], [atom()]}.
needed(Keys) ->
    Loaded = [Application || {Application, _, _} <- application:loaded_applications()],
    Running = [Application || {Application, _, _} <- application:which_applications(infinity)],
    Optional = value(optional_applications, Keys, []),
    Starting = (value(applications, Keys, []) -- Optional) -- Running,
    Loading = value(included_applications, Keys, []) -- Loaded,
    IsMissing = fun(One) ->
        not lists:member(One, Loaded) andalso code:where_is_file(atom_to_list(One) ++ ".app") =:= non_existing
    end,
    {Starting ++ Loading, lists:filter(IsMissing, Starting ++ Loading)}.

%% Starts the applications that the new build needs, with the restart type of the application
%% itself.
-spec start(plan() | none) -> ok | {error, {atom(), term()}}.
start(none) ->
    ok;
start(#{resource := {application, Application, Keys}, starting := Starting}) ->
    Type = value(Application, value(started, application:info(), []), temporary),
    Included = value(included_applications, Keys, []),
    start(Starting, Included, Type).

-spec start([atom()], [atom()], permanent | transient | temporary) -> ok | {error, {atom(), term()}}.
start([], _, _) ->
    ok;
start([Application | Others], Included, Type) ->
    Started = case lists:member(Application, Included) of
        true -> application:load(Application);
        false -> application:ensure_all_started(Application, Type)
    end,
    case Started of
        {error, {already_loaded, _}} -> start(Others, Included, Type);
        {error, Reason} -> {error, {Application, Reason}};
        _ -> start(Others, Included, Type)
    end.

-spec change(plan() | none) -> ok.
change(none) ->
    ok;
change(#{resource := Resource, before := Before}) ->
    put_resource(Resource, Before).

-spec undo(#{resource := resource(), before := resource(), atom() => term()} | none) -> ok.
undo(none) ->
    ok;
undo(#{resource := Resource, before := Before}) ->
    put_resource(Before, Resource).

%% application_controller removes the whole environment before it sets the new one.
-spec put_resource(resource(), resource()) -> ok.
put_resource({application, Application, Keys} = Resource, {application, _, Before}) ->
    Changes = changes(),
    ok = atomics:add(Changes, 1, 1),
    try
        ok = case lists:all(fun({Key, Value}) -> Key =:= env orelse value(Key, Before, undefined) =:= Value end, Keys) of
            true -> ok;
            false -> application_controller:change_application_data([Resource], configured())
        end,
        set(Application, value(env, Keys, []))
    after
        ok = atomics:add(Changes, 1, 1)
    end.

-spec set(atom(), variables()) -> ok.
set(Application, Environment) ->
    Now = application:get_all_env(Application),
    lists:foreach(fun({Key, Value}) -> application:set_env(Application, Key, Value) end, Environment -- Now),
    Removed = [Key || {Key, _} <- Now, not lists:keymember(Key, 1, Environment)],
    lists:foreach(fun(Key) -> application:unset_env(Application, Key) end, Removed).

-spec changes() -> atomics:atomics_ref().
changes() ->
    case persistent_term:get(?CHANGES, none) of
        none ->
            Changes = atomics:new(1, []),
            ok = persistent_term:put(?CHANGES, Changes),
            Changes;
        Changes -> Changes
    end.

%% Calls the application's `config_change/3` if its environment has changed.
-spec tell(plan() | none) -> ok | {error, term()}.
tell(none) ->
    ok;
tell(#{changed := [], new := [], removed := []}) ->
    ok;
tell(#{before := {application, Application, Keys}}) ->
    Others = lists:keydelete(Application, 1, application_controller:prep_config_change()),
    application_controller:config_change([{Application, value(env, Keys, [])} | Others]).

%% Returns the environment of an application, also during a change: either the old one or the new
%% one.
-spec environment(atom()) -> variables().
environment(Application) ->
    environment(Application, ?LOOKS).

-spec environment(atom(), 0..?LOOKS) -> variables().
environment(Application, 0) ->
    application:get_all_env(Application);
environment(Application, Looks) ->
    Before = number(),
    Environment = application:get_all_env(Application),
    case number() of
        Before when Before rem 2 =:= 0 ->
            Environment;
        _ ->
            receive after 1 -> environment(Application, Looks - 1) end
    end.

-spec number() -> integer().
number() ->
    case persistent_term:get(?CHANGES, none) of
        none -> 0;
        Changes -> atomics:get(Changes, 1)
    end.

-spec value(atom(), [{atom(), term()}], term()) -> term().
value(Key, Pairs, Default) ->
    case lists:keyfind(Key, 1, Pairs) of
        {_, Value} -> Value;
        false -> Default
    end.
