#!/usr/bin/env escript
%% Runs first without and then with a wrong access to memory: `cargo xtask sanitize --live` has to
%% report the second run.
-mode(compile).

main([Ebin]) ->
    true = code:add_patha(Ebin),
    ok = application:start(terms),
    7 = terms_vm:mistake(false),
    io:format("no mistake~n"),
    _ = terms_vm:mistake(true),
    io:format("a mistake~n").
