%% Which processes have states of an application's modules (ADR 25, 34). The module is the same in
%% every application.
-module(otp_rs_processes).
-export([living/2, spawned/1, isolated/0, answers/1, has_code_change/1]).
-export_type([process/0]).

%% A process, and a module that it serves, with the behaviour of that.
-type process() :: {pid(), module(), module()}.

%% Behaviours whose loops are OTP's, and take a new state from `code_change`.
-define(IS_LOOP(Behaviour), Behaviour =:= gen_server; Behaviour =:= gen_statem; Behaviour =:= gen_event; Behaviour =:= supervisor).

%% Milliseconds for a question.
-define(ANSWER, 500).

%% The processes of these modules, each with its behaviour. A gen_event is one of each module that
%% it has a handler of. Who has a state of another behaviour's module, the libraries know.
-spec living([module()], [{module(), module()}]) -> [process()].
living(Libraries, Modules) ->
    Started = [{Pid, Module} || Pid <- processes(), Module <- modules_of(Pid)],
    _ = collect(lists:usort([Pid || {Pid, _} <- holding(Libraries)])),
    Holding = lists:usort(holding(Libraries)),
    [{Pid, Module, Behaviour} || {Pid, Module} <- Started ++ Holding, {Same, Behaviour} <- Modules, Same =:= Module].

-spec holding([module()]) -> [{pid(), module()}].
holding(Libraries) ->
    [Holder || Library <- Libraries, {Pid, _} = Holder <- holders(Library), is_process_alive(Pid)].

%% None, if it has just left.
-spec holders(module()) -> [{pid(), module()}].
holders(Library) ->
    try Library:holders()
    catch
        error:undef -> []
    end.

%% What is garbage is not a state. A process that has nothing to do does not collect it by itself,
%% and one that is in a long call would be waited for.
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

%% The processes that stand here for children in VMs of their own, with the modules of these.
-spec isolated() -> [{pid(), module()}].
isolated() ->
    [{Pid, Module} || Pid <- processes(), {otp_rs_isolated, init, _} <- [proc_lib:translate_initial_call(Pid)],
        {Module, _} <- [otp_rs_isolated:child_of(Pid)]].

%% Whether it answers messages of `sys`. It is not asked: one that does not would keep the message
%% for ever. So its first call says it: it is that of one of OTP's loops, or of a module with the
%% functions that `sys` calls.
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
