#!/usr/bin/env escript
%% A callback of the application `probe` recurses without end, which ends the VM. The second
%% argument is the request.
-mode(compile).

main([Ebin, Request]) ->
    true = code:add_patha(Ebin),
    ok = logger:remove_handler(default),
    ok = application:start(probe),
    {ok, Abyss} = abyss:start_link({}, []),
    gen_server:call(Abyss, list_to_atom(Request), 120000).
