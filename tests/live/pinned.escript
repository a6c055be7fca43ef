#!/usr/bin/env escript
%% Ends the VM while threads of the application `probe` run on the large stacks of a library whose
%% module has been purged.
-mode(compile).

main([Ebin]) ->
    true = code:add_patha(Ebin),
    ok = logger:remove_handler(default),
    ok = application:start(probe),
    {ok, Abyss} = abyss:start_link({}, []),
    ok = gen_server:call(Abyss, {threads, 16}),
    unlink(Abyss),
    ok = gen_server:stop(Abyss),
    ok = application:stop(probe),
    true = code:delete(probe_nif),
    _ = code:purge(probe_nif),
    io:format("purged=~p~n", [not erlang:check_old_code(probe_nif)]),
    halt(0).
