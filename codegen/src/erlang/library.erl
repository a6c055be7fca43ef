%% A callback that has not simply ended gives a step to go on with; the process performs it here, in its
%% own mailbox, and no scheduler thread waits inside the library.
-spec continue(step()) -> term().
continue(Step) ->
    step(Step, #{}).

%% `UnderWay` has each operation that has been begun and not answered, by its id and by the reference that
%% its answer will carry.
-spec step(step(), under_way()) -> term().
step({alone, Cell, Request}, UnderWay) ->
    next(resume(Cell, perform(Request)), UnderWay);
step({wait, Cell, Actions}, UnderWay) ->
    {Begun, Answers} = begin_all(Actions, UnderWay),
    {Left, All} = case Answers of
        [] -> await(Begun, infinity);
        _ -> collect(Begun, Answers)
    end,
    next(resume(Cell, All), Left);
step({poll, Cell, Actions}, UnderWay) ->
    {Begun, Answers} = begin_all(Actions, UnderWay),
    erlang:yield(),
    {Left, All} = collect(Begun, Answers),
    next(resume(Cell, All), Left);
step({dirty_cpu, Cell, Actions}, UnderWay) ->
    {Begun, Answers} = begin_all(Actions, UnderWay),
    next(resume_dirty_cpu(Cell, Answers), Begun);
step({dirty_io, Cell, Actions}, UnderWay) ->
    {Begun, Answers} = begin_all(Actions, UnderWay),
    next(resume_dirty_io(Cell, Answers), Begun);
step({return, Actions, Value}, UnderWay) ->
    end_all(Actions, UnderWay),
    Value;
step({raise, Actions, {Class, Reason}, Stack}, UnderWay) ->
    end_all(Actions, UnderWay),
    erlang:raise(Class, Reason, stacktrace(Stack));
step({tell, Report, Answer}, UnderWay) ->
    otp_rs:tell(Report),
    next(Answer, UnderWay).

-spec next(term(), under_way()) -> term().
next({'$otp_rs', Step}, UnderWay) ->
    step(Step, UnderWay);
next(Value, UnderWay) ->
    cancel_all(UnderWay),
    Value.

%% One operation, which nothing else waits beside: in the process itself.
-spec perform(request()) -> outcome().
perform({call, Server, Request, Timeout}) ->
    try {ok, gen_server:call(Server, Request, Timeout)}
    catch Class:Reason:Stack -> {Class, Reason, Stack}
    end;
perform({apply, Module, Function, Arguments}) ->
    try {ok, apply(Module, Function, Arguments)}
    catch Class:Reason:Stack -> {Class, Reason, Stack}
    end;
perform({sleep, Milliseconds}) ->
    receive after Milliseconds -> {ok, ok} end.

-spec begin_all([action()], under_way()) -> {under_way(), [answer()]}.
begin_all(Actions, UnderWay) ->
    lists:foldl(fun act/2, {UnderWay, []}, Actions).

-spec act(action(), {under_way(), [answer()]}) -> {under_way(), [answer()]}.
act({do, {apply, Module, Function, Arguments}}, Begun) ->
    %% Nobody waits for it, so nobody can be told.
    try apply(Module, Function, Arguments) catch _:_ -> ok end,
    Begun;
act({cancel, Id}, {UnderWay, Answers}) ->
    {cancel(Id, UnderWay), lists:keydelete(Id, 1, Answers)};
act({'begin', Id, {sleep, Milliseconds}}, {UnderWay, Answers}) ->
    Timer = erlang:start_timer(Milliseconds, self(), '$otp_rs'),
    {UnderWay#{Id => {sleep, Timer}, Timer => {slept, Id}}, Answers};
act({'begin', Id, {call, Server, Request, Timeout} = Call}, {UnderWay, Answers}) ->
    case process_of(Server) of
        undefined -> {UnderWay, [{Id, call_exit(noproc, Call)} | Answers]};
        Own when Own =:= self() -> {UnderWay, [{Id, call_exit(calling_self, Call)} | Answers]};
        Process ->
            Monitor = erlang:monitor(process, Process, [{alias, reply_demonitor}]),
            Timer = case Timeout of
                infinity -> none;
                _ -> erlang:start_timer(Timeout, self(), '$otp_rs')
            end,
            _ = erlang:send(Process, {'$gen_call', {self(), [alias | Monitor]}, Request}, [noconnect]),
            Begun = UnderWay#{Id => {call, Monitor, Timer}, Monitor => {called, Id, Call}},
            {maps:merge(Begun, maps:from_list([{Timer, {late, Id, Call}} || Timer =/= none])), Answers}
    end;
act({'begin', Id, {apply, _, _, _} = Apply}, {UnderWay, Answers}) ->
    Owner = self(),
    %% Linked, so that it does not outlive this process; what it raises is its outcome.
    Run = fun() ->
        Outcome = perform(Apply),
        unlink(Owner),
        exit({'$otp_rs', Outcome})
    end,
    {Process, Monitor} = spawn_opt(Run, [link, monitor]),
    {UnderWay#{Id => {apply, Process, Monitor}, Monitor => {applied, Id}}, Answers}.

-spec process_of(gen_server:server_ref()) -> pid() | atom() | {atom(), node()} | undefined.
process_of({global, Name}) -> global:whereis_name(Name);
process_of({via, Module, Name}) -> Module:whereis_name(Name);
process_of({Name, Node}) when Node =:= node() -> whereis(Name);
process_of(Name) when is_atom(Name) -> whereis(Name);
process_of(Process) -> Process.

%% As gen_server:call/3 exits.
-spec call_exit(term(), request()) -> outcome().
call_exit(Reason, {call, Server, Request, Timeout}) ->
    {exit, {Reason, {gen_server, call, [Server, Request, Timeout]}}, []}.

%% Waits for an answer, or for somebody who has a waker of the callback; then for what there is besides.
-spec await(under_way(), timeout()) -> {under_way(), [answer()]}.
await(UnderWay, Time) ->
    receive
        {[alias | Monitor], Reply} when is_map_key(Monitor, UnderWay) ->
            answered(Monitor, {ok, Reply}, UnderWay);
        {'DOWN', Monitor, process, _, Reason} when is_map_key(Monitor, UnderWay) ->
            case UnderWay of
                #{Monitor := {called, _, Call}} ->
                    answered(Monitor, call_exit(Reason, Call), UnderWay);
                #{Monitor := {applied, _}} ->
                    answered(Monitor, applied(Reason), UnderWay)
            end;
        {timeout, Timer, '$otp_rs'} when is_map_key(Timer, UnderWay) ->
            case UnderWay of
                #{Timer := {slept, _}} -> answered(Timer, {ok, ok}, UnderWay);
                #{Timer := {late, _, Call}} -> answered(Timer, call_exit(timeout, Call), UnderWay)
            end;
        {'$otp_rs', wake} ->
            collect(UnderWay, [])
    after Time ->
        {UnderWay, []}
    end.

-spec applied(term()) -> outcome().
applied({'$otp_rs', Outcome}) -> Outcome;
applied(Reason) -> {exit, Reason, []}.

-spec answered(reference(), outcome(), under_way()) -> {under_way(), [answer()]}.
answered(Reference, Outcome, UnderWay) ->
    Id = element(2, map_get(Reference, UnderWay)),
    collect(cancel(Id, UnderWay), [{Id, Outcome}]).

%% The answers that are there already.
-spec collect(under_way(), [answer()]) -> {under_way(), [answer()]}.
collect(UnderWay, Answers) ->
    case await(UnderWay, 0) of
        {Left, []} -> {Left, Answers};
        {Left, More} -> {Left, More ++ Answers}
    end.

-spec end_all([action() | wake], under_way()) -> ok.
end_all(Actions, UnderWay) ->
    cancel_all(UnderWay),
    lists:foreach(fun
        (wake) -> flush_wakes();
        (Action) -> act(Action, {#{}, []})
    end, Actions).

-spec flush_wakes() -> ok.
flush_wakes() ->
    receive {'$otp_rs', wake} -> flush_wakes() after 0 -> ok end.

-spec cancel_all(under_way()) -> ok.
cancel_all(UnderWay) when map_size(UnderWay) =:= 0 -> ok;
cancel_all(UnderWay) ->
    Ids = [Id || Id <- maps:keys(UnderWay), is_integer(Id)],
    _ = lists:foldl(fun cancel/2, UnderWay, Ids),
    ok.

%% An operation that is over, or that nobody waits for any more: its answer will not be seen.
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
            unlink(Process),
            exit(Process, kill),
            demonitor(Monitor, [flush]),
            receive {'EXIT', Process, _} -> ok after 0 -> ok end,
            maps:without([Id, Monitor], UnderWay);
        #{} ->
            UnderWay
    end.

-spec stop_timer(reference() | none) -> ok.
stop_timer(none) -> ok;
stop_timer(Timer) ->
    case erlang:cancel_timer(Timer) of
        false -> receive {timeout, Timer, '$otp_rs'} -> ok after 0 -> ok end;
        _ -> ok
    end.

%% Erlang's frames above the operation that failed, the callback's Rust code, and what called it.
-spec stacktrace([tuple()]) -> [tuple()].
stacktrace(Frames) ->
    Own = fun({Module, _, _, _}) -> Module =/= ?MODULE end,
    {Above, Rest} = lists:splitwith(Own, lists:droplast(Frames)),
    {current_stacktrace, Below} = process_info(self(), current_stacktrace),
    %% What is below the operation's own frames here is below the callback, too.
    _ = Rest,
    lists:sublist(Above, 4) ++ [lists:last(Frames) | lists:filter(Own, Below)].
