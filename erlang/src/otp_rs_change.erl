%% Switches processes to another build of their application: all of them, or none (ADR 37).
%%
%%   1. Each process is suspended after its current callback has returned.
%%   2. Each process converts its old state to a new one, and stores it. Its module is still that of
%%      the old build: `prepare/4`.
%%   3. When all have done so, the modules are loaded, and each process switches to its new state:
%%      `commit/1`. If one of them cannot, all discard their new states and continue: `undo/1`.
%%
%% The part that runs in the processes is in otp_rs_states. The module is the same in every
%% application.
-module(otp_rs_change).
-export([prepare/4, processes/1, without/2, is_for_now/1, commit/1, undo/1, guard/2]).
-export_type([held/0, not_changed/0, outcome/0, options/0]).

%% A process, and the modules that it serves, each with its behaviour.
-type group() :: {pid(), [{module(), module()}, ...]}.
-type not_changed() :: {pid(), module(), Why :: term()}.
%% `asker`: the monitor of the process that requested the upgrade. `allow_busy`: a process that is
%% busy when the time is over keeps running the old code. `progress` is called with the number of
%% processes that are ready.
-type options() :: #{asker := reference(), allow_busy := boolean(), progress := fun((non_neg_integer()) -> term())}.
-type context() :: #{
    libraries := [module(), ...], until := integer() | infinity, options := options(), before := #{pid() => [term()]}, left := [not_changed()]
}.
%% Processes that are suspended and ready. Those in `left` keep their code; the ones marked `same`
%% started with the new build.
-type held() :: {[group()], context()}.
%% Modules of the processes that have switched; processes that have not; children that are new in
%% their supervisor.
-type outcome() :: {[module()], [not_changed()], [{pid(), term(), term()}]}.

%% In milliseconds: how long to wait for the next process to be suspended, in the first round and in
%% later ones; the number of processes that every round suspends in one millisecond in any case; the
%% time for the work of a suspended process, and for a question.
-define(SOON, 20).
-define(LATER, 500).
-define(EACH, 10).
-define(CHANGE, 60000).
-define(ANSWER, 500).

%% Suspends the processes, and makes each convert its state. The first library is the new one.
%% `Until` is a monotonic time in milliseconds. If the asker ends, all continue unchanged.
-spec prepare([otp_rs_processes:process()], [module(), ...], integer() | infinity, options()) ->
    {ok, held()} | {failed | busy, [not_changed(), ...]} | cancelled.
