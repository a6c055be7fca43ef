#!/usr/bin/env escript
%% Runs tasks in processes of all kinds, in the application `tasks`. Prints one `key=term` per line.
-mode(compile).
-export([log/2]).
-include("observe.hrl").

main([Ebin]) ->
    begin_with(tasks, Ebin),
    {ok, Machine} = machine:start_link(self(), []),
    entered(Machine, waiting),
    say(told, in_turn(fun(What, Time) -> ask(Machine, {tell, What, Time}) end, fun() -> told(Machine) end)),
    named(Machine),
    undisturbed(Machine),
    busy(Machine),
    listens(Machine),
    ended(Machine),
    states(),
    handler(),
    plain(),
    init:stop().

ask(Machine, What) -> gen_statem:call(Machine, What, ?PATIENCE).

entered(Machine, State) -> {entered, State} = told(Machine).

%% Messages for tasks keep arriving, so the machine always has at least one.
tasks_go_on(Machine) ->
    go_on = begin ok = ask(Machine, {tell, go_on, 1}), told(Machine) end.

%% Waits without sending an event to the machine, because an event would stop its event timeout.
tasks_go_on_by_themselves(Machine) ->
    Before = proplists:get_value(reductions, process_info(Machine)),
    until(fun() ->
        {_, Now} = process_info(Machine, reductions),
        Now - Before > 100000
    end).

named(Machine) ->
    ok = ask(Machine, {tick, 5}),
    say(ticked, told(Machine)),
    ok = ask(Machine, {wait, <<"sleeper">>}),
    until(fun() ->
        Status = sys:get_status(Machine, ?PATIENCE),
        has(" with 1 tasks: 0 ready, 1 waiting, the longest for ", Status) andalso
            has(" ms (sleeper, ", Status) andalso has("tasks/src/machine.rs:", Status)
    end),
    say(named, true),
    ok = ask(Machine, abort).

%% Messages for tasks do not affect the machine's timeouts and postponed events.
undisturbed(Machine) ->
    ok = gen_statem:cast(Machine, {close, ?PATIENCE}),
    ok = gen_statem:cast(Machine, {later, postponed}),
    tasks_go_on(Machine),
    say(state_timeout, timeouts(Machine)),
    ok = gen_statem:cast(Machine, go),
    entered(Machine, ready),
    say(postponed, told(Machine)),
    say(state_left, timeouts(Machine)),
    Machine ! hello,
    say(info, told(Machine)).

%% The tasks run for ever, so that there is always a message for them.
busy(Machine) ->
    ok = ask(Machine, {spin, 1000}),
    say(status, has(" with 1000 tasks: ", sys:get_status(Machine, ?PATIENCE))),
    ok = gen_statem:cast(Machine, {soon, ?PATIENCE}),
    tasks_go_on_by_themselves(Machine),
    say(event_timeout, timeouts(Machine)),
    ok = ask(Machine, ping),
    tasks_go_on_by_themselves(Machine),
    say(event_stopped_it, timeouts(Machine)),
    ok = gen_statem:cast(Machine, {soon, 20}),
    say(event_timeout_comes, told(Machine)),
    tasks_go_on_by_themselves(Machine),
    say(event_timeout_comes_once, timeouts(Machine)),
    ok = sys:suspend(Machine, ?PATIENCE),
    ok = sys:resume(Machine, ?PATIENCE),
    ok = ask(Machine, abort),
    tasks_go_on(Machine).

timeouts(Machine) ->
    {status, Machine, {module, gen_statem}, [_, _, _, _, Status]} = sys:get_status(Machine, ?PATIENCE),
    [Timeouts] = [Timeouts || {data, Data} <- Status, {"Time-outs", Timeouts} <- Data],
    Timeouts.

%% A task receives by type between two events; other messages are events.
listens(Machine) ->
    ok = ask(Machine, {listen, 2}),
    Machine ! {heard, <<"one">>},
    Machine ! neither,
    Machine ! {heard, <<"two">>},
    say(listened, receive {all, Words} -> Words after ?PATIENCE -> gave_up(listened, Machine) end),
    say(heard_by_the_machine, told(Machine)).

%% Tasks end with their process, and the failure of a task can end its process.
ended(Machine) ->
    Before = erlang:memory(system),
    ok = ask(Machine, {idle, 100000}),
    say(idle, erlang:memory(system) - Before > 100000 * 80),
    unlink(Machine),
    exit(Machine, kill),
    until(fun() -> erlang:memory(system) - Before < 1000000 end),
    say(freed, true),
    {ok, Other} = machine:start_link(self(), []),
    ok = ask(Other, {linked, 5}),
    {Panic, _} = exit_of(Other),
    say(linked, element(1, Panic)).

states() ->
    {ok, Lamp} = lamp:start_link({}, []),
    Pushes = fun() -> gen_statem:call(Lamp, pushes, ?PATIENCE) end,
    Off = Pushes(),
    ok = gen_statem:cast(Lamp, push),
    say(states, {Off, Pushes()}).

%% A task of an event handler ends with the callback. If the task was not awaited, this is reported.
handler() ->
    {ok, Manager} = gen_event:start_link(),
    ok = gen_event:add_handler(Manager, bell, self()),
    ok = logger:add_handler(errors, ?MODULE, #{observer => self()}),
    ok = gen_event:notify(Manager, {ring, rung}),
    say(rung, told(Manager)),
    ok = gen_event:sync_notify(Manager, {leave, left}),
    say(left, receive {reported, What} -> What after ?PATIENCE -> gave_up(left, Manager) end),
    ok = logger:remove_handler(errors),
    ok = gen_event:sync_notify(Manager, {ring, again}),
    say(handlers, {told(Manager), gen_event:which_handlers(Manager)}).

log(#{msg := {report, #{label := {otp_rs, task_failed}} = Report}}, #{observer := Observer}) ->
    #{module := Module, task := Task, reason := {Why, Callback, _}} = Report,
    Observer ! {reported, {Module, filename:basename(hd(string:split(Task, ":"))), Why, Callback}};
log(_, _) -> ok.

%% A process without a behaviour has tasks beside its own body, and no task outlives it.
plain() ->
    {ok, Owner} = owner:start_link({}, []),
    Plain = call(Owner, {plain, self(), 2, 1000}),
    Monitor = monitor(process, Plain),
    say(slept, told(Plain)),
    Plain ! {heard, <<"one">>},
    Plain ! {heard, <<"two">>},
    say(plain_heard, receive {all, Words} -> Words after ?PATIENCE -> gave_up(plain, Plain) end),
    say(plain_waiting, call(Owner, waiting)),
    Plain ! {stop, enough},
    say(stopped, receive {Plain, stopped, Why} -> Why after ?PATIENCE -> gave_up(stopped, Plain) end),
    say(plain_ended, receive {'DOWN', Monitor, _, _, Reason} -> Reason after ?PATIENCE -> gave_up(down, Plain) end),
    say(plain_left, call(Owner, waiting)),
    Killed = call(Owner, {plain, self(), 2, 1000}),
    slept = told(Killed),
    exit(Killed, kill),
    until(fun() -> call(Owner, waiting) =:= 0 end),
    say(killed, true).

has(Text, Status) ->
    string:find(io_lib:format("~tp", [Status]), Text) =/= nomatch.
