#!/usr/bin/env escript
%% Makes the application `nursery` start, end and count children of all kinds of supervisors. Prints
%% one `key=term` per line. Each wait ends after two minutes.
-mode(compile).
-define(PATIENCE, 120000).

main([Ebin]) ->
    true = code:add_patha(Ebin),
    ok = logger:remove_handler(default),
    ok = application:start(nursery),
    functions(),
    dynamic(),
    tuned(),
    say(machines, ask(ask_machines)),
    mixed(),
    say(names, ask(ask_names)),
    [early(Supervisor) || Supervisor <- [chicks, eggs]],
    siblings(),
    ok = application:stop(nursery),
    init:stop().

%% Starts children from an Erlang program.
functions() ->
    say(hand_functions, lists:sort([A || {start_link, A} <- hand:module_info(exports)])),
    say(plain_functions, lists:sort([A || {start_link, A} <- plain:module_info(exports)])),
    {ok, Hand} = hand:start_link(5),
    say(from_erlang, gen_server:call(Hand, number)),
    true = unlink(Hand),
    ok = gen_server:stop(Hand).

dynamic() ->
    [One, Two, Three, Four] = [ask({start_plain, Number}) || Number <- [1, 2, 3, 4]],
    %% One child crashes and is not restarted, one is terminated, and one is started by Erlang.
    ok = gen_server:cast(lead, {let_fall, Two}),
    ok = gone(Two),
    say(terminated, ask({terminate_plain, Three})),
    say(alive, [is_process_alive(Hand) || Hand <- [One, Two, Three, Four]]),
    {ok, _} = supervisor:start_child(plain, [5]),
    [say(Key, Value) || {Key, Value} <- numbers_sorted(ask(ask_plain))].

numbers_sorted(Seen) ->
    [case Key of plain_numbers -> {Key, lists:sort(Value)}; _ -> {Key, Value} end || {Key, Value} <- Seen].

%% The options apply to the process, also after a restart.
tuned() ->
    Hand = ask(ask_tuned),
    say(tuned, tuning(Hand)),
    Tuned = global:whereis_name(<<"tuned">>),
    exit(Hand, kill),
    ok = gone(Hand),
    Again = until(fun() ->
        case supervisor:which_children(Tuned) of
            [{_, Pid, _, Modules}] when is_pid(Pid), Pid =/= Hand -> {ok, {Pid, Modules}};
            _ -> wait
        end
    end),
    say(tuned_again, {tuning(element(1, Again)), element(2, Again)}),
    say(tuned_number, gen_server:call(element(1, Again), number)).

tuning(Hand) ->
    {garbage_collection, Options} = process_info(Hand, garbage_collection),
    {ok, Statistics} = sys:statistics(Hand, get),
    {proplists:get_value(fullsweep_after, Options), proplists:get_value(min_heap_size, Options) >= 1000,
     Statistics =/= no_statistics}.

mixed() ->
    say(groups, is_pid(whereis(nursery_groups))),
    [say(Key, Value) || {Key, Value} <- ask(ask_mixed)].

%% The work of `handle_start` comes before a message that arrived during `init`.
early(Supervisor) ->
    {ok, _} = supervisor:start_child(Supervisor, [self()]),
    say(Supervisor, {told(), told()}).

%% The elder calls the younger, which its supervisor starts later, before it handles any message.
siblings() ->
    {ok, Supervisor} = siblings:start_link({local, siblings}, self()),
    All = lists:sort([told() || _ <- lists:seq(1, 4)]),
    say(siblings, [{Who, Number} || {begun, Who, Number} <- All]),
    {_, Youngest, _, _} = lists:keyfind(youngest, 1, supervisor:which_children(Supervisor)),
    say(youngest, element(1, sys:get_state(Youngest))),
    unlink(Supervisor),
    exit(Supervisor, shutdown),
    gone(Supervisor).

told() -> receive Told -> Told after ?PATIENCE -> halt(1) end.

ask(Request) -> gen_server:call(lead, Request, 10000).

gone(Pid) ->
    Monitor = monitor(process, Pid),
    receive {'DOWN', Monitor, process, Pid, _} -> ok after ?PATIENCE -> halt(1) end.

until(Condition) -> until(Condition, 12000).

until(_, 0) -> io:format(standard_error, "gave up~n", []), halt(1);
until(Condition, Times) ->
    case Condition() of
        {ok, Value} -> Value;
        wait -> timer:sleep(10), until(Condition, Times - 1)
    end.

say(Key, Value) -> io:format("~s=~0tp~n", [Key, Value]).
