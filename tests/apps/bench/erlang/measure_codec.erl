%% Measures reading and writing terms: otp-rs's codec beside rustler's own.
-module(measure_codec).
-export([names/0, groups/2]).

names() ->
    [codec].

-define(CHILDREN, 1000).
-define(BYTES, 1_000_000).
%% Squared: the number of entries.
-define(KEYS, 316).

-spec groups(atom(), rounds:options()) -> [rounds:group()].
groups(codec, Options) ->
    case native:load(rustler_codecs, Options) of
        true -> [init(), bytes(), maps()];
        false -> []
    end.

init() ->
    Init = fun(F) -> [{"supervisor:init/1", per_call(fun(_) -> F(?CHILDREN) end, 10)}] end,
    %% The compared terms have to be equal.
    Returned = thousand:init(?CHILDREN),
    Returned = rustler_codecs:init_derive(?CHILDREN),
    [{'otp-rs', fun() -> Init(fun thousand:init/1) end},
     {rustler, fun() -> Init(fun rustler_codecs:init_derive/1) end},
     {serde, fun() -> Init(fun rustler_codecs:init_serde/1) end}].

bytes() ->
    Case = "1 MB binary",
    Owned = "1 MB binary, kept",
    Request = {bytes, binary:copy(<<"b">>, ?BYTES)},
    echo([{'otp-rs', [Case, Owned], parrot},
          {rustler, [Case], fun rustler_codecs:bytes_derive/1},
          {rustler_owned, [Owned], fun rustler_codecs:bytes_derive_owned/1},
          {serde, [Case], fun rustler_codecs:bytes_serde/1}], Request, 20).

maps() ->
    Case = "nested maps",
    Keys = lists:seq(1, ?KEYS),
    Request = {maps, maps:from_list([{Key, maps:from_list([{K, K * Key} || K <- Keys])} || Key <- Keys])},
    echo([{'otp-rs', [Case], parrot},
          {rustler, [Case], fun rustler_codecs:maps_derive/1},
          {serde, [Case], fun rustler_codecs:maps_serde/1}], Request, 1).

echo(Variants, Request, Times) ->
    [{Variant, fun() ->
        Echo = echo(Codec),
        {_, Said} = Request,
        Said = Echo(Request),
        Took = per_call(fun(_) -> Echo(Request) end, Times),
        [{Case, Took} || Case <- Cases]
    end} || {Variant, Cases, Codec} <- Variants].

%% A callback is called by the process that owns the state.
echo(parrot) ->
    {ok, State} = parrot:init({}),
    From = {self(), make_ref()},
    fun(Request) ->
        {reply, Reply, _} = parrot:handle_call(Request, From, State),
        Reply
    end;
echo(Nif) ->
    Nif.

per_call(Call, Times) ->
    rounds:nanoseconds(fun() -> lists:foreach(Call, lists:seq(1, Times)) end) / Times.
