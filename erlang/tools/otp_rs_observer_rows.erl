%% The row of each process on a page.
-module(otp_rs_observer_rows).
-export([new/0, sample/4, all/1, begun_with/1, module_text/1]).
-export_type([rows/0, sample/0]).

%% The maximum number of processes that are asked, and the number above which even their list would
%% be too long.
-define(MOST, 10000).
-define(UNLISTED, 200000).
%% The number of processes that are asked at a time, the milliseconds after which one counts as
%% busy, and the maximum number of busy ones in a sample.
-define(AT_A_TIME, 100).
-define(LIMIT, 200).
-define(BUSY, 8).
-define(ITEMS, [registered_name, status, message_queue_len, memory, reductions, current_function]).
-define(CHARACTERS, 200).
%% A callback that has run for fewer milliseconds is not shown, because the next one will run soon.
-define(SHORT, 10).

%% A row: constant facts (its module, and whether that is Rust), its reductions and the time of
%% reading them, and the displayed values. These become text only when they are sent, because most
%% rows are unchanged.
-record(row, {
    module :: binary(),
    is_rust :: boolean(),
    reductions :: non_neg_integer(),
    at :: integer(),
    shown = none :: none | {
        Name :: atom() | [], Status :: atom(), Mailbox :: non_neg_integer(), Memory :: non_neg_integer(),
        Rate :: non_neg_integer(), Current :: mfa() | undefined
    },
    %% The current callback in Rust, its place, and the second in which it has begun.
    callback = none :: none | {binary(), atom(), integer()}
}).

-opaque rows() :: #{pid() => #row{}}.
-type sample() :: #{changed := [otp_rs_observer_json:json()], gone := [otp_rs_observer_json:json()], reductions := non_neg_integer()}.

%% The initial function of a process. It is unknown for one that has just ended.
-type call() :: {module(), atom(), term()} | {isolated, {module(), OsProcess :: pos_integer()}} | undefined.

-spec new() -> rows().
new() -> #{}.

%% Asks all processes except those that observe. If there are too many, only those that have a name
%% or are in a supervision tree are asked. The reductions are those of the asking processes.
-spec sample(rows(), otp_rs_observer_question:questions(), [pid()], [pid()]) -> {rows(), sample()}.
sample(Rows, Questions, First, Own) ->
    Listed = pids(First) -- Own,
    Pids = [{Pid, not is_map_key(Pid, Rows)} || Pid <- Listed, not otp_rs_observer_question:is_unanswered(Questions, Pid)],
    {Answers, Reductions} = asked(Pids, Questions, {[], 0, 0}),
    Now = erlang:monotonic_time(millisecond),
    Read = maps:from_list([{Pid, row(Answer, maps:get(Pid, Rows, none), Now)} || {Pid, Answer} <- Answers, Answer =/= ended]),
    %% is_process_alive/1 cannot be used, because it waits for the process, too.
    Silent = maps:without([Pid || {Pid, _} <- Answers], maps:with(Listed, Rows)),
    After = with_callbacks(maps:merge(maps:map(fun(_, Row) -> silent(Row) end, Silent), Read)),
    {After, #{
        changed => [shown(Pid, Row) || {Pid, Row} <- maps:to_list(After), has_changed(Row, maps:get(Pid, Rows, none))],
        gone => [pid_text(Pid) || Pid <- maps:keys(Rows), not is_map_key(Pid, After)],
        reductions => Reductions
    }}.

%% Adds the libraries' information about callbacks, which does not require waiting for any process.
-spec with_callbacks(rows()) -> rows().
with_callbacks(Rows) ->
    Now = erlang:system_time(millisecond),
    Callbacks = try otp_rs_status:callbacks() catch error:undef -> #{} end,
    maps:map(fun(Pid, Row) ->
        case Callbacks of
            #{Pid := #{callback := Callback, ms := Milliseconds, place := Place}} when Place =:= waiting; Milliseconds >= ?SHORT ->
                Row#row{callback = {Callback, Place, (Now - Milliseconds + 500) div 1000}};
            #{} when Row#row.callback =:= none -> Row;
            #{} -> Row#row{callback = none}
        end
    end, Rows).

%% Returns all rows, for a page that has none yet.
-spec all(rows()) -> [otp_rs_observer_json:json()].
all(Rows) ->
    [shown(Pid, Row) || {Pid, Row} <- maps:to_list(Rows)].

-spec pids([pid()]) -> [pid()].
pids(First) ->
    case erlang:system_info(process_count) of
        Count when Count =< ?MOST ->
            processes();
        Count ->
            Named = [Pid || Name <- registered(), Pid <- [whereis(Name)], is_pid(Pid)],
            Preferred = lists:usort(First ++ Named),
            Others = [Pid || Count =< ?UNLISTED, Pid <- ordsets:subtract(lists:usort(processes()), Preferred)],
            lists:sublist(Preferred ++ Others, ?MOST)
    end.

%% The result of `process_info/2`, and the initial function if the process is new.
-type answer() :: {[tuple()], call() | known} | ended.
-type answers() :: {[{pid(), answer()}], Busy :: non_neg_integer(), Reductions :: non_neg_integer()}.

-spec asked([{pid(), boolean()}], otp_rs_observer_question:questions(), answers()) -> {[{pid(), answer()}], non_neg_integer()}.
asked(Pids, _, {Answers, Busy, Reductions}) when Pids =:= []; Busy >= ?BUSY ->
    {Answers, Reductions};
