%% What the helper logs and prints for threads and dirty schedulers. Who writes is a process of its
%% own: a group leader or a handler of `logger` that does not answer is waited for by that process
%% only, which is left behind then with what comes later for the same one. Everything else goes on
%% in its order. The module is the same in every application.
-module(otp_rs_output).
-export([new/0, add/3, handle/2, put_entries/2, is_entry/1, taken/1, format_fields/1]).
-export([write/2]).
-export_type([output/0, done/0]).

%SHAPES%
%% What is written, or nothing: then it is only waited for what was there before.
-type item() :: {entry, otp_rs:entry()} | {report, map()} | nothing.
%% What happens when something has been written, or left behind.
-type done() :: fun(() -> ok).
%% Who does not answer: a group leader, handlers of `logger`, or a process that does not say its
%% group leader.
-type receiver() :: pid() | logger | {leader_of, pid()}.
-type items() :: queue:queue({item(), done()}).
-record(writer, {
    pid :: pid(),
    monitor :: reference(),
    %% In all messages between it and the helper, because nobody else knows it.
    key :: reference(),
    item :: idle | {item(), done()},
    receiver :: receiver() | undefined
}).
-record(output, {
    writer = none :: none | #writer{},
    queue = queue:new() :: items(),
    size = 0 :: non_neg_integer(),
    lost = 0 :: non_neg_integer(),
    %% Writers that were left behind, and what they have still to write.
    silent = #{} :: #{receiver() => {#writer{}, items()}},
    timer = none :: none | reference(),
    %% How often something has been written, and how often when the timer was started.
    count = 0 :: non_neg_integer(),
    before = 0 :: non_neg_integer()
}).
-opaque output() :: #output{}.

%% A receiver that does not answer for longer is left behind, after at most twice as many
%% milliseconds.
-define(PATIENCE, 500).
%% What may wait, in all and for one that does not answer.
-define(MOST, 20000).
-define(MOST_SILENT, 1000).
%% Of a field, and of a message that is not a text.
-define(MOST_CHARACTERS, 20000).

-spec new() -> output().
new() ->
    #output{}.

