
%% A message for the tasks of a gen_statem is not an event of its module. But OTP handles it as an
%% event, and every event stops the event timeout. So otp-rs starts this timeout again, for the rest
%% of its time: the process dictionary contains the timeout that the callbacks of the last event
%% have set. Postponed events and all other timeouts stay as they are, because the state is kept.
-define(EVENT_TIMEOUT, '$otp_rs_event_timeout').

%% Remembers the event timeout that the callback of an event has set, and returns the callback's
%% return value. The event `enter` belongs to the event before it, whose timeout it keeps.
-spec handled(term(), term()) -> term().
handled(Event, Returned) ->
    _ = case last_timeout(actions(Returned), none) of
        {_, _} = Running -> put(?EVENT_TIMEOUT, Running);
        none when Event =:= enter -> none;
        _ -> erase(?EVENT_TIMEOUT)
    end,
    Returned.

%% Returns the return value of the callback for a message that was for tasks.
-spec undisturbed() -> keep_state_and_data | {keep_state_and_data, [gen_statem:action()]}.
undisturbed() ->
    case get(?EVENT_TIMEOUT) of
        undefined -> keep_state_and_data;
        {Ends, Content} ->
            case Ends > erlang:monotonic_time(millisecond) of
                true -> {keep_state_and_data, [{timeout, Ends, Content, [{abs, true}]}]};
                %% A timeout of 0 comes before the messages in the mailbox: each of them could be
                %% for tasks.
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

%% Returns the event timeout after these actions: its end and its content, or that there is none.
-spec last_timeout([term()], Timeout) -> Timeout when Timeout :: {integer(), term()} | stopped | none.
last_timeout([Action | Actions], Last) ->
    case event_timeout(Action) of
        none -> last_timeout(Actions, Last);
        Timeout -> last_timeout(Actions, Timeout)
    end;
last_timeout([], Last) ->
    Last.

%% Timeouts that come before any message need not be started again. These are timeouts of 0, and
%% updates, because the event has stopped the timeout that they would update.
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
