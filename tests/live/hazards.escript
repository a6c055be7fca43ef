#!/usr/bin/env escript
%% Causes faults in servers of the application `probe` that end the server, but must not end the VM.
%% Prints one `key=term` per line. Each wait ends after two minutes.
-mode(compile).
-define(PATIENCE, 120000).
-export([callback_mode/0, handle_event/4]).

main([Ebin]) ->
    true = code:add_patha(Ebin),
    ok = logger:remove_handler(default),
    process_flag(trap_exit, true),
    %% The library is loaded before there is an environment, as in a release.
    {module, probe_nif} = code:ensure_loaded(probe_nif),
    ok = application:load(probe),
    ok = application:set_env(probe, message_limit, 10000000),
    ok = application:start(probe),
    panics(),
    drops(),
    cells(),
    reload(),
    depths(),
    sizes(),
    places(),
    calls(),
    machines(),
    say(the_vm_lives, true),
    init:stop().

panics() ->
    {{panic, #{message := Spiteful}}, _} = ending(counts, spiteful),
    say(spiteful, Spiteful),
    {{panic, #{message := Resumed}}, _} = ending(counts, resumed),
    say(resumed, Resumed),
    {ok, Pid} = start(counts),
    Pid ! unreadable,
    {{panic, #{message := Unreadable, file := File}}, _} = exit_of(Pid),
    say(unreadable, {Unreadable, File}),
    {ok, Hides} = start(hides),
    catch gen_server:stop(Hides, in_order, 5000),
    say(unshowable, exit_of(Hides)).

%% When a process is killed, everything it held is dropped: its state, and the future that waits.
drops() ->
    {ok, Counter} = start(counts),
    %% Returns the number of processes that have ended so far.
    Before = 4,
    true = dropped(Counter, Before),
    {ok, Held} = start(counts),
    spawn(fun() -> catch gen_server:call(Held, hold) end),
    waiting(Held),
    exit(Held, kill),
    killed = exit_of(Held),
    say(killed, dropped(Counter, Before + 2)),
    {ok, Panics} = start(panics),
    exit(Panics, kill),
    killed = exit_of(Panics),
    say(panics_when_dropped, dropped(Counter, Before + 3)).

%% Only the own process can use a state, and only in one call at a time.
cells() ->
    {ok, Pid} = start(counts),
    State = sys:get_state(Pid),
    say(resumed_by_another, error_of(fun() -> resume(State) end)),
    say(shown_by_another, probe_nif:format_state(State) =:= State),
    Own = self(),
    State = sys:replace_state(Pid, fun(S) ->
        Own ! {nothing_waits, error_of(fun() -> resume(S) end)},
        S
    end),
    say(nothing_waits, receive {nothing_waits, Error} -> Error after ?PATIENCE -> halt(1) end),
    say(still_there, is_integer(gen_server:call(Pid, dropped))),
    %% While a callback runs or waits, it has the state, and another call in its process cannot get
    %% it.
    Call = [dropped, {self(), tag}, State],
    Within = {apply, hazard, handle_call, Call},
    {{bad_term, #{path := Path}}, _} = exit_with(Pid, Within),
    say(called_within, Path),
    say(after_its_end, element(1, error_of(fun() -> apply(hazard, handle_call, Call) end))),
    %% The waiting callback continues in its process, once. No other process can continue it.
    {ok, Waits} = start(counts),
    Again = {apply, probe_nif, continue, [{alone, sys:get_state(Waits), {sleep, 0}}]},
    {Reason, _} = exit_with(Waits, Again),
    say(resumed_within, Reason).

%% A library that is loaded again does not see the states of the previous one.
reload() ->
    {ok, Old} = start(counts),
    true = code:delete(probe_nif),
    _ = code:purge(probe_nif),
    {{bad_term, #{path := Path}}, _} = exit_with(Old, dropped),
    say(old_state, Path),
    {ok, New} = start(counts),
    say(new_state, is_integer(gen_server:call(New, dropped))).

%% Values of the maximum depth are read, kept, returned and dropped. Deeper ones are refused.
depths() ->
    {ok, Keeps} = deep:start_link({}, []),
    Chain = chain(10000),
    done = gen_server:call(Keeps, {keep, Chain}, 60000),
    say(deep_kept, gen_server:call(Keeps, {keep, done}, 60000) =:= Chain),
    done = gen_server:call(Keeps, {keep, Chain}, 60000),
    exit(Keeps, kill),
    say(deep_dropped, exit_of(Keeps)),
    {ok, Refuses} = deep:start_link({}, []),
    {_, Expected} = refused(Refuses, {keep, chain(1000000)}),
    say(too_deep, Expected).

%% The call fails, and the server continues with its state.
refused(Server, Request) ->
    {bad_request, {bad_term, #{path := Path, expected := Expected}}} =
        try gen_server:call(Server, Request, 60000) catch exit:{Reason, _} -> Reason end,
    done = gen_server:call(Server, {keep, done}, 60000),
    {Path, Expected}.

chain(Depth) ->
    Sides = [lists:nth(1 + Level rem 2, [l, r]) || Level <- lists:seq(1, Depth)],
    lists:foldl(fun(Side, Inner) -> {x, Inner, Side} end, done, Sides).

%% A message above the limit is refused, and a message below it is read. A binary that is not copied
%% does not count, however large it is and wherever it is in the message.
sizes() ->
    {ok, Pid} = deep:start_link({}, []),
    Large = binary:copy(<<"a">>, 100000000),
    say(shared, [gen_server:call(Pid, {size, Large}, 60000), gen_server:call(Pid, {size, binary:part(Large, 5, 90000000)}, 60000)]),
    say(shared_term, gen_server:call(Pid, {any, {[Large, #{Large => Large}]}}, 60000)),
    say(large, gen_server:call(Pid, {length, binary:part(Large, 0, 9000000)}, 60000)),
    say(too_large, refused(Pid, {length, Large})),
    gen_server:cast(Pid, {length, Large}),
    say(too_large_cast, gen_server:call(Pid, {length, <<"abc">>}, 60000)).

%% A report names a location in the application. It never names a source file of Rust or otp-rs, or
%% a path of the machine.
places() ->
    {ok, Fails} = deep:start_link({}, []),
    catch gen_server:call(Fails, {fail, no}),
    {no, [{deep, handle_call, 3, Failed} | _]} = exit_of(Fails),
    {ok, Lever} = lever:start_link({}, []),
    gen_statem:cast(Lever, nobody_takes_this),
    {_, [{lever, handle_event, 4, Event} | _]} = exit_of(Lever),
    {ok, Deep} = deep:start_link({}, []),
    Deep ! nobody_takes_this,
    timer:sleep(0),
    gen_server:cast(Deep, nobody_takes_this),
    {_, [{deep, handle_cast, 2, Cast} | _]} = exit_of(Deep),
    {ok, Echo} = abyss:start_link({}, []),
    gen_server:cast(Echo, nobody_takes_this),
    {_, [{abyss, handle_cast, 2, Without} | _]} = exit_of(Echo),
    say(places, [proplists:get_value(file, Location) || Location <- [Failed, Event, Cast, Without]]).

%% A return value that would make OTP call a missing clause is refused where it is returned.
calls() ->
    {ok, Pid} = start(counts),
    catch gen_server:call(Pid, {later, {tick, 1}}),
    {{bad_return_value, Text}, [{hazard, handle_call, 3, Location} | _]} = exit_of(Pid),
    say(called_in_vain, {Text, proplists:get_value(file, Location), proplists:get_value(line, Location) > 0}).

%% A state machine refuses such a value, too, however the action was created.
machines() ->
    [begin
        {ok, Pid} = lever:start_link({}, []),
        catch gen_statem:call(Pid, Do),
        {{bad_return_value, Text}, [{lever, handle_event, 4, Location} | _]} = exit_of(Pid),
        say(Key, {Text, proplists:get_value(file, Location), proplists:get_value(line, Location) > 0})
    end || {Key, Do} <- [
        {timeout_in_vain, close}, {event_in_vain, {next, 7}}, {time_in_vain, {wait, -1}}, {module_in_vain, {push, deep}}
    ]],
    % An Erlang module passes the data on.
    {ok, Lever} = lever:start_link({}, []),
    1 = gen_statem:call(Lever, {push, ?MODULE}),
    say(guest, gen_statem:call(Lever, guest)),
    2 = gen_statem:call(Lever, {push, lever}),
    say(itself, gen_statem:call(Lever, {next, next})).

callback_mode() -> handle_event_function.

handle_event({call, From}, guest, State, Data) ->
    {keep_state_and_data, [{reply, From, {State, is_reference(Data)}}, pop_callback_module]}.

%% Does what the library's module does for a waiting callback.
resume(Cell) -> probe_nif:continue({alone, Cell, {sleep, 0}}).

start(Manner) -> hazard:start_link({start, Manner}, []).

ending(Manner, Request) ->
    {ok, Pid} = start(Manner),
    exit_with(Pid, Request).

exit_with(Pid, Request) ->
    catch gen_server:call(Pid, Request),
    exit_of(Pid).

exit_of(Pid) -> receive {'EXIT', Pid, Reason} -> Reason after ?PATIENCE -> halt(1) end.

error_of(Body) ->
    try Body() catch error:Reason -> Reason end.

%% Waits until the process waits in the library's module.
waiting(Pid) -> waiting(Pid, 6000).

waiting(_, 0) -> halt(1);
waiting(Pid, Times) ->
    case process_info(Pid, current_function) of
        {current_function, {probe_nif, Waits, _}} when Waits =:= call; Waits =:= perform; Waits =:= await -> ok;
        _ -> timer:sleep(20), waiting(Pid, Times - 1)
    end.

%% Returns whether this many values are dropped in time.
dropped(Counter, Wanted) -> dropped(Counter, Wanted, 6000).

dropped(_, _, 0) -> false;
dropped(Counter, Wanted, Times) ->
    case gen_server:call(Counter, dropped) of
        Wanted -> true;
        _ -> timer:sleep(20), dropped(Counter, Wanted, Times - 1)
    end.

say(Key, Value) -> io:format("~s=~0tp~n", [Key, Value]).
