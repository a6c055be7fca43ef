%% Requests to processes. `process_info/2` blocks while a process is in native code on a normal
%% scheduler, and a user may be looking for exactly that. Therefore each request has its own process
%% and a time limit, and a process that has not responded is not asked again until it does.
-module(otp_rs_observer_question).
-export([new/0, ask/4, is_unanswered/2]).
-export_type([questions/0]).

-opaque questions() :: ets:tid().

%% Creates the table, which belongs to the caller.
-spec new() -> questions().
new() ->
    ets:new(?MODULE, [public]).

%% Asks a question. `About` returns the process whose answer is late. It is called in this process.
-spec ask(questions(), fun(() -> Answer), fun(() -> pid()), timeout()) -> {ok, Answer} | failed | {busy, pid()}.
ask(Questions, Question, About, Limit) ->
    {Asker, Monitor} = spawn_monitor(fun() -> exit({answer, Question()}) end),
    receive
        {'DOWN', Monitor, process, _, {answer, Answer}} -> {ok, Answer};
        {'DOWN', Monitor, process, _, _} -> failed
    after Limit ->
        demonitor(Monitor, [flush]),
        Busy = About(),
        ets:insert(Questions, {Busy, Asker}),
        {busy, Busy}
    end.

-spec is_unanswered(questions(), pid()) -> boolean().
is_unanswered(Questions, Pid) ->
    case ets:lookup(Questions, Pid) of
        [] ->
            false;
        [{Pid, Asker}] ->
            is_process_alive(Asker) orelse (ets:delete(Questions, Pid) andalso false)
    end.
