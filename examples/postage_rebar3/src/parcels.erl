-module(parcels).
-export([send/2]).

%% Asks the server `clerk` of the application `postage`, which is written in Rust.
-spec send(pos_integer(), domestic | abroad) -> {cents, non_neg_integer()} | too_heavy.
send(Grams, Zone) ->
    gen_server:call(clerk, {sell, Grams, Zone}).
