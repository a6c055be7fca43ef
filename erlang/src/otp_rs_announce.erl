%% Announces to processes that an upgrade begins, and that it has ended (ADR 52). Only processes
%% whose modules have a clause for the announcement receive it. A process prepares for the upgrade
%% before it is suspended, because the announcement is in its mailbox before the request of `sys`.
%% The module is the same in every application.
-module(otp_rs_announce).
-export([begins/3, ended/1, guard/2]).
-export_type([processes/0]).

%% In the order of their start.
-type processes() :: [otp_rs_processes:process()].

%% Timeouts in milliseconds: for a question, and for the work of a process after an upgrade.
-define(ANSWER, 500).
-define(GO_ON, 60000).

%% Announces the beginning to one process after the other, in the reverse order of their start, as
%% when an application stops: each process can still use the processes that it depends on. If a
%% process has not handled the announcement in time, the next one still receives it. If the asker's
%% monitor fires, the remaining processes are not waited for.
-spec begins([otp_rs_processes:process()], integer(), reference()) -> processes().
begins(Processes, Until, Asker) ->
    Told = [One || One <- in_order_of_start(Processes), is_told(One)],
    _ = Told =:= [] orelse spawn(?MODULE, guard, [self(), Told]),
    lists:foreach(fun({Pid, _, _}) -> tell(Pid, upgrade_begins, Until - now_ms(), Asker) end, lists:reverse(Told)),
    Told.

%% Announces the end to each process, whichever build it now runs. A process that no longer takes
%% the message does not receive it.
-spec ended(processes()) -> ok.
ended(Told) ->
    lists:foreach(fun({Pid, _, _}) -> tell(Pid, upgrade_ended, ?GO_ON, make_ref()) end, lists:filter(fun is_told/1, Told)).

%% If the upgrader is killed, announces the end to all processes.
-spec guard(pid(), processes()) -> ok.
guard(Main, Told) ->
    Monitor = monitor(process, Main),
    receive
        {'DOWN', Monitor, process, Main, {otp_rs_upgrade, _}} -> ok;
        {'DOWN', Monitor, process, Main, _} -> ended(Told)
    end.

%% Sends the announcement, and returns when the process has handled it, when the time is over, or
%% when the asker has ended. In the last case, the monitor's message is put back for otp_rs_change.
-dialyzer({no_improper_lists, tell/4}).
-spec tell(pid(), upgrade_begins | upgrade_ended, integer(), reference()) -> ok.
tell(Pid, Message, Limit, Asker) ->
    Pid ! Message,
    Monitor = erlang:monitor(process, Pid, [{alias, reply_demonitor}]),
    Pid ! {system, {self(), [alias | Monitor]}, {debug, {log, get}}},
    receive
        {[alias | Monitor], _} -> ok;
        {'DOWN', Monitor, process, _, _} -> ok;
        {'DOWN', Asker, process, _, _} = Down -> self() ! Down, ok
    after max(0, Limit) -> ok
    end,
    true = demonitor(Monitor, [flush]),
    ok.

%% A handler of a gen_event shares its process with others, so it receives no announcement.
-spec is_told(otp_rs_processes:process()) -> boolean().
is_told({_, Module, Behaviour}) when Behaviour =:= gen_server; Behaviour =:= gen_statem ->
    Attributes = try Module:module_info(attributes) catch error:undef -> [] end,
    lists:keymember(?MODULE, 1, Attributes);
is_told(_) ->
    false.

%% Processes that were not started by a supervisor of the application come last.
-spec in_order_of_start([otp_rs_processes:process()]) -> processes().
in_order_of_start(Processes) ->
    Children = maps:from_list([{Pid, children(Pid)} || {Pid, _, supervisor} <- Processes]),
    Roots = maps:keys(Children) -- lists:append(maps:values(Children)),
    Placed = lists:append([below(Root, Children) || Root <- lists:sort(Roots)]),
    Numbers = maps:from_list(lists:zip(Placed, lists:seq(1, length(Placed)))),
    Place = fun({Pid, _, _}) -> maps:get(Pid, Numbers, last) end,
    [One || {_, One} <- lists:sort([{{Place(One), One}, One} || One <- Processes])].

-spec below(pid(), #{pid() => [pid()]}) -> [pid()].
below(Pid, Children) ->
    [Pid | lists:append([below(Child, Children) || Child <- maps:get(Pid, Children, [])])].

%% A supervisor lists the child first that it started last.
-spec children(pid()) -> [pid()].
children(Pid) ->
    try gen_server:call(Pid, which_children, ?ANSWER) of
        Children -> lists:reverse([Child || {_, Child, _, _} <- Children, is_pid(Child)])
    catch exit:_ -> []
    end.

-spec now_ms() -> integer().
now_ms() ->
    erlang:monotonic_time(millisecond).
