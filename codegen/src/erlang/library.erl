%% A callback that cannot return its value yet returns a step instead. The process performs the step
%% here, where it can receive messages. So no scheduler thread waits inside the library.
%%
%% The return value is wrapped in a tuple, which a function with the name of the callback unwraps.
%% So this call is not a tail call, and while the process waits, the name is on its stack. The
%% function belongs to this module, which stays loaded as long as a process runs its code.
-spec continue(step()) -> {term()}.
continue(Step) ->
    {first(Step)}.

%% Performs the first step of a callback. If the callback has ended, and the step is only a report,
%% the operations of tasks stay as they are.
-spec first(step()) -> term().
first(?TELL(Report, Answer)) ->
    ?HELPER:tell(with_backtrace(Report)),
    after_first(Answer);
first(?OUTPUT(IsBehind, Entries, Answer)) ->
    otp_rs_output:put_entries(IsBehind, Entries),
    after_first(Answer);
first(?ENDED(Report, Answer)) ->
    ?TELEMETRY:ended(Report, raised(Answer)),
    after_first(Answer);
first(?FOREIGN({Module, Function, Arguments}, Cell, Reason)) ->
    case otp_rs_upgrade:owner(?MODULE, Cell) of
        {ok, Library} -> Library:forward(Module, Function, Arguments, Cell);
        none -> error(Reason)
    end;
first(Step) ->
    step(Step, kept()).

-spec after_first(term()) -> term().
after_first({?MARK, Step}) -> first(Step);
after_first(Value) -> Value.

%% `UnderWay` has the operations that have been begun and not yet answered, by their ids and by the
%% references in their answers. Other processes do not know the references and cannot forge answers.
-spec step(step(), under_way()) -> term().
step(?ALONE(Cell, Request), UnderWay) ->
    Label = erlang:seq_trace_info(label),
    Outcome = perform(Request),
    ok = otp_rs_spans:restore(Label),
    next(resume(Cell, Outcome), UnderWay);
step(?WAIT(Cell, Actions), UnderWay) ->
    Label = erlang:seq_trace_info(label),
    {Begun, Answers} = begin_all(Actions, UnderWay),
    Time = case Answers of
        [] -> infinity;
        _ -> 0
    end,
    {Left, All} = await(Begun, Time, Answers),
    ok = otp_rs_spans:restore(Label),
    next(resume(Cell, in_order([], All)), Left);
step(?POLL(Cell, Actions, Kept), UnderWay) ->
    {Begun, Answers} = begin_all(Actions, UnderWay),
    %% The scheduler compares timers with the time that it has read last, which may be several
    %% slices old. Reading the time here updates it.
    _ = erlang:monotonic_time(),
    erlang:yield(),
    Label = erlang:seq_trace_info(label),
    {Left, All} = await(Begun, 0, Answers),
    ok = otp_rs_spans:restore(Label),
    next(resume(Cell, in_order(Kept, All)), Left);
step(?DIRTY_CPU(Cell, Actions, Kept), UnderWay) ->
    {Begun, Answers} = begin_all(Actions, UnderWay),
    next(resume_dirty_cpu(Cell, in_order(Kept, Answers)), Begun);
step(?DIRTY_IO(Cell, Actions, Kept), UnderWay) ->
    {Begun, Answers} = begin_all(Actions, UnderWay),
    next(resume_dirty_io(Cell, in_order(Kept, Answers)), Begun);
step(?RETURN(Actions, Value), UnderWay) ->
    end_all(Actions, UnderWay),
    Value;
step(?RAISE(Actions, {Class, Reason}, Stack), UnderWay) ->
    end_all(Actions, UnderWay),
    Stacktrace = stacktrace(Stack),
    %% `cargo otp run` needs the stack trace while it starts the application. OTP's report may be
    %% too late or missing.
    _ = (whereis(?RUN) =:= undefined) orelse try ?RUN ! {raised, Reason, Stacktrace} catch error:badarg -> gone end,
    erlang:raise(Class, Reason, Stacktrace);
step(?STAY(Actions, Value), UnderWay) ->
    keep(begin_all(Actions, UnderWay)),
    Value;
step(?TELL(Report, Answer), UnderWay) ->
    ?HELPER:tell(with_backtrace(Report)),
    next(Answer, UnderWay);
step(?ENDED(Report, Answer), UnderWay) ->
    ?TELEMETRY:ended(Report, raised(Answer)),
    next(Answer, UnderWay);
step(?OUTPUT(IsBehind, Entries, Answer), UnderWay) ->
    otp_rs_output:put_entries(IsBehind, Entries),
    next(Answer, UnderWay).

