%% Runs tests on the VM, each in a process of its own. The program that started the VM is connected
%% to its standard input, a socket, and sends the name of each test to run. The module is the same
%% in every application.
-module(otp_rs_test).
-export([main/0, filter/2]).

%% Timeouts in milliseconds: for processes that a test has left behind to end, and for its
%% application to stop.
-define(LEAVING, 5000).
-define(STOPPING, 10000).

%% The registered name of a process that starts an application.
-define(RUN, otp_rs_run).

%% Keys in the dictionary of a test's process: that it is a test, and the message and Rust stack of
%% its last panic.
-define(IS_TEST, '$otp_rs_test').
-define(PANIC, '$otp_rs_test_panic').

-type options() :: #{
    application := boolean(),
    arguments := [binary()],
    environment := [{atom(), term()}],
    timeout := non_neg_integer()
}.
%% A text, and whether the VM is still usable.
-type outcome() :: passed | {failed, unicode:chardata()} | {broken, unicode:chardata()}.

%% The arguments: the application, and the text that terminates the output of each test.
-spec main() -> no_return().
main() ->
    [Name, Mark] = init:get_plain_arguments(),
    Application = list_to_atom(Name),
    _ = logger:add_handler_filter(default, ?MODULE, {fun ?MODULE:filter/2, none}),
    Port = open_port({fd, 0, 0}, [{packet, 4}, binary, eof]),
    true = port_command(Port, term_to_binary(ready)),
    serve(Port, Application, Mark).

-spec serve(port(), atom(), string()) -> no_return().
serve(Port, Application, Mark) ->
    receive
        {Port, {data, Data}} ->
            {Test, Options} = binary_to_term(Data),
            Outcome = run(Port, Application, Test, Options),
            flush(Mark),
            true = port_command(Port, term_to_binary(shown(Outcome))),
            serve(Port, Application, Mark);
        {Port, eof} ->
            halt(0, [{flush, false}])
    end.

-spec shown(outcome()) -> passed | {failed | broken, binary()}.
shown(passed) -> passed;
shown({How, Text}) -> {How, unicode:characters_to_binary(Text)}.

