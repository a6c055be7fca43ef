-export([main/0, log/2, filter/2, format/2, format_reason/1]).
-export([init/1, handle_event/2, handle_call/2]).

%% Indexes of the flags: whether the root supervisor gave up, and whether the application is
%% being started.
-define(GAVE_UP, 1).
-define(STARTING, 2).

%% Times in milliseconds: the limit for connecting to a node, the interval in which a newly started
%% epmd is queried, and the limit for waiting for the source line in Rust.
-define(CONNECTING, 10000).
-define(EPMD, 20).
-define(TELLING, 100).

%% How often a node may refuse the connection, and the milliseconds between two attempts.
-define(REFUSALS, 3).
-define(PAUSE, 500).

-spec main() -> ok.
main() ->
    %% Without a locale, as in most containers, the VM would write Latin-1.
    lists:foreach(fun(Device) -> io:setopts(Device, [{encoding, unicode}]) end, [user, standard_error]),
    ok = follow(),
    ok = set_log(),
    %% If the file exists, SIGTERM came before the VM could notice it.
    case lists:any(fun filelib:is_file/1, argument(otp_rs_stop)) of
        true -> init:stop();
        false -> run()
    end.

%% Stops the VM when the program that has started it wants this or no longer exists.
-spec follow() -> ok.
follow() ->
    _ = is_hangup_ignored() orelse hangup(),
    case init:get_argument(otp_rs_follow) of
        {ok, _} -> _ = spawn(fun input/0), ok;
        error -> ok
    end.

%% SIGHUP stops the VM in order, as SIGTERM does.
-spec hangup() -> ok.
hangup() ->
    ok = gen_event:add_handler(erl_signal_server, ?MODULE, []),
    os:set_signal(sighup, handle).

%% Whether SIGHUP is ignored, as in a program that was started by `nohup`. Only `/proc` has this
%% information.
-spec is_hangup_ignored() -> boolean().
is_hangup_ignored() ->
    case file:read_file("/proc/self/status") of
        {ok, Status} ->
            case re:run(Status, "SigIgn:\\s*([0-9a-f]+)", [{capture, all_but_first, binary}]) of
                {match, [Mask]} -> binary_to_integer(Mask, 16) band 1 =:= 1;
                nomatch -> false
            end;
        {error, _} -> false
    end.

%% The handler of signals.
-spec init(term()) -> {ok, []}.
init(_) -> {ok, []}.

-spec handle_event(term(), []) -> {ok, []}.
handle_event(sighup, State) ->
    init:stop(),
    {ok, State};
handle_event(_, State) ->
    {ok, State}.

-spec handle_call(term(), []) -> {ok, ok, []}.
handle_call(_, State) -> {ok, ok, State}.

%% The program that has started the VM keeps the other end of standard input open while it exists.
-spec input() -> ok.
input() ->
    Port = open_port({fd, 0, 0}, [in, eof]),
    receive {Port, eof} -> init:stop() end.

