%% The status of a process whose callbacks are Rust, for tools on the node. The module is the same
%% in every application.
-module(otp_rs_status).
-export([of_process/1, callbacks/0, callback/1]).
-export([ask/1]).
-export_type([status/0, state/0, activity/0, callback/0, waiting/0, long/0]).

%% `callback`: the current one. `long`: callbacks that have occupied a normal scheduler for longer
%% than the application's variable `long_callback`, the longest first. `tasks` are known when the
%% state is. `isolated`: the OS process of the VM in which the child runs; its callback, tasks and
%% long callbacks are then not known here.
-type status() :: #{
    module := module(), behaviour := module() | none, activity := activity(), callback := callback() | waiting() | none,
    state := state(), tasks := non_neg_integer() | unknown, long := [long()], isolated => non_neg_integer()
}.
%% The status of a process of this VM, with the known facts about its callback.
-type told(Callback) :: #{
    module := module(), behaviour := module() | none, activity := activity(), callback := Callback,
    state := state(), tasks := non_neg_integer() | unknown, long := [long()]
}.
%% The status of a child in a VM of its own.
-type isolated() :: #{
    module := module(), behaviour := module() | none, activity := idle | busy, callback := none,
    state := secret | unknown | {text, binary()}, tasks := unknown, long := [], isolated := non_neg_integer()
}.
%% The text of an Erlang term if the state's type derives `Term`, otherwise its `Debug` text. It has
%% at most 16 KiB, and writing it takes at most 20 ms. `none`: the process has no state in Rust.
%% `unknown`: the process was not asked, or did not answer.
-type state() :: {text, binary()} | secret | none | unknown.
%% The process waits for messages (`idle`), a callback waits for an operation (`awaiting`), there
%% are messages or tasks to handle (`busy`), or a callback runs (`running`).
-type activity() :: resting() | running.
-type resting() :: idle | awaiting | busy.
%% A clause, such as `counter:handle_call/3 of Add`, for how many milliseconds it has been in
%% progress (0: it has just begun), and whether it runs on a normal or a dirty scheduler, or waits.
-type callback() :: #{callback := binary(), ms := non_neg_integer(), place := place()}.
%% A waiting callback, with the operation that it waits for, as far as the stack of its process
%% shows it.
-type waiting() :: #{callback := binary(), ms := non_neg_integer(), place := place(), awaits := binary()}.
-type place() :: running | dirty_cpu | dirty_io | waiting.
%% A clause, such as `counter:handle_call/3 of Add`, the milliseconds of its longest call, and the
%% number of its long calls.
-type long() :: #{callback := binary(), ms := non_neg_integer(), times := pos_integer()}.

%% Timeouts in milliseconds after which the process counts as busy: for everything, and for the
%% answer of the process itself.
-define(LIMIT, 300).
-define(ANSWER, 150).

%% Maximum number of characters of a state that is not a text.
-define(TEXT, 16384).

%% A process with more messages than this is not asked.
-define(FEW, 10).

%% If a callback has run on a normal scheduler for this number of milliseconds, the status does not
%% wait for it: the VM cannot inspect its process until the callback returns.
-define(LONG, 10).

%% Returns the status. `busy`: the VM could not inspect the process, because it runs native code
%% other than a Rust callback.
%%
%% A system message asks a process that waits for messages for its state, like in sys:get_state/1.
%% No behaviour treats it as an event, but a gen_server whose callback has returned a timeout starts
%% that timeout again.
-spec of_process(pid()) -> status() | busy | not_rust.
of_process(Process) when node(Process) =:= node() ->
    case under_way(Process) of
        {Library, {_, Module, _, Milliseconds, running} = Callback} when Milliseconds >= ?LONG ->
            running({behaviour(Module), Module, Library}, shown_callback(Callback), Process);
        _ -> asked(Process)
    end;
of_process(Process) when is_pid(Process) ->
    not_rust.

