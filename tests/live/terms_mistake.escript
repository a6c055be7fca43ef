#!/usr/bin/env escript
%% Without a mistake, and then with one in the use of memory: `cargo xtask sanitize --live` has to
%% see the second.
-mode(compile).

main([Ebin]) ->
    true = code:add_patha(Ebin),
    ok = application:start(terms),
    7 = terms_vm:mistake(false),
    io:format("no mistake~n"),
    _ = terms_vm:mistake(true),
    io:format("a mistake~n").
