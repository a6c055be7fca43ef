%% Which processes have states of an application's modules, and how one of them changes over to another build (ADR 25, 34). The
%% module is the same in every application.
-module(otp_rs_processes).
-export([living/2, spawned/1, answers/1, has_code_change/1, change/3]).
-export_type([process/0, outcome/0]).

%% A process, and a module that it serves, with the behaviour of that.
-type process() :: {pid(), module(), module()}.
%% `ok`: the children that its supervisor has started because they are new. `silent`: it answers no messages of `sys`.
-type outcome() :: {ok, [{term(), term()}]} | ended | busy | {error, term()}.

%% Behaviours whose loops are OTP's, and take a new state from `code_change`.
-define(IS_LOOP(Behaviour), Behaviour =:= gen_server; Behaviour =:= gen_statem; Behaviour =:= gen_event; Behaviour =:= supervisor).

%% Milliseconds for a process that is suspended to make its new state; for a question; between two looks for an old state that
%% the VM may still have to drop, and how many there are.
-define(CHANGE, 60000).
-define(ANSWER, 500).
-define(LOOK, 2).
-define(LOOKS, 50).

%% The processes of these modules, each with its behaviour. A gen_event is one of each module that it has a handler of. Who has a
%% state of another behaviour's module, the libraries know.
-spec living([module()], [{module(), module()}]) -> [process()].
living(Libraries, Modules) ->
    Started = [{Pid, Module} || Pid <- processes(), Module <- modules_of(Pid)],
    _ = collect(lists:usort([Pid || {Pid, _} <- holding(Libraries)])),
    Holding = lists:usort(holding(Libraries)),
    [{Pid, Module, Behaviour} || {Pid, Module} <- Started ++ Holding, {Same, Behaviour} <- Modules, Same =:= Module].

-spec holding([module()]) -> [{pid(), module()}].
holding(Libraries) ->
    [Holder || Library <- Libraries, {Pid, _} = Holder <- Library:holders(), is_process_alive(Pid)].

%% What is garbage is not a state. A process that has nothing to do does not collect it by itself, and one that is in a long call
%% would be waited for.
-spec collect([pid()]) -> ok.
collect(Processes) ->
    Collecting = [spawn_monitor(fun() -> garbage_collect(Pid) end) || Pid <- Processes],
    Timer = erlang:start_timer(?ANSWER, self(), collect),
    lists:foreach(fun({_, Monitor}) ->
        receive
            {'DOWN', Monitor, process, _, _} -> ok;
            {timeout, Timer, collect} -> self() ! {timeout, Timer, collect}, demonitor(Monitor, [flush])
        end
    end, Collecting),
    _ = erlang:cancel_timer(Timer),
    receive {timeout, Timer, collect} -> ok after 0 -> ok end.

-spec modules_of(pid()) -> [module()].
modules_of(Pid) ->
    case proc_lib:translate_initial_call(Pid) of
        {supervisor, Module, _} -> [Module];
        {gen_event, _, _} -> handlers(Pid);
        {Module, _, _} -> [Module]
    end.

%% One that does not answer is not a reason to wait: its handlers go on with the old code.
-spec handlers(pid()) -> [module()].
handlers(Pid) ->
    try erpc:call(node(), gen_event, which_handlers, [Pid], ?ANSWER) of
        Handlers -> lists:usort([case Handler of {Module, _} -> Module; Module -> Module end || Handler <- Handlers])
    catch _:_ -> []
    end.

%% The processes that run a body of one of these libraries (`Cx::spawn_process`).
-spec spawned([module()]) -> [pid()].
spawned(Libraries) ->
    [Pid || Pid <- processes(), {Library, spawned, _} <- [proc_lib:translate_initial_call(Pid)], lists:member(Library, Libraries)].

%% Whether it answers messages of `sys`. It is not asked: one that does not would keep the message for ever. So its first call says
%% it: it is that of one of OTP's loops, or of a module with the functions that `sys` calls.
-spec answers(process()) -> boolean().
answers({_, _, Behaviour}) when ?IS_LOOP(Behaviour) ->
    true;
answers({Pid, _, _}) ->
    case proc_lib:translate_initial_call(Pid) of
        {Loop, _, _} when Loop =:= supervisor; Loop =:= supervisor_bridge -> true;
        {Module, Function, Arity} ->
            IsInit = Function =:= init andalso Arity =:= 1,
            has_loop(Module) orelse (IsInit andalso lists:any(fun has_loop/1, behaviours(Module)))
    end.

-spec has_loop(module()) -> boolean().
has_loop(Module) ->
    erlang:function_exported(Module, system_continue, 3).

-spec behaviours(module()) -> [module()].
behaviours(Module) ->
    Attributes = try Module:module_info(attributes) catch error:undef -> [] end,
    Named = [One || {Key, All} <- Attributes, Key =:= behaviour orelse Key =:= behavior, One <- All],
    [case One of supervisor -> gen_server; _ -> One end || One <- Named].

%% Whether a module of the behaviour can say by a callback what becomes of an old state.
-spec has_code_change(module()) -> boolean().
has_code_change(Behaviour) ->
    try lists:keymember(code_change, 1, Behaviour:behaviour_info(callbacks)) catch error:undef -> false end.

%% Has a process change over to the first library. `Limit`: milliseconds in which it has to be still.
-spec change(process(), [module(), ...], pos_integer()) -> outcome().
change({Pid, _, Behaviour} = Process, Libraries, Limit) ->
    Before = children(Behaviour, Pid),
    try sys:suspend(Pid, Limit) of
        ok -> suspended(Process, Libraries, Before)
    catch
        exit:{timeout, _} ->
            resume(Pid),
            busy;
        exit:_ ->
            ended
    end.

