#!/usr/bin/env escript
%% Makes a server of the application `mailbox` start processes and tasks. Prints one `key=term` per
%% line.
-mode(compile).
-export([log/2]).
-include("observe.hrl").

main([Ebin]) ->
    begin_with(mailbox, Ebin),
    ok = logger:add_handler(reports, ?MODULE, #{observer => self()}),
    {ok, Nursery} = nursery:start_link({}, []),
    processes(Nursery),
    ends(Nursery),
    tasks(Nursery),
    many(Nursery),
    wrong(),
    init:stop().

%% The callback of the `logger` handler for crash reports.
log(#{meta := #{pid := Pid}, msg := {report, #{label := {proc_lib, crash}, report := [Crashed | _]}}},
        #{observer := Observer}) ->
    {error_info, {Class, Reason, Stack}} = lists:keyfind(error_info, 1, Crashed),
    Rust = [{Function, filename:basename(proplists:get_value(file, Location, "")),
             is_integer(proplists:get_value(line, Location))}
            || {mailbox_nif, Function, _, Location} <- Stack, Location =/= []],
    Observer ! {reported, Pid, {Class, Reason, lists:sublist(Rust, 1)}};
log(_, _) -> ok.

processes(Nursery) ->
    Echo = call(Nursery, {spawn, echo}),
    [Echo ! {echo, self(), N} || N <- [1, 2]],
    say(echo, [told(Echo), told(Echo)]),
    Echo ! neither,
    Echo ! {echo, self(), 3},
    say(selective, told(Echo)),
    say(its_mailbox, process_info(Echo, messages)),
    say(its_links, process_info(Echo, [links, monitors])),
    Monitor = monitor(process, Echo),
    Echo ! stop,
    say(normal_end, receive {'DOWN', Monitor, _, _, Reason} -> Reason end),
    ok = call(Nursery, {plain, self()}),
    say(plain, receive {Plain, here} -> Plain =/= Nursery end),
    Linked = call(Nursery, {spawn_link, echo}),
    say(linked, lists:member(Linked, element(2, process_info(Nursery, links)))),
    Linked ! stop,
    until(fun() -> not is_process_alive(Linked) end).

%% It ends like a server.
ends(Nursery) ->
    Lives = [panics, panics_later, {fails, told_to}, {fails, shutdown}, ends, misreads],
    [begin
        Pid = call(Nursery, {spawn_monitor, Life}),
        [Reason] = until_seen(Nursery),
        Named = io_lib:format("ends_~s", [case Life of {fails, Why} -> Why; _ -> Life end]),
        say(Named, short(Reason)),
        case lists:member(Life, [{fails, shutdown}, ends]) of
            true -> ok;
            false -> receive {reported, Pid, {Class, _, Rust}} -> say([Named, "_reported"], {Class, Rust}) end
        end
    end || Life <- Lives],
    say(no_more_reports, receive {reported, _, Report} -> Report after 0 -> none end).

%% Returns the reason without the file and the line of a panic, and without the stack.
short({{panic, #{message := Message, file := File, line := Line}}, [_ | _]}) when is_binary(File), is_integer(Line) ->
    {panic, Message};
short({panic, #{message := Message}}) -> {panic, Message};
short({{bad_term, #{path := Path}}, [_ | _]}) -> {bad_term, Path};
short({bad_term, #{path := Path}}) -> {bad_term, Path};
short(Reason) -> Reason.

until_seen(Nursery) ->
    case call(Nursery, seen) of
        [] -> receive after 2 -> until_seen(Nursery) end;
        Seen -> Seen
    end.

tasks(Nursery) ->
    say(sum, call(Nursery, {sum, 100})),
    say(whole, call(Nursery, whole)),
    say(nested, call(Nursery, nested)),
    [begin
        {Alone, Beside} = call(Nursery, {failing, Life}),
        Key = case Life of {fails, _} -> fails; _ -> Life end,
        say(["task_", atom_to_list(Key)], {short(Alone), short(Beside)})
    end || Life <- [panics, panics_later, {fails, told_to}, ends, misreads]],
    Dropping = asking(Nursery, {dropped, self()}),
    receive {Task, here} -> ok end,
    true = is_process_alive(Task),
    Nursery ! info,
    say(dropped, answer(Dropping)),
    until(fun() -> not is_process_alive(Task) end),
    say(left, process_info(Nursery, [messages, monitors, links]) =:= [{messages, []}, {monitors, []}, {links, [self()]}]).

%% A process that is killed while it waits leaves nothing behind.
many(Nursery) ->
    Pids = [call(Nursery, {spawn, echo}) || _ <- lists:seq(1, 1000)],
    [Pid ! {echo, self(), N} || {N, Pid} <- lists:enumerate(Pids)],
    say(many, [told(Pid) || Pid <- Pids] =:= lists:seq(1, 1000)),
    [exit(Pid, kill) || Pid <- Pids],
    until(fun() -> not lists:any(fun is_process_alive/1, Pids) end),
    say(killed, true).

%% Uses terms that are not bodies of processes.
wrong() ->
    say(wrong, [try mailbox_nif:spawned(Wrong) catch error:Reason -> Reason end || Wrong <- [make_ref(), 1, self()]]).
