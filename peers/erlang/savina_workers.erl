%% The supervisor of the actors.
-module(savina_workers).
-behaviour(supervisor).

-export([start_link/1, init/1]).

start_link(Plan) -> supervisor:start_link({local, workers}, ?MODULE, Plan).

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
    #{id => Id, start => {gen_server, start_link, [Module, Argument, []]}, restart => temporary,
      shutdown => brutal_kill, modules => [Module]}.
