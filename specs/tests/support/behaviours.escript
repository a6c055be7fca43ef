#!/usr/bin/env escript
%% -*- erlang -*-
%% A line for each behaviour below the folder given: its name, its callbacks and its optional
%% callbacks, with tabs between, as `behaviour_info/1` answers.
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
