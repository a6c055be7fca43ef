%% Types of headers, which `parcels` includes too.
-module(letters).
-file("post.hrl", 1).
-record(stamp, {value = 1 :: 1..500, colour :: undefined | colour()}).
-type colour() :: red | {rgb, byte(), byte(), byte()}.
-type stamp() :: #stamp{}.
-type sheet() :: [stamp() | colour()].
-type postage() :: {sender(), stamp()}.
-file("seal.hrl", 1).
-record(seal, {by = none :: none | atom()}).
-type seal() :: #seal{}.
-file("letters.erl", 13).
-export([accepted/0, refused/0]).
-export_type([letter/0, sealed/0, sheet/0]).
-type sender() :: binary().
-type letter() :: {letter, stamp(), undefined | sheet()}.
-type sealed() :: {seal(), postage()}.

accepted() ->
    [{stamp, {stamp, 500, {rgb, 1, 2, 3}}}, {colour, red}, {sheet, [red, {stamp, 1, red}]}, {seal, {seal, none}}, {seal, {seal, wax}},
     {postage, {<<"me">>, {stamp, 1, undefined}}}, {letter, {letter, {stamp, 5, undefined}, undefined}},
     {letter, {letter, {stamp, 5, red}, [{rgb, 0, 0, 0}]}}, {sealed, {{seal, wax}, {<<>>, {stamp, 1, red}}}}].

refused() ->
    [{stamp, {stamp, 501, red}}, {stamp, {seal, 1, red}}, {seal, {seal, 1}}, {letter, {letter, red, undefined}}, {postage, {{1, me}, {stamp, 1, red}}}].
