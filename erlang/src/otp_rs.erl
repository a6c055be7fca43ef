%% Functions for an Erlang shell that works with processes whose callbacks are Rust, and for the
%% logs and output of these callbacks. The module is the same in every application. The process of
%% this name runs `otp_rs_helper`.
-module(otp_rs).
-export([state/1, replace_state/2, warn_after/2, send/2, visit/3, library_of/1, libraries/0]).
-export([start_child/3, start_child/5, format_error/2]).
-export([tell/1, log_report/2, refuse/2, end_call/3, format/1, written/2]).
-export_type([entry/0, span/0, build/0, report/1]).

%% A span of `tracing`.
-type span() :: {Name :: binary(), #{term() => term()}}.

-include("otp_rs_protocol.hrl").
-include("otp_rs_entry.hrl").
-type cell() :: reference().
%% The result of a library for a cell of a module.
-type seen(Outcome) :: {module(), Outcome | {error, term()}}.
-type shown() :: {ok, term()} | {debug, binary()} | secret | error | {error, term()}.
-type report(Kind) :: #{
    label := {?HELPER, Kind}, module := module(), function := atom(), arity := arity(), message := binary(),
    atom() => term()
}.

%% The timeout for a process to answer, in milliseconds, as in sys:get_state/1.
-define(VISIT, 5000).

%% The maximum number of characters of a term in a report.
-define(WRITTEN, 20000).

%% Returns the state of a process: a term if its Rust type derives `Term`, otherwise its `Debug`
%% text. In a gen_statem, that is its data. A gen_event has a list: the state of each Rust handler,
%% by its module. A secret state is shown as the atom `secret`.
-spec state(gen_server:server_ref()) -> term().
state(Process) ->
    case visit(Process, fun(Library, Cell) -> Library:state(Cell) end, ?VISIT) of
        [{_, Outcome}] -> shown(Outcome);
        [] ->
            case otp_rs_isolated:state(Process, ?VISIT) of
                {ok, State} -> State;
                none -> error(no_rust_state, [Process])
            end;
        Several -> [{Module, shown(Outcome)} || {Module, Outcome} <- Several]
    end.

-spec shown(shown()) -> term().
shown({ok, State}) -> State;
shown({debug, Text}) -> Text;
shown(secret) -> secret;
shown(_) -> error(no_rust_state).

%% Replaces the state by the result of the fun, if the state's type derives `Term`.
-spec replace_state(gen_server:server_ref(), fun((term()) -> term())) ->
    ok | {error, term()} | [{module(), ok | {error, term()}}].
replace_state(Process, Fun) ->
    case otp_rs_isolated:child_of(Process) of
        none -> replace_state_here(Process, Fun);
        _ -> {error, isolated}
    end.

-spec replace_state_here(gen_server:server_ref(), fun((term()) -> term())) ->
    ok | {error, term()} | [{module(), ok | {error, term()}}].
replace_state_here(Process, Fun) ->
    Replace = fun(Library, Cell) ->
        case Library:state(Cell) of
            {ok, State} -> Library:replace_state(Cell, Fun(State));
            {debug, _} -> Library:replace_state(Cell, []);
            secret -> Library:replace_state(Cell, []);
            error -> {error, no_rust_state}
        end
    end,
    case visit(Process, Replace, ?VISIT) of
        [{_, Outcome}] -> Outcome;
        [] -> {error, no_rust_state};
        Several -> Several
    end.

%% Sets how long callbacks of an application may occupy a normal scheduler before a warning names
%% them.
-spec warn_after(module(), pos_integer() | off) -> ok.
warn_after(Library, Milliseconds) ->
    Library:long_callback(Milliseconds).

%% Sends a message to a mailbox of a process's tasks. A Rust process has published the mailbox's
%% address (`Cx::open_mailbox`). Like `!`, it cannot fail.
-spec send({pid(), non_neg_integer()}, Message) -> Message.
send({Process, Number}, Message) ->
    Process ! {?MARK, ?TO, Number, Message},
    Message.

