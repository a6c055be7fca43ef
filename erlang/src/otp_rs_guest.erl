%% The main process of a VM of isolated children (ADR 48): it starts the children, passes messages
%% to them, and sends back their answers. The module is the same in every application.
-module(otp_rs_guest).
-export([start/0, connect/0, child/3, parent/4, stand_in/2, pids/1]).

-include("otp_rs_frames.hrl").
%% Environments of applications, and the build that the child must belong to.
-type settings() :: {[{atom(), [{atom(), term()}]}], none | otp_rs:build()}.
-export_type([settings/0]).
-type id() :: non_neg_integer().
-type socket() :: gen_tcp:socket().
-type state() :: #{
    id := id(), socket := socket(), child := pid() | none, parent => pid(),
    %% The node of its supervisor, and the process that represents the child there.
    node := binary(), outside := pid(),
    %% Calls to the child that wait on the other side, by their tag here.
    calls := #{reference() => non_neg_integer()},
    %% Calls by the child that wait here, by their number.
    asked := #{non_neg_integer() => gen_server:from()}, next := non_neg_integer(),
    %% A process here for each process of the other side that the child knows, and vice versa.
    stand_ins := #{pid() => pid()}
}.

%% How long the module remembers which process an ended one represented, in milliseconds.
-define(FORGET, 60000).

%% The maximum number of characters of a reason.
-define(WRITTEN, 20000).

%% The VM's first function.
-spec start() -> pid().
start() ->
    spawn(?MODULE, connect, []).

