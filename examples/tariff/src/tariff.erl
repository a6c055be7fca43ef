%% What a parcel costs: an Erlang application, used from Rust by examples/postage.
-module(tariff).
-include("tariff.hrl").
-export([price/2, rates/0, discounted/2]).
-export_type([zone/0, parcel/0, price/0]).

-type zone() :: domestic | abroad.
-type parcel() :: #{grams := pos_integer(), insured => boolean()}.
-type price() :: {cents, non_neg_integer()}.

-spec price(parcel(), zone()) -> {ok, price()} | {error, too_heavy}.
price(#{grams := Grams}, _) when Grams > 30000 ->
    {error, too_heavy};
price(#{grams := Grams} = Parcel, Zone) ->
    #rate{cents_per_kilogram = Cents} = tariff_table:rate(Zone),
    Insurance = case Parcel of #{insured := true} -> 250; _ -> 0 end,
    {ok, {cents, (Grams + 999) div 1000 * Cents + Insurance}}.

-spec rates() -> [#rate{}].
rates() ->
    [tariff_table:rate(Zone) || Zone <- [domestic, abroad]].

%% The price after a discount, which a module of the behaviour tariff_discount knows.
-spec discounted(Module :: module(), price()) -> price().
discounted(Module, {cents, Cents}) ->
    {cents, Cents * (100 - Module:percentage(Cents)) div 100}.
