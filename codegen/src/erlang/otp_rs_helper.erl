%% The process `otp_rs`, which does what native code cannot do itself: it logs and prints for
%% threads and dirty schedulers, ends calls that nobody answers, and knows which builds the nodes
%% around run. Anybody can send it anything, so it checks what it gets, and waits for nobody. The
%% module is the same in every application.
-module(otp_rs_helper).
-behaviour(gen_server).
-export([ensure_started/1, libraries/0, forget/1, pass/0, leave/1, stop_leaving/0, start_link/0]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

%SHAPES%
-define(NAME, otp_rs).

%% Milliseconds for an answer, and until it is looked for the process again.
-define(ANSWER, 5000).
-define(AGAIN, 10).

%% When this returns, the process runs, and the library knows it and the application's environment.
-spec ensure_started(module()) -> ok.
ensure_started(Library) ->
    try gen_server:call(?NAME, {serve, Library}, infinity) of
        ok -> Library:configure()
    catch
        %% It does not run, or ends just now.
        exit:_ ->
            ok = otp_rs_sup:start(),
            receive after ?AGAIN -> ensure_started(Library) end
    end.

%% Waits until everything that was sent to the process before has been written or left behind.
-spec pass() -> ok.
pass() ->
    try gen_server:call(?NAME, pass, ?ANSWER)
    catch
        exit:{noproc, _} -> otp_rs_sup:start();
        exit:_ -> ok
    end.

%% The libraries, for the process that comes after this one.
-define(LIBRARIES, {?NAME, libraries}).

%% The libraries of the applications that run.
-spec libraries() -> [module()].
libraries() ->
    persistent_term:get(?LIBRARIES, []).

%% A library that has left.
-spec forget(module()) -> ok.
forget(Library) ->
    persistent_term:put(?LIBRARIES, lists:delete(Library, libraries())).

%% An upgrade has left older libraries of this application behind.
-spec leave(atom()) -> ok.
leave(Application) ->
    gen_server:cast(?NAME, {leave, Application}).

%% When this returns, no library leaves until the upgrade that calls it has ended.
-spec stop_leaving() -> ok.
stop_leaving() ->
    try gen_server:call(?NAME, stop_leaving, ?ANSWER)
    catch
        exit:_ -> ok
    end.

-spec start_link() -> gen_server:start_ret().
start_link() ->
    gen_server:start_link({local, ?NAME}, ?MODULE, [], []).

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
    output := otp_rs_output:output()
}.

%% How long it takes at most until libraries follow a level of `logger` that was changed, in
%% milliseconds.
-define(LEVEL_TIME, 500).

%% How often it is tried to unload the library of an older build, in milliseconds.
-define(LEAVING_TIME, 1000).

%% The most builds that a node is believed to run, and the most bytes of a version.
-define(BUILDS, 1000).
-define(VERSION, 255).

-spec init([]) -> {ok, state()}.
init([]) ->
    %% Who writes is linked, and may be killed.
    process_flag(trap_exit, true),
    Level = level(),
    Logging = follow(Level, libraries()),
    _ = net_kernel:monitor_nodes(true),
    send_builds(nodes(), true),
    State = #{
        builds => #{}, dropped => #{}, logging => Logging, level => Level, timers => #{}, output => otp_rs_output:new()
    },
    {ok, follow_later(State)}.

%% `{serve, Library}`: a library is told of this process. `pass` is answered when everything that
%% was sent before has been written, and `stop_leaving` when this process is not in
%% `otp_rs_upgrade:leave/1`, which looks first whether there is an upgrade.
-spec handle_call(term(), term(), state()) -> {reply, ok, state()} | {noreply, state()}.
handle_call({serve, Library}, {Caller, _}, State) when is_pid(Caller) ->
    case is_library(Library) of
        true -> {reply, ok, served(Library, State)};
        false -> {reply, {error, not_a_library}, State}
    end;
handle_call(stop_leaving, {Caller, _}, State) when is_pid(Caller) ->
    {reply, ok, State};
