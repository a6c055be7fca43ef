%% The process `otp_rs`, which does what native code cannot do itself: it logs and prints for
%% threads and dirty schedulers, makes abandoned calls fail, and knows which builds the connected
%% nodes run. Any process can send it any message, so it checks each message, and never waits for
%% another process. No process waits for it either: a process that needs the helper spawns it if
%% necessary, and sends it messages. The helper is not a `gen_server`, because a single `sys`
%% message could suspend it for ever, and it is not the child of a supervisor, because a message to
%% the supervisor could end it. The module is the same in every application.
-module(otp_rs_helper).
-export([ensure_started/1, libraries/0, leave/1, stop_leaving/0, known/0]).
-export([run/1, loop/1, watch/0, watch/2]).

-include("otp_rs_protocol.hrl").
-define(NAME, otp_rs).

%% The key under which processes find the running helper.
-define(HELPER_PROCESS, {?NAME, helper}).

%% The timeout for an answer, in milliseconds.
-define(ANSWER, 5000).

%% Starts the process if necessary. When this returns, the library knows the process and the
%% application's environment.
-spec ensure_started(module()) -> ok.
ensure_started(Library) ->
    Process = process(),
    _ = try Library:follow(Process, level()) catch error:_ -> false end,
    Process ! served,
    Library:configure().

%% Returns the running process, or a new one. The caller's messages to a new one are in its mailbox
%% before it runs, and a new one is monitored before other processes know it.
-spec process() -> pid().
process() ->
    case [Process || Process <- [whereis(?NAME), persistent_term:get(?HELPER_PROCESS, undefined)], is_pid(Process), is_helper(Process)] of
        [Process | _] -> Process;
        [] ->
            Watcher = spawn(?MODULE, watch, []),
            New = spawn(?MODULE, run, [Watcher]),
            Watcher ! {watch, New},
            named(New)
    end.

%% Registers the new process. If another process already has the name, the connected nodes do not
%% learn which builds this node runs; everything else works without the name.
-spec named(pid()) -> pid().
named(New) ->
    IsNamed = try register(?NAME, New) catch error:badarg -> false end,
    case not IsNamed andalso is_helper(whereis(?NAME)) of
        true ->
            %% Another process has started a helper at the same time.
            true = exit(New, kill),
            process();
        false ->
            ok = persistent_term:put(?HELPER_PROCESS, New),
            New
    end.

%% A process cannot fake its initial function.
-spec is_helper(pid() | port() | undefined) -> boolean().
is_helper(Process) when is_pid(Process) ->
    process_info(Process, initial_call) =:= {initial_call, {?MODULE, run, 1}};
is_helper(_) ->
    false.

%% Returns the libraries of the loaded applications.
-spec libraries() -> [module()].
libraries() ->
    lists:filter(fun is_library/1, erlang:loaded()).

%% Tells the process that an upgrade has left older libraries of this application loaded.
-spec leave(atom()) -> ok.
leave(Application) ->
    process() ! {leave, Application},
    ok.

%% When this returns, no library is unloaded until the calling upgrade has ended.
-spec stop_leaving() -> ok.
stop_leaving() ->
    try gen_server:call(process(), stop_leaving, ?ANSWER)
    catch
        exit:_ -> ok
    end.

%% Returns the process that was spawned last, for callers that only send to it.
-spec known() -> pid() | none.
known() ->
    persistent_term:get(?HELPER_PROCESS, none).

-type state() :: #{
    %% The builds that connected nodes run.
    builds := #{node() => [otp_rs:build()]},
    %% Reports of dropped callers, by the monitor of their server.
    dropped := #{reference() => map()},
    %% Libraries that log, and the level that they were given.
    logging := [module()],
    level := logger:level() | all | none,
    %% Pending work, by its timer.
    timers := #{reference() => follow_level | {leave, atom()}},
    output := otp_rs_output:output(),
    %% The monitor of the process that respawns this one.
    watch := reference()
}.

%% The maximum delay until libraries follow a change of `logger`'s level, in milliseconds.
-define(LEVEL_TIME, 500).

%% The interval between attempts to unload the library of an older build, in milliseconds.
-define(LEAVING_TIME, 1000).

%% Limits for the claims of other nodes: the number of builds, and the bytes of a version.
-define(BUILDS, 1000).
-define(VERSION, 255).

