%% Registries: arbitrary terms as names of this node's processes (docs/services.md). A registry is a
%% process with a public table of its name, which has `{Key, Process}` for each name. Processes
%% enter themselves, and find each other, in the table. The registry monitors them, and removes the
%% names of processes that have ended. Such a name is written `{via, otp_rs_registry, {Registry,
%% Key}}`.
%%
%% A second process, the keeper, inherits the table if the registry is killed, and passes it to the
%% next registry of this name. If the keeper is killed, the registry starts another one. Both are
%% `gen_server`s, so that they run no function of this module while they wait, and an upgrade can
%% load another version of the module. The module is the same in every application.
-module(otp_rs_registry).
-behaviour(gen_server).
-export([start_link/2, enter/3, leave/2, find/2, keys/2, list/1, count/1]).
-export([register_name/2, unregister_name/1, whereis_name/1, send/2]).
-export([init/1, handle_continue/2, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).
-export_type([registry/0, name/0, kind/0]).

-type registry() :: atom().
-type name() :: {registry(), Key :: term()}.
%% Whether a key belongs to one process, or to any number of processes.
-type kind() :: unique | duplicate.
%% `keys` has `{{Process, Hash, Key}}` for each name, in an order in which the keys of a process are
%% adjacent, and `{{Process, monitor}, Monitor}` for each process. The hash distinguishes 1 from
%% 1.0.
-type registering() :: #{registry := registry(), kind := kind(), keys := ets:tid(), keeper := pid() | none, monitor := reference() | none}.
-type keeping() :: #{keeps := registry(), monitor := reference()}.
-type state() :: registering() | keeping().

%% The time that the keeper waits for the next registry, in milliseconds.
-define(PATIENCE, 60000).

-spec start_link(registry(), kind()) -> gen_server:start_ret().
start_link(Registry, Kind) when is_atom(Registry) ->
    gen_server:start_link({local, Registry}, ?MODULE, {registry, Registry, Kind}, []).

%% Registers the calling process under the key.
-spec enter(kind(), registry(), Key :: term()) -> ok | {error, {already_registered, pid()}}.
enter(unique, Registry, Key) ->
    case entered(Registry, Key, fun(Entry) -> insert(Registry, Entry) end) of
        yes -> ok;
        no ->
            case find(Registry, Key) of
                [{_, Other} | _] -> {error, {already_registered, Other}};
                %% The other process has just ended.
                [] -> enter(unique, Registry, Key)
            end
    end;
enter(duplicate, Registry, Key) ->
    yes = entered(Registry, Key, fun(Entry) -> true = ets:insert(Registry, Entry), yes end),
    ok.

%% Removes the calling process. Returns whether it was registered.
-spec leave(registry(), Key :: term()) -> boolean().
leave(Registry, Key) ->
    Entry = {Key, self()},
    case lists:member(Entry, find(Registry, Key)) of
        true -> left(Registry, Entry), true;
        false -> false
    end.

-spec find(registry(), Key :: term()) -> [{Key :: term(), pid()}].
find(Registry, Key) ->
    try ets:lookup(Registry, Key)
    catch error:badarg -> not_running(Registry)
    end.

%% Returns the keys of a process.
-spec keys(registry(), gen_server:server_ref()) -> [Key :: term()].
keys(Registry, Process) when is_pid(Process) ->
    try gen_server:call(Registry, {keys, Process}, infinity)
    catch exit:{noproc, _} -> not_running(Registry)
    end;
keys(Registry, {via, Module, Name}) ->
    keys(Registry, Module:whereis_name(Name));
keys(Registry, {global, Name}) ->
    keys(Registry, global:whereis_name(Name));
keys(Registry, Name) when is_atom(Name), Name =/= undefined ->
    keys(Registry, whereis(Name));
keys(_, _) ->
    [].

-spec list(registry()) -> [{Key :: term(), pid()}].
list(Registry) ->
    try ets:tab2list(Registry)
    catch error:badarg -> not_running(Registry)
    end.

-spec count(registry()) -> non_neg_integer().
count(Registry) ->
    case ets:info(Registry, size) of
        undefined -> not_running(Registry);
        Count -> Count
    end.

-spec not_running(registry()) -> no_return().
not_running(Registry) -> exit({noproc, {?MODULE, Registry}}).

%% A process enters itself without waiting for the registry. Another process might end before it is
%% entered, so the registry enters it while it monitors it.
-spec register_name(name(), pid()) -> yes | no.
register_name({Registry, Key}, Process) when Process =:= self() ->
    entered(Registry, Key, fun(Entry) -> insert(Registry, Entry) end);
register_name({Registry, Key}, Process) when node(Process) =:= node() ->
    gen_server:call(Registry, {enter, Process, Key}, infinity).

%% Removes the name, whichever process has it.
-spec unregister_name(name()) -> ok.
unregister_name({Registry, Key}) ->
    lists:foreach(fun(Entry) -> left(Registry, Entry) end, entries(Registry, Key)).

%% A process that has ended may still have its entry. A supervisor that restarts it must not find
%% it: the start would fail with `already_started`.
-spec whereis_name(name()) -> pid() | undefined.
whereis_name({Registry, Key}) ->
    living(entries(Registry, Key)).

-spec living([{term(), pid()}]) -> pid() | undefined.
living([{_, Process} | Others]) ->
    case is_process_alive(Process) of
        true -> Process;
        false -> living(Others)
    end;
living([]) ->
    undefined.

-spec send(name(), Message) -> Message.
send(Name, Message) ->
    case whereis_name(Name) of
        undefined -> exit({badarg, {Name, Message}});
        Process -> Process ! Message
    end.

%% A registry that is not running has no names.
-spec entries(registry(), term()) -> [{term(), pid()}].
entries(Registry, Key) ->
    try ets:lookup(Registry, Key)
    catch error:badarg when is_atom(Registry) -> []
    end.

%% Announces the entry to the registry first. The registry therefore monitors the process before the
%% entry exists, and removes the entry after the process has ended, at whatever point the process is
%% killed. If the registry has ended in between, the next one receives the announcement, or finds
%% the entry when it starts.
-spec entered(registry(), term(), fun(({term(), pid()}) -> yes | no)) -> yes | no.
entered(Registry, Key, Insert) ->
    case whereis(Registry) of
        Running when is_pid(Running) ->
            Running ! {enters, self(), Key},
            Outcome = try Insert({Key, self()})
                catch error:badarg -> not_running(Registry)
            end,
            _ = case {Outcome, whereis(Registry)} of
                {no, _} -> Running ! {leaves, self(), Key};
                {yes, Next} when is_pid(Next), Next =/= Running -> Next ! {enters, self(), Key};
                {yes, _} -> ok
            end,
            Outcome;
        _ ->
            not_running(Registry)
    end.

%% A process that has ended keeps its name until the registry has been notified.
-spec insert(registry(), {term(), pid()}) -> yes | no.
insert(Registry, {Key, Process} = Entry) ->
    case ets:insert_new(Registry, Entry) andalso yes of
        yes -> yes;
        false ->
            case ets:lookup(Registry, Key) of
                [{_, Process}] -> yes;
                [{_, Other} = Old | _] when is_pid(Other) ->
                    case is_process_alive(Other) of
                        true -> no;
                        false -> true = ets:delete_object(Registry, Old), insert(Registry, Entry)
                    end;
                [] -> insert(Registry, Entry)
            end
    end.

-spec left(registry(), {term(), pid()}) -> ok.
left(Registry, {Key, Process} = Entry) ->
    true = ets:delete_object(Registry, Entry),
    case whereis(Registry) of
        Running when is_pid(Running) -> Running ! {leaves, Process, Key}, ok;
        _ -> ok
    end.

%% Traps exits, so that `terminate` is called when the supervisor stops the registry.
-spec init({registry, registry(), kind()} | {keeper, pid(), registry()}) ->
    {ok, state()} | {ok, state(), {continue, watch}} | {stop, term()}.
init({registry, Registry, Kind}) ->
    _ = process_flag(trap_exit, true),
    _ = process_flag(message_queue_data, off_heap),
    case table(Registry, type(Kind)) of
        {error, Reason} -> {stop, Reason};
        Keeper ->
            State = #{registry => Registry, kind => Kind, keys => ets:new(?MODULE, [ordered_set]), keeper => none, monitor => none},
            {ok, kept(Keeper, State), {continue, watch}}
    end;
init({keeper, Running, Registry}) ->
    {ok, #{keeps => Registry, monitor => monitor(process, Running)}}.

-spec type(kind()) -> set | duplicate_bag.
type(unique) -> set;
type(duplicate) -> duplicate_bag.

%% Returns the table of the last registry of this name if that was killed, with its keeper, or a new
%% table.
-spec table(registry(), set | duplicate_bag) -> pid() | none | {error, term()}.
table(Registry, Type) ->
    case ets:info(Registry, owner) of
        undefined ->
            Registry = ets:new(Registry, [Type, named_table, public, {read_concurrency, true}, {write_concurrency, true}]),
            none;
        Keeper ->
            case proc_lib:translate_initial_call(Keeper) of
                {?MODULE, init, 1} -> given(Keeper, Registry, Type);
                _ -> {error, {table_exists, Registry}}
            end
    end.

-spec given(pid(), registry(), set | duplicate_bag) -> pid() | none | {error, term()}.
given(Keeper, Registry, Type) ->
    try gen_server:call(Keeper, {give, Registry}, infinity) of
        ok ->
            receive {'ETS-TRANSFER', Registry, Keeper, _} -> ok end,
            case ets:info(Registry, type) of
                Type -> Keeper;
                _ ->
                    %% The program has changed the kind of the registry.
                    true = ets:delete(Registry),
                    table(Registry, Type)
            end
    catch
        %% The keeper has ended, and its table with it.
        exit:_ -> table(Registry, Type)
    end.

%% Makes a keeper the heir of the table, for the case that this process is killed.
-spec kept(pid() | none, registering()) -> registering().
kept(none, #{registry := Registry} = State) ->
    {ok, Keeper} = gen_server:start(?MODULE, {keeper, self(), Registry}, []),
    kept(Keeper, State);
kept(Keeper, #{registry := Registry} = State) ->
    true = ets:setopts(Registry, {heir, Keeper, Registry}),
    State#{keeper := Keeper, monitor := monitor(process, Keeper)}.

%% Enters the names of the last registry.
-spec handle_continue(watch, state()) -> {noreply, state()}.
handle_continue(watch, #{registry := Registry} = State) ->
    ok = ets:foldl(fun({Key, Process}, ok) -> watch(Process, Key, State) end, ok, Registry),
    {noreply, State}.

-spec handle_call(term(), gen_server:from(), state()) ->
    {reply, term(), state()} | {stop, normal, term(), state()}.
handle_call({keys, Process}, _, #{keys := Keys} = State) ->
    {reply, ets:select(Keys, of_process(Process)), State};
handle_call({enter, Process, Key}, _, #{registry := Registry} = State) when is_pid(Process) ->
    ok = watch(Process, Key, State),
    Outcome = insert(Registry, {Key, Process}),
    _ = Outcome =:= no andalso forget(Process, Key, State),
    {reply, Outcome, State};
handle_call({give, Registry}, {Next, _}, #{keeps := Registry, monitor := Last}) ->
    true = demonitor(Last, [flush]),
    true = ets:give_away(Registry, Next, Registry),
    {reply, ok, #{keeps => Registry, monitor => monitor(process, Next)}};
handle_call(_, _, State) ->
    {reply, {error, bad_request}, State}.

-spec handle_cast(term(), state()) -> {noreply, state()}.
handle_cast(_, State) -> {noreply, State}.

%% Any process can send these messages. A forged one changes only the answer of `keys`.
-spec handle_info(term(), state()) -> {noreply, state()} | {stop, normal, state()}.
handle_info({enters, Process, Key}, #{keys := _} = State) when is_pid(Process) ->
    ok = watch(Process, Key, State),
    {noreply, State};
handle_info({leaves, Process, Key}, #{keys := _} = State) ->
    ok = forget(Process, Key, State),
    {noreply, State};
handle_info({'DOWN', Keeper, process, _, _}, #{keys := _, monitor := Keeper} = State) ->
    {noreply, kept(none, State)};
handle_info({'DOWN', Monitor, process, Process, _}, #{registry := Registry, keys := Keys} = State) ->
    case ets:lookup(Keys, {Process, monitor}) of
        [{_, Monitor}] ->
            true = ets:delete(Keys, {Process, monitor}),
            lists:foreach(fun(Key) ->
                true = ets:delete_object(Registry, {Key, Process}),
                true = ets:delete(Keys, hashed(Process, Key))
            end, ets:select(Keys, of_process(Process)));
        _ -> ok
    end,
    {noreply, State};
handle_info({'DOWN', Running, process, _, _}, #{keeps := Registry, monitor := Running} = State) ->
    %% A registry that was stopped normally has deleted its table.
    case ets:info(Registry, owner) =:= self() of
        true ->
            _ = erlang:send_after(?PATIENCE, self(), {unclaimed, Running}),
            {noreply, State};
        false -> {stop, normal, State}
    end;
handle_info({unclaimed, Running}, #{keeps := _, monitor := Running} = State) ->
    {stop, normal, State};
handle_info(_, State) ->
    {noreply, State}.

-spec terminate(term(), state()) -> ok.
terminate(Reason, #{registry := Registry}) when Reason =:= normal; Reason =:= shutdown ->
    true = ets:delete(Registry),
    ok;
terminate({shutdown, _}, State) ->
    terminate(shutdown, State);
terminate(_, _) ->
    ok.

%% One monitor is enough for a process with many keys.
-spec watch(pid(), term(), registering()) -> ok.
watch(Process, Key, #{keys := Keys}) ->
    _ = ets:member(Keys, {Process, monitor}) orelse ets:insert(Keys, {{Process, monitor}, monitor(process, Process)}),
    true = ets:insert(Keys, {hashed(Process, Key)}),
    ok.

-spec forget(pid(), term(), registering()) -> ok.
forget(Process, Key, #{keys := Keys}) ->
    true = ets:delete(Keys, hashed(Process, Key)),
    case {ets:select(Keys, of_process(Process), 1), ets:lookup(Keys, {Process, monitor})} of
        {'$end_of_table', [{_, Monitor}]} ->
            true = demonitor(Monitor, [flush]),
            true = ets:delete(Keys, {Process, monitor}),
            ok;
        _ -> ok
    end.

-spec hashed(pid(), term()) -> {pid(), non_neg_integer(), term()}.
hashed(Process, Key) -> {Process, erlang:phash2(Key), Key}.

-spec of_process(pid()) -> ets:match_spec().
of_process(Process) -> [{{{Process, '_', '$1'}}, [], ['$1']}].