-spec connect() -> no_return().
connect() ->
    try connected() of
        Socket -> loop(Socket, #{})
    catch Class:Reason:Stack ->
        io:format("~ts~n", [otp_rs:written({Class, Reason, Stack}, ?WRITTEN)]),
        erlang:halt(1)
    end.

-spec connected() -> socket().
connected() ->
    [Port, Token] = string:split(os:getenv("OTP_RS_ISOLATED", ""), " "),
    true = os:unsetenv("OTP_RS_ISOLATED"),
    Options = [binary, {packet, 4}, {active, false}, {nodelay, true}],
    {ok, Socket} = gen_tcp:connect({127, 0, 0, 1}, list_to_integer(Port), Options),
    ok = gen_tcp:send(Socket, Token),
    {ok, First} = gen_tcp:recv(Socket, 0),
    {Path, Level} = binary_to_term(First),
    true = code:set_path(Path),
    ok = logger:set_primary_config(level, Level),
    ok = inet:setopts(Socket, [{active, true}]),
    Socket.

%% Each child has a process between itself and the socket, which is its parent.
-spec loop(socket(), #{id() => pid(), pid() => id()}) -> no_return().
loop(Socket, Children) ->
    receive
        {tcp, Socket, <<Id:64, ?START, Bytes/binary>>} ->
            {Child, _} = spawn_monitor(?MODULE, child, [Id, Socket, Bytes]),
            loop(Socket, Children#{Id => Child, Child => Id});
        {tcp, Socket, <<Id:64, Kind, Bytes/binary>>} ->
            _ = case Children of
                #{Id := Child} -> Child ! {?MODULE, Kind, Bytes};
                #{} -> ok
            end,
            loop(Socket, Children);
        {'DOWN', _, process, Child, Reason} when is_map_key(Child, Children) ->
            {Id, Left} = maps:take(Child, Children),
            %% Otherwise that process has already reported how the child ended.
            _ = Reason =:= normal orelse gen_tcp:send(Socket, [<<Id:64, ?ENDED>>, term_to_binary(packed(Reason))]),
            loop(Socket, maps:remove(Id, Left));
        {tcp_closed, Socket} -> erlang:halt(0, [{flush, false}]);
        {tcp_error, Socket, _} -> erlang:halt(1, [{flush, false}])
    end.

%% The process between the socket and a child. It also receives messages for processes of the other
%% side from the processes that represent them here.
-spec child(id(), socket(), binary()) -> no_return().
child(Id, Socket, Bytes) ->
    process_flag(trap_exit, true),
    {_, _, _, Outside} = binary_to_term(Bytes),
    State = #{
        id => Id, socket => Socket, child => none, node => atom_to_binary(node(Outside)), outside => Outside,
        calls => #{}, asked => #{}, next => 0, stand_ins => #{}
    },
    {{Module, Arguments, Settings, _}, Known} = read(Bytes, State),
    Parent = spawn_link(?MODULE, parent, [self(), Module, Arguments, Settings]),
    serve(Known#{parent => Parent}).

%% The child's parent: it starts the child, while this process relays requests of the child's
%% `init`, and ends it in order.
-spec parent(pid(), module(), [term()], settings()) -> no_return().
parent(Own, Module, Arguments, Settings) ->
    process_flag(trap_exit, true),
    Started = try prepare(Module, Settings) of
        ok -> apply(Module, start_link, Arguments);
        Error -> Error
    catch _:Reason:Stack -> {error, {Reason, Stack}}
    end,
    Own ! {started, Started},
    case Started of
        {ok, Child} -> watch(Own, Child);
        _ -> exit(normal)
    end.

-spec watch(pid(), pid()) -> no_return().
watch(Own, Child) ->
    receive
        {stop, Reason} -> exit(Child, Reason), watch(Own, Child);
        {'EXIT', Child, Reason} -> Own ! {ended, Reason}, exit(normal);
        {'EXIT', Own, _} -> exit(Child, kill), exit(normal);
        _ -> watch(Own, Child)
    end.

%% Does the preparation that the application does where it runs.
-spec prepare(module(), settings()) -> ok | {error, term()}.
prepare(Module, {Environments, Build}) ->
    lists:foreach(fun({Application, _} = Environment) ->
        _ = application:load(Application),
        application:set_env([Environment])
    end, Environments),
    case otp_rs:library_of(Module) of
        {ok, Library} ->
            case Library:build() of
                Build -> otp_rs_helper:ensure_started(Library);
                Other -> {error, {other_build, Build, Other}}
            end;
        none when Build =:= none -> ok;
        none -> {error, {other_build, Build, none}}
    end.

-spec serve(state()) -> no_return().
serve(#{calls := Calls, asked := Asked, child := Child, parent := Parent} = State) ->
    receive
        {?MODULE, Kind, Bytes} ->
            serve(from_there(Kind, Bytes, State));
        {relay, To, {Label, {Pid, _} = From, Request}} when ?IS_CALL(Label, Pid) ->
            #{next := Number} = State,
            Asking = State#{asked := Asked#{Number => From}, next := Number + 1},
            serve(send(?ASK, <<Number:64>>, {To, Label, Request}, Asking));
        {relay, To, Message} ->
            serve(send(?RELAY, <<>>, {To, Message}, State));
        {Tag, Reply} when is_map_key(Tag, Calls) ->
            {Number, Left} = maps:take(Tag, Calls),
            serve(send(?REPLY, <<Number:64>>, Reply, State#{calls := Left}));
        {'DOWN', Tag, process, _, Reason} when is_map_key(Tag, Calls) ->
            {Number, Left} = maps:take(Tag, Calls),
            serve(send(?FAILED, <<Number:64>>, packed(Reason, State), State#{calls := Left}));
        {started, {ok, Started}} ->
            serve(send(?STARTED, <<>>, ok, State#{child := Started}));
        {started, Other} ->
            Told = case Other of
                {error, Reason} -> {error, packed(Reason, State)};
                _ -> Other
            end,
            _ = send(?STARTED, <<>>, Told, State),
            exit(normal);
        {forget, StandIn} ->
            #{stand_ins := StandIns} = State,
            serve(State#{stand_ins := maps:remove(StandIn, StandIns)});
        {ended, Reason} ->
            _ = send(?ENDED, <<>>, packed(Reason, State), State),
            exit(normal);
        {'EXIT', Other, Reason} when Other =/= Parent, is_pid(Child) ->
            signal(Child, {Other, Reason}),
            serve(State);
        _ ->
            serve(State)
    end.

-spec from_there(otp_rs_vm:kind(), binary(), state()) -> state().
from_there(?CALL, <<Number:64, Bytes/binary>>, #{child := Child, calls := Calls} = State) ->
    {{Label, Request}, Known} = read(Bytes, State),
    Tag = make_ref(),
    Child ! {Label, {self(), Tag}, Request},
    Known#{calls := Calls#{Tag => Number}};
from_there(?MESSAGE, Bytes, #{child := Child} = State) ->
    {Message, Known} = read(Bytes, State),
    Child ! Message,
    Known;
from_there(?SIGNAL, Bytes, #{child := Child} = State) ->
    {Signal, Known} = read(Bytes, State),
    signal(Child, Signal),
    Known;
from_there(?STOP, Bytes, #{parent := Parent} = State) ->
    {Reason, Known} = read(Bytes, State),
    Parent ! {stop, Reason},
    Known;
from_there(?KILL, <<>>, #{parent := Parent}) ->
    Parent ! {stop, kill},
    exit(normal);
from_there(?ALIVE, <<>>, #{child := Child, socket := Socket, id := Id} = State) ->
    _ = spawn(fun() ->
        %% process_info/2 returns only when the child is not in native code.
        _ = is_pid(Child) andalso process_info(Child, status),
        gen_tcp:send(Socket, <<Id:64, ?ALIVE>>)
    end),
    State;
from_there(?ANSWER, <<Number:64, Bytes/binary>>, State) ->
    {Answer, #{asked := Asked} = Known} = read(Bytes, State),
    {From, Left} = maps:take(Number, Asked),
    gen_server:reply(From, Answer),
    Known#{asked := Left};
from_there(?REFUSED, <<Number:64, Bytes/binary>>, State) ->
    {Reason, #{asked := Asked} = Known} = read(Bytes, State),
    {From, Left} = maps:take(Number, Asked),
    otp_rs:refuse(From, Reason),
    Known#{asked := Left};
from_there(?GONE, Bytes, #{stand_ins := StandIns} = State) ->
    {Pid, Reason} = binary_to_term(Bytes),
    case StandIns of
        #{Pid := StandIn} ->
            StandIn ! {self(), gone, Reason},
            %% The child may still name the process whose end it was notified of.
            _ = erlang:send_after(?FORGET, self(), {forget, StandIn}),
            State#{stand_ins := maps:remove(Pid, StandIns)};
        #{} -> State
    end.

%% Delivers an exit signal of a process that is linked to the child's representative.
-spec signal(pid(), {pid(), term()}) -> ok.
signal(Child, {From, Reason}) ->
    _ = case process_info(Child, trap_exit) of
        {trap_exit, true} -> Child ! {'EXIT', From, Reason};
        _ -> exit(Child, Reason)
    end,
    ok.

%% Represents a process of the other side: it relays its messages to that process, and ends when
%% that process ends.
-spec stand_in(pid(), pid()) -> no_return().
stand_in(Own, For) ->
    Monitor = monitor(process, Own),
    stand_in(Own, For, Monitor).

-spec stand_in(pid(), pid(), reference()) -> no_return().
stand_in(Own, For, Monitor) ->
    receive
        {Own, gone, Reason} -> exit(Reason);
        {'DOWN', Monitor, process, _, Reason} -> exit(Reason);
        Message -> Own ! {relay, For, Message}, stand_in(Own, For, Monitor)
    end.

-spec read(binary(), state()) -> {term(), state()}.
read(Bytes, #{node := Node, stand_ins := StandIns, outside := Outside} = State) ->
    Term = binary_to_term(Bytes),
    case binary:match(Bytes, Node) of
        nomatch -> {Term, State};
        _ ->
            All = [Pid || Pid <- pids(Term), node(Pid) =/= node(), Pid =/= Outside, atom_to_binary(node(Pid)) =:= Node],
            Known = lists:foldl(fun stands_in/2, StandIns, All),
            {replaced(Term, there, own(Known, State)), State#{stand_ins := Known}}
    end.

-spec stands_in(pid(), #{pid() => pid()}) -> #{pid() => pid()}.
stands_in(Pid, StandIns) when is_map_key(Pid, StandIns) -> StandIns;
stands_in(Pid, StandIns) ->
    StandIn = spawn(?MODULE, stand_in, [self(), Pid]),
    StandIns#{Pid => StandIn, StandIn => Pid}.

-spec send(otp_rs_vm:kind(), <<_:_*64>>, term(), state()) -> state().
send(Kind, Head, Term, #{id := Id, socket := Socket} = State) ->
    _ = gen_tcp:send(Socket, [<<Id:64, Kind>>, Head, bytes(Term, State)]),
    State.

%% Encodes a term, with the processes of the other side in place of their representatives.
-spec bytes(term(), state()) -> binary().
bytes(Term, State) ->
    Bytes = term_to_binary(Term),
    case binary:match(Bytes, atom_to_binary(node())) of
        nomatch -> Bytes;
        _ -> term_to_binary(replaced(Term, here, own(maps:get(stand_ins, State), State)))
    end.

%% Encodes a reason, and its text for a VM that does not know its atoms.
-spec packed(term(), state()) -> {binary(), binary()}.
packed(Reason, State) ->
    {_, Text} = packed(Reason),
    {bytes(Reason, State), Text}.

-spec packed(term()) -> {binary(), binary()}.
packed(Reason) ->
    {term_to_binary(Reason), unicode:characters_to_binary(otp_rs:written(Reason, ?WRITTEN))}.

%% Adds the child itself, which is represented by another process on the other side.
-spec own(#{pid() => pid()}, state()) -> #{pid() => pid()}.
own(StandIns, #{child := none, parent := Parent} = State) ->
    %% The child may be in its `init`, or have just failed in it.
    case process_info(Parent, links) of
        {links, Links} ->
            case Links -- [self()] of
                [Child] when is_pid(Child) -> own(StandIns, State#{child := Child});
                _ -> StandIns
            end;
        undefined -> StandIns
    end;
own(StandIns, #{child := none}) -> StandIns;
own(StandIns, #{child := Child, outside := Outside}) -> StandIns#{Child => Outside, Outside => Child}.

%% Replaces processes in a term according to the map: those of this VM (`here`), or those that are
%% not (`there`).
-spec replaced(term(), here | there, #{pid() => pid()}) -> term().
replaced(Pid, here, Others) when is_pid(Pid), node(Pid) =:= node() -> maps:get(Pid, Others, Pid);
replaced(Pid, there, Others) when is_pid(Pid), node(Pid) =/= node() -> maps:get(Pid, Others, Pid);
replaced([Head | Tail], Of, Others) -> [replaced(Head, Of, Others) | replaced(Tail, Of, Others)];
replaced(Tuple, Of, Others) when is_tuple(Tuple) -> list_to_tuple(replaced(tuple_to_list(Tuple), Of, Others));
replaced(Map, Of, Others) when is_map(Map) -> maps:from_list(replaced(maps:to_list(Map), Of, Others));
replaced(Other, _, _) -> Other.

%% The processes that a term mentions.
-spec pids(term()) -> [pid()].
pids(Term) ->
    lists:usort(pids(Term, [])).

-spec pids(term(), [pid()]) -> [pid()].
pids(Pid, Pids) when is_pid(Pid) -> [Pid | Pids];
pids([Head | Tail], Pids) -> pids(Tail, pids(Head, Pids));
pids(Tuple, Pids) when is_tuple(Tuple) -> pids(tuple_to_list(Tuple), Pids);
pids(Map, Pids) when is_map(Map) -> pids(maps:to_list(Map), Pids);
pids(_, Pids) -> Pids.