%% Returns the current callback of each process that has one.
-spec callbacks() -> #{pid() => callback()}.
callbacks() ->
    All = [Callback || Library <- otp_rs:libraries(), Callback <- listed(Library, 0)],
    %% A running callback takes precedence over waiting ones.
    maps:from_list([{element(1, Callback), shown_callback(Callback)} || Callback <- lists:reverse(All)]).

%% Returns the current callback of one process. This does not wait for the process, so that it also
%% works for one that occupies its scheduler. The result does not tell what the callback waits for.
-spec callback(pid()) -> callback() | none.
callback(Process) ->
    case under_way(Process) of
        {_, Callback} -> shown_callback(Callback);
        none -> none
    end.

-type under_way() :: {pid(), module(), binary(), non_neg_integer(), place()}.

%% Returns the callbacks of a library, from this list up.
-spec listed(module(), non_neg_integer()) -> [under_way()].
listed(Library, Number) ->
    %% A library that was unloaded in the meantime has no callbacks (`undef`), and the last list is
    %% followed by none (`badarg`).
    try Library:callbacks(Number) of
        Some -> Some ++ listed(Library, Number + 1)
    catch
        error:badarg -> [];
        error:undef -> []
    end.

-spec under_way(pid()) -> {module(), under_way()} | none.
under_way(Process) ->
    under_way(Process, otp_rs:libraries()).

-spec under_way(pid(), [module()]) -> {module(), under_way()} | none.
under_way(_, []) ->
    none;
under_way(Process, [Library | Others]) ->
    try Library:callbacks(Process) of
        [Callback | _] -> {Library, Callback};
        [] -> under_way(Process, Others)
    catch
        error:undef -> under_way(Process, Others)
    end.

-spec shown_callback(under_way()) -> callback().
shown_callback({_, _, Callback, Milliseconds, Place}) ->
    #{callback => Callback, ms => Milliseconds, place => Place}.

-spec running(kind(), callback(), pid()) -> told(callback()).
running(Kind, Callback, Process) ->
    (told(Kind, running, {unknown, unknown, false}, Process))#{callback := Callback}.

-spec asked(pid()) -> status() | busy | not_rust.
asked(Process) ->
    %% Another process waits for the answer, so that a late answer does not reach the caller.
    {Asking, Monitor} = spawn_monitor(?MODULE, ask, [Process]),
    receive
        {'DOWN', Monitor, process, Asking, {?MODULE, Status}} -> Status;
        {'DOWN', Monitor, process, Asking, _} -> busy
    after ?LIMIT ->
        exit(Asking, kill),
        receive
            {'DOWN', Monitor, process, Asking, {?MODULE, Status}} -> Status;
            {'DOWN', Monitor, process, Asking, _} -> busy
        end
    end.

%% Ends with the status as its reason.
-spec ask(pid()) -> no_return().
ask(Process) ->
    exit({?MODULE, try look(Process) catch _:_ -> not_rust end}).

