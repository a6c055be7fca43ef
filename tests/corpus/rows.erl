-module(rows).
-export([start/1, options/0, pairs/2, spawned/1, fetch/2]).
-export_type([one/0, more/0, views/0, answer/0, caller/0, action/0, flag/1, mixed/0]).

%% A tuple of one element that is used by name.
-type one() :: {binary()}.
-type more() :: one() | foo.
-type flag(T) :: {T} | {ok, {T}}.

%% Atoms that are names in expansions of macros.
-type views() :: {view, 1} | {heap, 2} | {ok, json} | {term, self} | {call, env} | {value, decode} | {error, reader}.
-type answer() :: schema | write | read | encode | name | path | bytes | from | into | clone | debug | some | none | default.

%% Two members that are one Rust type.
-type caller() :: {reference(), gen_server:from()}.
-type action() :: none | gen_statem:action().
-type mixed() :: [byte()] | binary() | string() | #{} | #{a => mixed()} | {mixed(), mixed()}.

-spec start(Options :: [action()]) -> {ok, pid()} | {error, {already_started, pid()} | term()}.
start(_) -> {error, none}.

-spec options() -> #{atom() => integer(), b => binary()}.
options() -> #{}.

-spec pairs(K, V) -> [{K, V}] when K :: atom() | {K, V}, V :: caller().
pairs(_, _) -> [].

-spec spawned(fun(() -> T)) -> {pid(), reference()} | T.
spawned(F) -> F().

-spec fetch(Type, Match) -> Type when Type :: self | 'Self' | 'crate', Match :: 'match' | 'fn' | 'r#fn'.
fetch(Type, _) -> Type.
