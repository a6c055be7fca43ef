%% The process that represents an isolated child on this node: it has the child's name, and the
%% child's supervisor is linked to it (ADR 48). The module is the same in every application.
-module(otp_rs_isolated).
-export([start_link/3, start_child/4, start_child/6, init/4, child_of/1, state/2]).

-include("otp_rs_frames.hrl").
-type state() :: #{
    seat := otp_rs_vm:seat(), vm := reference(), parent := pid(), name := name(),
    %% Callers that wait for a reply of the child, by the number of the call on the other side.
    calls := #{number_of_call() => gen_server:from()}, next := number_of_call(),
    %% Processes of this node that the child knows, each with its monitor. The child may send only
    %% to these.
    known := #{pid() | reference() => reference() | pid()},
    %% Calls of the child that wait on this node, by the monitor of the called process.
    asked := #{reference() => number_of_call()},
    %% The messages that processes got from the child and have not read yet, as far as is known:
    %% their number and bytes.
    unread := #{pid() => {pos_integer(), non_neg_integer()}}
}.
%% The maximum number of messages of the child, and of their bytes, that may wait in a mailbox.
-define(MESSAGES, 100000).
-define(BYTES, 256 * 1024 * 1024).
%% The maximum size of a term from the child on a heap of this node, in words, and of its bytes if
%% it need not be calculated.
-define(WORDS, 32 * 1024 * 1024).
-define(SMALL, 64 * 1024).
%% The maximum number of bytes of a reason, and of the text that replaces a larger one.
-define(REASON, 1024 * 1024).
-define(TEXT, 65536).
%% The maximum number of calls of the child that may wait here at a time.
-define(ASKED, 100000).
-type name() :: none | {local, atom()} | {global, term()} | {via, module(), term()}.
-type number_of_call() :: non_neg_integer().

%% Starts a child of the module in another VM: `Module:start_link(Arguments...)`.
-spec start_link(otp_rs_vm:isolation(), module(), [term()]) -> {ok, pid()} | ignore | {error, term()}.
start_link(Isolation, Module, Arguments) ->
    proc_lib:start_link(?MODULE, init, [self(), Isolation, Module, Arguments]).

%% Starts a child from a template. A supervisor with `simple_one_for_one` appends the arguments of
%% start_child/2, but a start_link/2 takes the options after them.
-spec start_child(otp_rs_vm:isolation(), module(), [gen_server:start_opt()], term()) ->
    {ok, pid()} | ignore | {error, term()}.
start_child(Isolation, Module, [], Args) -> start_link(Isolation, Module, [Args]);
start_child(Isolation, Module, Options, Args) -> start_link(Isolation, Module, [Args, Options]).

%% Starts a child that has its own name from a template. The last argument takes the place of the
%% options, which are in the template.
-spec start_child(otp_rs_vm:isolation(), module(), [gen_server:start_opt()], name(), term(), []) ->
    {ok, pid()} | ignore | {error, term()}.
start_child(Isolation, Module, Options, Name, Args, []) -> start_link(Isolation, Module, [Name, Args, Options]).

-spec init(pid(), otp_rs_vm:isolation(), module(), [term()]) -> no_return().
init(Parent, Isolation, Module, Arguments) ->
    process_flag(trap_exit, true),
    {Name, Left} = name(Arguments),
    case register_name(Name) of
        {false, Other} -> not_started(Parent, none, {error, {already_started, Other}});
        true ->
            {_, Build} = Settings = settings(Module),
            case otp_rs_vm:join(Isolation, Build) of
                {error, Reason} -> not_started(Parent, Name, {error, Reason});
                {ok, #{vm := Vm, os_pid := OsPid} = Seat} ->
                    _ = put(?MODULE, {Module, OsPid}),
                    State = #{
                        seat => Seat, vm => monitor(process, Vm), parent => Parent, name => Name,
                        calls => #{}, next => 0, known => #{}, asked => #{}, unread => #{}
                    },
                    Start = {Module, Left, Settings, self()},
                    starting(send(?START, <<>>, Start, State))
            end
    end.

