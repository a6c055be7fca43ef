
%% What takes no time, in the process itself.
-spec at_once(request()) -> term().
at_once(?HERE(Module, Function, Arguments)) ->
    apply(Module, Function, Arguments);
at_once(?MONITOR({global, _} = Server)) ->
    monitored(process_of(Server), Server);
at_once(?MONITOR({via, _, _} = Server)) ->
    monitored(process_of(Server), Server);
at_once(?MONITOR(Process)) ->
    %% By its name, if it has one: so the message says it, too.
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
    %% It waits until it is monitored, so that the monitor sees why it ends.
    Process = proc_lib:spawn(?MODULE, spawned, [Closure, self()]),
    Monitor = erlang:monitor(process, Process),
    Process ! {?MARK, self()},
    {Process, Monitor}.

%% A monitor of a process that has been looked up.
-spec monitored(pid() | undefined, gen_server:server_ref()) -> reference().
monitored(undefined, Server) -> nobody(Server);
monitored(Process, _) -> erlang:monitor(process, Process).

%% The body of a process that is not a behaviour's.
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

%% A monitor of a process that is not there.
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

%% What a monitor calls a process that is not there.
-spec object_of(gen_server:server_ref()) -> {term(), node()}.
object_of({global, Name}) -> {Name, node()};
object_of({via, _, Name}) -> {Name, node()};
object_of({Name, Node}) -> {Name, Node};
object_of(Name) -> {Name, node()}.
