%% The rates, in a process of the application.
-module(tariff_table).
-behaviour(gen_server).
-include("tariff.hrl").
-export([start_link/0, rate/1]).
-export([init/1, handle_call/3, handle_cast/2]).

-spec start_link() -> gen_server:start_ret().
start_link() ->
    gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).

-spec rate(tariff:zone()) -> #rate{}.
rate(Zone) ->
    gen_server:call(?MODULE, Zone).

init([]) ->
    {ok, #{domestic => 450, abroad => 1200}}.

handle_call(Zone, _, Rates) ->
    {reply, #rate{zone = Zone, cents_per_kilogram = maps:get(Zone, Rates)}, Rates}.

handle_cast(_, Rates) ->
    {noreply, Rates}.
