#!/usr/bin/env escript
%%! +P 2000000
%% `cargo xtask soak` runs this program. It does everything to the servers of the application
%% `chaos` for some minutes, and prints how much memory and other resources they use. Then it
%% starts, calls and ends a million processes. The exit status is 1 if a check failed or a resource
%% kept growing.
-mode(compile).
-include("chaos.hrl").
-define(MILLION, 1000000).
%% The interval between two printed lines, in seconds.
-define(EVERY, 10).

main([Ebin, Minutes]) ->
    begin_with(chaos, Ebin),
    ok = logger:set_primary_config(level, none),
    ok = distributed(),
    Root = [whereis(Name) || Name <- [clerk, brood]],
    %% Creates everything that is created only once: code, atoms, and processes of OTP that start
    %% when they are first needed.
    io:format("the first round ...~n"),
    Counts = round(0, Ebin, #{}),
    Before = erlang:system_info(process_count),
    io:format("~s~n", [heading()]),
    End = erlang:monotonic_time(second) + round(number(Minutes) * 60),
    {Samples, All} = rounds(1, Ebin, Before, End, [], Counts),
    summary(All),
    Flat = flat(Samples),
    Million = million(Before),
    Alive = Root =:= [whereis(Name) || Name <- [clerk, brood]],
    Good = Flat andalso Million andalso Alive andalso maps:get(wrong, All, 0) =:= 0,
    io:format("~s~n", [case Good of true -> "the soak is passed"; false -> "the soak has FAILED" end]),
    erlang:halt(case Good of true -> 0; false -> 1 end).

number(Text) ->
    {Number, []} = case string:to_float(Text) of {error, _} -> string:to_integer(Text); Read -> Read end,
    Number.

%% Runs rounds until the time is over. Takes a sample when all processes of a round have ended.
rounds(Number, Ebin, Before, End, Samples, Counts) ->
    Until = min(End, erlang:monotonic_time(second) + ?EVERY),
    {Next, More} = some_rounds(Number, Ebin, Until, Counts),
    settled(Before),
    Sample = sample(),
    io:format("~s~n", [line(Sample, More)]),
    case erlang:monotonic_time(second) >= End of
        true -> {lists:reverse([Sample | Samples]), More};
        false -> rounds(Next, Ebin, Before, End, [Sample | Samples], More)
    end.

some_rounds(Number, Ebin, Until, Counts) ->
    More = round(Number, Ebin, Counts),
    case erlang:monotonic_time(second) >= Until of
        true -> {Number + 1, More};
        false -> some_rounds(Number + 1, Ebin, Until, More)
    end.

%% A round: a little of everything, and one of the longer parts in turn.
round(Number, Ebin, Counts) ->
    Small = [walks(), long_walks(2000), holds(), answers(), dropped(), children(1000), resources(1000), timers(100)],
    Large = case Number of
        0 -> large(0, Ebin) ++ large(1, Ebin) ++ large(2, Ebin) ++ large(3, Ebin);
        _ -> large(Number rem 4, Ebin)
    end,
    lists:foldl(fun count/2, Counts, Small ++ Large).

large(0, _) -> [mailbox(100000, answered)];
large(1, _) -> [mailbox(100000, killed)];
large(2, _) -> [crowd(100000)];
large(3, Ebin) -> [lost_node(Ebin, 50)].

%% Counts the checks by their outcomes.
count(Checks, Counts) ->
    Wrong = wrong(Checks),
    [io:format("WRONG ~0tp~n", [Check]) || Check <- lists:sublist(Wrong, 20)],
    Ends = lists:foldl(fun({_, _, Got}, Map) ->
        lists:foldl(fun(End, Ended) -> maps:update_with(End, fun(N) -> N + 1 end, 1, Ended) end, Map, ends(Got))
    end, Counts, Checks),
    maps:update_with(wrong, fun(N) -> N + length(Wrong) end, length(Wrong), Ends).

ends({ok, _}) -> [replied];
ends({panic, _}) -> [panicked];
ends({nodedown, _}) -> [nodedown];
ends(Got) when is_tuple(Got) -> lists:append([ends(Part) || Part <- tuple_to_list(Got)]);
ends([_ | _] = Got) -> lists:append([ends(Part) || Part <- Got]);
ends(End) when is_atom(End), End =/= true -> [End];
ends(_) -> [].

%% Returns the measured bytes and numbers.
sample() ->
    Memory = maps:from_list(erlang:memory([total, processes, binary])),
    Memory#{
        atoms => erlang:system_info(atom_count),
        ports => erlang:system_info(port_count),
        ets => erlang:system_info(ets_count),
        count => erlang:system_info(process_count),
        states => living:states(),
        tokens => living:tokens(),
        resident => resident()
    }.

%% Returns the resident memory of this VM, if the system has `/proc`.
resident() ->
    case file:read_file("/proc/self/status") of
        {ok, Status} ->
            {match, [Size]} = re:run(Status, "VmRSS:\\s+([0-9]+) kB", [{capture, all_but_first, list}]),
            1024 * list_to_integer(Size);
        {error, _} -> 0
    end.

