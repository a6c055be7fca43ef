%% Binaries and bitstrings.
-module(bytes).
-export([accepted/0, refused/0]).
-export_type([any_bytes/0, some/0, bits/0, some_bits/0, key/0, words/0, header/0, no_bits/0, flags/0, any_or_key/0]).

-type any_bytes() :: binary().
-type some() :: nonempty_binary().
-type bits() :: bitstring().
-type some_bits() :: nonempty_bitstring().
-type key() :: <<_:128>>.
-type words() :: <<_:_*32>>.
-type header() :: <<_:32, _:_*8>>.
-type no_bits() :: <<>>.
-type flags() :: <<_:3>>.
-type any_or_key() :: binary() | <<_:16>> | bitstring().

accepted() ->
    [{any_bytes, <<>>}, {any_bytes, <<0, 255>>}, {some, <<1>>}, {bits, <<1:1>>}, {bits, <<1>>}, {some_bits, <<0:1>>}, {key, <<0:128>>},
     {words, <<>>}, {words, <<0:64>>}, {header, <<0:32>>}, {header, <<0:40>>}, {no_bits, <<>>}, {flags, <<5:3>>},
     {any_or_key, <<1, 2>>}, {any_or_key, <<1>>}, {any_or_key, <<1:3>>}].

refused() ->
    [{any_bytes, <<1:1>>, "1: expected binary(), got <<1:1>>"},
     {some, <<>>, "1: expected nonempty_binary(), got <<>>"},
     {some_bits, <<>>, "1: expected nonempty_bitstring(), got <<>>"},
     {key, <<0:120>>, "1: expected <<_:128>>"},
     {words, <<0:33>>, "1: expected <<_:_*32>>"},
     {header, <<0:24>>, "1: expected <<_:32, _:_*8>>"},
     {header, <<0:33>>, "1: expected <<_:32, _:_*8>>"},
     {no_bits, <<0>>, "1: expected <<>>, got <<0>>"},
     {flags, <<5:4>>, "1: expected <<_:3>>, got <<5:4>>"}].
