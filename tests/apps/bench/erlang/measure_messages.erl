%% Measures messages to servers, and servers themselves.
-module(measure_messages).
-export([names/0, groups/2]).

names() ->
    [cast, call, binaries, pages, nested, storm, creation, many, memory].

-spec groups(atom(), rounds:options()) -> [rounds:group()].
groups(cast, Options) ->
    Times = rounds:times(20_000, Options),
    C = [{c, bouncer_c} || native:load(bouncer_c, Options)],
    [[{Variant, fun() -> [{cast, rounds:ping_pong(Module, Times)}] end}
      || {Variant, Module} <- [{erlang, bouncer_erlang} | C] ++ [{'otp-rs', bouncer}]]];
groups(call, Options) ->
    Times = rounds:times(5_000, Options),
    both(counter_erlang, counter, fun(Module) -> [{call, calls(Module, Times)}] end);
groups(binaries, Options) ->
    Times = rounds:times(2_000, Options),
    both(store_erlang, store, fun(Module) -> binaries(Module, binary:copy(<<"x">>, 100_000), Times) end);
groups(pages, Options) ->
    Times = rounds:times(500, Options),
    Erlang = fun() -> [{pages, pages(pager_erlang, store_erlang, Times)}] end,
    Rust = fun() -> [{pages, pages(pager, store, Times)}] end,
    [[{erlang, Erlang}, {'otp-rs', Rust}]];
groups(nested, Options) ->
    Times = rounds:times(2_500, Options),
    Erlang = fun() -> [{nested, nested(asker_erlang, counter_erlang, Times)}] end,
    Rust = fun() -> [{nested, nested(asker, counter, Times)}] end,
    [[{erlang, Erlang}, {'otp-rs', Rust}]];
groups(storm, Options) ->
    Each = rounds:times(100, Options),
    both(counter_erlang, counter, fun(Module) -> [{storm, storm(Module, 100, Each)}] end);
groups(creation, Options) ->
    Times = rounds:times(1_000, Options),
    C = [{c, holder_c} || native:load(holder_c, Options)],
    [[{Variant, fun() -> [{creation, creation(Module, Times)}] end}
      || {Variant, Module} <- [{erlang, counter_erlang}] ++ C ++ [{'otp-rs', counter}]]];
groups(many, Options) ->
    Count = rounds:times(100_000, Options),
    C = [{c, holder_c} || native:load(holder_c, Options)],
    [[{Variant, fun() -> many(Module, Count) end}
      || {Variant, Module} <- [{erlang, counter_erlang}] ++ C ++ [{'otp-rs', counter}]]];
groups(memory, Options) ->
    Count = rounds:times(100_000, Options),
    both(counter_erlang, counter, fun(Module) -> memory(Module, Count) end).

both(Erlang, Rust, Measure) ->
    [[{erlang, fun() -> Measure(Erlang) end}, {'otp-rs', fun() -> Measure(Rust) end}]].

calls(Module, Times) ->
    {ok, Server} = Module:start_link(0, []),
    Took = rounds:nanoseconds(fun() -> call(Server, {add, 1}, Times) end),
    Times = gen_server:call(Server, {add, 0}),
    ok = gen_server:stop(Server),
    Took / Times.

%% A large binary that a server keeps.
binaries(Module, Binary, Times) ->
    {ok, Server} = Module:start_link(Binary, []),
    Got = rounds:nanoseconds(fun() -> call(Server, get, Times) end),
    Put = rounds:nanoseconds(fun() -> call(Server, {put, Binary}, Times) end),
    Binary = gen_server:call(Server, get),
    ok = gen_server:stop(Server),
    [{get, Got / Times}, {put, Put / Times}].

