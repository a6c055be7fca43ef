%% Types that hold themselves, alone and together.
-module(trees).
-export([accepted/0, refused/0]).
-export_type([tree/0, json/0, even/0, odd/0, nest/0, expression/0, list_of/0, maybe_chain/0, by_key/0, through_fun/0, alias_loop/0]).

-type tree() :: leaf | {node, tree(), integer(), tree()}.
-type json() :: null | boolean() | number() | binary() | [json()] | #{binary() => json()}.
-type even() :: zero | {succ, odd()}.
-type odd() :: {succ, even()}.
-type nest() :: [nest()].
-type expression() :: integer() | {Operator :: '+' | '-', Left :: expression(), Right :: expression()} | {'let', atom(), expression()}.
-type list_of() :: nil | {cons, term(), list_of()}.
-type maybe_chain() :: undefined | {link, maybe_chain()}.
-type by_key() :: #{value := integer(), next => by_key(), others => #{atom() => by_key()}}.
-type through_fun() :: done | {more, fun(() -> through_fun())}.
-type alias_loop() :: {integer(), alias_list()}.
-type alias_list() :: [alias_loop()].

accepted() ->
    [{tree, leaf}, {tree, {node, {node, leaf, 1, leaf}, 2, leaf}}, {json, null}, {json, [1, 1.5, true, <<"a">>, #{<<"k">> => []}]},
     {even, zero}, {even, {succ, {succ, zero}}}, {odd, {succ, {succ, {succ, zero}}}}, {nest, []}, {nest, [[], [[]]]},
     {expression, {'+', 1, {'-', 2, {'let', x, 3}}}}, {list_of, {cons, a, {cons, "b", nil}}}, {maybe_chain, undefined},
     {maybe_chain, {link, {link, undefined}}}, {by_key, #{value => 1, next => #{value => 2}, others => #{a => #{value => 3}}}},
     {through_fun, done}, {through_fun, {more, fun erlang:now/0}}, {alias_loop, {1, [{2, []}]}}].

refused() ->
    [{tree, {node, leaf, a, leaf}, "1.2: expected integer(), got a"},
     {tree, {node, {node, leaf, 1, branch}, 2, leaf}, "1.1.3: expected leaf | {node, tree(), integer(), tree()}, got branch"},
     {json, [#{<<"k">> => [undefined]}], "1[0].<<\"k\">>[0]: expected"},
     {even, {succ, zero}, "1.1: expected"},
     {nest, [[a]], "1[0][0]: expected [[nest()]], got a"},
     {expression, {'*', 1, 2}, "1.0: expected '+' | '-', got '*'"},
     {maybe_chain, {link, {link, nil}}, "1.1.1: expected"},
     {by_key, #{value => 1, others => #{a => #{}}}, "1.others.a.value: expected integer(), got no such key"},
     {through_fun, {more, fun erlang:abs/1}, "1.1: expected fun(() -> done | {more, fun(() -> through_fun())})"},
     {alias_loop, {1, [{a, []}]}, "1.1[0].0: expected integer(), got a"}].
