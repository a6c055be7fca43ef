%% Runs in the node that is observed: it serves a page on the node's own loopback address, for one
%% browser, until the command that has brought it ends. The node needs nothing but OTP, and nothing
%% of this stays in it.
-module(otp_rs_observer).
-behaviour(gen_server).
-export([start/1, init/1, handle_call/3, handle_cast/2, handle_info/2]).
-export_type([order/0]).

%% Who observes, the port or 0 for any, the secrets of the address and of the session, the folder of
%% the page in addresses, the files of the page, whether processes may be changed, and the modules
%% that are removed at the end.
-type order() :: #{
    owner := pid(),
    port := inet:port_number(),
    token := binary(),
    session := binary(),
    folder := binary(),
    pages := #{binary() => {Type :: binary(), Content :: binary()}},
    may_write := boolean(),
    modules := [module()]
}.

%% Its end, when nobody else is left to do it: the modules that did are then removed, so none of
%% them may run it.
-define(REMOVE, "
    Monitor = monitor(process, Observer),
    receive {'DOWN', Monitor, process, Observer, _} -> ok end,
    _ = logger:remove_handler(otp_rs_observer),
    lists:foreach(fun(Module) -> code:purge(Module), code:delete(Module), code:purge(Module) end, Modules).
").

%% The observer, the process that removes everything when the observer has ended, and the port. A
%% node has one observer.
-spec start(order()) -> {ok, pid(), pid(), inet:port_number()} | {error, observed | inet:posix()}.
start(Order) ->
    case gen_server:start({local, ?MODULE}, ?MODULE, Order, []) of
        {ok, Observer} ->
            {Port, Remover} = gen_server:call(Observer, begun),
            {ok, Observer, Remover, Port};
        {error, {already_started, _}} ->
            {error, observed};
        {error, Reason} ->
            {error, Reason}
    end.

-spec remover(pid(), [module()]) -> pid().
remover(Observer, Modules) ->
    {ok, Tokens, _} = erl_scan:string(?REMOVE),
    {ok, Expressions} = erl_parse:parse_exprs(Tokens),
    Bindings = lists:foldl(fun({Name, Value}, All) -> erl_eval:add_binding(Name, Value, All) end,
        erl_eval:new_bindings(), [{'Observer', Observer}, {'Modules', Modules}]),
    spawn(erl_eval, exprs, [Expressions, Bindings]).

%% All processes and the socket are linked to this one, and end with it.
-spec init(order()) -> {ok, map()} | {stop, inet:posix()}.
init(#{owner := Owner, port := Wanted, modules := Modules} = Order) ->
    %% What is logged here belongs to this node, and the group leader of who has started this is
    %% another one's.
    true = group_leader(whereis(init), self()),
    Remover = remover(self(), Modules),
    case otp_rs_observer_http:listen(Wanted) of
        {ok, Listener} ->
            {ok, Port} = inet:port(Listener),
            Monitor = monitor(process, Owner),
            ok = otp_rs_observer_process:load(),
            Log = otp_rs_observer_log:start(?MODULE),
            {ok, Sampler} = otp_rs_observer_sampler:start_link(Log),
            Site = otp_rs_observer_site:new((maps:without([owner, modules], Order))#{port => Port, sampler => Sampler}),
            Answer = fun(Request) -> otp_rs_observer_site:answer(Request, Site) end,
            Server = spawn_link(otp_rs_observer_http, accept, [Listener, Answer]),
            ok = otp_rs_observer_sampler:hide(Sampler, [self(), Server, Remover]),
            {ok, #{owner => Monitor, port => Port, remover => Remover}};
        {error, Reason} ->
            {stop, Reason}
    end.

handle_call(begun, {Caller, _}, #{port := Port, remover := Remover} = State) when is_pid(Caller) -> {reply, {Port, Remover}, State};
handle_call(_, _, State) -> {noreply, State}.

handle_cast(_, State) -> {noreply, State}.

%% The command has ended, in whatever way.
handle_info({'DOWN', Monitor, process, _, _}, #{owner := Monitor} = State) -> {stop, shutdown, State};
handle_info(_, State) -> {noreply, State}.
