%% Types and atoms with names of Rust's standard library, and of what generated files import.
-module(standard_names).
-export_type([option/1, result/2, box/1, vec/1, 'Vec'/1, map_/2, uses/0, both/1, rt/0, atoms/0, core/0, std/0,
              some/1, none_/0, ok/1, hash_map/2, term/1, caller/1, clone/1, from/1]).
-export([find/1]).

-type option(T) :: none | {some, T}.
-type result(A, E) :: {ok, A} | {error, E}.
-type box(T) :: {box, T}.
-type vec(T) :: {vec, [T]}.
-type 'Vec'(T) :: {'Vec', [T]}.
-type map_(K, V) :: #{K => V}.
-type uses() :: {uses, option(a), option(option(b)), result(option(a), box(vec(atom()))), map_(a, option(b))}.
-type both(T) :: {option(T), box(T), vec(T), [vec(T)], #{a => option(T)}, fun((option(T)) -> box(T))} | option(T).
-type rt() :: rt | {rt, rt()}.
-type atoms() :: atoms | {atoms, atoms()}.
-type core() :: core | {core, core()}.
-type std() :: std | {std, [std()]}.
-type some(T) :: {some, T}.
-type none_() :: none.
-type ok(T) :: {ok, T} | {ok, [T], T}.
-type hash_map(K, V) :: {hash_map, [{K, V}]}.
-type term(T) :: {term, T}.
-type caller(T) :: {caller, T}.
-type clone(T) :: {clone, T}.
-type from(T) :: {from, T}.

-spec find(option(binary())) -> result(option(integer()), box(string())) | undefined.
find(_) -> undefined.
