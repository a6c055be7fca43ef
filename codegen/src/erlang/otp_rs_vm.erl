%% A second VM on this machine, in which isolated children run (ADR 48). This process starts it,
%% watches it, and reports how it ended. To this VM, everything that the other one sends is bytes.
%% The module is the same in every application.
-module(otp_rs_vm).
-behaviour(gen_server).
-export([join/2, send/3, handled/2, forbid/2, node_name/0]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).
%FRAMES%
-export_type([isolation/0, seat/0, kind/0, violation/0]).

%% The requirements of a child spec: the VM's group, if it shares the VM with other children, the
%% number of VMs of the group, and the limits.
-type isolation() :: #{group => atom(), vms => pos_integer(), memory => pos_integer(), processor_time => pos_integer()}.
%% The place of a child: its VM, the VM's OS process, the child's number there, the socket to it,
%% and the tag of everything that comes from it. No other process can create the tag, so no other
%% process can impersonate the child.
-type seat() :: #{
    vm := pid(), os_pid := non_neg_integer(), id := id(), socket := gen_tcp:socket(), tag := reference(), unread := unread()
}.
%% The bytes of frames that were passed on and are not handled yet: of all children, and of one.
-type unread() :: {atomics:atomics_ref(), atomics:atomics_ref()}.
-type id() :: non_neg_integer().
%% The kind of a frame (frames.hrl).
-type kind() :: byte().
-type state() :: #{
    isolation := isolation(),
    %% The builds whose libraries it has loaded, by application.
    builds := #{atom() => otp_rs:build()},
    group := otp_rs_limits:group() | none, port := port(), process := otp_rs_limits:os_process(), socket := gen_tcp:socket(),
    %% Its children, by the monitor, which is also the tag, and by the number.
    monitors := #{reference() => id()}, children := #{id() => {pid(), reference(), unread()}}, next := id(),
    unread := atomics:atomics_ref(), partial := partial(), words := binary(), spoken := integer(), processor_time := spared(), look => reference(),
    reading => reference()
}.
%% The beginning of a frame, and the number of bytes that it still lacks at least.
-type partial() :: {pos_integer(), iodata()}.
%% A VM that has not connected yet.
-type opened() :: {port(), otp_rs_limits:os_process()}.
%% How a VM has ended: by a signal, by itself, or because of a violation found here; and its last
%% output.
-type ended() :: {vm_ended, atom() | {status, non_neg_integer()}, binary()}.
%% The secret that a connecting VM has to present: digits.
-type token() :: <<_:_*16>>.
-type because() :: none | violation() | memory | processor_time.
-type violation() :: bad_frame | unread_messages.
%% The processor time at the last check, and its value when each child that has not answered since
%% was asked.
-type spared() :: #{last := non_neg_integer(), asked := #{id() => non_neg_integer()}}.

%% Timeouts in milliseconds: for the VM to start, for it to end, for the report of why an ended one
%% has ended, and for a first child to arrive.
-define(STARTING, 60000).
-define(ENDING, 5000).
-define(REPORT, 500).
-define(EMPTY, 5000).

%% The bytes of the stack on which a scheduler runs native code (ADR 12). They count as data,
%% although few of them are used.
-define(STACK, 256 * 1024 * 1024).

%% Milliseconds between two checks of its memory.
-define(LOOK, 50).

%% The maximum number of bytes of a token, and of connections that have not presented one.
-define(TOKEN, 1024).
-define(SILENT, 100).

%% The maximum number of bytes of a frame; the bytes of its last output that are kept, and the
%% milliseconds that they go back.
-define(FRAME, 128 * 1024 * 1024).
%% The bytes that may wait for the children's representatives before reading pauses, the bytes that
%% each frame counts in addition to its own, and the milliseconds of a pause.
-define(UNREAD, 32 * 1024 * 1024).
%% The maximum number of bytes of a read, and the number of reads before that is checked again.
%% The frames are taken apart here, because OTP would deliver that many frames of any size.
-define(READ, 64 * 1024).
-define(READS, 64).
-define(OF_FRAME, 4096).
-define(PAUSE, 5).
%% The maximum number of pieces of output that wait for `user`.
-define(SHOWN, 256).
-define(WORDS, 4096).
%% The first command of a shell whose first argument is a control group: joins the group, and
%% succeeds if that worked.
-define(JOIN, "{ echo $$ > \"$1/cgroup.procs\"; } 2>/dev/null").
-define(LAST, 2000).

