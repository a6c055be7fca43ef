%% Finds the processes that have states of an application's modules (ADR 25, 34). The module is the
%% same in every application.
-module(otp_rs_processes).
-export([living/2, spawned/1, isolated/0, answers/1, has_code_change/1, own/2]).
-export_type([process/0]).

%% A process, a module that it serves, and the module's behaviour.
-type process() :: {pid(), module(), module()}.

%% Behaviours whose loops belong to OTP and take a new state from `code_change`.
-define(IS_LOOP(Behaviour), Behaviour =:= gen_server; Behaviour =:= gen_statem; Behaviour =:= gen_event; Behaviour =:= supervisor).

%% The timeout for a question, in milliseconds.
-define(ANSWER, 500).

%% Returns the processes of these modules, each with its behaviour. A gen_event is listed once for
%% each module of its handlers. The libraries know which processes have a state of a module with
%% another behaviour.
-spec living([module()], [{module(), module()}]) -> [process()].
living(Libraries, Modules) ->
    Started = [{Pid, Module} || Pid <- processes(), Module <- modules_of(Pid)],
    _ = collect(lists:usort([Pid || {Pid, _} <- holding(Libraries)])),
    Holding = lists:usort(holding(Libraries)),
    [{Pid, Module, Behaviour} || {Pid, Module} <- Started ++ Holding, {Same, Behaviour} <- Modules, Same =:= Module].

-spec holding([module()]) -> [{pid(), module()}].
holding(Libraries) ->
    [Holder || Library <- Libraries, {Pid, _} = Holder <- holders(Library), is_process_alive(Pid)].

%% A library that has just been unloaded has none.
-spec holders(module()) -> [{pid(), module()}].
holders(Library) ->
    try Library:holders()
    catch
        error:undef -> []
    end.

%% Collects garbage, because a state that is garbage does not count. An idle process does not
%% collect its garbage by itself. Each collection runs in a process of its own, because one in a
%% long native call would block the caller.
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

%% A gen_event that does not answer is skipped: its handlers keep running the old code.
-spec handlers(pid()) -> [module()].
handlers(Pid) ->
    try erpc:call(node(), gen_event, which_handlers, [Pid], ?ANSWER) of
        Handlers -> lists:usort([case Handler of {Module, _} -> Module; Module -> Module end || Handler <- Handlers])
    catch _:_ -> []
    end.

%% Returns the processes that run a body of one of these libraries (`Cx::spawn_process`).
-spec spawned([module()]) -> [pid()].
spawned(Libraries) ->
    [Pid || Pid <- processes(), {Library, spawned, _} <- [proc_lib:translate_initial_call(Pid)], lists:member(Library, Libraries)].

%% Returns the processes that represent children in VMs of their own, with the modules of these.
-spec isolated() -> [{pid(), module()}].
isolated() ->
    [{Pid, Module} || Pid <- processes(), {otp_rs_isolated, init, _} <- [proc_lib:translate_initial_call(Pid)],
        {Module, _} <- [otp_rs_isolated:child_of(Pid)]].

%% Returns whether the process answers messages of `sys`. It is not asked, because a process that
%% does not answer would keep the message for ever. Its initial call decides: that of one of OTP's
%% loops, or of a module with the functions that `sys` calls.
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

%% Returns whether the behaviour has a callback that converts an old state.
-spec has_code_change(module()) -> boolean().
has_code_change(Behaviour) ->
    try lists:keymember(code_change, 1, Behaviour:behaviour_info(callbacks)) catch error:undef -> false end.

%% Returns the process with this name if it began with one of these functions. Any process can take
%% a name, and would never answer; it cannot take the function of a process that was spawned with
%% it.
-spec own(atom(), [mfa(), ...]) -> pid() | none | taken.
own(Name, First) ->
    case whereis(Name) of
        undefined -> none;
        Process when is_pid(Process) ->
            case lists:member(proc_lib:translate_initial_call(Process), First) of
                true -> Process;
                %% It may have ended in between.
                false -> case is_process_alive(Process) of true -> taken; false -> own(Name, First) end
            end;
        _ -> taken
    end.
