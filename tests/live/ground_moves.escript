#!/usr/bin/env escript
%% Calls slow clauses of the application `ground`, which return the kind of scheduler on which they
%% ran. Prints one `key=term` per line.
-mode(compile).
-export([log/2]).
-include("observe.hrl").

main([Ebin]) ->
    begin_with(Ebin),
    ok = logger:set_primary_config(level, notice),
    ok = otp_rs:warn_after(ground_nif, 1),
    ok = logger:add_handler(observer, ?MODULE, #{config => self()}),
    {ok, Mover} = mover:start_link({}, []),
    Kind = fun(Request) -> {Where, _} = call(Mover, Request), Where end,
    %% If the operating system interrupts a call, the clause moves only after a later one.
    Moves = fun(Request, To) -> until(fun() -> Kind(Request) =:= To end) end,
    say(first, call(Mover, {burn, 20})),
    say(burn, Moves({burn, 20}, <<"dirty_cpu">>)),
    say(shown, [Callback || #{callback := Callback} <- maps:get(long, otp_rs_status:of_process(Mover))]),
    say(wait, {Kind({wait, 20}), Moves({wait, 20}, <<"dirty_io">>)}),
    say(later, {Kind({later, 20}), Moves({later, 20}, <<"dirty_cpu">>), Kind({later, 20})}),
    say(pinned, lists:usort([Kind({pinned, 20}) || _ <- lists:seq(1, 5)])),
    say(others, Kind({pinned, 0})),
    %% Only the part before the first await moves.
    say(resumed, {call(Mover, {resumed, 20}),
        until(fun() -> call(Mover, {resumed, 20}) =:= {<<"dirty_cpu">>, <<"normal">>} end)}),
    %% A clause that moves still runs only once for each message.
    {_, Before} = call(Mover, {burn, 0}),
    {_, After} = call(Mover, {burn, 0}),
    say(once, After - Before),
    say(comes_back, Moves({burn, 0}, <<"normal">>)),
    say(interrupted, until(fun stays/0)),
    killed(),
    crowded(),
    say(told, lists:sort(moved([]))),
    init:stop().

%% A short clause does not move, however often the operating system interrupts it. The processor
%% time of a thread can include time that a hypervisor took, so one round may fail.
stays() ->
    {ok, Mover} = mover:start_link({}, []),
    until(fun() -> element(1, call(Mover, {count, 0})) =:= <<"normal">> end),
    Signal = fun(Name) -> "kill -" ++ Name ++ " " ++ os:getpid() ++ "; " end,
    Once = Signal("STOP") ++ "sleep 0.005; " ++ Signal("CONT") ++ "sleep 0.01; ",
    Stops = open_port({spawn, "sh -c '" ++ lists:append(lists:duplicate(60, Once)) ++ "'"}, [exit_status]),
    counted(Mover, Stops, []) =:= [<<"normal">>].

counted(Mover, Stops, Kinds) ->
    {Kind, _} = call(Mover, {count, 5000}),
    receive {Stops, {exit_status, 0}} -> lists:usort([Kind | Kinds])
    after 0 -> counted(Mover, Stops, lists:usort([Kind | Kinds]))
    end.

%% A process that is killed while its clause runs on a dirty scheduler ends, and does not delay the
%% next one.
killed() ->
    {ok, Mover} = mover:start_link({}, []),
    until(fun() -> {Where, _} = call(Mover, {burn, 20}), Where =:= <<"dirty_cpu">> end),
    %% This takes long enough that the kill arrives before the end, even on a busy machine.
    Asking = asking(Mover, {burn, 3000}),
    timer:sleep(50),
    unlink(Mover),
    exit(Mover, kill),
    {exit, {Killed, _}} = answer(Asking),
    say(killed, Killed),
    {ok, Next} = mover:start_link({}, []),
    say(next, element(2, call(Next, {burn, 1}))).

%% Runs as many slow clauses as there are dirty schedulers. The warning that all of these are
%% occupied is logged once.
crowded() ->
    Count = erlang:system_info(dirty_cpu_schedulers_online),
    Movers = [element(2, {ok, _} = mover:start_link({}, [])) || _ <- lists:seq(1, Count)],
    Together = fun() ->
        Asking = [asking(Mover, {burn, 200}) || Mover <- Movers],
        [{ok, _} = answer(One) || One <- Asking],
        receive {crowded, Said} -> self() ! {crowded, Said}, true after 0 -> false end
    end,
    say(crowded, until(Together)),
    Together(),
    say(crowded_once, length(said())),
    ok.

said() ->
    receive {crowded, Said} -> [Said | said()] after 200 -> [] end.

%% Returns each clause that was reported, once.
moved(Found) ->
    receive
        {moved, Clause} -> moved(lists:usort([Clause | Found]))
    after 200 -> Found
    end.

log(#{msg := {report, #{label := {otp_rs, moved}, message := Message, scheduler := On} = Report}, level := notice}, #{config := Pid}) ->
    {Format, Arguments} = otp_rs:format(Report),
    Text = unicode:characters_to_binary(io_lib:format(Format, Arguments)),
    [_, _] = binary:split(Text, <<": its next calls run on a dirty ">>),
    Pid ! {moved, {Message, On}};
log(#{msg := {report, #{label := {otp_rs, crowded}, count := Count} = Report}}, #{config := Pid}) ->
    {_, [Count | _]} = otp_rs:format(Report),
    Pid ! {crowded, Count};
log(_, _) -> ok.
