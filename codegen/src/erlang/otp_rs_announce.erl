%% Tells processes that an upgrade begins, and that it has ended (ADR 52): those whose modules have
%% a clause for it. A process that has heard that it begins rests before it is suspended: its
%% mailbox has that message before the one of `sys`. The module is the same in every application.
-module(otp_rs_announce).
-export([begins/3, ended/1, guard/2]).
-export_type([processes/0]).

%% In the order of a start.
-type processes() :: [otp_rs_processes:process()].

%% Milliseconds for a question, and for what a process does when an upgrade has ended.
-define(ANSWER, 500).
-define(GO_ON, 60000).

%% One after the other, the last one that was started first, as at the end of an application: what
%% it needs of others is still there. One that has not done with it until then is still told. If the
%% asker's monitor fires, the others are not waited for.
-spec begins([otp_rs_processes:process()], integer(), reference()) -> processes().
begins(Processes, Until, Asker) ->
    Told = [One || One <- in_order_of_start(Processes), is_told(One)],
    _ = Told =:= [] orelse spawn(?MODULE, guard, [self(), Told]),
    lists:foreach(fun({Pid, _, _}) -> tell(Pid, upgrade_begins, Until - now_ms(), Asker) end, lists:reverse(Told)),
    Told.

%% Whichever build they run now. One that does not take the message any more is not told.
-spec ended(processes()) -> ok.
ended(Told) ->
    lists:foreach(fun({Pid, _, _}) -> tell(Pid, upgrade_ended, ?GO_ON, make_ref()) end, lists:filter(fun is_told/1, Told)).

%% If who upgrades is killed, all go on.
-spec guard(pid(), processes()) -> ok.
guard(Main, Told) ->
    Monitor = monitor(process, Main),
    receive
        {'DOWN', Monitor, process, Main, {otp_rs_upgrade, _}} -> ok;
        {'DOWN', Monitor, process, Main, _} -> ended(Told)
    end.

%% Returns when the process has done with the message, the time is over, or the asker has ended: its
%% message stays for otp_rs_change.
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

%% A handler of a gen_event shares its process with others.
-spec is_told(otp_rs_processes:process()) -> boolean().
is_told({_, Module, Behaviour}) when Behaviour =:= gen_server; Behaviour =:= gen_statem ->
    Attributes = try Module:module_info(attributes) catch error:undef -> [] end,
    lists:keymember(?MODULE, 1, Attributes);
is_told(_) ->
    false.

%% Those that no supervisor of the application has started come last.
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

%% A supervisor names the child first that was started last.
-spec children(pid()) -> [pid()].
children(Pid) ->
    try gen_server:call(Pid, which_children, ?ANSWER) of
        Children -> lists:reverse([Child || {_, Child, _, _} <- Children, is_pid(Child)])
    catch exit:_ -> []
    end.

-spec now_ms() -> integer().
now_ms() ->
    erlang:monotonic_time(millisecond).
