
%% Between two callbacks, the tasks of a process wait in the loop of its behaviour. The process
%% dictionary contains the operations that the tasks have begun. Each answer arrives as a message to
%% `handle_info`, so that the process does not have to search its mailbox.

%% How often tasks are resumed at most before the process takes its next message.
-define(ROUNDS, 8).

%% Takes the operations of tasks that are under way.
-spec kept() -> under_way().
kept() ->
    case erase(?MARK) of
        undefined -> #{};
        UnderWay -> UnderWay
    end.

%% Keeps the operations of tasks. If an operation already has its answer, the process sends itself
%% a message, as for all other operations. The message contains only a reference and not the answer,
%% because any process can send messages.
-spec keep({under_way(), [answer()]}) -> ok.
keep({UnderWay, []}) when map_size(UnderWay) =:= 0 -> ok;
keep({UnderWay, Answers}) ->
    All = [{make_ref(), {answered, Answer}} || {_, _} = Answer <- in_order([], Answers)],
    _ = put(?MARK, maps:merge(UnderWay, maps:from_list(All))),
    _ = [self() ! {?MARK, Reference} || {Reference, _} <- All],
    ok.

%% Whether a message is for tasks. If it is, the tasks have run for a slice. A message that is no
%% request has no spans.
-spec took(term(), cell()) -> boolean().
took(Message, Cell) ->
    ok = otp_rs_spans:leave(),
    is_taken(Message, Cell).

-spec is_taken(term(), cell()) -> boolean().
is_taken({?MARK, Word} = Message, Cell) when Word =:= ?WAKE; Word =:= ?TASKS ->
    resume_tasks(Message, Cell, kept());
is_taken({?MARK, ?TO, ?OF_THREADS, _} = Message, Cell) ->
    otp_rs_states:is_kept(Message) orelse resume_tasks(Message, Cell, kept());
is_taken({?MARK, ?TO, Number, _} = Message, Cell) when is_integer(Number), Number >= 0 ->
    resume_tasks(Message, Cell, kept());
is_taken({?MARK, Reference} = Message, Cell) when is_reference(Reference) ->
    %% If it comes too late, it is a message of the library as well.
    _ = took(Reference, Message, Cell),
    true;
is_taken(Message, _) when is_tuple(Message), tuple_size(Message) > 0, element(1, Message) =:= ?MARK ->
    %% No part of otp-rs sends such a message.
    true;
is_taken({[alias | Monitor], _} = Message, Cell) when is_reference(Monitor) ->
    took(Monitor, Message, Cell);
is_taken({'DOWN', Monitor, process, _, _} = Message, Cell) when is_reference(Monitor) ->
    took(Monitor, Message, Cell);
is_taken({timeout, Timer, ?MARK} = Message, Cell) when is_reference(Timer) ->
    %% If it comes too late, it is a message of the library as well.
    _ = took(Timer, Message, Cell),
    true;
is_taken(Message, Cell) ->
    case get(?MARK) of
        #{'receive' := Receives} -> received(Message, Receives, Cell);
        _ -> false
    end.

%% Whether a task receives the message. It is the task that has waited longest for such a message.
-spec received(term(), [{operation_id(), selector()}], cell()) -> boolean().
received(Message, Receives, Cell) ->
    case receiver(Message, Receives) of
        none -> false;
        Id ->
            UnderWay = kept(),
            tasks_resumed(Message, Cell, [{Id, {ok, [Message]}}], over(Id, UnderWay), UnderWay)
    end.

-spec took(reference(), tuple(), cell()) -> boolean().
took(Reference, Message, Cell) ->
    case get(?MARK) of
        #{Reference := _} -> resume_tasks(Message, Cell, kept());
        _ -> false
    end.

-spec resume_tasks(tuple(), cell(), under_way()) -> true.
resume_tasks(Message, Cell, UnderWay) ->
    {Left, Answer} = answer(Message, UnderWay),
    tasks_resumed(Message, Cell, [Answer], Left, UnderWay).

%% Resumes tasks. If another version has created the state, its tasks belong to that version.
-spec tasks_resumed(term(), cell(), [answer()], under_way(), under_way()) -> true.
tasks_resumed(Message, Cell, Answers, Left, UnderWay) ->
    try resume_tasks(Cell, Answers) of
        Answer ->
            _ = resumed(Answer, Left, Cell, ?ROUNDS),
            true
    catch
        error:badarg ->
            _ = put(?MARK, UnderWay),
            case otp_rs_upgrade:owner(?MODULE, Cell) of
                {ok, Library} when Library =/= ?MODULE -> Library:took(Message, Cell);
                _ -> error(badarg)
            end
    end.

%% Performs the requests of the tasks. An operation that does not wait, such as looking up a
%% process, has its answer at once. The tasks are then resumed without a message, a few times, after
%% which other messages have their turn.
-spec resumed(term(), under_way(), cell(), non_neg_integer()) -> term().
resumed({?MARK, ?STAY(Actions, Value)}, UnderWay, Cell, Rounds) when Rounds > 0 ->
    case begin_all(Actions, UnderWay) of
        {_, []} = Begun ->
            keep(Begun),
            Value;
        {Begun, Answers} -> resumed(resume_tasks(Cell, in_order([], Answers)), Begun, Cell, Rounds - 1)
    end;
resumed(Answer, UnderWay, _, _) ->
    next(Answer, UnderWay).

%% Logs a message that no callback handles, like gen_server for a module without `handle_info`.
-spec unexpected(module(), term()) -> ok.
unexpected(Module, Message) ->
    logger:warning(
        #{label => {gen_server, no_handle_info}, module => Module, message => Message},
        #{domain => [otp], report_cb => fun gen_server:format_log/2}
    ).