%% The columns, each with the bound of its growth: as a fraction, and as a number.
columns() ->
    [{total, "VM MB", 0.05, 2 bsl 20}, {processes, "processes MB", 0.05, 2 bsl 20}, {binary, "binaries MB", 0.05, 1 bsl 20},
     {resident, "RSS MB", 0.25, 32 bsl 20}, {atoms, "atoms", 0.0, 50}, {count, "processes", 0.0, 3},
     {ports, "ports", 0.0, 1}, {ets, "tables", 0.0, 2}, {states, "states", 0.0, 0}, {tokens, "resources", 0.0, 0}].

heading() ->
    lists:join("  ", ["    s" | [Name || {_, Name, _, _} <- columns()]] ++ ["answered", "killed", "wrong"]).

line(Sample, Counts) ->
    {Total, _} = erlang:statistics(wall_clock),
    Cells = [cell(maps:get(Key, Sample), Name) || {Key, Name, _, _} <- columns()],
    Ends = [integer_to_list(maps:get(Key, Counts, 0)) || Key <- [replied, killed, wrong]],
    lists:join("  ", [io_lib:format("~5b", [Total div 1000]) | Cells ++ Ends]).

cell(Value, Name) -> string:pad(shown(Value, Name), length(Name), leading).

shown(Value, Name) ->
    case lists:suffix("MB", Name) of
        true -> io_lib:format("~.1f", [Value / (1 bsl 20)]);
        false -> integer_to_list(Value)
    end.

summary(Counts) ->
    io:format("~nhow calls and processes have ended:~n"),
    [io:format("  ~-12ts ~b~n", [io_lib:format("~tp", [Key]), Count])
        || {Key, Count} <- lists:reverse(lists:keysort(2, maps:to_list(Counts)))].

%% Returns whether the median of the last quarter of the samples exceeds that of the second quarter
%% by at most the bound. The first quarter does not count, because allocators acquire their reserves
%% in it. The library also uses the VM's allocator (`otp_bridge::VmAllocator`), so the samples
%% include its memory.
flat(Samples) when length(Samples) < 4 ->
    io:format("~ntoo few samples (~b) to say whether memory stays flat~n", [length(Samples)]),
    true;
flat(Samples) ->
    Quarter = length(Samples) div 4,
    Second = lists:sublist(Samples, Quarter + 1, Quarter),
    Last = lists:nthtail(length(Samples) - Quarter, Samples),
    io:format("~nthe second quarter, the last (medians; the least of RSS), and what that may be at most:~n"),
    lists:all(fun(Is) -> Is end, [begin
        [Before, After] = [of_all(Key, [maps:get(Key, Sample) || Sample <- Half]) || Half <- [Second, Last]],
        Bound = Before + max(round(Before * Part), Number),
        Is = After =< Bound,
        io:format("  ~-13s ~12s ~12s ~12s  ~s~n", [Name, shown(Before, Name), shown(After, Name), shown(Bound, Name),
            case Is of true -> "flat"; false -> "GROWS" end]),
        Is
    end || {Key, Name, Part, Number} <- columns()]).

%% After 100,000 processes, the reserves of allocators vary by a hundred megabytes, so only the
%% smallest sample shows a leak. `erlang:memory(total)` is exact, and includes leaks as well.
of_all(resident, Samples) -> lists:min(Samples);
of_all(_, Samples) -> lists:nth((length(Samples) + 1) div 2, lists:sort(Samples)).

%% Starts a million processes, calls each of them while all exist, and ends them.
million(Before) ->
    io:format("~na million processes:~n"),
    Share = ?MILLION div ?WORKERS,
    Empty = sample(),
    {Started, Victims} = took(fun() -> shares(fun(_) -> [victim() || _ <- lists:seq(1, Share)] end, lists:seq(1, ?WORKERS)) end),
    Full = sample(),
    {Answered, Answers} = took(fun() ->
        shares(fun(Some) -> [length([right || Victim <- Some, ask(Victim, {echo, 9}) =:= {ok, 9}])] end, Victims)
    end),
    {Ended, Ends} = took(fun() ->
        shares(fun(Some) ->
            Monitors = [{Victim, monitor(process, Victim)} || Victim <- Some],
            [exit(Victim, shutdown) || Victim <- Some],
            [length([right || {_, Monitor} <- Monitors, end_of(Monitor) =:= shutdown])]
        end, Victims)
    end),
    settled(Before),
    Sums = [lists:sum([length(Some) || Some <- Victims]), lists:sum(lists:append(Answers)), lists:sum(lists:append(Ends))],
    [io:format("  ~-9s ~b in ~.1f s: ~.1f us each~n", [What, Sum, Time / 1.0e6, Time / max(Sum, 1)])
        || {What, Sum, Time} <- lists:zip3(["started", "answered", "ended"], Sums, [Started, Answered, Ended])],
    io:format("  each took ~b bytes of the VM's memory, ~b of RSS~n",
        [(maps:get(Key, Full) - maps:get(Key, Empty)) div ?MILLION || Key <- [total, resident]]),
    io:format("  left: ~b states, ~b resources~n", [living:states(), living:tokens()]),
    Sums =:= [Share * ?WORKERS || _ <- Sums].

took(Fun) ->
    Began = erlang:monotonic_time(microsecond),
    Result = Fun(),
    {erlang:monotonic_time(microsecond) - Began, Result}.

%% Runs each share in a process of its own.
shares(Fun, Shares) ->
    Workers = [spawn_monitor(fun() -> exit({done, Fun(Share)}) end) || Share <- Shares],
    [receive {'DOWN', Monitor, process, _, {done, Done}} -> Done end || {_, Monitor} <- Workers].
