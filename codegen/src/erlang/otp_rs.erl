%% What an Erlang shell can do with processes whose callbacks are Rust, and a process that does what native
%% code cannot do itself: it ends calls that nobody answers, and logs for threads. The module is the same in
%% every application.
-module(otp_rs).
-behaviour(gen_server).
-export([state/1, replace_state/2, warn_after/2, send/2, visit/3, library_of/1, libraries/0]).
-export([start_child/3, format_error/2]).
-export([ensure_started/1, forget/1, start_link/0, tell/1, refuse/2, output/2, format/1, format_fields/1]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).
-export_type([entry/0, build/0]).

%SHAPES%
-type cell() :: reference().
%% What a library gave back for a cell of a module.
-type seen(Outcome) :: {module(), Outcome | {error, term()}}.
-type shown() :: {ok, term()} | {debug, binary()} | secret | error | {error, term()}.
-type report(Kind) :: #{
    label := {?HELPER, Kind}, module := module(), function := atom(), arity := arity(), message := binary(),
    atom() => term()
}.

%% How long a process may take to answer, in milliseconds, as for sys:get_state/1.
-define(VISIT, 5000).

%% The state of a process: a term where its Rust type derives `Term`, otherwise its `Debug` text. In a
%% gen_statem, that is its data. A gen_event has a list: the state of each Rust handler, by its module. One that
%% is declared to be secret is the atom `secret`.
-spec state(gen_server:server_ref()) -> term().
state(Process) ->
    case visit(Process, fun(Library, Cell) -> Library:state(Cell) end, ?VISIT) of
        [{_, Outcome}] -> shown(Outcome);
        [] -> error(no_rust_state, [Process]);
        Several -> [{Module, shown(Outcome)} || {Module, Outcome} <- Several]
    end.

-spec shown(shown()) -> term().
shown({ok, State}) -> State;
shown({debug, Text}) -> Text;
shown(secret) -> secret;
shown(_) -> error(no_rust_state).

%% Replaces the state by what the fun makes of it, where the state's type derives `Term`.
-spec replace_state(gen_server:server_ref(), fun((term()) -> term())) ->
    ok | {error, term()} | [{module(), ok | {error, term()}}].
replace_state(Process, Fun) ->
    Replace = fun(Library, Cell) ->
        case Library:state(Cell) of
            {ok, State} -> Library:replace_state(Cell, Fun(State));
            {debug, _} -> Library:replace_state(Cell, []);
            secret -> Library:replace_state(Cell, []);
            error -> {error, no_rust_state}
        end
    end,
    case visit(Process, Replace, ?VISIT) of
        [{_, Outcome}] -> Outcome;
        [] -> {error, no_rust_state};
        Several -> Several
    end.

%% Callbacks of an application that hold a normal scheduler for longer than this are named in a warning.
-spec warn_after(module(), pos_integer() | off) -> ok.
warn_after(Library, Milliseconds) ->
    Library:long_callback(Milliseconds).

%% Sends a message to a mailbox of a process's tasks, which a Rust process has given the address of
%% (`Cx::open_mailbox`). As `!`, it cannot fail.
-spec send({pid(), non_neg_integer()}, Message) -> Message.
send({Process, Number}, Message) ->
    Process ! {?MARK, ?TO, Number, Message},
    Message.

%% Starts a child from a template with start options. A supervisor with `simple_one_for_one` adds the arguments of
%% start_child/2 at the end, and the options of a start_link/2 come after them.
-spec start_child(module(), [gen_server:start_opt()], term()) -> gen_server:start_ret().
start_child(Module, Options, Args) ->
    Module:start_link(Args, Options).

