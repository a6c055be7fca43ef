%% A behaviour in which no callback's form creates the state, like `cowboy_websocket`: `open/2`
%% returns `any()`.
-module(channel).
-export([serve/3]).

-callback open(Request :: binary(), any()) -> {ok | refused, any()}.

-callback frame(Frame :: {text, binary()} | ping, State) ->
    {ok, State} | {reply, binary(), State}
    when State :: any().

-callback close(Reason :: any(), State :: any()) -> ok.

%% Passes each frame to `Module`, with the state that it returned last.
-spec serve(module(), binary(), [{text, binary()} | ping]) -> {[binary()], any()} | refused.
serve(Module, Request, Frames) ->
    case Module:open(Request, []) of
        {ok, State} ->
            {Replies, Last} = lists:foldl(
                fun(Frame, Before) -> framed(Module:frame(Frame, element(2, Before)), Before) end,
                {[], State},
                Frames
            ),
            ok = Module:close(normal, Last),
            {lists:reverse(Replies), Last};
        {refused, _} ->
            refused
    end.

-spec framed({ok, term()} | {reply, binary(), term()}, {[binary()], term()}) -> {[binary()], term()}.
framed({ok, State}, {Replies, _}) -> {Replies, State};
framed({reply, Reply, State}, {Replies, _}) -> {[Reply | Replies], State}.
