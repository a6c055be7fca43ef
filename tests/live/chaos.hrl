%% Faults of the servers of the application `chaos`. Each function returns a list of checks,
%% `{What, Expected, Got}`: how a call or a process ends in OTP, and how it ended here.
-include("observe.hrl").
-define(WORKERS, 16).

operations() ->
    [call, apply, apply_beside, sleep, 'receive', task, dirty, blocking, checkpoint, yield, join, timeout].

blows() -> [none, panic, exit, kill, stop].

victim() ->
    {ok, Victim} = gen_server:start(victim, {}, []),
    Victim.

%% Returns the outcome of a call: its reply, or the reason of its exit.
ask(Server, Request) -> ask(Server, Request, ?PATIENCE).

ask(Server, Request, Timeout) ->
    try {ok, gen_server:call(Server, Request, Timeout)}
    catch exit:{Reason, {gen_server, call, _}} -> named(Reason)
    end.

named({{panic, #{message := Message}}, _}) -> {panic, Message};
named(Reason) -> Reason.

%% Returns the exit reason of a monitored process.
end_of(Monitor) ->
    receive {'DOWN', Monitor, process, _, Reason} -> named(Reason)
    after ?PATIENCE -> gave_up(end_of, Monitor)
    end.

%% Distributes the jobs among the workers.
all(Jobs) ->
    Numbered = lists:enumerate(Jobs),
    Shares = [[Job || {Index, Job} <- Numbered, Index rem ?WORKERS =:= Worker] || Worker <- lists:seq(0, ?WORKERS - 1)],
    Workers = [spawn_monitor(fun() -> exit({done, lists:append([Job() || Job <- Share])}) end) || Share <- Shares],
    lists:append([receive
        {'DOWN', Monitor, process, Worker, {done, Checks}} -> Checks;
        {'DOWN', Monitor, process, Worker, Other} -> [{worker, done, Other}]
    after ?PATIENCE -> gave_up(all, Worker)
    end || {Worker, Monitor} <- Workers]).

%% Returns the wrong checks.
wrong(Checks) -> [Check || Check = {_, Expected, Got} <- Checks, Expected =/= Got].

%% Ends a process before and after each operation.
walks() ->
    all([fun() -> walk([Operation], At, Blow) end || Operation <- operations(), At <- [0, 1], Blow <- blows()]).

%% Runs a path of several operations, and ends the process at any point of it.
long_walks(Count) ->
    All = operations(),
    all([fun() ->
        Path = [lists:nth(rand:uniform(length(All)), All) || _ <- lists:seq(1, rand:uniform(6))],
        walk(Path, rand:uniform(length(Path) + 1) - 1, lists:nth(rand:uniform(5), blows()))
    end || _ <- lists:seq(1, Count)]).

walk(Path, At, Blow) ->
    Victim = victim(),
    Monitor = monitor(process, Victim),
    Answer = ask(Victim, {walk, Path, At, Blow}),
    After = ask(Victim, {echo, 5}),
    Blow =:= none andalso exit(Victim, kill),
    End = end_of(Monitor),
    {Answered, Ended} = case Blow of
        none -> {{ok, length(Path)}, killed};
        stop -> {{ok, At}, stopped};
        _ -> {ended(Blow), ended(Blow)}
    end,
    %% The next call may come before the end.
    Next = case {Blow, After} of
        {none, _} -> {ok, 5};
        {_, noproc} -> noproc;
        _ -> Ended
    end,
    [{{walk, Path, At, Blow}, {Answered, Next, Ended}, {Answer, After, End}}].

ended(panic) -> {panic, <<"told to">>};
ended(exit) -> blown;
ended(kill) -> killed;
ended(stop) -> stopped.

%% Ends a process from outside while it awaits an operation.
holds() ->
    Ways = [killed, gone, timeout, caller],
    all([fun() -> hold(Operation, Way) end || Operation <- operations(), Way <- Ways]).

hold(Operation, Way) ->
    Victim = victim(),
    Monitor = monitor(process, Victim),
    Observer = self(),
    Timeout = case Way of timeout -> 30; _ -> ?PATIENCE end,
    {Caller, Calling} = spawn_monitor(fun() -> exit(ask(Victim, {hold, Operation, Observer}, Timeout)) end),
    _ = told(Victim),
    Expected = case Way of
        killed -> exit(Victim, kill), {killed, killed};
        gone -> exit(Victim, gone), {gone, gone};
        timeout -> {timeout, killed};
        caller -> exit(Caller, kill), {killed, killed}
    end,
    Answer = end_of(Calling),
    exit(Victim, kill),
    [{{hold, Operation, Way}, Expected, {Answer, end_of(Monitor)}}].

%% The reply is sent before the end.
answers() ->
    all([fun() ->
        Victim = victim(),
        Monitor = monitor(process, Victim),
        Answer = ask(Victim, {answer_and, Operation, Blow}),
        Blow =:= none andalso exit(Victim, kill),
        Ended = case Blow of none -> killed; _ -> ended(Blow) end,
        [{{answer_and, Operation, Blow}, {{ok, 42}, Ended}, {Answer, end_of(Monitor)}}]
    end || Operation <- operations(), Blow <- blows()]) ++ lasts().

lasts() ->
    Victim = victim(),
    Monitor = monitor(process, Victim),
    Answer = ask(Victim, last),
    [{last, {{ok, 43}, stopped}, {Answer, end_of(Monitor)}}, {dead, noproc, ask(Victim, last)}].

%% Callers that a callback drops, and callers that the clerk's callback drops together with others.
dropped() ->
    Victim = victim(),
    %% The caller is a separate process, because it keeps its monitor of the server.
    {exit, {Forgotten, _}} = answer(asking(Victim, forget)),
    Callers = [asking(clerk, never) || _ <- lists:seq(1, 20)],
    until(fun() -> lists:all(fun waits/1, Callers) end),
    {ok, 1} = ask(clerk, {echo, 1}),
    ok = gen_server:cast(clerk, clear),
    Cleared = [begin {exit, {Reason, _}} = answer(Caller), Reason end || Caller <- Callers],
    exit(Victim, kill),
    [{forget, unanswered, Forgotten} | [{clear, unanswered, Reason} || Reason <- Cleared]].

%% This number of requests waits while the victim awaits a message. Then the victim gets the
%% message, or is killed.
mailbox(Count, Way) ->
    Victim = victim(),
    Holding = asking(Victim, {hold, 'receive', self()}),
    _ = told(Victim),
    Requests = maps:from_list([{request(Victim, {echo, Value}), Value} || Value <- lists:seq(1, Count)]),
    {message_queue_len, Waiting} = process_info(Victim, message_queue_len),
    Full = [{{full, Way}, true, Waiting >= Count}],
    First = case Way of
        answered -> Victim ! {no_note, 0}, {ok, {ok, 0}};
        killed -> exit(Victim, kill), {exit, killed}
    end,
    Checks = replies(Requests, Way),
    Answer = case answer(Holding) of
        {ok, Reply} -> {ok, {ok, Reply}};
        {exit, {Reason, _}} -> {exit, Reason}
    end,
    exit(Victim, kill),
    [{{held, Way}, First, Answer} | Full ++ Checks].

%% Starts a call whose outcome arrives as a message: `gen_server:send_request/2`.
request(Server, Request) ->
    Monitor = monitor(process, Server, [{alias, reply_demonitor}]),
    Server ! {'$gen_call', {self(), [alias | Monitor]}, Request},
    Monitor.

replies(Requests, _) when map_size(Requests) =:= 0 -> [];
replies(Requests, Way) ->
    {Request, Got} = receive
        {[alias | Replied], Reply} -> {Replied, {ok, Reply}};
        {'DOWN', Down, process, _, Reason} -> {Down, named(Reason)}
    after ?PATIENCE -> gave_up(replies, map_size(Requests))
    end,
    {Value, Left} = maps:take(Request, Requests),
    Expected = case Way of answered -> {ok, Value}; killed -> killed end,
    [{{waited, Way}, Expected, Got} | replies(Left, Way)].

%% Starts this number of victims at once. All of them answer, and then end in several ways.
crowd(Count) ->
    Before = erlang:system_info(process_count),
    Main = self(),
    Share = Count div ?WORKERS,
    Workers = [spawn_monitor(fun() ->
        Victims = [{Index, victim()} || Index <- lists:seq(1, Share)],
        Answers = [{crowd_answers, {ok, Index}, ask(Victim, {echo, Index})} || {Index, Victim} <- Victims],
        Main ! {self(), there},
        receive go -> ok end,
        exit({done, Answers ++ [leave(Index rem 4, Victim) || {Index, Victim} <- Victims]})
    end) || _ <- lists:seq(1, ?WORKERS)],
    [there = told(Worker) || {Worker, _} <- Workers],
    There = erlang:system_info(process_count) - Before >= Share * ?WORKERS,
    [Worker ! go || {Worker, _} <- Workers],
    Checks = [receive {'DOWN', Monitor, process, _, {done, Checks}} -> Checks end || {_, Monitor} <- Workers],
    [{all_there, true, There} | lists:append(Checks)].

leave(Way, Victim) ->
    Monitor = monitor(process, Victim),
    Expected = case Way of
        0 -> ok = gen_server:stop(Victim, normal, ?PATIENCE), normal;
        1 -> _ = ask(Victim, {walk, [], 0, panic}), {panic, <<"told to">>};
        _ -> exit(Victim, kill), killed
    end,
    [Got] = [end_of(Monitor)],
    {crowd_ends, Expected, Got}.

%% Starts and ends children of a supervisor.
children(Count) ->
    Checks = all([fun() ->
        {ok, Victim} = supervisor:start_child(brood, [{}]),
        Answer = ask(Victim, {echo, Index}),
        Gone = case Index rem 3 of
            0 -> supervisor:terminate_child(brood, Victim);
            1 -> {ok, 0} = ask(Victim, {walk, [], 0, stop}), ok;
            2 -> exit(Victim, kill), ok
        end,
        [{child, {{ok, Index}, ok}, {Answer, Gone}}]
    end || Index <- lists:seq(1, Count)]),
    until(fun() -> proplists:get_value(active, supervisor:count_children(brood)) =:= 0 end),
    [{children, 0, proplists:get_value(workers, supervisor:count_children(brood))} | Checks].

%% Resources in the states of killed victims, and in the processes that created them.
resources(Count) ->
    all([fun() ->
        Victim = victim(),
        Token = living:token(Byte rem 256),
        Kept = [ask(Victim, {keep, living:token(1)}) || _ <- [1, 2]],
        exit(Victim, kill),
        [{resource, {[{ok, 1}, {ok, 2}], 1024 * (Byte rem 256)}, {Kept, living:sum(Token)}}]
    end || Byte <- lists:seq(1, Count)]).

%% Timers that fire, and timers of victims that are killed.
timers(Count) ->
    all([fun() ->
        Victim = victim(),
        Victim ! {ticks, 5, self()},
        gen_server:cast(Victim, {later, 20}),
        Ticked = told(Victim),
        exit(Victim, kill),
        [{timers, ticked, Ticked}]
    end || _ <- lists:seq(1, Count)]).

%% Kills a node while Erlang and Rust call its processes.
lost_node(Ebin, Count) ->
    Name = "chaos_peer_" ++ os:getpid(),
    {ok, _, Node} = peer:start(#{name => Name, host => "127.0.0.1", longnames => true, args => ["-pa", Ebin]}),
    ok = erpc:call(Node, logger, remove_handler, [default]),
    {ok, _} = erpc:call(Node, application, ensure_all_started, [chaos]),
    Victims = [victim() || _ <- lists:seq(1, Count)],
    Answers = [{far, {ok, {ok, 7}}, ask(Victim, {far_echo, Node})} || Victim <- Victims],
    Calls = [asking(Victim, {far_never, Node}) || Victim <- Victims] ++
        [asking({clerk, Node}, never) || _ <- lists:seq(1, Count)],
    until(fun() -> lists:all(fun waits/1, Calls ++ Victims) end),
    {ok, 1} = ask({clerk, Node}, {echo, 1}),
    _ = erpc:cast(Node, erlang, halt, [1, [{flush, false}]]),
    Lost = [{lost, {nodedown, Node}, lost(answer(Call))} || Call <- Calls],
    until(fun() -> not lists:member(Node, nodes()) end),
    Later = [{lost_later, {nodedown, Node}, lost({ok, gen_server:call(Victim, {far_echo, Node}, ?PATIENCE)})}
        || Victim <- Victims],
    [exit(Victim, kill) || Victim <- Victims],
    Answers ++ Lost ++ Later.

waits(Pid) -> process_info(Pid, status) =:= {status, waiting}.

lost({ok, {error, {Reason, _}}}) -> Reason;
lost({exit, {Reason, _}}) -> Reason;
lost(Other) -> Other.

%% Checks that no process, no state and no resource is left of all faults.
settled(Before) ->
    [garbage_collect(Pid) || Pid <- processes()],
    until(fun() -> left(Before) end).

left(Before) ->
    erlang:system_info(process_count) =< Before andalso living:states() =:= 0 andalso living:tokens() =:= 0.

distributed() ->
    _ = os:cmd("epmd -daemon"),
    until(fun() -> element(1, erl_epmd:names({127, 0, 0, 1})) =:= ok end),
    {ok, _} = net_kernel:start([list_to_atom("chaos_" ++ os:getpid() ++ "@127.0.0.1"), longnames]),
    ok.
