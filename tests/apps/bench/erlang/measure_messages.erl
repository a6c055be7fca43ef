%% What a message to a server costs.
-module(measure_messages).
-export([names/0, groups/2]).

names() ->
    [cast, call].

-spec groups(atom(), rounds:options()) -> [rounds:group()].
groups(cast, Options) ->
    Times = times(20_000, Options),
    [[{Variant, fun() -> ping_pong(Module, Times) end}
      || {Variant, Module} <- variants(bouncer, Options)]];
groups(call, Options) ->
    Times = times(5_000, Options),
    [[{Variant, fun() -> calls(Module, Times) end}
      || {Variant, Module} <- [{erlang, counter_erlang}, {'otp-rs', counter}]]].

times(Times, #{scale := Scale}) ->
    max(1, round(Times * Scale)).

variants(bouncer, Options) ->
    [{erlang, bouncer_erlang} | c(bouncer_c, Options)] ++ [{'otp-rs', bouncer}].

c(Module, Options) ->
    [{c, Module} || native:load(Module, Options)].

%% Two servers cast a ball back and forth.
ping_pong(Module, Times) ->
    {ok, One} = Module:start_link(self(), []),
    {ok, Other} = Module:start_link(self(), []),
    ok = gen_server:call(One, {join, Other}),
    ok = gen_server:call(Other, {join, One}),
    Took = rounds:nanoseconds(fun() ->
        gen_server:cast(One, {ball, Times}),
        receive done -> ok end
    end),
    ok = gen_server:stop(One),
    ok = gen_server:stop(Other),
    [{cast, Took / Times}].

calls(Module, Times) ->
    {ok, Server} = Module:start_link(0, []),
    Took = rounds:nanoseconds(fun() -> call(Server, Times) end),
    Times = gen_server:call(Server, {add, 0}),
    ok = gen_server:stop(Server),
    [{call, Took / Times}].

call(_, 0) -> ok;
call(Server, Left) ->
    _ = gen_server:call(Server, {add, 1}),
    call(Server, Left - 1).
