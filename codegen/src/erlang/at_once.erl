
%% Performs a request that does not wait, in the process itself.
-spec at_once(request()) -> term().
at_once(?HERE(Module, Function, Arguments)) ->
    apply(Module, Function, Arguments);
at_once(?MONITOR({global, _} = Server)) ->
    monitored(process_of(Server), Server);
at_once(?MONITOR({via, _, _} = Server)) ->
    monitored(process_of(Server), Server);
at_once(?MONITOR(Process)) ->
    %% Monitors a registered process by its name, so that the `DOWN` message contains the name.
    erlang:monitor(process, Process);
at_once(?SEND_REQUEST(Server, Request)) ->
    case process_of(Server) of
        undefined -> nobody(Server);
        Process -> request(Process, Request)
    end;
at_once(?CANCEL_TIMER(Timer)) ->
    case erlang:cancel_timer(Timer) of
        false -> receive {timeout, Timer, _} -> [] after 0 -> [] end;
        Left -> [Left]
    end;
at_once(?SPAWN(Closure, nothing)) ->
    proc_lib:spawn(?MODULE, spawned, [Closure]);
at_once(?SPAWN(Closure, link)) ->
    proc_lib:spawn_link(?MODULE, spawned, [Closure]);
at_once(?SPAWN(Closure, monitor)) ->
    %% The new process waits until it is monitored; otherwise it could exit before, and the monitor
    %% would not report its exit reason.
    Process = proc_lib:spawn(?MODULE, spawned, [Closure, self()]),
    Monitor = erlang:monitor(process, Process),
    Process ! {?MARK, self()},
    {Process, Monitor}.

%% Monitors a process that has been looked up.
-spec monitored(pid() | undefined, gen_server:server_ref()) -> reference().
monitored(undefined, Server) -> nobody(Server);
monitored(Process, _) -> erlang:monitor(process, Process).

%% The body of a process without a behaviour.
-spec spawned(closure()) -> term().
spawned(Closure) ->
    next(start(Closure), #{}).

-spec spawned(closure(), pid()) -> term().
spawned(Closure, Owner) ->
    Monitor = erlang:monitor(process, Owner),
    receive
        {?MARK, Owner} -> ok;
        {'DOWN', Monitor, process, Owner, _} -> ok
    end,
    demonitor(Monitor, [flush]),
    spawned(Closure).

%% Returns the monitor of a process that does not exist.
-spec nobody(gen_server:server_ref()) -> reference().
nobody(Server) ->
    Monitor = make_ref(),
    self() ! {'DOWN', Monitor, process, object_of(Server), noproc},
    Monitor.

%% Sends a request as gen_server:call/3 does. The reply is `{[alias | Monitor], Reply}`.
-spec request(pid() | {atom(), node()}, term()) -> reference().
request(Process, Request) ->
    Monitor = erlang:monitor(process, Process, [{alias, reply_demonitor}]),
    ask(Process, Monitor, Request),
    Monitor.

-dialyzer({no_improper_lists, ask/3}).
-spec ask(pid() | {atom(), node()}, reference(), term()) -> ok.
ask(Process, Monitor, Request) ->
    _ = erlang:send(Process, {'$gen_call', {self(), [alias | Monitor]}, Request}, [noconnect]),
    ok.

%% Returns the object in the `DOWN` message of a process that does not exist.
-spec object_of(gen_server:server_ref()) -> {term(), node()}.
object_of({global, Name}) -> {Name, node()};
object_of({via, _, Name}) -> {Name, node()};
object_of({Name, Node}) -> {Name, Node};
object_of(Name) -> {Name, node()}.
