%% The programs of examples/savina in Erlang: a gen_server for each actor, under a supervisor.
-module(savina).
-behaviour(gen_server).

-export([main/1]).
-export([init/1, handle_continue/2, handle_call/3, handle_cast/2, handle_info/2]).

-record(bench, {plan, begun, resident, running, times = []}).

%% The command line of `erl -s savina main …`.
main(Arguments) ->
    {ok, Bench} = gen_server:start({local, bench}, ?MODULE, plan(Arguments), []),
    Monitor = monitor(process, Bench),
    receive {'DOWN', Monitor, process, Bench, Reason} -> init:stop(case Reason of normal -> 0; _ -> 1 end) end.

plan([ring, Members, Hops]) -> {ring, number(Members), number(Hops)};
plan([throughput, Actors, Messages]) -> {throughput, number(Actors), number(Messages)};
plan([creation, Actors]) -> {creation, number(Actors)};
plan([big, Actors]) -> {big, number(Actors)};
plan([idle, Actors]) -> {idle, number(Actors)};
plan([latency, Clients, PerMille]) -> {latency, number(Clients), number(PerMille)};
plan([timers, Timers]) -> {timers, number(Timers)}.

number(Word) -> list_to_integer(atom_to_list(Word)).

init(Plan) ->
    Running = case Plan of {ring, _, _} -> 1; _ -> element(2, Plan) end,
    {ok, #bench{plan = Plan, resident = resident(), running = Running}, {continue, start}}.

%% Timers need no actors.
handle_continue(start, #bench{plan = {timers, Timers}} = Bench) ->
    Begun = worked(),
    [erlang:send_after(500 + Timer rem 500, self(), done) || Timer <- lists:seq(1, Timers)],
    {noreply, Bench#bench{begun = Begun}};
handle_continue(start, #bench{plan = Plan} = Bench) ->
    Begun = erlang:monotonic_time(),
    {ok, Workers} = savina_workers:start_link(Plan),
    Pids = [Pid || {_, Pid, _, _} <- supervisor:which_children(Workers)],
    {noreply, Bench#bench{begun = start(Plan, Pids, Begun)}}.

start({ring, _, Hops}, [First | Rest] = Ring, _) ->
    [ok = gen_server:call(Member, {next, Next}) || {Member, Next} <- lists:zip(Ring, Rest ++ [First])],
    Begun = erlang:monotonic_time(),
    gen_server:cast(First, {hops, Hops}),
    Begun;
start({throughput, _, Messages}, Counters, _) ->
    Begun = erlang:monotonic_time(),
    [gen_server:cast(Counter, note) || _ <- lists:seq(1, Messages), Counter <- Counters],
    Begun;
start({creation, _}, _, Begun) ->
    Begun;
start({idle, _}, _, Begun) ->
    Begun;
%% `which_children` lists the first child, the clerk, last.
start({latency, Clients, _}, Pids, Begun) ->
    Clerk = lists:last(Pids),
    Clients = length([{ok, _} = gen_server:start_link(savina_client, {Clerk, Index, Clients}, [])
                      || Index <- lists:seq(0, Clients - 1)]),
    Begun;
start({big, _}, Friends, _) ->
    [ok = gen_server:call(Friend, {friends, Friends}) || Friend <- Friends],
    Begun = erlang:monotonic_time(),
    [gen_server:cast(Friend, 'begin') || Friend <- Friends],
    Begun.

handle_call(_, _, Bench) -> {reply, ok, Bench}.

handle_cast(done, Bench) -> handle_info(done, Bench);
handle_cast({times, Times}, Bench) -> handle_info(done, Bench#bench{times = Times ++ Bench#bench.times}).

handle_info(done, #bench{running = 1} = Bench) ->
    {Name, Figure} = figure(Bench),
    io:format("~s=~b~n", [Name, Figure]),
    {stop, normal, Bench};
handle_info(done, #bench{running = Running} = Bench) ->
    {noreply, Bench#bench{running = Running - 1}}.

figure(#bench{plan = {idle, _}, resident = Before}) -> {bytes, resident() - Before};
figure(#bench{plan = {latency, _, PerMille}, times = Times}) ->
    {nanoseconds, lists:nth(max(1, (length(Times) * PerMille + 999) div 1000), lists:sort(Times))};
figure(#bench{plan = {timers, _}, begun = Before}) -> {nanoseconds, worked() - Before};
figure(#bench{begun = Begun}) ->
    {nanoseconds, erlang:convert_time_unit(erlang:monotonic_time() - Begun, native, nanosecond)}.

%% Returns the bytes of resident memory.
resident() ->
    {ok, Status} = file:read_file("/proc/self/status"),
    %% The value is in KiB, whatever the size of a page is.
    {match, [Size]} = re:run(Status, "VmRSS:\\s*([0-9]+) kB", [{capture, all_but_first, binary}]),
    1024 * binary_to_integer(Size).

%% Returns the processor time that all threads have used, in nanoseconds.
worked() ->
    {ok, Text} = file:read_file("/proc/self/stat"),
    Fields = binary:split(Text, <<" ">>, [global]),
    10_000_000 * (binary_to_integer(lists:nth(14, Fields)) + binary_to_integer(lists:nth(15, Fields))).
