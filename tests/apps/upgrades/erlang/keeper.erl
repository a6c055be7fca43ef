%% A behaviour of this application only: a process that keeps values, with a loop of its own that
%% also answers `sys` messages.
-module(keeper).
-export([start/2, keep/2, begin_with/3]).
-export([system_continue/3, system_terminate/4, system_code_change/4]).

-callback init(Args :: term()) -> {ok, State :: term()}.

-callback keep(Amount :: non_neg_integer(), State :: term()) -> {kept, Sum :: non_neg_integer(), NewState :: term()}.

-callback code_change(OldVsn :: term(), State :: term(), Extra :: term()) -> {ok, NewState :: term()} | {error, term()}.

-optional_callbacks([code_change/3]).

-spec start(module(), term()) -> {ok, pid()}.
start(Module, Args) ->
    proc_lib:start_link(?MODULE, begin_with, [self(), Module, Args]).

-spec keep(pid(), non_neg_integer()) -> non_neg_integer().
keep(Keeper, Amount) ->
    Monitor = monitor(process, Keeper),
    Keeper ! {keep, self(), Monitor, Amount},
    receive
        {Monitor, Sum} ->
            demonitor(Monitor, [flush]),
            Sum;
        {'DOWN', Monitor, process, Keeper, Reason} -> exit(Reason)
    end.

-spec begin_with(pid(), module(), term()) -> no_return().
begin_with(Parent, Module, Args) ->
    {ok, State} = Module:init(Args),
    proc_lib:init_ack(Parent, {ok, self()}),
    loop(Parent, {Module, State, #{first => [State]}}).

-spec loop(pid(), {module(), term(), map()}) -> no_return().
loop(Parent, {Module, State, Kept}) ->
    receive
        {keep, From, Tag, Amount} ->
            {kept, Sum, New} = Module:keep(Amount, State),
            %% The state is one value, wherever the loop has it.
            #{first := [New]} = Kept,
            From ! {Tag, Sum},
            loop(Parent, {Module, New, Kept});
        {system, From, Request} ->
            sys:handle_system_msg(Request, From, Parent, ?MODULE, [], {Module, State, Kept})
    end.

-spec system_continue(pid(), [sys:dbg_opt()], {module(), term(), map()}) -> no_return().
system_continue(Parent, _, Loop) ->
    loop(Parent, Loop).

-spec system_terminate(term(), pid(), [sys:dbg_opt()], {module(), term(), map()}) -> no_return().
system_terminate(Reason, _, _, _) ->
    exit(Reason).

-spec system_code_change({module(), term(), map()}, module(), term(), term()) -> {ok, {module(), term(), map()}} | {error, term()}.
system_code_change({Module, State, Kept} = Loop, _, OldVsn, Extra) ->
    case erlang:function_exported(Module, code_change, 3) of
        true ->
            case Module:code_change(OldVsn, State, Extra) of
                {ok, New} -> {ok, {Module, New, Kept#{first := [New]}}};
                Error -> Error
            end;
        false ->
            {ok, Loop}
    end.
