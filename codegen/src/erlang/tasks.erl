
%% Between two callbacks, the tasks of a process wait in its own loop, and the operations that they
%% have begun are in its process dictionary. Each answer comes as a message to `handle_info`, so
%% that no mailbox is searched for it.

%% What is under way for tasks.
-spec kept() -> under_way().
kept() ->
    case erase(?MARK) of
        undefined -> #{};
        UnderWay -> UnderWay
    end.

%% An operation that was answered at once is answered by a message, as all others are. The message
%% has only a reference, because anybody can send a message.
-spec keep({under_way(), [answer()]}) -> ok.
keep({UnderWay, []}) when map_size(UnderWay) =:= 0 -> ok;
keep({UnderWay, Answers}) ->
    All = [{make_ref(), {answered, Answer}} || {_, _} = Answer <- in_order([], Answers)],
    _ = put(?MARK, maps:merge(UnderWay, maps:from_list(All))),
    _ = [self() ! {?MARK, Reference} || {Reference, _} <- All],
    ok.

%% Whether a message is for tasks. If it is, they have gone on for a slice.
-spec took(term(), cell()) -> boolean().
took({?MARK, Word} = Message, Cell) when Word =:= ?WAKE; Word =:= ?TASKS ->
    resume_tasks(Message, Cell, kept());
took({?MARK, ?TO, ?OF_THREADS, _} = Message, Cell) ->
    otp_rs_states:is_kept(Message) orelse resume_tasks(Message, Cell, kept());
took({?MARK, ?TO, Number, _} = Message, Cell) when is_integer(Number), Number >= 0 ->
    resume_tasks(Message, Cell, kept());
took({?MARK, Reference} = Message, Cell) when is_reference(Reference) ->
    %% One that is late is the library's, too.
    _ = took(Reference, Message, Cell),
    true;
took(Message, _) when is_tuple(Message), tuple_size(Message) > 0, element(1, Message) =:= ?MARK ->
    %% Nobody has a reason to send it.
    true;
took({[alias | Monitor], _} = Message, Cell) when is_reference(Monitor) ->
    took(Monitor, Message, Cell);
took({'DOWN', Monitor, process, _, _} = Message, Cell) when is_reference(Monitor) ->
    took(Monitor, Message, Cell);
took({timeout, Timer, ?MARK} = Message, Cell) when is_reference(Timer) ->
    %% One that is late is the library's, too.
    _ = took(Timer, Message, Cell),
    true;
took(Message, Cell) ->
    case get(?MARK) of
        #{'receive' := Receives} -> received(Message, Receives, Cell);
        _ -> false
    end.

%% Whether a task receives the message: the one that has waited longest for one like it.
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

%% The tasks of a state that another version has made are that one's.
-spec tasks_resumed(term(), cell(), [answer()], under_way(), under_way()) -> true.
tasks_resumed(Message, Cell, Answers, Left, UnderWay) ->
    try resume_tasks(Cell, Answers) of
        Answer ->
            _ = next(Answer, Left),
            true
    catch
        error:badarg ->
            _ = put(?MARK, UnderWay),
            case otp_rs_upgrade:owner(?MODULE, Cell) of
                {ok, Library} when Library =/= ?MODULE -> Library:took(Message, Cell);
                _ -> error(badarg)
            end
    end.

%% A message that no callback is for, as gen_server says it of a module without `handle_info`.
-spec unexpected(module(), term()) -> ok.
unexpected(Module, Message) ->
    logger:warning(
        #{label => {gen_server, no_handle_info}, module => Module, message => Message},
        #{domain => [otp], report_cb => fun gen_server:format_log/2}
    ).
