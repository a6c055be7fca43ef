%% The supervisor behind a `DynamicSupervisor` of Rust: its flags and its template are arguments. If
%% it has shards, it supervises several such supervisors, which share its children, because one
%% supervisor starts one child after the other. The module is the same in every application.
%%
%% If the number of children is limited, a counter, which all starts share, decides about each of
%% them without a message. The counter does not see children end: when it has reached the limit, it
%% is set to the number of children that the supervisor reports.
-module(otp_rs_dynamic).
-behaviour(supervisor).
-export([start_link/2, start_link/3, start_link/4, init/1]).
-export([shard/1, admits/1, start_child/2, terminate_child/2, which_children/1, count_children/1]).
-export_type([supervision/0]).

-type supervision() :: {supervisor:sup_flags(), [supervisor:child_spec()]}.
-type sharded() :: {shards, Name :: atom(), Names :: [atom()], supervision()}.
%% The persistent term `{otp_rs_dynamic, Name}`: the number of the last shard that has started a
%% child, and the names of all shards.
-type shards() :: {atomics:atomics_ref(), tuple()}.
%% The persistent term `{otp_rs_dynamic, limit, Name}`: the largest number of children, and a
%% counter, followed by the time in milliseconds until which the supervisor counts as full.
-type limit() :: {Most :: pos_integer(), atomics:atomics_ref()}.

%% How long a supervisor that was full is not asked again, in milliseconds.
-define(FULL, 10).

-spec start_link({local, atom()}, supervision()) -> supervisor:startlink_ret().
start_link({local, Name}, Supervision) ->
    Started = supervisor:start_link({local, Name}, ?MODULE, Supervision),
    %% The supervisor may have had shards or a limit in an earlier build.
    _ = is_started(Started) andalso persistent_term:erase({?MODULE, Name}),
    _ = is_started(Started) andalso persistent_term:erase({?MODULE, limit, Name}),
    Started.

%% Starts a supervisor with shards. They are registered as `'orders/1'`, `'orders/2'`, …
-spec start_link({local, atom()}, supervision(), pos_integer()) -> supervisor:startlink_ret().
start_link({local, Name}, Supervision, Shards) ->
    Started = supervisor:start_link({local, Name}, ?MODULE, sharded(Name, Supervision, Shards)),
    _ = is_started(Started) andalso persistent_term:erase({?MODULE, limit, Name}),
    Started.

%% Starts a supervisor of at most this number of children, with shards unless their number is 0.
-spec start_link({local, atom()}, supervision(), non_neg_integer(), pos_integer()) -> supervisor:startlink_ret().
start_link({local, Name}, Supervision, 0, Most) ->
    Started = supervisor:start_link({local, Name}, ?MODULE, {limited, Name, Most, Supervision}),
    _ = is_started(Started) andalso persistent_term:erase({?MODULE, Name}),
    Started;
start_link({local, Name}, Supervision, Shards, Most) ->
    supervisor:start_link({local, Name}, ?MODULE, {limited, Name, Most, sharded(Name, Supervision, Shards)}).

-spec is_started(supervisor:startlink_ret()) -> boolean().
is_started({ok, _}) -> true;
is_started(_) -> false.

-spec sharded(atom(), supervision(), pos_integer()) -> sharded().
sharded(Name, Supervision, Shards) ->
    Names = [list_to_atom(lists:concat([Name, "/", Number])) || Number <- lists:seq(1, Shards)],
    {shards, Name, Names, Supervision}.

%% If a shard ends, all end, and the supervisor of this one restarts it: so a supervisor with shards
%% ends and is restarted as one without.
-spec init(supervision() | sharded() | {limited, atom(), pos_integer(), supervision() | sharded()}) -> {ok, supervision()}.
init({limited, Name, Most, Supervision}) ->
    _ = case limit(Name) of
        {Most, _} -> ok;
        _ ->
            Counter = atomics:new(2, []),
            ok = atomics:put(Counter, 2, erlang:monotonic_time(millisecond)),
            persistent_term:put({?MODULE, limit, Name}, {Most, Counter})
    end,
    init(Supervision);