%% If it is killed meanwhile, there is nothing to be done any more.
-spec suspended(process(), [module(), ...], [term()]) -> outcome().
suspended({Pid, _, Behaviour} = Process, Libraries, Before) ->
    try
        Changed = try changed(Process, Libraries) after resume(Pid) end,
        case Changed of
            ok -> {ok, [{Id, supervisor:restart_child(Pid, Id)} || Id <- children(Behaviour, Pid) -- Before]};
            {error, {error, Reason}} -> not_changed(Reason);
            %% gen_event takes no error from a handler.
            {error, {'EXIT', {{code_change, Reason}, _}}} -> not_changed(Reason);
            {error, Reason} -> {error, Reason}
        end
    catch
        exit:{timeout, _} -> {error, timeout};
        exit:_ -> ended
    end.

-spec not_changed(term()) -> busy | {error, term()}.
not_changed(busy) -> busy;
not_changed(Reason) -> {error, Reason}.

%% A behaviour that is not OTP's may have a `code_change`, which its loop calls. What that leaves is done in its state.
-spec changed(process(), [module(), ...]) -> ok | {error, term()}.
changed({Pid, Module, Behaviour}, _) when ?IS_LOOP(Behaviour) ->
    Changed = sys:change_code(Pid, Module, undefined, [], ?CHANGE),
    %% The old state goes with what is left of it.
    _ = Changed =:= ok andalso garbage_collect(Pid),
    Changed;
changed({Pid, Module, Behaviour}, Libraries) ->
    case has_code_change(Behaviour) andalso sys:change_code(Pid, Module, undefined, [], ?CHANGE) of
        {error, Reason} -> {error, Reason};
        _ -> in_state(Pid, Module, Libraries)
    end.

-spec in_state(pid(), module(), [module(), ...]) -> ok | {error, term()}.
in_state(Pid, Module, Libraries) ->
    try sys:replace_state(Pid, fun(State) -> renewed(State, Libraries) end, ?CHANGE) of
        _ ->
            _ = garbage_collect(Pid),
            has_none(Pid, Module, tl(Libraries), ?LOOKS)
    catch
        error:{callback_failed, _, {error, {code_change, Reason}}} -> {error, {error, Reason}};
        error:Reason -> {error, Reason}
    end.

%% Whether nothing is left that an older library has made.
-spec has_none(pid(), module(), [module()], non_neg_integer()) -> ok | {error, elsewhere}.
has_none(Pid, Module, Older, Looks) ->
    case [Library || Library <- Older, lists:member({Pid, Module}, Library:holders())] of
        [] -> ok;
        _ when Looks =:= 0 -> {error, elsewhere};
        _ ->
            timer:sleep(?LOOK),
            has_none(Pid, Module, Older, Looks - 1)
    end.

%% The state of a loop, as `sys` shows it, with new states in the place of those that older libraries have made. It is called in the
%% process itself, as nobody else may use them.
-spec renewed(term(), [module(), ...]) -> term().
renewed(State, Libraries) ->
    {New, _} = renewed(State, Libraries, #{}),
    New.

%% A state that is there twice must be one afterwards, too.
-spec renewed(Term, [module(), ...], Made) -> {Term, Made} when Made :: #{reference() => reference()}.
renewed(Cell, _, Made) when is_map_key(Cell, Made) ->
    {map_get(Cell, Made), Made};
renewed(Cell, [Newest | Older], Made) when is_reference(Cell) ->
    case [Module || Library <- Older, Module <- [Library:module_of(Cell)], Module =/= none] of
        [] ->
            {Cell, Made};
        [Module] ->
            case Newest:succeed(Module, Cell) of
                {ok, New} -> {New, Made#{Cell => New}};
                {convert, Form, _} -> error({code_change, {changed, Form}});
                {error, Reason} -> error({code_change, Reason})
            end
    end;
renewed([Head | Tail], Libraries, Made) ->
    {NewHead, Some} = renewed(Head, Libraries, Made),
    {NewTail, All} = renewed(Tail, Libraries, Some),
    {[NewHead | NewTail], All};
renewed(Tuple, Libraries, Made) when is_tuple(Tuple) ->
    {New, All} = renewed(tuple_to_list(Tuple), Libraries, Made),
    {list_to_tuple(New), All};
renewed(Map, Libraries, Made) when is_map(Map) ->
    {New, All} = renewed(maps:to_list(Map), Libraries, Made),
    {maps:from_list(New), All};
renewed(Fun, Libraries, Made) when is_function(Fun) ->
    %% What a fun has kept cannot be replaced.
    {env, Kept} = erlang:fun_info(Fun, env),
    case renewed(Kept, Libraries, Made) of
        {Kept, _} -> {Fun, Made};
        _ -> error({code_change, elsewhere})
    end;
renewed(Term, _, Made) ->
    {Term, Made}.

%% Does not wait for it: a process that was too slow is suspended later, and then resumed at once.
-dialyzer({no_improper_lists, resume/1}).
-spec resume(pid()) -> ok.
resume(Pid) ->
    Nobody = alias(),
    true = unalias(Nobody),
    Pid ! {system, {self(), [alias | Nobody]}, resume},
    ok.

-spec children(module(), pid()) -> [term()].
children(supervisor, Pid) ->
    try [Id || {Id, _, _, _} <- supervisor:which_children(Pid), Id =/= undefined] catch exit:_ -> [] end;
children(_, _) ->
    [].
