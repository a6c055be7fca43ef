%% Opens the shared resources of a build before any of its code runs, and closes them after the last
%% of its processes. Only the library knows the resources, and how each is opened and closed. The
%% module is the same in every application.
%%
%% When an application starts, a separate process opens the resources and stays alive: it closes
%% them if the application ends in any other way than by `stop/1`. An upgrade opens the resources of
%% the new build, and otp_rs_upgrade closes those of the old build when the build is otherwise
%% unused.
-module(otp_rs_shared).
-export([open/3, started/2, stop/1, open_new/4, keep/1, close/1, is_closed/1]).
-export([run/4, keep/2, wait/2]).
-export_type([failure/0]).

%% The resource, and the reason why it cannot be opened.
-type failure() :: {shared, binary(), binary()}.

%% The interval in milliseconds between checks whether the resources are closed.
-define(CLOSING, 5).

%% Opens the resources of the library that is about to start. The owner is the last process of the
%% application to end: its master, or the supervisor of another application that includes this one.
%% If that supervisor starts this application again, the resources stay open.
-spec open(atom(), module(), pid()) -> ok | {error, failure()}.
open(Application, Library, Owner) ->
    case Library:shared() of
        [] -> ok;
        _ -> opened(Application, Library, Owner)
    end.

-spec opened(atom(), module(), pid()) -> ok | {error, failure()}.
opened(Application, Library, Owner) ->
    case keeper(Application) of
        none ->
            Tag = make_ref(),
            {Keeper, Monitor} = spawn_monitor(?MODULE, run, [Application, Library, Owner, {self(), Tag}]),
            receive
                {Tag, Answer} -> demonitor(Monitor, [flush]), Answer;
                {'DOWN', Monitor, process, Keeper, taken} -> opened(Application, Library, Owner);
                {'DOWN', Monitor, process, Keeper, Reason} -> exit(Reason)
            end;
        taken ->
            {error, {shared, atom_to_binary(name(Application)), <<"another process has this name">>}};
        Keeper ->
            case ask(Keeper, are_open) of
                true -> ok;
                %% The resources that it had opened are closed now.
                ended -> opened(Application, Library, Owner)
            end
    end.

%% Returns the process that keeps the resources open.
-spec keeper(atom()) -> pid() | none | taken.
keeper(Application) ->
    otp_rs_processes:own(name(Application), [{?MODULE, run, 4}, {?MODULE, keep, 2}]).

-spec name(atom()) -> atom().
name(Application) ->
    list_to_atom("otp_rs_shared_" ++ atom_to_list(Application)).

%% Closes the resources again if the application failed to start.
-spec started(atom(), Started) -> Started.
started(_, {ok, _} = Started) ->
    Started;
started(_, {ok, _, _} = Started) ->
    Started;
started(Application, Failed) ->
    _ = has_shared(Application) andalso closed(Application),
    Failed.

%% Closes the resources when the application stops. Its root supervisor has ended. The master kills
%% the remaining processes only after this function, so this function kills them itself.
-spec stop(atom()) -> ok.
stop(Application) ->
    case has_shared(Application) of
        true ->
            ok = kill_others(group_leader(), self()),
            closed(Application);
        false ->
            ok
    end.

-spec kill_others(pid(), pid()) -> ok.
kill_others(Master, Self) ->
    Others = [Pid || Pid <- processes(), Pid =/= Self, Pid =/= Master, process_info(Pid, group_leader) =:= {group_leader, Master}],
    lists:foreach(fun(Pid) -> exit(Pid, kill) end, Others),
    Others =:= [] orelse kill_others(Master, Self),
    ok.

-spec has_shared(atom()) -> boolean().
has_shared(Application) ->
    lists:any(fun(Library) -> shared(Library) =/= [] end, otp_rs_upgrade:libraries(Application)).

%% Libraries of an earlier release of otp-rs have none.
-spec shared(module()) -> [{binary(), term()}].
shared(Library) ->
    try Library:shared() catch error:undef -> [] end.

-spec closed(atom()) -> ok.
closed(Application) ->
    _ = case keeper(Application) of
        Keeper when is_pid(Keeper) -> ask(Keeper, close);
        Other -> Other
    end,
    %% The process may have been killed.
    close_all(Application).

-spec close_all(atom()) -> ok.
close_all(Application) ->
    lists:foreach(fun close/1, otp_rs_upgrade:libraries(Application)).

%% Closes the resources of a library, and returns when they are closed, in bounded time.
-spec close(module()) -> ok.
close(Library) ->
    case shared(Library) =:= [] orelse Library:close_shared() =:= closed of
        true -> ok;
        false ->
            ok = timer:sleep(?CLOSING),
            close(Library)
    end.