asked(Pids, Questions, {Answers, Busy, Reductions}) ->
    {Some, Others} = lists:split(min(?AT_A_TIME, length(Pids)), Pids),
    At = atomics:new(1, []),
    Question = fun() -> {[read(Process, At) || Process <- Some], own_reductions()} end,
    About = fun() -> element(1, lists:nth(max(1, atomics:get(At, 1)), Some)) end,
    case otp_rs_observer_question:ask(Questions, Question, About, ?LIMIT) of
        {ok, {Read, More}} -> asked(Others, Questions, {Read ++ Answers, Busy, Reductions + More});
        {busy, Pid} -> asked(lists:keydelete(Pid, 1, Some) ++ Others, Questions, {Answers, Busy + 1, Reductions});
        failed -> asked(Others, Questions, {Answers, Busy, Reductions})
    end.

%% Records first which process is read.
-spec read({pid(), boolean()}, atomics:atomics_ref()) -> {pid(), answer()}.
read({Pid, IsNew}, At) ->
    atomics:add(At, 1, 1),
    Call = case IsNew of true -> begun_with(Pid); false -> known end,
    case process_info(Pid, ?ITEMS) of
        undefined -> {Pid, ended};
        Information -> {Pid, {Information, Call}}
    end.

-spec own_reductions() -> non_neg_integer().
own_reductions() ->
    {reductions, Reductions} = process_info(self(), reductions),
    Reductions.

-spec row(answer(), #row{} | none, integer()) -> #row{}.
row({Information, Call}, Before, Now) ->
    [{_, Registered}, {_, Status}, {_, Mailbox}, {_, Memory}, {_, Reductions}, {_, Current}] = Information,
    Known = known(Call, Before, Reductions, Now),
    Shown = {Registered, Status, Mailbox, Memory, rate(Known, Reductions, Now), Current},
    Known#row{reductions = Reductions, at = Now, shown = Shown}.

-spec known(call() | known, #row{} | none, non_neg_integer(), integer()) -> #row{}.
known(known, Row, _, _) ->
    Row;
known(Call, _, Reductions, Now) ->
    #row{module = module_text(Call), is_rust = is_rust(Call), reductions = Reductions, at = Now}.

-spec rate(#row{}, non_neg_integer(), integer()) -> non_neg_integer().
rate(#row{reductions = Before, at = At}, Reductions, Now) when Now > At -> max(0, Reductions - Before) * 1000 div (Now - At);
rate(_, _, _) -> 0.

%% Returns the row of a process that does not respond, which is unchanged.
-spec silent(#row{}) -> #row{}.
silent(#row{shown = {Name, _, Mailbox, Memory, _, _}} = Row) ->
    Row#row{shown = {Name, no_answer, Mailbox, Memory, 0, undefined}}.

-spec has_changed(#row{}, #row{} | none) -> boolean().
has_changed(#row{shown = Shown, callback = Callback}, #row{shown = Shown, callback = Callback}) -> false;
has_changed(_, _) -> true.

-spec shown(pid(), #row{}) -> otp_rs_observer_json:json().
shown(Pid, #row{module = Module, is_rust = IsRust, shown = {Registered, Status, Mailbox, Memory, Rate, Current}, callback = Under}) ->
    Name = case Registered of [] -> null; _ -> otp_rs_observer_json:text(Registered, ?CHARACTERS) end,
    Callback = case Under of none -> null; {Text, Place, Since} -> [Text, Place, Since] end,
    [pid_text(Pid), Name, Module, IsRust, Status, Mailbox, Memory, Rate, function(Current), Callback].

-spec pid_text(pid()) -> binary().
pid_text(Pid) -> list_to_binary(pid_to_list(Pid)).

%% Returns the initial function. `proc_lib` knows it for processes that it has started.
-spec begun_with(pid()) -> call().
begun_with(Pid) ->
    case proc_lib:translate_initial_call(Pid) of
        {proc_lib, init_p, _} ->
            case process_info(Pid, initial_call) of
                {initial_call, Call} -> Call;
                undefined -> undefined
            end;
        {otp_rs_isolated, init, _} = Call ->
            isolated(Pid, Call);
        Call ->
            Call
    end.

%% Handles a process that represents a child in a VM of its own.
-spec isolated(pid(), mfa()) -> call().
isolated(Pid, Call) ->
    try otp_rs_isolated:child_of(Pid) of
        {Module, OsProcess} -> {isolated, {Module, OsProcess}};
        none -> Call
    catch
        error:undef -> Call
    end.

%% Returns the callback module, or the initial function of a process without one.
-spec module_text(call()) -> binary().
module_text({Behaviour, Module, _}) when Behaviour =:= supervisor; Behaviour =:= supervisor_bridge ->
    otp_rs_observer_json:text(Module, ?CHARACTERS);
module_text({Module, init, 1}) -> otp_rs_observer_json:text(Module, ?CHARACTERS);
module_text({isolated, {Module, OsProcess}}) ->
    otp_rs_observer_json:characters(io_lib:format("~tp, isolated in OS process ~w", [Module, OsProcess]));
module_text(undefined) -> <<>>;
module_text(Call) -> function(Call).

-spec function(mfa() | undefined) -> otp_rs_observer_json:json().
function({Module, Function, Arity}) ->
    otp_rs_observer_json:characters(io_lib:format("~tw:~tw/~w", [Module, Function, Arity]));
function(_) ->
    null.

%% Modules that are written in Rust declare their library.
-spec is_rust(call()) -> boolean().
is_rust(undefined) -> false;
is_rust({isolated, {Module, _}}) -> has_library(Module);
is_rust({Behaviour, Module, _}) when Behaviour =:= supervisor; Behaviour =:= supervisor_bridge -> has_library(Module);
is_rust({Module, _, _}) -> has_library(Module).

-spec has_library(module()) -> boolean().
has_library(Module) ->
    erlang:module_loaded(Module) andalso lists:keymember(otp_rs, 1, Module:module_info(attributes)).
