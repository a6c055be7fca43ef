%% Casts a ball back and forth.
-module(bouncer_erlang).
-behaviour(gen_server).
-export([start_link/2, init/1, handle_call/3, handle_cast/2]).

-record(state, {peer :: pid() | undefined, observer :: pid()}).

start_link(Observer, Options) ->
    gen_server:start_link(?MODULE, Observer, Options).

init(Observer) ->
    {ok, #state{observer = Observer}}.

handle_call({join, Peer}, _From, State) ->
    {reply, ok, State#state{peer = Peer}}.

handle_cast({ball, 0}, #state{observer = Observer} = State) ->
    Observer ! done,
    {noreply, State};
handle_cast({ball, Left}, #state{peer = Peer} = State) ->
    gen_server:cast(Peer, {ball, Left - 1}),
    {noreply, State}.