-spec look(pid()) -> status() | not_rust.
look(Process) ->
    case process_info(Process, [dictionary, current_stacktrace, message_queue_len, monitors]) of
        [{dictionary, Dictionary}, {current_stacktrace, Stack}, {message_queue_len, Waiting}, {monitors, Monitors}] ->
            case kind(proplists:get_value('$initial_call', Dictionary)) of
                none -> isolated(Process, proplists:get_value(otp_rs_isolated, Dictionary), Waiting =< ?FEW);
                {Behaviour, Module, Library} = Kind ->
                    Libraries = [Library | otp_rs:libraries()],
                    case {activity(Stack, Waiting, Libraries), callback(Process)} of
                        {awaiting, #{place := waiting} = Callback} ->
                            Awaits = awaits(Stack, Monitors, Libraries),
                            (status(Process, Kind, awaiting, false))#{callback := Callback#{awaits => Awaits}};
                        {awaiting, #{} = Callback} ->
                            running(Kind, Callback, Process);
                        {awaiting, none} ->
                            status(Process, Kind, awaiting, false);
                        {Activity, _} ->
                            status(Process, {Behaviour, Module, Library}, Activity, Waiting =< ?FEW)
                    end
            end;
        undefined ->
            not_rust
    end.

-type kind() :: {module() | none, module(), module() | none}.

%% Returns its behaviour, its module and the library, as recorded in the process by proc_lib and the
%% behaviours.
-spec kind(term()) -> kind() | none.
kind({gen_event, _, _}) ->
    {gen_event, gen_event, none};
kind({Supervisor, Module, _}) when Supervisor =:= supervisor; Supervisor =:= supervisor_bridge ->
    kind({Module, init, 1});
kind({Module, Function, _}) ->
    case otp_rs:library_of(Module) of
        {ok, Library} -> {behaviour(Module), Module, Library};
        none ->
            %% The body of a process without a behaviour.
            case Function =:= spawned andalso lists:member(Module, otp_rs:libraries()) of
                true -> {none, Module, Module};
                false -> none
            end
    end;
kind(_) ->
    none.

-spec behaviour(module()) -> module() | none.
behaviour(Module) ->
    case proplists:get_value(behaviour, Module:module_info(attributes)) of
        [Behaviour | _] -> Behaviour;
        _ -> none
    end.

%% A callback that awaits has called the library's module, and so have tasks of a process that are
%% running.
-spec activity([tuple()], non_neg_integer(), [module() | none]) -> resting().
activity(Stack, Waiting, Libraries) ->
    case [Function || {Module, Function, _, _} <- Stack, lists:member(Module, Libraries)] of
        [] when Waiting =:= 0 -> idle;
        [] -> busy;
        Functions ->
            case lists:member(tasks_resumed, Functions) of
                true -> busy;
                false -> awaiting
            end
    end.

%% Returns the status of a child in a VM of its own. The question is relayed to the child's VM, and
%% answered like one about a process there. Its tasks are not known here.
-spec isolated(pid(), {module(), non_neg_integer()} | undefined, boolean()) -> isolated() | not_rust.
isolated(_, undefined, _) ->
    not_rust;
isolated(Process, {Module, OsProcess}, MayAsk) ->
    {Activity, State} = case MayAsk andalso try otp_rs_isolated:state(Process, ?ANSWER) catch _:_ -> none end of
        {ok, Text} when is_binary(Text) -> {idle, {text, Text}};
        {ok, secret} -> {idle, secret};
        {ok, Other} -> {idle, {text, text(otp_rs:written(Other, ?TEXT))}};
        _ -> {busy, unknown}
    end,
    #{
        module => Module, behaviour => behaviour(Module), activity => Activity, callback => none, state => State,
        tasks => unknown, long => [], isolated => OsProcess
    }.

%% Returns what the functions of the library's module on the stack wait for (library.erl).
-spec awaits([tuple()], [tuple()], [module() | none]) -> binary().
awaits(Stack, Monitors, Libraries) ->
    Is = fun({Module, _, _, _}) -> lists:member(Module, Libraries) end,
    {Above, [{_, Function, _, _} | _]} = lists:splitwith(fun(Frame) -> not Is(Frame) end, Stack),
    case {Function, Above} of
        {call, _} -> reply(Monitors);
        {alone, _} -> <<"a process that it has begun">>;
        {take, _} -> <<"a message">>;
        {perform, []} -> <<"a timer">>;
        {perform, _} ->
            {Module, Called, Arguments, _} = lists:last(Above),
            Arity = if is_list(Arguments) -> length(Arguments); true -> Arguments end,
            text(io_lib:format("~tw:~tw/~w", [Module, Called, Arity]));
        _ -> <<"several operations, or a waker">>
    end.

%% A process that monitors exactly one other process waits for that one.
-spec reply([tuple()]) -> binary().
reply([{process, Pid}]) when is_pid(Pid), node(Pid) =:= node() ->
    Name = case process_info(Pid, registered_name) of
        {registered_name, Registered} -> io_lib:format("~tp ~w", [Registered, Pid]);
        _ -> io_lib:format("~w", [Pid])
    end,
    text(["a reply of ", Name]);
reply([{process, Server}]) -> text(io_lib:format("a reply of ~tp", [Server]));
reply(_) -> <<"a reply">>.

-spec text(unicode:chardata()) -> binary().
text(Characters) ->
    case unicode:characters_to_binary(Characters) of
        Text when is_binary(Text) -> Text;
        _ -> <<>>
    end.

-spec status(pid(), kind(), resting(), boolean()) -> told(none) | not_rust.
status(Process, {gen_event, gen_event, none}, Activity, MayAsk) ->
    %% Only the process itself knows which handlers are Rust.
    case seen(Process, gen_event, MayAsk) of
        [] -> not_rust;
        unknown -> not_rust;
        [{Module, _} | _] = Seen ->
            {ok, Library} = otp_rs:library_of(Module),
            told({gen_event, Module, Library}, Activity, handlers(Seen), Process)
    end;
status(Process, {Behaviour, _, _} = Kind, Activity, MayAsk) ->
    Shown = case seen(Process, Behaviour, MayAsk) of
        [{_, Known} | _] -> Known;
        [] -> {none, 0, false};
        unknown -> {unknown, unknown, false}
    end,
    told(Kind, Activity, Shown, Process).

-spec told(kind(), activity(), shown(), pid()) -> told(none).
told({Behaviour, Module, Library}, Seen, {State, Tasks, IsRunnable}, Process) ->
    %% Between two turns of its tasks, a process looks idle.
    Activity = case IsRunnable of true -> busy; false -> Seen end,
    %% A library of an older version of otp-rs does not record them.
    All = try Library:long_callbacks(Process) catch error:undef -> [] end,
    Long = [#{callback => Callback, ms => Milliseconds, times => Times} || {Callback, Milliseconds, Times} <- All],
    #{module => Module, behaviour => Behaviour, activity => Activity, callback => none, state => State, tasks => Tasks, long => Long}.

%% A state, the number of tasks, and whether tasks can run.
-type shown() :: {state(), non_neg_integer() | unknown, boolean()}.

%% Returns the states as the process itself reports them, each with its module.
-spec seen(pid(), module() | none, boolean()) -> [{module(), shown()}] | unknown.
seen(Process, Behaviour, true) when Behaviour =:= gen_server; Behaviour =:= gen_statem; Behaviour =:= gen_event ->
    try otp_rs:visit(Process, fun(Library, Cell) -> Library:status(Cell) end, ?ANSWER) of
        Seen -> [{Module, shown(Outcome)} || {Module, Outcome} <- Seen]
    catch
        exit:_ -> unknown
    end;
seen(_, Behaviour, _) when Behaviour =:= supervisor ->
    [];
seen(_, _, _) ->
    unknown.

-spec shown({state() | busy, non_neg_integer(), boolean()} | {error, term()}) -> shown().
shown({State, Tasks, IsRunnable}) when State =/= busy -> {State, Tasks, IsRunnable};
shown(_) -> {unknown, unknown, false}.

%% The states of several handlers are lines of one text.
-spec handlers([{module(), shown()}, ...]) -> shown().
handlers([{_, Shown}]) ->
    Shown;
handlers(Several) ->
    Lines = [[atom_to_binary(Module, utf8), ": ", line(State)] || {Module, {State, _, _}} <- Several],
    {{text, iolist_to_binary(lists:join("\n", Lines))}, 0, false}.

-spec line(state()) -> binary().
line({text, Text}) -> Text;
line(Word) -> atom_to_binary(Word, utf8).
