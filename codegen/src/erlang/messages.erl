
%% Whether a message is one that the selector selects: `{Atoms, Tuples, Kinds}`.
-define(SELECTS(Message, Atoms, Tuples, Kinds),
    is_atom(Message), is_map_key(Message, Atoms);
    map_get(element(1, Message), map_get(tuple_size(Message), Tuples)) =:= any;
    is_map_key(element(2, Message), map_get(element(1, Message), map_get(tuple_size(Message), Tuples)));
    map_get(tuple_size(Message), Tuples) =:= any;
    is_map_key(any, Kinds);
    is_atom(Message), is_map_key(atom, Kinds);
    is_integer(Message), is_map_key(integer, Kinds);
    is_float(Message), is_map_key(float, Kinds);
    is_binary(Message), is_map_key(binary, Kinds);
    is_bitstring(Message), is_map_key(bitstring, Kinds);
    Message =:= [], is_map_key(nil, Kinds);
    is_list(Message), Message =/= [], is_map_key(list, Kinds);
    is_tuple(Message), is_map_key(tuple, Kinds);
    is_map(Message), is_map_key(map, Kinds);
    is_pid(Message), is_map_key(pid, Kinds);
    is_port(Message), is_map_key(port, Kinds);
    is_reference(Message), is_map_key(reference, Kinds);
    is_function(Message), is_map_key(function, Kinds)
).

%% Takes the first message that is selected from the mailbox. All others stay as they are.
-spec take(selector(), timeout()) -> [term()].
take({Atoms, Tuples, Kinds}, Time) ->
    receive Message when ?SELECTS(Message, Atoms, Tuples, Kinds) -> [Message]
    after Time -> []
    end.

-spec selects(selector(), term()) -> boolean().
selects({Atoms, Tuples, Kinds}, Message) when ?SELECTS(Message, Atoms, Tuples, Kinds) -> true;
selects(_, _) -> false.

%% As await/3, where the callback also waits for messages. Such a message is not removed from the mailbox: it is
%% offered, because the callback may go on with something else and drop what waits for the message. Erlang's `receive`
%% removes what it finds. So the mailbox is searched as the shell searches it for its own `receive`, by a function that
%% takes only answers, and ends the search by a message of its own. It keeps nothing of the messages that stay.
-spec await_messages(under_way(), timeout(), [answer()]) -> {under_way(), [answer()]}.
await_messages(#{'receive' := Receives} = UnderWay, Time, Answers) ->
    End = make_ref(),
    Search = fun
        (Message) when Message =:= End -> Message;
        (Message) ->
            case is_answer(Message, UnderWay) of
                true -> Message;
                false ->
                    case get(End) =:= undefined andalso is_for(Message, Receives) of
                        true -> put(End, found), self() ! End, nomatch;
                        false -> nomatch
                    end
            end
    end,
    Taken = prim_eval:'receive'(Search, Time),
    case {Taken, erase(End)} of
        {timeout, undefined} -> {UnderWay, Answers};
        {End, found} -> offered(UnderWay, Answers);
        {timeout, found} ->
            receive End -> offered(UnderWay, Answers) end;
        {Answer, undefined} ->
            answered(Answer, UnderWay, Answers);
        {Answer, found} ->
            receive End -> answered(Answer, UnderWay, Answers) end
    end.

%% The first message in the mailbox that somebody waits for goes to whoever has waited longest for it.
-spec offered(under_way(), [answer()]) -> {under_way(), [answer()]}.
offered(#{'receive' := Receives} = UnderWay, Answers) ->
    {messages, Messages} = process_info(self(), messages),
    IsOffered = fun(Message) -> not is_answer(Message, UnderWay) andalso is_for(Message, Receives) end,
    {value, Message} = lists:search(IsOffered, Messages),
    {value, {Id, _}} = lists:search(fun({_, Selector}) -> selects(Selector, Message) end, Receives),
    {over(Id, UnderWay), [{Id, {?OFFER, [Message]}} | Answers]}.

-spec is_for(term(), [{operation_id(), selector()}]) -> boolean().
is_for(Message, [{_, Selector} | Receives]) -> selects(Selector, Message) orelse is_for(Message, Receives);
is_for(_, []) -> false.

%% Whether a message has an answer to an operation, or is a waker's.
-spec is_answer(term(), under_way()) -> boolean().
is_answer({[alias | Monitor], _}, UnderWay) when is_reference(Monitor) -> is_map_key(Monitor, UnderWay);
is_answer({'DOWN', Monitor, process, _, _}, UnderWay) when is_reference(Monitor) -> is_map_key(Monitor, UnderWay);
is_answer({timeout, Timer, ?MARK}, UnderWay) when is_reference(Timer) -> is_map_key(Timer, UnderWay);
is_answer({?MARK, ?WAKE}, _) -> true;
is_answer({?MARK, Id, _}, _) when is_integer(Id) -> true;
is_answer({?MARK, ?TO, _, _}, _) -> true;
is_answer(_, _) -> false.
