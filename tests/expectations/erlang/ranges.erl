%% Integers, floats and the predefined types of numbers.
-module(ranges).
-export([accepted/0, refused/0]).
-export_type([
    percent/0, offset/0, small/0, byte_value/0, port_number/0, key_bits/0, code/0, digit_or_teen/0, wide/0, any_integer/0,
    natural/0, positive/0, negative/0, character/0, arity_value/0, real/0, any_number/0, wait/0, flag/0, beyond/0, narrow_first/0
]).

-type percent() :: 0..100.
-type offset() :: -12..14.
-type small() :: 7.
-type byte_value() :: byte().
-type port_number() :: 0..65535.
-type key_bits() :: 128 | 192 | 256.
-type code() :: 1 | 2 | 3 | 4..9.
-type digit_or_teen() :: 0..9 | 13..19 | -1.
-type wide() :: 0..16#ffffffffffffffff.
-type beyond() :: 0..16#10000000000000000.
-type any_integer() :: integer().
-type natural() :: non_neg_integer().
-type positive() :: pos_integer().
-type negative() :: neg_integer().
-type character() :: char().
-type arity_value() :: arity().
-type real() :: float().
-type any_number() :: number().
-type wait() :: timeout().
-type flag() :: boolean().
-type narrow_first() :: integer() | 0..9 | float().

accepted() ->
    [{percent, 0}, {percent, 100}, {offset, -12}, {offset, 14}, {small, 7}, {byte_value, 255}, {port_number, 65535},
     {key_bits, 192}, {code, 3}, {code, 9}, {digit_or_teen, -1}, {digit_or_teen, 15}, {wide, 16#ffffffffffffffff},
     {beyond, 16#10000000000000000}, {any_integer, -1 bsl 200}, {natural, 0}, {positive, 1}, {negative, -1},
     {character, 16#10ffff}, {character, 16#d800}, {arity_value, 255}, {real, -0.5}, {any_number, 1}, {any_number, 1.0},
     {any_number, 1 bsl 100}, {wait, infinity}, {wait, 5000}, {flag, true}, {narrow_first, 5}, {narrow_first, 50},
     {narrow_first, 0.5}].

refused() ->
    [{percent, 101, "1: expected 0..100, got 101"},
     {percent, -1, "1: expected 0..100, got -1"},
     {percent, 1.0, "1: expected 0..100, got 1.0"},
     {small, 8, "1: expected 7, got 8"},
     {byte_value, 256, "1: expected 0..255, got 256"},
     {key_bits, 193, "1: expected 128 | 192 | 256, got 193"},
     {digit_or_teen, 10, "1: expected -1..9 | 13..19, got 10"},
     {positive, 0, "1: expected pos_integer(), got 0"},
     {negative, 0, "1: expected neg_integer(), got 0"},
     {character, 16#110000, "1: expected char(), got 1114112"},
     {real, 1, "1: expected float(), got 1"},
     {any_number, '1', "1: expected number(), got '1'"},
     {wait, -1, "1: expected timeout(), got -1"},
     {flag, 1, "1: expected boolean(), got 1"}].