prepare(Processes, Libraries, Until, Options) ->
    Groups = grouped(Processes),
    _ = spawn(?MODULE, guard, [self(), [Pid || {Pid, _} <- Groups]]),
    Before = maps:from_list([{Pid, children(Pid)} || {Pid, _} = Group <- Groups, is_supervisor(Group)]),
    Context = #{libraries => Libraries, until => Until, options => Options, before => Before, left => []},
    try
        Prepared = round(Groups, [], #{}, ?SOON, Context),
        ok = not_cancelled(Options),
        Prepared
    catch
        throw:cancelled ->
            lists:foreach(fun({Pid, _}) -> go_back(Pid) end, Groups),
            cancelled
    end.

-spec not_cancelled(options()) -> ok.
not_cancelled(#{asker := Asker}) ->
    receive {'DOWN', Asker, process, _, _} -> throw(cancelled)
    after 0 -> ok
    end.

%% If the process that suspended the others is killed, this process resumes them.
-spec guard(pid(), [pid()]) -> ok.
guard(Main, Processes) ->
    Monitor = monitor(process, Main),
    receive
        {'DOWN', Monitor, process, Main, {otp_rs_upgrade, _}} -> ok;
        {'DOWN', Monitor, process, Main, _} -> lists:foreach(fun go_back/1, Processes)
    end.

-spec grouped([otp_rs_processes:process()]) -> [group()].
grouped(Processes) ->
    Grouped = lists:foldl(fun({Pid, Module, Behaviour}, All) ->
        maps:update_with(Pid, fun(Modules) -> [{Module, Behaviour} | Modules] end, [{Module, Behaviour}], All)
    end, #{}, Processes),
    [{Pid, lists:usort(Modules)} || {Pid, Modules} <- lists:sort(maps:to_list(Grouped))].

-spec is_supervisor(group()) -> boolean().
is_supervisor({_, Modules}) ->
    lists:keymember(supervisor, 2, Modules).

%% Requests of `sys` without an answer yet.
-type waiting(What) :: #{reference() => What}.

%% Asks all processes to suspend. A process that waits for another process would wait for ever if
%% that one is already suspended. Therefore, if some are late, the others are resumed until the late
%% ones have answered. Each round begins with the processes that were late in the round before.
-spec round([group()], [group()], waiting(group()), pos_integer(), context()) -> {ok, held()} | {failed | busy, [not_changed(), ...]}.
round(Running, Still, Late, Limit, Context) ->
    Asked = maps:from_list([{request(Pid, suspend), Group} || {Pid, _} = Group <- Running]),
    Most = now_ms() + ?LATER + length(Running) div ?EACH,
    {Suspended, NowLate} = suspended(maps:merge(Late, Asked), Limit, Most, Context),
    Groups = Still ++ Suspended,
    case map_size(NowLate) of
        0 ->
            ready(Groups, Limit, Context);
        _ ->
            lists:foreach(fun({Pid, _}) -> resume(Pid) end, Groups),
            rest(Groups, NowLate, Limit, Context)
    end.

%% Waits until the last of the late processes is suspended, while the others run. Processes that are
%% suspended before the last one are resumed as well, unless the last one follows soon.
-spec rest([group()], waiting(group()), pos_integer(), context()) -> {ok, held()} | {failed | busy, [not_changed(), ...]}.
rest(Running, Late, Limit, #{until := Until} = Context) ->
    {First, Others} = suspended(Late, left_until(Until), Until, one, Context),
    {Next, StillLate} = suspended(Others, Limit, min(Until, now_ms() + Limit), Context),
    Suspended = First ++ Next,
    case {map_size(StillLate), now_ms() < Until} of
        {0, _} ->
            round(Running, Suspended, #{}, longer(Limit), Context);
        {_, true} ->
            lists:foreach(fun({Pid, _}) -> resume(Pid) end, Suspended),
            rest(Running ++ Suspended, StillLate, Limit, Context);
        {_, false} ->
            Groups = Running ++ Suspended,
            lists:foreach(fun({Pid, _}) -> go_back(Pid) end, Groups ++ maps:values(StillLate)),
            lists:foreach(fun(Monitor) -> demonitor(Monitor, [flush]) end, maps:keys(StillLate)),
            Busy = [{Pid, Module, busy} || {Pid, Modules} <- maps:values(StillLate), {Module, _} <- Modules],
            not_those(Busy, Groups, Limit, Context)
    end.

-spec left_until(integer() | infinity) -> non_neg_integer() | infinity.
left_until(infinity) -> infinity;
left_until(Until) -> max(0, Until - now_ms()).

-spec longer(pos_integer()) -> pos_integer().
longer(Limit) ->
    min(2 * Limit, ?LATER).

%% The time is over. Busy processes keep running the old code, if that is allowed.
-spec not_those([not_changed(), ...], [group()], pos_integer(), context()) -> {ok, held()} | {busy | failed, [not_changed(), ...]}.
not_those(Busy, _, _, #{options := #{allow_busy := false}}) ->
    {busy, Busy};
not_those(Busy, Groups, Limit, #{left := Left} = Context) ->
    Others = [Group || {Pid, _} = Group <- Groups, not lists:keymember(Pid, 1, Busy)],
    round(Others, [], #{}, Limit, Context#{left := Left ++ Busy, until := now_ms() + ?LATER}).

%% All processes are suspended: makes them convert their states, first those states that need no
%% code of the application. If the upgrade has to wait, the application's conversions have not run
%% in vain.
-spec ready([group()], pos_integer(), context()) -> {ok, held()} | {failed | busy, [not_changed(), ...]}.
ready(Groups, Limit, #{until := Until, options := Options} = Context) ->
    {Living, Refused} = in_each(Groups, adopt, Context),
    {Hard, Staying} = lists:partition(fun({_, _, Why}) -> Why =/= elsewhere andalso Why =/= same end, Refused),
    Failed = case [One || {_, _, Why} = One <- Hard, not is_for_now(Why)] of
        [] when Hard =:= [] -> element(2, in_each(Living, convert, Context));
        Failures -> Failures
    end,
    case {Failed, Hard} of
        {[], []} ->
            {ok, {Living, left(Staying, Context)}};
        {[], _} ->
            case now_ms() < Until of
                true ->
                    ok = again(Living, Hard),
                    ok = timer:sleep(Limit),
                    ok = not_cancelled(Options),
                    round(Living, [], #{}, longer(Limit), Context);
                false ->
                    ok = undo({Living, Context}),
                    not_those(Hard, Living, Limit, Context)
            end;
        {_, _} ->
            ok = undo({Living, Context}),
            {failed, Failed}
    end.

-spec left([not_changed()], context()) -> context().
left(More, #{left := Left} = Context) ->
    Context#{left := Left ++ More}.

%% Whether the process may be able to switch at a later attempt.
-spec is_for_now(term()) -> boolean().
is_for_now(busy) -> true;
is_for_now({not_a_state, _}) -> true;
is_for_now(_) -> false.

%% Makes each process do a part of the work. Returns the living processes, and the parts that
%% failed.
-spec in_each([group()], adopt | convert, context()) -> {[group()], [not_changed()]}.
in_each(Groups, Part, #{libraries := Libraries, options := #{progress := Progress, asker := Asker}}) ->
    Reference = make_ref(),
    Asked = maps:from_list([{request(Pid, {replace_state, otp_rs_states:fun_of(Part, Modules, Libraries, {self(), Reference})}), Group}
        || {Pid, Modules} = Group <- Groups]),
    {Done, Late} = answers(Asked, {?CHANGE, now_ms() + ?CHANGE, all, Asker}),
    _ = Part =:= adopt andalso Progress(length(Done)),
    lists:foreach(fun(Monitor) -> demonitor(Monitor, [flush]) end, maps:keys(Late)),
    Said = said(Reference) ++ [{Pid, Module, timeout} || {Pid, [{Module, _} | _]} <- maps:values(Late)]
        ++ [{Pid, Module, Reason} || {{Pid, [{Module, _} | _]}, {error, {callback_failed, _, Reason}}} <- Done],
    {[Group || {Group, _} <- Done] ++ maps:values(Late), Said}.

-spec said(reference()) -> [not_changed()].
said(Reference) ->
    receive {Reference, Pid, Module, Why} -> [{Pid, Module, Why} | said(Reference)]
    after 0 -> []
    end.

-spec processes(held()) -> [pid()].
processes({Groups, _}) ->
    [Pid || {Pid, _} <- Groups].

%% Adds processes that keep running the old code.
-spec without(held(), [not_changed()]) -> held().
without({Groups, Context}, NotChanged) ->
    {Groups, left(NotChanged, Context)}.

%% Makes each process take its new state and continue. The new modules are loaded.
-spec commit(held()) -> outcome().
commit({Groups, #{libraries := Libraries, before := Before, left := Left}}) ->
    Staying = [{Pid, Module} || {Pid, Module, _} <- Left],
    Asked = maps:from_list(lists:append([taking(Group, Libraries, Staying) || Group <- Groups])),
    {Done, Late} = answers(Asked, {?CHANGE, now_ms() + ?CHANGE, all, make_ref()}),
    lists:foreach(fun(Monitor) -> demonitor(Monitor, [flush]) end, maps:keys(Late)),
    ok = collect([Pid || {Pid, _} <- Groups]),
    Ends = [{Pid, Module, otp_rs_states:end_of(Request, Answer, {Pid, Module}, tl(Libraries))} || {{Pid, Module, Request}, Answer} <- Done],
    Failed = [One || {_, _, Why} = One <- Ends, Why =/= ok] ++ [{Pid, Module, timeout} || {Pid, Module, _} <- maps:values(Late)],
    Bad = [{Pid, Module} || {Pid, Module, _} <- Failed],
    Changed = lists:usort([{Pid, Module} || {Pid, Module, ok} <- Ends]) -- Bad,
    NotChanged = [One || {_, _, Why} = One <- Left, Why =/= same] ++ lists:usort(Failed),
    {[Module || {_, Module} <- Changed], NotChanged, started(Groups, Before)}.

%% Sends the requests, and after them the request to resume.
-spec taking(group(), [module(), ...], [{pid(), module()}]) -> [{reference(), {pid(), module(), atom()}}].
taking({Pid, Modules}, Libraries, Staying) ->
    Asked = [{request(Pid, Request), {Pid, Module, element(1, Request)}}
        || {Module, Behaviour} <- Modules, not lists:member({Pid, Module}, Staying),
           Request <- otp_rs_states:requests(Module, Behaviour, Libraries)],
    go_back(Pid),
    Asked.

%% Collects the old states, which are garbage now, so that they do not count as states any more.
-spec collect([pid()]) -> ok.
collect(Processes) ->
    Reference = make_ref(),
    lists:foreach(fun(Pid) -> try erlang:garbage_collect(Pid, [{async, {Reference, Pid}}]) catch error:badarg -> gone end end, Processes),
    Until = now_ms() + ?ANSWER,
    lists:foreach(fun(Pid) ->
        receive {garbage_collect, {Reference, Pid}, _} -> ok after max(0, Until - now_ms()) -> ok end
    end, Processes).

-spec started([group()], #{pid() => [term()]}) -> [{pid(), term(), term()}].
started(Groups, Before) ->
    All = [{Pid, Id, restarted(Pid, Id)} || {Pid, _} = Group <- Groups, is_supervisor(Group), Id <- children(Pid) -- map_get(Pid, Before)],
    [One || {_, _, Result} = One <- All, Result =/= {error, running}, Result =/= {error, restarting}].

-spec restarted(pid(), term()) -> {ok, pid() | undefined} | {ok, pid() | undefined, term()} | {error, term()}.
restarted(Pid, Id) ->
    try supervisor:restart_child(Pid, Id) catch exit:Reason -> {error, Reason} end.

-spec children(pid()) -> [term()].
children(Pid) ->
    try gen_server:call(Pid, which_children, ?ANSWER) of
        Children -> [Id || {Id, _, _, _} <- Children, Id =/= undefined]
    catch exit:_ -> []
    end.

%% Makes all processes discard what they have prepared, and resumes them.
-spec undo(held()) -> ok.
undo({Groups, _}) ->
    Processes = [Pid || {Pid, _} <- Groups],
    lists:foreach(fun go_back/1, Processes),
    collect(Processes).

%% Resumes all processes until the next attempt. Until then, busy ones start no work for threads.
-spec again([group()], [not_changed()]) -> ok.
again(Groups, NotChanged) ->
    Busy = [Pid || {Pid, _, busy} <- NotChanged],
    lists:foreach(fun({Pid, _}) ->
        tell(Pid, {replace_state, case lists:member(Pid, Busy) of
            true -> fun otp_rs_states:draining/1;
            false -> fun otp_rs_states:forgotten/1
        end}),
        resume(Pid)
    end, Groups),
    collect([Pid || {Pid, _} <- Groups]).

-spec go_back(pid()) -> ok.
go_back(Pid) ->
    tell(Pid, {replace_state, fun otp_rs_states:dropped/1}),
    resume(Pid).

%% Does not wait for the answer. A process that was too slow is suspended later, and then resumed at
%% once.
-spec resume(pid()) -> ok.
resume(Pid) ->
    tell(Pid, resume).

-dialyzer({no_improper_lists, [tell/2, request/2]}).
-spec tell(pid(), term()) -> ok.
tell(Pid, Request) ->
    Nobody = alias(),
    true = unalias(Nobody),
    Pid ! {system, {self(), [alias | Nobody]}, Request},
    ok.

%% Sends a request of `sys` to a process, and does not wait for the answer.
-spec request(pid(), term()) -> reference().
request(Pid, Request) ->
    Monitor = erlang:monitor(process, Pid, [{alias, reply_demonitor}]),
    Pid ! {system, {self(), [alias | Monitor]}, Request},
    Monitor.

%% Returns the groups that were suspended before `Until`, and before a pause of `Pause` milliseconds
%% without any. The requests to the others remain pending.
-spec suspended(waiting(group()), timeout(), integer() | infinity, context()) -> {[group()], waiting(group())}.
suspended(Waiting, Pause, Until, Context) ->
    suspended(Waiting, Pause, Until, all, Context).

-spec suspended(waiting(group()), timeout(), integer() | infinity, one | all, context()) -> {[group()], waiting(group())}.
suspended(Waiting, Pause, Until, Count, #{options := #{asker := Asker}}) ->
    {Answers, Late} = answers(Waiting, {Pause, Until, Count, Asker}),
    {[Group || {Group, _} <- Answers], Late}.

%% Limits for waiting for answers: the milliseconds from one answer to the next, the time of the
%% last one, their number, and the monitor of the process that requested the upgrade.
-type patience() :: {timeout(), integer() | infinity, one | all, reference()}.

%% Returns answers, each with the key of its request. A process that has ended is neither answered
%% nor late.
-spec answers(waiting(What), patience()) -> {[{What, term()}], waiting(What)}.
answers(Waiting, Patience) ->
    answers(Waiting, Patience, []).

-spec answers(waiting(What), patience(), [{What, term()}]) -> {[{What, term()}], waiting(What)}.
answers(Waiting, {_, _, Count, _}, Answers) when map_size(Waiting) =:= 0; Count =:= one, Answers =/= [] ->
    {lists:reverse(Answers), Waiting};
answers(Waiting, {Pause, Until, _, Asker} = Patience, Answers) ->
    receive
        {[alias | Monitor], Answer} when is_map_key(Monitor, Waiting) ->
            {What, Others} = maps:take(Monitor, Waiting),
            answers(Others, Patience, [{What, brief(Answer)} | Answers]);
        {'DOWN', Asker, process, _, _} ->
            throw(cancelled);
        {'DOWN', Monitor, process, _, _} when is_map_key(Monitor, Waiting) ->
            answers(maps:remove(Monitor, Waiting), Patience, Answers)
    after min(Pause, left_until(Until)) ->
        {lists:reverse(Answers), Waiting}
    end.

%% Drops a state in an answer: it would be kept here for longer than in its process.
-spec brief(term()) -> ok | {error, term()}.
brief({error, _} = Error) -> Error;
brief(_) -> ok.

-spec now_ms() -> integer().
now_ms() ->
    erlang:monotonic_time(millisecond).
