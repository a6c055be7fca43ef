
%% A message for the tasks of a gen_statem is not an event of its module, but it comes as one, and
%% every event stops the event timeout. That one is started again, for what is left of its time: the
%% process dictionary has what the callbacks of the last event have set. Postponed events and all
%% other timeouts stay as they are, because the state is kept.
-define(EVENT_TIMEOUT, '$otp_rs_event_timeout').

%% What the callback of an event has returned; `enter`: of a state that is entered, which belongs to
%% the event before.
-spec handled(term(), term()) -> term().
handled(Event, Returned) ->
    _ = case last_timeout(actions(Returned), none) of
        {_, _} = Running -> put(?EVENT_TIMEOUT, Running);
        none when Event =:= enter -> none;
        _ -> erase(?EVENT_TIMEOUT)
    end,
    Returned.

%% What is returned for a message that was for tasks.
-spec undisturbed() -> keep_state_and_data | {keep_state_and_data, [gen_statem:action()]}.
undisturbed() ->
    case get(?EVENT_TIMEOUT) of
        undefined -> keep_state_and_data;
        {Ends, Content} ->
            case Ends > erlang:monotonic_time(millisecond) of
                true -> {keep_state_and_data, [{timeout, Ends, Content, [{abs, true}]}]};
                %% Before the messages that wait: each of them could be for tasks.
                false -> {keep_state_and_data, [{timeout, 0, Content}]}
            end
    end.

-spec actions(term()) -> [term()].
actions({keep_state_and_data, Actions}) -> listed(Actions);
actions({repeat_state_and_data, Actions}) -> listed(Actions);
actions({keep_state, _, Actions}) -> listed(Actions);
actions({repeat_state, _, Actions}) -> listed(Actions);
actions({next_state, _, _, Actions}) -> listed(Actions);
actions({ok, _, _, Actions}) -> listed(Actions);
actions(_) -> [].

-spec listed(term()) -> [term()].
listed(Actions) when is_list(Actions) -> Actions;
listed(Action) -> [Action].

%% The event timeout that these actions leave: when it ends and its content, or that there is none.
-spec last_timeout([term()], Timeout) -> Timeout when Timeout :: {integer(), term()} | stopped | none.
last_timeout([Action | Actions], Last) ->
    case event_timeout(Action) of
        none -> last_timeout(Actions, Last);
        Timeout -> last_timeout(Actions, Timeout)
    end;
last_timeout([], Last) ->
    Last.

%% One of no time comes before any message, and so does an update, because the event has stopped
%% what it would update.
-spec event_timeout(term()) -> {integer(), term()} | stopped | none.
event_timeout(Time) when is_integer(Time); Time =:= infinity -> event_timeout({timeout, Time, Time});
event_timeout({timeout, Time, Content}) -> event_timeout({timeout, Time, Content, []});
event_timeout({timeout, Time, Content, Options}) when is_integer(Time), Time =/= 0 ->
    case lists:keyfind(abs, 1, lists:reverse(listed(Options))) of
        {abs, true} -> {Time, Content};
        _ -> {erlang:monotonic_time(millisecond) + Time, Content}
    end;
event_timeout({timeout, _, _, _}) -> stopped;
event_timeout({timeout, cancel}) -> stopped;
event_timeout(_) -> none.