%% Closes the resources of a library that is no longer used, without waiting for it. Returns whether
%% they are closed.
-spec is_closed(module()) -> boolean().
is_closed(Library) ->
    %% A function that is called from an Erlang process has no state.
    shared(Library) =:= [] orelse (Library:callbacks(0) =:= [] andalso Library:close_shared() =:= closed).

%% Opens the resources of the new build in an upgrade. A resource that is unavailable in the running
%% build may be unavailable in the new one, too. If the asker ends, the upgrade is cancelled.
-spec open_new(atom(), module(), module(), reference()) -> ok | {error, failure()} | cancelled.
open_new(Application, Library, Running, Asker) ->
    case Library:shared() of
        [] -> ok;
        _ ->
            Away = [Name || {Name, Status} <- shared(Running), Status =/= open],
            case await(begin_opening(Application, Library, Away), Asker) of
                down -> cancelled;
                Opened -> Opened
            end
    end.

-spec begin_opening(atom(), module(), all | [binary()]) -> reference().
begin_opening(Application, Library, MayBeAway) ->
    Tag = make_ref(),
    Loaded = lists:usort([Application | [One || {One, _, _} <- application:loaded_applications()]]),
    ok = Library:open_shared(self(), Tag, [{One, application:get_all_env(One)} || One <- Loaded], MayBeAway),
    Tag.

-spec await(reference(), reference()) -> ok | {error, failure()} | down.
await(Tag, Monitor) ->
    receive
        {Tag, ok} -> ok;
        {Tag, {error, Name, Reason}} -> {error, {shared, Name, Reason}};
        {'DOWN', Monitor, process, _, _} -> down
    end.

%% The process that closes the resources of an application. It does not belong to the application,
%% whose processes end earlier.
-spec run(atom(), module(), pid(), {pid(), reference()}) -> ok.
run(Application, Library, Owner, {Asker, Tag}) ->
    ok = set_leader(),
    _ = try register(name(Application), self()) catch error:badarg -> exit(taken) end,
    Monitor = monitor(process, Owner),
    case await(begin_opening(Application, Library, all), Monitor) of
        ok ->
            Asker ! {Tag, ok},
            wait(Application, {Owner, Monitor});
        {error, _} = Failed ->
            Asker ! {Tag, Failed},
            ok;
        down ->
            close_all(Application)
    end.

%% When an application stops, all processes whose group leader belongs to it are killed. So this
%% process gets another group leader.
-spec set_leader() -> ok.
set_leader() ->
    _ = [group_leader(Leader, self()) || {group_leader, Leader} <- [process_info(whereis(kernel_sup), group_leader)]],
    ok.

%% While it waits, no code of this module is on its stack, so that the module can be loaded more
%% than once. Any process can send it any message.
-spec wait(atom(), {pid(), reference()}) -> ok.
wait(Application, {Owner, Monitor} = Watched) ->
    receive
        {'DOWN', Monitor, process, Owner, _} ->
            close_all(Application);
        {?MODULE, Asker, Tag, are_open} when is_pid(Asker) ->
            %% If the owner has ended, this process is about to end.
            _ = is_process_alive(Owner) andalso (Asker ! {?MODULE, Tag, true}),
            wait(Application, Watched);
        {?MODULE, Asker, _, close} when is_pid(Asker) ->
            case process_info(Asker, group_leader) of
                {group_leader, Owner} -> close_all(Application);
                _ -> wait(Application, Watched)
            end;
        _ ->
            wait(Application, Watched)
    after 0 ->
        erlang:hibernate(?MODULE, wait, [Application, Watched])
    end.

%% Asks the process. `ended`: the process has ended or is ending, and its resources are closed.
-spec ask(pid(), are_open | close) -> true | ended.
ask(Keeper, What) ->
    Monitor = monitor(process, Keeper),
    Keeper ! {?MODULE, self(), Monitor, What},
    receive
        {?MODULE, Monitor, true} -> demonitor(Monitor, [flush]), true;
        {'DOWN', Monitor, process, Keeper, _} -> ended
    end.

%% Starts the process if an upgrade has brought the first resources.
-spec keep(atom()) -> ok.
keep(Application) ->
    case has_shared(Application) andalso {keeper(Application), application_controller:get_master(Application)} of
        {none, Master} when is_pid(Master) ->
            _ = spawn(?MODULE, keep, [Application, Master]),
            ok;
        _ ->
            ok
    end.

-spec keep(atom(), pid()) -> ok.
keep(Application, Master) ->
    ok = set_leader(),
    _ = try register(name(Application), self()) catch error:badarg -> exit(taken) end,
    wait(Application, {Master, monitor(process, Master)}).
