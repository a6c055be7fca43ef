
%% Whether the selector `{Atoms, Tuples, Kinds}` selects the message.
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

%% Takes the first selected message from the mailbox. All others stay there.
-spec take(selector(), timeout()) -> [term()].
take({Atoms, Tuples, Kinds}, Time) ->
    receive Message when ?SELECTS(Message, Atoms, Tuples, Kinds) -> [Message]
    after Time -> []
    end.

-spec selects(selector(), term()) -> boolean().
selects({Atoms, Tuples, Kinds}, Message) when ?SELECTS(Message, Atoms, Tuples, Kinds) -> true;
selects(_, _) -> false.

%% The key of the current search in the process dictionary. The search function has to be
%% `fun ?MODULE:search/1`, which cannot capture variables.
-define(SEARCH, '$otp_rs_search').

%% Waits like await/3 if the callback also waits for messages. Such a message is offered to the
%% callback and stays in the mailbox, because the callback may do something else and drop the future
%% that waits for it. Erlang's `receive` removes the message that it finds. So the mailbox is
%% searched like in the shell's own `receive`, by a function that takes only answers. When it finds
%% a message for the callback, it sends a message to itself, which ends the search. It keeps no copy
%% of messages that stay in the mailbox.
-spec await_messages(under_way(), timeout(), [answer()]) -> {under_way(), [answer()]}.
await_messages(UnderWay, Time, Answers) ->
    End = make_ref(),
    _ = put(?SEARCH, {End, UnderWay, searching}),
    Taken = prim_eval:'receive'(fun ?MODULE:search/1, Time),
    {_, _, Found} = erase(?SEARCH),
    case {Taken, Found} of
        {timeout, searching} -> {UnderWay, Answers};
        {End, found} -> offered(UnderWay, Answers);
        {timeout, found} ->
            receive End -> offered(UnderWay, Answers) end;
        {Answer, searching} ->
            answered(Answer, UnderWay, Answers);
        {Answer, found} ->
            receive End -> answered(Answer, UnderWay, Answers) end
    end.

%% Whether the search takes this message.
-spec search(term()) -> term() | nomatch.
search(Message) ->
    {End, #{'receive' := Receives} = UnderWay, Found} = get(?SEARCH),
    case Message =:= End orelse is_answer(Message, UnderWay) of
        true -> Message;
        false when Found =:= found -> nomatch;
        false ->
            case receiver(Message, Receives) of
                none -> nomatch;
                _ ->
                    _ = put(?SEARCH, {End, UnderWay, found}),
                    self() ! End,
                    nomatch
            end
    end.

%% Offers the first message in the mailbox for which a `receive` waits. If several of them wait for
%% it, the one that has waited longest gets the offer.
-spec offered(under_way(), [answer()]) -> {under_way(), [answer()]}.
offered(UnderWay, Answers) ->
    {messages, Messages} = process_info(self(), messages),
    {Id, Message} = first_for(UnderWay, Messages),
    {over(Id, UnderWay), [{Id, {?OFFER, [Message]}} | Answers]}.

-spec first_for(under_way(), [term()]) -> {operation_id(), term()}.
first_for(#{'receive' := Receives} = UnderWay, [Message | Messages]) ->
    case is_answer(Message, UnderWay) orelse receiver(Message, Receives) of
        Id when is_integer(Id) -> {Id, Message};
        _ -> first_for(UnderWay, Messages)
    end.

%% Returns the operation that has waited longest for a message like this one.
-spec receiver(term(), [{operation_id(), selector()}]) -> operation_id() | none.
receiver(Message, [{Id, Selector} | Receives]) ->
    case selects(Selector, Message) of
        true -> Id;
        false -> receiver(Message, Receives)
    end;
receiver(_, []) ->
    none.

%% Whether a message contains an answer to an operation, or was sent by a waker.
-spec is_answer(term(), under_way()) -> boolean().
is_answer({[alias | Monitor], _}, UnderWay) when is_reference(Monitor) -> is_map_key(Monitor, UnderWay);
is_answer({'DOWN', Monitor, process, _, _}, UnderWay) when is_reference(Monitor) -> is_map_key(Monitor, UnderWay);
is_answer({timeout, Timer, ?MARK}, UnderWay) when is_reference(Timer) -> is_map_key(Timer, UnderWay);
is_answer({?MARK, ?WAKE}, _) -> true;
is_answer({?MARK, Reference}, UnderWay) when is_reference(Reference) -> is_map_key(Reference, UnderWay);
is_answer({?MARK, ?TO, Number, _}, _) -> is_integer(Number) andalso Number >= 0;
is_answer(_, _) -> false.