-spec run(pid()) -> no_return().
run(Watcher) ->
    %% The spawner may have ended before it could send this message.
    Watcher ! {watch, self()},
    %% The writing process is linked, and may be killed.
    process_flag(trap_exit, true),
    %% When an application stops, all processes whose group leader belongs to it are killed. So this
    %% process gets another group leader.
    _ = [group_leader(Leader, self()) || {group_leader, Leader} <- [process_info(whereis(kernel_sup), group_leader)]],
    Level = level(),
    Logging = follow(Level, libraries()),
    _ = net_kernel:monitor_nodes(true),
    send_builds(nodes(), true),
    loop(follow_later(#{
        builds => #{}, dropped => #{}, logging => Logging, level => Level, timers => #{}, output => otp_rs_output:new(),
        watch => monitor(process, Watcher)
    })).

%% A fully qualified call, so that a newer version of the module handles the next message.
-spec loop(state()) -> no_return().
loop(State) ->
    receive Message -> ?MODULE:loop(handle(Message, State)) end.

%% Spawns a process that respawns this one if it is killed; if the other one is killed, this process
%% respawns it.
-spec watched() -> reference().
watched() ->
    {_, Monitor} = spawn_monitor(?MODULE, watch, [self(), none]),
    Monitor.

-spec watch() -> ok | no_return().
watch() ->
    receive {watch, Helper} when is_pid(Helper) -> watch(Helper, none) end.

%% While it waits, no code of this module is on its stack, so that the module can be loaded more
%% than once.
-spec watch(pid(), none | reference()) -> ok | no_return().
watch(Helper, none) ->
    erlang:hibernate(?MODULE, watch, [Helper, monitor(process, Helper)]);
watch(Helper, Monitor) ->
    receive
        {'DOWN', Monitor, process, Helper, _} -> _ = process(), ok;
        _ -> erlang:hibernate(?MODULE, watch, [Helper, Monitor])
    end.

%% `pass` is answered after everything that was sent before has been written. `stop_leaving` is
%% answered when this process is not in `otp_rs_upgrade:leave/1`, which first checks whether there
%% is an upgrade.
-spec handle(term(), state()) -> state().
handle({'$gen_call', {Caller, _} = From, stop_leaving}, State) when is_pid(Caller) ->
    answer(From, ok),
    State;
