%% What an Erlang shell can do with processes whose callbacks are Rust, and a process that does what native
%% code cannot do itself. The module is the same in every application.
-module(otp_rs).
-behaviour(gen_server).
-export([state/1, replace_state/2, warn_after/2]).
-export([start_child/3]).
-export([ensure_started/0, start_link/0, tell/1, refuse/2, format/1]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

%SHAPES%
-type cell() :: reference().
%% What a library gave back for a cell of a module.
-type seen(Outcome) :: {module(), Outcome | {error, term()}}.
-type shown() :: {ok, term()} | {debug, binary()} | error | {error, term()}.
-type report(Kind) :: #{
    label := {?HELPER, Kind}, module := module(), function := atom(), arity := arity(), message := binary(),
    atom() => term()
}.

%% The state of a process: a term where its Rust type derives `Term`, otherwise its `Debug` text. In a
%% gen_statem, that is its data. A gen_event has a list: the state of each Rust handler, by its module.
-spec state(gen_server:server_ref()) -> term().
state(Process) ->
    case visit(Process, fun(Library, Cell) -> Library:state(Cell) end) of
        [{_, Outcome}] -> shown(Outcome);
        [] -> error(no_rust_state, [Process]);
        Several -> [{Module, shown(Outcome)} || {Module, Outcome} <- Several]
    end.

-spec shown(shown()) -> term().
shown({ok, State}) -> State;
shown({debug, Text}) -> Text;
shown(_) -> error(no_rust_state).

%% Replaces the state by what the fun makes of it, where the state's type derives `Term`.
-spec replace_state(gen_server:server_ref(), fun((term()) -> term())) ->
    ok | {error, term()} | [{module(), ok | {error, term()}}].
replace_state(Process, Fun) ->
    Replace = fun(Library, Cell) ->
        case Library:state(Cell) of
            {ok, State} -> Library:replace_state(Cell, Fun(State));
            {debug, _} -> Library:replace_state(Cell, []);
            error -> {error, no_rust_state}
        end
    end,
    case visit(Process, Replace) of
        [{_, Outcome}] -> Outcome;
        [] -> {error, no_rust_state};
        Several -> Several
    end.

%% Callbacks of an application that hold a normal scheduler for longer than this are named in a warning.
-spec warn_after(module(), pos_integer() | off) -> ok.
warn_after(Library, Milliseconds) ->
    Library:long_callback(Milliseconds).

%% Starts a child from a template with start options. A supervisor with `simple_one_for_one` adds the arguments of
%% start_child/2 at the end, and the options of a start_link/2 come after them.
-spec start_child(module(), [gen_server:start_opt()], term()) -> gen_server:start_ret().
start_child(Module, Options, Args) ->
    Module:start_link(Args, Options).

%% Runs `Look` on the cells of the process, in the process itself: no other one may use them.
-spec visit(gen_server:server_ref(), fun((module(), cell()) -> Outcome)) -> [seen(Outcome)].
visit(Process, Look) ->
    Caller = self(),
    Tag = make_ref(),
    In = fun(State) ->
        Seen = [{Module, try Look(Library, Cell) catch _:Reason -> {error, Reason} end}
                || {Module, Library, Cell} <- cells(State, initial_module())],
        Caller ! {Tag, Seen},
        State
    end,
    _ = sys:replace_state(Process, In),
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
    case proplists:get_value(?HELPER, Module:module_info(attributes)) of
        [Library] -> [{Module, Library, Cell}];
        _ -> []
    end.

-spec initial_module() -> module().
initial_module() ->
    case get('$initial_call') of
        {Module, _, _} -> Module;
        _ -> undefined
    end.

%% Logs a report of the library: that a callback held a normal scheduler for long, or where in Rust it
%% panicked, that it dropped a caller without a reply, whose call then ends, or a message that no clause takes.
-spec tell(report(panic | unanswered | long_callback | bad_message)) -> ok.
tell(?LONG_CALLBACK(_, _, _, _, _, _) = Report) ->
    logger:warning(Report, #{report_cb => fun ?MODULE:format/1});
tell(?BAD_MESSAGE(_, _, _, _, _) = Report) ->
    logger:warning(Report, #{report_cb => fun ?MODULE:format/1});
tell(?UNANSWERED(_, _, _, _, _, _, _, Server, Caller) = Report) ->
    log_error(Report),
    end_call(Caller, Server, unanswered);
tell(?PANIC(_, _, _, _, _) = Report) ->
    log_error(Report).

-spec log_error(report(panic | unanswered)) -> ok.
log_error(Report) ->
    logger:error(Report, #{report_cb => fun ?MODULE:format/1}).

-spec format(logger:report()) -> {io:format(), [term()]}.
format(?LONG_CALLBACK(M, F, A, Message, Time, Suppressed)) ->
    {"~tp:~tp/~b~ts held its scheduler for ~b ms~ts: give way by cx.checkpoint(), or run it under #[dirty(cpu)]",
        [M, F, A, clause(Message), Time, others(Suppressed)]};
format(?BAD_MESSAGE(M, F, A, Reason, Suppressed)) ->
    {"~tp:~tp/~b has dropped a message that it does not take~ts: ~0tp", [M, F, A, others(Suppressed), Reason]};
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

%% Its supervisor is kernel's, as that of OTP's servers which are started when they are needed.
-spec ensure_started() -> ok.
ensure_started() ->
    case whereis(?MODULE) of
        undefined ->
            Child = #{id => ?MODULE, start => {?MODULE, start_link, []}},
            case supervisor:start_child(kernel_safe_sup, Child) of
                {error, already_present} -> _ = supervisor:restart_child(kernel_safe_sup, ?MODULE), ok;
                _ -> ok
            end;
        _ -> ok
    end.

-spec start_link() -> gen_server:start_ret().
start_link() ->
    gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).

-type server() :: pid().
%% Reports of dropped callers, by the monitor of their server.
-type dropped() :: #{reference() => report(unanswered)}.

-spec init([]) -> {ok, #{}}.
init([]) ->
    {ok, #{}}.

-spec handle_call(term(), gen_server:from(), dropped()) -> {reply, ok, dropped()}.
handle_call(_, _, Dropped) ->
    {reply, ok, Dropped}.

-spec handle_cast(term(), dropped()) -> {noreply, dropped()}.
handle_cast(_, Dropped) ->
    {noreply, Dropped}.

%% A caller was dropped outside its server's callbacks. If the server ends with the callback that runs, the
%% call ends with that; so the server is asked for something that any answers once its callback is over.
-spec handle_info(term(), dropped()) -> {noreply, dropped()}.
handle_info(?DROPPED(Server, Report), Dropped) ->
    Monitor = monitor(process, Server),
    Server ! {system, {self(), Monitor}, get_state},
    {noreply, Dropped#{Monitor => Report}};
handle_info({Monitor, _State}, Dropped) when is_map_key(Monitor, Dropped) ->
    {Report, Left} = maps:take(Monitor, Dropped),
    demonitor(Monitor, [flush]),
    tell(Report),
    {noreply, Left};
handle_info({'DOWN', Monitor, process, _, _}, Dropped) ->
    {noreply, maps:remove(Monitor, Dropped)};
handle_info(_, Dropped) ->
    {noreply, Dropped}.

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