%% Returns the exception with which a callback ends.
-spec raised(term()) -> none | {error | exit | throw, term(), [tuple()]}.
raised({?MARK, ?RAISE(_, {Class, Reason}, Stack)}) -> {Class, Reason, Stack};
raised({?MARK, ?TELL(_, Answer)}) -> raised(Answer);
raised({?MARK, ?OUTPUT(_, _, Answer)}) -> raised(Answer);
raised(_) -> none.

%% The report of a panic contains the number of its Rust backtrace. This function replaces the
%% number by the text, which is made on a dirty scheduler.
-spec with_backtrace(map()) -> map().
with_backtrace(#{backtrace := Number} = Report) when is_integer(Number) -> Report#{backtrace := backtrace(Number)};
with_backtrace(Report) -> Report.

%% Returns the kept answers, and after them the new ones, whose list begins with the latest.
-spec in_order([answer()], [answer()]) -> [answer()].
in_order(Kept, Answers) ->
    Kept ++ lists:reverse(Answers).

-spec next(term(), under_way()) -> term().
next({?MARK, Step}, UnderWay) ->
    step(Step, UnderWay);
next(Value, UnderWay) ->
    cancel_all(UnderWay),
    Value.

%% Performs an operation in the process itself, if no other operation is under way.
-spec perform(request()) -> outcome().
perform(?CALL(Server, _, _) = Call) ->
    try called(Server) of
        {error, Reason} -> call_exit(Reason, Call);
        {ok, Process} -> call(Process, Call)
    catch Class:Reason:Stack -> {Class, Reason, Stack}
    end;
perform(?APPLY(Module, Function, Arguments)) ->
    try {ok, apply(Module, Function, Arguments)}
    catch Class:Reason:Stack -> {Class, Reason, Stack}
    end;
perform(?SLEEP(Milliseconds)) ->
    receive after Milliseconds -> {ok, ok} end;
perform(?RECEIVE(Selector, Time)) ->
    {ok, take(Selector, limited(Time))};
perform(?IN_PROCESS(_) = Body) ->
    alone(Body);
perform(?WITHIN(Spans, Request)) ->
    Label = otp_rs_spans:enter(Spans),
    Outcome = perform(Request),
    ok = otp_rs_spans:restore(Label),
    Outcome;
perform(Request) ->
    try {ok, at_once(Request)}
    catch Class:Reason:Stack -> {Class, Reason, Stack}
    end.

%% Calls a process like gen_server:call/3, which would leave a monitor behind if the caller was
%% forgotten. The function that waits for the monitor also creates it: so the compiler knows that no
%% earlier message can be the answer, and `receive` does not search a long mailbox.
-spec call(pid() | {atom(), node()}, request()) -> {ok, term()} | {exit, {term(), term()}, []}.
call(Process, ?CALL(Server, Request, Timeout) = Call) ->
    Monitor = erlang:monitor(process, Process, [{alias, reply_demonitor}]),
    ask(Process, Monitor, Request),
    receive
        {[alias | Monitor], Reply} -> {ok, Reply};
        {'DOWN', Monitor, process, _, Reason} ->
            demonitor(Monitor, [flush]),
            call_exit(down(Reason, Server, Process), Call)
    after limited(Timeout) ->
        demonitor(Monitor, [flush]),
        receive {[alias | Monitor], Reply} -> {ok, Reply}
        after 0 -> call_exit(timeout, Call)
        end
    end.

%% Performs a request in another process. As in call/2, the mailbox is not searched. spawn_opt/4
%% does not allow this, because the compiler does not know that it creates the monitor.
-spec alone(request()) -> outcome().
alone(Body) ->
    Monitor = spawn_request(?MODULE, beside, [Body, self()], [link, monitor]),
    receive
        {spawn_reply, Monitor, error, Refused} -> {error, Refused, []};
        {spawn_reply, Monitor, ok, Process} ->
            receive
                {'DOWN', Monitor, process, _, {?MARK, Outcome}} -> Outcome;
                {'DOWN', Monitor, process, _, Reason} ->
                    forget(Process),
                    {exit, Reason, []}
            end
    end.

-spec begin_all([action()], under_way()) -> {under_way(), [answer()]}.
begin_all(Actions, UnderWay) ->
    all_begun(Actions, {UnderWay, []}).

-spec all_begun([action()], {under_way(), [answer()]}) -> {under_way(), [answer()]}.
all_begun([Action | Actions], Begun) -> all_begun(Actions, act(Action, Begun));
all_begun([], Begun) -> Begun.

-spec act(action(), {under_way(), [answer()]}) -> {under_way(), [answer()]}.
act(?DO(Request), Begun) ->
    %% No task waits for the outcome, so an exception is ignored.
    _ = perform(Request),
    Begun;
act(?TAKE(?RECEIVE(Selector, _)), Begun) ->
    _ = take(Selector, 0),
    Begun;
act(?PERFORM(Id, ?WITHIN(Spans, Request)), Begun) ->
    within(Spans, ?PERFORM(Id, Request), Begun);
act(?BEGIN(Id, ?WITHIN(Spans, Request)), Begun) ->
    within(Spans, ?BEGIN(Id, Request), Begun);
act(?CANCEL(Id), {UnderWay, Answers}) ->
    {cancel(Id, UnderWay), lists:keydelete(Id, 1, Answers)};
act(?PERFORM(Id, ?APPLY(_, _, _) = Apply), {UnderWay, Answers}) ->
    {UnderWay, [{Id, perform(Apply)} | Answers]};
act(?PERFORM(Id, Request), Begun) ->
    act(?BEGIN(Id, Request), Begun);
act(?BEGIN(Id, Request), {UnderWay, Answers}) ->
    try 'begin'(Id, Request, UnderWay) of
        {answered, Outcome} -> {UnderWay, [{Id, Outcome} | Answers]};
        Begun -> {Begun, Answers}
    catch Class:Reason:Stack -> {UnderWay, [{Id, {Class, Reason, Stack}} | Answers]}
    end.

-spec within([otp_rs:span()], action(), {under_way(), [answer()]}) -> {under_way(), [answer()]}.
within(Spans, Action, Begun) ->
    Label = otp_rs_spans:enter(Spans),
    Done = act(Action, Begun),
    ok = otp_rs_spans:restore(Label),
    Done.

-spec 'begin'(operation_id(), request(), under_way()) -> under_way() | {answered, outcome()}.
'begin'(Id, ?SLEEP(Milliseconds), UnderWay) ->
    Timer = erlang:start_timer(Milliseconds, self(), ?MARK),
    UnderWay#{Id => {sleep, Timer}, Timer => {slept, Id}};
'begin'(Id, ?CALL(Server, Request, Timeout) = Call, UnderWay) ->
    case called(Server) of
        {error, Reason} -> {answered, call_exit(Reason, Call)};
        {ok, Process} ->
            Monitor = request(Process, Request),
            Begun = UnderWay#{Monitor => {called, Id, Process, Call}},
            case limited(Timeout) of
                infinity -> Begun#{Id => {call, Monitor, none}};
                Time ->
                    Timer = erlang:start_timer(Time, self(), ?MARK),
                    Begun#{Id => {call, Monitor, Timer}, Timer => {late, Id, Call}}
            end
    end;
'begin'(Id, ?APPLY(_, _, _) = Apply, UnderWay) ->
    begin_function(Id, Apply, UnderWay);
'begin'(Id, ?IN_PROCESS(_) = Body, UnderWay) ->
    begin_beside(Id, Body, UnderWay);
'begin'(Id, ?RECEIVE(Selector, Time), UnderWay) ->
    Receives = maps:get('receive', UnderWay, []),
    Begun = UnderWay#{'receive' => Receives ++ [{Id, Selector}]},
    case limited(Time) of
        infinity -> Begun#{Id => {'receive', none}};
        Limit ->
            Timer = erlang:start_timer(Limit, self(), ?MARK),
            Begun#{Id => {'receive', Timer}, Timer => {nothing_came, Id}}
    end;
'begin'(_, Request, _) ->
    {answered, {ok, at_once(Request)}}.

%% Limits a time to the maximum of `receive`, 49 days.
-spec limited(timeout()) -> timeout().
limited(infinity) -> infinity;
limited(Time) -> min(Time, 16#ffffffff).

%% Looks up the process to call, as gen_server:call/3 does.
-spec called(gen_server:server_ref()) ->
    {ok, pid() | {atom(), node()}}
  | {error, noproc | calling_self | {nodedown, node()}}.
called(Server) ->
    case process_of(Server) of
        undefined -> {error, noproc};
        Own when Own =:= self() -> {error, calling_self};
        {_, Node} when node() =:= nonode@nohost -> {error, {nodedown, Node}};
        Process -> {ok, Process}
    end.

-spec process_of(gen_server:server_ref()) -> pid() | {atom(), node()} | undefined.
process_of({global, Name}) -> global:whereis_name(Name);
process_of({via, Module, Name}) -> Module:whereis_name(Name);
process_of({Name, Node}) when Node =:= node() -> whereis(Name);
process_of(Name) when is_atom(Name) -> whereis(Name);
process_of(Process) -> Process.

%% Returns the exit reason of a call whose monitor has reported that the process is down.
-spec down(term(), gen_server:server_ref(), pid() | {atom(), node()}) -> term().
down(noconnection, {Kind, _}, Process) when Kind =:= global, is_pid(Process) -> noproc;
down(noconnection, {via, _, _}, _) -> noproc;
down(noconnection, _, {_, Node}) -> {nodedown, Node};
down(noconnection, _, Process) -> {nodedown, node(Process)};
down(Reason, _, _) -> Reason.

%% Returns the outcome of a call that exits like gen_server:call/3.
-spec call_exit(term(), request()) -> {exit, {term(), term()}, []}.
call_exit(Reason, ?CALL(Server, Request, Timeout)) ->
    {exit, {Reason, {gen_server, call, [Server, Request, Timeout]}}, []}.

%% Waits for an answer, or until a waker wakes the callback. Then takes the other answers that are
%% already in the mailbox.
-spec await(under_way(), timeout(), [answer()]) -> {under_way(), [answer()]}.
await(UnderWay, Time, Answers) when is_map_key('receive', UnderWay) ->
    await_messages(UnderWay, Time, Answers);
await(UnderWay, Time, Answers) ->
    receive
        {[alias | Monitor], _} = Reply when is_reference(Monitor), is_map_key(Monitor, UnderWay) ->
            answered(Reply, UnderWay, Answers);
        {'DOWN', Monitor, process, _, _} = Down when is_reference(Monitor), is_map_key(Monitor, UnderWay) ->
            answered(Down, UnderWay, Answers);
        {timeout, Timer, ?MARK} = Timeout when is_reference(Timer), is_map_key(Timer, UnderWay) ->
            answered(Timeout, UnderWay, Answers);
        {?MARK, ?WAKE} = Wake ->
            answered(Wake, UnderWay, Answers);
        {?MARK, Reference} = Kept when is_reference(Reference), is_map_key(Reference, UnderWay) ->
            answered(Kept, UnderWay, Answers);
        {?MARK, ?TO, Number, _} = Message when is_integer(Number), Number >= 0 ->
            answered(Message, UnderWay, Answers)
    after Time ->
        {UnderWay, Answers}
    end.

%% Handles a message with an answer, and then takes the other answers in the mailbox.
-spec answered(tuple(), under_way(), [answer()]) -> {under_way(), [answer()]}.
answered(Message, UnderWay, Answers) ->
    {Left, Answer} = answer(Message, UnderWay),
    await(Left, 0, [Answer | Answers]).

-spec answer(tuple(), under_way()) -> {under_way(), answer()}.
answer({[alias | Monitor], Reply}, UnderWay) ->
    {_, Id, _, _} = map_get(Monitor, UnderWay),
    {over(Id, UnderWay), {Id, {ok, Reply}}};
answer({'DOWN', Monitor, process, _, Reason}, UnderWay) ->
    {Id, Left, Outcome} = ended(map_get(Monitor, UnderWay), Reason, UnderWay),
    {Left, {Id, Outcome}};
answer({timeout, Timer, ?MARK}, UnderWay) ->
    case map_get(Timer, UnderWay) of
        {slept, Id} -> {over(Id, UnderWay), {Id, {ok, ok}}};
        {nothing_came, Id} -> {over(Id, UnderWay), {Id, {ok, []}}};
        {late, Id, Call} -> {cancel(Id, UnderWay), {Id, call_exit(timeout, Call)}}
    end;
answer({?MARK, ?TO, Number, Message}, UnderWay) ->
    {UnderWay, {?TO, Number, Message}};
answer({?MARK, Word}, UnderWay) when Word =:= ?WAKE; Word =:= ?TASKS ->
    {UnderWay, Word};
answer({?MARK, Reference}, UnderWay) ->
    {{answered, Answer}, Left} = maps:take(Reference, UnderWay),
    {Left, Answer}.

%% Handles the end of the process that performs an operation or was called.
-spec ended(tuple(), term(), under_way()) -> {operation_id(), under_way(), outcome()}.
ended({called, Id, Process, ?CALL(Server, _, _) = Call}, Reason, UnderWay) ->
    {Id, cancel(Id, UnderWay), call_exit(down(Reason, Server, Process), Call)};
ended({applied, Id}, {?MARK, Outcome}, UnderWay) ->
    {Id, over(Id, UnderWay), Outcome};
ended({applied, Id}, Reason, UnderWay) ->
    {Id, cancel(Id, UnderWay), {exit, Reason, []}}.

%% Removes an operation that is over. The mailbox contains no further message of this operation.
-spec over(operation_id(), under_way()) -> under_way().
over(Id, UnderWay) ->
    case map_get(Id, UnderWay) of
        {sleep, Timer} -> maps:without([Id, Timer], UnderWay);
        {apply, _, Monitor} -> maps:without([Id, Monitor], UnderWay);
        {'receive', Timer} ->
            stop_timer(Timer),
            not_receiving(Id, maps:without([Id, Timer], UnderWay));
        {call, Monitor, Timer} ->
            stop_timer(Timer),
            maps:without([Id, Monitor, Timer], UnderWay)
    end.

-spec end_all([action() | ?WAKE], under_way()) -> ok.
end_all(Actions, UnderWay) ->
    cancel_all(UnderWay),
    _ = [end_with(Action) || Action <- Actions],
    ok.

-spec end_with(action() | ?WAKE) -> ok.
end_with(?WAKE) -> flush_wakes();
end_with(Action) -> _ = act(Action, {#{}, []}), ok.

-spec flush_wakes() -> ok.
flush_wakes() ->
    receive {?MARK, ?WAKE} -> flush_wakes() after 0 -> ok end.

-spec cancel_all(under_way()) -> ok.
cancel_all(UnderWay) when map_size(UnderWay) =:= 0 -> ok;
cancel_all(UnderWay) ->
    cancel_all([Id || Id <- maps:keys(UnderWay), is_integer(Id)], UnderWay).

-spec cancel_all([operation_id()], under_way()) -> ok.
cancel_all([Id | Ids], UnderWay) -> cancel_all(Ids, cancel(Id, UnderWay));
cancel_all([], _) -> ok.

%% Cancels an operation that has failed or whose result is no longer needed, and removes its
%% messages.
-spec cancel(operation_id(), under_way()) -> under_way().
cancel(Id, UnderWay) ->
    case UnderWay of
        #{Id := {sleep, Timer}} ->
            stop_timer(Timer),
            maps:without([Id, Timer], UnderWay);
        #{Id := {call, Monitor, Timer}} ->
            demonitor(Monitor, [flush]),
            receive {[alias | Monitor], _} -> ok after 0 -> ok end,
            stop_timer(Timer),
            maps:without([Id, Monitor, Timer], UnderWay);
        #{Id := {apply, Process, Monitor}} ->
            forget(Process),
            exit(Process, kill),
            demonitor(Monitor, [flush]),
            maps:without([Id, Monitor], UnderWay);
        #{Id := {'receive', _}} ->
            over(Id, UnderWay);
        #{} ->
            UnderWay
    end.

%% Unlinks the process, and removes the message of its exit signal.
-spec forget(pid()) -> ok.
forget(Process) ->
    unlink(Process),
    receive {'EXIT', Process, _} -> ok after 0 -> ok end.

-spec not_receiving(operation_id(), under_way()) -> under_way().
not_receiving(Id, #{'receive' := Receives} = UnderWay) ->
    case lists:keydelete(Id, 1, Receives) of
        [] -> maps:remove('receive', UnderWay);
        Left -> UnderWay#{'receive' := Left}
    end.

-spec stop_timer(reference() | none) -> ok.
stop_timer(none) -> ok;
stop_timer(Timer) ->
    case erlang:cancel_timer(Timer) of
        false -> receive {timeout, Timer, ?MARK} -> ok after 0 -> ok end;
        _ -> ok
    end.

%% Returns Erlang's frames above the failed operation, the callback's Rust code, and its callers.
-spec stacktrace([tuple(), ...]) -> [tuple()].
stacktrace(Frames) ->
    Above = above(lists:droplast(Frames)),
    {Module, Function, Arity, _} = Callback = lists:last(Frames),
    {current_stacktrace, Current} = process_info(self(), current_stacktrace),
    %% The frames below those of this module are also below the callback. The first one may be the
    %% callback's function in Erlang.
    Below = case [Frame || {Other, _, _, _} = Frame <- Current, Other =/= ?MODULE] of
        [{Module, Function, Arity, _} | Rest] -> Rest;
        Rest -> Rest
    end,
    lists:sublist(Above, 4) ++ [Callback | Below].

%% Returns the frames above the first one of this module.
-spec above([tuple()]) -> [tuple()].
above([{Module, _, _, _} = Frame | Frames]) when Module =/= ?MODULE -> [Frame | above(Frames)];
above(_) -> [].