%% Returns the child's module, and the OS process of its VM, if the process represents an isolated
%% child.
-spec child_of(gen_server:server_ref()) -> {module(), non_neg_integer()} | none.
child_of(Process) when is_pid(Process), node(Process) =:= node() ->
    case process_info(Process, dictionary) of
        {dictionary, Known} -> proplists:get_value(?MODULE, Known, none);
        undefined -> none
    end;
child_of(Name) when is_atom(Name) ->
    case whereis(Name) of
        Process when is_pid(Process) -> child_of(Process);
        _ -> none
    end;
child_of(_) ->
    none.

%% Returns the text of its state, as the child itself formats it, or that it is secret.
-spec state(gen_server:server_ref(), timeout()) -> {ok, term()} | none.
state(Process, Time) ->
    case child_of(Process) of
        none -> none;
        _ ->
            {status, _, _, [_, _, _, _, Status]} = sys:get_status(Process, Time),
            case [State || {data, [{"State", State}]} <- Status] of
                [State | _] -> {ok, State};
                [] -> none
            end
    end.

-spec starting(state()) -> no_return().
starting(#{seat := #{tag := Tag}, vm := Monitor, parent := Parent, name := Name} = State) ->
    receive
        {Tag, ?STARTED, Bytes} ->
            otp_rs_vm:handled(map_get(seat, State), Bytes),
            case read(Bytes, State) of
                ok -> proc_lib:init_ack(Parent, {ok, self()}), loop(State);
                ignore -> not_started(Parent, Name, ignore);
                {error, Packed} -> not_started(Parent, Name, {error, reason(Packed, State)});
                _ -> bad_frame(State)
            end;
        {Tag, Kind, Bytes} when Kind =:= ?RELAY; Kind =:= ?ASK -> starting(handled(Kind, Bytes, State));
        {Tag, ?ENDED, Bytes} -> not_started(Parent, Name, {error, reason(read(Bytes, State), State)});
        {Tag, _, _} -> bad_frame(State);
        {'DOWN', Monitor, process, _, Reason} -> not_started(Parent, Name, {error, ended(Reason)});
        {'EXIT', Parent, Reason} -> not_started(Parent, Name, {error, Reason})
    end.

%% The supervisor reports the failure.
-spec not_started(pid(), name(), ignore | {error, term()}) -> no_return().
not_started(Parent, Name, Returned) ->
    unregister_name(Name),
    unlink(Parent),
    proc_lib:init_ack(Parent, Returned),
    exit(normal).

%% Returns the environments that the child's code reads, and the build that it must belong to.
-spec settings(module()) -> otp_rs_guest:settings().
settings(Module) ->
    Applications = [Application || {Application, _, _} <- application:loaded_applications()] -- [kernel, stdlib],
    Build = case otp_rs:library_of(Module) of
        {ok, Library} -> Library:build();
        none -> none
    end,
    {[{Application, application:get_all_env(Application)} || Application <- Applications], Build}.

-spec name([term()]) -> {name(), [term()]}.
name([{local, Name} | [_ | _] = Left]) when is_atom(Name) -> {{local, Name}, Left};
name([{global, Name} | [_ | _] = Left]) -> {{global, Name}, Left};
name([{via, Module, Name} | [_ | _] = Left]) when is_atom(Module) -> {{via, Module, Name}, Left};
name(Arguments) -> {none, Arguments}.

-spec register_name(name()) -> true | {false, pid() | undefined}.
register_name(none) -> true;
register_name({local, Name} = Local) ->
    try register(Name, self())
    catch error:badarg ->
        case whereis(Name) of
            undefined -> register_name(Local);
            Other -> {false, Other}
        end
    end;
register_name({global, Name}) -> registered_by(global, Name);
register_name({via, Module, Name}) -> registered_by(Module, Name).

-spec registered_by(module(), term()) -> true | {false, pid() | undefined}.
registered_by(Module, Name) ->
    case Module:register_name(Name, self()) of
        yes -> true;
        no -> {false, Module:whereis_name(Name)}
    end.

-spec unregister_name(name()) -> ok.
unregister_name(none) -> ok;
unregister_name({local, Name}) -> _ = unregister(Name), ok;
unregister_name({global, Name}) -> _ = global:unregister_name(Name), ok;
unregister_name({via, Module, Name}) -> _ = Module:unregister_name(Name), ok.

-spec loop(state()) -> no_return().
loop(#{vm := Monitor, parent := Parent, calls := Calls, next := Number, asked := Asked, known := Known} = State) ->
    #{seat := #{tag := Tag}} = State,
    receive
        {Tag, Kind, Bytes} ->
            loop(handled(Kind, Bytes, State));
        {'DOWN', Monitor, process, _, Reason} ->
            exit(ended(Reason));
        {'DOWN', Down, process, _, Reason} when is_map_key(Down, Asked) ->
            {Asking, Left} = maps:take(Down, Asked),
            loop(send(?REFUSED, <<Asking:64>>, Reason, State#{asked := Left}));
        {'DOWN', Down, process, Pid, Reason} when is_map_key(Down, Known) ->
            #{known := Others, unread := Unread} = Gone = send(?GONE, <<>>, {Pid, Reason}, State),
            loop(Gone#{known := maps:without([Down, Pid], Others), unread := maps:remove(Pid, Unread)});
        {Reply, Answer} when is_map_key(Reply, Asked) ->
            demonitor(Reply, [flush]),
            {Asking, Left} = maps:take(Reply, Asked),
            loop(send(?ANSWER, <<Asking:64>>, Answer, State#{asked := Left}));
        {'EXIT', Parent, Reason} ->
            loop(send(?STOP, <<>>, Reason, State));
        {'EXIT', From, Reason} ->
            loop(send(?SIGNAL, <<>>, {From, Reason}, State));
        {Label, {Pid, _} = From, Request} when ?IS_CALL(Label, Pid) ->
            Called = State#{calls := Calls#{Number => From}, next := Number + 1},
            loop(send(?CALL, <<Number:64>>, {Label, Request}, Called));
        Message ->
            loop(send(?MESSAGE, <<>>, Message, State))
    end.

%% Handles a frame, and lets the next ones come.
-spec handled(otp_rs_vm:kind(), binary(), state()) -> state().
handled(Kind, Bytes, #{seat := Seat} = State) ->
    New = from_there(Kind, Bytes, State),
    ok = otp_rs_vm:handled(Seat, Bytes),
    New.

%% Handles a frame of the other VM. An invalid frame ends that VM.
-spec from_there(otp_rs_vm:kind(), binary(), state()) -> state().
from_there(?REPLY, <<Number:64, Bytes/binary>>, #{calls := Calls} = State) when is_map_key(Number, Calls) ->
    {From, Left} = maps:take(Number, Calls),
    gen_server:reply(From, read(Bytes, State)),
    State#{calls := Left};
from_there(?FAILED, <<Number:64, Bytes/binary>>, #{calls := Calls} = State) when is_map_key(Number, Calls) ->
    {From, Left} = maps:take(Number, Calls),
    otp_rs:refuse(From, reason(read(Bytes, State), State)),
    State#{calls := Left};
from_there(?RELAY, Bytes, State) ->
    case read(Bytes, State) of
        {To, Message} ->
            case is_known(To, State) of
                true -> To ! Message, count(To, byte_size(Bytes), State);
                false -> State
            end;
        _ -> bad_frame(State)
    end;
from_there(?ASK, <<Number:64, Bytes/binary>>, #{asked := Asked} = State) when map_size(Asked) < ?ASKED ->
    case read(Bytes, State) of
        {To, Label, Request} when Label =:= '$gen_call'; Label =:= system ->
            _ = is_known(To, State),
            Monitor = monitor(process, To),
            To ! {Label, {self(), Monitor}, Request},
            count(To, byte_size(Bytes), State#{asked := Asked#{Monitor => Number}});
        _ -> bad_frame(State)
    end;
from_there(?ENDED, Bytes, State) ->
    exit(reason(read(Bytes, State), State));
from_there(_, _, State) ->
    bad_frame(State).

%% Returns whether the child knows a process. The child may not yet know that the process has ended.
-spec is_known(term(), state()) -> boolean().
is_known(To, #{known := Known}) when is_pid(To), is_map_key(To, Known) -> true;
is_known(To, State) when is_pid(To), node(To) =:= node() -> is_process_alive(To) andalso bad_frame(State);
is_known(_, State) -> bad_frame(State).

%% Counts a message to a process. If that process has read none of many, it does not keep up, and
%% its mailbox would fill the memory: the other VM ends.
-spec count(pid(), non_neg_integer(), state()) -> state().
count(To, Size, #{unread := Unread} = State) ->
    {Messages, Bytes} = case Unread of
        #{To := {Before, Sizes}} -> {Before + 1, Sizes + Size};
        #{} -> {1, Size}
    end,
    case Messages < ?MESSAGES andalso Bytes < ?BYTES of
        true -> State#{unread := Unread#{To => {Messages, Bytes}}};
        false ->
            case process_info(To, message_queue_len) of
                {message_queue_len, 0} -> State#{unread := maps:remove(To, Unread)};
                {message_queue_len, Waiting} when Waiting < Messages ->
                    State#{unread := Unread#{To => {Waiting, Bytes * Waiting div Messages}}};
                {message_queue_len, _} -> forbid(unread_messages, State);
                undefined -> State#{unread := maps:remove(To, Unread)}
            end
    end.

%% If the other VM has ended, this process is notified anyway.
-spec send(otp_rs_vm:kind(), binary(), term(), state()) -> state().
send(Kind, Head, Term, #{seat := Seat} = State) ->
    Bytes = term_to_binary(Term),
    _ = otp_rs_vm:send(Seat, Kind, [Head, Bytes]),
    case binary:match(Bytes, atom_to_binary(node())) of
        nomatch -> State;
        _ -> lists:foldl(fun know/2, State, otp_rs_guest:pids(Term))
    end.

-spec know(pid(), state()) -> state().
know(Pid, #{known := Known} = State) when node(Pid) =:= node(), Pid =/= self(), not is_map_key(Pid, Known) ->
    Monitor = monitor(process, Pid),
    State#{known := Known#{Pid => Monitor, Monitor => Pid}};
know(_, State) ->
    State.

%% Decodes a term without creating atoms. A term that would be much larger than its frame is
%% refused, such as a compressed one.
-spec read(binary(), state()) -> term().
read(<<131, 80, _/binary>>, State) -> bad_frame(State);
read(Bytes, State) ->
    try
        true = byte_size(Bytes) =< ?SMALL orelse otp_rs_limits:fits(Bytes, ?WORDS),
        binary_to_term(Bytes, [safe])
    catch error:_ -> bad_frame(State)
    end.

%% Decodes a reason. An atom that only the other VM knows, for example in a stack, must not end the
%% other children.
-spec reason(term(), state()) -> term().
reason({<<131, 80, _/binary>>, _}, State) -> bad_frame(State);
reason({Reason, Text}, _) when is_binary(Reason), is_binary(Text) ->
    try
        true = byte_size(Reason) =< ?REASON,
        binary_to_term(Reason, [safe])
    catch error:_ -> {isolated, binary:copy(binary:part(Text, 0, min(byte_size(Text), ?TEXT)))}
    end;
reason(_, State) ->
    bad_frame(State).

-spec bad_frame(state()) -> no_return().
bad_frame(State) ->
    forbid(bad_frame, State).

%% Ends the other VM, and so this process.
-spec forbid(otp_rs_vm:violation(), state()) -> no_return().
forbid(Violation, #{seat := Seat, vm := Monitor}) ->
    otp_rs_vm:forbid(Violation, Seat),
    receive {'DOWN', Monitor, process, _, Reason} -> exit(ended(Reason)) end.

%% Returns why a VM has ended.
-spec ended(term()) -> term().
ended({shutdown, Reason}) -> Reason;
ended(Reason) -> Reason.
