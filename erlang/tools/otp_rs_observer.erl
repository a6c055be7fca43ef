%% Runs in the observed node: it serves a page on the node's own loopback address, until the last
%% command that observes the node ends. Each command admits one browser. The node needs only OTP,
%% and no part of the observer stays in it.
-module(otp_rs_observer).
-behaviour(gen_server).
-export([start/1, join/1, leave/1, init/1, handle_call/3, handle_cast/2, handle_info/2]).
-export_type([order/0]).

%% The observing process, the port or 0 for any, the secrets of the address and of the session, the
%% folder of the page in addresses, the files of the page, whether processes may be changed, the
%% build of these modules and files, and the modules that are removed at the end.
-type order() :: #{
    owner := pid(),
    port := inet:port_number(),
    token := binary(),
    session := binary(),
    folder := binary(),
    pages := #{binary() => {Type :: binary(), Content :: binary()}},
    may_write := boolean(),
    build := binary(),
    modules := [module()]
}.

%% The maximum number of commands at a time.
-define(VIEWERS, 8).

%% The removal of the observer after its end. The code is text that the node evaluates, because the
%% observer's own modules are removed and therefore cannot run it.
-define(REMOVE, "
    _ = try register(otp_rs_observer_remover, self()) catch error:badarg -> taken end,
    Monitor = monitor(process, Observer),
    receive {'DOWN', Monitor, process, Observer, _} -> ok end,
    _ = logger:remove_handler(otp_rs_observer),
    lists:foreach(fun(Module) -> code:purge(Module), code:delete(Module), code:purge(Module) end, Modules).
").

%% Starts the observer, and returns it, the process that removes everything when the observer has
%% ended, and the port. A node has at most one observer.
-spec start(order()) -> {ok, pid(), pid(), inet:port_number()} | {error, full | other_build | {port, inet:port_number()} | inet:posix()}.
start(Order) ->
    case gen_server:start({local, ?MODULE}, ?MODULE, Order, []) of
        {ok, Observer} ->
            {Port, Remover} = gen_server:call(Observer, begun),
            {ok, Observer, Remover, Port};
        {error, {already_started, _}} ->
            join(Order);
        {error, Reason} ->
            {error, Reason}
    end.

%% Adds a command that observes the node. It has its own secrets and its own permissions for the
%% page.
-spec join(order()) -> {ok, pid(), pid(), inet:port_number()} | {error, full | other_build | {port, inet:port_number()}}.
join(Order) ->
    case gen_server:call(?MODULE, {join, Order}) of
        {ok, Port, Remover} -> {ok, whereis(?MODULE), Remover, Port};
        {error, Reason} -> {error, Reason}
    end.

%% Removes the command of this process. Returns whether it was the last one.
-spec leave(pid()) -> boolean().
leave(Owner) ->
    gen_server:call(?MODULE, {leave, Owner}).

-spec remover(pid(), [module()]) -> pid().
remover(Observer, Modules) ->
    {ok, Tokens, _} = erl_scan:string(?REMOVE),
    {ok, Expressions} = erl_parse:parse_exprs(Tokens),
    Bindings = lists:foldl(fun({Name, Value}, All) -> erl_eval:add_binding(Name, Value, All) end,
        erl_eval:new_bindings(), [{'Observer', Observer}, {'Modules', Modules}]),
    spawn(erl_eval, exprs, [Expressions, Bindings]).

%% All processes and the socket are linked to this one, and end with it.
-spec init(order()) -> {ok, map()} | {stop, inet:posix()}.
init(#{port := Wanted, modules := Modules, build := Build, pages := Pages} = Order) ->
    %% Log entries of this process belong to this node, but the group leader of the process that has
    %% started it belongs to another one.
    true = group_leader(whereis(init), self()),
    Remover = remover(self(), Modules),
    case otp_rs_observer_http:listen(Wanted) of
        {ok, Listener} ->
            {ok, Port} = inet:port(Listener),
            ok = otp_rs_observer_process:load(),
            Log = otp_rs_observer_log:start(?MODULE),
            {ok, Sampler} = otp_rs_observer_sampler:start_link(Log),
            Site = otp_rs_observer_site:new(#{port => Port, sampler => Sampler, pages => Pages}),
            Answer = fun(Request) -> otp_rs_observer_site:answer(Request, Site) end,
            Server = spawn_link(otp_rs_observer_http, accept, [Listener, Answer]),
            ok = otp_rs_observer_sampler:hide(Sampler, [self(), Server, Remover]),
            {ok, joined(Order, #{site => Site, build => Build, viewers => #{}, port => Port, remover => Remover})};
        {error, Reason} ->
            {stop, Reason}
    end.

handle_call(begun, {Caller, _}, #{port := Port, remover := Remover} = State) when is_pid(Caller) ->
    {reply, {Port, Remover}, State};
handle_call({join, #{owner := Owner, port := Wanted, build := Build, folder := Folder, token := Token, session := Session,
                     may_write := MayWrite} = Order}, {Caller, _}, #{port := Port, remover := Remover} = State)
        when is_pid(Caller), is_pid(Owner), is_binary(Build), is_binary(Folder), is_binary(Token), is_binary(Session),
             is_boolean(MayWrite) ->
    case {is_same(Order, State), map_size(maps:get(viewers, State)) < ?VIEWERS, Wanted =:= 0 orelse Wanted =:= Port} of
        {true, true, true} -> {reply, {ok, Port, Remover}, joined(Order, State)};
        {false, _, _} -> {reply, {error, other_build}, State};
        {_, false, _} -> {reply, {error, full}, State};
        {_, _, false} -> {reply, {error, {port, Port}}, State}
    end;
handle_call({leave, Owner}, {Caller, _}, #{viewers := Viewers} = State) when is_pid(Caller) ->
    case [Monitor || {Monitor, {Known, _}} <- maps:to_list(Viewers), Known =:= Owner] of
        [Monitor] -> left(Monitor, State, fun(Left, Next) -> reply(Left, Next) end);
        [] -> {reply, false, State}
    end;
handle_call(_, _, State) -> {noreply, State}.

-spec reply(boolean(), map()) -> {reply, boolean(), map()} | {stop, shutdown, boolean(), map()}.
reply(true, State) -> {stop, shutdown, true, State};
reply(false, State) -> {reply, false, State}.

handle_cast(_, State) -> {noreply, State}.

%% A command has ended, in whatever way.
handle_info({'DOWN', Monitor, process, _, _}, #{viewers := Viewers} = State) when is_map_key(Monitor, Viewers) ->
    left(Monitor, State, fun
        (true, Next) -> {stop, shutdown, Next};
        (false, Next) -> {noreply, Next}
    end);
handle_info(_, State) -> {noreply, State}.

-spec is_same(order(), map()) -> boolean().
is_same(#{build := Build}, #{build := Own}) -> Build =:= Own.

-spec joined(order(), map()) -> map().
joined(#{owner := Owner, folder := Folder} = Order, #{site := Site, viewers := Viewers} = State) ->
    ok = otp_rs_observer_site:let_in(Order, Site),
    State#{viewers := Viewers#{monitor(process, Owner) => {Owner, Folder}}}.

%% Ends the pages of a command. The fun receives whether it was the last command.
-spec left(reference(), map(), fun((boolean(), map()) -> Result)) -> Result.
left(Monitor, #{site := Site, viewers := Viewers} = State, Next) ->
    demonitor(Monitor, [flush]),
    {{_, Folder}, Others} = maps:take(Monitor, Viewers),
    ok = otp_rs_observer_site:keep_out(Folder, Site),
    Next(map_size(Others) =:= 0, State#{viewers := Others}).
