%% Unions: atoms, tagged tuples, members that overlap.
-module(choices).
-export([accepted/0, refused/0]).
-export_type([
    colour/0, shape/0, result/0, arities/0, merged/0, apart/0, server/0, overlapping/0, wide_last/0, with_term/0, nested/0,
    odd_atoms/0, tuples/0, mixed/0, merged_thrice/0, atom_sets/0, maps/0
]).

-type colour() :: red | green | 'dark blue'.
-type shape() :: point | {circle, Radius :: number()} | {box, Width :: number(), Height :: number()}.
-type result() :: ok | {ok, Value :: term()} | {error, Reason :: atom()}.
-type arities() :: stop | {stop, atom()} | {stop, atom(), pid()} | {stop, atom(), pid(), binary()}.
-type merged() :: {error, timeout} | {error, {closed, atom()}} | {error, 0..9}.
-type merged_thrice() :: {a, x, 1} | {a, y, 1} | {a, x, 2} | {a, y, 2}.
-type apart() :: {pair, red, 1} | {pair, green, 2} | {pair, blue, [3]}.
-type server() :: pid() | (Name :: atom()) | {Name :: atom(), Node :: node()} | {global, term()} | {via, module(), term()}.
-type overlapping() :: integer() | 0..9 | atom() | boolean() | list() | string() | [] | tuple() | {a, 1} | map() | #{a := 1}.
-type wide_last() :: number() | float() | identifier() | pid() | fun() | fun((a) -> b).
-type with_term() :: term() | known | {also, known}.
-type nested() :: colour() | {mixed, colour(), colour()} | [colour()].
-type odd_atoms() :: 'Ok' | '$end' | 'a-b' | a_b | 'self' | '' | 'type'.
-type tuples() :: {} | {atom()} | {atom(), atom()} | {integer(), integer()}.
-type mixed() :: undefined | none | #{a := 1} | [a] | <<_:8>> | 5.
-type atom_sets() :: atom() | colour() | {colour(), atom()}.
-type maps() :: #{a => 1} | #{b => 2} | #{c := 3, a => 1}.

accepted() ->
    [{colour, 'dark blue'}, {shape, point}, {shape, {circle, 1}}, {shape, {circle, 1.5}}, {shape, {box, 1, 2.0}},
     {result, ok}, {result, {ok, ok}}, {result, {error, enoent}}, {arities, stop}, {arities, {stop, a}},
     {arities, {stop, a, self()}}, {arities, {stop, a, self(), <<>>}}, {merged, {error, timeout}},
     {merged, {error, {closed, x}}}, {merged, {error, 9}}, {merged_thrice, {a, y, 1}}, {merged_thrice, {a, x, 2}},
     {apart, {pair, red, 1}}, {apart, {pair, green, 2}}, {apart, {pair, blue, [3, 3]}},
     {server, self()}, {server, name}, {server, {name, node()}}, {server, {global, [x]}}, {server, {via, m, 1.0}},
     {overlapping, 5}, {overlapping, 50}, {overlapping, true}, {overlapping, other}, {overlapping, "text"},
     {overlapping, [x, 1]}, {overlapping, []}, {overlapping, {a, 1}}, {overlapping, {a, 2}}, {overlapping, #{a => 1}},
     {overlapping, #{}}, {wide_last, 1.0}, {wide_last, 1}, {wide_last, self()}, {wide_last, make_ref()},
     {wide_last, fun lists:map/2}, {wide_last, fun erlang:abs/1}, {with_term, known}, {with_term, {also, known}},
     {with_term, {also, unknown}}, {with_term, #{}}, {nested, red}, {nested, {mixed, red, green}}, {nested, [red]},
     {odd_atoms, 'Ok'}, {odd_atoms, '$end'}, {odd_atoms, 'a-b'}, {odd_atoms, a_b}, {odd_atoms, self}, {odd_atoms, ''},
     {tuples, {}}, {tuples, {a}}, {tuples, {a, b}}, {tuples, {1, 2}}, {mixed, undefined}, {mixed, #{a => 1}}, {mixed, [a]},
     {mixed, <<"x">>}, {mixed, 5}, {atom_sets, red}, {atom_sets, mauve}, {atom_sets, {red, mauve}}, {maps, #{a => 1}},
     {maps, #{b => 2}}, {maps, #{}}, {maps, #{c => 3}}, {maps, #{c => 3, a => 1}}].

refused() ->
    [{colour, blue, "1: expected red | green | 'dark blue', got blue"},
     {shape, circle, "1: expected point | {circle, number()} | {box, number(), number()}, got circle"},
     {shape, {circle, wide}, "1.1: expected number(), got wide"},
     {shape, {box, 1, x}, "1.2: expected number(), got x"},
     {shape, {box, 1}, "1: expected point"},
     {result, {error, "no"}, "1.1: expected atom(), got \"no\""},
     {arities, {stop, a, b}, "1.2: expected pid(), got b"},
     {merged, {error, 10}, "1.1: expected"},
     {merged, {error, {closed, 1}}, "1.1.1: expected atom(), got 1"},
     {merged_thrice, {a, z, 1}, "1.1: expected x | y, got z"},
     {apart, {pair, red, 2}, "1.2: expected 1, got 2"},
     {apart, {pair, green, 1}, "1"},
     {server, 5, "1: expected"},
     {nested, {mixed, red, blue}, "1.2: expected red | green | 'dark blue', got blue"},
     {nested, [red, blue], "1[1]: expected"},
     {tuples, {1, b}, "1.0: expected atom(), got 1"},
     {tuples, {a, b, c}, "1: expected"},
     % Which key comes first is the VM's to choose, from OTP 26 on.
     {maps, #{a => 1, b => 2}, "1.c: expected 3, got no such key in #{"},
     {maps, #{b => 3}, "1.b: expected 2, got 3"}].
