%% Types of other modules, and opaque ones.
-module(neighbours).
-export([accepted/0, refused/0]).
-export_type([palette/0, table/0, secret/0, sealed_union/0, sealed_map/0, holder/0, remote_generic/0, back/0]).

-type palette() :: [choices:colour(), ...].
-type table() :: #{choices:colour() => rows:person()}.
-opaque secret() :: {1..9, [atom()]}.
-opaque sealed_union() :: closed | {open, pid()}.
-opaque sealed_map() :: #{key := binary(), inner => secret()}.
-type holder() :: {secret(), sealed_union()}.
-type remote_generic() :: generic:either(trees:tree(), generic:option(secret())).
-type back() :: stop | {again, neighbours:back()}.

accepted() ->
    [{palette, [red, 'dark blue']}, {table, #{red => {person, <<"A">>, 1, undefined}}}, {secret, {1, [a]}}, {sealed_union, closed},
     {sealed_union, {open, self()}}, {sealed_map, #{key => <<>>}}, {sealed_map, #{key => <<>>, inner => {2, []}}},
     {secret, {0, self(), <<"of another version">>}}, {sealed_union, ajar}, {sealed_map, #{1 => 2}},
     {holder, {{9, []}, closed}}, {remote_generic, {left, {node, leaf, 1, leaf}}}, {remote_generic, {right, undefined}},
     {remote_generic, {right, {1, []}}}, {back, {again, {again, stop}}}].

refused() ->
    [{palette, [red, blue], "1[1]: expected red | green | 'dark blue', got blue"},
     {table, #{red => {person, <<"A">>, 151, undefined}}, "1.red.2: expected 0..150, got 151"},
     {secret, [], "1: expected tuple(), got []"},
     {sealed_union, 1, "1: expected"},
     {sealed_map, {}, "1: expected #{term() => term()}, got {}"},
     {holder, {[], closed}, "1.0: expected tuple(), got []"},
     {remote_generic, {right, 10}, "1.1: expected"},
     {back, {again, again}, "1.1: expected"}].