handle({'$gen_call', {Caller, _} = From, pass}, #{output := Output} = State) when is_pid(Caller) ->
    State#{output := otp_rs_output:add(nothing, fun() -> answer(From, ok) end, Output)};
handle({system, {Caller, _} = From, Request}, State) when is_pid(Caller) ->
    answer(From, system(Request, State)),
    State;
handle(served, #{level := Level} = State) ->
    ok = tell_builds(State),
    send_builds(nodes(), true),
    follow_later(State#{logging := follow(Level, libraries())});
handle({leave, Application}, State) ->
    case is_atom(Application) andalso lists:member(Application, [App || {App, _, _} <- own_builds()]) of
        true -> left(Application, State);
        false -> State
    end;
handle(Message, State) ->
    handle_info(Message, State).

%% Handles messages of `sys`. You can inspect this process, but neither suspend nor change it.
-spec system(term(), state()) -> state() | {status, pid(), {module, module()}, [term()]} | {error, refused}.
system(get_state, State) -> State;
system(get_status, State) -> {status, self(), {module, ?MODULE}, [get(), running, self(), [], State]};
system(_, _) -> {error, refused}.

%% The tag comes from the client and can be any term.
-spec answer({pid(), term()}, term()) -> ok.
answer(From, Answer) ->
    try gen_server:reply(From, Answer) catch error:_ -> ok end.

%% Returns whether the module has loaded a library.
-spec is_library(term()) -> boolean().
is_library(Library) ->
    is_atom(Library) andalso erlang:function_exported(Library, follow, 2) andalso erlang:function_exported(Library, taken, 0)
        andalso build_of(Library) =/= error.

-spec handle_info(term(), state()) -> state().
handle_info(?HANDED(Library, Entry), State) ->
    handed(Library, Entry, State);
handle_info(?DROPPED(Server, Report), State) ->
    case is_pid(Server) andalso node(Server) =:= node() andalso is_unanswered(Report) of
        true -> dropped(Server, Report, State);
        false -> State
    end;
handle_info({Monitor, _State}, #{dropped := Dropped} = State) when is_map_key(Monitor, Dropped) ->
    {Report, Left} = maps:take(Monitor, Dropped),
    demonitor(Monitor, [flush]),
    unanswered(Report, State#{dropped := Left});
handle_info({'DOWN', Monitor, process, _, _}, #{dropped := Dropped} = State) when is_map_key(Monitor, Dropped) ->
    State#{dropped := maps:remove(Monitor, Dropped)};
handle_info({'DOWN', Watch, process, _, _}, #{watch := Watch} = State) ->
    State#{watch := watched()};
handle_info({timeout, Timer, _}, #{timers := Timers} = State) when is_map_key(Timer, Timers) ->
    {Later, Left} = maps:take(Timer, Timers),
    late(Later, State#{timers := Left});
handle_info({nodeup, Node}, State) when is_atom(Node) ->
    send_builds([Node], false),
    State;
handle_info({nodedown, Node}, #{builds := Builds} = State) when is_map_key(Node, Builds) ->
    with_builds(maps:remove(Node, Builds), State);
handle_info({builds, Node, Sent, IsAsking}, State) when length(Sent) =< ?BUILDS ->
    case lists:member(Node, nodes(connected)) of
        true -> sent_builds(Node, Sent, IsAsking, State);
        false -> State
    end;
handle_info(Message, #{output := Output} = State) ->
    case otp_rs_output:handle(Message, Output) of
        none -> State;
        New -> State#{output := New}
    end.

%% Handles log entries and output of a library.
-spec handed(term(), term(), state()) -> state().
handed(Counts, nothing, #{output := Output} = State) ->
    State#{output := otp_rs_output:add(nothing, fun() -> taken(Counts) end, Output)};
handed(Library, Entry, #{output := Output} = State) ->
    case otp_rs_output:is_entry(Entry) of
        true -> State#{output := otp_rs_output:add({entry, Entry}, fun() -> taken(Library) end, Output)};
        false -> State
    end.

%% Libraries, and processes with pending entries, count the entries in transit.
-spec taken(term()) -> ok.
taken(Counts) when is_reference(Counts) ->
    dropped_entries(otp_rs_output:taken(Counts));
taken(Library) ->
    dropped_entries(is_library(Library) andalso (try Library:taken() catch error:_ -> 0 end)).

-spec dropped_entries(term()) -> ok.
dropped_entries(Number) when is_integer(Number), Number > 0 ->
    self() ! ?HANDED(none, ?LOST(Number)),
    ok;
dropped_entries(_) ->
    ok.

%% Limits: the number of dropped callers for whose servers the helper waits, and the bytes of each
%% report. Any process can send reports, also for servers that never answer.
-define(DROPPED_CALLERS, 1000).
-define(REPORT, 4096).

%% A caller was dropped outside its server's callbacks. If the server ends in the current callback,
%% the call fails because of that. Therefore the helper sends the server a request that every server
%% answers after its current callback.
-spec dropped(pid(), map(), state()) -> state().
dropped(Server, ?UNANSWERED(_, _, _, _, _, _, _, _, Caller), #{dropped := Dropped} = State) when map_size(Dropped) >= ?DROPPED_CALLERS ->
    ok = otp_rs:end_call(Caller, Server, unanswered),
    State;
dropped(Server, Report, #{dropped := Dropped} = State) ->
    Monitor = monitor(process, Server),
    Server ! {system, {self(), Monitor}, get_state},
    State#{dropped := Dropped#{Monitor => Report}}.

-spec is_unanswered(term()) -> boolean().
is_unanswered(?UNANSWERED(M, F, A, Message, _, File, Line, Server, {Caller, _}) = Report) ->
    is_atom(M) andalso is_atom(F) andalso is_integer(A) andalso is_binary(Message) andalso is_binary(File)
        andalso is_integer(Line) andalso is_pid(Server) andalso is_pid(Caller) andalso erlang:external_size(Report) =< ?REPORT;
is_unanswered(_) ->
    false.

-spec unanswered(map(), state()) -> state().
unanswered(?UNANSWERED(_, _, _, _, _, _, _, Server, Caller) = Report, #{output := Output} = State) ->
    End = fun() -> otp_rs:end_call(Caller, Server, unanswered) end,
    State#{output := otp_rs_output:add({report, Report}, End, Output)}.

-spec late(follow_level | {leave, atom()}, state()) -> state().
late({leave, Application}, State) ->
    left(Application, State);
late(follow_level, #{logging := Logging, level := Level} = State) ->
    follow_later(case level() of
        Level -> State;
        Now -> State#{logging := follow(Now, Logging), level := Now}
    end).

%% Unloads libraries of older builds that are no longer used, now and later.
-spec left(atom(), state()) -> state().
left(Application, State) ->
    case otp_rs_upgrade:leave(Application) of
        true -> later({leave, Application}, ?LEAVING_TIME, State);
        false -> State
    end.

-spec follow_later(state()) -> state().
follow_later(#{logging := []} = State) -> State;
follow_later(State) -> later(follow_level, ?LEVEL_TIME, State).

%% Starts a timer, unless there is already one for this work.
-spec later(follow_level | {leave, atom()}, pos_integer(), state()) -> state().
later(What, Time, #{timers := Timers} = State) ->
    case lists:member(What, maps:values(Timers)) of
        true -> State;
        false -> State#{timers := Timers#{erlang:start_timer(Time, self(), later) => What}}
    end.

%% Returns the lowest level that can be logged: the primary level, or that of a module.
-spec level() -> logger:level() | all | none.
level() ->
    #{level := Primary} = logger:get_primary_config(),
    lists:foldl(fun({_, Level}, Lowest) ->
        case logger:compare_levels(Level, Lowest) of
            lt -> Level;
            _ -> Lowest
        end
    end, Primary, logger:get_module_level()).

%% Tells the libraries about this process and the level. Returns the libraries that log; an unloaded
%% one does not.
-spec follow(logger:level() | all | none, [module()]) -> [module()].
follow(Level, Libraries) ->
    lists:filter(fun(Library) -> try Library:follow(self(), Level) catch error:_ -> false end end, Libraries).

%% Sends this node's builds to other nodes, so that the refusal of a term can name them. It does not
%% connect to a node, and skips a node that is slow to receive messages.
-spec send_builds([node()], boolean()) -> ok.
send_builds(Nodes, IsAsking) ->
    Message = {builds, node(), own_builds(), IsAsking},
    lists:foreach(fun(Node) -> erlang:send({?NAME, Node}, Message, [noconnect, nosuspend]) end, Nodes).

-spec own_builds() -> [otp_rs:build()].
own_builds() ->
    [Build || Library <- libraries(), {ok, Build} <- [build_of(Library)]].

-spec build_of(module()) -> {ok, otp_rs:build()} | error.
build_of(Library) ->
    try Library:build() of
        {App, Vsn, Id} = Build when is_atom(App), is_binary(Vsn), is_binary(Id) -> {ok, Build};
        _ -> error
    catch
        error:_ -> error
    end.

-spec sent_builds(node(), [term()], term(), state()) -> state().
sent_builds(Node, Sent, IsAsking, #{builds := Builds} = State) ->
    _ = IsAsking =:= true andalso send_builds([Node], false),
    Known = [Build || {App, Vsn, Id} = Build <- Sent,
        is_atom(App), is_binary(Vsn), byte_size(Vsn) =< ?VERSION, is_binary(Id), byte_size(Id) =< ?VERSION],
    with_builds(Builds#{Node => Known}, State).

-spec with_builds(#{node() => [otp_rs:build()]}, state()) -> state().
with_builds(Builds, State) ->
    New = State#{builds := Builds},
    ok = tell_builds(New),
    New.

%% Tells each library about the nodes that run another build of its application.
-spec tell_builds(state()) -> ok.
tell_builds(#{builds := Builds}) ->
    lists:foreach(fun(Library) ->
        case build_of(Library) of
            {ok, {App, _, Id} = Own} ->
                Others = [{Node, shown_build(Build)}
                    || {Node, Known} <- maps:to_list(Builds), {Same, _, Other} = Build <- Known, Same =:= App, Other =/= Id],
                try Library:peers(shown_build(Own), Others) catch error:_ -> ok end;
            error -> ok
        end
    end, libraries()).

-spec shown_build(otp_rs:build()) -> binary().
shown_build({App, Vsn, Id}) ->
    iolist_to_binary([atom_to_binary(App, utf8), " ", Vsn, " (build ", Id, ")"]).