%% Runs `Look` on the cells of the process, in the process itself: no other one may use them.
-spec visit(gen_server:server_ref(), fun((module(), cell()) -> Outcome), timeout()) -> [seen(Outcome)].
visit(Process, Look, Time) ->
    Caller = self(),
    Tag = make_ref(),
    In = fun(State) ->
        Seen = [{Module, try Look(Library, Cell) catch _:Reason -> {error, Reason} end}
                || {Module, Library, Cell} <- cells(State, initial_module())],
        Caller ! {Tag, Seen},
        State
    end,
    _ = sys:replace_state(Process, In, Time),
    collect(Tag).

-spec collect(reference()) -> [seen(term())].
collect(Tag) ->
    receive {Tag, Seen} -> Seen ++ collect(Tag) after 0 -> [] end.

%% A handler of a gen_event, a gen_statem's state and data, or a gen_server's state.
-spec cells(term(), module()) -> [{module(), module(), cell()}].
cells({Module, _Id, State}, _) when is_atom(Module), is_reference(State) -> cell(Module, State);
cells({_State, Data}, Module) when is_reference(Data) -> cell(Module, Data);
cells(State, Module) when is_reference(State) -> cell(Module, State);
cells(_, _) -> [].

-spec cell(module(), cell()) -> [{module(), module(), cell()}].
cell(Module, Cell) ->
    case library_of(Module) of
        {ok, Library} ->
            case otp_rs_upgrade:owner(Library, Cell) of
                {ok, Owner} -> [{Module, Owner, Cell}];
                none -> [{Module, Library, Cell}]
            end;
        none -> []
    end.

%% The library that has the callbacks of a module.
-spec library_of(module()) -> {ok, module()} | none.
library_of(Module) ->
    try proplists:get_value(?HELPER, Module:module_info(attributes)) of
        [Library] -> {ok, Library};
        _ -> none
    catch
        error:_ -> none
    end.

-spec initial_module() -> module().
initial_module() ->
    case get('$initial_call') of
        {Module, _, _} -> Module;
        _ -> undefined
    end.

