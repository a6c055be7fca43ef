#!/usr/bin/env escript
%% Makes a destructor panic while another panic unwinds, in a server of the application `logs` or
%% `ground`. This ends the VM.
-mode(compile).

main([Ebin]) ->
    true = code:add_patha(Ebin),
    ok = logger:remove_handler(default),
    {ok, Server} = case filename:basename(filename:dirname(Ebin)) of
        "logs" = Name -> started(Name, scribe, <<"one">>);
        "ground" = Name -> started(Name, rude, plain)
    end,
    gen_server:call(Server, twice, 120000).

started(Name, Module, Argument) ->
    ok = application:start(list_to_atom(Name)),
    Module:start_link(Argument, []).