-spec run(port(), atom(), binary(), options()) -> outcome().
run(Port, Application, Test, #{arguments := Arguments, environment := Environment} = Options) ->
    _ = application:load(Application),
    Before = application:get_all_env(Application),
    set_env(Application, [{arguments, Arguments} | Environment]),
    Outcome = case start(Application, Options) of
        {ok, Started} -> stop(Started, in_process(Port, Application, Test, Options));
        {error, Text} -> {failed, Text}
    end,
    %% The next test starts with the environment of the build.
    lists:foreach(fun({Key, _}) -> application:unset_env(Application, Key) end, application:get_all_env(Application)),
    set_env(Application, Before),
    Outcome.

-spec set_env(atom(), [{atom(), term()}]) -> ok.
set_env(Application, Environment) ->
    lists:foreach(fun({Key, Value}) -> ok = application:set_env(Application, Key, Value) end, Environment).

-spec start(atom(), options()) -> {ok, [atom()]} | {error, unicode:chardata()}.
start(_, #{application := false}) ->
    {ok, []};
start(Application, _) ->
    %% A process that fails sends this process the line of Rust, as in `cargo otp run`.
    true = register(?RUN, self()),
    Result = case application:ensure_all_started(Application) of
        {ok, Started} -> {ok, Started};
        {error, Reason} ->
            Run = list_to_atom(atom_to_list(Application) ++ "_run"),
            {error, ["the application did not start: ", Run:format_reason(Reason)]}
    end,
    true = unregister(?RUN),
    forget_raised(),
    Result.

-spec forget_raised() -> ok.
forget_raised() ->
    receive {raised, _, _} -> forget_raised() after 0 -> ok end.

%% Stops the applications that were started for the test, each before the applications that it
%% needs.
-spec stop([atom()], outcome()) -> outcome().
stop(Started, Outcome) ->
    Stop = fun() -> lists:foreach(fun application:stop/1, lists:reverse(Started)) end,
    {Process, Monitor} = spawn_monitor(Stop),
    receive
        {'DOWN', Monitor, process, _, _} -> Outcome
    after ?STOPPING ->
        exit(Process, kill),
        {broken, [case Outcome of passed -> ""; {_, Text} -> [Text, "\n"] end,
            io_lib:format("the application did not stop within ~b s", [?STOPPING div 1000])]}
    end.

%% The new process returns nothing: its outcome is a message.
-dialyzer({no_return, in_process/4}).
-spec in_process(port(), atom(), binary(), options()) -> outcome().
in_process(Port, Application, Test, #{timeout := Timeout}) ->
    Library = list_to_atom(atom_to_list(Application) ++ "_nif"),
    Runner = self(),
    Tag = make_ref(),
    Process = proc_lib:spawn(fun() -> receive Tag -> body(Library, Test, Tag, Runner) end end),
    Monitor = monitor(process, Process),
    Process ! Tag,
    receive
        {Tag, Outcome, Links} ->
            gone([Process | Links]),
            demonitor(Monitor, [flush]),
            Outcome;
        {'DOWN', Monitor, process, _, Reason} ->
            {failed, ["the test's process was ended by an exit signal: ", reason(Reason)]};
        {Port, eof} ->
            halt(0, [{flush, false}])
    after Timeout ->
        Text = [io_lib:format("the test was not over after ~ts; its process was ", [seconds(Timeout)]), where(Process)],
        exit(Process, kill),
        receive {'DOWN', Monitor, process, _, _} -> {failed, Text}
        after ?LEAVING -> {broken, Text}
        end
    end.

%% Runs in the test's process. It ends with `shutdown`, and processes that are linked with it end as
%% well.
-spec body(module(), binary(), reference(), pid()) -> no_return().
body(Library, Test, Tag, Runner) ->
    put(?IS_TEST, true),
    Outcome = case Library:test(Test) of
        undefined -> {failed, "the library on the VM has no test of this name: was it built with the same features?"};
        Closure -> try Library:spawned(Closure) of _ -> passed catch C:R:S -> {failed, failure(C, R, S)} end
    end,
    {links, Links} = process_info(self(), links),
    Runner ! {Tag, Outcome, [Link || Link <- Links, is_pid(Link)]},
    exit(shutdown).

%% Waits until processes that end with the test are gone, before the next test begins.
-spec gone([pid()]) -> ok.
gone(Processes) ->
    Monitors = [monitor(process, Process) || Process <- Processes],
    Timer = erlang:start_timer(?LEAVING, self(), ?MODULE),
    lists:foreach(fun(Monitor) ->
        receive {'DOWN', Monitor, process, _, _} -> ok; {timeout, Timer, _} -> self() ! {timeout, Timer, ?MODULE} end,
        demonitor(Monitor, [flush])
    end, Monitors),
    _ = erlang:cancel_timer(Timer),
    receive {timeout, Timer, _} -> ok after 0 -> ok end.

-spec failure(error | exit | throw, term(), [tuple()]) -> unicode:chardata().
failure(error, {panic, #{message := Message, file := File, line := Line}}, _) ->
    [io_lib:format("panicked at ~ts:~b:~n~ts", [File, Line, Message]), backtrace(Message)];
failure(exit, {error, Text}, Stack) when is_binary(Text) ->
    ["Error: ", Text, at(Stack)];
failure(Class, Reason, Stack) ->
    [atom_to_list(Class), ": ", reason(Reason), at(Stack)].

%% Returns the Rust stack of a panic with this message, if `RUST_BACKTRACE` enables it.
-spec backtrace(binary()) -> unicode:chardata().
backtrace(Message) ->
    case get(?PANIC) of
        {Message, Backtrace} when Backtrace =/= <<>> -> ["\nstack backtrace:\n", string:trim(Backtrace, trailing)];
        _ -> ""
    end.

%% Returns the lines of the stack, those of Rust first. Frames of the test runner are left out.
-spec at([tuple()]) -> unicode:chardata().
at(Stack) ->
    {Rust, Erlang} = lists:partition(fun is_rust/1, Stack),
    [["\n  at ", frame(Frame)] || Frame <- Rust ++ lists:filter(fun is_told/1, Erlang)].

-spec is_told(tuple()) -> boolean().
is_told({Module, _, _, _}) ->
    not lists:member(Module, [?MODULE, proc_lib])
        andalso not erlang:function_exported(Module, spawned, 1).

-spec is_rust(tuple()) -> boolean().
is_rust({_, _, _, Location}) -> filename:extension(proplists:get_value(file, Location, "")) =:= ".rs".

-spec frame(tuple()) -> unicode:chardata().
frame({Module, Function, Arity, Location} = Frame) ->
    Line = case {proplists:get_value(file, Location), proplists:get_value(line, Location)} of
        {File, Line0} when File =/= undefined, Line0 =/= undefined -> io_lib:format("~ts:~b", [File, Line0]);
        _ -> ""
    end,
    case is_rust(Frame) of
        true -> Line;
        false ->
            Number = case Arity of [_ | _] -> length(Arity); [] -> 0; _ -> Arity end,
            io_lib:format("~tp:~tp/~b (~ts)", [Module, Function, Number, Line])
    end.

-spec reason(term()) -> unicode:chardata().
reason({panic, #{message := Message, file := File, line := Line}}) ->
    io_lib:format("a panic at ~ts:~b: ~ts", [File, Line, Message]);
reason({Reason, [{_, _, _, _} | _] = Stack}) ->
    [reason(Reason), at(Stack)];
reason(Reason) ->
    io_lib:format("~tp", [Reason]).

%% Describes what a process that has not ended is doing.
-spec where(pid()) -> unicode:chardata().
where(Process) ->
    case process_info(Process, [status, message_queue_len, messages, current_stacktrace]) of
        [{status, Status}, {message_queue_len, Number}, {messages, Messages}, {current_stacktrace, Stack}] ->
            [io_lib:format("~tp, with ~b message~ts in its mailbox", [Status, Number, plural(Number)]),
             [io_lib:format("~n  ~tP", [Message, 30]) || Message <- lists:sublist(Messages, 10)], at(Stack)];
        undefined ->
            "gone"
    end.

-spec plural(non_neg_integer()) -> string().
plural(1) -> "";
plural(_) -> "s".

-spec seconds(non_neg_integer()) -> unicode:chardata().
seconds(Time) when Time rem 1000 =:= 0 -> io_lib:format("~b s", [Time div 1000]);
seconds(Time) -> io_lib:format("~b ms", [Time]).

%% Writes all logs and output before the mark.
-spec flush(string()) -> ok.
flush(Mark) ->
    _ = try logger_std_h:filesync(default) catch _:_ -> ok end,
    io:put_chars(user, [Mark, $\n]).

%% A filter of the default handler. It runs in the process that logs. It drops reports that would
%% repeat the test's failure, which is reported once with the Rust stack, and the report that its
%% application stops, because the test requested that.
-spec filter(logger:log_event(), none) -> logger:filter_return().
filter(#{msg := {report, #{label := {otp_rs, panic}, message := Message, backtrace := Backtrace}}}, none) ->
    case get(?IS_TEST) of
        true -> put(?PANIC, {Message, Backtrace}), stop;
        _ -> ignore
    end;
filter(#{msg := {report, #{label := {application_controller, exit}, report := [{_, _} | _] = Report}}}, none) when length(Report) > 0 ->
    case proplists:get_value(exited, Report) of
        stopped -> stop;
        _ -> ignore
    end;
filter(_, none) ->
    ignore.