init({shards, Name, Names, Supervision}) ->
    ok = remember(Name, list_to_tuple(Names)),
    Shard = fun(Id) ->
        #{id => Id, start => {?MODULE, start_link, [{local, Id}, Supervision]}, type => supervisor}
    end,
    {ok, {#{strategy => one_for_all, intensity => 0}, [Shard(Id) || Id <- Names]}};
init(Supervision) ->
    {ok, Supervision}.

%% An upgrade calls `init` again. Replacing a persistent term would cost a garbage collection of all
%% processes.
-spec remember(atom(), tuple()) -> ok.
remember(Name, Names) ->
    case shards(Name) of
        {_, Names} -> ok;
        _ -> persistent_term:put({?MODULE, Name}, {atomics:new(1, []), Names})
    end.

-spec shards(gen_server:server_ref()) -> shards() | none.
shards(Supervisor) ->
    persistent_term:get({?MODULE, Supervisor}, none).

%% Returns the supervisor that starts the next child: the shards take turns.
-spec shard(gen_server:server_ref()) -> gen_server:server_ref().
shard(Supervisor) ->
    case shards(Supervisor) of
        none -> Supervisor;
        {Last, Names} -> element(1 + atomics:add_get(Last, 1, 1) rem tuple_size(Names), Names)
    end.

-spec limit(gen_server:server_ref()) -> limit() | none.
limit(Supervisor) ->
    persistent_term:get({?MODULE, limit, Supervisor}, none).

%% Whether the supervisor may start one more child, which is counted. If this is unknown,
%% start_child/2 asks the supervisor.
-spec admits(gen_server:server_ref()) -> yes | {no, Most :: pos_integer()} | unknown.
admits(Supervisor) ->
    case limit(Supervisor) of
        none -> yes;
        {Most, Counter} ->
            case atomics:add_get(Counter, 1, 1) =< Most of
                true -> yes;
                false ->
                    case erlang:monotonic_time(millisecond) < atomics:get(Counter, 2) of
                        true -> {no, Most};
                        false -> unknown
                    end
            end
    end.

-spec start_child(gen_server:server_ref(), [term()]) -> supervisor:startchild_ret() | {error, {overload, pos_integer()}}.
start_child(Supervisor, Arguments) ->
    case admits(Supervisor) of
        yes -> supervisor:start_child(shard(Supervisor), Arguments);
        {no, Most} -> {error, {overload, Most}};
        unknown ->
            {Most, Counter} = limit(Supervisor),
            Active = proplists:get_value(active, count_children(Supervisor)),
            ok = atomics:put(Counter, 1, Active),
            _ = Active < Most orelse atomics:put(Counter, 2, erlang:monotonic_time(millisecond) + ?FULL),
            start_child(Supervisor, Arguments)
    end.

-spec terminate_child(gen_server:server_ref(), pid()) -> ok | {error, not_found | simple_one_for_one}.
terminate_child(Supervisor, Child) ->
    case shards(Supervisor) of
        none -> supervisor:terminate_child(Supervisor, Child);
        {_, Names} ->
            Parent = parent(Child),
            case lists:member(Parent, tuple_to_list(Names)) of
                true -> supervisor:terminate_child(Parent, Child);
                false -> {error, not_found}
            end
    end.

%% Returns the registered name of a process's supervisor.
-spec parent(pid()) -> atom().
parent(Child) when node(Child) =:= node() ->
    case process_info(Child, dictionary) of
        {dictionary, Words} ->
            case lists:keyfind('$ancestors', 1, Words) of
                {_, [Parent | _]} when is_atom(Parent) -> Parent;
                _ -> undefined
            end;
        undefined -> undefined
    end;
parent(_) ->
    undefined.

-spec which_children(gen_server:server_ref()) -> [tuple()].
which_children(Supervisor) ->
    lists:append([supervisor:which_children(Shard) || Shard <- all(Supervisor)]).

-spec count_children(gen_server:server_ref()) -> [{specs | active | supervisors | workers, non_neg_integer()}].
count_children(Supervisor) ->
    Counts = [supervisor:count_children(Shard) || Shard <- all(Supervisor)],
    Sum = fun(Kind) -> lists:sum([proplists:get_value(Kind, Count) || Count <- Counts]) end,
    [{specs, 1} | [{Kind, Sum(Kind)} || Kind <- [active, supervisors, workers]]].

-spec all(gen_server:server_ref()) -> [gen_server:server_ref()].
all(Supervisor) ->
    case shards(Supervisor) of
        none -> [Supervisor];
        {_, Names} -> tuple_to_list(Names)
    end.
