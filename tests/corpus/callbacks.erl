-module(callbacks).
-export([start/2]).
-export_type([result/1, box/0]).

-record(point, {x = 0.0 :: float(), next :: #point{} | undefined, type = self :: self | super}).

-type result(State) :: {ok, State} | {ok, State, [gen_statem:action()]} | gen_statem:event_handler_result(State).
-type box() :: #point{type :: self} | {point, box()} | undefined.

%% A result of another behaviour, with the state, and one that is any term.
-callback init(Args :: term()) -> {ok, State :: term()} | {error, Reason :: term()} | ignore.
-callback handle(gen_statem:event_type(), Content :: term(), State :: term()) -> gen_statem:event_handler_result(State :: term()).
-callback websocket(Frame :: {text | binary, binary()}) -> any().
-callback stop(#point{}, State :: term()) -> none | gen_statem:action() | {stop, State :: term()}.
-callback exited(pid(), Reason :: term(), State :: term()) ->
    {stop, Reason :: term(), NewState :: term()} | {both, OldState :: term(), NewState :: term()}.
-callback 'type'(Self :: atom(), Super :: atom()) -> 'Self' | 'crate' | {ok, self}.
-optional_callbacks([stop/2, type/2]).

-spec start(module(), result(State)) -> {ok, pid()} | result(State) when State :: box().
start(_, Result) -> Result.
