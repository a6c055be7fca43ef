%% Records: with defaults, refined, holding each other and themselves; plain tuples.
-module(rows).
-export([accepted/0, refused/0]).
-export_type([
    person/0, adult/0, family/0, cell/0, triple/0, tagged/0, long/0, callback/0, empty/0, any_tuple/0, 'Odd'/0, untyped/0
]).

-record(person, {name :: binary(), age = 0 :: 0..150, mother :: #person{} | undefined}).
-record(family, {members = [] :: [#person{}], address}).
-record(cell, {value :: integer(), next :: cell()}).
-record('Odd name', {'a-b' :: 1, type :: 2}).
-record(untyped, {a, b = 1}).

-type person() :: #person{}.
-type adult() :: #person{age :: 18..150}.
-type family() :: #family{}.
-type cell() :: nil | #cell{}.
-type triple() :: {atom(), integer(), float()}.
-type tagged() :: {tag, A :: atom(), A2 :: [atom()]}.
-type long() :: {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}.
-type callback() :: mfa().
-type empty() :: {}.
-type any_tuple() :: tuple().
-type 'Odd'() :: #'Odd name'{}.
-type untyped() :: #untyped{}.

accepted() ->
    Ada = #person{name = <<"Ada">>, age = 36},
    [{person, Ada}, {person, Ada#person{mother = Ada}}, {adult, Ada}, {family, #family{}}, {family, #family{members = [Ada], address = x}},
     {cell, nil}, {cell, #cell{value = 1, next = #cell{value = 2, next = nil}}}, {triple, {a, 1, 1.0}}, {tagged, {tag, a, [b]}},
     {long, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}}, {callback, {lists, map, 2}}, {empty, {}}, {any_tuple, {}}, {any_tuple, {1, 2}},
     {'Odd', #'Odd name'{'a-b' = 1, type = 2}}, {untyped, #untyped{a = "x"}}].

refused() ->
    Ada = #person{name = <<"Ada">>, age = 17},
    [{person, Ada#person{age = 151}, "1.2: expected 0..150, got 151"},
     {person, setelement(1, Ada, people), "1: expected {person, binary(), 0..150"},
     {person, erlang:append_element(Ada, 1), "1: expected {person, binary(), 0..150"},
     {person, Ada#person{mother = Ada#person{name = "no"}}, "1.3.1: expected binary(), got \"no\""},
     {adult, Ada, "1.2: expected 18..150, got 17"},
     {family, #family{members = [Ada, ada]}, "1.1[1]: expected {person, binary(), 0..150"},
     {cell, #cell{value = 1, next = #cell{value = a, next = nil}}, "1.2.1: expected integer(), got a"},
     {triple, {a, 1}, "1: expected {atom(), integer(), float()}, got {a,1}"},
     {tagged, {tag, a, [1]}, "1.2[0]: expected atom(), got 1"},
     {long, {1, 2, 3, 4, 5, 6, 7, 8, 9, 11}, "1.9: expected 10, got 11"},
     {callback, {lists, map, 256}, "1.2: expected 0..255, got 256"},
     {empty, {1}, "1: expected {}, got {1}"}].
