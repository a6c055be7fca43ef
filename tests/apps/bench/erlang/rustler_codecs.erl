%% rustler's own codecs: tests/apps/bench_rustler.
-module(rustler_codecs).
-export([load/1, init_derive/1, init_serde/1, bytes_derive/1, bytes_derive_owned/1, bytes_serde/1, maps_derive/1, maps_serde/1]).
-nifs([init_derive/1, init_serde/1, bytes_derive/1, bytes_derive_owned/1, bytes_serde/1, maps_derive/1, maps_serde/1]).

load(Library) ->
    erlang:load_nif(Library, 0).

init_derive(_) -> erlang:nif_error(not_loaded).
init_serde(_) -> erlang:nif_error(not_loaded).
bytes_derive(_) -> erlang:nif_error(not_loaded).
bytes_derive_owned(_) -> erlang:nif_error(not_loaded).
bytes_serde(_) -> erlang:nif_error(not_loaded).
maps_derive(_) -> erlang:nif_error(not_loaded).
maps_serde(_) -> erlang:nif_error(not_loaded).