handle_call(pass, {Caller, _} = From, #{output := Output} = State) when is_pid(Caller) ->
    Reply = fun() -> gen_server:reply(From, ok) end,
    {noreply, State#{output := otp_rs_output:add(nothing, Reply, Output)}};
handle_call(_, _, State) ->
    {noreply, State}.

-spec served(module(), state()) -> state().
served(Library, #{logging := Logging, level := Level} = State) ->
    ok = persistent_term:put(?LIBRARIES, lists:usort([Library | libraries()])),
    Logs = follow(Level, [Library]),
    ok = tell_builds(State),
    send_builds(nodes(), true),
    follow_later(State#{logging := lists:usort(Logs ++ Logging)}).

%% Whether the module has loaded a library.
-spec is_library(term()) -> boolean().
is_library(Library) ->
    is_atom(Library) andalso erlang:function_exported(Library, follow, 2) andalso build_of(Library) =/= error.

-spec handle_cast(term(), state()) -> {noreply, state()}.
handle_cast({leave, Application}, State) ->
    case is_atom(Application) andalso lists:member(Application, [App || {App, _, _} <- own_builds()]) of
        true -> {noreply, left(Application, State)};
        false -> {noreply, State}
    end;
handle_cast(_, State) ->
    {noreply, State}.

-spec handle_info(term(), state()) -> {noreply, state()}.
handle_info(?HANDED(Library, Entry), State) ->
    {noreply, handed(Library, Entry, State)};
handle_info(?DROPPED(Server, Report), State) ->
    case is_pid(Server) andalso node(Server) =:= node() andalso is_unanswered(Report) of
        true -> {noreply, dropped(Server, Report, State)};
        false -> {noreply, State}
    end;
handle_info({Monitor, _State}, #{dropped := Dropped} = State) when is_map_key(Monitor, Dropped) ->
    {Report, Left} = maps:take(Monitor, Dropped),
    demonitor(Monitor, [flush]),
    {noreply, unanswered(Report, State#{dropped := Left})};
handle_info({'DOWN', Monitor, process, _, _}, #{dropped := Dropped} = State) when is_map_key(Monitor, Dropped) ->
    {noreply, State#{dropped := maps:remove(Monitor, Dropped)}};
handle_info({timeout, Timer, _}, #{timers := Timers} = State) when is_map_key(Timer, Timers) ->
    {Later, Left} = maps:take(Timer, Timers),
    {noreply, late(Later, State#{timers := Left})};
handle_info({nodeup, Node}, State) when is_atom(Node) ->
    send_builds([Node], false),
    {noreply, State};
handle_info({nodedown, Node}, #{builds := Builds} = State) when is_map_key(Node, Builds) ->
    {noreply, with_builds(maps:remove(Node, Builds), State)};
handle_info({builds, Node, Sent, IsAsking}, State) when length(Sent) =< ?BUILDS ->
    case lists:member(Node, nodes(connected)) of
        true -> {noreply, sent_builds(Node, Sent, IsAsking, State)};
        false -> {noreply, State}
    end;
handle_info(Message, #{output := Output} = State) ->
    case otp_rs_output:handle(Message, Output) of
        none -> {noreply, State};
        New -> {noreply, State#{output := New}}
    end.

%% Something that a library logs or prints.
-spec handed(term(), term(), state()) -> state().
handed(Library, Entry, #{output := Output} = State) ->
    case otp_rs_output:is_entry(Entry) of
        true -> State#{output := otp_rs_output:add({entry, Entry}, fun() -> taken(Library) end, Output)};
        false -> State
    end.

%% Libraries count what is on its way.
-spec taken(term()) -> ok.
taken(Library) ->
    case lists:member(Library, libraries()) andalso (try Library:taken() catch error:_ -> 0 end) of
        Number when is_integer(Number), Number > 0 -> self() ! ?HANDED(none, ?LOST(Number)), ok;
        _ -> ok
    end.

%% A caller was dropped outside its server's callbacks. If the server ends with the callback that
%% runs, the call ends with that; so the server is asked for something that any answers once its
%% callback is over.
-spec dropped(pid(), map(), state()) -> state().
dropped(Server, Report, #{dropped := Dropped} = State) ->
    Monitor = monitor(process, Server),
    Server ! {system, {self(), Monitor}, get_state},
    State#{dropped := Dropped#{Monitor => Report}}.

-spec is_unanswered(term()) -> boolean().
is_unanswered(?UNANSWERED(M, F, A, Message, _, File, Line, Server, {Caller, _})) ->
    is_atom(M) andalso is_atom(F) andalso is_integer(A) andalso is_binary(Message) andalso is_binary(File)
        andalso is_integer(Line) andalso is_pid(Server) andalso is_pid(Caller);
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
