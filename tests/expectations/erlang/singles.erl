%% Tuples of one element: by name, in unions, in generics, nested.
-module(singles).
-export([accepted/0, refused/0]).
-export_type([
    single/0, in_union/0, nested/0, in_list/0, of_any/1, with_one/0, named_atom/0
]).

-type single() :: {binary()}.
-type in_union() :: single() | foo.
-type nested() :: k1 | {{single()}} | {{binary(), integer()}}.
-type in_list() :: none | {[{integer()}]}.
-type of_any(T) :: {T} | nothing.
-type with_one() :: of_any(single()) | 1.
-type named_atom() :: {only} | other.

accepted() ->
    [
        {single, {<<"a">>}},
        {in_union, {<<"a">>}},
        {in_union, foo},
        {nested, k1},
        {nested, {{{<<"a">>}}}},
        {nested, {{<<"a">>, 3}}},
        {in_list, {[{1}, {2}]}},
        {in_list, none},
        {with_one, {{<<"a">>}}},
        {with_one, nothing},
        {with_one, 1},
        {named_atom, {only}},
        {named_atom, other}
    ].

refused() ->
    [
        {single, <<"a">>, "1: expected {binary()}, got "},
        {single, {<<"a">>, <<"b">>}, "1: expected {binary()}, got {"},
        {in_union, {}, "1: expected "},
        {nested, {{<<"a">>}}, "1"},
        {in_list, {[1]}, "1"},
        {with_one, {<<"a">>}, "1"},
        {named_atom, only, "1: expected "}
    ].
