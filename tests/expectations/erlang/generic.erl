%% Type variables, and types by their names.
-module(generic).
-export([accepted/0, refused/0]).
-export_type([pair/2, either/2, option/1, pairs/0, lookup/0, chosen/0, nothing/0, stack/1, numbers/0, deep/0, unused/1, use_unused/0]).

-type pair(A, B) :: {A, B}.
-type either(L, R) :: {left, L} | {right, R}.
-type option(T) :: undefined | T.
-type pairs() :: [pair(atom(), integer())].
-type lookup() :: either(not_found, pair(pid(), [option(binary())])).
-type chosen() :: option(1..9).
-type nothing() :: option(none()).
-type stack(T) :: empty | {push, T, stack(T)}.
-type numbers() :: stack(number()).
-type deep() :: #{keys := stack(pair(atom(), either(a, b)))}.
-type unused(_T) :: [unused].
-type use_unused() :: unused(pid()).

accepted() ->
    [{pairs, [{a, 1}]}, {lookup, {left, not_found}}, {lookup, {right, {self(), [undefined, <<>>]}}}, {chosen, undefined}, {chosen, 9},
     {nothing, undefined}, {numbers, {push, 1, {push, 2.0, empty}}}, {deep, #{keys => {push, {k, {right, b}}, empty}}},
     {use_unused, [unused]}].

refused() ->
    [{pairs, [{a, b}], "1[0].1: expected integer(), got b"},
     {lookup, {left, found}, "1.1: expected not_found, got found"},
     {lookup, {right, {self(), [nil]}}, "1.1.1[0]: expected undefined | binary(), got nil"},
     {chosen, 10, "1: expected undefined | 1..9, got 10"},
     {nothing, none, "1: expected undefined | none(), got none"},
     {numbers, {push, one, empty}, "1.1: expected number(), got one"},
     {deep, #{keys => {push, {k, {right, a}}, empty}}, "1.keys.1.1.1: expected b, got a"}].
