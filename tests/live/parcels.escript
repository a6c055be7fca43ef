#!/usr/bin/env escript
%% Sends terms to a server of the application `parcels`, whose types derive serde's traits. Prints
%% one `key=term` per line.
-mode(compile).
-define(PATIENCE, 120000).
-include("say.hrl").

main([Ebin]) ->
    true = code:add_patha(Ebin),
    ok = logger:remove_handler(default),
    process_flag(trap_exit, true),
    ok = application:start(parcels),
    {ok, Depot} = depot:start_link({}, []),
    Parcel = #{number => 1 bsl 127, receiver => undefined, weight => 2.5,
               content => [letter, {books, 3}], remarks => #{{7, <<"ä"/utf8>>} => true}},
    say(kept, call(Depot, {keep, Parcel}) =:= Parcel),
    say(received, maps:get(receiver, call(Depot, {keep, Parcel#{receiver := <<"Ada">>}}))),
    %% Terms that serde does not know are refused.
    say(more_keys, call(Depot, {keep, Parcel#{more => self()}}) =:= Parcel),
    Record = {'Parcel', 1, undefined, 0.5, [], #{}},
    say(record, call(Depot, {record, Record})),
    Bytes = call(Depot, {bytes, term_to_binary(Parcel)}),
    %% The bytes are those of OTP 25: keys are in order, and atoms are in Latin-1.
    say(bytes, Bytes =:= term_to_binary(Parcel, [deterministic, {minor_version, 1}])),
    say(unseen, call(Depot, unseen)),
    say(wrong_item, wrong(Parcel#{content := [letter, {books, -1}]})),
    say(wrong_key, wrong(maps:remove(weight, Parcel))),
    init:stop().

%% Returns why a parcel is refused.
wrong(Parcel) ->
    {ok, Depot} = gen_server:start(depot, {}, []),
    Monitor = monitor(process, Depot),
    _ = try call(Depot, {keep, Parcel}) catch exit:_ -> ended end,
    receive {'DOWN', Monitor, process, Depot, {{no_clause, _, [Why | _]}, _}} -> Why;
        {'DOWN', Monitor, process, Depot, {no_clause, _, [Why | _]}} -> Why
    after ?PATIENCE -> halt(1)
    end.

call(Depot, Request) -> gen_server:call(Depot, Request, ?PATIENCE).