%% Starts a child from a template with start options. A supervisor with `simple_one_for_one` appends
%% the arguments of start_child/2, but a start_link/2 takes the options after them.
-spec start_child(module(), [gen_server:start_opt()], term()) -> gen_server:start_ret().
start_child(Module, Options, Args) ->
    Module:start_link(Args, Options).

%% Starts a child that has its own name from such a template. The last argument takes the place of
%% the options, which are in the template.
-spec start_child(module(), [gen_server:start_opt()], gen_server:server_name(), term(), []) -> gen_server:start_ret().
start_child(Module, Options, Name, Args, []) ->
    Module:start_link(Name, Args, Options).

%% Runs `Look` on the cells of the process, inside the process itself, because no other process may
%% use them.
-spec visit(gen_server:server_ref(), fun((module(), cell()) -> Outcome), timeout()) -> [seen(Outcome)].
visit(Process, Look, Time) ->
    Caller = self(),
    Tag = make_ref(),
    In = fun(State) ->
        Seen = [{Module, try Look(Library, Cell) catch _:Reason -> {error, Reason} end}
                || {Module, Library, Cell} <- cells(State, initial_module())],
        Caller ! {Tag, Seen},
        State
    end,
    _ = sys:replace_state(Process, In, Time),
    collect(Tag).

-spec collect(reference()) -> [seen(term())].
collect(Tag) ->
    receive {Tag, Seen} -> Seen ++ collect(Tag) after 0 -> [] end.

%% A handler of a gen_event, a gen_statem's state and data, or a gen_server's state.
-spec cells(term(), module()) -> [{module(), module(), cell()}].
cells({Module, _Id, State}, _) when is_atom(Module), is_reference(State) -> cell(Module, State);
cells({_State, Data}, Module) when is_reference(Data) -> cell(Module, Data);
cells(State, Module) when is_reference(State) -> cell(Module, State);
cells(_, _) -> [].

-spec cell(module(), cell()) -> [{module(), module(), cell()}].
cell(Module, Cell) ->
    case library_of(Module) of
        {ok, Library} ->
            case otp_rs_upgrade:owner(Library, Cell) of
                {ok, Owner} -> [{Module, Owner, Cell}];
                none -> [{Module, Library, Cell}]
            end;
        none -> []
    end.

%% Finds the library with the callbacks of a module.
-spec library_of(module()) -> {ok, module()} | none.
library_of(Module) ->
    try proplists:get_value(?HELPER, Module:module_info(attributes)) of
        [Library] -> {ok, Library};
        _ -> none
    catch
        error:_ -> none
    end.

-spec initial_module() -> module().
initial_module() ->
    case get('$initial_call') of
        {Module, _, _} -> Module;
        _ -> undefined
    end.

