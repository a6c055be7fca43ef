%% The supervisor of the actors.
-module(savina_workers).
-behaviour(supervisor).

-export([start_link/1, init/1]).

start_link(Plan) -> supervisor:start_link({local, workers}, ?MODULE, Plan).

%% Two workers for each core.
init({latency, _, _}) ->
    Workers = 2 * erlang:system_info(schedulers_online),
    {ok, {#{strategy => one_for_one}, [child(clerk, savina_clerk, none)
                                       | [child(Id, savina_worker, none) || Id <- lists:seq(1, Workers)]]}};
init(Plan) ->
    {ok, {#{strategy => one_for_one}, [actor(Id, Plan) || Id <- lists:seq(1, element(2, Plan))]}}.

actor(Id, Plan) ->
    {Module, Argument} = case Plan of
        {ring, _, _} -> {savina_member, none};
        {throughput, _, Messages} -> {savina_counter, Messages};
        {creation, _} -> {savina_counter, 0};
        {idle, _} -> {savina_counter, 0};
        {big, Actors} -> {savina_friend, Actors - 1}
    end,
    child(Id, Module, Argument).

child(Id, Module, Argument) ->
    #{id => Id, start => {gen_server, start_link, [Module, Argument, []]}, restart => temporary,
      shutdown => brutal_kill, modules => [Module]}.