%% Logs a report of the library: that a callback held a normal scheduler for long, or where in Rust it
%% panicked, that it dropped a caller without a reply, whose call then ends, or a message that no clause takes.
-spec tell(report(panic | unanswered | long_callback | bad_message | task_failed)) -> ok.
tell(?LONG_CALLBACK(_, _, _, _, _, _) = Report) ->
    logger:warning(Report, #{report_cb => fun ?MODULE:format/1});
tell(?BAD_MESSAGE(_, _, _, _, _) = Report) ->
    logger:warning(Report, #{report_cb => fun ?MODULE:format/1});
tell(?TASK_FAILED(_, _, _, _) = Report) ->
    log_error(Report);
tell(?UNANSWERED(_, _, _, _, _, _, _, Server, Caller) = Report) ->
    log_error(Report),
    end_call(Caller, Server, unanswered);
tell(?PANIC(_, _, _, _, _) = Report) ->
    log_error(Report).

%% What is wrong with the arguments of a function that is Rust: for whoever shows the exception (EEP 54).
-spec format_error(term(), [tuple()]) -> #{pos_integer() => unicode:chardata()}.
format_error(_Reason, [{_, _, _, Info} | _]) ->
    case proplists:get_value(error_info, Info) of
        #{cause := Cause} -> Cause;
        _ -> #{}
    end;
format_error(_, _) ->
    #{}.

-spec log_error(report(panic | unanswered | task_failed)) -> ok.
log_error(Report) ->
    logger:error(Report, #{report_cb => fun ?MODULE:format/1}).

-spec format(logger:report()) -> {io:format(), [term()]}.
format(?LONG_CALLBACK(M, F, A, Message, Time, Suppressed)) ->
    {"~tp:~tp/~b~ts held its scheduler for ~b ms~ts: give way by cx.checkpoint(), or run it under #[dirty(cpu)]",
        [M, F, A, clause(Message), Time, others(Suppressed)]};
format(?BAD_MESSAGE(M, F, A, Reason, Suppressed)) ->
    {"~tp:~tp/~b has dropped a message that it does not take~ts: ~0tp", [M, F, A, others(Suppressed), Reason]};
format(?TASK_FAILED(M, Task, Reason, Suppressed)) ->
    {"a task of ~tp that nobody awaits has failed (~ts)~ts: ~0tp", [M, Task, others(Suppressed), Reason]};
format(?PANIC(M, F, A, Message, Backtrace)) ->
    {"~tp:~tp/~b panicked: ~ts~n~ts", [M, F, A, Message, Backtrace]};
format(?UNANSWERED(M, F, A, Message, _, File, Line, _, {Caller, _})) ->
    {"~tp:~tp/~b~ts has dropped its caller ~tp without a reply (~ts:~b)",
        [M, F, A, clause(Message), Caller, File, Line]}.

-spec clause(binary()) -> [string() | binary()].
clause(<<>>) -> "";
clause(Message) -> [" of ", Message].

-spec others(non_neg_integer()) -> string().
others(0) -> "";
others(Count) -> lists:flatten(io_lib:format(" (and ~b like it)", [Count])).

%% What the callbacks of the calling process have logged and printed. `IsBehind`: entries of this process are
%% on their way through the helper and come first.
-spec output(boolean(), [entry()]) -> ok.
output(IsBehind, Entries) ->
    _ = IsBehind andalso try gen_server:call(?MODULE, pass, infinity) catch exit:_ -> ok end,
    lists:foreach(fun put/1, Entries).

%% `logger` adds the metadata of the calling process, and asks for the level of the module in `mfa`.
-spec put(entry()) -> ok.
put(?EVENT(Level, Fields, Metadata)) when is_map(Fields) ->
    logger:log(Level, Fields, Metadata#{report_cb => fun ?MODULE:format_fields/1});
put(?EVENT(Level, Text, Metadata)) ->
    logger:log(Level, Text, Metadata);
put(?TEXT(Text, Process)) ->
    %% A group leader that has gone is not a reason to end the callback.
    try io:put_chars(leader(Process), Text) catch error:_ -> ok end;
put(?LOST(Number)) ->
    logger:warning("~b entries of the log were dropped, because there were too many at once", [Number]).

-spec leader(pid() | undefined) -> pid().
leader(undefined) -> group_leader();
leader(Process) ->
    case process_info(Process, group_leader) of
        {group_leader, Leader} -> Leader;
        undefined -> group_leader()
    end.

%% `Message key=value`
-spec format_fields(logger:report()) -> {io:format(), [term()]}.
format_fields(Report) ->
    Fields = lists:sort(maps:to_list(maps:remove(message, Report))),
    {"~ts~ts", [maps:get(message, Report, ""), [io_lib:format(" ~ts=~ts", [K, field(V)]) || {K, V} <- Fields]]}.

-spec field(term()) -> unicode:chardata().
field(Value) when is_binary(Value) ->
    case unicode:characters_to_list(Value) of
        Text when is_list(Text) -> io_lib:format("~tp", [Text]);
        _ -> io_lib:format("~tp", [Value])
    end;
field(Value) -> io_lib:format("~tp", [Value]).

%% Its supervisor is kernel's, as that of OTP's servers which are started when they are needed. When this returns, the library
%% knows it, and the application's environment.
-spec ensure_started(module()) -> ok.
ensure_started(Library) ->
    case whereis(?MODULE) of
        undefined ->
            Child = #{id => ?MODULE, start => {?MODULE, start_link, []}},
            case supervisor:start_child(kernel_safe_sup, Child) of
                {error, already_present} -> _ = supervisor:restart_child(kernel_safe_sup, ?MODULE), ok;
                _ -> ok
            end;
        _ -> ok
    end,
    ok = gen_server:call(?MODULE, {serve, Library}, infinity),
    Library:configure().

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

%% The libraries, for the helper that comes after this one.
-define(LIBRARIES, {?MODULE, libraries}).

%% The libraries of the applications that run.
-spec libraries() -> [module()].
libraries() ->
    persistent_term:get(?LIBRARIES, []).

%% A library that has left.
-spec forget(module()) -> ok.
forget(Library) ->
    persistent_term:put(?LIBRARIES, lists:delete(Library, libraries())).

-spec start_link() -> gen_server:start_ret().
start_link() ->
    gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).

-type server() :: pid().
%% An application, its version, and what identifies its library.
-type build() :: {atom(), binary(), binary()}.
-type state() :: #{
    %% What connected nodes run.
    builds := #{node() => [build()]},
    %% Reports of dropped callers, by the monitor of their server.
    dropped := #{reference() => report(unanswered)},
    %% Libraries that log, and the level that they have been told.
    logging := [module()],
    level := logger:level() | all | none
}.

%% How long it takes at most until libraries follow a level of `logger` that was changed, in milliseconds.
-define(LEVEL_TIME, 500).

%% How often it is tried to unload the library of an older build, in milliseconds.
-define(LEAVING_TIME, 1000).

-spec init([]) -> {ok, state()}.
init([]) ->
    Level = level(),
    Logging = follow(Level, libraries()),
    _ = Logging =/= [] andalso follow_later(),
    _ = net_kernel:monitor_nodes(true),
    send_builds(nodes(), true),
    {ok, #{builds => #{}, dropped => #{}, logging => Logging, level => Level}}.

%% `{serve, Library}`: a library is told of this process. Anything else is answered when everything that was
%% sent before has been logged.
-spec handle_call(term(), gen_server:from(), state()) -> {reply, ok, state()}.
handle_call({serve, Library}, _, #{logging := Logging, level := Level} = State) ->
    Libraries = lists:usort([Library | libraries()]),
    ok = persistent_term:put(?LIBRARIES, Libraries),
    Logs = follow(Level, [Library]),
    _ = Logging =:= [] andalso Logs =/= [] andalso follow_later(),
    ok = tell_builds(State),
    send_builds(nodes(), true),
    {reply, ok, State#{logging := lists:usort(Logs ++ Logging)}};
handle_call(_, _, State) ->
    {reply, ok, State}.

-spec handle_cast(term(), state()) -> {noreply, state()}.
handle_cast(_, State) ->
    {noreply, State}.

%% A caller was dropped outside its server's callbacks. If the server ends with the callback that runs, the
%% call ends with that; so the server is asked for something that any answers once its callback is over.
-spec handle_info(term(), state()) -> {noreply, state()}.
handle_info(?HANDED(Library, Entry), State) ->
    put(of_process(Entry)),
    case taken(Library) of
        0 -> ok;
        Number -> put(?LOST(Number))
    end,
    {noreply, State};
handle_info(follow_level, #{logging := []} = State) ->
    {noreply, State};
handle_info(follow_level, #{logging := Logging, level := Level} = State) ->
    _ = follow_later(),
    case level() of
        Level -> {noreply, State};
        Now -> {noreply, State#{logging := follow(Now, Logging), level := Now}}
    end;
%% An upgrade has left older libraries behind.
handle_info({leave, Application}, State) ->
    _ = otp_rs_upgrade:leave(Application) andalso erlang:send_after(?LEAVING_TIME, self(), {leave, Application}),
    {noreply, State};
handle_info(?DROPPED(Server, Report), #{dropped := Dropped} = State) ->
    Monitor = monitor(process, Server),
    Server ! {system, {self(), Monitor}, get_state},
    {noreply, State#{dropped := Dropped#{Monitor => Report}}};
handle_info({Monitor, _State}, #{dropped := Dropped} = State) when is_map_key(Monitor, Dropped) ->
    {Report, Left} = maps:take(Monitor, Dropped),
    demonitor(Monitor, [flush]),
    tell(Report),
    {noreply, State#{dropped := Left}};
handle_info({nodeup, Node}, State) ->
    send_builds([Node], false),
    {noreply, State};
handle_info({nodedown, Node}, #{builds := Builds} = State) ->
    {noreply, with_builds(maps:remove(Node, Builds), State)};
handle_info({builds, Node, Sent, IsAsking}, #{builds := Builds} = State) when is_atom(Node), length(Sent) >= 0 ->
    _ = IsAsking =:= true andalso send_builds([Node], false),
    Known = [Build || {App, Vsn, Id} = Build <- Sent, is_atom(App), is_binary(Vsn), is_binary(Id)],
    {noreply, with_builds(Builds#{Node => Known}, State)};
handle_info({'DOWN', Monitor, process, _, _}, #{dropped := Dropped} = State) ->
    {noreply, State#{dropped := maps:remove(Monitor, Dropped)}};
handle_info(_, State) ->
    {noreply, State}.

%% Nodes tell each other which builds they run, so that a term that is refused can say so.
-spec send_builds([node()], boolean()) -> ok.
send_builds(Nodes, IsAsking) ->
    Own = [Build || Library <- libraries(), {ok, Build} <- [build_of(Library)]],
    lists:foreach(fun(Node) -> {?MODULE, Node} ! {builds, node(), Own, IsAsking} end, Nodes).

-spec build_of(module()) -> {ok, build()} | error.
build_of(Library) ->
    try {ok, Library:build()} catch error:_ -> error end.

-spec with_builds(#{node() => [build()]}, state()) -> state().
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

-spec shown_build(build()) -> binary().
shown_build({App, Vsn, Id}) ->
    iolist_to_binary([atom_to_binary(App, utf8), " ", Vsn, " (build ", Id, ")"]).

-spec follow_later() -> reference().
follow_later() ->
    erlang:send_after(?LEVEL_TIME, self(), follow_level).

%% Tells the libraries of this process and of the level. Returns those that log; one that is gone does not.
-spec follow(logger:level() | all | none, [module()]) -> [module()].
follow(Level, Libraries) ->
    lists:filter(fun(Library) -> try Library:follow(self(), Level) catch error:_ -> false end end, Libraries).

-spec taken(module()) -> non_neg_integer().
taken(Library) ->
    try Library:taken() catch error:_ -> 0 end.

%% An event of a process that cannot log it itself, because it runs on a dirty scheduler, or a task does
%% something for it. `logger` keeps a process's own metadata in its dictionary.
-spec of_process(entry()) -> entry().
of_process(?EVENT(Level, Message, #{pid := Pid} = Metadata)) ->
    case process_info(Pid, [group_leader, dictionary]) of
        [{group_leader, Leader}, {dictionary, Dictionary}] ->
            Own = proplists:get_value('$logger_metadata$', Dictionary, #{}),
            ?EVENT(Level, Message, maps:merge(Own#{gl => Leader}, Metadata));
        undefined -> ?EVENT(Level, Message, Metadata)
    end;
of_process(Entry) ->
    Entry.

%% Ends the call of a request that the calling server refuses.
-spec refuse(gen_server:from(), term()) -> ok.
refuse(Caller, Reason) ->
    end_call(Caller, self(), Reason).

%% The call ends as if its server had, and at once.
-spec end_call(gen_server:from(), server(), term()) -> ok.
end_call({Pid, Tag}, Server, Reason) ->
    _ = case Tag of
        [alias | Monitor] when is_reference(Monitor) -> Monitor ! down(Monitor, Server, Reason);
        [[alias | Monitor] | _] when is_reference(Monitor) -> Monitor ! down(Monitor, Server, Reason);
        Monitor when is_reference(Monitor) -> Pid ! down(Monitor, Server, Reason);
        _ -> ok
    end,
    ok.

-spec down(reference(), server(), term()) -> {'DOWN', reference(), process, server(), term()}.
down(Monitor, Server, Reason) ->
    {'DOWN', Monitor, process, Server, Reason}.
