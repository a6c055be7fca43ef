#!/usr/bin/env escript
%% Makes the application `behaviours` do everything that state machines, event handlers, bridges and
%% applications can do. Prints one `key=term` per line. Each wait ends after two minutes.
-mode(compile).
-define(PATIENCE, 120000).
-export([log/2]).

main([Ebin]) ->
    true = code:add_patha(Ebin),
    ok = logger:add_handler(observer, ?MODULE, #{config => self()}),
    ok = logger:remove_handler(default),
    process_flag(trap_exit, true),
    ok = application:load(behaviours),
    ok = application:set_env(behaviours, arguments, [<<"one">>, <<"two">>]),
    ok = application:start(behaviours),
    say(app_started, persistent_term:get(started)),
    door_starts(),
    door_opens(),
    door_times(),
    door_ends(),
    light(),
    conditions(),
    events(),
    event_failures(),
    bridge(),
    visitor(),
    channel(),
    ok = application:stop(behaviours),
    say(app_stopped, persistent_term:get(stopped)),
    init:stop().

door_starts() ->
    say(door_mode, door:callback_mode()),
    {ok, Plain} = door(plain),
    say(door_first_entered, told(Plain)),
    {ok, Begun} = door({timeout, 10}),
    {entered, _, _} = told(Begun),
    say(door_begun, told(Begun)),
    say(door_stop, door({stop, {no, luck}})),
    say(door_ignore, door(ignore)),
    {error, {panic, #{message := Message}}} = door(panic),
    say(door_panic, Message).

door_opens() ->
    Door = entered(),
    Client = self(),
    spawn_link(fun() -> Client ! {knocked, gen_statem:call(Door, knock)} end),
    timer:sleep(20),
    say(door_wrong_code, gen_statem:call(Door, {code, <<"1">>})),
    say(door_right_code, gen_statem:call(Door, {code, <<"1234">>})),
    say(door_entered, told(Door)),
    %% Checks that a postponed event is handled again in the new state.
    receive {knocked, Answer} -> say(door_knocked, Answer) after ?PATIENCE -> halt(1) end,
    true = gen_statem:call(Door, {code, <<"1234">>}),
    say(door_opened_again, told(Door)),
    say(door_closes, told(Door)),
    say(door_closed, told(Door)),
    gen_statem:cast(Door, again),
    say(door_again, told(Door)),
    gen_statem:cast(Door, within),
    say(door_within, {told(Door), told(Door)}),
    Door ! {some, info},
    say(door_info, told(Door)).

door_times() ->
    Door = entered(),
    gen_statem:cast(Door, {soon, 10}),
    say(door_soon, told(Door)),
    %% Checks that an event stops the event timeout.
    gen_statem:cast(Door, {soon, 3000}),
    Door ! stopping,
    say(door_not_soon, told(Door)),
    gen_statem:cast(Door, {alarm, {a, name}, 10}),
    say(door_alarm, told(Door)),
    gen_statem:cast(Door, {alarm, one, 3000}),
    gen_statem:cast(Door, {alarm, two, 40}),
    gen_statem:cast(Door, {quiet, one}),
    say(door_other_alarm, told(Door)),
    %% Checks that events wait in order while a callback waits.
    gen_statem:cast(Door, {sleep, 20}),
    Door ! waited,
    say(door_slept, {told(Door), told(Door)}),
    gen_statem:cast(Door, hibernate),
    say(door_hibernated, asleep(Door)),
    true = gen_statem:call(Door, {code, <<"1234">>}),
    {entered, _, _} = told(Door),
    {state_timeout, _} = told(Door),
    {entered, _, _} = told(Door),
    ok = sys:suspend(Door),
    %% The application's own state stays as it is. Any other state is wrapped.
    ok = sys:change_code(Door, door, undefined, []),
    Observer = self(),
    _ = sys:replace_state(Door, fun({Name, _}) -> {Name, {old_door, Observer, <<"4321">>}} end),
    ok = sys:change_code(Door, door, undefined, []),
    ok = sys:resume(Door),
    say(door_new_code, {gen_statem:call(Door, {code, <<"1234">>}), gen_statem:call(Door, {code, <<"4321">>})}).

door_ends() ->
    Bye = entered(),
    say(door_bye, gen_statem:call(Bye, bye)),
    say(door_bye_terminate, told(Bye)),
    say(door_bye_reason, exit_of(Bye)),
    Stopped = entered(),
    gen_statem:cast(Stopped, {stop, {shutdown, done}}),
    say(door_stopped, {told(Stopped), exit_of(Stopped)}),
    Panicked = entered(),
    gen_statem:cast(Panicked, panic),
    {{panic, #{message := Message, file := File}}, _} = exit_of(Panicked),
    say(door_panicked, {Message, File}),
    Shown = entered(),
    catch gen_statem:stop(Shown, shown, 5000),
    say(door_shown, report({gen_statem, terminate}, <<"shown">>)),
    Wrong = entered(),
    gen_statem:cast(Wrong, {sleep, -1}),
    %% Only the last clause matches this event, because it matches every event.
    say(door_unknown_cast, told(Wrong)).

light() ->
    say(light_mode, lists:sort(light:callback_mode())),
    {ok, Light} = light:start_link({}, []),
    say(light_name, element(1, sys:get_state(Light))),
    [gen_statem:cast(Light, push) || _ <- [1, 2, 3]],
    say(light_entered, gen_statem:call(Light, entered)),
    gen_statem:cast(Light, kick),
    {{no_clause, Function, Tried}, _} = exit_of(Light),
    say(light_kicked, {Function, length(Tried)}).

conditions() ->
    {ok, Platform} = platform:start_link(1, []),
    Asked = [gen_server:call(Platform, Ask) || Ask <- [count, {add, 2}, {more, 1}, double]],
    gen_server:cast(Platform, #{count => 5}),
    say(platform_asked, {Asked, gen_server:call(Platform, count)}),
    say(platform_handle_continue, erlang:function_exported(platform, handle_continue, 2)),
    catch gen_server:call(Platform, {gone, 1}),
    {{no_clause, Function, Tried}, _} = exit_of(Platform),
    say(platform_gone, {Function, length(Tried)}).

events() ->
    ok = gen_event:add_handler(events, tally, {start, self(), plain}),
    gen_event:notify(events, {add, 3}),
    ok = gen_event:sync_notify(events, {unknown, event}),
    say(tally_call, gen_event:call(events, tally, {add, 4})),
    events ! {some, info},
    say(tally_info, heard()),
    say(tally_last, gen_event:call(events, tally, last)),
    say(tally_removed, heard()),
    say(tally_gone, gen_event:which_handlers(events)),
    ok = gen_event:add_handler(events, tally, {start, self(), hibernate}),
    say(tally_hibernated, asleep(whereis(events))),
    gen_event:notify(events, remove),
    say(tally_removes_itself, heard()),
    ok = gen_event:add_handler(events, tally, {start, self(), plain}),
    {taken_over, _, Sum} = gen_event:delete_handler(events, tally, deleted),
    say(tally_deleted, {Sum, heard()}),
    ok = gen_event:add_handler(events, tally, {start, self(), plain}),
    gen_event:notify(events, {add, 5}),
    gen_event:notify(events, swap),
    say(tally_swapped, heard()),
    say(quiet_taken, gen_event:call(events, quiet, taken)).

event_failures() ->
    say(tally_error, gen_event:add_handler(events, tally, {start, self(), {error, {no, luck}}})),
    {'EXIT', {{panic, #{message := Message}}, _}} =
        gen_event:add_handler(events, tally, {start, self(), panic}),
    say(tally_init_panic, Message),
    Manager = whereis(events),
    ok = gen_event:add_sup_handler(events, tally, {start, self(), plain}),
    gen_event:notify(events, panic),
    receive
        {gen_event_EXIT, tally, {'EXIT', {{panic, #{message := Lost, file := File}}, _}}} ->
            say(tally_panicked, {Lost, File})
    after ?PATIENCE -> halt(1)
    end,
    %% The handler has been removed. The manager and the other handlers are still there.
    say(events_alive, {whereis(events) =:= Manager, gen_event:which_handlers(events)}).

bridge() ->
    First = whereis(part),
    say(bridge_children, [{Id, Type, Modules}
        || {Id, _, Type, Modules} <- supervisor:which_children(stroot), Id =:= outside]),
    exit(First, kill),
    say(bridge_restarted, is_pid(changed(part, First, 1000))),
    ok = supervisor:terminate_child(stroot, outside),
    %% Its exit signal may still be on the way.
    gone(part, 1000),
    say(bridge_terminate, {persistent_term:get(bridge), whereis(part)}),
    say(bridge_ignore, outside:start_link(none)),
    say(bridge_error, outside:start_link(wrong)).

%% Tests a behaviour that is not OTP's, and whose module is part of the application.
visitor() ->
    Tree = {node, [{leaf, 1}, {node, [{leaf, 2}, {leaf, 3}]}]},
    say(visitor_enough, visitor:walk(summer, {limit, 3}, Tree)),
    say(visitor_end, visitor:walk(summer, {limit, 100}, Tree)),
    say(visitor_none, visitor:walk(summer, {limit, 100}, {node, []})),
    say(visitor_error, visitor:walk(summer, {limit, 0}, Tree)),
    %% A callback that only reads the state leaves it in place.
    {ok, State} = summer:init({limit, 9}),
    say(visitor_looks, [summer:handle_end({leaf, 1}, State) || _ <- [1, 2]]),
    say(visitor_goes_on, element(1, summer:visit(4, State))).

%% Tests a behaviour without a callback that creates the state. Each callback gets the state that
%% the previous one returned.
channel() ->
    Frames = [{text, <<"a">>}, ping, {text, <<"b">>}],
    say(channel_served, channel:serve(echo, <<"/">>, Frames)),
    say(channel_refused, channel:serve(echo, <<>>, Frames)),
    say(channel_state, {echo:frame(ping, {seen, 7}), try echo:frame(ping, {seen, -1}) catch error:_ -> error end}),
    say(channel_closed, echo:close(normal, {seen, 7})).

door(How) -> door:start_link({start, self(), How}, []).

%% Returns a door that has reported its first state.
entered() ->
    {ok, Door} = door(plain),
    {entered, locked, locked} = told(Door),
    Door.

gone(_, 0) -> halt(1);
gone(Name, Times) ->
    case whereis(Name) of
        undefined -> ok;
        _ -> timer:sleep(20), gone(Name, Times - 1)
    end.

changed(_, _, 0) -> halt(1);
changed(Name, Old, Times) ->
    case whereis(Name) of
        New when is_pid(New), New =/= Old -> New;
        _ -> timer:sleep(20), changed(Name, Old, Times - 1)
    end.

exit_of(Pid) -> receive {'EXIT', Pid, Reason} -> Reason after ?PATIENCE -> halt(1) end.

told(Pid) -> receive {Pid, What} -> What after ?PATIENCE -> halt(1) end.

heard() -> receive {What, Why} when is_atom(What) -> {What, Why} after ?PATIENCE -> halt(1) end.

%% Returns whether the process hibernates within twenty seconds. Since OTP 28, a process can
%% hibernate and keep its stack. The stack then has a function of OTP's behaviours with this name.
asleep(Pid) -> asleep(Pid, 1000).

asleep(_, 0) -> false;
asleep(Pid, Times) ->
    case process_info(Pid, [current_function, status]) of
        [{current_function, {erlang, hibernate, 3}}, _] -> true;
        [{current_function, {_, loop_hibernate, _}}, {status, waiting}] -> true;
        _ -> timer:sleep(20), asleep(Pid, Times - 1)
    end.

%% The callback of the `logger` handler.
log(#{msg := {report, #{label := Label} = Report}, meta := #{report_cb := Format}}, #{config := Pid}) ->
    Text = case is_function(Format, 2) of
        true -> Format(Report, #{single_line => true, depth => unlimited, chars_limit => unlimited});
        false -> {F, A} = Format(Report), io_lib:format(F, A)
    end,
    Pid ! {Label, unicode:characters_to_binary(Text)};
log(_, _) ->
    ok.

report(Label, Part) ->
    receive
        {Label, Text} ->
            case binary:match(Text, Part) of
                nomatch -> report(Label, Part);
                _ -> Text
            end
    after ?PATIENCE -> halt(1)
    end.

say(Key, Value) -> io:format("~s=~0tp~n", [Key, Value]).
