%% Types of headers, which `letters` includes too. It has another `seal.hrl`.
-module(parcels).
-file("post.hrl", 1).
-record(stamp, {value = 1 :: 1..500, colour :: undefined | colour()}).
-type colour() :: red | {rgb, byte(), byte(), byte()}.
-type stamp() :: #stamp{}.
-type sheet() :: [stamp() | colour()].
-type postage() :: {sender(), stamp()}.
-file("seal.hrl", 1).
-record(seal, {by = 1 :: pos_integer()}).
-type seal() :: #seal{}.
-file("parcels.erl", 13).
-export([accepted/0, refused/0]).
-export_type([parcel/0, reply/0, sheet/0]).
-type sender() :: {pos_integer(), atom()}.
-type parcel() :: #stamp{value :: 100..500} | {heavy, stamp(), seal()}.
-type reply() :: undefined | letters:letter() | postage().

accepted() ->
    [{stamp, {stamp, 500, {rgb, 1, 2, 3}}}, {seal, {seal, 7}}, {postage, {{1, me}, {stamp, 1, undefined}}}, {parcel, {stamp, 100, red}},
     {parcel, {heavy, {stamp, 1, red}, {seal, 1}}}, {reply, undefined}, {reply, {letter, {stamp, 5, red}, [red]}},
     {reply, {{1, me}, {stamp, 1, undefined}}}].

refused() ->
    [{seal, {seal, none}}, {parcel, {stamp, 99, red}}, {postage, {<<"me">>, {stamp, 1, red}}}, {reply, {letter, red, undefined}}].