-spec run() -> ok.
run() ->
    Arguments = [unicode:characters_to_binary(A) || A <- init:get_plain_arguments()],
    case application:load(?APPLICATION) of
        ok -> ok;
        {error, {already_loaded, _}} -> ok
    end,
    ok = application:set_env(?APPLICATION, arguments, Arguments),
    Flags = atomics:new(2, []),
    %% The handler reads the report of the root supervisor. This is necessary because a supervisor
    %% that gave up exits with `shutdown`, just like one that was stopped.
    ok = logger:add_handler(?MODULE, ?MODULE, #{config => Flags}),
    _ = logger:add_handler_filter(default, ?MODULE, {fun ?MODULE:filter/2, {self(), Flags}}),
    atomics:put(Flags, ?STARTING, 1),
    true = register(?RUN, self()),
    case join() of
        ok -> start(Flags);
        {error, Text} -> failed('did not start', Text)
    end.

-spec start(atomics:atomics_ref()) -> ok.
start(Flags) ->
    case application:ensure_all_started(?APPLICATION) of
        {ok, _} ->
            true = unregister(?RUN),
            atomics:put(Flags, ?STARTING, 0),
            lists:foreach(fun show/1, held()),
            watch(Flags, whereis(?ROOT));
        {error, Reason} ->
            not_started(Reason)
    end.

-spec watch(atomics:atomics_ref(), pid() | undefined) -> ok.
watch(Flags, undefined) ->
    ended(Flags, shutdown);
watch(Flags, Root) ->
    Monitor = monitor(process, Root),
    receive {'DOWN', Monitor, process, Root, Reason} -> ended(Flags, Reason) end.

%% `noproc`: the root supervisor had exited before it was monitored.
-spec ended(atomics:atomics_ref(), term()) -> ok.
ended(Flags, Reason) when Reason =:= normal; Reason =:= shutdown; Reason =:= noproc ->
    _ = logger:remove_handler(?MODULE),
    case atomics:get(Flags, ?GAVE_UP) of
        0 -> init:stop(0);
        _ -> failed('gave up', "reached_max_restart_intensity")
    end;
ended(Flags, {shutdown, _}) ->
    ended(Flags, shutdown);
ended(_, Reason) ->
    failed(ended, io_lib:format("~tp", [Reason])).

-spec failed('did not start' | 'gave up' | ended, unicode:chardata()) -> ok.
failed(What, Text) ->
    io:format(standard_error, "~s ~s: ~ts~n", [?APPLICATION, What, Text]),
    init:stop(1).

%% Prints the reason once, with the source line in Rust. OTP's reports with the same reason are not
%% printed.
-spec not_started({atom(), term()}) -> ok.
not_started(Error) ->
    case usage(init:get_plain_arguments(), placed(Error)) of
        none -> is_not_started(Error);
        Usage -> io:put_chars(user, [Usage, $\n]), init:stop(0)
    end.

%% Returns the text of an application for `--help`. This is the part from `usage:` in its error for
%% wrong arguments, if there is one.
-spec usage([string()], {unicode:chardata(), term()} | none) -> unicode:chardata() | none.
usage([Help], {_, Cause}) when Help =:= "--help"; Help =:= "-h" ->
    Text = case Cause of
        {Reason, [_ | _]} -> Reason;
        _ -> Cause
    end,
    case is_binary(Text) andalso string:find(Text, "usage:") of
        <<_, _/binary>> = Usage -> Usage;
        _ -> none
    end;
usage(_, _) ->
    none.

-spec is_not_started({atom(), term()}) -> ok.
is_not_started(Error) ->
    case placed(Error) of
        {_, Cause} -> lists:foreach(fun show/1, [Event || Event <- held(), is_other(Event, Cause)]);
        none -> ok
    end,
    failed('did not start', format_reason(Error)).

%% Formats the error of application:ensure_all_started/1.
-spec format_reason({atom(), term()}) -> unicode:chardata().
format_reason({Application, {"no such file or directory", _}}) ->
    [other(Application), "it is not installed, or its ebin is not in the code path"];
format_reason({Application, {{otp_release, Oldest, Release}, _}}) ->
    [other(Application), io_lib:format("it was built for OTP ~b or newer, and this is OTP ~b: build it with this one", [Oldest, Release])];
format_reason({Application, {{bad_environment, Mistakes}, _}}) ->
    Texts = [io_lib:format("~ts~n    of ~ts", [Text, Place]) || {_, _, Text, Place} <- Mistakes],
    [other(Application), lists:join("\n  ", Texts)];
format_reason({Application, {{shared, Name, Reason}, _}}) ->
    [other(Application), "the shared resource `", Name, "` cannot be opened: ", Reason];
format_reason({Application, Reason} = Error) ->
    case placed(Error) of
        {Where, Cause} -> [other(Application), Where, frame(Cause), why(Cause)];
        none -> [other(Application), io_lib:format("~tp", [Reason])]
    end.

%% Returns the part of the application that has failed, and the reason.
-spec placed({atom(), term()}) -> {unicode:chardata(), term()} | none.
placed({_, {{bad_environment, _}, _}}) ->
    none;
placed({_, {{otp_release, _, _}, _}}) ->
    none;
placed({_, {{shared, _, _}, _}}) ->
    none;
placed({_, {Reason, {_, start, _}}}) ->
    {Children, Cause} = cause(Reason, []),
    {[io_lib:format("child ~tp: ", [Id]) || Id <- Children], Cause};
placed({Application, {bad_return, {{_, start, _} = Start, {'EXIT', Reason}}}}) ->
    placed({Application, {Reason, Start}});
placed({_, {Reason, {_, start_phase, [Phase | _]}}}) ->
    {phase(Phase), Reason};
placed({_, {bad_return_value, {{_, start_phase, [Phase | _]}, {'EXIT', Cause}}}}) ->
    {phase(Phase), Cause};
placed(_) ->
    none.

%% Returns the prefix for an error of a dependency.
-spec other(atom()) -> unicode:chardata().
other(?APPLICATION) -> "";
other(Application) -> io_lib:format("application ~tp: ", [Application]).

-spec phase(atom()) -> unicode:chardata().
phase(Phase) -> io_lib:format("phase ~tp: ", [Phase]).

%% Returns the original reason in the error of the outermost supervisor, and the ids of the children
%% through which supervisors have passed it on.
-spec cause(term(), [term()]) -> {[term()], term()}.
cause({shutdown, {failed_to_start_child, Id, Reason}}, Ids) -> cause(Reason, [Id | Ids]);
cause(Reason, Ids) -> {lists:reverse(Ids), Reason}.

-spec why(term()) -> unicode:chardata().
why({Reason, [{_, _, _, _} | _]}) -> why(Reason);
why({panic, #{message := Message}}) -> ["panicked: ", Message];
why({bad_environment, Application, #{path := Path, expected := Expected, got := Got}}) ->
    io_lib:format("environment of ~tp: ~ts: expected ~ts, got ~ts", [Application, Path, Expected, Got]);
why(Reason) -> io_lib:format("~tp", [Reason]).

%% Returns the source line in Rust, from the reason of an error or from a message of the process
%% that failed.
-spec frame(term()) -> unicode:chardata().
frame({_, [{_, _, _, _} | _] = Stacktrace}) -> shown(Stacktrace);
frame(Cause) ->
    receive
        %% This process has a name, so any process can send it such a message.
        {raised, Cause, Stacktrace} -> try shown(Stacktrace) catch error:_ -> "" end
    after ?TELLING -> ""
    end.

-spec shown([tuple()]) -> unicode:chardata().
shown(Stacktrace) ->
    Lines = [{M, F, A, File, proplists:get_value(line, Location, 0)}
        || {M, F, A, Location} <- Stacktrace,
           File <- [proplists:get_value(file, Location, "")],
           filename:extension(File) =:= ".rs"],
    case Lines of
        [{M, F, A, File, Line} | _] when is_integer(A) ->
            io_lib:format("~tp:~tp/~b (~ts:~b): ", [M, F, A, File, Line]);
        _ -> ""
    end.

%% Whether the report has another reason than the cause, which OTP's supervisors repeat.
-spec is_other(logger:log_event(), term()) -> boolean().
is_other(#{msg := {report, #{label := {proc_lib, crash}, report := [Info | _]}}}, Cause) when length(Info) >= 0 ->
    case proplists:get_value(error_info, Info) of
        {_, Cause, _} -> false;
        {_, Reason, _} when is_tuple(Cause), element(1, Cause) =:= Reason -> false;
        _ -> true
    end;
is_other(#{msg := {report, #{label := {otp_rs, panic}, message := Message}}}, {{panic, #{message := Message}}, _}) ->
    false;
is_other(#{msg := {report, #{label := {otp_rs, panic}, message := Message}}}, {panic, #{message := Message}}) ->
    false;
is_other(#{msg := {report, #{label := {otp_rs, panic}}}}, _) ->
    true;
is_other(_, _) ->
    false.

%% Returns the reports that were held while the application was starting.
-spec held() -> [logger:log_event()].
held() ->
    receive {held, #{level := _, msg := {report, _}, meta := #{}} = Event} -> [Event | held()] after 0 -> [] end.

%% Passes a held report to the default handler. If that is OTP's own handler, which cannot be called
%% from here, this function writes or logs the report instead.
-spec show(logger:log_event()) -> ok.
show(#{level := Level, msg := {report, Report}, meta := Meta} = Event) ->
    case logger:get_handler_config(default) of
        {ok, #{module := logger_std_h, config := #{type := standard_io}, formatter := {Module, Config}}} ->
            io:put_chars(user, Module:format(Event, Config));
        {ok, #{module := logger_std_h, config := #{type := standard_error}, formatter := {Module, Config}}} ->
            io:put_chars(standard_error, Module:format(Event, Config));
        {ok, #{module := logger_std_h}} ->
            logger:log(Level, Report, Meta#{?RUN => shown});
        {ok, #{module := Module} = Config} ->
            _ = Module:log(Event, Config),
            ok;
        _ ->
            ok
    end.

%% The callback of the logger handler.
-spec log(logger:log_event(), logger:handler_config()) -> ok.
log(Event, #{config := Flags}) ->
    case is_roots_end(Event) of
        true -> atomics:put(Flags, ?GAVE_UP, 1);
        false -> ok
    end.

%% The filter of the default handler. It drops OTP's reports about the end of the application,
%% because this module prints how the application ended. Reports during the start are held until the
%% start has succeeded or failed.
-spec filter(logger:log_event(), {pid(), atomics:atomics_ref()}) -> logger:filter_return().
filter(#{meta := #{?RUN := shown}}, _) ->
    ignore;
filter(#{msg := {report, #{label := Label, report := Report}}} = Event, {Main, Flags}) ->
    IsStarting = atomics:get(Flags, ?STARTING) =:= 1,
    case Label of
        {application_controller, exit} ->
            %% If this application does not start, OTP stops its dependencies again.
            stop_if(is_own(Report) orelse (IsStarting andalso is_stopped(Report)));
        {proc_lib, crash} ->
            case is_master(Report) of
                true -> stop;
                false when IsStarting -> hold(Event, Main);
                false -> ignore
            end;
        {supervisor, start_error} when IsStarting -> hold(Event, Main);
        {supervisor, shutdown} -> stop_if(is_roots_end(Event));
        _ -> ignore
    end;
filter(#{msg := {report, #{format := "SIGTERM received" ++ _}}}, _) ->
    stop_if(is_asked());
filter(#{msg := {report, #{label := {otp_rs, panic}}}} = Event, {Main, Flags}) ->
    case atomics:get(Flags, ?STARTING) of
        1 -> hold(Event, Main);
        _ -> ignore
    end;
filter(_, _) ->
    ignore.

%% Whether the program that has started the VM has asked it to stop, and reports that itself.
-spec is_asked() -> boolean().
is_asked() ->
    lists:any(fun filelib:is_file/1, argument(otp_rs_stop)).

-spec hold(logger:log_event(), pid()) -> stop.
hold(Event, Main) ->
    Main ! {held, Event},
    stop.

-spec stop_if(boolean()) -> stop | ignore.
stop_if(true) -> stop;
stop_if(false) -> ignore.

-spec is_own(term()) -> boolean().
is_own([{_, _} | _] = Report) when length(Report) > 0 -> proplists:get_value(application, Report) =:= ?APPLICATION;
is_own(_) -> false.

-spec is_stopped(term()) -> boolean().
is_stopped([{_, _} | _] = Report) when length(Report) > 0 -> proplists:get_value(exited, Report) =:= stopped;
is_stopped(_) -> false.

%% Whether the report comes from the process that starts the application.
-spec is_master(term()) -> boolean().
is_master([Info | _]) when length(Info) >= 0 ->
    case proplists:get_value(initial_call, Info) of
        {application_master, _, _} -> true;
        _ -> false
    end;
is_master(_) ->
    false.

%% Whether it is the report of the root supervisor that it gave up. `logger` removes a handler or
%% filter that fails, so this function must not fail on any event.
-spec is_roots_end(logger:log_event()) -> boolean().
is_roots_end(#{msg := {report, #{label := {supervisor, shutdown}, report := [{_, _} | _] = Report}}}) when length(Report) > 0 ->
    proplists:get_value(supervisor, Report) =:= {local, ?ROOT}
        andalso proplists:get_value(reason, Report) =:= reached_max_restart_intensity;
is_roots_end(_) ->
    false.

%% Makes the VM a node and connects it to others, according to the command line.
-spec join() -> ok | {error, unicode:chardata()}.
join() ->
    case {argument(otp_rs_sname), argument(otp_rs_name)} of
        {[], []} -> ok;
        {[Name | _], _} -> node(Name, shortnames);
        {_, [Name | _]} -> node(Name, longnames)
    end.

-spec argument(atom()) -> [string()].
argument(Flag) ->
    case init:get_argument(Flag) of
        {ok, Values} -> lists:append(Values);
        error -> []
    end.

-spec node(string(), shortnames | longnames) -> ok | {error, unicode:chardata()}.
node(Given, Domain) ->
    Name = with_host(Given, Domain),
    ok = listen(Name),
    ok = start_epmd(is_local(Name)),
    case net_kernel:start([list_to_atom(Name), Domain]) of
        {ok, _} ->
            case cookie(argument(otp_rs_cookie)) of
                ok -> connect(argument(otp_rs_connect), now_ms() + ?CONNECTING);
                Error -> Error
            end;
        {error, _} ->
            {error, ["cannot become the node ", Name, ": a node of this name runs, or the host has no ",
                case Domain of shortnames -> "short"; longnames -> "long" end, " name"]}
    end.

%% Adds a host to a name without one. Only nodes on this machine can connect to such a node.
-spec with_host(string(), shortnames | longnames) -> string().
with_host(Name, Domain) ->
    case {lists:member($@, Name), Domain} of
        {true, _} -> Name;
        {false, shortnames} -> Name ++ "@localhost";
        {false, longnames} -> Name ++ "@127.0.0.1"
    end.

%% Whether only nodes on this machine can find the node.
-spec is_local(string()) -> boolean().
is_local(Name) ->
    [_, Host] = string:split(Name, "@"),
    Host =:= "localhost" orelse lists:prefix("127.", Host).

%% Makes a local node listen on the loopback address only, unless a flag or a configuration file has
%% another address.
-spec listen(string()) -> ok.
listen(Name) ->
    case is_local(Name) andalso application:get_env(kernel, inet_dist_use_interface) of
        undefined -> application:set_env(kernel, inet_dist_use_interface, {127, 0, 0, 1});
        _ -> ok
    end.

%% Starts epmd. `erl -sname` would start it as well, but also the node, before the cookie is known.
-spec start_epmd(boolean()) -> ok.
start_epmd(IsLocal) ->
    case erl_epmd:names({127, 0, 0, 1}) of
        {ok, _} -> ok;
        {error, _} ->
            case run_epmd([{"ERL_EPMD_ADDRESS", "127.0.0.1"} || IsLocal, os:getenv("ERL_EPMD_ADDRESS") =:= false]) of
                ok -> await_epmd(now_ms() + ?CONNECTING);
                error -> ok
            end
    end.

-spec run_epmd([{string(), string()}]) -> ok | error.
run_epmd(Environment) ->
    Epmd = filename:join(os:getenv("BINDIR", ""), "epmd"),
    try open_port({spawn_executable, Epmd}, [{args, ["-daemon"]}, {env, Environment}, exit_status]) of
        Port -> receive {Port, {exit_status, _}} -> ok after ?CONNECTING -> ok end
    catch
        error:_ -> error
    end.

%% Waits for the daemon: the command `epmd -daemon` exits before the daemon listens.
-spec await_epmd(integer()) -> ok.
await_epmd(Deadline) ->
    case {erl_epmd:names({127, 0, 0, 1}), now_ms() < Deadline} of
        {{error, _}, true} -> timer:sleep(?EPMD), await_epmd(Deadline);
        _ -> ok
    end.

%% Sets the cookie. Until then, the cookie was a random one, so this function disconnects nodes that
%% have connected before.
-spec cookie([string()]) -> ok | {error, unicode:chardata()}.
cookie([]) ->
    ok;
cookie([File | _]) ->
    case file:read_file(File) of
        {ok, Content} ->
            Cookie = string:trim(binary_to_list(Content)),
            true = erlang:set_cookie(node(), list_to_atom(Cookie)),
            lists:foreach(fun erlang:disconnect_node/1, nodes(connected));
        {error, Reason} ->
            {error, ["cannot read ", File, ": ", file:format_error(Reason)]}
    end.

-spec connect([string()], integer()) -> ok | {error, unicode:chardata()}.
connect([], _) ->
    ok;
connect([Name | Names], Deadline) ->
    [_, Own] = string:split(atom_to_list(node()), "@"),
    {Short, Host} =
        case string:split(Name, "@") of
            [Before, After] -> {Before, After};
            [Before] -> {Before, Own}
        end,
    case reach(Short, Host, ?REFUSALS, Deadline) of
        ok -> connect(Names, Deadline);
        {error, Why} -> {error, ["cannot connect to ", Short, "@", Host, ": ", Why]}
    end.

%% Connects to a node. A missing node may start later, so it is worth retrying. A node that refuses
%% the connection will refuse again, unless it is starting.
-spec reach(string(), string(), 0..?REFUSALS, integer()) -> ok | {error, [string(), ...]}.
reach(Short, Host, Refusals, Deadline) ->
    case net_kernel:connect_node(list_to_atom(Short ++ "@" ++ Host)) of
        true ->
            ok;
        _ ->
            {Left, Why} = unreached(Short, Host, Refusals),
            case Left > 0 andalso now_ms() < Deadline of
                true -> timer:sleep(?PAUSE), reach(Short, Host, Left, Deadline);
                false -> {error, Why}
            end
    end.

%% Returns how many refusals are left, 0 if it is not worth retrying, and the reason of the failure.
-spec unreached(string(), string(), 0..?REFUSALS) -> {0..?REFUSALS, [string(), ...]}.
unreached(Short, Host, Refusals) ->
    case net_adm:names(list_to_atom(Host)) of
        {error, nxdomain} ->
            {0, ["there is no host ", Host]};
        {error, _} ->
            {Refusals, ["no epmd answers on ", Host, ", so no node runs there"]};
        {ok, []} ->
            {Refusals, ["no node runs on ", Host]};
        {ok, Known} ->
            case lists:keymember(Short, 1, Known) of
                true -> {Refusals - 1, ["the node runs, but refuses the connection: check its cookie"]};
                false -> {Refusals, ["no node ", Short, " runs there; these do: ",
                    lists:append(lists:join(", ", [Name || {Name, _} <- Known]))]}
            end
    end.

-spec now_ms() -> integer().
now_ms() ->
    erlang:monotonic_time(millisecond).
