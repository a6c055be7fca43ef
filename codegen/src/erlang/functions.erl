%% Starts a function that is awaited together with other operations, here or in another process.
-spec begin_function(operation_id(), request(), under_way()) -> under_way() | {answered, outcome()}.
begin_function(Id, ?APPLY(Module, Function, Arguments) = Apply, UnderWay) ->
    case is_own(Module, Function) orelse is_own_socket(Module, Function, Arguments) of
        true -> {answered, perform(Apply)};
        false ->
            case calls_self(Module, Function, Arguments) of
                true -> {answered, {exit, {calling_self, {Module, Function, Arguments}}, []}};
                false -> begin_waiting(Id, Apply, UnderWay)
            end
    end.

%% Starts a function that waits. A start of a child is one call of its supervisor, which needs no
%% further process; services start a process for each entity.
-spec begin_waiting(operation_id(), request(), under_way()) -> under_way() | {answered, outcome()}.
begin_waiting(Id, ?APPLY(supervisor, start_child, [Supervisor, Child]), UnderWay) ->
    'begin'(Id, ?CALL(Supervisor, {start_child, Child}, infinity), UnderWay);
begin_waiting(Id, ?APPLY(otp_rs_dynamic, start_child, [Supervisor, Child]) = Apply, UnderWay) ->
    case otp_rs_dynamic:admits(Supervisor) of
        yes -> 'begin'(Id, ?CALL(otp_rs_dynamic:shard(Supervisor), {start_child, Child}, infinity), UnderWay);
        {no, Most} -> {answered, {ok, {error, {overload, Most}}}};
        unknown -> begin_beside(Id, Apply, UnderWay)
    end;
begin_waiting(Id, Apply, UnderWay) ->
    begin_beside(Id, Apply, UnderWay).

%% Starts a process for the request. It is linked, so that it does not outlive this process.
-spec begin_beside(operation_id(), request(), under_way()) -> under_way().
begin_beside(Id, Request, UnderWay) ->
    {Process, Monitor} = spawn_opt(?MODULE, beside, [Request, self()], [link, monitor]),
    UnderWay#{Id => {apply, Process, Monitor}, Monitor => {applied, Id}}.

%% Whether the function has to run in the calling process, because it starts or opens something for
%% its caller, or because only its caller may use the result. Functions that return immediately are
%% also called here, because another process would cost more.
-spec is_own(module(), atom()) -> boolean().
is_own(_, Function) when
    Function =:= start_link; Function =:= start_monitor; Function =:= spawn_link; Function =:= spawn_monitor;
    Function =:= controlling_process
-> true;
is_own(Module, _) when
    Module =:= erlang; Module =:= ets; Module =:= atomics; Module =:= counters; Module =:= persistent_term; Module =:= rand
-> true;
is_own(timer, Function) -> Function =/= sleep andalso Function =/= tc;
is_own(gen_event, Function) -> Function =:= add_sup_handler orelse Function =:= swap_sup_handler;
is_own(logger, Function) ->
    lists:member(Function, [set_process_metadata, update_process_metadata, unset_process_metadata, get_process_metadata]);
is_own(Module, Function) ->
    lists:member({Module, Function}, [
        {gen_tcp, listen}, {gen_udp, open}, {gen_sctp, open}, {ssl, listen}, {file, open}, {dets, open_file},
        {dets, close}, {dets, safe_fixtable}, {disk_log, open}, {disk_log, close}, {pg, monitor}, {pg, monitor_scope},
        {net_kernel, monitor_nodes}
    ]).

%% Functions of `socket` that wait for the peer run in another process. But with `nowait`, or with a
%% handle as this argument, they return immediately and later send a message to their caller.
-spec is_own_socket(module(), atom(), [term()]) -> boolean().
is_own_socket(socket, Function, [_ | _] = Arguments) ->
    Last = lists:last(Arguments),
    not waits_at_socket(Function) orelse Last =:= nowait orelse is_reference(Last);
is_own_socket(Module, _, _) ->
    Module =:= socket.

-spec waits_at_socket(atom()) -> boolean().
waits_at_socket(Function) ->
    lists:member(Function, [accept, connect, recv, recvfrom, recvmsg, send, sendto, sendmsg, sendfile]).

%% Whether the function calls this process, which would wait for itself. OTP notices this only if
%% the process itself calls the function.
-spec calls_self(module(), atom(), [term()]) -> boolean().
calls_self(Module, Function, [Server | _]) ->
    lists:member(Function, calls(Module)) andalso
        try process_of(Server) =:= self() catch _:_ -> false end;
calls_self(_, _, []) ->
    false.

%% Returns functions that wait for the process in their first argument, and for which is_own/2 is
%% false.
-spec calls(module()) -> [atom()].
calls(gen_server) -> [call, stop];
calls(gen_statem) -> [call, stop];
calls(gen_event) ->
    [call, sync_notify, add_handler, delete_handler, swap_handler, which_handlers, stop];
calls(supervisor) ->
    [start_child, restart_child, terminate_child, delete_child, get_childspec, which_children, count_children];
calls(sys) ->
    [get_state, get_status, replace_state, suspend, resume, change_code, install, remove, log, log_to_file,
     statistics, trace, no_debug, terminate];
calls(proc_lib) -> [stop];
calls(_) -> [].

%% Performs the request in this new process, and exits with the outcome, which may be an exception.
-spec beside(request(), pid()) -> no_return().
beside(Request, Owner) ->
    Outcome = performed(Request, Owner),
    unlink(Owner),
    exit({?MARK, Outcome}).

-spec performed(request(), pid()) -> outcome().
performed(?IN_PROCESS(Closure), _) ->
    try {ok, spawned(Closure)} catch Class:Reason:Stack -> {Class, Reason, Stack} end;
performed(?APPLY(Module, Function, _) = Apply, Owner) ->
    Outcome = perform(Apply),
    case Outcome of
        {ok, {ok, Socket}} ->
            %% The socket would be closed when this process exits, so its owner has to change.
            {Give, Arguments} = giving(Module, Socket, Owner),
            _ = opens_socket(Module, Function) andalso try apply(Module, Give, Arguments) catch _:_ -> refused end,
            Outcome;
        _ ->
            Outcome
    end.

%% Returns the function that makes another process the owner of a socket.
-spec giving(module(), term(), pid()) -> {atom(), [term()]}.
giving(socket, Socket, Owner) -> {setopt, [Socket, {otp, controlling_process}, Owner]};
giving(_, Socket, Owner) -> {controlling_process, [Socket, Owner]}.

%% Whether the function waits for a connection, and makes its caller the owner.
-spec opens_socket(module(), atom()) -> boolean().
opens_socket(gen_tcp, Function) -> Function =:= accept orelse Function =:= connect;
opens_socket(socket, Function) -> Function =:= accept;
opens_socket(ssl, Function) -> lists:member(Function, [connect, handshake, transport_accept]);
opens_socket(_, _) -> false.
