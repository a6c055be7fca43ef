%% The programs of examples/savina in Erlang: a gen_server for each actor, under a supervisor.
-module(savina).
-behaviour(gen_server).

-export([main/1]).
-export([init/1, handle_continue/2, handle_call/3, handle_cast/2]).

-record(bench, {plan, begun, running}).

%% The command line of `erl -s savina main …`.
main(Arguments) ->
    {ok, Bench} = gen_server:start({local, bench}, ?MODULE, plan(Arguments), []),
    Monitor = monitor(process, Bench),
    receive {'DOWN', Monitor, process, Bench, Reason} -> init:stop(case Reason of normal -> 0; _ -> 1 end) end.

plan([ring, Members, Hops]) -> {ring, number(Members), number(Hops)};
plan([throughput, Actors, Messages]) -> {throughput, number(Actors), number(Messages)};
plan([creation, Actors]) -> {creation, number(Actors)};
plan([big, Actors]) -> {big, number(Actors)}.

number(Word) -> list_to_integer(atom_to_list(Word)).

init(Plan) ->
    Running = case Plan of {ring, _, _} -> 1; _ -> element(2, Plan) end,
    {ok, #bench{plan = Plan, running = Running}, {continue, start}}.

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
start({big, _}, Friends, _) ->
    [ok = gen_server:call(Friend, {friends, Friends}) || Friend <- Friends],
    Begun = erlang:monotonic_time(),
    [gen_server:cast(Friend, 'begin') || Friend <- Friends],
    Begun.

handle_call(_, _, Bench) -> {reply, ok, Bench}.

handle_cast(done, #bench{running = 1, begun = Begun} = Bench) ->
    Took = erlang:monotonic_time() - Begun,
    io:format("nanoseconds=~b~n", [erlang:convert_time_unit(Took, native, nanosecond)]),
    {stop, normal, Bench};
handle_cast(done, #bench{running = Running} = Bench) ->
    {noreply, Bench#bench{running = Running - 1}}.
