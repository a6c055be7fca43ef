%% Functions that the escripts of the applications `ground` and `mailbox` share. Each wait ends
%% after two minutes. On an idle machine, each takes less than a second.
-compile(nowarn_unused_function).
-include("say.hrl").
-define(PATIENCE, 120000).

%% Starts the application. Crash reports are not printed.
begin_with(Ebin) -> begin_with(ground, Ebin).

begin_with(Application, Ebin) ->
    true = code:add_patha(Ebin),
    ok = logger:remove_handler(default),
    process_flag(trap_exit, true),
    ok = application:load(Application),
    ok = application:set_env(Application, long_callback, off),
    ok = application:start(Application).

%% Returns a message of a process to its observer.
told(Pid) -> receive {Pid, What} -> What after ?PATIENCE -> gave_up(told, Pid) end.

exit_of(Pid) -> receive {'EXIT', Pid, Reason} -> Reason after ?PATIENCE -> gave_up(exit_of, Pid) end.

%% Returns the reason with which a process ends after this request.
exit_with(Pid, Request) ->
    _ = try call(Pid, Request) catch _:_ -> ended end,
    exit_of(Pid).

%% Returns the report after a longer time, and the report after 1 ms. The longer time is long enough
%% if both requests can be sent before it is over.
in_turn(Tell, Told) -> in_turn(Tell, Told, 20).

in_turn(Tell, Told, Time) ->
    ok = Tell(late, Time),
    ok = Tell(soon, 1),
    case [Told(), Told()] of
        [late, soon] when Time < 20000 -> in_turn(Tell, Told, Time * 10);
        Order -> Order
    end.

call(Pid, Request) -> gen_server:call(Pid, Request, ?PATIENCE).

%% Calls from a separate process, and returns that process. `answer/1` returns the result of the
%% call.
asking(Pid, Request) ->
    spawn_link(fun() ->
        exit({asked, try {ok, call(Pid, Request)} catch Class:Reason -> {Class, Reason} end})
    end).

answer(Asking) ->
    {asked, Answer} = exit_of(Asking),
    Answer.

%% Waits until the process waits in the library's module.
waiting(Pid) -> until(fun() ->
    case process_info(Pid, current_function) of
        {current_function, {ground_nif, Waits, _}} -> lists:member(Waits, [call, alone, perform, await]);
        _ -> false
    end
end).

until(Condition) -> until(Condition, ?PATIENCE div 10).

until(_, 0) -> gave_up(until, condition);
until(Condition, Times) ->
    case Condition() of
        true -> true;
        false -> timer:sleep(10), until(Condition, Times - 1)
    end.

gave_up(What, Whom) ->
    io:format(standard_error, "~p: gave up waiting for ~p~n", [What, Whom]),
    halt(1).
