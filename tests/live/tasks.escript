#!/usr/bin/env escript
%% Runs tasks in a server of the application `tasks`. Prints one `key=term` per line.
-mode(compile).
-export([log/2]).
-include("observe.hrl").

main([Ebin]) ->
    begin_with(tasks, Ebin),
    {ok, Owner} = owner:start_link({}, []),
    say(sum, call(Owner, {sum, 1000})),
    say(panics, element(1, call(Owner, panics))),
    Told = fun() -> receive Message -> Message after ?PATIENCE -> gave_up(told, Owner) end end,
    say(told, in_turn(fun(What, Time) -> call(Owner, {tell, self(), What, Time}) end, Told)),
    serves(Owner),
    exchange(Owner),
    say(callers, call(Owner, callers)),
    say(given, call(Owner, given)),
    asks(Owner),
    say(scoped, call(Owner, scoped)),
    say(watched, call(Owner, {watched, 30})),
    listens(Owner),
    opened(Owner),
    say(fair, call(Owner, {fair, 100}) > 100),
    million(Owner, list_to_integer(os:getenv("TASKS", "1000000"))),
    greedy(),
    linked(Owner),
    init:stop().

%% The server handles calls and system messages while tasks run for ever.
serves(Owner) ->
    ok = call(Owner, {spin, 1000}),
    say(called, [call(Owner, ping) || _ <- lists:seq(1, 20)]),
    {status, Owner, {module, gen_server}, [_, _, _, _, Status]} = sys:get_status(Owner, ?PATIENCE),
    say(status, has(" with 1000 tasks: ", Status)),
    true = until(fun() -> maps:get(tasks, otp_rs_status:of_process(Owner)) =:= 1000 end),
    say(counted, maps:get(activity, otp_rs_status:of_process(Owner))),
    ok = sys:suspend(Owner, ?PATIENCE),
    ok = sys:resume(Owner, ?PATIENCE),
    ok = call(Owner, {tell, self(), beside, 1}),
    say(beside, receive Message -> Message after ?PATIENCE -> gave_up(beside, Owner) end),
    say(aborted, call(Owner, abort)),
    say(mailbox, begin _ = call(Owner, ping), timer:sleep(50), process_info(Owner, message_queue_len) end).

exchange(Owner) ->
    say(chain, call(Owner, {chain, 100, 50})),
    say(many, call(Owner, {many, 100000})),
    say(sleepers, call(Owner, {sleepers, 20000, 200})),
    say(bounded, call(Owner, bounded)),
    say(broadcast, call(Owner, broadcast)),
    say(raced, call(Owner, raced)).

%% A thousand calls are pending at once, and each answer reaches its task, during a callback and
%% between two callbacks.
asks(Owner) ->
    Echo = spawn_link(fun() -> echo([]) end),
    say(asks, call(Owner, {asks, Echo, 1000})).

%% Replies when it has received a thousand calls, in reverse order.
echo(Calls) when length(Calls) =:= 1000 ->
    [gen_server:reply(From, Number) || {From, Number} <- Calls],
    echo([]);
echo(Calls) ->
    receive {'$gen_call', From, {echo, Number}} -> echo([{From, Number} | Calls]) end.

%% A task receives by type between two callbacks; other messages go to the server.
listens(Owner) ->
    ok = call(Owner, {listen, self(), 2}),
    Owner ! {heard, <<"one">>},
    Owner ! neither,
    Owner ! {heard, <<"two">>},
    say(listened, receive {all, Words} -> Words after ?PATIENCE -> gave_up(listened, Owner) end),
    say(listens_served, call(Owner, ping)).

%% Erlang sends to a mailbox of tasks. Messages of another type are dropped.
opened(Owner) ->
    Address = call(Owner, open),
    [otp_rs:send(Address, Message) || Message <- [{add, 1, self()}, wrong, {add, 2, self()}]],
    say(opened, [receive {sum, Sum} -> Sum after ?PATIENCE -> gave_up(opened, Owner) end || _ <- [1, 2]]).

%% The warning names the task that held its scheduler.
greedy() ->
    {ok, Owner} = owner:start_link({}, []),
    ok = application:set_env(tasks, long_callback, 1),
    ok = tasks_nif:long_callback(1),
    ok = logger:add_handler(warnings, ?MODULE, #{observer => self()}),
    ok = call(Owner, {greedy, 300}),
    say(greedy, receive {warned, What} -> What after ?PATIENCE -> gave_up(greedy, Owner) end),
    ok = logger:remove_handler(warnings),
    ok = tasks_nif:long_callback(off).

%% The callback of the `logger` handler for warnings.
log(#{msg := {report, #{label := {otp_rs, long_callback}, function := task} = Report}}, #{observer := Observer}) ->
    #{module := Module, message := Message, milliseconds := Time} = Report,
    Observer ! {warned, {Module, filename:basename(hd(string:split(Message, ":"))), Time >= 100}};
log(_, _) -> ok.

%% A process with a million tasks still answers. When they have ended, their memory is released.
million(Owner, Number) ->
    Before = erlang:memory(system),
    ok = call(Owner, {idle, Number}),
    ok = call(Owner, ping),
    Each = (erlang:memory(system) - Before) / Number,
    say(million_each, Each > 80 andalso Each < 208),
    %% The task of the open mailbox exists as well.
    Text = io_lib:format(" with ~b tasks: ", [Number + 1]),
    say(million_status, has(Text, sys:get_status(Owner, ?PATIENCE))),
    say(million_ended, call(Owner, abort) =:= Number),
    %% If a scheduler frees memory of another one, the VM reuses it only when the other scheduler
    %% gets to it.
    until(fun() -> erlang:memory(system) - Before < Number end),
    say(million_back, true),
    %% The values of the tasks are also dropped when the process ends.
    ok = call(Owner, {idle, Number div 10}),
    unlink(Owner),
    exit(Owner, kill),
    until(fun() -> not is_process_alive(Owner) end),
    until(fun() -> erlang:memory(system) - Before < Number end),
    say(million_killed, true).

linked(_) ->
    {ok, Owner} = owner:start_link({}, []),
    ok = call(Owner, {linked, 5}),
    {Panic, _} = exit_of(Owner),
    say(linked, element(1, Panic)).

has(Text, Status) ->
    string:find(io_lib:format("~tp", [Status]), Text) =/= nomatch.