%% Logs a report of the library: a callback occupied a normal scheduler for long, panicked in Rust,
%% or dropped a caller without a reply (the caller's call then fails), or the process dropped a
%% message that no clause takes.
-spec tell(report(panic | unanswered | long_callback | moved | crowded | bad_message | task_failed)) -> ok.
tell(?UNANSWERED(_, _, _, _, _, _, _, Server, Caller) = Report) ->
    log_report(Report, #{}),
    end_call(Caller, Server, unanswered);
tell(?CROWDED(_, _, _, _, Count) = Report) ->
    %% With fewer callbacks than schedulers, none has to wait.
    _ = Count >= erlang:system_info(dirty_cpu_schedulers_online) andalso log_report(Report, #{}),
    ok;
tell(Report) ->
    log_report(Report, #{}).

-spec log_report(report(panic | unanswered | long_callback | moved | crowded | bad_message | task_failed), logger:metadata()) -> ok.
log_report(Report, Metadata) ->
    logger:log(level(Report), Report, Metadata#{report_cb => fun ?MODULE:format/1}).

-spec level(report(atom())) -> logger:level().
level(?LONG_CALLBACK(_, _, _, _, _, _, _, _)) -> warning;
level(?MOVED(_, _, _, _, _, _)) -> notice;
level(?CROWDED(_, _, _, _, _)) -> warning;
level(?BAD_MESSAGE(_, _, _, _, _)) -> warning;
level(?TASK_FAILED(_, _, _, _)) -> error;
level(?UNANSWERED(_, _, _, _, _, _, _, _, _)) -> error;
level(?PANIC(_, _, _, _, _)) -> error.

%% Describes the errors in the arguments of a function that is Rust, for the printer of the
%% exception (EEP 54).
-spec format_error(term(), [tuple()]) -> #{pos_integer() => unicode:chardata()}.
format_error(_Reason, [{_, _, _, Info} | _]) ->
    case proplists:get_value(error_info, Info) of
        #{cause := Cause} -> Cause;
        _ -> #{}
    end;
format_error(_, _) ->
    #{}.

-spec format(logger:report()) -> {io:format(), [term()]}.
format(?LONG_CALLBACK(M, F, A, Message, Time, Worked, Waited, Suppressed)) ->
    {"~tp:~tp/~b~ts held its scheduler for ~b ms~ts~ts: ~ts",
        [M, F, A, clause(Message), Time, worked(Worked), others(Suppressed), remedy(Worked, Waited)]};
format(?MOVED(M, F, A, Message, Time, Scheduler)) ->
    {"~tp:~tp/~b~ts took ~b ms: its next calls run on a dirty ~ts scheduler, until it is fast again",
        [M, F, A, clause(Message), Time, case Scheduler of dirty_cpu -> "CPU"; dirty_io -> "IO" end]};
format(?CROWDED(M, F, A, Message, Count)) ->
    {"~b slow clauses ran at the same time, among them ~tp:~tp/~b~ts, and used all dirty CPU schedulers: other dirty work has to "
        "wait (+SDcpu and +S set their number)", [Count, M, F, A, clause(Message)]};
format(?BAD_MESSAGE(M, F, A, Reason, Suppressed)) ->
    {"~tp:~tp/~b has dropped a message that it does not take~ts: ~ts", [M, F, A, others(Suppressed), written(Reason, ?WRITTEN)]};
format(?TASK_FAILED(M, Task, Reason, Suppressed)) ->
    {"a detached task of ~tp has failed (~ts)~ts: ~ts", [M, Task, others(Suppressed), written(Reason, ?WRITTEN)]};
format(?PANIC(M, F, A, Message, Backtrace)) ->
    {"~tp:~tp/~b panicked: ~ts~n~ts", [M, F, A, Message, Backtrace]};
format(?UNANSWERED(M, F, A, Message, _, File, Line, _, {Caller, _})) ->
    {"~tp:~tp/~b~ts has dropped its caller ~tp without a reply (~ts:~b)",
        [M, F, A, clause(Message), Caller, File, Line]}.

-spec worked(non_neg_integer() | undefined) -> iolist().
worked(undefined) -> "";
worked(Time) -> io_lib:format(" (~b ms of processor time)", [Time]).

%% A callback that mostly waits does not need a dirty CPU scheduler.
-spec remedy(non_neg_integer() | undefined, non_neg_integer() | undefined) -> string().
remedy(Worked, Waited) when is_integer(Worked), is_integer(Waited), Waited > Worked ->
    "wait in cx.blocking(), or run it under #[dirty(io)]";
remedy(_, _) ->
    "give way by cx.checkpoint(), or run it under #[dirty(cpu)]".

-spec clause(binary()) -> [string() | binary()].
clause(<<>>) -> "";
clause(Message) -> [" of ", Message].

-spec others(non_neg_integer()) -> string().
others(0) -> "";
others(Count) -> lists:flatten(io_lib:format(" (and ~b like it)", [Count])).

%% Writes a term on one line of about `Most` characters at most, like `~0tp`. Without `+pc unicode`,
%% a VM writes texts beyond Latin-1 as numbers; here they are texts.
-spec written(term(), pos_integer()) -> unicode:chardata().
written(Term, Most) ->
    case io:printable_range() of
        unicode -> plain(Term, Most);
        latin1 -> element(1, print(Term, Most))
    end.

-spec plain(term(), pos_integer()) -> unicode:chardata().
plain(Term, Most) ->
    io_lib:format("~0tp", [Term], [{chars_limit, Most}]).

%% A text, and the number of characters that are left.
-type printed() :: {unicode:chardata(), integer()}.
-type printer() :: fun((term(), integer()) -> printed()).

-spec print(term(), integer()) -> printed().
print(_, Left) when Left =< 0 ->
    {"...", Left};
print([_ | _] = List, Left) ->
    case io_lib:printable_unicode_list(List) of
        true -> quoted(List, Left);
        false -> enclosed("[", List, "]", fun print/2, Left)
    end;
print(Binary, Left) when is_binary(Binary), Binary =/= <<>>, byte_size(Binary) =< 4 * Left ->
    Text = unicode:characters_to_list(Binary),
    case is_list(Text) andalso {io_lib:printable_latin1_list(Text), io_lib:printable_unicode_list(Text)} of
        {false, true} ->
            {Quoted, Rest} = quoted(Text, Left),
            {["<<", Quoted, "/utf8>>"], Rest - 9};
        _ -> counted(plain(Binary, Left), Left)
    end;
print(Tuple, Left) when is_tuple(Tuple) ->
    enclosed("{", tuple_to_list(Tuple), "}", fun print/2, Left);
print(Map, Left) when is_map(Map) ->
    enclosed("#{", maps:to_list(Map), "}", fun pair/2, Left);
print(Other, Left) ->
    counted(plain(Other, Left), Left).

-spec enclosed(nonempty_list($[ | ${ | $#), maybe_improper_list(), nonempty_list($] | $}), printer(), integer()) ->
    {[unicode:chardata() | char(), ...], integer()}.
enclosed(Open, Elements, Close, Print, Left) ->
    {Text, Rest} = elements(Elements, Print, Left - length(Open) - length(Close)),
    {[Open, Text, Close], Rest}.

-spec elements(maybe_improper_list() | term(), printer(), integer()) -> printed().
elements([], _, Left) ->
    {"", Left};
elements(_, _, Left) when Left =< 0 ->
    {"...", Left};
elements([Element | Elements], Print, Left) ->
    {Text, Rest} = Print(Element, Left),
    {Others, After} = elements(Elements, Print, Rest - 1),
    {[Text, separator(Elements), Others], After};
elements(Tail, Print, Left) ->
    Print(Tail, Left).

-spec separator(term()) -> [$, | $|].
separator([]) -> "";
separator([_ | _]) -> ",";
separator(_) -> "|".

-spec pair({term(), term()}, integer()) -> printed().
pair({Key, Value}, Left) ->
    {Before, Rest} = print(Key, Left),
    {After, Last} = print(Value, Rest - 4),
    {[Before, " => ", After], Last}.

-spec quoted(string(), pos_integer()) -> printed().
quoted(Text, Left) ->
    Shown = lists:sublist(Text, Left),
    counted([io_lib:write_string(Shown), ["..." || length(Text) > Left]], Left).

-spec counted(io_lib:chars(), non_neg_integer()) -> {io_lib:chars(), integer()}.
counted(Text, Left) -> {Text, Left - string:length(Text)}.

%% The libraries of the running applications.
-spec libraries() -> [module()].
libraries() ->
    otp_rs_helper:libraries().

-type server() :: pid().
%% An application, its version, and the identifier of its library.
-type build() :: {atom(), binary(), binary()}.

%% Makes the call fail whose request the called server refuses.
-spec refuse(gen_server:from(), term()) -> ok.
refuse(Caller, Reason) ->
    end_call(Caller, self(), Reason).

%% Makes the call fail at once, as if its server had ended.
-spec end_call(gen_server:from(), server(), term()) -> ok.
end_call({Pid, Tag}, Server, Reason) ->
    _ = case Tag of
        %% Tags of OTP's behaviours: of `gen`, of a proxy of `gen`, and of a client without an
        %% alias.
        [alias | Monitor] when is_reference(Monitor) -> Monitor ! down(Monitor, Server, Reason);
        [[alias | Monitor] | _] when is_reference(Monitor) -> Monitor ! down(Monitor, Server, Reason);
        Monitor when is_reference(Monitor) -> Pid ! down(Monitor, Server, Reason);
        _ -> ok
    end,
    ok.

-spec down(reference(), server(), term()) -> {'DOWN', reference(), process, server(), term()}.
down(Monitor, Server, Reason) ->
    {'DOWN', Monitor, process, Server, Reason}.
