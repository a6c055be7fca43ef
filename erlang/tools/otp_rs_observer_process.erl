%% The details of one process on a page. Its messages and its dictionary are not shown, and its
%% state only as the module `otp_rs_status` of the application formats it.
-module(otp_rs_observer_process).
-export([details/3, local/1, load/0]).

%% Timeouts in milliseconds.
-define(LIMIT, 1000).
-define(AFTER, 10).
%% The maximum number of frames, links and characters that are shown.
-define(FRAMES, 30).
-define(LINKS, 50).
-define(CHARACTERS, 300).
-define(ITEMS, [
    registered_name, status, message_queue_len, memory, total_heap_size, stack_size, reductions, current_stacktrace, links, monitors,
    monitored_by, trap_exit, priority, group_leader, garbage_collection
]).

%% Returns the details of the process that the text names. Its state is left out if its number of
%% reductions is still `Since`.
-spec details(binary(), binary(), otp_rs_observer_question:questions()) -> otp_rs_observer_json:json().
details(Text, Since, Questions) ->
    case local(Text) of
        {ok, Pid} ->
            case otp_rs_observer_question:is_unanswered(Questions, Pid) of
                true -> busy(Pid);
                false -> asked(Pid, Since, Questions)
            end;
        error ->
            #{pid => Text, ended => true}
    end.

-spec asked(pid(), binary(), otp_rs_observer_question:questions()) -> otp_rs_observer_json:json().
asked(Pid, Since, Questions) ->
    case otp_rs_observer_question:ask(Questions, fun() -> read(Pid, Since) end, fun() -> Pid end, ?LIMIT) of
        {ok, Details} -> Details;
        failed -> #{pid => pid(Pid), ended => true};
        {busy, Pid} -> busy(Pid)
    end.

%% The process is in native code, or the node is overloaded. The current callback is known
%% nevertheless.
-spec busy(pid()) -> otp_rs_observer_json:json().
busy(Pid) ->
    Callback = try callback(otp_rs_status:callback(Pid)) catch error:undef -> null end,
    #{pid => pid(Pid), busy => true, callback => Callback}.

%% Returns a process of this node. A text from a browser creates no atom.
-spec local(binary()) -> {ok, pid()} | error.
local(Text) ->
    case re:run(Text, "^<0\\.\\d{1,10}\\.\\d{1,10}>$", [{capture, none}]) of
        match ->
            try {ok, list_to_pid(binary_to_list(Text))} catch error:badarg -> error end;
        nomatch ->
            error
    end.

-spec read(pid(), binary()) -> otp_rs_observer_json:json().
read(Pid, Since) ->
    case process_info(Pid, ?ITEMS) of
        undefined -> #{pid => pid(Pid), ended => true};
        Information -> maps:merge(shown(Pid, maps:from_list(Information)), rust(Pid, Since))
    end.

-spec shown(pid(), map()) -> otp_rs_observer_json:json().
shown(Pid, #{registered_name := Name, links := Links, monitors := Monitors, monitored_by := Watchers} = Information) ->
    Call = otp_rs_observer_rows:begun_with(Pid),
    Word = erlang:system_info(wordsize),
    #{
        pid => pid(Pid),
        name => case Name of [] -> null; _ -> text(Name) end,
        module => otp_rs_observer_rows:module_text(Call),
        status => maps:get(status, Information),
        mailbox => maps:get(message_queue_len, Information),
        memory => maps:get(memory, Information),
        heap => maps:get(total_heap_size, Information) * Word,
        stack => maps:get(stack_size, Information) * Word,
        reductions => maps:get(reductions, Information),
        collections => proplists:get_value(minor_gcs, maps:get(garbage_collection, Information)),
        traps_exits => maps:get(trap_exit, Information),
        priority => maps:get(priority, Information),
        frames => [frame(Frame) || Frame <- lists:sublist(maps:get(current_stacktrace, Information), ?FRAMES)],
        links => several(Links),
        monitors => several([Other || {_, Other} <- Monitors]),
        monitored_by => several(Watchers)
    }.

%% Returns other processes by their names: the first of them, and their number.
-spec several([term()]) -> otp_rs_observer_json:json().
several(Others) ->
    #{count => length(Others), first => [other(Other) || Other <- lists:sublist(Others, ?LINKS)]}.

-spec other(term()) -> otp_rs_observer_json:json().
other(Pid) when is_pid(Pid), node(Pid) =:= node() -> #{pid => pid(Pid)};
other(Other) -> #{text => text(Other)}.

-spec frame({module(), atom(), arity() | list(), list()}) -> otp_rs_observer_json:json().
frame({Module, Function, Arguments, Location}) ->
    Arity = if is_list(Arguments) -> length(Arguments); true -> Arguments end,
    Where = case {proplists:get_value(file, Location), proplists:get_value(line, Location)} of
        {File, Line} when is_list(File), is_integer(Line) -> io_lib:format(" (~ts:~b)", [filename:basename(File), Line]);
        _ -> ""
    end,
    otp_rs_observer_json:characters(io_lib:format("~tw:~tw/~w~ts", [Module, Function, Arity, Where])).

%% Loads the application's own module, if the node has one.
-spec load() -> ok.
load() ->
    _ = code:ensure_loaded(otp_rs_status),
    ok.

%% Returns the facts of that module about a process whose callbacks are Rust. The module asks the
%% process for its state, which restarts the timeout of a waiting gen_server. Therefore a process
%% that has done no work is not asked again.
-spec rust(pid(), binary()) -> map().
rust(Pid, Since) ->
    case erlang:function_exported(otp_rs_status, of_process, 1) andalso reductions(Pid) =/= Since of
        true ->
            Status = status(otp_rs_status:of_process(Pid)),
            %% Waits until the process has finished handling the request itself.
            timer:sleep(?AFTER),
            #{rust => Status, since => reductions(Pid)};
        false ->
            #{since => Since}
    end.

-spec reductions(pid()) -> binary().
reductions(Pid) ->
    case process_info(Pid, reductions) of
        {reductions, Reductions} -> integer_to_binary(Reductions);
        undefined -> <<>>
    end.

status(#{module := Module, behaviour := Behaviour, activity := Activity, state := State, tasks := Tasks, long := Long} = Status) ->
    #{
        module => text(Module), behaviour => case Behaviour of none -> null; _ -> text(Behaviour) end, activity => Activity,
        %% An older build does not provide it.
        callback => callback(maps:get(callback, Status, none)), isolated => maps:get(isolated, Status, null),
        state => state(State), tasks => case Tasks of unknown -> null; _ -> Tasks end, long => Long
    };
status(_) ->
    null.

%% Returns a callback. If it has been in progress for a second or more, its time is in whole
%% seconds, so that an unchanged value is sent once.
-spec callback(map() | none) -> otp_rs_observer_json:json().
callback(none) ->
    null;
callback(#{ms := Milliseconds} = Callback) ->
    Since = erlang:system_time(millisecond) - Milliseconds,
    (maps:remove(ms, Callback))#{since => (Since + 500) div 1000}.

-spec state({text, binary()} | secret | none | unknown) -> otp_rs_observer_json:json().
state({text, Text}) -> #{text => Text};
state(Word) -> #{word => Word}.

-spec pid(pid()) -> binary().
pid(Pid) -> list_to_binary(pid_to_list(Pid)).

-spec text(term()) -> binary().
text(Term) -> otp_rs_observer_json:text(Term, ?CHARACTERS).
