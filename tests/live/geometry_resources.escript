#!/usr/bin/env escript
%% Uses resources and shared values of the application `geometry`. Prints one `key=term` per line.
-mode(compile).
-define(PATIENCE, 120000).

main([Ebin]) ->
    true = code:add_patha(Ebin),
    ok = logger:remove_handler(default),
    ok = application:start(geometry),
    handles(),
    refused(),
    dropped(),
    monitors(),
    shared(),
    rude(),
    init:stop().

say(Key, Value) -> io:format("~s=~0tp~n", [Key, Value]).

handles() ->
    Index = search:new(),
    say(is_reference, is_reference(Index)),
    say(added, [search:add(Index, Word) || Word <- [<<"a">>, <<"b">>, <<"a">>]]),
    say(size, search:size(Index)),
    say(same, search:same(Index) =:= Index),
    say(in_owned_terms, search:echo({[Index], #{Index => 1}}) =:= {[Index], #{Index => 1}}),
    say(thread, search:add_all(Index, [<<"c">>, <<"d">>])),
    say(through_bytes, search:size(binary_to_term(term_to_binary(Index)))),
    Main = self(),
    spawn_link(fun() -> Main ! {elsewhere, search:add(Index, <<"e">>), search:size(Index)} end),
    say(elsewhere, receive {elsewhere, 1, Size} -> Size after ?PATIENCE -> none end),
    say(in_ets, begin
        Table = ets:new(table, []),
        true = ets:insert(Table, {index, Index}),
        search:size(ets:lookup_element(Table, index, 2))
    end).

refused() ->
    say(no_reference, reason(fun() -> search:size(index) end)),
    Reference = reason(fun() -> search:size(make_ref()) end),
    say(other_reference, re:replace(Reference, "#Ref<.*>", "REF", [{return, binary}])),
    say(other_type, reason(fun() -> search:size(rude:new()) end)).

reason(Fun) ->
    try Fun()
    catch error:badarg:Stack ->
        [Text] = maps:values(otp_rs:format_error(badarg, Stack)),
        Text
    end.

%% The value is dropped with its last term, in whichever process that is. The process that created
%% the value gets a message.
dropped() ->
    say(with_its_process, dropped(fun(_) -> ok end)),
    say(with_a_message, dropped(fun(Index) ->
        Pid = spawn(fun() -> receive never -> ok end end),
        Pid ! Index,
        fun() -> exit(Pid, kill) end
    end)),
    Table = ets:new(table, [public]),
    say(with_a_table_entry, dropped(fun(Index) ->
        true = ets:insert(Table, {index, Index}),
        fun() -> ets:delete(Table, index) end
    end)),
    say(with_a_state, dropped(fun(Index) ->
        undefined = gen_server:call(till, {keep, Index}),
        fun() -> forget() end
    end)),
    say(with_a_clone_of_an_argument, dropped(fun(Index) ->
        ok = search:keep(Index),
        fun() -> true = search:forget() end
    end)),
    say(with_an_owned_term, dropped(fun(Index) -> search:echo([Index]) =:= [Index] end)).

%% The reply is the index, and its receiver is a process that ends.
forget() ->
    {Pid, Monitor} = spawn_monitor(fun() -> true = is_reference(gen_server:call(till, {keep, undefined})) end),
    receive {'DOWN', Monitor, process, Pid, normal} -> ok after ?PATIENCE -> halt(1) end,
    %% Until then, the messages that the server has received are on its heap.
    garbage_collect(whereis(till)).

%% One process creates an index and sends it to another process, which uses it. Returns
%% `{Before, After}`: whether the index was dropped before its last term was gone, and whether it
%% was dropped afterwards.
dropped(Give) ->
    Main = self(),
    Maker = spawn_link(fun() ->
        {Giver, Monitor} = spawn_monitor(fun() -> receive {give, Index} -> exit({given, Give(Index)}) end end),
        make_and_give(Giver),
        Release = receive {'DOWN', Monitor, process, Giver, {given, Given}} -> Given after ?PATIENCE -> halt(1) end,
        garbage_collect(),
        Before = case is_function(Release) of
            true ->
                Early = receive dropped -> true after 100 -> false end,
                Release(),
                garbage_collect(),
                Early;
            false -> false
        end,
        Main ! {self(), Before, receive dropped -> true after ?PATIENCE -> false end}
    end),
    receive {Maker, Before, After} -> {Before, After} after ?PATIENCE -> halt(1) end.

make_and_give(Giver) ->
    Index = search:new(),
    1 = search:add(Index, <<"a">>),
    Giver ! {give, Index},
    ok.

%% A resource is notified when a process that it monitors ends.
monitors() ->
    Index = search:new(),
    [First, Second, Third] = [spawn(fun() -> receive stop -> ok end end) || _ <- [1, 2, 3]],
    say(watch, [search:watch(Index, Pid) || Pid <- [First, Second, Third]]),
    say(unwatch, search:unwatch(Index)),
    Third ! stop,
    First ! stop,
    say(ended, receive {ended, First} -> true; {ended, _} -> other after ?PATIENCE -> none end),
    exit(Second, kill),
    say(killed, receive {ended, Second} -> true; {ended, _} -> other after ?PATIENCE -> none end),
    say(too_late, search:watch(Index, First)),
    say(unwatched, receive {ended, _} -> other after 0 -> none end).

%% All processes share one value, also after a restart from the child spec.
shared() ->
    Prices = gen_server:call(till, lend),
    say(shared, gen_server:call(till, {take, Prices})),
    Till = whereis(till),
    Monitor = monitor(process, Till),
    exit(Till, kill),
    receive {'DOWN', Monitor, process, Till, killed} -> ok after ?PATIENCE -> halt(1) end,
    say(restarted, gen_server:call(again(), {take, Prices})),
    {ok, Other} = till:start_link(Prices, []),
    say(other_process, gen_server:call(Other, {take, Prices})),
    unlink(Other),
    Refused = try gen_server:call(Other, {take, search:new()}) catch exit:{{{no_clause, _, Errors}, _}, _} -> Errors end,
    say(wrong, lists:sort(maps:to_list(lists:last(Refused)))).

again() ->
    case whereis(till) of
        undefined -> timer:sleep(10), again();
        Pid -> Pid
    end.

%% A destructor that panics has no effect on any process.
rude() ->
    {Pid, Monitor} = spawn_monitor(fun() -> true = rude:is_rude(rude:new()) end),
    receive {'DOWN', Monitor, process, Pid, Reason} -> say(rude, Reason) after ?PATIENCE -> halt(1) end,
    say(alive, search:size(search:new())).
