%% The process `otp_rs`, which does what native code cannot do itself: it logs and prints for
%% threads and dirty schedulers, ends calls that nobody answers, and knows which builds the nodes
%% around run. Anybody can send it anything, so it checks what it gets, and waits for nobody. Nobody
%% waits for it either: whoever needs it spawns it, and sends it messages. So it is not a
%% `gen_server`, which one message suspends for ever, and not the child of a supervisor, which
%% another message has end it. The module is the same in every application.
-module(otp_rs_helper).
-export([ensure_started/1, libraries/0, leave/1, stop_leaving/0, known/0]).
-export([run/1, loop/1, watch/0, watch/2]).

%SHAPES%
-define(NAME, otp_rs).

%% Where processes find the one that runs.
-define(HELPER_PROCESS, {?NAME, helper}).

%% Milliseconds for an answer.
-define(ANSWER, 5000).

%% When this returns, the library knows the process and the application's environment.
-spec ensure_started(module()) -> ok.
ensure_started(Library) ->
    Process = process(),
    _ = try Library:follow(Process, level()) catch error:_ -> false end,
    Process ! served,
    Library:configure().

%% The process that runs, or a new one. What is sent to a new one is in its mailbox before it has
%% begun, and before anybody knows it, somebody watches it.
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

%% If a process of somebody else has the name, nodes around do not learn what this one runs. All
%% else works as with the name.
-spec named(pid()) -> pid().
named(New) ->
    IsNamed = try register(?NAME, New) catch error:badarg -> false end,
    case not IsNamed andalso is_helper(whereis(?NAME)) of
        true ->
            %% Somebody else has started one just now.
            true = exit(New, kill),
            process();
        false ->
            ok = persistent_term:put(?HELPER_PROCESS, New),
            New
    end.

%% No process can pretend to have begun with another function than it has.
-spec is_helper(pid() | port() | undefined) -> boolean().
is_helper(Process) when is_pid(Process) ->
    process_info(Process, initial_call) =:= {initial_call, {?MODULE, run, 1}};
is_helper(_) ->
    false.

%% The libraries of the applications that are loaded.
-spec libraries() -> [module()].
libraries() ->
    lists:filter(fun is_library/1, erlang:loaded()).

%% An upgrade has left older libraries of this application behind.
-spec leave(atom()) -> ok.
leave(Application) ->
    process() ! {leave, Application},
    ok.

%% When this returns, no library leaves until the upgrade that calls it has ended.
-spec stop_leaving() -> ok.
stop_leaving() ->
    try gen_server:call(process(), stop_leaving, ?ANSWER)
    catch
        exit:_ -> ok
    end.

%% The process that was spawned last, for whoever only sends to it.
-spec known() -> pid() | none.
known() ->
    persistent_term:get(?HELPER_PROCESS, none).

-type state() :: #{
    %% What connected nodes run.
    builds := #{node() => [otp_rs:build()]},
    %% Reports of dropped callers, by the monitor of their server.
    dropped := #{reference() => map()},
    %% Libraries that log, and the level that they have been told.
    logging := [module()],
    level := logger:level() | all | none,
    %% What is done later, by its timer.
    timers := #{reference() => follow_level | {leave, atom()}},
    output := otp_rs_output:output(),
    %% The monitor of who spawns this process again.
    watch := reference()
}.

%% How long it takes at most until libraries follow a level of `logger` that was changed, in
%% milliseconds.
-define(LEVEL_TIME, 500).

%% How often it is tried to unload the library of an older build, in milliseconds.
-define(LEAVING_TIME, 1000).

%% The most builds that a node is believed to run, and the most bytes of a version.
-define(BUILDS, 1000).
-define(VERSION, 255).

-spec run(pid()) -> no_return().
run(Watcher) ->
    %% Its spawner may have ended before it has told it.
    Watcher ! {watch, self()},
    %% Who writes is linked, and may be killed.
    process_flag(trap_exit, true),
    %% An application that stops ends all processes whose group leader is its own.
    _ = [group_leader(Leader, self()) || {group_leader, Leader} <- [process_info(whereis(kernel_sup), group_leader)]],
    Level = level(),
    Logging = follow(Level, libraries()),
    _ = net_kernel:monitor_nodes(true),
    send_builds(nodes(), true),
    loop(follow_later(#{
        builds => #{}, dropped => #{}, logging => Logging, level => Level, timers => #{}, output => otp_rs_output:new(),
        watch => monitor(process, Watcher)
    })).