%% Writes an item when those before it have been written or left behind.
-spec add(item(), done(), output()) -> output().
add(Item, Done, #output{queue = Queue, size = Size, lost = Lost} = Output) ->
    case Item =/= nothing andalso Size >= ?MOST of
        true ->
            ok = Done(),
            Output#output{lost = Lost + 1};
        false ->
            next(Output#output{queue = queue:in({Item, Done}, Queue), size = Size + 1})
    end.

%% A message of a writer, or of the timer. `none`: it is neither.
-spec handle(term(), output()) -> output() | none.
handle({Key, Word}, #output{writer = #writer{key = Key} = Writer} = Output) ->
    current(Word, Writer, Output);
handle({timeout, Timer, _}, #output{timer = Timer} = Output) when is_reference(Timer) ->
    look(Output#output{timer = none});
handle({'DOWN', Monitor, process, _, _}, #output{writer = #writer{monitor = Monitor, item = Item}} = Output) ->
    %% Somebody has killed it.
    next(done(Item, Output#output{writer = none}));
handle({Key, done}, #output{silent = Silent} = Output) when is_reference(Key) ->
    left([Entry || {_, {#writer{key = Other}, _}} = Entry <- maps:to_list(Silent), Other =:= Key], Output);
handle({'DOWN', Monitor, process, _, _}, #output{silent = Silent} = Output) ->
    case [Receiver || {Receiver, {#writer{monitor = Other}, _}} <- maps:to_list(Silent), Other =:= Monitor] of
        [Receiver] -> Output#output{silent = maps:remove(Receiver, Silent)};
        [] -> none
    end;
handle(_, _) ->
    none.

%% What the writer says: to whom it writes, that this one is silent, and that it has written.
-spec current({to | silent, receiver()} | done, #writer{}, output()) -> output().
current({to, Receiver}, Writer, Output) ->
    Output#output{writer = Writer#writer{receiver = Receiver}};
current({silent, Receiver}, #writer{item = {Item, Done}} = Writer, #output{silent = Silent} = Output) ->
    Idle = Output#output{writer = Writer#writer{item = idle}},
    case Silent of
        #{Receiver := {Behind, Items}} ->
            ok = Done(),
            next(case queue:len(Items) >= ?MOST_SILENT of
                true -> Idle#output{lost = Idle#output.lost + 1};
                false -> Idle#output{silent = Silent#{Receiver := {Behind, queue:in({Item, fun nothing/0}, Items)}}}
            end);
        _ ->
            %% It has answered meanwhile.
            next(Idle#output{queue = queue:in_r({Item, Done}, Idle#output.queue), size = Idle#output.size + 1})
    end;
current(done, #writer{item = Item} = Writer, Output) ->
    next(done(Item, Output#output{writer = Writer#writer{item = idle, receiver = undefined}})).

-spec done(idle | {item(), done()}, output()) -> output().
done(idle, Output) ->
    Output;
done({_, Done}, #output{count = Count} = Output) ->
    ok = Done(),
    Output#output{count = Count + 1}.

-spec nothing() -> ok.
nothing() -> ok.

%% A writer that was left behind goes on.
-spec left([{receiver(), {#writer{}, items()}}], output()) -> output() | none.
left([], _) ->
    none;
left([{Receiver, {Writer, Items}}], #output{silent = Silent} = Output) ->
    case queue:out(Items) of
        {{value, {Item, _}}, Others} ->
            hand(Writer, Item, #{}),
            Output#output{silent = Silent#{Receiver := {Writer, Others}}};
        {empty, _} ->
            stop(Writer),
            Output#output{silent = maps:remove(Receiver, Silent)}
    end.

%% Hands the next item to the writer, if it is idle.
-spec next(output()) -> output().
next(#output{writer = #writer{item = {_, _}}} = Output) ->
    Output;
next(#output{queue = Queue, size = Size, lost = Lost} = Output) ->
    case queue:out(Queue) of
        {empty, _} when Lost > 0 ->
            next(Output#output{lost = 0, size = 1, queue = queue:in({{entry, ?LOST(Lost)}, fun nothing/0}, Queue)});
        {empty, _} ->
            Output;
        {{value, {nothing, Done}}, Others} ->
            ok = Done(),
            next(Output#output{queue = Others, size = Size - 1});
        {{value, {Item, _} = First}, Others} ->
            Writer = writer(Output),
            hand(Writer, Item, Output#output.silent),
            timed(Output#output{queue = Others, size = Size - 1, writer = Writer#writer{item = First, receiver = undefined}})
    end.

-spec writer(output()) -> #writer{}.
writer(#output{writer = #writer{} = Writer}) ->
    Writer;
writer(#output{writer = none}) ->
    Key = make_ref(),
    {Pid, Monitor} = spawn_opt(?MODULE, write, [self(), Key], [link, monitor]),
    #writer{pid = Pid, monitor = Monitor, key = Key, item = idle}.

-spec hand(#writer{}, item(), #{receiver() => term()}) -> ok.
hand(#writer{pid = Pid, key = Key}, Item, Silent) ->
    Pid ! {Key, Item, maps:map(fun(_, _) -> true end, Silent)},
    ok.

-spec stop(#writer{}) -> ok.
stop(#writer{pid = Pid, monitor = Monitor}) ->
    true = unlink(Pid),
    true = exit(Pid, kill),
    true = demonitor(Monitor, [flush]),
    ok.

%% One timer runs while there is something to write.
-spec timed(output()) -> output().
timed(#output{timer = none, count = Count} = Output) ->
    Output#output{timer = erlang:start_timer(?PATIENCE, self(), writer), before = Count};
timed(Output) ->
    Output.

%% Leaves the writer behind if it has written nothing since the timer was started.
-spec look(output()) -> output().
look(#output{writer = #writer{item = {_, _}}, count = Count, before = Before} = Output) when Count =/= Before ->
    timed(Output);
look(#output{writer = #writer{item = {Item, _} = Current} = Writer, silent = Silent} = Output) ->
    Receiver = case Writer#writer.receiver of
        undefined -> unknown(Item);
        Known -> Known
    end,
    Left = done(Current, Output#output{writer = none}),
    case Silent of
        #{Receiver := _} ->
            stop(Writer),
            next(Left#output{lost = Left#output.lost + 1});
        _ ->
            next(Left#output{silent = Silent#{Receiver => {Writer, queue:new()}}})
    end;
look(Output) ->
    Output.

%% The writer has not found out to whom it writes.
-spec unknown(item()) -> logger | {leader_of, pid()}.
unknown({entry, ?TEXT(_, Process)}) when is_pid(Process) -> {leader_of, Process};
unknown({entry, ?EVENT(_, _, #{pid := Process})}) when is_pid(Process) -> {leader_of, Process};
unknown(_) -> logger.

%% The writer, which never ends by itself.
-spec write(pid(), reference()) -> no_return().
write(Helper, Key) ->
    receive
        {Key, Item, Silent} ->
            _ = case prepared(Item, Silent) of
                {silent, Receiver} ->
                    Helper ! {Key, {silent, Receiver}};
                {Receiver, Write} ->
                    Helper ! {Key, {to, Receiver}},
                    %% It does not stop because of what cannot be written.
                    _ = try Write(Helper) catch _:_ -> ok end,
                    Helper ! {Key, done}
            end,
            write(Helper, Key);
        _ ->
            write(Helper, Key)
    end.

-spec prepared(item(), #{receiver() => true}) -> {silent, receiver()} | {receiver(), fun((pid()) -> ok)}.
prepared({entry, ?TEXT(_, Process)}, Silent) when is_map_key({leader_of, Process}, Silent) ->
    {silent, {leader_of, Process}};
prepared({entry, ?TEXT(Text, Process)}, Silent) ->
    Leader = leader(Process),
    to(Leader, Silent, fun(_) -> io:put_chars(Leader, Text) end);
prepared({entry, ?EVENT(_, _, #{pid := Process})}, Silent) when is_map_key({leader_of, Process}, Silent) ->
    {silent, {leader_of, Process}};
prepared({entry, Entry}, Silent) ->
    Complete = of_process(Entry),
    to(logger, Silent, fun(Helper) -> put_entry(Complete, #{pid => Helper}) end);
prepared({report, Report}, Silent) ->
    to(logger, Silent, fun(Helper) -> otp_rs:log_report(Report, #{pid => Helper}) end).

-spec to(receiver(), #{receiver() => true}, fun((pid()) -> ok)) -> {silent, receiver()} | {receiver(), fun((pid()) -> ok)}.
to(Receiver, Silent, _) when is_map_key(Receiver, Silent) -> {silent, Receiver};
to(Receiver, _, Write) -> {Receiver, Write}.

%% Writes an entry in the calling process. `logger` adds the metadata of that, and asks for the
%% level of the module in `mfa`.
-spec put_entry(otp_rs:entry(), logger:metadata()) -> ok.
put_entry(?EVENT(Level, Fields, Metadata), Others) when is_map(Fields) ->
    logger:log(Level, Fields, maps:merge(Others, Metadata#{report_cb => fun ?MODULE:format_fields/1}));
put_entry(?EVENT(Level, Text, Metadata), Others) ->
    logger:log(Level, Text, maps:merge(Others, Metadata));
put_entry(?TEXT(Text, Process), _) ->
    %% A group leader that has gone is not a reason to end the callback.
    try io:put_chars(leader(Process), Text) catch error:_ -> ok end;
put_entry(?LOST(Number), Others) ->
    logger:warning("~b entries of the log were dropped, because there were too many at once", [Number], Others).

-spec leader(pid() | undefined) -> pid().
leader(undefined) -> group_leader();
leader(Process) ->
    case process_info(Process, group_leader) of
        {group_leader, Leader} -> Leader;
        undefined -> group_leader()
    end.

%% An entry of the calling process that another one writes.
-spec of_caller(otp_rs:entry()) -> otp_rs:entry().
of_caller(?EVENT(Level, Message, Metadata)) -> ?EVENT(Level, Message, Metadata#{pid => self()});
of_caller(?TEXT(Text, undefined)) -> ?TEXT(Text, self());
of_caller(Entry) -> Entry.

%% An event of a process that cannot log it itself, because it runs on a dirty scheduler, or a task
%% does something for it. `logger` keeps a process's own metadata in its dictionary, where anything
%% may be.
-spec of_process(otp_rs:entry()) -> otp_rs:entry().
of_process(?EVENT(Level, Message, #{pid := Pid} = Metadata)) ->
    case process_info(Pid, [group_leader, dictionary]) of
        [{group_leader, Leader}, {dictionary, Dictionary}] ->
            Own = case proplists:get_value('$logger_metadata$', Dictionary, #{}) of
                #{} = Map -> Map;
                _ -> #{}
            end,
            ?EVENT(Level, Message, maps:merge(Own#{gl => Leader}, Metadata));
        undefined -> ?EVENT(Level, Message, Metadata)
    end;
of_process(Entry) ->
    Entry.

%% Whether it is an entry as libraries send it. Handlers and filters of `logger` that fail for wrong
%% metadata would be removed.
-spec is_entry(term()) -> boolean().
is_entry(?EVENT(Level, Message, Metadata)) when is_binary(Message); is_map(Message) ->
    lists:member(Level, [error, warning, info, debug]) andalso is_map(Metadata)
        andalso maps:fold(fun(Key, Value, Is) -> Is andalso is_metadata(Key, Value) end, true, Metadata);
is_entry(?TEXT(Text, Process)) -> is_binary(Text) andalso (Process =:= undefined orelse is_local(Process));
is_entry(?LOST(Number)) -> is_integer(Number) andalso Number > 0;
is_entry(_) -> false.

-spec is_metadata(term(), term()) -> boolean().
is_metadata(pid, Value) -> is_local(Value);
is_metadata(time, Value) -> is_integer(Value);
is_metadata(line, Value) -> is_integer(Value);
is_metadata(file, Value) -> io_lib:char_list(Value);
is_metadata(mfa, {M, F, A}) -> is_atom(M) andalso is_atom(F) andalso is_integer(A);
is_metadata(Key, Value) when Key =:= target; Key =:= module; Key =:= thread -> is_binary(Value);
is_metadata(spans, Value) -> is_list(Value);
is_metadata(_, _) -> false.

-spec is_local(term()) -> boolean().
is_local(Process) -> is_pid(Process) andalso node(Process) =:= node().

%% `Message key=value`
-spec format_fields(logger:report()) -> {io:format(), [term()]}.
format_fields(Report) ->
    Fields = lists:sort(maps:to_list(maps:remove(message, Report))),
    {"~ts~ts", [text(maps:get(message, Report, "")), [io_lib:format(" ~ts=~ts", [text(K), field(V)]) || {K, V} <- Fields]]}.

%% Keys and messages are texts, unless somebody else has made the report.
-spec text(term()) -> atom() | unicode:chardata().
text(Text) when is_binary(Text); is_atom(Text); Text =:= "" -> Text;
text(Other) -> otp_rs:written(Other, ?MOST_CHARACTERS).

-spec field(term()) -> unicode:chardata().
field(Value) when is_binary(Value) ->
    case unicode:characters_to_list(Value) of
        Text when is_list(Text) -> otp_rs:written(Text, ?MOST_CHARACTERS);
        _ -> otp_rs:written(Value, ?MOST_CHARACTERS)
    end;
field(Value) -> otp_rs:written(Value, ?MOST_CHARACTERS).

%% Writes what the calling process has logged and printed. `IsBehind`: entries of this process are
%% on their way through the helper and come first.
-spec put_entries(boolean(), [otp_rs:entry()]) -> ok.
put_entries(IsBehind, Entries) ->
    case behind(IsBehind) of
        none -> lists:foreach(fun(Entry) -> put_entry(Entry, #{}) end, Entries);
        Behind -> send_later(Behind, Entries)
    end.

%% What the calling process has on its way through the helper: how many entries, and how many were
%% dropped because there were too many.
-define(ON_ITS_WAY, 1).
-define(DROPPED_ENTRIES, 2).
%% The most that a process may have on its way.
-define(MOST_ON_ITS_WAY, 1000).
-define(BEHIND, '$otp_rs_behind').

%% Whether entries of the calling process are on their way through the helper, or were until now:
%% then what comes next has to go the same way, or it would come first. `IsBehind`: the library has
%% sent some.
-spec behind(boolean()) -> none | {pid(), atomics:atomics_ref()}.
behind(IsBehind) ->
    case {otp_rs_helper:known(), get(?BEHIND)} of
        {none, _} -> none;
        {Helper, {Helper, Counts} = Behind} ->
            case IsBehind orelse atomics:get(Counts, ?ON_ITS_WAY) > 0 of
                true -> Behind;
                false -> _ = erase(?BEHIND), none
            end;
        {Helper, _} when IsBehind ->
            Behind = {Helper, atomics:new(2, [])},
            _ = put(?BEHIND, Behind),
            Behind;
        {_, undefined} -> none;
        {_, _} -> _ = erase(?BEHIND), none
    end.

%% Sends entries after those that are on their way.
-spec send_later({pid(), atomics:atomics_ref()}, [otp_rs:entry()]) -> ok.
send_later(Behind, []) ->
    hand(Behind, nothing);
send_later(Behind, Entries) ->
    lists:foreach(fun(Entry) -> hand(Behind, of_caller(Entry)) end, Entries).

-spec hand({pid(), atomics:atomics_ref()}, nothing | otp_rs:entry()) -> ok.
hand({Helper, Counts}, Entry) ->
    case atomics:add_get(Counts, ?ON_ITS_WAY, 1) > ?MOST_ON_ITS_WAY of
        true ->
            ok = atomics:sub(Counts, ?ON_ITS_WAY, 1),
            atomics:add(Counts, ?DROPPED_ENTRIES, 1);
        false ->
            Helper ! ?HANDED(Counts, Entry),
            ok
    end.

%% The helper has written one of them. Returns how many have been dropped since it last asked.
-spec taken(reference()) -> non_neg_integer().
taken(Counts) ->
    try
        ok = atomics:sub(Counts, ?ON_ITS_WAY, 1),
        atomics:exchange(Counts, ?DROPPED_ENTRIES, 0)
    catch
        error:_ -> 0
    end.
