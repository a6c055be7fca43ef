#!/usr/bin/env escript
%% -*- erlang -*-
%% Prints a line for each behaviour below a folder: its name, its callbacks and its optional
%% callbacks, separated by tabs, as `behaviour_info/1` returns them.
-mode(compile).

main([Lib]) ->
    Files = filelib:wildcard(filename:join(Lib, "*/ebin/*.beam")),
    [behaviour(File) || File <- Files],
    ok.

behaviour(File) ->
    {ok, {Module, [{exports, Exports}]}} = beam_lib:chunks(File, [exports]),
    case lists:member({behaviour_info, 1}, Exports) of
        true ->
            {module, Module} = code:ensure_loaded(Module),
            Optional = try Module:behaviour_info(optional_callbacks) of
                           List when is_list(List) -> List;
                           _ -> []
                       catch error:_ -> []
                       end,
            io:format("~s\t~s\t~s~n", [Module, names(Module:behaviour_info(callbacks)),
                                       names(Optional)]);
        false -> ok
    end.

names(Callbacks) ->
    lists:join($\s, [io_lib:format("~s/~b", [F, A]) || {F, A} <- Callbacks]).
