%% Actions that a page may request from the node, if the command allows them. Each is logged.
-module(otp_rs_observer_action).
-export([perform/1]).

%% Milliseconds for a supervisor's answer.
-define(LIMIT, 10000).
-define(ID, 200).

%% Performs `action` on `pid`; for `restart`, `pid` is the supervisor and `id` the child's id as
%% text. Only processes of applications in Rust are allowed, because the node would end with `init`
%% or a process of kernel, but not with one of these.
-spec perform(#{binary() => binary()}) -> {ok, binary()} | {error, binary()}.
perform(#{<<"action">> := Action, <<"pid">> := Text} = Parameters) ->
    case otp_rs_observer_process:local(Text) of
        {ok, Pid} ->
            Done = try acted(owner(Pid), Action, Pid, Parameters) catch _:Reason -> {error, otp_rs_observer_json:text(Reason, ?ID)} end,
            logger:notice("observer: ~ts of ~p: ~tp", [Action, Pid, Done]),
            Done;
        error ->
            {error, <<"there is no such process">>}
    end;
perform(_) ->
    {error, <<"which process?">>}.

%% Returns the role of a process in its application, if that is in Rust.
-spec owner(pid()) -> root | process | none.
owner(Pid) ->
    case application:get_application(Pid) of
        {ok, Application} ->
            case lists:member(Application, applications()) andalso proc_lib:translate_initial_call(Pid) of
                false -> none;
                {application_master, _, _} -> none;
                _ -> place(Pid, application_controller:get_master(Application))
            end;
        undefined -> none
    end.

-spec applications() -> [atom()].
applications() ->
    try [Application || Library <- otp_rs:libraries(), {Application, _, _} <- [Library:build()]] catch error:undef -> [] end.

-spec place(pid(), pid()) -> root | process | none.
place(Master, Master) -> none;
place(Pid, Master) ->
    case erpc:call(node(), application_master, get_child, [Master], ?LIMIT) of
        {Pid, _} -> root;
        _ ->
            %% The other process of `application_master`.
            case process_info(Pid, initial_call) of
                {initial_call, {application_master, _, _}} -> none;
                _ -> process
            end
    end.

-spec acted(root | process | none, binary(), pid(), #{binary() => binary()}) -> {ok, binary()} | {error, binary()}.
acted(none, _, _, _) -> {error, <<"it does not belong to an application in Rust">>};
acted(root, <<"kill">>, _, _) -> {error, <<"it is the application's outermost supervisor, without which the application ends">>};
acted(_, Action, Pid, Parameters) -> act(Action, Pid, Parameters).

-spec act(binary(), pid(), #{binary() => binary()}) -> {ok, binary()} | {error, binary()}.
act(<<"collect">>, Pid, _) ->
    _ = erlang:garbage_collect(Pid, [{async, make_ref()}]),
    {ok, <<"its garbage is collected">>};
act(<<"kill">>, Pid, _) ->
    exit(Pid, kill),
    {ok, <<"it was killed">>};
act(<<"restart">>, Supervisor, #{<<"id">> := Text}) ->
    %% Another process might crash because of the request for its children.
    {supervisor, _, _} = proc_lib:translate_initial_call(Supervisor),
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
