%% What a page may have the node do, if it was asked for. Each is logged.
-module(otp_rs_observer_action).
-export([perform/1]).

%% Milliseconds that a supervisor may take.
-define(LIMIT, 10000).
-define(ID, 200).

%% `action` and `pid`; for `restart`, `pid` is the supervisor and `id` the child's id as text.
-spec perform(#{binary() => binary()}) -> {ok, binary()} | {error, binary()}.
perform(#{<<"action">> := Action, <<"pid">> := Text} = Parameters) ->
    case otp_rs_observer_process:local(Text) of
        {ok, Pid} ->
            Done = try act(Action, Pid, Parameters) catch _:Reason -> {error, otp_rs_observer_json:text(Reason, ?ID)} end,
            logger:notice("observer: ~ts of ~p: ~tp", [Action, Pid, Done]),
            Done;
        error ->
            {error, <<"there is no such process">>}
    end;
perform(_) ->
    {error, <<"which process?">>}.

-spec act(binary(), pid(), #{binary() => binary()}) -> {ok, binary()} | {error, binary()}.
act(<<"collect">>, Pid, _) ->
    _ = erlang:garbage_collect(Pid, [{async, make_ref()}]),
    {ok, <<"its garbage is collected">>};
act(<<"kill">>, Pid, _) ->
    case application:get_application(Pid) of
        {ok, kernel} -> {error, <<"it belongs to the application kernel, without which the node ends">>};
        _ ->
            exit(Pid, kill),
            {ok, <<"it was killed">>}
    end;
act(<<"restart">>, Supervisor, #{<<"id">> := Text}) ->
    Children = erpc:call(node(), supervisor, which_children, [Supervisor], ?LIMIT),
    case [Id || {Id, _, _, _} <- Children, Id =/= undefined, otp_rs_observer_json:text(Id, ?ID) =:= Text] of
        [Id] -> restarted(Supervisor, Id);
        _ -> {error, <<"this supervisor has no such child">>}
    end;
act(_, _, _) ->
    {error, <<"there is no such action">>}.

-spec restarted(pid(), term()) -> {ok, binary()} | {error, binary()}.
restarted(Supervisor, Id) ->
    _ = erpc:call(node(), supervisor, terminate_child, [Supervisor, Id], ?LIMIT),
    case erpc:call(node(), supervisor, restart_child, [Supervisor, Id], ?LIMIT) of
        {ok, _} -> {ok, <<"it runs again">>};
        {ok, _, _} -> {ok, <<"it runs again">>};
        {error, Reason} -> {error, otp_rs_observer_json:text(Reason, ?ID)}
    end.