%% Returns a place for a child of this build in a VM, for the calling process: in a VM of its group,
%% or in one of its own.
-spec join(isolation(), none | otp_rs:build()) -> {ok, seat()} | {error, term()}.
join(Isolation, Build) ->
    case start(Isolation, Build) of
        {ok, Vm} ->
            try gen_server:call(Vm, {join, Isolation, Build}, infinity) of
                %% That VM continues for its existing children, and another one replaces it.
                other_build -> join(Isolation, Build);
                Joined -> Joined
            %% The VM has just ended, with the last child of the group or because of other children.
            %% Another one replaces it.
            catch exit:_ -> join(Isolation, Build)
            end;
        {error, _} = Error -> Error
    end.

-spec start(isolation(), none | otp_rs:build()) -> {ok, pid()} | {error, term()}.
start(#{group := Group} = Isolation, Build) ->
    Name = emptiest(Group, Build, 1, maps:get(vms, Isolation, 1), none),
    case gen_server:start({local, Name}, ?MODULE, {Isolation, Build}, []) of
        {error, {already_started, Vm}} ->
            case named(Name) of
                taken -> {error, {name_taken, Name}};
                _ -> {ok, Vm}
            end;
        Started -> started(Started)
    end;
start(Isolation, Build) ->
    started(gen_server:start(?MODULE, {Isolation, Build}, [])).

%% Returns the name of the group's VM with the fewest children. A VM that is not running has none,
%% and a VM of another build is left to its existing children.
-spec emptiest(atom(), none | otp_rs:build(), pos_integer(), pos_integer(), none | {non_neg_integer(), atom()}) -> atom().
emptiest(_, _, Number, Vms, {_, Name}) when Number > Vms -> Name;
emptiest(Group, Build, Number, Vms, Best) ->
    %% A child spec of the application determines both, so that there are few such atoms.
    Name = list_to_atom(lists:concat([otp_rs_vm_, Group, "_", Number])),
    case {children(Name, Build), Best} of
        {0, _} -> Name;
        {Children, {Fewest, _}} when Children >= Fewest -> emptiest(Group, Build, Number + 1, Vms, Best);
        {Children, _} -> emptiest(Group, Build, Number + 1, Vms, {Children, Name})
    end.

-spec children(atom(), none | otp_rs:build()) -> non_neg_integer().
children(Name, Build) ->
    case named(Name) of
        Vm when is_pid(Vm) -> try gen_server:call(Vm, {children, Build}, infinity) catch exit:_ -> 0 end;
        _ -> 0
    end.

%% Returns the VM's process, unless another process has its name.
-spec named(atom()) -> pid() | none | taken.
named(Name) ->
    otp_rs_processes:own(Name, [{?MODULE, init, 1}]).

-spec started(gen_server:start_ret()) -> {ok, pid()} | {error, term()}.
started({ok, Vm}) -> {ok, Vm};
started(ignore) -> {error, ignore};
started({error, {shutdown, Reason}}) -> {error, Reason};
started({error, _} = Error) -> Error.

%% The node name of every such VM. It is an atom here before any process of such a VM is mentioned.
%% The creation of a pid distinguishes the VMs.
-spec node_name() -> 'otp_rs_isolated@127.0.0.1'.
node_name() ->
    'otp_rs_isolated@127.0.0.1'.

%% Sends a frame to a child.
-spec send(seat(), kind(), iodata()) -> ok | {error, term()}.
send(#{id := Id, socket := Socket}, Kind, Bytes) ->
    gen_tcp:send(Socket, [<<(9 + iolist_size(Bytes)):32, Id:64, Kind>>, Bytes]).

%% A representative has handled a frame with these bytes after its kind.
-spec handled(seat(), binary()) -> ok.
handled(#{unread := {All, Own}}, Bytes) ->
    Size = byte_size(Bytes) + ?OF_FRAME,
    %% A representative that is killed in between counts twice rather than for ever.
    ok = atomics:sub(All, 1, Size),
    atomics:sub(Own, 1, Size).

%% A representative received what no child sends: the child ends with all others of its VM.
-spec forbid(violation(), seat()) -> ok.
forbid(Violation, #{vm := Vm, tag := Tag}) ->
    gen_server:cast(Vm, {Violation, Tag}).

-spec init({isolation(), none | otp_rs:build()}) -> {ok, state(), timeout()} | {stop, term()}.
init({Isolation, Build}) ->
    process_flag(trap_exit, true),
    Options = [binary, {packet, 4}, {packet_size, ?TOKEN}, {active, false}, {nodelay, true}, {ip, {127, 0, 0, 1}}],
    {ok, Listen} = gen_tcp:listen(0, Options),
    {ok, Number} = inet:port(Listen),
    Token = token(),
    Group = otp_rs_limits:new(Isolation),
    Builds = builds(Build),
    Opened = open(Isolation, Group, {Number, Token}, Builds),
    Accepted = accept(Listen, Opened, {Token, erlang:monotonic_time(millisecond) + ?STARTING}, [], <<>>),
    ok = gen_tcp:close(Listen),
    case Accepted of
        {ok, Socket, Words} -> {ok, connected(Isolation, Group, {Opened, Socket, Words}, Builds), ?EMPTY};
        {error, Reason} ->
            Why = case Reason of
                {vm_ended, _, _} -> killed(Reason, Group);
                _ -> Reason
            end,
            otp_rs_limits:remove(Group),
            {stop, {shutdown, Why}}
    end.

%% Returns the builds that run on this node, the first child's build first.
-spec builds(none | otp_rs:build()) -> [[byte()]].
builds(First) ->
    Builds = [First || First =/= none] ++ [Library:build() || Library <- otp_rs:libraries()],
    [binary_to_list(Content) || {_, _, Content} <- Builds].

%% Returns the folder with the modules of the running build. A later build may have replaced them in
%% `ebin`.
-spec kept(file:filename_all(), [[byte()]]) -> file:filename_all().
kept(Ebin, Builds) ->
    Folder = filename:dirname(filename:absname(Ebin)),
    Copies = [filename:join([Folder, "%KEPT%", Build, filename:basename(Folder), "ebin"]) || Build <- Builds],
    case lists:filter(fun filelib:is_dir/1, Copies) of
        [Copy | _] -> Copy;
        [] -> Ebin
    end.

-spec connected(isolation(), otp_rs_limits:group() | none, {opened(), gen_tcp:socket(), binary()}, [[byte()]]) -> state().
connected(Isolation, Group, {{Port, {OsPid, _} = Process}, Socket, Words}, Builds) ->
    #{level := Level} = logger:get_primary_config(),
    ok = gen_tcp:send(Socket, term_to_binary({[kept(Folder, Builds) || Folder <- code:get_path()], Level})),
    ok = inet:setopts(Socket, [{packet, raw}, {buffer, ?READ}, {active, ?READS}]),
    State = #{
        isolation => Isolation, builds => #{}, group => otp_rs_limits:of_vm(Group, OsPid), port => Port, process => Process, socket => Socket,
        unread => atomics:new(1, []), partial => {4, []}, words => Words, spoken => 0,
        monitors => #{}, children => #{}, next => 0, processor_time => #{last => 0, asked => #{}}
    },
    look_later(State).

%% Only a program that knows the token may connect.
-spec token() -> token().
token() ->
    {ok, File} = file:open("/dev/urandom", [read, raw, binary]),
    {ok, Bytes} = file:read(File, 32),
    ok = file:close(File),
    binary:encode_hex(Bytes).

%% Starts the other VM. It has a node name, so that its processes are not mistaken for those of this
%% one; it accepts no connections, and knows no other node. The shell sets the limits, and then
%% becomes the VM.
-spec open(isolation(), otp_rs_limits:group() | none, {inet:port_number(), token()}, [[byte()]]) -> opened().
open(Isolation, Group, {Number, Token}, Builds) ->
    Root = code:root_dir(),
    Bin = filename:join([Root, "erts-" ++ erlang:system_info(version), "bin"]),
    Threads = threads(Isolation),
    Limit = case Isolation of
        #{memory := Bytes} -> ["ulimit -d ", integer_to_list((Bytes + 3 * Threads * ?STACK) div 1024)];
        #{} -> "true"
    end,
    {Joined, First} = case Group of
        none -> {Limit, []};
        _ -> {[?JOIN, " || ", Limit, "; shift"], [Group]}
    end,
    Schedulers = integer_to_list(Threads) ++ ":" ++ integer_to_list(Threads),
    %% The other VM uses this one's encoding of file names, whatever the locale is.
    Names = case file:native_name_encoding() of utf8 -> "+fnu"; latin1 -> "+fnl" end,
    Script = ["ulimit -c 0; ", Joined, " && %ISOLATED_PROCESS%=$$ exec \"$@\""],
    Arguments = [
        "-boot", boot(Root), "-noinput", "-name", atom_to_list(?MODULE:node_name()), "-hidden", "-dist_listen", "false",
        "-start_epmd", "false", "-connect_all", "false", "-setcookie", "none", "-kernel", "dist_auto_connect", "never",
        Names, "+pc", "unicode", "+S", Schedulers, "+SDcpu", Schedulers, "+SDio", integer_to_list(Threads), "+sbwt", "none", "+sbwtdcpu", "none", "+sbwtdio", "none",
        "-pa", kept(filename:dirname(code:which(otp_rs_guest)), Builds), "-s", "otp_rs_guest"
    ],
    Environment = [
        {"ROOTDIR", Root}, {"BINDIR", Bin}, {"EMU", "beam"}, {"PROGNAME", "erl"}, {"ERL_CRASH_DUMP_BYTES", "0"},
        {"OTP_RS_ISOLATED", lists:flatten(io_lib:format("~b ~s", [Number, Token]))},
        {"ESCRIPT_NAME", false}, {"ERL_FLAGS", false}, {"ERL_AFLAGS", false}, {"ERL_ZFLAGS", false}
    ],
    Shell = ["-c", lists:flatten(Script), "sh"] ++ First ++ [filename:join(Bin, "erlexec") | Arguments],
    Port = open_port({spawn_executable, "/bin/sh"}, [{args, Shell}, {env, Environment}, stderr_to_stdout, exit_status, eof, binary]),
    {os_pid, OsPid} = erlang:port_info(Port, os_pid),
    {Port, otp_rs_limits:os_process(OsPid)}.

%% Returns the number of schedulers of each of the three kinds. A child that is alone does one thing
%% at a time.
-spec threads(isolation()) -> pos_integer().
threads(#{group := _}) -> erlang:system_info(schedulers_online);
threads(#{}) -> 1.

%% A release has the boot file beside its own.
-spec boot(file:filename()) -> file:filename().
boot(Root) ->
    Beside = case init:get_argument(boot) of
        {ok, [[Own | _] | _]} -> [filename:join(filename:dirname(Own), "start_clean")];
        _ -> []
    end,
    Known = [Boot || Boot <- Beside ++ [filename:join([Root, "bin", "start_clean"])], filelib:is_regular(Boot ++ ".boot")],
    case Known of
        [Boot | _] -> Boot;
        [] -> "start_clean"
    end.

%% Accepts connections until one presents the token. `Silent` are connections that have not sent
%% anything yet. Any program of this machine can connect, and must not delay the VM.
-spec accept(gen_tcp:socket(), opened(), {token(), integer()}, [gen_tcp:socket()], binary()) ->
    {ok, gen_tcp:socket(), binary()} | {error, atom() | ended()}.
accept(Listen, {Port, Process} = Opened, {Token, Until} = Order, Silent, Words) ->
    case gen_tcp:accept(Listen, 10) of
        {error, Reason} when Reason =/= timeout ->
            otp_rs_limits:kill(Process),
            {error, Reason};
        Accepted ->
            case greeted([Socket || {ok, Socket} <- [Accepted]] ++ Silent, Token, []) of
                {ok, Socket} -> {ok, Socket, Words};
                Left ->
                    Late = erlang:monotonic_time(millisecond) > Until,
                    receive
                        {Port, {data, Data}} -> accept(Listen, Opened, Order, Left, said(Data, Words));
                        {Port, {exit_status, Status}} -> {error, ended(Status, last_words(Port, Words))}
                    after 0 ->
                        case Late of
                            true -> otp_rs_limits:kill(Process), {error, {vm_ended, timeout, last_words(Port, Words)}};
                            false -> accept(Listen, Opened, Order, Left, Words)
                        end
                    end
            end
    end.

%% Returns the connection that has presented the token, or those that are still silent. Those after
%% the newest ones are closed.
-spec greeted([gen_tcp:socket()], token(), [gen_tcp:socket()]) -> {ok, gen_tcp:socket()} | [gen_tcp:socket()].
greeted([Socket | Others], Token, Silent) ->
    case gen_tcp:recv(Socket, 0, 0) of
        {ok, Token} ->
            lists:foreach(fun gen_tcp:close/1, Silent ++ Others),
            {ok, Socket};
        {error, timeout} when length(Silent) < ?SILENT -> greeted(Others, Token, [Socket | Silent]);
        _ -> _ = gen_tcp:close(Socket), greeted(Others, Token, Silent)
    end;
greeted([], _, Silent) -> lists:reverse(Silent).

-spec handle_call(term(), gen_server:from(), state()) ->
    {reply, {ok, seat()} | {error, term()} | other_build | non_neg_integer(), state()} | {noreply, state()}.
handle_call({join, _, {Application, _, _} = Build}, _, #{builds := Builds} = State) when
    is_map_key(Application, Builds), map_get(Application, Builds) =/= Build
->
    _ = [unregister(Name) || {registered_name, Name} <- [process_info(self(), registered_name)]],
    {reply, other_build, State};
handle_call({join, Isolation, Build}, {Child, _}, #{isolation := Isolation, builds := Builds} = State) ->
    #{next := Id, monitors := Monitors, children := Children, socket := Socket, process := {OsPid, _}} = State,
    Monitor = monitor(process, Child),
    Unread = {map_get(unread, State), atomics:new(1, [])},
    Joined = State#{
        next := Id + 1, monitors := Monitors#{Monitor => Id}, children := Children#{Id => {Child, Monitor, Unread}},
        builds := case Build of none -> Builds; {Application, _, _} -> Builds#{Application => Build} end
    },
    {reply, {ok, #{vm => self(), os_pid => OsPid, id => Id, socket => Socket, tag => Monitor, unread => Unread}}, Joined};
handle_call({children, {Application, _, _} = Build}, _, #{builds := Builds} = State) when
    is_map_key(Application, Builds), map_get(Application, Builds) =/= Build
->
    {reply, 0, State};
handle_call({children, _}, _, #{children := Children} = State) ->
    {reply, map_size(Children), State};
handle_call({join, Other, _}, _, #{isolation := Isolation} = State) ->
    {reply, {error, {other_limits, Isolation, Other}}, State};
handle_call(_, _, State) ->
    {noreply, State}.

-spec handle_cast(term(), state()) -> {noreply, state()} | {stop, term(), state()}.
handle_cast({Violation, Tag}, #{monitors := Monitors} = State) when
    is_map_key(Tag, Monitors), Violation =:= bad_frame orelse Violation =:= unread_messages
->
    {stop, {shutdown, end_of(State, Violation)}, State};
handle_cast(_, State) ->
    {noreply, State}.

-spec handle_info(term(), state()) -> {noreply, state()} | {stop, term(), state()}.
handle_info({tcp, Socket, Data}, #{socket := Socket, partial := {Missing, Parts}} = State) when byte_size(Data) < Missing ->
    {noreply, State#{partial := {Missing - byte_size(Data), [Parts, Data]}}};
handle_info({tcp, Socket, Data}, #{socket := Socket, partial := {_, Parts}} = State) ->
    case frames(iolist_to_binary([Parts, Data]), State) of
        {bad_frame, New} -> {stop, {shutdown, end_of(New, bad_frame)}, New};
        New -> {noreply, New}
    end;
handle_info({tcp_passive, Socket}, #{socket := Socket} = State) ->
    read_on(State);
handle_info({timeout, Reading, read_on}, #{reading := Reading} = State) ->
    read_on(State);
handle_info({tcp_error, Socket, _}, #{socket := Socket} = State) ->
    {stop, {shutdown, end_of(State, none)}, State};
handle_info({tcp_closed, Socket}, #{socket := Socket} = State) ->
    {stop, {shutdown, end_of(State, none)}, State};
handle_info({Port, {data, Data}}, #{port := Port, words := Words, spoken := Spoken} = State) ->
    show(Data),
    Now = erlang:monotonic_time(millisecond),
    Before = case Now - Spoken > ?LAST of true -> <<>>; false -> Words end,
    {noreply, State#{words := said(Data, Before), spoken := Now}};
handle_info({Port, {exit_status, Status}}, #{port := Port, words := Words, group := Group} = State) ->
    {stop, {shutdown, killed(ended(Status, last_words(Port, Words)), Group)}, State};
handle_info({'DOWN', Monitor, process, _, _}, #{monitors := Monitors} = State) when is_map_key(Monitor, Monitors) ->
    {Id, Left} = maps:take(Monitor, Monitors),
    #{children := #{Id := {_, _, {All, Own}}} = Children} = State,
    ok = atomics:sub(All, 1, atomics:get(Own, 1)),
    send_later(<<Id:64, ?KILL>>, State),
    case map_size(Left) of
        0 -> {stop, normal, State};
        _ -> {noreply, State#{monitors := Left, children := maps:remove(Id, Children)}}
    end;
handle_info(timeout, #{monitors := Monitors} = State) when map_size(Monitors) =:= 0 ->
    {stop, normal, State};
handle_info({io_reply, _, _}, State) ->
    shown(),
    {noreply, State};
%% Only the current timer counts: forged messages could otherwise multiply the checks.
handle_info({timeout, Look, look}, #{look := Look} = State) ->
    look(State);
handle_info(_, State) ->
    {noreply, State}.

%% Passes complete frames on, and keeps the beginning of the next one.
-spec frames(binary(), state()) -> state() | {bad_frame, state()}.
frames(<<Size:32, _/binary>>, State) when Size < 9; Size > ?FRAME -> {bad_frame, State};
frames(<<Size:32, Frame:Size/binary, Rest/binary>>, State) -> frames(Rest, pass(Frame, State));
frames(<<Size:32, Begin/binary>> = Bytes, State) -> State#{partial := {Size - byte_size(Begin), Bytes}};
frames(Bytes, State) -> State#{partial := {4 - byte_size(Bytes), Bytes}}.

-spec pass(binary(), state()) -> state().
pass(<<Id:64, ?ALIVE>>, #{processor_time := #{asked := Asked} = Time} = State) ->
    State#{processor_time := Time#{asked := maps:remove(Id, Asked)}};
pass(<<Id:64, Kind, Bytes/binary>>, #{children := Children} = State) ->
    _ = case Children of
        #{Id := {Child, Tag, {All, Own}}} ->
            Size = byte_size(Bytes) + ?OF_FRAME,
            ok = atomics:add(Own, 1, Size),
            ok = atomics:add(All, 1, Size),
            Child ! {Tag, Kind, Bytes};
        %% The child ended here before.
        #{} -> ok
    end,
    State.

%% Reads the next frames. A VM that sends faster than its frames are handled has to wait, because
%% they would fill the memory here. If the socket is closed, the process is notified anyway.
-spec read_on(state()) -> {noreply, state()}.
read_on(#{socket := Socket, unread := Unread} = State) ->
    case atomics:get(Unread, 1) > ?UNREAD of
        true -> {noreply, State#{reading => erlang:start_timer(?PAUSE, self(), read_on)}};
        false ->
            _ = inet:setopts(Socket, [{active, ?READS}]),
            {noreply, State}
    end.

%% Sends a frame of this process, which does not wait: if the VM reads nothing, this process still
%% enforces the limits and ends the VM.
-spec send_later(binary(), state()) -> ok.
send_later(Frame, #{socket := Socket}) ->
    _ = spawn(gen_tcp, send, [Socket, <<(byte_size(Frame)):32, Frame/binary>>]),
    ok.

%% No child is left, so the VM has no more work. Closing the connection ends it.
-spec terminate(term(), state()) -> ok.
terminate({shutdown, _}, #{group := Group}) ->
    otp_rs_limits:remove(Group);
terminate(_, #{socket := Socket, process := Process, group := Group} = State) ->
    _ = gen_tcp:close(Socket),
    _ = case status(State) of {late, _} -> otp_rs_limits:kill(Process); _ -> ok end,
    otp_rs_limits:remove(Group).

%% Starts the timer for the next comparison of the VM's usage with its limits.
-spec look_later(state()) -> state().
look_later(#{isolation := Isolation, group := Group} = State) ->
    Intervals = [?LOOK || Group =:= none, is_map_key(memory, Isolation)] ++ [min(1000, max(10, Limit div 4)) || #{processor_time := Limit} <- [Isolation]],
    case Intervals of
        [] -> State;
        _ -> State#{look => erlang:start_timer(lists:min(Intervals), self(), look)}
    end.

-spec look(state()) -> {noreply, state()} | {stop, {shutdown, term()}, state()}.
look(#{process := {OsPid, _}, isolation := Isolation, group := Group} = State) ->
    case Isolation of
        #{memory := Limit} when Group =:= none ->
            case otp_rs_limits:resident(OsPid) > Limit of
                true -> {stop, {shutdown, end_of(State, memory)}, State};
                false -> look_at_time(State)
            end;
        #{} ->
            look_at_time(State)
    end.

%% Checks the processor time that the VM has used between two moments at which a child was not in
%% native code.
-spec look_at_time(state()) -> {noreply, state()} | {stop, {shutdown, term()}, state()}.
look_at_time(#{process := {OsPid, _}, isolation := #{processor_time := Limit}, processor_time := Time} = State) ->
    #{children := Children, group := Group} = State,
    #{last := Last, asked := Asked} = Time,
    Used = otp_rs_limits:used(Group, OsPid, Last),
    Known = maps:with(maps:keys(Children), Asked),
    case [Id || {Id, Since} <- maps:to_list(Known), Used - Since > Limit] of
        [] ->
            %% An idle VM need not be asked.
            New = case Used > Last of
                true -> maps:without(maps:keys(Known), Children);
                false -> #{}
            end,
            lists:foreach(fun(Id) -> send_later(<<Id:64, ?ALIVE>>, State) end, maps:keys(New)),
            Now = maps:merge(Known, maps:map(fun(_, _) -> Used end, New)),
            {noreply, look_later(State#{processor_time := #{last => Used, asked => Now}})};
        _ ->
            {stop, {shutdown, end_of(State, processor_time)}, State}
    end;
look_at_time(State) ->
    {noreply, look_later(State)}.

%% Returns why the VM ended, or why it is ended now. The supervisors of the children report it.
-spec end_of(state(), because()) -> ended().
end_of(#{port := Port, process := Process, group := Group} = State, Because) ->
    _ = Because =/= none andalso otp_rs_limits:kill(Process),
    case status(State) of
        {late, Words} ->
            otp_rs_limits:kill(Process),
            because(Because, {vm_ended, disconnected, string:trim(Words, trailing)});
        {Status, Words} -> killed(because(Because, ended(Status, last_words(Port, Words))), Group)
    end.

%% Waits for the VM's exit status. The port reports it after the end of the output, which a program
%% that the VM has started may hold open for ever. In a group, such a program is killed.
-spec status(state()) -> {non_neg_integer() | late, binary()}.
status(#{port := Port, process := Process, group := Group, words := Words}) ->
    case status(Port, Words, ?REPORT) of
        {late, More} ->
            case otp_rs_limits:is_running(Process) of
                true -> status(Port, More, ?ENDING);
                false when Group =:= none -> {late, More};
                false -> otp_rs_limits:kill_all(Group), status(Port, More, ?ENDING)
            end;
        Told -> Told
    end.

-spec status(port(), binary(), ?REPORT | ?ENDING) -> {non_neg_integer() | late, binary()}.
status(Port, Words, Time) ->
    status_until(Port, Words, erlang:monotonic_time(millisecond) + Time).

%% The output is taken in the meantime, because it can have no end.
-spec status_until(port(), binary(), integer()) -> {non_neg_integer() | late, binary()}.
status_until(Port, Words, Until) ->
    receive
        {Port, {exit_status, Status}} -> {Status, Words}
    after 0 ->
        Left = Until - erlang:monotonic_time(millisecond),
        receive
            {Port, {exit_status, Status}} -> {Status, Words};
            {Port, {data, Data}} when Left > 0 -> show(Data), status_until(Port, said(Data, Words), Until)
        after max(0, Left) -> {late, Words}
        end
    end.

-spec because(because(), ended()) -> ended().
because(none, Ended) -> Ended;
because(Because, {vm_ended, _, Words}) -> {vm_ended, Because, Words}.

%% The kernel kills it by the same signal as any other process would.
-spec killed(ended(), otp_rs_limits:group() | none) -> ended().
killed({vm_ended, sigkill, Words} = Ended, Group) ->
    case otp_rs_limits:was_killed(Group) of
        true -> {vm_ended, memory, Words};
        false -> Ended
    end;
killed(Ended, _) -> Ended.

-spec ended(non_neg_integer(), binary()) -> ended().
ended(Status, Words) ->
    Signals = #{
        1 => sighup, 2 => sigint, 3 => sigquit, 4 => sigill, 5 => sigtrap, 6 => sigabrt, 7 => sigbus, 8 => sigfpe,
        9 => sigkill, 11 => sigsegv, 13 => sigpipe, 15 => sigterm, 24 => sigxcpu, 31 => sigsys
    },
    {vm_ended, maps:get(Status - 128, Signals, {status, Status}), Words}.

%% Everything that the VM wrote comes before the end of its output. A process that the VM has
%% started may hold the output open, and write for ever.
-spec last_words(port(), binary()) -> binary().
last_words(Port, Words) ->
    last_words(Port, Words, erlang:monotonic_time(millisecond) + ?ENDING).

-spec last_words(port(), binary(), integer()) -> binary().
last_words(Port, Words, Until) ->
    Left = max(0, Until - erlang:monotonic_time(millisecond)),
    receive
        {Port, {data, Data}} when Left > 0 -> show(Data), last_words(Port, said(Data, Words), Until);
        {Port, eof} -> string:trim(Words, trailing)
    after min(Left, 1000) -> Words
    end.

-spec said(binary(), binary()) -> binary().
said(Data, Words) ->
    All = <<Words/binary, Data/binary>>,
    binary:part(All, byte_size(All), -min(byte_size(All), ?WORDS)).

%% Prints output of the VM without waiting until it is written. A slow terminal shows only a part of
%% it: `user` has confirmed all pieces but those that are counted here.
-spec show(binary()) -> ok.
show(Data) ->
    {Before, Waiting} = case get(?MODULE) of undefined -> {<<>>, 0}; Shown -> Shown end,
    case whereis(user) of
        User when is_pid(User), Waiting < ?SHOWN ->
            {Text, Rest} = text(<<Before/binary, Data/binary>>),
            User ! {io_request, self(), make_ref(), {put_chars, unicode, Text}},
            _ = put(?MODULE, {Rest, Waiting + 1}),
            ok;
        _ -> ok
    end.

%% `user` has written a piece of output.
-spec shown() -> ok.
shown() ->
    _ = case get(?MODULE) of
        {Rest, Waiting} when Waiting > 0 -> put(?MODULE, {Rest, Waiting - 1});
        _ -> ok
    end,
    ok.

%% Returns the text of output, and the beginning of a character whose end is not there yet.
-spec text(binary()) -> {binary(), binary()}.
text(Bytes) ->
    case unicode:characters_to_binary(Bytes) of
        Text when is_binary(Text) -> {Text, <<>>};
        {incomplete, Text, Left} -> {Text, Left};
        %% Not UTF-8.
        {error, _, _} -> {unicode:characters_to_binary(Bytes, latin1), <<>>}
    end.