%% A page of 100 kB over TCP, which the connection's server gets from another one.
pages(Pager, Store, Times) ->
    Page = binary:copy(<<"x">>, 100_000),
    {ok, Kept} = Store:start_link(Page, []),
    {ok, Server} = Pager:start_link(Kept, []),
    {ok, Listener} = gen_tcp:listen(0, [binary, {active, false}, {nodelay, true}, {ip, {127, 0, 0, 1}}]),
    {ok, Port} = inet:port(Listener),
    {ok, Client} = gen_tcp:connect({127, 0, 0, 1}, Port, [binary, {active, false}, {nodelay, true}]),
    {ok, Socket} = gen_tcp:accept(Listener),
    ok = gen_tcp:controlling_process(Socket, Server),
    ok = inet:setopts(Socket, [{active, true}]),
    Took = rounds:nanoseconds(fun() -> ask(Client, byte_size(Page), Times) end),
    {ok, Page} = asked(Client, byte_size(Page)),
    ok = gen_server:stop(Server),
    ok = gen_server:stop(Kept),
    _ = [ok = gen_tcp:close(It) || It <- [Client, Listener]],
    Took / Times.

ask(_, _, 0) -> ok;
ask(Client, Size, Left) ->
    {ok, _} = asked(Client, Size),
    ask(Client, Size, Left - 1).

asked(Client, Size) ->
    ok = gen_tcp:send(Client, <<"page">>),
    gen_tcp:recv(Client, Size).

%% A server that calls another one before it answers.
nested(Asker, Counter, Times) ->
    {ok, Inner} = Counter:start_link(0, []),
    {ok, Outer} = Asker:start_link(Inner, []),
    Took = rounds:nanoseconds(fun() -> call(Outer, {ask, 1}, Times) end),
    Times = gen_server:call(Inner, {add, 0}),
    ok = gen_server:stop(Outer),
    ok = gen_server:stop(Inner),
    Took / Times.

call(_, _, 0) -> ok;
call(Server, Request, Left) ->
    _ = gen_server:call(Server, Request),
    call(Server, Request, Left - 1).

%% Many senders cast to one server, until the server has taken the last message.
storm(Module, Senders, Each) ->
    {ok, Server} = Module:start_link(0, []),
    Own = self(),
    Sender = fun() ->
        receive go -> cast(Server, Each) end,
        Own ! sent
    end,
    Pids = [spawn_link(Sender) || _ <- lists:seq(1, Senders)],
    Took = rounds:nanoseconds(fun() ->
        [Pid ! go || Pid <- Pids],
        [receive sent -> ok end || _ <- Pids],
        Sum = Senders * Each,
        Sum = gen_server:call(Server, {add, 0}, infinity)
    end),
    ok = gen_server:stop(Server),
    Took / (Senders * Each).

cast(_, 0) -> ok;
cast(Server, Left) ->
    gen_server:cast(Server, {add, 1}),
    cast(Server, Left - 1).

creation(Module, Times) ->
    rounds:nanoseconds(fun() -> create(Module, Times) end) / Times.

create(_, 0) -> ok;
create(Module, Left) ->
    {ok, Server} = Module:start_link(0, []),
    ok = gen_server:stop(Server),
    create(Module, Left - 1).

%% The first call of each of many servers, and the time until all of them are killed.
many(Module, Count) ->
    Trapped = process_flag(trap_exit, true),
    Servers = [element(2, {ok, _} = Module:start_link(0, [])) || _ <- lists:seq(1, Count)],
    First = rounds:nanoseconds(fun() -> [gen_server:call(Server, {add, 1}) || Server <- Servers] end),
    Killed = rounds:nanoseconds(fun() ->
        [exit(Server, kill) || Server <- Servers],
        [receive {'EXIT', _, killed} -> ok end || _ <- Servers]
    end),
    true = process_flag(trap_exit, Trapped),
    [{'first call', First / Count}, {kill, Killed / Count}].

%% Bytes of an idle server, as the VM counts them and as the operating system does. The links end
%% the servers.
memory(Module, Count) ->
    erlang:garbage_collect(),
    {Counted, Resident} = {erlang:memory(processes), resident()},
    Servers = [element(2, {ok, _} = Module:start_link(Number, [])) || Number <- lists:seq(1, Count)],
    Values = [{"memory, the VM's count", (erlang:memory(processes) - Counted) / Count}
              | [{"memory, resident", (resident() - Resident) / Count} || Resident > 0]],
    Count = length(Servers),
    Values.

%% 0 if the system does not say.
resident() ->
    case file:read_file("/proc/self/status") of
        {ok, Status} ->
            {match, [KiB]} = re:run(Status, "VmRSS:\\s*([0-9]+) kB", [{capture, all_but_first, list}]),
            list_to_integer(KiB) * 1024;
        _ -> 0
    end.
