#!/usr/bin/env escript
%% -*- erlang -*-
%% Measures how long epp takes for the files named on standard input, on one thread. Prints
%% microseconds. Arguments: directories for includes.
-mode(compile).

main(Includes) ->
    Files = files(),
    {Time, _} = timer:tc(fun() -> [parse(File, Includes) || File <- Files] end),
    io:format("~b~n", [Time]).

files() ->
    case io:get_line("") of
        eof -> [];
        Line -> [string:trim(Line) | files()]
    end.

parse(File, Includes) ->
    {ok, Epp} = epp:open([{name, File}, {includes, Includes}, {location, {1, 1}}]),
    all(Epp),
    epp:close(Epp).

all(Epp) ->
    case epp:parse_erl_form(Epp) of
        {eof, _} -> ok;
        _ -> all(Epp)
    end.