%% By its full name, so that a newer version of the module goes on with the next message.
-spec loop(state()) -> no_return().
loop(State) ->
    receive Message -> ?MODULE:loop(handle(Message, State)) end.

%% Another process spawns a new one if this one is killed, and this one another one for that.
-spec watched() -> reference().
watched() ->
    {_, Monitor} = spawn_monitor(?MODULE, watch, [self(), none]),
    Monitor.

-spec watch() -> ok | no_return().
watch() ->
    receive {watch, Helper} when is_pid(Helper) -> watch(Helper, none) end.

%% While it waits, it is not in the code of this module, which can then be loaded more than once.
-spec watch(pid(), none | reference()) -> ok | no_return().
watch(Helper, none) ->
    erlang:hibernate(?MODULE, watch, [Helper, monitor(process, Helper)]);
watch(Helper, Monitor) ->
    receive
        {'DOWN', Monitor, process, Helper, _} -> _ = process(), ok;
        _ -> erlang:hibernate(?MODULE, watch, [Helper, Monitor])
    end.

%% `pass` is answered when everything that was sent before has been written, and `stop_leaving` when
%% this process is not in `otp_rs_upgrade:leave/1`, which looks first whether there is an upgrade.
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

%% As `sys` has it. This process can be looked at, but neither suspended nor changed.
-spec system(term(), state()) -> state() | {status, pid(), {module, module()}, [term()]} | {error, refused}.
system(get_state, State) -> State;
system(get_status, State) -> {status, self(), {module, ?MODULE}, [get(), running, self(), [], State]};
system(_, _) -> {error, refused}.

%% Whoever asks chooses the tag.
-spec answer({pid(), term()}, term()) -> ok.
answer(From, Answer) ->
    try gen_server:reply(From, Answer) catch error:_ -> ok end.

%% Whether the module has loaded a library.
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

%% Something that a library logs or prints.
-spec handed(term(), term(), state()) -> state().
handed(Counts, nothing, #{output := Output} = State) ->
    State#{output := otp_rs_output:add(nothing, fun() -> taken(Counts) end, Output)};
handed(Library, Entry, #{output := Output} = State) ->
    case otp_rs_output:is_entry(Entry) of
        true -> State#{output := otp_rs_output:add({entry, Entry}, fun() -> taken(Library) end, Output)};
        false -> State
    end.

%% Libraries, and processes that are behind, count what is on its way.
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

%% The most dropped callers whose servers are waited for, and the most bytes of what is known of
%% one. Anybody can send them, for servers that never answer.
-define(DROPPED_CALLERS, 1000).
-define(REPORT, 4096).

%% A caller was dropped outside its server's callbacks. If the server ends with the callback that
%% runs, the call ends with that; so the server is asked for something that any answers once its
%% callback is over.
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

%% Unloads libraries of older builds that nothing is left of, now and later.
-spec left(atom(), state()) -> state().
left(Application, State) ->
    case otp_rs_upgrade:leave(Application) of
        true -> later({leave, Application}, ?LEAVING_TIME, State);
        false -> State
    end.

-spec follow_later(state()) -> state().
follow_later(#{logging := []} = State) -> State;
follow_later(State) -> later(follow_level, ?LEVEL_TIME, State).

%% There is one timer for each thing.
-spec later(follow_level | {leave, atom()}, pos_integer(), state()) -> state().
later(What, Time, #{timers := Timers} = State) ->
    case lists:member(What, maps:values(Timers)) of
        true -> State;
        false -> State#{timers := Timers#{erlang:start_timer(Time, self(), later) => What}}
    end.

%% The level from which anything can be logged: the primary one, or a module's.
-spec level() -> logger:level() | all | none.
level() ->
    #{level := Primary} = logger:get_primary_config(),
    lists:foldl(fun({_, Level}, Lowest) ->
        case logger:compare_levels(Level, Lowest) of
            lt -> Level;
            _ -> Lowest
        end
    end, Primary, logger:get_module_level()).

%% Tells the libraries of this process and of the level. Returns those that log; one that is gone
%% does not.
-spec follow(logger:level() | all | none, [module()]) -> [module()].
follow(Level, Libraries) ->
    lists:filter(fun(Library) -> try Library:follow(self(), Level) catch error:_ -> false end end, Libraries).

%% Nodes tell each other which builds they run, so that a term that is refused can say so. None is
%% connected for that, and one that is slow to take messages gets none.
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

%% Tells each library of the nodes that run another build of its application.
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
